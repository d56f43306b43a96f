//! What a declaration of a key consists of. There is one for every key of scene.toml, in [`parts`](super::parts), [`engine`](super::engine) and
//! [`tables`](super::tables): reader, checks, schema, reference, command line and the viewer's controls all follow from it.

use super::idle::IdleRule;
use super::live::Live;
use crate::EngineKind;
use crate::document::{Data, Node};
use stiction::tick::Settings;

/// The declaration of a key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    pub kind: Kind,
    /// The unit of its number; empty for none.
    pub unit: &'static str,
    /// As it would stand in the file; empty where there is none.
    pub default: &'static str,
    /// Its meaning, as part of a sentence.
    pub doc: &'static str,
    pub required: bool,
    /// The contact model or friction method that it belongs to.
    pub only: Only,
    /// The engine that it belongs to; `None` for all of them.
    pub engine: Option<EngineKind>,
    /// Says why it has no effect in a scene, if it has none there.
    pub idle: Option<IdleRule>,
    /// Whether it describes a part: a scene's file may tell it though nothing depends on it, an override may not.
    pub describes: bool,
    /// A number of the same table that this one must not be above.
    pub at_most: Option<&'static str>,
    /// How it reaches the engine's settings.
    pub binding: Option<Binding>,
    /// How a user sets it while the engine runs.
    pub live: Option<Live>,
}

/// What a key belongs to: with anything else it has no effect, and to give it is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// It counts with every contact model and friction method.
    Always,
    /// It counts with hard contacts.
    Hard,
    /// It counts with penalty contacts, ours or those of the friction paper.
    Penalty,
    /// It counts with unilateral contacts.
    Unilateral,
    /// It counts with hard and with unilateral contacts.
    NotPenalty,
    /// It counts with the friction method of this word.
    Method(&'static str),
}

impl Only {
    /// The word before its meaning: "hard: " or "qp: ".
    pub fn prefix(self) -> String {
        match self {
            Only::Always => String::new(),
            Only::Hard => "hard: ".into(),
            Only::Penalty => "penalty: ".into(),
            Only::Unilateral => "unilateral: ".into(),
            Only::NotPenalty => "hard, unilateral: ".into(),
            Only::Method(word) => format!("{word}: "),
        }
    }
}

/// The way of a key's value into the engine's settings, and back to the value in force.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Whether it decides the contact model. Such keys are set first, since others depend on the model.
    pub decides: bool,
    /// Puts a checked value into the settings.
    pub set: fn(&mut Settings, &Node),
    /// The value in force; `None` where there is none or the engine finds it by itself.
    pub get: fn(&Settings) -> Option<Data>,
}

impl Key {
    /// A key that has an effect in every scene, without default. There is no constructor that leaves this question open: see also [`only`](Self::only) and
    /// [`unless`](Self::unless).
    pub const fn always(name: &'static str, kind: Kind, unit: &'static str, doc: &'static str) -> Key {
        Self::only(Only::Always, name, kind, unit, doc)
    }

    /// A key that has an effect with one contact model or friction method only.
    pub const fn only(only: Only, name: &'static str, kind: Kind, unit: &'static str, doc: &'static str) -> Key {
        let (engine, idle, at_most, binding, live) = (None, None, None, None, None);
        let (required, describes) = (false, false);
        Key { name, kind, unit, default: "", doc, required, only, engine, idle, describes, at_most, binding, live }
    }

    /// A key that has an effect unless a rule says why not.
    pub const fn unless(rule: IdleRule, name: &'static str, kind: Kind, unit: &'static str, doc: &'static str) -> Key {
        Self::always(name, kind, unit, doc).idle(rule)
    }

    /// One that has an effect with one engine only.
    pub const fn of(mut self, engine: EngineKind) -> Key {
        self.engine = Some(engine);
        self
    }

    /// With a rule that says why it has no effect.
    pub const fn idle(mut self, rule: IdleRule) -> Key {
        self.idle = Some(rule);
        self
    }

    /// One that describes a part: only an override that has no effect is an error.
    pub const fn describes(mut self) -> Key {
        self.describes = true;
        self
    }

    /// With a default.
    pub const fn or(mut self, default: &'static str) -> Key {
        self.default = default;
        self
    }

    /// One that must be there.
    pub const fn required(mut self) -> Key {
        (self.required, self.default) = (true, "");
        self
    }

    /// A number that must not be above another one of its table.
    pub const fn at_most(mut self, other: &'static str) -> Key {
        self.at_most = Some(other);
        self
    }

    /// One that reaches the engine's settings.
    pub const fn sets(mut self, binding: Binding) -> Key {
        self.binding = Some(binding);
        self
    }

    /// One that can be set while the engine runs.
    pub const fn live(mut self, live: Live) -> Key {
        self.live = Some(live);
        self
    }
}

/// Keys that all belong to one engine.
pub const fn all_of<const N: usize>(engine: EngineKind, mut keys: [Key; N]) -> [Key; N] {
    let mut i = 0;
    while i < N {
        keys[i] = keys[i].of(engine);
        i += 1;
    }
    keys
}

/// A table of keys.
#[derive(Debug)]
pub struct Table {
    /// As messages call it: "[run]".
    pub name: &'static str,
    pub doc: &'static str,
    /// Its keys, in groups that several tables share.
    pub groups: &'static [&'static [Key]],
    /// What keys come on top by `solid`.
    pub surface: Surface,
}

/// How a table describes a surface, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// It does not.
    None,
    /// By `solid` and the keys of that solid.
    Solid,
    /// By `solid`, `mesh` or `solids`, and the keys of each.
    Any,
}

impl Table {
    /// Its keys, but for those that come with a solid or a mesh.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + Clone + use<> {
        self.groups.iter().copied().flatten()
    }
}

/// A word that a key takes.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The word, as a scene has it.
    pub word: &'static str,
    /// What the viewer calls it.
    pub label: &'static str,
    /// What it means, in a line; empty where the word says it.
    pub doc: &'static str,
}

/// Words and what they stand for in the engine.
pub type WordList<T, const N: usize> = [(Choice, T); N];

/// A word with its meaning.
pub const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, label: word, doc }
}

/// A word that says by itself what it means.
pub const fn plain(word: &'static str) -> Choice {
    Choice { word, label: word, doc: "" }
}

/// The words of a list, for [`Kind::Word`].
pub const fn choices<T: Copy, const N: usize>(words: &WordList<T, N>) -> [Choice; N] {
    let mut out = [plain(""); N];
    let mut i = 0;
    while i < N {
        out[i] = words[i].0;
        i += 1;
    }
    out
}

/// The value that a checked word stands for.
pub fn meaning<T: Copy>(words: &[(Choice, T)], node: &Node) -> Option<T> {
    words.iter().find(|(choice, _)| Some(choice.word) == node.text()).map(|(_, value)| *value)
}

/// The word for a value; what a variant holds does not count.
pub fn word_of<T>(words: &'static [(Choice, T)], value: &T) -> Option<&'static str> {
    let same = |other: &T| std::mem::discriminant(other) == std::mem::discriminant(value);
    words.iter().find(|(_, other)| same(other)).map(|(choice, _)| choice.word)
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [Choice]),
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
    /// Lists of so many numbers each; whether there may be none.
    Tuples(usize, Range, bool),
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

impl Kind {
    /// The table that a key takes, alone or besides a list of such tables.
    pub fn table(&self) -> Option<&'static Table> {
        match self {
            Kind::Table(table) | Kind::Either(Kind::Table(table), _) => Some(table),
            _ => None,
        }
    }
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
