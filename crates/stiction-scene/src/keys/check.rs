//! A document against the table of keys.

use super::kind::{Key, Kind, Range, Surface, Table};
use super::parts::keys_of;
use super::{INSTEAD, SURFACES};
use crate::document::{At, Data, Node, SceneFault, parse_value};
use crate::error::{Nearest, Problem};

/// Whether a node is what a table of keys says: known keys only, of the right kind, numbers in their range, all required keys there, none that
/// exclude each other.
pub fn check(node: &Node, table: &Table) -> Result<(), SceneFault> {
    let Data::Table(entries) = &node.data else {
        return Err(wrong_kind(node, table.name, "a table".into()));
    };
    let described = table.surface != Surface::None;
    if let Some(solid) = node.get("solid").filter(|_| described) {
        // First, since it decides which other keys there are.
        table.keys().filter(|k| k.name == "solid").try_for_each(|k| check_value(solid, k.name, &k.kind))?;
    }
    if table.surface == Surface::Any {
        one_of(node, SURFACES)?;
    }
    let solid = node.get("solid").and_then(Node::text).filter(|_| described);
    let keys = || keys_of(node, table);
    for entry in entries {
        let Some(key) = keys().find(|k| k.name == entry.key) else {
            let table_name = match solid {
                Some(solid) => format!("{} with solid = \"{solid}\"", table.name),
                None => table.name.into(),
            };
            let nearest = Nearest::of(&entry.key, keys().map(|k| k.name));
            return Err(SceneFault {
                at: entry.at,
                problem: Problem::UnknownKey { key: entry.key.clone(), table: table_name, nearest },
            });
        };
        check_value(&entry.value, key.name, &key.kind)?;
    }
    INSTEAD.iter().try_for_each(|group| one_of(node, group))?;
    keys().try_for_each(|key| not_above(node, key, keys()))?;
    if table.surface == Surface::Any && SURFACES.iter().all(|key| node.get(key).is_none()) {
        let advice = "give a solid by its parameters, as in solid = \"box\", a file, as in mesh = \"part.stl\", or a list of solids";
        return Err(missing(node.at, "solid", table, advice));
    }
    match keys().find(|k| k.required && node.get(k.name).is_none()) {
        Some(key) => Err(missing(node.at, key.name, table, key.doc)),
        None => Ok(()),
    }
}

/// Refuses two keys of which only one can be given: an override, or else the later of them, is at fault.
fn one_of(node: &Node, group: &[&str]) -> Result<(), SceneFault> {
    let mut given = group.iter().filter_map(|key| node.entries().iter().find(|e| e.key == *key));
    let (Some(a), Some(b)) = (given.next(), given.next()) else { return Ok(()) };
    let at = match (a.at, b.at) {
        (At::Byte(a), At::Byte(b)) => At::Byte(a.max(b)),
        (At::Set(_), _) => a.at,
        _ => b.at,
    };
    Err(SceneFault { at, problem: Problem::Both { first: a.key.clone(), second: b.key.clone() } })
}

/// Refuses a number above another one that it must not be above.
fn not_above(node: &Node, key: &Key, mut keys: impl Iterator<Item = &'static Key>) -> Result<(), SceneFault> {
    let (Some(other), Some(given)) = (key.at_most, node.get(key.name)) else { return Ok(()) };
    let default = || keys.find(|k| k.name == other).and_then(|k| parse_value(k.default));
    let most = node.get(other).cloned().or_else(default).and_then(|n| n.number());
    match (given.number(), most) {
        (Some(x), Some(most)) if x > most => {
            let wanted = format!("at most `{other}`, which is {most}");
            Err(out_of_range(given, key.name, x.to_string(), &wanted))
        }
        _ => Ok(()),
    }
}

fn missing(at: At, key: &str, table: &Table, advice: &str) -> SceneFault {
    let problem = Problem::Missing { key: key.into(), table: table.name.into(), advice: advice.into() };
    SceneFault { at, problem }
}

fn wrong_kind(node: &Node, key: &str, wanted: String) -> SceneFault {
    SceneFault { at: node.at, problem: Problem::WrongKind { key: key.into(), wanted, found: node.found() } }
}

fn out_of_range(node: &Node, key: &str, value: String, wanted: &str) -> SceneFault {
    SceneFault { at: node.at, problem: Problem::OutOfRange { key: key.into(), value, wanted: wanted.into() } }
}

fn check_number(node: &Node, key: &str, kind: &Kind, range: Range) -> Result<(), SceneFault> {
    let x = node.number().ok_or_else(|| wrong_kind(node, key, kind.wanted()))?;
    if range.has(x) { Ok(()) } else { Err(out_of_range(node, key, x.to_string(), range.words())) }
}

fn check_value(node: &Node, key: &str, kind: &Kind) -> Result<(), SceneFault> {
    let wrong = || wrong_kind(node, key, kind.wanted());
    match *kind {
        Kind::Text => node.text().map(drop).ok_or_else(wrong),
        Kind::Word(words) => {
            let word = node.text().ok_or_else(wrong)?;
            if words.iter().any(|choice| choice.word == word) {
                return Ok(());
            }
            let nearest = Nearest::of(word, words.iter().map(|choice| choice.word));
            Err(SceneFault {
                at: node.at,
                problem: Problem::UnknownWord { key: key.into(), word: word.into(), nearest },
            })
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
        Kind::Tuples(count, range, none) => {
            let Data::List(items) = &node.data else { return Err(wrong()) };
            if items.is_empty() && !none {
                return Err(wrong());
            }
            for item in items {
                let tuple = list(item, &[count]).ok_or_else(|| wrong_kind(item, key, kind.wanted()))?;
                tuple.iter().try_for_each(|x| check_number(x, key, kind, range))?;
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
                Kind::OneOf(_) | Kind::Table(_) => matches!(node.data, Data::Table(_)),
                Kind::List(_) => matches!(node.data, Data::List(_)),
                _ => node.text().is_some(),
            };
            match [a, b].into_iter().find(|k| fits(k)) {
                Some(fitting) => check_value(node, key, fitting),
                None => Err(wrong()),
            }
        }
    }
}

/// Checks a table by the one of several that it is.
fn check_one(node: &Node, key: &str, kind: &Kind, tables: &'static [&'static Table]) -> Result<(), SceneFault> {
    let Data::Table(entries) = &node.data else { return Err(wrong_kind(node, key, kind.wanted())) };
    if let Some(table) = chosen(node, tables) {
        return check(node, table);
    }
    // A key that comes after the first one of its table says which table is meant.
    let hinted = tables.iter().find(|t| t.keys().any(|k| entries.iter().any(|e| e.key == k.name)));
    if let Some((table, key)) = hinted.and_then(|table| Some((table, table.keys().next()?))) {
        return Err(missing(node.at, key.name, table, key.doc));
    }
    let Some(entry) = entries.first() else { return Err(wrong_kind(node, key, kind.wanted())) };
    let nearest = Nearest::of(&entry.key, tables.iter().map(|t| first(t)));
    Err(SceneFault {
        at: entry.at,
        problem: Problem::UnknownKey { key: entry.key.clone(), table: format!("`{key}`"), nearest },
    })
}

/// The name of a table's first key, by which it is told from others.
fn first(table: &Table) -> &'static str {
    table.keys().next().map_or("", |k| k.name)
}

/// The table whose first key is there; with one table only, that.
pub fn chosen(node: &Node, tables: &'static [&'static Table]) -> Option<&'static Table> {
    match tables {
        [only] => Some(only),
        _ => tables.iter().copied().find(|t| node.get(first(t)).is_some()),
    }
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
            Kind::Word(words) => words.iter().map(|w| format!("\"{}\"", w.word)).collect::<Vec<_>>().join(" or "),
            Kind::Number(_) => "a number".into(),
            Kind::Whole(least, most) => format!("a whole number {}", bounds(*least, *most)),
            Kind::Flag => "true or false".into(),
            Kind::Numbers(count, _) => format!("a list of {count} numbers"),
            Kind::Rows => "a list of 12 or 16 numbers, the rows of a matrix".into(),
            Kind::Direction => "a direction of 3 numbers".into(),
            Kind::Tuples(2, ..) => "a list of pairs of numbers, as in [[0.01, 0.02]]".into(),
            Kind::Tuples(count, ..) => format!("a list of lists of {count} numbers"),
            Kind::Texts(count) => format!("a list of {count} texts"),
            Kind::Table(_) => "a table".into(),
            Kind::OneOf(tables) => format!("a table {}", alternatives(tables)),
            Kind::List(tables) => format!("a list of tables {}", alternatives(tables)),
            Kind::Either(a, b) => format!("{}, or {}", a.wanted(), b.wanted()),
        }
    }
}

/// "{ axis, angle_deg } or { qw, qx, qy, qz }"; of many keys, the first ones.
fn alternatives(tables: &[&Table]) -> String {
    let one = |t: &&Table| {
        let mut names: Vec<&str> = t.keys().map(|k| k.name).collect();
        if names.len() > 6 {
            names.truncate(4);
            names.push("…");
        }
        format!("{{ {} }}", names.join(", "))
    };
    tables.iter().map(one).collect::<Vec<_>>().join(" or ")
}
