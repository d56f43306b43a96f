//! How a mesh is read: the flags that `bake` and `inspect` share.

use crate::Failure;
use crate::sizes::parse_placement;
use crate::words::choice;
use clap::Args;
use std::path::Path;
use stiction_bake::diagnose::{UnitGuess, guess_unit};
use stiction_bake::file;
use stiction_bake::import::{self, ImportOptions, Imported, MeshFormat, Placement, Unit, UpAxis};
use stiction_scene::{UPS, word_of};

/// Unit, up axis and placement of a mesh.
#[derive(Args, Clone)]
pub struct MeshArgs {
    /// What one unit of the file is: m, cm, mm, um, inch, foot, or a number of metres. CAD systems mostly write mm
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<Unit>,
    /// The axis of the file that points up; it becomes z. glTF files have y
    #[arg(long, value_parser = choice(&UPS), default_value = "z")]
    pub up: UpAxis,
    /// Where the part goes, in metres: 12 or 16 numbers, the rows of a 3x4 or 4x4 matrix, as in "1,0,0,0.1, 0,1,0,0,
    /// 0,0,1,0"
    #[arg(long, value_name = "NUMBERS", value_parser = parse_placement, allow_hyphen_values = true)]
    pub transform: Option<Placement>,
}

impl MeshArgs {
    /// The options of the importer; metres unless said otherwise.
    pub fn options(&self) -> ImportOptions {
        ImportOptions { unit: self.unit.unwrap_or_default(), up: self.up, placement: self.transform }
    }
}

/// Reads a mesh; a baked shape is refused.
pub fn read(path: &Path, options: &ImportOptions) -> Result<Imported, Failure> {
    if file::is_shape(path) {
        let name = path.display();
        return Err(Failure::Other(format!("{name}: this is a baked shape already, not a mesh")));
    }
    Ok(import::read(path, options)?)
}

/// The guess of a file's unit from its size; none for glTF, which is always in metres.
pub fn guess(imported: &Imported, options: &ImportOptions) -> Option<UnitGuess> {
    if matches!(imported.format, MeshFormat::Gltf | MeshFormat::Glb) || options.placement.is_some() {
        return None;
    }
    let bounds = imported.mesh.bounds()?;
    Some(guess_unit((bounds.max - bounds.min).amax(), options.unit.metres()))
}

/// The import in one line, as flags; exact, so that equal lines mean equal imports.
pub fn flags(options: &ImportOptions) -> String {
    let mut out = format!("--unit {}", options.unit.word());
    if options.up != UpAxis::Z {
        out += &format!(" --up {}", up_word(options.up));
    }
    if let Some(placement) = &options.placement {
        out += &format!(" --transform {}", rows(placement));
    }
    out
}

/// A placement as it is written on the command line.
pub fn rows(p: &Placement) -> String {
    let rows = (0..3).flat_map(|i| [p.linear[(i, 0)], p.linear[(i, 1)], p.linear[(i, 2)], p.translation[i]]);
    rows.map(|x| x.to_string()).collect::<Vec<_>>().join(",")
}

/// The word of an axis.
pub fn up_word(up: UpAxis) -> &'static str {
    word_of(&UPS, &up).unwrap_or_default()
}
