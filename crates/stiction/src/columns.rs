//! Columns of a tick record: what a tick leaves for hashes, recordings, tables, displays and replays.
//!
//! Every engine declares its columns once, in a table. A tick is then a row of 64-bit words, one for each column, and everything that stores, compares or shows ticks
//! reads the table: the hash of a run, MCAP, CSV and Parquet files, the viewer's frames and its TypeScript. The first columns of every table are those of
//! [`HandTick`](crate::simulation::HandTick), which every engine has.

use std::borrow::Cow;

/// Most columns of a row. Rows travel through rings and buffers of a fixed size.
pub const MOST_COLUMNS: usize = 128;

/// The words for the numbers or bits of a column: known when the program is built, or read from a file.
#[derive(Clone)]
pub enum Words {
    /// Of a table in the program.
    Known(&'static [&'static str]),
    /// Of a table in a file.
    Read(Vec<String>),
}

impl Words {
    /// The word of a number.
    pub fn get(&self, number: usize) -> Option<&str> {
        match self {
            Words::Known(words) => words.get(number).copied(),
            Words::Read(words) => words.get(number).map(String::as_str),
        }
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).map_while(|number| self.get(number))
    }
}

impl std::fmt::Debug for Words {
    /// The words, wherever they come from: equal ones look equal.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Words {}

/// How the 64 bits of a word are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// The bits of an `f64`.
    Real,
    /// A whole number.
    Count,
    /// The number of one of these words.
    Choice(Words),
    /// One bit for each of these words, from the lowest on.
    Flags(Words),
}

/// One column of a tick record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, which ends with its unit: `hand_x_m`, `wrench_fx_n`, `contacts`.
    pub name: Cow<'static, str>,
    /// How its words are to be read.
    pub kind: ColumnKind,
}

impl Column {
    /// A column with a name that is known when the program is built.
    pub const fn new(name: &'static str, kind: ColumnKind) -> Column {
        Column { name: Cow::Borrowed(name), kind }
    }

    /// A value as it is read by people and data frames.
    pub fn value(&self, word: u64) -> ColumnValue<'_> {
        match &self.kind {
            ColumnKind::Real => ColumnValue::Real(f64::from_bits(word)),
            ColumnKind::Count => ColumnValue::Count(word),
            ColumnKind::Choice(words) => {
                let number = usize::try_from(word).ok();
                ColumnValue::Word(number.and_then(|number| words.get(number)).unwrap_or("unknown"))
            }
            ColumnKind::Flags(words) => ColumnValue::Flags(word, words),
        }
    }
}

/// The place of the column of that name in a table.
pub fn position(columns: &[Column], name: &str) -> Option<usize> {
    columns.iter().position(|column| column.name == name)
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnValue<'a> {
    /// A real number.
    Real(f64),
    /// A whole number.
    Count(u64),
    /// A word.
    Word(&'a str),
    /// Bits, and a word for each.
    Flags(u64, &'a Words),
}

impl std::fmt::Display for ColumnValue<'_> {
    /// Numbers as the shortest text that reads back as the same bits; flags as words with spaces between them.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ColumnValue::Real(x) => write!(f, "{x:?}"),
            ColumnValue::Count(n) => write!(f, "{n}"),
            ColumnValue::Word(word) => f.write_str(word),
            ColumnValue::Flags(bits, words) => {
                let mut set =
                    words.iter().take(64).enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, word)| word);
                set.next().map_or(Ok(()), |first| f.write_str(first))?;
                set.try_for_each(|word| write!(f, " {word}"))
            }
        }
    }
}

/// A row: a word for each column of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Row {
    words: [u64; MOST_COLUMNS],
    count: usize,
}

impl Default for Row {
    fn default() -> Self {
        Row { words: [0; MOST_COLUMNS], count: 0 }
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}

impl Row {
    /// The row of these words; `None` if they are more than [`MOST_COLUMNS`].
    pub fn of(words: &[u64]) -> Option<Row> {
        let mut row = Row::default();
        row.words.get_mut(..words.len())?.copy_from_slice(words);
        row.count = words.len();
        Some(row)
    }

    /// Empties the row.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a word. Words beyond [`MOST_COLUMNS`] are left out: tables are checked when engines are built.
    #[inline]
    pub fn put(&mut self, word: u64) {
        if let Some(place) = self.words.get_mut(self.count) {
            *place = word;
            self.count += 1;
        }
    }

    /// Adds a real number.
    #[inline]
    pub fn put_real(&mut self, value: f64) {
        self.put(value.to_bits());
    }

    /// The words, one for each column.
    pub fn words(&self) -> &[u64] {
        &self.words[..self.count]
    }
}

/// Makes the columns of a table from their kinds and names: `columns!(ColumnKind::Real => "x_m", "y_m"; ColumnKind::Count => "contacts")`.
#[macro_export]
macro_rules! columns {
    ($($kind:expr => $($name:literal),+);+ $(;)?) => {
        [$($($crate::columns::Column::new($name, $kind)),+),+]
    };
}
pub use columns;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_people_write_them() {
        let known = || Words::Known(&["first", "second", "third"]);
        let of = |kind, word| Column::new("x", kind).value(word).to_string();
        assert_eq!(of(ColumnKind::Real, 0.1f64.to_bits()), "0.1");
        assert_eq!(of(ColumnKind::Count, 7), "7");
        assert_eq!(of(ColumnKind::Choice(known()), 1), "second");
        assert_eq!(of(ColumnKind::Choice(known()), 9), "unknown");
        assert_eq!(of(ColumnKind::Flags(known()), 0), "");
        assert_eq!(of(ColumnKind::Flags(known()), 0b101), "first third");
        let read = Words::Read(["first", "second", "third"].map(String::from).to_vec());
        assert_eq!(Column::new("x", ColumnKind::Choice(read.clone())).value(2).to_string(), "third");
        assert_eq!(ColumnKind::Flags(read), ColumnKind::Flags(known()), "where words come from makes no difference");
    }

    #[test]
    fn a_row_takes_no_more_than_it_can_hold() {
        let mut row = Row::default();
        (0..MOST_COLUMNS as u64 + 5).for_each(|i| row.put(i));
        assert_eq!(row.words().len(), MOST_COLUMNS);
        assert!(Row::of(&vec![0; MOST_COLUMNS + 1]).is_none());
        assert_eq!(Row::of(&[1, 2]).map(|r| r.words().to_vec()), Some(vec![1, 2]));
    }
}
