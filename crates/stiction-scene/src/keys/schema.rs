//! The table of keys as a JSON schema, for editors that complete and check.

use super::kind::{Key, Kind, Range, Table};
use super::parts::{MESH, SOLIDS};
use super::tables::ROOT;
use crate::document::{Data, Node, parse_value};
use serde_json::{Map, Value, json};

/// The JSON schema of scene.toml, as `scenes/scene.schema.json` has it.
pub fn schema() -> String {
    let mut root = table(&ROOT);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("A scene of Stiction");
    // Numbers and words only: this cannot fail.
    serde_json::to_string_pretty(&root).unwrap_or_default() + "\n"
}

fn table(t: &Table) -> Value {
    if !t.part {
        return object(t.doc, t.keys.iter());
    }
    // One alternative for each solid and one for a mesh, each with its own keys.
    let solids = SOLIDS.iter().map(|(word, doc, keys)| {
        let mut solid = object(doc, t.keys.iter().chain(*keys));
        solid["properties"]["solid"] = json!({ "const": word, "description": doc });
        require(&mut solid, "solid");
        solid
    });
    let mesh = object("A mesh from a file", t.keys.iter().chain(MESH).filter(|k| k.name != "solid"));
    json!({ "description": t.doc, "oneOf": solids.chain([mesh]).collect::<Vec<_>>() })
}

fn require(object: &mut Value, key: &str) {
    match object["required"].as_array_mut() {
        Some(list) => list.push(json!(key)),
        None => object["required"] = json!([key]),
    }
}

fn object<'a>(doc: &str, keys: impl Iterator<Item = &'a Key> + Clone) -> Value {
    let properties: Map<String, Value> = keys.clone().map(|k| (k.name.to_string(), property(k))).collect();
    let required: Vec<&str> = keys.filter(|k| k.required).map(|k| k.name).collect();
    let mut out =
        json!({ "type": "object", "description": doc, "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    out
}

fn property(key: &Key) -> Value {
    let mut out = kind(&key.kind);
    let unit = if key.unit.is_empty() { String::new() } else { format!(" ({})", key.unit) };
    out["description"] = json!(format!("{}{unit}", key.doc));
    if let Some(default) = parse_value(key.default) {
        out["default"] = value(&default);
    }
    out
}

fn kind(kind_: &Kind) -> Value {
    match *kind_ {
        Kind::Text => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Number(range) => number(range),
        Kind::Whole(least, i64::MAX) => json!({ "type": "integer", "minimum": least }),
        Kind::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Numbers(count, range) => list(number(range), count, count),
        Kind::Rows => list(number(Range::Any), 12, 16),
        Kind::Direction => list(number(Range::Any), 3, 3),
        Kind::Pairs(range) => json!({ "type": "array", "items": list(number(range), 2, 2), "minItems": 1 }),
        Kind::Texts(count) => list(json!({ "type": "string" }), count, count),
        Kind::Table(t) => table(t),
        Kind::OneOf(tables) => one_of(tables),
        Kind::List(tables) => json!({ "type": "array", "items": one_of(tables) }),
        Kind::Either(a, b) => json!({ "anyOf": [kind(a), kind(b)] }),
    }
}

fn one_of(tables: &[&Table]) -> Value {
    match tables {
        [only] => table(only),
        several => json!({ "oneOf": several.iter().map(|t| table(t)).collect::<Vec<_>>() }),
    }
}

fn list(items: Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": items, "minItems": least, "maxItems": most })
}

fn number(range: Range) -> Value {
    let mut out = json!({ "type": "number" });
    let bounds: &[(&str, f64)] = match range {
        Range::Any => &[],
        Range::Positive => &[("exclusiveMinimum", 0.0)],
        Range::NotNegative => &[("minimum", 0.0)],
        Range::Share => &[("minimum", 0.0), ("exclusiveMaximum", 1.0)],
        Range::Part => &[("exclusiveMinimum", 0.0), ("maximum", 1.0)],
    };
    for (name, bound) in bounds {
        out[name] = json!(bound);
    }
    out
}

fn value(node: &Node) -> Value {
    match &node.data {
        Data::Text(text) => json!(text),
        Data::Number(x) => json!(x),
        Data::Whole(n) => json!(n),
        Data::Flag(b) => json!(b),
        Data::Date => Value::Null,
        Data::List(items) => items.iter().map(value).collect(),
        Data::Table(entries) => entries.iter().map(|e| (e.key.clone(), value(&e.value))).collect::<Map<_, _>>().into(),
    }
}
