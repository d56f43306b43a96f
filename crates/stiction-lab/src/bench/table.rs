//! Rows of a measurement: lines of JSON, or a table of some of their fields.

use serde::Serialize;
use serde_json::Value;
use std::io;
use stiction_cli::output::{self, line};

/// Prints rows as they come: all of each as a line of JSON, or some fields of it under a heading.
pub struct RowPrinter {
    json: bool,
    columns: &'static str,
    begun: bool,
}

impl RowPrinter {
    /// `columns` are names of fields with spaces between them; `a.b` is the field `b` of the field `a`.
    pub fn new(json: bool, columns: &'static str) -> Self {
        RowPrinter { json, columns, begun: false }
    }

    /// Prints a row; the first one prints the heading too.
    pub fn put(&mut self, row: &impl Serialize) -> io::Result<()> {
        if self.json {
            return output::json(row);
        }
        let row = serde_json::to_value(row)?;
        let cells: Vec<(&str, &Value)> =
            self.columns.split(' ').map(|name| (name, name.split('.').fold(&row, |value, key| &value[key]))).collect();
        if !std::mem::replace(&mut self.begun, true) {
            self.print(&cells, |name, _| name.into())?;
        }
        self.print(&cells, |_, value| text(value))
    }

    fn print(&self, cells: &[(&str, &Value)], of: impl Fn(&str, &Value) -> String) -> io::Result<()> {
        let texts = cells.iter().map(|(name, value)| match value {
            Value::String(_) => format!("{:<22}", of(name, value)),
            _ => format!("{:>1$}", of(name, value), name.len().max(8)),
        });
        line(texts.collect::<Vec<_>>().join("  ").trim_end())
    }
}

/// A value as people read it: numbers with four digits that count.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(words) => words.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join("x"),
        Value::Number(n) if n.is_f64() => {
            let x = format!("{:.3e}", n.as_f64().unwrap_or(f64::NAN)).parse::<f64>().unwrap_or(f64::NAN);
            if x != 0.0 && x.abs() < 1e-3 { format!("{x:e}") } else { x.to_string() }
        }
        other => other.to_string(),
    }
}
