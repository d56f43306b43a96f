//! `stiction record`: a run with a device into a file.

use super::args::{ClockWord, LiveArgs};
use crate::Failure;
use crate::run::{RunLength, RunScene};
use crate::words;
use clap::Args;
use std::path::PathBuf;
use stiction_scene::Setting;
use stiction_session::{Carry, HandWord, SimWord};

/// Record a scene with a device: `run --device`, into a file
///
/// The file is MCAP with its schemas inside: Foxglove, PlotJuggler and Rerun open it. `stiction replay` runs the engine again on it.
#[derive(Args)]
pub struct Record {
    /// The scene: a name, a folder or a .toml file
    scene: String,
    /// The new file, ending in .mcap
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The device
    #[arg(long, value_parser = words::device(), default_value = "sim")]
    device: SimWord,
    /// How the simulated hand holds the handle
    #[arg(long, value_parser = words::hand(), default_value = "firm")]
    hand: HandWord,
    /// By the clock on the wall, or as fast as it goes
    #[arg(long, value_enum, default_value = "real")]
    clock: ClockWord,
    /// How long to run (s)
    #[arg(long, value_name = "S", value_parser = crate::words::parse_positive, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Let it run for more than a day of the scene's time, a year at most
    #[arg(long)]
    long: bool,
    /// What the recording carries, so that it replays on another machine
    #[arg(long, value_parser = words::carry(), default_value = "auto")]
    carry: Carry,
    /// Any key of the scene, as in held.points=4000; may be given many times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Setting>,
    /// One JSON object instead of the summary
    #[arg(long)]
    json: bool,
}

impl Record {
    /// Records.
    pub fn run(&self) -> Result<(), Failure> {
        let live = LiveArgs {
            device: Some(self.device),
            hand: Some(self.hand),
            record: Some(self.output.clone()),
            clock: Some(self.clock),
            carry: Some(self.carry),
            ..LiveArgs::default()
        };
        let length = RunLength { seconds: self.seconds, long: self.long };
        RunScene::live(self.scene.clone(), length, self.set.clone(), live, self.json).run()
    }
}
