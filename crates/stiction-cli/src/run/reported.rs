//! What reports ask of engines, and the timeline of what touched.

use super::{flags, volume};
use crate::facts::{grouped, number};
use serde_json::{Map, Value, json};
use stiction::friction::{Method, SlipState};
use stiction::spatial::Pose;
use stiction::tick::Engine;
use stiction::trace::{ContactTrace, Flags};
use stiction_formation::naming::{ContactNamer, NamedContact, PointContact};
use stiction_formation::timeline::{FormationSpan, FormationTimeline, TimelineExcerpt};
use stiction_formation::words::formation_type;
use stiction_scene::{DrivenEngine, EngineKind, FormationDriver, Summary, VolumeDriver, World};

/// Formations that are told on a page, and in JSON.
const LINES: usize = 12;
const LISTED: usize = 1000;

/// An engine that the report of a run asks for more than its ticks.
pub trait ReportedEngine: DrivenEngine {
    /// Ticks whose result is coarser because the limit of work ended them early.
    fn coarse_tick_count(&self, summary: &Summary) -> u64;

    /// The depth up to which parts may be in each other (m); `None` if the engine does not let them.
    fn depth_that_is_safe(&self) -> Option<f64>;

    /// What was wrong in a run whose last tick had these flags, and what to do about it.
    fn advice(&self, last: Flags, summary: &Summary) -> Vec<String>;

    /// Takes what touches in the last tick, which began at a time (s), into a timeline.
    fn look(&self, formations: &mut Formations, time: f64);

    /// Lines of the report that tell of all bodies of the world, not of one part, each with its title.
    fn facts_of_world(&self, _world: &World) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The same for JSON.
    fn object_of_world(&self, _world: &World) -> Map<String, Value> {
        Map::new()
    }
}

impl ReportedEngine for Engine {
    fn coarse_tick_count(&self, _summary: &Summary) -> u64 {
        self.coarse_ticks()
    }

    fn depth_that_is_safe(&self) -> Option<f64> {
        Some(self.safe_depth())
    }

    fn advice(&self, last: Flags, summary: &Summary) -> Vec<String> {
        flags::advice(self, last, summary)
    }

    fn look(&self, formations: &mut Formations, time: f64) {
        formations.add_points(time, &self.trace().part, self.contacts());
    }
}

impl ReportedEngine for FormationDriver {
    fn coarse_tick_count(&self, summary: &Summary) -> u64 {
        flag_count(summary, Flags::COARSE)
    }

    fn depth_that_is_safe(&self) -> Option<f64> {
        None
    }

    fn advice(&self, _last: Flags, summary: &Summary) -> Vec<String> {
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
        formations.line.add(time, formations.period, &self.tick().named());
    }
}

impl ReportedEngine for VolumeDriver {
    fn coarse_tick_count(&self, summary: &Summary) -> u64 {
        flag_count(summary, Flags::COARSE)
    }

    fn depth_that_is_safe(&self) -> Option<f64> {
        None
    }

    fn advice(&self, _last: Flags, summary: &Summary) -> Vec<String> {
        let deep = flag_count(summary, Flags::DEEP);
        let told = || {
            format!(
                "in {} ticks bodies were deep in each other: raise contact.normal_stiffness or run.rate, or let hands push and throw less",
                grouped(deep as usize)
            )
        };
        (deep > 0).then(told).into_iter().collect()
    }

    fn look(&self, _formations: &mut Formations, _time: f64) {}

    fn facts_of_world(&self, world: &World) -> Vec<(&'static str, String)> {
        volume::lines(self, world)
    }

    fn object_of_world(&self, world: &World) -> Map<String, Value> {
        volume::object(self, world)
    }
}

fn flag_count(summary: &Summary, flag: Flags) -> u64 {
    flag.names().filter_map(|name| summary.flags.get(name)).sum()
}

/// What touched in a run, from when to when.
pub struct Formations {
    line: FormationTimeline,
    frictionless: bool,
    period: f64,
    /// Names for contacts at points, told so often (ticks).
    namer: Option<ContactNamer>,
    every: u64,
    ticks: u64,
    last: Vec<NamedContact>,
}

/// How often contacts at points are named, at most (Hz).
const NAMED_RATE: f64 = 100.0;

impl Formations {
    /// Of a world in which nothing has happened.
    pub fn new(world: &World) -> Formations {
        let scene = &world.scene;
        let namer = if scene.engine == EngineKind::QuasiStatic { world.contact_namer() } else { None };
        let every = (scene.rate / NAMED_RATE).ceil().max(1.0) as u64;
        let frictionless =
            scene.engine == EngineKind::QuasiStatic && scene.settings.friction.method == Method::Frictionless;
        let line = if frictionless { FormationTimeline::without_friction() } else { FormationTimeline::default() };
        Formations { line, frictionless, period: 1.0 / scene.rate, namer, every, ticks: 0, last: Vec::new() }
    }

    /// Takes contacts at points in, where they have names: those of every hundredth of a second.
    fn add_points(&mut self, time: f64, part: &Pose, contacts: impl Iterator<Item = ContactTrace>) {
        let Some(namer) = self.namer.as_ref().filter(|_| self.ticks.is_multiple_of(self.every)) else {
            self.ticks += 1;
            return;
        };
        self.ticks += 1;
        let touching = contacts.filter(|c| c.state != SlipState::Separated);
        let point = |c: ContactTrace| PointContact {
            position: c.position,
            normal: c.normal,
            sliding: c.state == SlipState::Sliding,
        };
        self.last = namer.names(part, touching.map(point));
        let named: Vec<_> = self.last.iter().map(|n| (n.contact, n.rule())).collect();
        self.line.add(time, self.every as f64 * self.period, &named);
    }

    /// For JSON: the formations, how many were left out, and what touches in the end; null if the engine names none.
    pub fn object(&self) -> Value {
        let mut out = timeline_object(&self.line);
        if let Value::Object(map) = &mut out {
            map.insert("last".into(), json!(self.last.iter().map(|n| n.words(self.frictionless)).collect::<Vec<_>>()));
        }
        out
    }

    /// For a page: a line for each formation that lasted, one about the others, and one about the end.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = timeline_lines(&self.line);
        if !self.last.is_empty() {
            let last: Vec<String> = self.last.iter().map(|n| n.words(self.frictionless)).collect();
            lines.push(format!("in the end {}", last.join("; ")));
        }
        lines
    }
}

/// A timeline for JSON; null if there is none.
pub fn timeline_object(line: &FormationTimeline) -> Value {
    let TimelineExcerpt { spans, left_out } = line.excerpt(LISTED);
    if spans.is_empty() && left_out == 0 {
        return Value::Null;
    }
    let span = |s: &FormationSpan| {
        json!({
            "from_s": s.from,
            "to_s": s.to,
            "type": formation_type(&s.contacts),
            "words": s.words(),
            "sliding_share": s.sliding as f64 / s.ticks.max(1) as f64,
        })
    };
    json!({ "spans": spans.iter().map(span).collect::<Vec<_>>(), "left_out": left_out })
}

/// A timeline for a page: a line for each formation that lasted, and one about the others; none if nothing ever touched.
pub fn timeline_lines(line: &FormationTimeline) -> Vec<String> {
    let TimelineExcerpt { spans, left_out } = line.excerpt(LINES);
    if spans.iter().all(|s| s.contacts.is_empty()) {
        return Vec::new();
    }
    let mut lines: Vec<String> = spans.iter().map(FormationSpan::told).collect();
    if left_out > 0 {
        let shortest = spans.iter().map(|s| s.to - s.from).fold(f64::INFINITY, f64::min);
        let shortest = number(shortest);
        lines.push(format!("{} more, each shorter than {shortest} s: --json tells up to {LISTED}", grouped(left_out)));
    }
    lines
}
