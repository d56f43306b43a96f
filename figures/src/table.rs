//! Tables of data, written as CSV.

use std::fmt::{Display, Write};

/// Rows under named columns.
#[derive(Clone, Debug)]
pub struct FigureTable {
    /// What it holds, in a file name: empty for the figure's main table.
    pub name: &'static str,
    rows: usize,
    text: String,
}

impl FigureTable {
    /// A table without rows; columns carry their units, such as `force_n`.
    pub fn new(name: &'static str, columns: &[&str]) -> Self {
        FigureTable { name, rows: 0, text: columns.join(",") + "\n" }
    }

    /// One more row.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        for (i, cell) in cells.iter().enumerate() {
            let _ = write!(self.text, "{}{cell}", if i > 0 { "," } else { "" });
        }
        self.text.push('\n');
        self.rows += 1;
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// As CSV with a header.
    pub fn csv(&self) -> &str {
        &self.text
    }

    /// The name of its file.
    pub fn file(&self) -> String {
        if self.name.is_empty() { "data.csv".into() } else { format!("data-{}.csv", self.name) }
    }
}
