//! The engines that a scene can choose from.

use crate::keys::{Choice, WordList, choice, choices, word_of};

/// An engine, as `engine = "…"` in scene.toml chooses it. This is the one place that knows all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// A held part in equilibrium at every tick, against a fixed part or one in another hand.
    #[default]
    QuasiStatic,
    /// Two polyhedra of which is known which face, edge or vertex touches which.
    Formation,
    /// Many rigid bodies that move by Newton's laws and touch over areas.
    Volume,
}

/// The engines by their words.
pub const ENGINES: WordList<EngineKind, 3> = [
    (
        choice("quasi-static", "a held part in equilibrium at every tick, against a fixed one or one in another hand"),
        EngineKind::QuasiStatic,
    ),
    (
        choice(
            "formation",
            "contact formations: two polyhedra of which is known which face, edge or vertex touches which",
        ),
        EngineKind::Formation,
    ),
    (
        choice("volume", "contact volumes: many bodies that move, stack and are thrown, with friction over the whole contact area"),
        EngineKind::Volume,
    ),
];
/// The words alone.
pub const ENGINE_WORDS: &[Choice] = &choices(&ENGINES);

impl EngineKind {
    /// The word in scene.toml.
    pub fn word(self) -> &'static str {
        word_of(&ENGINES, &self).unwrap_or_default()
    }

    /// The other engines by their words.
    pub fn others(self) -> impl Iterator<Item = &'static str> {
        ENGINES.iter().filter(move |(_, engine)| *engine != self).map(|(choice, _)| choice.word)
    }
}
