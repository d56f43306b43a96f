//! What is known before the first tick.

use crate::RecordError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the format. A reader reads this one and older ones.
///
/// | version | what changed |
/// |---|---|
/// | 1 | the first |
/// | 2 | the verdict of a tick may be 4, "rolls"; a part that rolled was said to hold before |
pub const FORMAT: u32 = 2;
/// Parts at most.
pub const MAX_PARTS: u8 = 8;

/// What is known before the first tick: enough to run the engine again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format: [`FORMAT`].
    pub format: u32,
    /// Version of Stiction.
    pub stiction: String,
    /// How it was built: commit, compiler, target.
    pub build: String,
    /// Name of the scene.
    pub scene: String,
    /// Where its file was.
    pub scene_path: String,
    /// The whole text of its file.
    pub scene_text: String,
    /// What was set over it, as `key=value`.
    pub overrides: Vec<String>,
    /// Parameters by name, for people and for comparison.
    pub parameters: BTreeMap<String, String>,
    /// Hashes of the shapes: held and fixed, for each part.
    #[serde(with = "hex")]
    pub shapes: Vec<[u64; 2]>,
    /// Ticks a second (Hz).
    pub rate_hz: f64,
    /// Name of the device.
    pub device: String,
    /// The friction method.
    pub method: String,
    /// How many parts there are, each with its device: 1 to [`MAX_PARTS`].
    pub parts: u8,
    /// When it began (ns since 1970), for viewers.
    pub started_unix_ns: u64,
}

impl Default for Header {
    fn default() -> Self {
        Header {
            format: FORMAT,
            stiction: env!("CARGO_PKG_VERSION").into(),
            build: String::new(),
            scene: String::new(),
            scene_path: String::new(),
            scene_text: String::new(),
            overrides: Vec::new(),
            parameters: BTreeMap::new(),
            shapes: vec![[0; 2]],
            rate_hz: 1000.0,
            device: String::new(),
            method: String::new(),
            parts: 1,
            started_unix_ns: 0,
        }
    }
}

impl Header {
    /// The first thing in which a run that shall reproduce this recording differs from it; none where nothing speaks against a replay.
    /// Versions come last: another version may well give the same bits. Device, path, build and start do not matter.
    pub fn difference(&self, now: &Header) -> Option<RecordError> {
        let rates = [self, now].map(|h| format!("{:?} Hz", h.rate_hz));
        let parts = [self, now].map(|h| h.parts.to_string());
        let shapes = [self, now].map(|h| format!("{:016x?}", h.shapes));
        let of = |name: fn(&Header) -> &String| [self, now].map(|h| name(h).clone());
        let texts = of(|h| &h.scene_text);
        let overrides = [self, now].map(|h| h.overrides.join(" "));
        let parameters = [self, now].map(|h| format!("{:?}", h.parameters));
        let scene = "replay with the scene in the recording";
        let pairs = [
            ("scene", of(|h| &h.scene), scene),
            ("text of the scene", texts, scene),
            ("set of overrides", overrides, "give the same ones"),
            ("friction method", of(|h| &h.method), "give the same one"),
            ("set of parameters", parameters, "give the same ones"),
            ("rate", rates, "give the same one"),
            ("number of parts", parts, scene),
            ("shape", shapes, "bring back the mesh files that it was recorded with, and bake them by the same version"),
            ("version of Stiction", of(|h| &h.stiction), "replay with that version"),
        ];
        let (what, [recorded, now], remedy) = pairs.into_iter().find(|(_, [a, b], _)| a != b)?;
        Some(RecordError::Differs { what, recorded: brief(&recorded), now: brief(&now), remedy })
    }

    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let wrong = |what: &str| Err(RecordError::Header(what.into()));
        if !(self.rate_hz.is_finite() && self.rate_hz > 0.0) {
            return wrong("the rate is not above 0 Hz");
        }
        if !(1..=MAX_PARTS).contains(&self.parts) {
            return wrong("there must be 1 to 8 parts");
        }
        if self.shapes.len() != usize::from(self.parts) {
            return wrong("there must be two shapes for each part");
        }
        Ok(())
    }

    pub(crate) fn json(&self) -> Result<Vec<u8>, RecordError> {
        self.check()?;
        serde_json::to_vec_pretty(self).map_err(|e| RecordError::Header(e.to_string()))
    }

    /// The version is looked at first: the rest of a newer header may be anything.
    pub(crate) fn parse(json: &[u8]) -> Result<Header, RecordError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
            stiction: String,
        }
        let wrong = |e: serde_json::Error| RecordError::Header(e.to_string());
        let version: Version = serde_json::from_slice(json).map_err(wrong)?;
        if version.format > FORMAT {
            return Err(RecordError::Newer { found: version.format, stiction: version.stiction });
        }
        let header: Header = serde_json::from_slice(json).map_err(wrong)?;
        header.check()?;
        Ok(header)
    }
}

/// The first line, and no more than fits into a message.
fn brief(text: &str) -> String {
    let line: String = text.lines().next().unwrap_or("").chars().take(80).collect();
    if line.len() < text.trim_end().len() { line + " …" } else { line }
}

/// Hashes as 16 hex digits: JSON numbers have 53 bits in many readers.
mod hex {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(shapes: &[[u64; 2]], to: S) -> Result<S::Ok, S::Error> {
        let digits: Vec<[String; 2]> = shapes.iter().map(|s| s.map(|h| format!("{h:016x}"))).collect();
        digits.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[u64; 2]>, D::Error> {
        let hash = |h: &String| u64::from_str_radix(h, 16).map_err(D::Error::custom);
        let digits: Vec<[String; 2]> = Deserialize::deserialize(from)?;
        digits.iter().map(|[a, b]| Ok([hash(a)?, hash(b)?])).collect()
    }
}
