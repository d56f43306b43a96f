//! The table of keys as a JSON schema, for editors that complete and check.

use super::kind::{Key, Kind, Range, Surface, Table};
use super::parts::{MESH, UNION};
use super::solids::{SOLIDS, SolidRow};
use super::tables::ROOT;
use crate::document::{Data, Node, parse_value};
use serde_json::{Map, Value, json};

/// The JSON schema of scene.toml, as `scenes/scene.schema.json` has it.
pub fn schema() -> String {
    let mut shared = Shared::default();
    let mut root = shared.table(&ROOT);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("A scene of Stiction");
    root["oneOf"] = json!([{ "required": ["held", "fixed"] }, { "required": ["body"] }]);
    root["$defs"] = Value::Object(shared.tables);
    // Numbers and words only: this cannot fail.
    serde_json::to_string_pretty(&root).unwrap_or_default() + "\n"
}

/// Tables that several keys take, each written once.
#[derive(Default)]
struct Shared {
    tables: Map<String, Value>,
}

impl Shared {
    fn table(&mut self, t: &Table) -> Value {
        if t.surface == Surface::None {
            return self.object(t.doc, t.keys());
        }
        // One alternative for each solid, one for a mesh and one for a union, each with its own keys.
        let mut alternatives = Vec::new();
        for SolidRow { word, doc, keys, .. } in SOLIDS {
            let mut solid = self.object(doc, t.keys().chain(*keys));
            solid["properties"]["solid"] = json!({ "const": word, "description": doc });
            require(&mut solid, "solid");
            alternatives.push(solid);
        }
        if t.surface == Surface::Any {
            for (doc, keys) in [("A mesh from a file", MESH), ("A union of solids", UNION)] {
                alternatives.push(self.object(doc, t.keys().chain(keys).filter(|k| k.name != "solid")));
            }
        }
        json!({ "description": t.doc, "oneOf": alternatives })
    }

    fn object<'a>(&mut self, doc: &str, keys: impl Iterator<Item = &'a Key> + Clone) -> Value {
        let properties: Map<String, Value> = keys.clone().map(|k| (k.name.to_string(), self.property(k))).collect();
        let required: Vec<&str> = keys.filter(|k| k.required).map(|k| k.name).collect();
        let mut out =
            json!({ "type": "object", "description": doc, "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            out["required"] = json!(required);
        }
        out
    }

    fn property(&mut self, key: &Key) -> Value {
        let mut out = self.kind(&key.kind);
        let unit = if key.unit.is_empty() { String::new() } else { format!(" ({})", key.unit) };
        out["description"] = json!(format!("{}{unit}", key.meaning()));
        if let Some(default) = parse_value(key.default) {
            out["default"] = value(&default);
        }
        out
    }

    fn kind(&mut self, kind: &Kind) -> Value {
        match *kind {
            Kind::Text => json!({ "type": "string" }),
            Kind::Word(words) => json!({ "enum": words.iter().map(|c| c.word).collect::<Vec<_>>() }),
            Kind::Number(range) => number(range),
            Kind::Whole(least, i64::MAX) => json!({ "type": "integer", "minimum": least }),
            Kind::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Numbers(count, range) => list(number(range), count, count),
            Kind::Rows => list(number(Range::Any), 12, 16),
            Kind::Direction => list(number(Range::Any), 3, 3),
            Kind::Tuples(count, range, none) => {
                json!({ "type": "array", "items": list(number(range), count, count), "minItems": usize::from(!none) })
            }
            Kind::Texts(count) => list(json!({ "type": "string" }), count, count),
            Kind::Table(t) => self.table(t),
            Kind::OneOf(tables) => self.one_of(tables),
            Kind::List(tables) => json!({ "type": "array", "items": self.one_of(tables) }),
            Kind::Either(a, b) => json!({ "anyOf": [self.kind(a), self.kind(b)] }),
        }
    }

    fn one_of(&mut self, tables: &[&Table]) -> Value {
        let mut references: Vec<Value> = tables.iter().map(|t| self.reference(t)).collect();
        if references.len() == 1 { references.remove(0) } else { json!({ "oneOf": references }) }
    }

    fn reference(&mut self, t: &Table) -> Value {
        let name = t.name.replace(['[', ']', '`'], "").replace(' ', "-");
        if !self.tables.contains_key(&name) {
            let written = self.table(t);
            self.tables.insert(name.clone(), written);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }
}

fn require(object: &mut Value, key: &str) {
    match object["required"].as_array_mut() {
        Some(list) => list.push(json!(key)),
        None => object["required"] = json!([key]),
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
