//! `stiction bake`: a mesh in, a file with its contact shapes out.

mod kept;
mod options;
mod told;

use crate::bars::Bars;
use crate::mesh_args::{self, MeshArgs};
use crate::places::{self, Replace};
use crate::record::ShapeRecord;
use crate::{Failure, facts, picture};
use clap::Args;
use kept::Kept;
use options::ShapeArgs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stiction::shape::Shape;
use stiction_bake::import::{ImportOptions, Imported};
use stiction_bake::{Mesh, Progress, bake, file};

const EXAMPLES: &str = "\
Examples:
  stiction bake gear.stl --unit mm                   writes gear.shape, 256 voxels long
  stiction bake gear.stl -o g.shape --voxel 0.1mm    voxels of a given size
  stiction bake cover.obj --thicken 0.5mm            give open sheets a thickness
  stiction bake engine.glb --up y --resolution 1024 --picture pictures

Run `stiction inspect MESH` first: it says what is wrong and which settings suit the mesh.";

/// Turn a mesh into contact shapes: a signed distance field and a nested point shell
///
/// Reads STL, OBJ, PLY, glTF and GLB. Bad meshes are welcome: faces are welded and turned where that is safe, holes are
/// closed, and what could not be told for sure is said. The result is one file that the engine loads; the same input gives
/// the same bytes. Lengths take a unit, as in 0.2mm, 80um or 1in; a bare number is in metres.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Bake {
    /// The mesh
    mesh: PathBuf,
    /// The file to write [default: the mesh's name with the ending .shape]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shape: ShapeArgs,
    #[command(flatten)]
    import: MeshArgs,
    /// Also draw slices, shell and spacing into this folder
    #[arg(long, value_name = "DIR")]
    picture: Option<PathBuf>,
    /// Neither look for an earlier result in the cache nor keep this one
    #[arg(long)]
    no_cache: bool,
    /// One JSON object instead of the table
    #[arg(long)]
    json: bool,
}

/// A shape that is now in its file.
struct Done {
    output: PathBuf,
    mesh: Mesh,
    shape: Shape,
    record: ShapeRecord,
    from_cache: bool,
    pictures: Vec<PathBuf>,
    unit_hint: Option<String>,
    seconds: f64,
}

impl Bake {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let began = Instant::now();
        let output = self.output.clone().unwrap_or_else(|| self.mesh.with_extension("shape"));
        let bars = Bars::new(false);
        let mut done = self.make(&output, &bars).map_err(|e| e.or_stopped("stopped; nothing was written"))?;
        if let Some(folder) = &self.picture {
            bars.stage("pictures", 0);
            let drawn = picture::draw(folder, &done.shape, Some(&done.mesh), &bars);
            done.pictures = drawn.map_err(|e| Failure::from(e).or_stopped("stopped; the shape was written"))?;
        }
        done.seconds = began.elapsed().as_secs_f64();
        drop(bars);
        done.tell(self.json)
    }

    /// Everything up to the written file.
    fn make(&self, output: &Path, bars: &Bars) -> Result<Done, Failure> {
        bars.stage("reading", 0);
        let import = self.import.options();
        let imported = mesh_args::read(&self.mesh, &import)?;
        places::check(output, Replace::Shape, &[&self.mesh])?;
        if let Some(folder) = &self.picture {
            places::check_pictures(folder)?;
        }
        let unit_hint = self.unit_hint(&imported, &import);
        if let Some(hint) = &unit_hint {
            bars.say(&format!("hint: {hint}"));
        }
        if let Some(warning) = imported.precision_warning() {
            bars.say(&format!("warning: {warning}"));
        }
        let options = self.shape.options();
        let wanted = ShapeRecord::new(&self.mesh, &imported, &import, &options);
        let kept = Kept::new(!self.no_cache, &imported, &import, &options);
        let (shape, record, from_cache) = match kept.take(&wanted, bars) {
            Some((shape, record)) => (shape, record, true),
            None => {
                let named = |e| Failure::Other(format!("{}: {e}", self.mesh.display()));
                let mut baked = bake(&imported.mesh, &options, String::new(), bars).map_err(named)?;
                let record = wanted.with_report(&baked.report);
                baked.shape.provenance = record.text();
                (baked.shape, record, false)
            }
        };
        bars.stage("writing", 0);
        file::save(output, &shape, bars)?;
        if !from_cache {
            kept.put(output, bars);
        }
        let output = output.to_path_buf();
        let mesh = imported.mesh;
        Ok(Done { output, mesh, shape, record, from_cache, pictures: Vec::new(), unit_hint, seconds: 0.0 })
    }

    /// What to say when the part is as large as a house, or a speck.
    fn unit_hint(&self, imported: &Imported, import: &ImportOptions) -> Option<String> {
        let guess = mesh_args::guess(imported, import).filter(|g| g.doubtful)?;
        let long = stiction_bake::diagnose::length(guess.longest_in_file * import.unit.metres());
        let (name, unit) = (facts::quoted(&self.mesh), guess.likely_unit?);
        Some(format!("the part is {long} long; if {name} is in {unit}, bake it again with --unit {unit}"))
    }
}
