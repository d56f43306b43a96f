//! Overrides of a scene's keys, as `--set` gives them.

use crate::SceneError;
use std::str::FromStr;

/// A key of a scene and its value, as in `friction.method=lp`: the key dotted, the value as in TOML, bare words being text.
/// Items of lists go by their number from 0: `hand.keyframes.1.t=2.0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The dotted key.
    pub key: String,
    /// The value as TOML, or a bare word.
    pub value: String,
}

impl FromStr for Setting {
    type Err = SceneError;

    fn from_str(text: &str) -> Result<Self, SceneError> {
        let wrong = || SceneError::Setting { text: text.into() };
        let (key, value) = text.split_once('=').ok_or_else(wrong)?;
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() || key.split('.').any(|part| part.trim().is_empty()) {
            return Err(wrong());
        }
        Ok(Setting { key: key.into(), value: value.into() })
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}
