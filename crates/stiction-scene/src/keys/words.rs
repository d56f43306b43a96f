//! The table of keys in words, for `scenes/README.md`.

use super::kind::{Key, Kind, Table};
use super::parts::{MESH, SOLIDS};
use super::tables::{ROOT, ROTATION};
use std::fmt::Write;

/// Every key of scene.toml, as tables of Markdown.
pub fn reference() -> String {
    let mut out = String::new();
    let plain = |k: &&Key| !matches!(k.kind, Kind::Table(_));
    section(&mut out, "The file", ROOT.doc, ROOT.keys.iter().filter(plain));
    for key in ROOT.keys {
        if let Kind::Table(table) = key.kind {
            tables(&mut out, table);
            if key.name == "fixed" {
                section(&mut out, "A mesh, in `[held]` or `[fixed]`", "Instead of a solid.", MESH.iter());
                for (word, doc, keys) in SOLIDS {
                    section(&mut out, &format!("`solid = \"{word}\"`"), &format!("{doc}."), keys.iter());
                }
            }
        }
    }
    for table in ROTATION {
        tables(&mut out, table);
    }
    out
}

/// A table and those in it.
fn tables(out: &mut String, table: &Table) {
    let title = if table.name.starts_with('[') { format!("`{}`", table.name) } else { table.name.to_string() };
    section(out, &title, table.doc, table.keys.iter());
    for key in table.keys {
        match key.kind {
            Kind::Table(inner) => tables(out, inner),
            Kind::List(inner) => inner.iter().for_each(|t| tables(out, t)),
            Kind::Either(_, Kind::OneOf([inner])) => tables(out, inner),
            _ => {}
        }
    }
}

fn section<'a>(out: &mut String, title: &str, doc: &str, keys: impl Iterator<Item = &'a Key>) {
    // Writing to a string does not fail.
    let _ =
        write!(out, "\n### {title}\n\n{doc}\n\n| key | takes | unit | default | meaning |\n|---|---|---|---|---|\n");
    for key in keys {
        let default = match (key.required, key.default) {
            (true, _) => "required".into(),
            (false, "") => "–".into(),
            (false, default) => format!("`{default}`"),
        };
        let takes = key.kind.wanted().replace('|', "\\|");
        let _ = writeln!(out, "| `{}` | {takes} | {} | {default} | {} |", key.name, key.unit, key.doc);
    }
}
