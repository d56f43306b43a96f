//! `stiction solid`: solids by their parameters, as meshes.

mod kinds;

use crate::bars::Bars;
use crate::facts::{grouped, number, volume};
use crate::places::{self, Replace};
use crate::sizes::parse_length;
use crate::{Failure, facts, output};
use clap::Args;
use kinds::ChosenSolid;
use serde_json::json;
use std::path::{Path, PathBuf};
use stiction_bake::diagnose::length;
use stiction_bake::import::Unit;
use stiction_bake::{Mesh, export, file, mass, solids};

const EXAMPLES: &str = "\
Examples:
  stiction solid gear -o gear.stl                          24 teeth of module 1 mm
  stiction solid box --size 40mm,30mm,20mm -o box.obj
  stiction solid shaft --steps 4mm,20mm,6mm,30mm -o shaft.stl
  stiction solid bolt --diameter 12mm --length 40mm -o bolt.stl   M12 with ISO's coarse thread and a hexagonal head
  stiction solid nut --diameter 12mm -o nut.stl            its nut; at the same pose it is on the thread
  stiction solid gear --help                               the parameters of a kind

Lengths take a unit, as in 0.2mm or 1in; a bare number is in metres.";

/// Write a solid by its parameters as a mesh: gears, bolts, nuts, pegs, plates with holes and more
///
/// Every mesh is watertight and oriented outwards. The file is in millimetres, as CAD systems write it, unless --unit says
/// otherwise; bake it with the same --unit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Solid {
    #[command(subcommand)]
    kind: ChosenSolid,
    /// The file to write, ending in .stl or .obj
    #[arg(short, long, value_name = "FILE", global = true)]
    output: Option<PathBuf>,
    /// Split edges longer than this
    #[arg(long, value_name = "SIZE", value_parser = parse_length, global = true)]
    refine: Option<f64>,
    /// What one unit of the file is: m, cm, mm, um, inch, foot, or a number of metres
    #[arg(long, value_name = "UNIT", default_value = "mm", global = true)]
    unit: Unit,
    /// One JSON object instead of the sentence
    #[arg(long, global = true)]
    json: bool,
}

impl Solid {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let path =
            self.output.as_deref().ok_or_else(|| Failure::Usage("say where to: -o FILE.stl or -o FILE.obj".into()))?;
        let stl = match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("stl") => true,
            Some("obj") => false,
            _ => return Err(Failure::Usage(format!("{}: the name must end in .stl or .obj", path.display()))),
        };
        places::check(path, Replace::Other, &[])?;
        let solid = self.kind.solid().map_err(Failure::Usage)?;
        let mut mesh = solid.mesh()?;
        if let Some(edge) = self.refine {
            mesh = solids::refine(&mesh, edge)?;
        }
        self.write(path, stl, solid.name(), &mesh)?;
        self.tell(path, solid.name(), &mesh)
    }

    fn write(&self, path: &Path, stl: bool, name: &str, mesh: &Mesh) -> Result<(), Failure> {
        let metres = self.unit.metres();
        let points = mesh.points.iter().map(|p| p / metres).collect();
        let scaled = Mesh { points, faces: mesh.faces.clone() };
        let bars = Bars::new(true);
        let written = file::write_whole(path, &bars, |mut writer| {
            if stl {
                return export::write_stl(&scaled, &mut writer);
            }
            writeln!(writer, "# {name} by stiction; one unit is {metres} m")?;
            export::write_obj(&scaled, &mut writer)
        });
        written.map_err(|e| Failure::from(e).or_stopped("stopped; nothing was written"))
    }

    fn tell(&self, path: &Path, name: &str, mesh: &Mesh) -> Result<(), Failure> {
        let mass = mass::of_mesh(mesh);
        let size = mesh.bounds().map(|b| b.max - b.min).unwrap_or_default();
        let word = self.unit.word();
        if self.json {
            return Ok(output::json(&json!({
                "output": path.display().to_string(),
                "solid": name,
                "metres_per_unit": self.unit.metres(),
                "triangles": mesh.faces.len(),
                "points": mesh.points.len(),
                "size_m": size.as_slice(),
                "mass": stiction_bake::diagnose::Mass::from(mass),
            }))?);
        }
        let [x, y, z] = [size.x, size.y, size.z].map(length);
        output::line(&format!(
            "{name}: {x} × {y} × {z}, {}, {} triangles, written to {} in {}",
            volume(mass.volume),
            grouped(mesh.faces.len()),
            path.display(),
            if word.parse::<f64>().is_ok() {
                format!("units of {} m", number(self.unit.metres()))
            } else {
                word.clone()
            }
        ))?;
        Ok(output::line(&format!("\nNext: stiction bake {} --unit {word}", facts::quoted(path)))?)
    }
}
