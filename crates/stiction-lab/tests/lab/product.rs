//! The product does not carry the laboratory.

use std::path::Path;
use std::process::Command;

/// Names of the crates that a package of the workspace is built from, by `cargo tree`.
fn crates_of(package: &str) -> Vec<String> {
    let mut cargo = Command::new(env!("CARGO"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    cargo.args(["tree", "--package", package, "--edges", "normal,build", "--prefix", "none", "--offline", "--locked"]);
    let output = cargo.current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn the_product_is_built_without_the_laboratory() {
    let (product, lab) = (crates_of("stiction-cli"), crates_of("stiction-lab"));
    for name in ["clarabel", "microlp", "stiction-reference", "stiction-figures", "stiction-results", "stiction-lab"] {
        assert!(lab.iter().any(|n| n == name), "the laboratory has no {name}: is it by another name now?");
        assert!(!product.iter().any(|n| n == name), "stiction-cli is built from {name}");
    }
    assert!(product.iter().any(|n| n == "stiction-view"), "{product:?}");
}
