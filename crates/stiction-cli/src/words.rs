//! The words of the command line for choices, and numbers.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use stiction_scene::Choice;
use stiction_session::{Carry, HandWord, SimWord};

/// Reads a number above zero.
pub fn parse_positive(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number above zero".into()),
    }
}

/// Reads one of some words, each given with its meaning and its value.
fn one_of<T: Clone + Send + Sync + 'static>(
    words: impl Iterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let words: Vec<_> = words.collect();
    let help = words.iter().map(|(word, meaning, _)| PossibleValue::new(*word).help(meaning.trim_end_matches('.')));
    PossibleValuesParser::new(help).map(move |given| {
        let found = words.iter().find(|(word, ..)| *word == given);
        found.map(|(.., value)| value.clone()).expect("the parser lets only these words pass")
    })
}

/// Reads a word of a scene's key.
pub fn choice<T: Copy + Send + Sync + 'static>(words: &[(Choice, T)]) -> impl TypedValueParser<Value = T> {
    one_of(words.iter().map(|(choice, value)| (choice.word, choice.doc, *value)))
}

/// Reads a simulated device's name.
pub fn device() -> impl TypedValueParser<Value = SimWord> {
    one_of(SimWord::ALL.into_iter().filter(|word| *word != SimWord::Page).map(|w| (w.name(), w.meaning(), w)))
}

/// Reads how a simulated hand holds the handle.
pub fn hand() -> impl TypedValueParser<Value = HandWord> {
    one_of(HandWord::ALL.into_iter().map(|w| (w.name(), w.meaning(), w)))
}

/// Reads what a recording carries.
pub fn carry() -> impl TypedValueParser<Value = Carry> {
    one_of(Carry::ALL.into_iter().map(|w| (w.name(), w.meaning(), w)))
}
