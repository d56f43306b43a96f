//! Where a shape comes from: lines of `key: value` inside its file. No times and no paths, so that the same input gives
//! the same bytes.

use crate::mesh_args;
use serde_json::Value;
use std::path::Path;
use stiction_bake::bake::BakeReport;
use stiction_bake::field::{Fineness, Sign, Storage};
use stiction_bake::import::{ImportOptions, Imported};
use stiction_bake::{BakeOptions, file};
use stiction_scene::{SIGNS, STORAGES, word_of};

/// The lines, read or to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeRecord(Vec<(String, String)>);

impl ShapeRecord {
    /// The record of a bake, still without its report.
    pub fn new(path: &Path, imported: &Imported, import: &ImportOptions, options: &BakeOptions) -> ShapeRecord {
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(char::is_control, " ");
        let lines = [
            ("source", name),
            ("hash", format!("{:032x}", imported.bytes_hash)),
            ("format", imported.format.to_string()),
            ("triangles", imported.mesh.faces.len().to_string()),
            ("import", mesh_args::flags(import)),
            ("flags", flags(options)),
            ("settings", options.line()),
            ("baker", format!("stiction {}", env!("CARGO_PKG_VERSION"))),
        ];
        ShapeRecord(lines.map(|(key, value)| (key.to_string(), value)).into())
    }

    /// Reads the lines; what is no `key: value` is left out.
    pub fn read(text: &str) -> ShapeRecord {
        let pair = |l: &str| l.split_once(": ").map(|(key, value)| (key.to_string(), value.to_string()));
        ShapeRecord(text.lines().filter_map(pair).collect())
    }

    /// A value; empty if it is not there.
    pub fn get(&self, key: &str) -> &str {
        self.0.iter().find(|line| line.0 == key).map_or("", |line| &line.1)
    }

    /// What was made, as it was reported then; `Null` if it is not there.
    pub fn report(&self) -> Value {
        serde_json::from_str(self.get("report")).unwrap_or(Value::Null)
    }

    /// The same with a report.
    pub fn with_report(&self, report: &BakeReport) -> ShapeRecord {
        // Numbers and words only: this cannot fail.
        let json = serde_json::to_string(report).unwrap_or_default();
        self.with("report", json)
    }

    /// The same with the report of another.
    pub fn with_report_of(&self, other: &ShapeRecord) -> ShapeRecord {
        self.with("report", other.get("report").into())
    }

    fn with(&self, key: &str, value: String) -> ShapeRecord {
        let mut lines = self.0.clone();
        lines.push((key.into(), value));
        ShapeRecord(lines)
    }

    /// Whether a shape with this record is what a bake with that one would give, whatever the mesh was called.
    pub fn answers(&self, wanted: &ShapeRecord) -> bool {
        let report = !self.report().is_null();
        report && ["hash", "import", "settings", "baker"].iter().all(|key| self.get(key) == wanted.get(key))
    }

    /// The text for the file.
    pub fn text(&self) -> String {
        self.0.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
    }
}

/// The settings as flags, without those that are as usual.
fn flags(options: &BakeOptions) -> String {
    let usual = BakeOptions::default();
    let (field, usual_field) = (&options.field, &usual.field);
    let mut out = match field.fineness {
        Fineness::Resolution(n) => format!("--resolution {n}"),
        Fineness::Voxel(metres) => format!("--voxel {metres}"),
    };
    let mut add = |name: &str, value: Option<String>| out += &value.map_or(String::new(), |v| format!(" --{name} {v}"));
    add("sign", (field.sign != Sign::Auto).then(|| word_of(&SIGNS, &field.sign)).flatten().map(str::to_owned));
    add(
        "storage",
        (field.storage != Storage::Auto).then(|| word_of(&STORAGES, &field.storage)).flatten().map(str::to_owned),
    );
    add("thicken", field.thicken.map(|t| t.to_string()));
    add("band", (field.band != usual_field.band).then(|| field.band.to_string()));
    add("offset", (field.offset != usual_field.offset).then(|| field.offset.to_string()));
    add("shell", (options.shell_points != usual.shell_points).then(|| options.shell_points.to_string()));
    add("levels", options.shell_levels.map(|n| n.to_string()));
    add("shell-offset", (options.shell_offset != 0.0).then(|| options.shell_offset.to_string()));
    out += &options.convex.map_or(String::new(), |convex| format!(" --convex-parts={}", convex.most_parts));
    out
}

/// Loads a shape and its record; says what to do with a mesh.
pub fn load(path: &Path) -> Result<(stiction::shape::Shape, ShapeRecord), crate::Failure> {
    let wrong = path.is_file() && !file::is_shape(path);
    if wrong {
        let mesh = crate::facts::quoted(path);
        let name = path.display();
        let message = format!("{name}: not a baked shape; if it is a mesh, make one with `stiction bake {mesh}`");
        return Err(crate::Failure::Other(message));
    }
    let shape = file::load(path)?;
    let record = ShapeRecord::read(&shape.provenance);
    Ok((shape, record))
}
