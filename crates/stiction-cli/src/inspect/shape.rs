//! What a baked shape is.

use super::{Inspect, contact_facts};
use crate::bars::Bars;
use crate::facts::{Facts, grouped};
use crate::record::{self, ShapeRecord};
use crate::shape_facts::{self, warnings};
use crate::{Failure, mesh_args, output, picture};
use serde_json::{Value, json};
use std::path::PathBuf;
use stiction::shape::Shape;
use stiction::shape::file::FORMAT;
use stiction::tick::PartMeasures;
use stiction_bake::{Progress, bytes};

impl Inspect {
    /// Checks and describes a shape.
    pub fn shape(&self, bars: Bars) -> Result<(), Failure> {
        bars.stage("reading", 0);
        let (shape, record) = record::load(&self.file)?;
        let size = std::fs::metadata(&self.file)?.len();
        let mesh = match &self.mesh {
            Some(path) => Some(mesh_args::read(path, &self.import.options())?.mesh),
            None => None,
        };
        bars.stage("pictures", 0);
        let pictures = match &self.picture {
            Some(folder) => picture::draw(folder, &shape, mesh.as_ref(), &bars)?,
            None => Vec::new(),
        };
        drop(bars);
        if self.json {
            return Ok(output::json(&self.shape_json(&shape, &record, size, &pictures))?);
        }
        let report = record.report();
        let mut facts = Facts::default();
        let format = format!("baked shape, {}, format {FORMAT}, every checksum right", bytes(size));
        facts.say("File", format!("{}: {format}", self.file.display()));
        facts.say("Made of", source(&record));
        facts.say("Made by", format!("{} with {} {}", record.get("baker"), record.get("import"), record.get("flags")));
        shape_facts::say(&mut facts, &shape, &report);
        let levels: Vec<String> = shape.shell.levels().iter().map(|n| grouped(*n as usize)).collect();
        facts.say("Levels", format!("{} points", levels.join(", ")));
        contact_facts::say(&mut facts, &PartMeasures::of(&shape));
        for warning in warnings(&report) {
            facts.say("Warning", warning);
        }
        for path in &pictures {
            facts.say("Picture", path.display().to_string());
        }
        Ok(output::line(facts.text())?)
    }

    fn shape_json(&self, shape: &Shape, record: &ShapeRecord, size: u64, pictures: &[PathBuf]) -> Value {
        json!({
            "kind": "shape",
            "file": self.file.display().to_string(),
            "bytes": size,
            "format": FORMAT,
            "checksum_ok": true,
            "source": record.get("source"),
            "hash": record.get("hash"),
            "import": record.get("import"),
            "settings": record.get("settings"),
            "baker": record.get("baker"),
            "shape": shape_facts::json(shape),
            "contact_defaults": contact_facts::json(&PartMeasures::of(shape)),
            "report": record.report(),
            "pictures": pictures.iter().map(|p| p.display().to_string()).collect::<Vec<_>>(),
        })
    }
}

/// The mesh, as the record tells it.
fn source(record: &ShapeRecord) -> String {
    match record.get("source") {
        "" => "not recorded".into(),
        name => {
            let triangles = record
                .get("triangles")
                .parse::<usize>()
                .map_or(String::new(), |n| format!("{} triangles, ", grouped(n)));
            let (format, hash) = (record.get("format"), record.get("hash"));
            format!("{name} ({format}, {triangles}content {hash})")
        }
    }
}
