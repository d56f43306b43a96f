//! What is known before the first tick.

use crate::RecordError;
use crate::opening::HEADER_NAME;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use stiction::columns::{Column, MOST_COLUMNS};
use stiction::trace::Trace;

/// Version of the format, and the only one that is read.
///
/// | version | what changed |
/// |---|---|
/// | 1 | the first |
/// | 2 | the verdict of a tick may be 4, "rolls"; a part that rolled was said to hold before |
/// | 3 | the columns of ticks are in the header, every field of a tick is recorded, and there may be attachments |
///
/// Files of formats 1 and 2 have neither steps nor slips of ticks, and were made by engines that gave other bits: the versions that wrote them replay them.
pub const FORMAT: u32 = 3;
/// Hands at most.
pub const MAX_HANDS: u8 = 8;
/// Size of an attachment at most (bytes).
pub const LONGEST_ATTACHMENT: usize = 256 << 20;

/// A file that is stored with a recording, such as a mesh or a shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name, as of a file: `held.stl`.
    pub name: String,
    /// Its media type: `model/stl`.
    pub media_type: String,
    /// What is in it. An attachment of its own in the file, beside the header.
    #[serde(skip)]
    pub bytes: Arc<[u8]>,
}

/// A file that the scene of a recording names, by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// The name as the scene has it: `meshes/peg.stl`.
    pub name: String,
    /// Size of the file (bytes).
    pub bytes: u64,
    /// 128-bit XXH3 of the file's content, in hexadecimal digits.
    pub hash: String,
}

/// A body of an engine of many bodies, by its convex parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyFacts {
    /// What the scene calls it.
    pub name: String,
    /// 64-bit XXH3 of its convex parts, its mass and whether it is fixed, in hexadecimal digits.
    pub hash: String,
}

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
    /// Path of the scene's file.
    pub scene_path: String,
    /// The whole text of its file.
    pub scene_text: String,
    /// Overrides of the scene, as `key=value`.
    pub overrides: Vec<String>,
    /// Parameters by name, for people and for comparison.
    pub parameters: BTreeMap<String, String>,
    /// Hashes of the shapes: held and fixed, for each hand.
    #[serde(with = "hex")]
    pub shapes: Vec<[u64; 2]>,
    /// All bodies of an engine of many bodies. Those of other engines are in `shapes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodyFacts>,
    /// Ticks a second (Hz).
    pub rate_hz: f64,
    /// Name of the device.
    pub device: String,
    /// The friction method.
    pub method: String,
    /// How many hands there are, each with its device: 1 to [`MAX_HANDS`].
    pub hands: u8,
    /// The columns of a tick's row, as the engine declares them.
    #[serde(with = "crate::column_facts::list")]
    pub columns: Vec<Column>,
    /// The files that the scene names, whether they go along with it or not. Recordings by older programs have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileFacts>,
    /// What goes along with it. The header in the file has their names.
    pub attachments: Vec<Attachment>,
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
            bodies: Vec::new(),
            rate_hz: 1000.0,
            device: String::new(),
            method: String::new(),
            hands: 1,
            columns: Trace::columns().to_vec(),
            files: Vec::new(),
            attachments: Vec::new(),
            started_unix_ns: 0,
        }
    }
}

impl Header {
    /// The first difference between this recording and a run that is meant to reproduce it; `None` if it can be replayed.
    /// Versions come last: another version may well give the same bits. Device, path, build and start do not matter.
    pub fn difference(&self, now: &Header) -> Option<RecordError> {
        let rates = [self, now].map(|h| format!("{:?} Hz", h.rate_hz));
        let hands = [self, now].map(|h| h.hands.to_string());
        let shapes = [self, now].map(|h| format!("{:016x?}", h.shapes));
        let of = |name: fn(&Header) -> &String| [self, now].map(|h| name(h).clone());
        let texts = of(|h| &h.scene_text);
        let overrides = [self, now].map(|h| h.overrides.join(" "));
        let parameters = [self, now].map(|h| format!("{:?}", h.parameters));
        let columns = [self, now].map(|h| h.columns.iter().map(|c| format!("{} {:?} ", c.name, c.kind)).collect());
        let scene = "replay with the scene in the recording";
        let pairs = [
            ("scene", of(|h| &h.scene), scene),
            ("text of the scene", texts, scene),
            ("set of overrides", overrides, "give the same ones"),
            ("friction method", of(|h| &h.method), "give the same one"),
            ("set of parameters", parameters, "give the same ones"),
            ("rate", rates, "give the same one"),
            ("number of hands", hands, scene),
            ("shape", shapes, "bring back the mesh files that it was recorded with, and bake them by the same version"),
            ("body", self.other_body(now), "bring back the mesh files that it was recorded with, and take them apart by the same version"),
            ("set of columns", columns, "replay with the version that wrote it"),
            ("version of Stiction", of(|h| &h.stiction), "replay with that version"),
        ];
        let (what, [recorded, now], remedy) = pairs.into_iter().find(|(_, [a, b], _)| a != b)?;
        Some(RecordError::Differs { what, recorded: brief(&recorded), now: brief(&now), remedy })
    }

    /// The first body that is not the same in both, as it is told of each; equal texts if all are.
    fn other_body(&self, now: &Header) -> [String; 2] {
        let count = self.bodies.len().max(now.bodies.len());
        let told = |header: &Header, i: usize| match header.bodies.get(i) {
            Some(body) => format!("{} {}", body.name, body.hash),
            None => "none".into(),
        };
        let both = (0..count).map(|i| [told(self, i), told(now, i)]);
        both.into_iter().find(|[a, b]| a != b).unwrap_or_default()
    }

    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let wrong = |what: &str| Err(RecordError::Header(what.into()));
        if !(self.rate_hz.is_finite() && self.rate_hz > 0.0) {
            return wrong("the rate is not above 0 Hz");
        }
        if !(1..=MAX_HANDS).contains(&self.hands) {
            return wrong("there must be 1 to 8 hands");
        }
        if self.shapes.len() != usize::from(self.hands) {
            return wrong("there must be two shapes for each hand");
        }
        let columns = self.entry_columns();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let named = |c: &Column| c.name.starts_with(|c: char| c.is_ascii_lowercase()) && c.name.chars().all(plain);
        if self.columns.is_empty() || self.columns.len() > MOST_COLUMNS || !columns.iter().all(named) {
            return wrong(
                "there must be 1 to 128 columns, with names of a letter and then letters, digits and underscores",
            );
        }
        if columns.iter().map(|c| &c.name).collect::<BTreeSet<_>>().len() < columns.len() {
            return wrong("two columns have the same name");
        }
        let own = |a: &Attachment| a.name == HEADER_NAME || a.bytes.len() > LONGEST_ATTACHMENT;
        if self.attachments.iter().any(own) {
            return wrong("an attachment has the header's name or more than 256 MiB");
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
            build: String,
        }
        let wrong = |e: serde_json::Error| RecordError::Header(e.to_string());
        let version: Version = serde_json::from_slice(json).map_err(wrong)?;
        let Version { format, stiction, build } = version;
        match format.cmp(&FORMAT) {
            Ordering::Greater => return Err(RecordError::Newer { found: format, stiction }),
            Ordering::Less => return Err(RecordError::Older { found: format, stiction, build }),
            Ordering::Equal => {}
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
