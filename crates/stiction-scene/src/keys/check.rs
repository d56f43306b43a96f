//! A document against the table of keys.

use super::kind::{Key, Kind, Range, Table};
use super::parts::solid_keys;
use crate::document::{At, Data, Fault, Node};
use crate::error::{Nearest, Problem};

/// Whether a node is what a table of keys says: known keys only, of the right kind, numbers in their range, all required keys there.
pub fn check(node: &Node, table: &Table) -> Result<(), Fault> {
    let Data::Table(entries) = &node.data else {
        return Err(wrong_kind(node, table.name, "a table".into()));
    };
    let solid = node.get("solid").and_then(Node::text);
    if let Some(value) = node.get("solid").filter(|_| table.part) {
        // First, since it decides which other keys there are.
        check_value(value, "solid", &table.key("solid").map_or(Kind::Text, |k| k.kind))?;
        if let Some(mesh) = entries.iter().find(|e| e.key == "mesh") {
            return Err(Fault { at: mesh.at, problem: Problem::Both { first: "solid".into(), second: "mesh".into() } });
        }
    }
    let more: &[Key] = match (table.part, solid) {
        (true, Some(word)) => solid_keys(Some(word)),
        (true, None) => solid_keys(None),
        _ => &[],
    };
    let keys = || table.keys.iter().chain(more);
    for entry in entries {
        let Some(key) = keys().find(|k| k.name == entry.key) else {
            let table_name = match solid.filter(|_| table.part) {
                Some(solid) => format!("{} with solid = \"{solid}\"", table.name),
                None => table.name.into(),
            };
            let nearest = Nearest::of(&entry.key, keys().map(|k| k.name));
            return Err(Fault {
                at: entry.at,
                problem: Problem::UnknownKey { key: entry.key.clone(), table: table_name, nearest },
            });
        };
        check_value(&entry.value, key.name, &key.kind)?;
    }
    if table.part && solid.is_none() && node.get("mesh").is_none() {
        let advice = "give a solid by its parameters, as in solid = \"box\", or a file, as in mesh = \"part.stl\"";
        return Err(missing(node.at, "solid", table, advice));
    }
    match keys().find(|k| k.required && node.get(k.name).is_none()) {
        Some(key) => Err(missing(node.at, key.name, table, key.doc)),
        None => Ok(()),
    }
}

fn missing(at: At, key: &str, table: &Table, advice: &str) -> Fault {
    let problem = Problem::Missing { key: key.into(), table: table.name.into(), advice: advice.into() };
    Fault { at, problem }
}

fn wrong_kind(node: &Node, key: &str, wanted: String) -> Fault {
    Fault { at: node.at, problem: Problem::WrongKind { key: key.into(), wanted, found: node.found() } }
}

fn out_of_range(node: &Node, key: &str, value: String, wanted: &str) -> Fault {
    Fault { at: node.at, problem: Problem::OutOfRange { key: key.into(), value, wanted: wanted.into() } }
}

fn check_number(node: &Node, key: &str, kind: &Kind, range: Range) -> Result<(), Fault> {
    let x = node.number().ok_or_else(|| wrong_kind(node, key, kind.wanted()))?;
    if range.has(x) { Ok(()) } else { Err(out_of_range(node, key, x.to_string(), range.words())) }
}

fn check_value(node: &Node, key: &str, kind: &Kind) -> Result<(), Fault> {
    let wrong = || wrong_kind(node, key, kind.wanted());
    match *kind {
        Kind::Text => node.text().map(drop).ok_or_else(wrong),
        Kind::Word(words) => {
            let word = node.text().ok_or_else(wrong)?;
            if words.contains(&word) {
                return Ok(());
            }
            let nearest = Nearest::of(word, words.iter().copied());
            Err(Fault { at: node.at, problem: Problem::UnknownWord { key: key.into(), word: word.into(), nearest } })
        }
        Kind::Number(range) => check_number(node, key, kind, range),
        Kind::Whole(least, most) => {
            let n = node.whole().ok_or_else(wrong)?;
            let wanted = format!("a whole number {}", bounds(least, most));
            if (least..=most).contains(&n) { Ok(()) } else { Err(out_of_range(node, key, n.to_string(), &wanted)) }
        }
        Kind::Flag => {
            if let Data::Flag(_) = node.data {
                Ok(())
            } else {
                Err(wrong())
            }
        }
        Kind::Numbers(count, range) => {
            let items = list(node, &[count]).ok_or_else(wrong)?;
            items.iter().try_for_each(|item| check_number(item, key, kind, range))
        }
        Kind::Rows => {
            let items = list(node, &[12, 16]).ok_or_else(wrong)?;
            items.iter().try_for_each(|item| check_number(item, key, kind, Range::Any))
        }
        Kind::Direction => {
            let items = list(node, &[3]).ok_or_else(wrong)?;
            items.iter().try_for_each(|item| check_number(item, key, kind, Range::Any))?;
            let length = items.iter().filter_map(Node::number).map(|x| x * x).sum::<f64>().sqrt();
            let good = length > 1e-150 && length.is_finite();
            if good { Ok(()) } else { Err(out_of_range(node, key, "without direction".into(), "other than zero")) }
        }
        Kind::Pairs(range) => {
            let Data::List(items) = &node.data else { return Err(wrong()) };
            if items.is_empty() {
                return Err(wrong());
            }
            for item in items {
                let pair = list(item, &[2]).ok_or_else(|| wrong_kind(item, key, kind.wanted()))?;
                pair.iter().try_for_each(|x| check_number(x, key, kind, range))?;
            }
            Ok(())
        }
        Kind::Texts(count) => {
            let items = list(node, &[count]).ok_or_else(wrong)?;
            if items.iter().all(|i| i.text().is_some()) { Ok(()) } else { Err(wrong()) }
        }
        Kind::Table(table) => check(node, table),
        Kind::OneOf(tables) => check_one(node, key, kind, tables),
        Kind::List(tables) => {
            let Data::List(items) = &node.data else { return Err(wrong()) };
            items.iter().try_for_each(|item| check_one(item, key, kind, tables))
        }
        Kind::Either(a, b) => {
            let fits = |k: &Kind| match k {
                Kind::Number(_) => node.number().is_some(),
                Kind::OneOf(_) => matches!(node.data, Data::Table(_)),
                _ => node.text().is_some(),
            };
            match [a, b].into_iter().find(|k| fits(k)) {
                Some(fitting) => check_value(node, key, fitting),
                None => Err(wrong()),
            }
        }
    }
}

/// The table whose first key is there; with one table only, that.
fn check_one(node: &Node, key: &str, kind: &Kind, tables: &'static [&'static Table]) -> Result<(), Fault> {
    let Data::Table(entries) = &node.data else { return Err(wrong_kind(node, key, kind.wanted())) };
    let first = |t: &Table| t.keys[0].name;
    let chosen = match tables {
        [only] => Some(only),
        _ => tables.iter().find(|t| node.get(first(t)).is_some()),
    };
    if let Some(table) = chosen {
        return check(node, table);
    }
    let Some(entry) = entries.first() else { return Err(wrong_kind(node, key, kind.wanted())) };
    let nearest = Nearest::of(&entry.key, tables.iter().map(|t| first(t)));
    Err(Fault {
        at: entry.at,
        problem: Problem::UnknownKey { key: entry.key.clone(), table: format!("`{key}`"), nearest },
    })
}

fn list<'a>(node: &'a Node, counts: &[usize]) -> Option<&'a [Node]> {
    let Data::List(items) = &node.data else { return None };
    counts.contains(&items.len()).then_some(items)
}

/// A range of whole numbers in words.
pub fn bounds(least: i64, most: i64) -> String {
    if most == i64::MAX { format!("of at least {least}") } else { format!("from {least} to {most}") }
}

impl Kind {
    /// What is wanted, after "must be".
    pub fn wanted(&self) -> String {
        match self {
            Kind::Text => "a text in quotes".into(),
            Kind::Word(words) => words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" or "),
            Kind::Number(_) => "a number".into(),
            Kind::Whole(least, most) => format!("a whole number {}", bounds(*least, *most)),
            Kind::Flag => "true or false".into(),
            Kind::Numbers(count, _) => format!("a list of {count} numbers"),
            Kind::Rows => "a list of 12 or 16 numbers, the rows of a matrix".into(),
            Kind::Direction => "a direction of 3 numbers".into(),
            Kind::Pairs(_) => "a list of pairs of numbers, as in [[0.01, 0.02]]".into(),
            Kind::Texts(count) => format!("a list of {count} texts"),
            Kind::Table(_) => "a table".into(),
            Kind::OneOf(tables) => format!("a table {}", alternatives(tables)),
            Kind::List(tables) => format!("a list of tables {}", alternatives(tables)),
            Kind::Either(a, b) => format!("{}, or {}", a.wanted(), b.wanted()),
        }
    }
}

/// "{ axis, angle_deg } or { qw, qx, qy, qz }"
fn alternatives(tables: &[&Table]) -> String {
    let one = |t: &&Table| format!("{{ {} }}", t.keys.iter().map(|k| k.name).collect::<Vec<_>>().join(", "));
    tables.iter().map(one).collect::<Vec<_>>().join(" or ")
}
