//! What reports ask of engines, and the timeline of what touched.

use super::flags;
use crate::facts::{grouped, number};
use serde_json::{Value, json};
use stiction::tick::Engine;
use stiction::trace::Flags;
use stiction_formation::timeline::{FormationTimeline, TimelineExcerpt};
use stiction_scene::{DrivenEngine, FormationDriver, Summary, World};

/// Formations that are told on a page, and in JSON.
const LINES: usize = 12;
const LISTED: usize = 1000;

/// An engine that the report of a run asks for more than its ticks.
pub trait ReportedEngine: DrivenEngine {
    /// Ticks whose result is coarser because the limit of work ended them early.
    fn coarse_tick_count(&self, summary: &Summary) -> u64;

    /// The depth up to which parts may be in each other (m); `None` if the engine does not let them.
    fn depth_that_is_safe(&self) -> Option<f64>;

    /// What was wrong in a run, and what to do about it.
    fn advice(&self, summary: &Summary) -> Vec<String>;

    /// Takes what touches in the last tick, which began at a time (s), into a timeline.
    fn look(&self, formations: &mut Formations, time: f64);
}

impl ReportedEngine for Engine {
    fn coarse_tick_count(&self, _summary: &Summary) -> u64 {
        self.coarse_ticks()
    }

    fn depth_that_is_safe(&self) -> Option<f64> {
        Some(self.safe_depth())
    }

    fn advice(&self, summary: &Summary) -> Vec<String> {
        flags::advice(self, summary)
    }

    fn look(&self, _formations: &mut Formations, _time: f64) {}
}

impl ReportedEngine for FormationDriver {
    fn coarse_tick_count(&self, summary: &Summary) -> u64 {
        flag_count(summary, Flags::COARSE)
    }

    fn depth_that_is_safe(&self) -> Option<f64> {
        None
    }

    fn advice(&self, summary: &Summary) -> Vec<String> {
        let deep = flag_count(summary, Flags::DEEP);
        let told = || {
            format!(
                "in {} ticks the parts were in each other: they started so, or the hand jumped. Move [start] or the first pose of [hand] clear of the fixed part",
                grouped(deep as usize)
            )
        };
        (deep > 0).then(told).into_iter().collect()
    }

    fn look(&self, formations: &mut Formations, time: f64) {
        formations.add(time, |line, period| line.add(time, period, &self.tick().named()));
    }
}

fn flag_count(summary: &Summary, flag: Flags) -> u64 {
    flag.names().filter_map(|name| summary.flags.get(name)).sum()
}

/// What touched in a run, from when to when.
pub struct Formations {
    line: FormationTimeline,
    period: f64,
}

impl Formations {
    /// Of a world in which nothing has happened.
    pub fn new(world: &World) -> Formations {
        Formations { line: FormationTimeline::default(), period: 1.0 / world.scene.rate }
    }

    fn add(&mut self, _time: f64, take: impl FnOnce(&mut FormationTimeline, f64)) {
        take(&mut self.line, self.period);
    }

    /// For JSON: the formations, and how many were left out; null if the engine names none.
    pub fn object(&self) -> Value {
        let TimelineExcerpt { spans, left_out } = self.line.excerpt(LISTED);
        if spans.is_empty() && left_out == 0 {
            return Value::Null;
        }
        let span = |s: &stiction_formation::timeline::FormationSpan| {
            json!({
                "from_s": s.from,
                "to_s": s.to,
                "type": stiction_formation::words::formation_type(&s.contacts),
                "words": s.words(),
                "sliding_share": s.sliding as f64 / s.ticks.max(1) as f64,
            })
        };
        json!({ "spans": spans.iter().map(span).collect::<Vec<_>>(), "left_out": left_out })
    }

    /// For a page: a line for each formation that lasted, and one about the others.
    pub fn lines(&self) -> Vec<String> {
        let TimelineExcerpt { spans, left_out } = self.line.excerpt(LINES);
        let mut lines: Vec<String> = spans.iter().map(|s| s.told()).collect();
        if left_out > 0 {
            let shortest = spans.iter().map(|s| s.to - s.from).fold(f64::INFINITY, f64::min);
            let than = if shortest.is_finite() { format!(", each shorter than {} s", number(shortest)) } else { String::new() };
            lines.push(format!("{} more{than}; all are in --json and in --trace", grouped(left_out)));
        }
        lines
    }
}
