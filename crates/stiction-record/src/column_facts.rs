//! Columns as JSON, for headers and pages.

use serde::{Deserialize, Serialize};
use stiction::columns::{Column, ColumnKind, Words};

/// A column as JSON: `{"name": "contacts", "kind": "count"}`, `{"name": "verdict", "kind": {"choice": ["free", "holds"]}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnFacts {
    name: String,
    kind: KindFacts,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindFacts {
    Real,
    Count,
    Choice(Vec<String>),
    Flags(Vec<String>),
}

impl From<&Column> for ColumnFacts {
    fn from(column: &Column) -> Self {
        let owned = |words: &Words| words.iter().map(String::from).collect();
        let kind = match &column.kind {
            ColumnKind::Real => KindFacts::Real,
            ColumnKind::Count => KindFacts::Count,
            ColumnKind::Choice(words) => KindFacts::Choice(owned(words)),
            ColumnKind::Flags(words) => KindFacts::Flags(owned(words)),
        };
        ColumnFacts { name: column.name.to_string(), kind }
    }
}

impl From<ColumnFacts> for Column {
    fn from(facts: ColumnFacts) -> Self {
        let kind = match facts.kind {
            KindFacts::Real => ColumnKind::Real,
            KindFacts::Count => ColumnKind::Count,
            KindFacts::Choice(words) => ColumnKind::Choice(Words::Read(words)),
            KindFacts::Flags(words) => ColumnKind::Flags(Words::Read(words)),
        };
        Column { name: facts.name.into(), kind }
    }
}

/// A list of columns as a list of facts, for serde.
pub mod list {
    use super::{Column, ColumnFacts};
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(columns: &[Column], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(columns.iter().map(ColumnFacts::from))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Column>, D::Error> {
        Ok(Vec::<ColumnFacts>::deserialize(from)?.into_iter().map(Column::from).collect())
    }
}
