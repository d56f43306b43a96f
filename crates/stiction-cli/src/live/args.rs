//! The flags of a run with a device.

use crate::Failure;
use crate::words::{self, parse_positive};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use stiction_session::{Carry, HandWord, Plan, SimWord};

/// A device and what is done with it.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "With a device")]
pub struct LiveArgs {
    /// Run the servo loop with a device: `stiction devices` lists them
    #[arg(long, value_parser = words::device())]
    pub device: Option<SimWord>,
    /// How the simulated hand holds the handle [default: firm]
    #[arg(long, value_parser = words::hand(), requires = "device")]
    pub hand: Option<HandWord>,
    /// Record everything into a new .mcap file
    #[arg(long, value_name = "FILE", requires = "device")]
    pub record: Option<PathBuf>,
    /// What the recording carries, so that it replays on another machine [default: auto]
    #[arg(long, value_parser = words::carry(), requires = "record")]
    pub carry: Option<Carry>,
    /// By the clock on the wall, or as fast as it goes [default: real]
    #[arg(long, value_enum, requires = "device")]
    pub clock: Option<ClockWord>,
    /// A second device whose hand holds the scene's fixed part
    #[arg(long, requires = "device")]
    pub two_hands: bool,
    /// Let the passivity controller measure only
    #[arg(long, requires = "device")]
    pub no_passivity: bool,
    /// How far the hand goes for 1 m of the handle [default: 1]
    #[arg(long, value_name = "X", value_parser = parse_positive, allow_negative_numbers = true, requires = "device")]
    pub motion_scale: Option<f64>,
    /// How many times larger forces are felt [default: 1]
    #[arg(long, value_name = "X", value_parser = parse_positive, allow_negative_numbers = true, requires = "device")]
    pub force_scale: Option<f64>,
    /// Where the handle is in the part's axes (m), as in 0,0,0.05 [default: its origin]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_offset, allow_negative_numbers = true, requires = "device")]
    pub handle_offset: Option<[f64; 3]>,
    /// Stay an ordinary thread: ask for no real-time priority
    #[arg(long, requires = "device")]
    pub no_priority: bool,
}

/// Clocks by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockWord {
    /// At absolute deadlines on the wall clock
    Real,
    /// As fast as it goes
    Virtual,
}

/// Three numbers with commas between them.
fn parse_offset(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse::<f64>()).collect();
    match numbers.as_deref() {
        Ok([x, y, z]) if [x, y, z].iter().all(|v| v.abs() < 10.0) => Ok([*x, *y, *z]),
        _ => Err("expected three lengths in m, as in 0,0,0.05".into()),
    }
}

impl LiveArgs {
    /// Puts the flags into a plan.
    pub fn apply(&self, plan: &mut Plan) {
        plan.device = self.device.unwrap_or(plan.device);
        plan.hand = self.hand.unwrap_or(plan.hand);
        plan.arms = if self.two_hands { 2 } else { 1 };
        plan.passivity = !self.no_passivity;
        plan.motion_scale = self.motion_scale.unwrap_or(1.0);
        plan.force_scale = self.force_scale.unwrap_or(1.0);
        plan.handle_offset = self.handle_offset.unwrap_or_default();
    }

    /// Whether the loop runs by the clock on the wall.
    pub fn is_real(&self) -> bool {
        self.clock != Some(ClockWord::Virtual)
    }

    /// Whether the recording can be written.
    pub fn check(&self) -> Result<(), Failure> {
        let Some(path) = &self.record else { return Ok(()) };
        if path.extension().is_none_or(|e| e != "mcap") {
            return Err(Failure::Usage(format!("--record {}: the name must end in .mcap", path.display())));
        }
        Ok(())
    }
}
