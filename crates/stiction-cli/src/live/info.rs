//! `stiction info`: what a recording is.

use crate::bars::Bars;
use crate::facts::Facts;
use crate::{Failure, output};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use stiction_bake::Progress;
use stiction_record::{Header, Recording};

/// Say what a recording is: scene, device, versions, length, gaps
#[derive(Args)]
pub struct Info {
    /// The recording
    file: PathBuf,
    /// One JSON object instead of the summary
    #[arg(long)]
    json: bool,
}

impl Info {
    /// Prints what a recording contains.
    pub fn run(&self) -> Result<(), Failure> {
        let named = |e: stiction_record::RecordError| Failure::Other(format!("{}: {e}", self.file.display()));
        let bars = Bars::new(false);
        bars.stage("reading", 0);
        let mut recording = Recording::open(&self.file).map_err(named)?;
        let survey = recording.survey().map_err(named)?;
        drop(bars);
        let (header, bytes) = (recording.header().clone(), recording.bytes());
        let ticks = survey.ticks.iter().flatten().map(|[first, last]| last - first + 1).max().unwrap_or(0);
        let seconds = ticks as f64 / header.rate_hz;
        if self.json {
            return Ok(output::json(&json!({
                "file": self.file.display().to_string(),
                "bytes": bytes,
                "header": header,
                "entries": survey.entries,
                "ticks": ticks,
                "seconds": seconds,
                "missing": survey.missing,
                "gaps": survey.gap_count,
                "cut_off_at_byte": survey.cut_off.map(|c| c.byte),
            }))?);
        }
        let mut facts = Facts::default();
        facts.say("recording", format!("{}, {} kB, format {}", self.file.display(), bytes / 1000, header.format));
        facts.say("by", format!("Stiction {}, {}", header.stiction, header.build));
        facts.say("scene", format!("{} ({})", header.scene, header.scene_path));
        if !header.overrides.is_empty() {
            facts.say("set", header.overrides.join(" "));
        }
        facts.say(
            "device",
            format!(
                "{}, {} hand(s), {} Hz, friction by {}",
                header.device, header.hands, header.rate_hz, header.method
            ),
        );
        say_files(&mut facts, &header);
        let words: Vec<String> = header.parameters.iter().map(|(key, value)| format!("{key} {value}")).collect();
        facts.say("parameters", words.join(", "));
        facts.say("length", format!("{ticks} ticks, {seconds:.3} s"));
        let missing = match survey.gap_count {
            0 => "none".into(),
            n => format!("{} in {n} gaps", survey.missing),
        };
        facts.say("missing", missing);
        if let Some(cut) = survey.cut_off {
            facts.say("cut off", format!("at byte {}: what comes before is good", cut.byte));
        }
        Ok(output::line(facts.text())?)
    }
}

/// The files that the scene names, whether they are in the recording, and what else is.
fn say_files(facts: &mut Facts, header: &Header) {
    let attached = |name: &str| header.attachments.iter().any(|a| a.name.strip_prefix("files/") == Some(name));
    for file in &header.files {
        let carried = if attached(&file.name) { "in the recording" } else { "not in the recording" };
        facts.say("file", format!("{}, {} bytes, hash {}, {carried}", file.name, file.bytes, file.hash));
    }
    let others = header.attachments.iter().filter(|a| !a.name.starts_with("files/"));
    for other in others {
        facts.say("attached", format!("{} ({}, {} bytes)", other.name, other.media_type, other.bytes.len()));
    }
}
