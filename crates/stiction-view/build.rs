//! Embeds the built page, `web/dist`, where there is one: a table of names, types and packed contents. Without it the program serves a page that says how to build it.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let dist = here.join("../../web/dist");
    println!("cargo:rerun-if-changed={}", dist.display());
    println!("cargo:rerun-if-changed=build.rs");
    let mut rows = String::new();
    if !dist.join("index.html.gz").is_file() {
        println!(
            "cargo:warning=`stiction view` is built without its page, since web/dist is missing: run `make page` first (needs Node 20). Everything else works."
        );
    }
    for file in files(&dist) {
        let Ok(name) = file.strip_prefix(&dist) else { continue };
        let name = name.to_string_lossy().replace('\\', "/");
        let packed = PathBuf::from(format!("{}.gz", file.display()));
        if name.ends_with(".gz") || !packed.is_file() {
            continue;
        }
        println!("cargo:rerun-if-changed={}", packed.display());
        let path = packed.canonicalize().unwrap_or(packed);
        rows.push_str(&format!("    ({name:?}, include_bytes!({:?}) as &[u8]),\n", path.display().to_string()));
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs");
    let text =
        format!("/// Files of the page by name, packed by gzip.\npub static FILES: &[(&str, &[u8])] = &[\n{rows}];\n");
    if let Err(error) = fs::write(&out, text) {
        println!("cargo:warning=the page cannot be embedded: {error}");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        if path.is_dir() { out.extend(files(&path)) } else { out.push(path) }
    }
    out.sort();
    out
}
