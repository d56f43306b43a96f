//! `stiction inspect`: what a mesh is and what is wrong with it, or what a baked shape is.

mod contact_facts;
mod mesh;
mod shape;

use crate::bars::Bars;
use crate::mesh_args::MeshArgs;
use crate::sizes::parse_length;
use crate::{Failure, places};
use clap::Args;
use std::path::PathBuf;
use stiction_bake::file;

const EXAMPLES: &str = "\
Examples:
  stiction inspect gear.stl                         what it is, what is wrong with it, how to bake it
  stiction inspect gear.stl --picture pictures      also draw a coarse preview of the shape
  stiction inspect gear.shape --picture pictures --mesh gear.stl --unit mm";

/// Say what is wrong with a mesh and how to bake it, or what a baked shape is
///
/// For a mesh: size and likely unit, components, holes, winding, crossings, thin walls and gaps, volume and centre of
/// mass, and the command that bakes it. Without --unit the unit is guessed from the size, and the guess is told. For a
/// baked shape: what it was made from and how, after checking every byte of it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Inspect {
    /// A mesh or a baked shape
    #[arg(value_name = "MESH|OUT")]
    file: PathBuf,
    /// Draw slices, shell and spacing into this folder; for a mesh, of a coarse preview
    #[arg(long, value_name = "DIR")]
    picture: Option<PathBuf>,
    /// The mesh that a baked shape came from, to draw the shell over it
    #[arg(long, value_name = "FILE", requires = "picture")]
    mesh: Option<PathBuf>,
    /// Voxels along the longest side, to judge thin walls by
    #[arg(long, value_name = "N", default_value_t = 256, conflicts_with = "voxel",
          value_parser = clap::value_parser!(u32).range(8..=65536))]
    resolution: u32,
    /// Edge of a voxel, to judge thin walls by
    #[arg(long, value_name = "SIZE", value_parser = parse_length, allow_hyphen_values = true)]
    voxel: Option<f64>,
    #[command(flatten)]
    import: MeshArgs,
    /// One JSON object instead of the page
    #[arg(long)]
    json: bool,
}

impl Inspect {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if let Some(folder) = &self.picture {
            // Before anything that takes time; a folder is not made for a file that cannot be read.
            if !self.file.is_file() {
                let why = if self.file.is_dir() { "it is a folder" } else { "there is no such file" };
                return Err(Failure::Other(format!("{}: cannot be read: {why}", self.file.display())));
            }
            if folder.exists() {
                places::check_pictures(folder)?;
            }
        }
        let bars = Bars::new(false);
        let result = if file::is_shape(&self.file) { self.shape(bars) } else { self.mesh(bars) };
        result.map_err(|e| e.or_stopped("stopped"))
    }
}
