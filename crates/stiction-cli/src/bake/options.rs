//! The flags that decide what is made of a mesh.

use crate::sizes::{parse_any_length, parse_bytes, parse_length, parse_thickness, usable_memory};
use crate::words::{choice, parse_positive};
use clap::Args;
use stiction_bake::BakeOptions;
use stiction_bake::convex::ConvexOptions;
use stiction_bake::field::{FieldOptions, Fineness, Sign, Storage};
use stiction_bake::shell::ShellOptions;
use stiction_scene::{SIGNS, STORAGES};

/// Field and shell.
#[derive(Args)]
pub struct ShapeArgs {
    /// Voxels along the longest side of the grid
    #[arg(long, value_name = "N", default_value_t = 256, conflicts_with = "voxel",
          value_parser = clap::value_parser!(u32).range(8..=65536))]
    resolution: u32,
    /// Edge of a voxel, instead of a resolution
    #[arg(long, value_name = "SIZE", value_parser = parse_length, allow_hyphen_values = true)]
    voxel: Option<f64>,
    /// How inside is told from outside
    #[arg(long, value_parser = choice(&SIGNS), default_value = "auto")]
    sign: Sign,
    /// Thickness for open sheets, which have no inside; 0 leaves them out
    #[arg(long, value_name = "SIZE", value_parser = parse_thickness, allow_hyphen_values = true)]
    thicken: Option<f64>,
    /// Points of the shell
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = parse_points)]
    shell: usize,
    /// Levels of the shell [default: as many as give about four children a point]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32))]
    levels: Option<u32>,
    /// Distance of the shell from the surface; negative is inside
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = parse_any_length, allow_hyphen_values = true)]
    shell_offset: f64,
    /// Also make convex parts, at most so many, for the engine of contact volumes; the mesh must be closed
    #[arg(long, value_name = "MOST", num_args = 0..=1, require_equals = true, default_missing_value = "32",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    convex_parts: Option<u32>,
    /// How distances are stored
    #[arg(long, value_parser = choice(&STORAGES), default_value = "auto")]
    storage: Storage,
    /// Half-width of the band of exact distances around the surface of a sparse grid, in voxels
    #[arg(long, value_name = "VOXELS", default_value_t = 4.0, value_parser = parse_positive)]
    band: f64,
    /// Distance of the surface that --sign offset looks at, in voxels: gaps up to twice this are closed
    #[arg(long, value_name = "VOXELS", default_value_t = 2.0, value_parser = parse_positive)]
    offset: f64,
    /// Memory that may be used, as in 4GiB [default: four fifths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
}

fn parse_points(word: &str) -> Result<usize, String> {
    let wrong = || format!("expected a number of points from 1 to {}", ShellOptions::MOST);
    word.parse().ok().filter(|n| (1..=ShellOptions::MOST).contains(n)).ok_or_else(wrong)
}

impl ShapeArgs {
    /// The options of the baker.
    pub fn options(&self) -> BakeOptions {
        let field = FieldOptions {
            fineness: self.voxel.map_or(Fineness::Resolution(self.resolution), Fineness::Voxel),
            sign: self.sign,
            thicken: self.thicken,
            band: self.band,
            offset: self.offset,
            storage: self.storage,
            memory: self.memory.unwrap_or_else(usable_memory),
            ..FieldOptions::default()
        };
        let shell_levels = self.levels.map(|n| n as usize);
        let convex = self.convex_parts.map(|n| ConvexOptions { most_parts: n as usize, ..ConvexOptions::default() });
        BakeOptions { field, shell_points: self.shell, shell_levels, shell_offset: self.shell_offset, convex }
    }
}
