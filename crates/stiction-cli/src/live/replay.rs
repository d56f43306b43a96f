//! `stiction replay`: the engine again on a recording, to the bit.

use crate::bars::Bars;
use crate::facts::Facts;
use crate::run::{timeline_lines, timeline_object};
use crate::{Failure, output, stop};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use stiction_bake::Progress;
use stiction_bake::cache::Cache;
use stiction_formation::tick::formation_of;
use stiction_formation::timeline::FormationTimeline;
use stiction_record::Recording;
use stiction_session::{Session, SessionError};

/// Run the engine again on a recording and demand the same bits
///
/// Exit code 1 and the first tick that differs where they are not the same.
#[derive(Args)]
pub struct Replay {
    /// The recording
    file: PathBuf,
    /// Refuse a recording of another scene than this
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// A folder with the meshes, if the recording does not carry them and they are neither beside it nor where they were; may be given many times
    #[arg(long, value_name = "DIR")]
    meshes: Vec<PathBuf>,
    /// Neither look for baked shapes in the cache nor keep them there
    #[arg(long)]
    no_cache: bool,
    /// One JSON object instead of the summary
    #[arg(long)]
    json: bool,
}

impl Replay {
    /// Replays.
    pub fn run(&self) -> Result<(), Failure> {
        let bars = Bars::new(false);
        let named = |e: stiction_record::RecordError| Failure::Other(format!("{}: {e}", self.file.display()));
        let mut recording = Recording::open(&self.file).map_err(named)?;
        let header = recording.header().clone();
        if let Some(given) = self.scene.as_ref().filter(|given| **given != header.scene) {
            return Err(SessionError::OtherScene { recorded: header.scene, given: given.clone() }.into());
        }
        let cache = if self.no_cache { None } else { Cache::default_folder() }.map(Cache::new);
        let beside = self.file.parent().map(PathBuf::from);
        let folders: Vec<PathBuf> = self.meshes.iter().cloned().chain(beside).collect();
        let built = Session::recorded(&header, &folders, cache.as_ref(), &bars);
        let session = built.map_err(|e| Failure::from(e).or_stopped("stopped"))?;
        bars.stage("replaying", recording.bytes() / 1024);
        let (columns, rate) = (session.columns(), session.world.scene.rate);
        let mut formations = FormationTimeline::default();
        let replayed = session.replay(&mut recording, |ticks, servo| {
            if let Some(contacts) = servo.outputs().first().and_then(|output| formation_of(&columns, &output.row)) {
                formations.add(ticks.saturating_sub(1) as f64 / rate, 1.0 / rate, &contacts);
            }
            if ticks.is_multiple_of(64) {
                bars.advance(32);
            }
            !stop::asked()
        })?;
        drop(bars);
        if stop::asked() {
            return Err(Failure::stopped("stopped"));
        }
        let same = replayed.difference.is_none();
        if self.json {
            output::json(&json!({
                "file": self.file.display().to_string(),
                "scene": header.scene,
                "recorded_by": header.stiction,
                "ticks": replayed.ticks,
                "same": same,
                "first_difference": replayed.difference.map(|d| json!({
                    "tick": d.tick, "hand": d.hand, "in_wrench": d.in_wrench, "recorded": d.recorded, "replayed": d.replayed,
                })),
                "gap_before_tick": replayed.gap,
                "cut_off_at_byte": replayed.cut_off.map(|c| c.byte),
                "formations": timeline_object(&formations),
            }))?;
        } else {
            let mut facts = Facts::default();
            facts.say(
                "replayed",
                format!("{} ticks of {}, recorded by Stiction {}", replayed.ticks, header.scene, header.stiction),
            );
            match replayed.difference {
                None => facts.say("verdict", "the same bits, in every wrench and every trace"),
                Some(d) => facts.say(
                    "verdict",
                    format!(
                        "differs from tick {} on (hand {}), {}: {:?} recorded, {:?} now; a change of the engine, a damaged input, or \
                         another version ({} then, {} now)",
                        d.tick,
                        d.hand,
                        if d.in_wrench { "in the wrench" } else { "in the trace only" },
                        d.recorded,
                        d.replayed,
                        header.stiction,
                        env!("CARGO_PKG_VERSION")
                    ),
                ),
            }
            timeline_lines(&formations).iter().for_each(|line| facts.say("touched", line));
            if let Some(tick) = replayed.gap {
                facts.say(
                    "stopped",
                    format!("at tick {tick}: those before it are missing, so what follows cannot be run again"),
                );
            }
            if let Some(cut) = replayed.cut_off {
                facts.say("cut off", format!("at byte {}: what comes before was replayed", cut.byte));
            }
            output::line(facts.text())?;
        }
        if same { Ok(()) } else { Err(Failure::Missed) }
    }
}
