//! What a table of keys is made of.

/// A key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    pub kind: Kind,
    /// The unit of its number; empty for none.
    pub unit: &'static str,
    /// As it would stand in the file; empty where there is none.
    pub default: &'static str,
    pub doc: &'static str,
    pub required: bool,
}

impl Key {
    /// A key without default.
    pub const fn new(name: &'static str, kind: Kind, unit: &'static str, doc: &'static str) -> Key {
        Key { name, kind, unit, default: "", doc, required: false }
    }

    /// With a default.
    pub const fn or(mut self, default: &'static str) -> Key {
        self.default = default;
        self
    }

    /// One that must be there.
    pub const fn required(mut self) -> Key {
        self.required = true;
        self
    }
}

/// A table of keys.
#[derive(Debug)]
pub struct Table {
    /// As messages call it: "[run]".
    pub name: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Key],
    /// A part: the keys of its solid or mesh come on top, by `solid`.
    pub part: bool,
}

impl Table {
    /// A key of it; not those that come with a solid.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|k| k.name == name)
    }
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A finite number in a range.
    Number(Range),
    /// A whole number from, to.
    Whole(i64, i64),
    /// True or false.
    Flag,
    /// So many finite numbers in a range.
    Numbers(usize, Range),
    /// 12 or 16 numbers: rows of a matrix.
    Rows,
    /// A direction: three numbers, not all zero.
    Direction,
    /// Pairs of numbers.
    Pairs(Range),
    /// So many words.
    Texts(usize),
    /// A table.
    Table(&'static Table),
    /// One of several tables, told apart by their first key.
    OneOf(&'static [&'static Table]),
    /// A list of tables, each one of several.
    List(&'static [&'static Table]),
    /// The one or the other.
    Either(&'static Kind, &'static Kind),
}

/// Which numbers are possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// All.
    Any,
    /// Above zero.
    Positive,
    /// At least zero.
    NotNegative,
    /// From zero to below one.
    Share,
    /// Above zero, at most one.
    Part,
}

impl Range {
    /// Whether a number is in it.
    pub fn has(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Range::Any => true,
                Range::Positive => x > 0.0,
                Range::NotNegative => x >= 0.0,
                Range::Share => (0.0..1.0).contains(&x),
                Range::Part => x > 0.0 && x <= 1.0,
            }
    }

    /// What it is, after "must be".
    pub fn words(self) -> &'static str {
        match self {
            Range::Any => "finite",
            Range::Positive => "above zero and finite",
            Range::NotNegative => "at least zero and finite",
            Range::Share => "at least 0 and below 1",
            Range::Part => "above 0 and at most 1",
        }
    }
}
