//! What a mesh is, what is wrong with it, and how to bake it.

use super::{Inspect, contact_facts};
use crate::bars::Bars;
use crate::facts::Facts;
use crate::mesh_args::{self, guess};
use crate::terminal::page_width;
use crate::{Failure, output, picture, shape_facts};
use serde_json::json;
use std::path::PathBuf;
use stiction_bake::diagnose::{self, Advice, DiagnoseOptions, Diagnosis};
use stiction_bake::field::{FieldOptions, Fineness, Sign};
use stiction_bake::import::{ImportOptions, Imported, Unit, UpAxis};
use stiction_bake::{BakeOptions, Mesh, Progress, bake, expose, mass};

/// Voxels along the longest side of a preview, and points of its shell.
const PREVIEW: u32 = 96;
const PREVIEW_POINTS: usize = 2000;

impl Inspect {
    /// Diagnoses a mesh.
    pub fn mesh(&self, bars: Bars) -> Result<(), Failure> {
        if self.mesh.is_some() {
            return Err(Failure::Usage("--mesh is for baked shapes: this file is a mesh itself".into()));
        }
        bars.stage("reading", 0);
        let (imported, options) = self.read()?;
        let metres = options.unit.metres();
        let look = DiagnoseOptions {
            voxel: self.voxel,
            resolution: self.resolution,
            metres_per_unit: metres,
            ..Default::default()
        };
        let (mut found, mended) = diagnose::diagnose_and_mend(&imported.mesh, &look, &bars)?;
        let exact = found.mended_watertight && found.mended_oriented;
        let exposed = expose::exposed(&mended, &bars)?;
        found.mass = mended.sheet.contains(&false).then(|| mass::of_mended(&mended, exposed.as_ref()).into());
        let advice = diagnose::advise(&found);
        let pictures = self.preview(&imported.mesh, &found, &advice, &bars)?;
        drop(bars);
        let command = self.command(&found, &advice, options.unit);
        if self.json {
            return Ok(output::json(&json!({
                "kind": "mesh",
                "file": self.file.display().to_string(),
                "format": imported.format.to_string(),
                "bytes": imported.bytes,
                "hash": format!("{:032x}", imported.bytes_hash),
                "metres_per_unit": metres,
                "diagnosis": found,
                "mass_exact": exact,
                "contact_defaults": contact_facts::of_mesh(&found, &advice).map(|measures| contact_facts::json(&measures)),
                "advice": advice,
                "command": command,
                "pictures": pictures.iter().map(|p| p.display().to_string()).collect::<Vec<_>>(),
            }))?);
        }
        output::line(&format!("{:<12}{} ({})", "File", self.file.display(), imported.format))?;
        let mass = found.mass.take();
        let page = diagnose::report(&found, &advice, page_width());
        let (about, suggested) = page.split_once("\nSuggested").unwrap_or((&page, ""));
        output::line(about.trim_end())?;
        if let Some(mass) = mass {
            let mut facts = Facts::default();
            let note = match found.intersections.crossing_pairs {
                0 if exact => "",
                0 => ", approximate: the surface is not closed",
                _ => ", approximate: faces cross, and what overlaps counts twice",
            };
            shape_facts::say_mass(&mut facts, &mass, found.size_m, note);
            output::line(facts.text())?;
        }
        let mut facts = Facts::default();
        contact_facts::say_of_mesh(&mut facts, &found, &advice);
        output::line(facts.text())?;
        output::line(&format!("\nSuggested{}", suggested.trim_end()))?;
        if !pictures.is_empty() {
            output::line("")?;
        }
        for path in &pictures {
            output::line(&format!("{:<12}{} (coarse preview)", "Picture", path.display()))?;
        }
        Ok(output::line(&format!("\nNext: {command}"))?)
    }

    /// The mesh in the unit that was given, or else in the one that fits its size.
    fn read(&self) -> Result<(Imported, ImportOptions), Failure> {
        let mut options = self.import.options();
        let mut imported = mesh_args::read(&self.file, &options)?;
        let likely = guess(&imported, &options).filter(|g| self.import.unit.is_none() && g.doubtful);
        if let Some(unit) = likely.and_then(|g| g.likely_unit?.parse::<Unit>().ok()) {
            imported.mesh.points.iter_mut().for_each(|p| *p *= unit.metres());
            options.unit = unit;
        }
        Ok((imported, options))
    }

    /// The command to bake with.
    fn command(&self, found: &Diagnosis, advice: &Advice, unit: Unit) -> String {
        let word = if unit == Unit::METRE { String::new() } else { unit.word() };
        let mut command = advice.command(&self.file.to_string_lossy(), &word);
        if advice.thicken_m.is_none() && found.sheet_faces > 0 {
            // Too small to matter, but above a thousandth of the area the baker wants to be told.
            command += " --thicken 0";
        }
        if self.import.up != UpAxis::Z {
            command += &format!(" --up {}", mesh_args::up_word(self.import.up));
        }
        if let Some(placement) = &self.import.transform {
            command += &format!(" --transform {}", mesh_args::rows(placement));
        }
        command
    }

    /// Bakes a coarse shape and draws it, if pictures are wanted.
    fn preview(&self, mesh: &Mesh, found: &Diagnosis, advice: &Advice, bars: &Bars) -> Result<Vec<PathBuf>, Failure> {
        let Some(folder) = &self.picture else { return Ok(Vec::new()) };
        let longest = found.size_m.iter().copied().fold(0.0, f64::max);
        let coarse = 2.0 * longest / f64::from(PREVIEW - 12);
        let sheets = (found.sheet_faces > 0).then(|| advice.thicken_m.map_or(0.0, |t| t.max(coarse)));
        let field = FieldOptions {
            fineness: Fineness::Resolution(PREVIEW),
            sign: if advice.sign == diagnose::SignAdvice::Offset { Sign::Offset } else { Sign::Winding },
            thicken: sheets,
            memory: crate::sizes::usable_memory(),
            ..FieldOptions::default()
        };
        let options = BakeOptions { field, shell_points: PREVIEW_POINTS, ..BakeOptions::default() };
        let named = |e| Failure::Other(format!("{}: no preview: {e}", self.file.display()));
        let baked = bake(mesh, &options, String::new(), bars).map_err(named)?;
        bars.stage("pictures", 0);
        Ok(picture::draw(folder, &baked.shape, Some(mesh), bars)?)
    }
}
