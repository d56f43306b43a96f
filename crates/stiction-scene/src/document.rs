//! scene.toml as a tree in which every key and value knows where it stands, and the overrides put into it.

use crate::Setting;
use crate::error::Problem;
use crate::keys::INSTEAD;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Where a key or value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A byte of the text.
    Byte(usize),
    /// The override of this number.
    Set(usize),
}

/// A problem and where it is.
#[derive(Clone, Debug)]
pub struct SceneFault {
    pub at: At,
    pub problem: Problem,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    pub at: At,
    pub data: Data,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Data {
    Text(String),
    Number(f64),
    Whole(i64),
    Flag(bool),
    /// Dates, which no key wants.
    Date,
    List(Vec<Node>),
    Table(Vec<KeyValue>),
}

impl Data {
    /// A word.
    pub fn word(word: &str) -> Data {
        Data::Text(word.into())
    }

    /// A list of numbers.
    pub fn numbers(numbers: &[f64]) -> Data {
        Data::List(numbers.iter().map(|x| Node { at: At::Byte(0), data: Data::Number(*x) }).collect())
    }

    /// A table.
    pub fn table<const N: usize>(entries: [(&str, Data); N]) -> Data {
        let at = At::Byte(0);
        Data::Table(entries.map(|(key, data)| KeyValue { key: key.into(), at, value: Node { at, data } }).into())
    }
}

/// As an override has it: words without quotes, but for those in tables and lists.
impl std::fmt::Display for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let inner = |data: &Data| match data {
            Data::Text(text) => format!("\"{text}\""),
            other => other.to_string(),
        };
        match self {
            Data::Text(text) => f.write_str(text),
            Data::Number(x) => write!(f, "{x}"),
            Data::Whole(n) => write!(f, "{n}"),
            Data::Flag(b) => write!(f, "{b}"),
            Data::Date => Ok(()),
            Data::List(items) => {
                write!(f, "[{}]", items.iter().map(|i| inner(&i.data)).collect::<Vec<_>>().join(", "))
            }
            Data::Table(entries) => {
                let all = entries.iter().map(|e| format!("{} = {}", e.key, inner(&e.value.data)));
                write!(f, "{{ {} }}", all.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct KeyValue {
    pub key: String,
    pub at: At,
    pub value: Node,
}

impl Node {
    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.value)
    }

    /// The keys, if this is a table.
    pub fn entries(&self) -> &[KeyValue] {
        if let Data::Table(entries) = &self.data { entries } else { &[] }
    }

    /// The items, if this is a list.
    pub fn items(&self) -> &[Node] {
        if let Data::List(items) = &self.data { items } else { &[] }
    }

    /// The number, whole or not.
    pub fn number(&self) -> Option<f64> {
        match self.data {
            Data::Number(x) => Some(x),
            Data::Whole(n) => Some(n as f64),
            _ => None,
        }
    }

    /// The whole number.
    pub fn whole(&self) -> Option<i64> {
        if let Data::Whole(n) = self.data { Some(n) } else { None }
    }

    /// The text.
    pub fn text(&self) -> Option<&str> {
        if let Data::Text(text) = &self.data { Some(text) } else { None }
    }

    /// All numbers of a list of numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        if let Data::List(items) = &self.data { items.iter().map(Node::number).collect() } else { None }
    }

    /// What it is, in words.
    pub fn found(&self) -> String {
        match &self.data {
            Data::Text(text) => format!("the text \"{text}\""),
            Data::Number(x) => format!("the number {x}"),
            Data::Whole(n) => format!("the number {n}"),
            Data::Flag(b) => b.to_string(),
            Data::Date => "a date".into(),
            Data::List(items) if items.len() == 1 => "a list of 1 item".into(),
            Data::List(items) => format!("a list of {} items", items.len()),
            Data::Table(_) => "a table".into(),
        }
    }

    /// The same as if an override had said it.
    fn set_by(mut self, number: usize) -> Node {
        self.place(At::Set(number));
        self
    }

    fn place(&mut self, at: At) {
        self.at = at;
        match &mut self.data {
            Data::List(items) => items.iter_mut().for_each(|n| n.place(at)),
            Data::Table(entries) => entries.iter_mut().for_each(|e| {
                e.at = at;
                e.value.place(at);
            }),
            _ => {}
        }
    }
}

/// Reads a text.
pub fn parse(text: &str) -> Result<Node, SceneFault> {
    let table = DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
        SceneFault { at: At::Byte(error.span().map_or(0, |s| s.start)), problem: Problem::Syntax(message) }
    })?;
    let span = table.span();
    Ok(Node { at: At::Byte(span.start), data: table_of(table.get_ref())? })
}

/// Reads one value, as it stands right of `=`.
pub fn parse_value(text: &str) -> Option<Node> {
    // The value alone must be there, whatever brackets and line ends it holds.
    let whole = parse(&format!("value = {text}\n")).ok()?;
    let [entry] = whole.entries() else { return None };
    Some(entry.value.clone())
}

fn node(value: &DeValue, span: Range<usize>) -> Result<Node, SceneFault> {
    let at = At::Byte(span.start);
    let wrong = |problem: String| SceneFault { at, problem: Problem::Syntax(problem) };
    let data = match value {
        DeValue::String(text) => Data::Text(text.to_string()),
        DeValue::Integer(n) => {
            let read = i64::from_str_radix(n.as_str(), n.radix());
            Data::Whole(read.map_err(|_| wrong(format!("{n} is too large a whole number")))?)
        }
        DeValue::Float(x) => {
            Data::Number(x.as_str().parse().map_err(|_| wrong(format!("{} is no number", x.as_str())))?)
        }
        DeValue::Boolean(b) => Data::Flag(*b),
        DeValue::Datetime(_) => Data::Date,
        DeValue::Array(items) => {
            Data::List(items.iter().map(|i| node(i.get_ref(), i.span())).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => table_of(table)?,
    };
    Ok(Node { at, data })
}

fn table_of(table: &DeTable) -> Result<Data, SceneFault> {
    let entries = table.iter().map(|(key, value)| {
        let value = node(value.get_ref(), value.span())?;
        Ok(KeyValue { key: key.get_ref().to_string(), at: At::Byte(key.span().start), value })
    });
    Ok(Data::Table(entries.collect::<Result<_, _>>()?))
}

/// Puts an override in its place; tables that are not there are made.
pub fn apply(root: &mut Node, setting: &Setting, number: usize) -> Result<(), SceneFault> {
    let at = At::Set(number);
    let value = parse_value(&setting.value)
        .unwrap_or_else(|| Node { at, data: Data::Text(setting.value.clone()) })
        .set_by(number);
    let path = in_lists(root, setting.key.split('.').map(str::trim).collect());
    let mut here = root;
    let (last, tables) = path.split_last().unwrap_or((&"", &[]));
    for key in tables {
        here = step(here, key, at)?;
    }
    if let Some(others) = INSTEAD.iter().find(|group| group.contains(last))
        && let Data::Table(entries) = &mut here.data
    {
        entries.retain(|e| !others.contains(&e.key.as_str()) || e.key == *last || matches!(e.at, At::Set(_)));
    }
    *step(here, last, at)? = value;
    if let Data::Table(entries) = &mut here.data {
        entries.iter_mut().filter(|e| e.key == *last).for_each(|e| e.at = at);
    }
    Ok(())
}

/// The way of an override in a scene with a list of bodies, where `held` is the body of the first hand, `fixed` the other one, `start` the pose of
/// the held one, and `hand` and `load` the first of their lists: overrides that programs make work on either form.
fn in_lists<'a>(root: &Node, path: Vec<&'a str>) -> Vec<&'a str> {
    const NUMBERS: [&str; 2] = ["0", "1"];
    let (Some(bodies), [first, rest @ ..]) = (root.get("body"), path.as_slice()) else { return path };
    let Some(next) = rest.first() else { return path };
    let holds = root.get("hand").and_then(|hands| hands.items().first()?.get("holds")?.text());
    let held = bodies.items().iter().position(|body| body.get("name").and_then(Node::text) == holds).unwrap_or(0);
    let list = match *first {
        "held" | "start" => ["body", NUMBERS[held.min(1)]],
        "fixed" => ["body", NUMBERS[1 - held.min(1)]],
        "hand" | "load" if next.parse::<usize>().is_err() && !is_table(root.get(first)) => [*first, NUMBERS[0]],
        _ => return path,
    };
    list.into_iter().chain(rest.iter().copied()).collect()
}

fn is_table(node: Option<&Node>) -> bool {
    node.is_some_and(|n| matches!(n.data, Data::Table(_)))
}

/// One step down, by a key or the number of an item.
fn step<'a>(here: &'a mut Node, key: &str, at: At) -> Result<&'a mut Node, SceneFault> {
    let fault = |problem| SceneFault { at, problem };
    let found = here.found();
    match &mut here.data {
        Data::Table(entries) => {
            let index = entries.iter().position(|e| e.key == key).unwrap_or_else(|| {
                entries.push(KeyValue { key: key.into(), at, value: Node { at, data: Data::Table(Vec::new()) } });
                entries.len() - 1
            });
            Ok(&mut entries[index].value)
        }
        Data::List(items) => {
            let count = items.len();
            let item = key.parse::<usize>().ok().and_then(|i| items.get_mut(i));
            item.ok_or_else(|| {
                fault(Problem::Contradiction(format!(
                    "`{key}` is not the number of an item: there are {count}, from 0"
                )))
            })
        }
        _ => Err(fault(Problem::Contradiction(format!("`{key}` cannot be set inside {found}: that is no table")))),
    }
}
