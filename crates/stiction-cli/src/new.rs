//! `stiction new`: a scene for two meshes, to start from.

use crate::facts::quoted;
use crate::places::{self, Replace};
use crate::{Failure, output};
use clap::Args;
use std::path::PathBuf;
use stiction_bake::{Silent, file};
use stiction_scene::{Scene, Setting, new_scene};

const EXAMPLES: &str = "\
Examples:
  stiction new peg.stl block.stl                     writes scene.toml
  stiction new peg.stl block.stl -o insert/scene.toml --force

Then edit the file: every key has a comment, and `stiction run` says what is wrong with it.";

/// Make a scene of two meshes: one in the hand, one fixed
///
/// The held part comes down on the fixed one, presses, and is pulled sideways, so that `stiction run` shows contact at once. Unit
/// and mass are guesses; the file says which and why.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct New {
    /// The mesh of the part in the hand
    held: PathBuf,
    /// The mesh of the part that does not move
    fixed: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE.toml", default_value = "scene.toml")]
    output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

impl New {
    /// Writes the scene.
    pub fn run(&self) -> Result<(), Failure> {
        if self.output.extension().is_none_or(|e| e != "toml") {
            let name = self.output.display();
            return Err(Failure::Usage(format!("--output {name}: the name of a scene ends in .toml")));
        }
        places::check(&self.output, Replace::Other, &[&self.held, &self.fixed])?;
        if self.output.exists() && !self.force {
            let name = self.output.display();
            return Err(Failure::Other(format!(
                "{name}: is there already; give another name, or --force to replace it"
            )));
        }
        let text = new_scene(&self.held, &self.fixed)?;
        // What is written must be readable.
        Scene::parse(&text, &self.output, &[] as &[Setting])?;
        file::write_whole(&self.output, &Silent, |out| out.write_all(text.as_bytes()))?;
        let name = quoted(&self.output);
        output::line(&format!("Wrote {name}.\n"))?;
        output::line(&format!("Next: stiction run {name}\n      stiction run {name} --friction none --trace run.csv"))?;
        Ok(())
    }
}
