//! Keys that can be set while the engine runs: what the viewer's page builds its controls from, what it may send, and the values in force.

use super::choices::{METHODS, needs_pyramid};
use super::engine::SIDES;
use super::formation::MOMENTS;
use super::kind::{Key, Kind, Only, word_of};
use super::tables::ROOT;
use super::volume::CONTACT_METHODS;
use crate::document::Data;
use crate::error::{Nearest, hint};
use crate::{EngineKind, FormationOptions, VolumeOptions};
use serde::Serialize;
use stiction::tick::Settings;

/// How a key is set while the engine runs.
#[derive(Clone, Copy, Debug)]
pub struct Live {
    /// What the page calls it.
    pub label: &'static str,
    /// Ends of the slider of a number.
    pub slider: [f64; 2],
    /// Step of the slider; 0 for a logarithmic one.
    pub step: f64,
    /// Least and largest number that a page may set.
    pub limits: [f64; 2],
    /// The key that its default depends on.
    pub follows: Option<&'static str>,
    /// Whether it is the key that two lanes are compared by unless another is chosen.
    pub compared: bool,
    /// Whether engine or shapes are built anew for it: only a second lane takes it.
    pub built: bool,
}

impl Live {
    /// A number with a slider and a box.
    pub const fn number(label: &'static str, slider: [f64; 2], step: f64, limits: [f64; 2]) -> Live {
        Live { label, slider, step, limits, follows: None, compared: false, built: false }
    }

    /// A word, a switch or a cone.
    pub const fn choice(label: &'static str) -> Live {
        Live::number(label, [0.0; 2], 0.0, [0.0; 2])
    }

    /// One whose default depends on another key.
    pub const fn follows(mut self, key: &'static str) -> Live {
        self.follows = Some(key);
        self
    }

    /// The one that two lanes are compared by unless another is chosen.
    pub const fn compared(mut self) -> Live {
        self.compared = true;
        self
    }

    /// One for which engine or shapes are built anew: only a second lane takes it.
    pub const fn built(mut self) -> Live {
        self.built = true;
        self
    }
}

/// A control for a key, as the viewer's page gets it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// The dotted key: "friction.static".
    pub key: String,
    /// "number", "word", "flag" or "cone".
    pub kind: &'static str,
    /// What the page calls it.
    pub label: String,
    /// What it means.
    pub doc: String,
    /// The unit of its number; empty for none.
    pub unit: &'static str,
    /// Words that it takes.
    pub words: Vec<ControlWord>,
    /// Ends of the slider.
    pub slider: [f64; 2],
    /// Step of the slider; 0 for a logarithmic one.
    pub step: f64,
    /// Least and largest number, or number of a cone's sides.
    pub limits: [f64; 2],
    /// The key that its default depends on.
    pub follows: Option<&'static str>,
    /// The key whose number it must not be above.
    pub at_most: Option<String>,
    /// The friction method that it belongs to.
    pub method: Option<&'static str>,
    /// The engine that it belongs to.
    pub engine: Option<&'static str>,
    /// Whether it is the key that two lanes are compared by unless another is chosen.
    pub compared: bool,
    /// Whether engine or shapes are built anew for it: only a second lane takes it.
    pub built: bool,
    /// Whether its number is a whole one.
    pub whole: bool,
}

/// A word that a control offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ControlWord {
    /// As the key takes it.
    pub word: &'static str,
    /// What the page calls it.
    pub label: &'static str,
    /// What it means, in a line; empty where the label says it.
    pub doc: &'static str,
    /// Whether this friction method works with pyramids only.
    pub pyramid: bool,
}

/// Every key of the file's tables, with its dotted name.
fn rows() -> impl Iterator<Item = (String, &'static Key)> {
    ROOT.keys()
        .filter_map(|outer| Some((outer, outer.kind.table()?)))
        .flat_map(|(outer, table)| table.keys().map(move |key| (format!("{}.{}", outer.name, key.name), key)))
}

/// The engine that a dotted key belongs to, by itself or by its table.
fn engine_of(path: &str, key: &Key) -> Option<&'static str> {
    let table = ROOT.keys().find(|outer| path.split('.').next() == Some(outer.name));
    key.engine.or(table.and_then(|outer| outer.engine)).map(EngineKind::word)
}

/// The controls of all keys that can be set while the engine runs.
pub fn controls() -> Vec<Control> {
    rows().filter_map(|(path, key)| key.live.map(|live| control(path, key, live))).collect()
}

fn control(path: String, key: &'static Key, live: Live) -> Control {
    let pyramid = |word: &str| METHODS.iter().any(|(choice, method)| choice.word == word && needs_pyramid(*method));
    let (kind, choices) = match key.kind {
        Kind::Word(choices) => ("word", choices),
        Kind::Flag => ("flag", &[][..]),
        Kind::Either(Kind::Word(choices), _) => ("cone", *choices),
        _ => ("number", &[][..]),
    };
    let words = choices.iter().map(|c| ControlWord {
        word: c.word,
        label: c.label,
        doc: c.doc,
        pyramid: live.compared && pyramid(c.word),
    });
    let (table, _) = path.split_once('.').unwrap_or_default();
    Control {
        kind,
        doc: format!("{}{}", key.only.prefix(), key.doc),
        unit: key.unit,
        words: words.collect(),
        slider: live.slider,
        step: live.step,
        limits: if kind == "cone" { SIDES.map(|n| n as f64) } else { live.limits },
        follows: live.follows,
        at_most: key.at_most.map(|other| format!("{table}.{other}")),
        method: if let Only::Method(word) = key.only { Some(word) } else { None },
        engine: engine_of(&path, key),
        compared: live.compared,
        built: live.built,
        whole: matches!(key.kind, Kind::Whole(..)),
        label: own_label(&path, live.label),
        key: path,
    }
}

/// The label of a control; keys that both parts have say which part is meant.
fn own_label(path: &str, label: &str) -> String {
    match path.split_once('.') {
        Some((part @ ("held" | "fixed"), _)) => format!("{label} of the {part} part"),
        _ => label.to_owned(),
    }
}

/// The values in force of all keys that reach the engine's settings, by dotted key. A key that the engine finds by itself has none.
pub fn values_in_force(settings: &Settings) -> Vec<(String, String)> {
    rows().filter_map(|(path, key)| Some((path, (key.binding?.get)(settings)?.to_string()))).collect()
}

/// The values in force of keys that belong to the engine of contact formations, by dotted key. A key that the engine finds by itself has none.
pub fn formation_values_in_force(options: &FormationOptions) -> Vec<(String, String)> {
    let number = |x: f64| Some(Data::Number(x).to_string());
    let values = [
        ("epsilon", options.epsilon.and_then(number)),
        ("tangential", options.tangential.and_then(number)),
        ("moments", word_of(&MOMENTS, &options.moments).map(|word| Data::word(word).to_string())),
        ("interpolation", number(options.interpolation)),
    ];
    values.into_iter().filter_map(|(key, value)| Some((format!("formation.{key}"), value?))).collect()
}

/// The values in force of keys that belong to the engine of contact volumes, by dotted key. A key that the engine finds by itself has none.
pub fn volume_values_in_force(options: &VolumeOptions) -> Vec<(String, String)> {
    let number = |x: f64| Some(Data::Number(x).to_string());
    let values = [
        ("contact.method", word_of(&CONTACT_METHODS, &options.method).map(|word| Data::word(word).to_string())),
        ("contact.normal_stiffness", options.normal_stiffness.and_then(number)),
        ("contact.normal_damping", options.normal_damping.and_then(number)),
        ("contact.tangential_stiffness", options.tangential_stiffness.and_then(number)),
        ("contact.tangential_damping", options.tangential_damping.and_then(number)),
        ("coupling.grip_damping", number(options.grip_damping)),
    ];
    values.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// The value in force of a dotted key, if it reaches the engine's settings and the engine does not find it by itself.
pub fn value_in_force(settings: &Settings, path: &str) -> Option<String> {
    rows().find(|(own, _)| own == path).and_then(|(_, key)| Some((key.binding?.get)(settings)?.to_string()))
}

/// The words that a dotted key takes, with what each means.
pub fn words_of(path: &str) -> Vec<(&'static str, &'static str)> {
    match rows().find(|(own, _)| own == path).map(|(_, key)| key.kind) {
        Some(Kind::Word(choices)) => choices.iter().map(|c| (c.word, c.doc)).collect(),
        _ => Vec::new(),
    }
}

/// Whether a page may set a key to a value. Whether the scene takes it together with the others is found when it is read.
///
/// # Errors
/// A sentence for the user.
pub fn check_control(controls: &[Control], key: &str, value: &str) -> Result<(), String> {
    let Some(control) = controls.iter().find(|c| c.key == key) else {
        let nearest = Nearest::of(key, controls.iter().map(|c| c.key.as_str()));
        return Err(format!("`{key}` cannot be set from a page{}", hint(&nearest)));
    };
    let [least, most] = control.limits;
    match (control.kind, value.parse::<f64>()) {
        ("number", Ok(x)) if control.whole && x.fract() != 0.0 => {
            Err(format!("`{key}` is {x}, but must be a whole number"))
        }
        ("number", Ok(x)) if (least..=most).contains(&x) => Ok(()),
        ("number", _) => Err(format!("`{key}` is {value}, but must be a number from {least} to {most}")),
        ("word", _) if !control.words.iter().any(|w| w.word == value.trim_matches('"')) => {
            let words: Vec<&str> = control.words.iter().map(|w| w.word).collect();
            Err(format!("`{key}` is {value}, but must be one of {}", words.join(", ")))
        }
        _ => Ok(()),
    }
}
