//! The table of keys in words, for `scenes/README.md`.

use super::kind::{Choice, Key, Kind, Table};
use super::parts::{MESH, UNION};
use super::solids::{SOLIDS, SolidRow};
use super::tables::{ROOT, ROTATION};
use std::fmt::Write;

impl Key {
    /// Its meaning: what it belongs to, what it is for, and what its words mean.
    pub fn meaning(&self) -> String {
        let engine = self.engine.map_or(String::new(), |engine| format!("{}: ", engine.word()));
        let mut out = format!("{engine}{}{}", self.only.prefix(), self.doc);
        let Kind::Word(choices) = self.kind else { return out };
        let said = |c: &Choice| match (c.doc, c.label) {
            ("", label) if label == c.word => None,
            ("", label) => Some(format!("; {}: {label}", c.word)),
            (doc, _) => Some(format!("; {}: {doc}", c.word)),
        };
        out.extend(choices.iter().filter_map(said));
        out
    }
}

/// Every key of scene.toml, as tables of Markdown.
pub fn reference() -> String {
    let mut out = String::new();
    let plain = |k: &&Key| k.kind.table().is_none();
    section(&mut out, "The file", ROOT.doc, ROOT.keys().filter(plain));
    for key in ROOT.keys() {
        tables_of(&mut out, &key.kind);
        if key.name == "body" {
            section(&mut out, "A mesh, in `[held]`, `[fixed]` or `[[body]]`", "Instead of a solid.", MESH.iter());
            section(
                &mut out,
                "A union of solids, in `[held]`, `[fixed]` or `[[body]]`",
                "Instead of a solid.",
                UNION.iter(),
            );
            UNION.iter().for_each(|k| tables_of(&mut out, &k.kind));
            for SolidRow { word, doc, keys, .. } in SOLIDS {
                section(&mut out, &format!("`solid = \"{word}\"`"), &format!("{doc}."), keys.iter());
            }
        }
    }
    ROTATION.iter().for_each(|table| tables(&mut out, table));
    out
}

/// The tables that a key takes.
fn tables_of(out: &mut String, kind: &Kind) {
    match kind {
        Kind::Table(inner) => tables(out, inner),
        Kind::List(inner) => inner.iter().for_each(|t| tables(out, t)),
        Kind::Either(a, b) => [a, b].into_iter().for_each(|k| tables_of(out, k)),
        Kind::OneOf([inner]) => tables(out, inner),
        _ => {}
    }
}

/// A table and those in it, unless it was written before.
fn tables(out: &mut String, table: &Table) {
    let title = if table.name.starts_with('[') { format!("`{}`", table.name) } else { table.name.to_string() };
    if out.contains(&format!("\n### {title}\n")) {
        return;
    }
    section(out, &title, table.doc, table.keys());
    table.keys().for_each(|key| tables_of(out, &key.kind));
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
        let _ = writeln!(out, "| `{}` | {takes} | {} | {default} | {} |", key.name, key.unit, key.meaning());
    }
}
