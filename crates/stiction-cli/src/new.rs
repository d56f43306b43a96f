//! `stiction new`: a scene for two meshes, to start from.

use crate::bars::Bars;
use crate::facts::quoted;
use crate::places::{self, Replace};
use crate::run::parse_mu;
use crate::sizes::parse_pose;
use crate::{Failure, output};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use stiction::spatial::Pose;
use stiction_bake::import::Unit;
use stiction_bake::{Silent, file};
use stiction_scene::{NewSceneOptions, Scene, Setting, new_scene};

const EXAMPLES: &str = "\
Examples:
  stiction new peg.stl block.stl                     writes scene.toml
  stiction new peg.stl block.stl -o insert/scene.toml --force
  stiction new peg.stl block.stl --unit inch --mu 0.3
  stiction new peg.stl block.stl --start 10mm,0,50mm           comes down from there
  stiction new peg.stl block.stl --goal 0,0,5mm                is carried there, from straight above
  stiction new peg.stl block.stl --start 0,0,90mm,1,0,0,90 --goal 0,0,5mm,1,0,0,90

A pose is where the held part's origin is, seen from the fixed part's: X,Y,Z with units (m without one), then, for a turn, the axis and the angle in
degrees: X,Y,Z,AX,AY,AZ,DEG.

Then edit the file: every key has a comment, and `stiction run` says what is wrong with it.";

/// Make a scene of two meshes: one in the hand, one fixed
///
/// The held part comes down on the fixed one, presses, and is pulled sideways, so that `stiction run` shows contact at once; with --goal it is carried there
/// instead. Unit and mass are guesses, one unit for both meshes; resolution, points and contacts are what `stiction inspect` advises. Paths are relative to
/// the scene's folder, so that scene and meshes can be moved together.
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
    /// What one unit of both files is: m, cm, mm, um, inch, foot, or a number of metres [default: a guess from the longer part]
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Friction coefficient, static and kinetic [default: 0.5 static, 0.4 kinetic]
    #[arg(long, value_name = "MU", value_parser = parse_mu, allow_negative_numbers = true)]
    mu: Option<f64>,
    /// Where the held part is at first: X,Y,Z or X,Y,Z,AX,AY,AZ,DEG [default: over the fixed part]
    #[arg(long, value_name = "POSE", value_parser = parse_pose, allow_hyphen_values = true)]
    start: Option<Pose>,
    /// Where the hand carries the held part, such as its place in the assembly [default: down on the fixed part]
    #[arg(long, value_name = "POSE", value_parser = parse_pose, allow_hyphen_values = true)]
    goal: Option<Pose>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// One JSON object instead of the sentences
    #[arg(long)]
    json: bool,
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
        let folder = self.output.parent().unwrap_or(Path::new("")).to_path_buf();
        let options = NewSceneOptions { folder, unit: self.unit, mu: self.mu, start: self.start, goal: self.goal };
        let bars = Bars::new(false);
        let stopped = |e| Failure::from(e).or_stopped("stopped; nothing was written");
        let made = new_scene(&self.held, &self.fixed, &options, &bars).map_err(stopped)?;
        drop(bars);
        // What is written must be readable.
        Scene::parse(&made.text, &self.output, &[] as &[Setting])?;
        file::write_whole(&self.output, &Silent, |out| out.write_all(made.text.as_bytes()))?;
        if self.json {
            output::json(&json!({ "output": self.output.display().to_string(), "notes": made.notes }))?;
            return Ok(());
        }
        let name = quoted(&self.output);
        output::line(&format!("Wrote {name}.\n"))?;
        for note in &made.notes {
            output::line(&format!("{note}\n"))?;
        }
        output::line(&format!("Next: stiction run {name}\n      stiction run {name} --friction none --trace run.csv"))?;
        Ok(())
    }
}
