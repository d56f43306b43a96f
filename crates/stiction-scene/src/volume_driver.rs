//! The engine of contact volumes as a run drives it and sums it up.

use crate::driven::DrivenEngine;
use crate::motion::MotionTally;
use crate::summary::Tally;
use crate::{Run, SceneError, World};
use serde::Serialize;
use stiction::columns::{Column, Row};
use stiction::contact::ContactId;
use stiction::friction::{SlipState, Verdict};
use stiction::simulation::{ContactArea, HandInput, Simulation};
use stiction::spatial::{Vec3, halves, join, log};
use stiction::trace::{ContactTrace, Trace};
use stiction_volume::{VolumeEngine, VolumeTick};

/// Sums and extremes over a run of many bodies so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct VolumeSummary {
    /// Number of bodies, those that are fixed among them.
    pub bodies: usize,
    /// Pairs of convex parts that touch in the last tick.
    pub pairs: u32,
    /// The largest number of such pairs in a tick.
    pub pairs_max: u32,
    /// Contact area of all bodies in the last tick (m²).
    pub area_m2: f64,
    /// The largest depth of any two bodies in each other (m).
    pub pair_depth_max_m: f64,
    /// Kinetic energy of all bodies after the first tick, after the last one, and the largest (J).
    pub kinetic_j: [f64; 3],
    /// Energy of weight and springs after the first tick and after the last one (J).
    pub potential_j: [f64; 2],
    /// The largest speed of a body's centre in the last tick (m/s), and its number.
    pub fastest_m_s: f64,
    /// The number of that body.
    pub fastest: usize,
}

/// The engine of contact volumes in a run. Its trace is that of the body in the first hand, or of the first free one where that holds nothing.
#[derive(Clone, Debug)]
pub struct VolumeDriver {
    engine: VolumeEngine,
    trace: Trace,
    /// The body that is told of while the first hand holds none.
    shown: usize,
    contacts: Vec<ContactTrace>,
    /// The contacts that there were so far: their places are their numbers for sums over a run.
    seen: Vec<u64>,
    sums: VolumeSummary,
}

impl VolumeDriver {
    /// Most contacts of a run that are told apart.
    pub const MOST_CONTACTS: usize = 1024;

    /// Drives an engine from where it is; while the first hand holds nothing, its trace is that of a body of this number.
    pub fn new(engine: VolumeEngine, shown: usize) -> VolumeDriver {
        let body = engine.bodies().get(shown);
        let trace = body.map_or_else(Trace::default, |body| Trace::blank(&body.pose, &body.centre));
        let sums = VolumeSummary { bodies: engine.bodies().len(), ..VolumeSummary::default() };
        let contacts = Vec::with_capacity(Self::MOST_CONTACTS);
        VolumeDriver { engine, trace, shown, contacts, seen: Vec::with_capacity(Self::MOST_CONTACTS), sums }
    }

    /// The engine itself.
    pub fn engine(&self) -> &VolumeEngine {
        &self.engine
    }

    /// What the last tick did at the first hand.
    pub fn tick(&self) -> &VolumeTick {
        self.engine.last(0)
    }

    /// Sums over the run so far.
    pub fn sums(&self) -> &VolumeSummary {
        &self.sums
    }

    /// The body that the trace is of.
    pub fn shown(&self) -> usize {
        self.engine.held_body(0).unwrap_or(self.shown)
    }

    /// Collects the contacts of a body; returns the sum of all contact areas (m²) and the largest depth (m).
    fn look(&mut self, shown: usize) -> [f64; 2] {
        let VolumeDriver { engine, contacts, seen, .. } = self;
        contacts.clear();
        let (mut area, mut depth) = (0.0, 0.0f64);
        engine.areas(&mut |contact| {
            area += polygon_area(contact);
            depth = depth.max(contact.depth);
            if contact.bodies.contains(&shown) && contacts.len() < contacts.capacity() {
                let known = seen.iter().position(|id| *id == contact.id);
                if known.is_none() && seen.len() < seen.capacity() {
                    seen.push(contact.id);
                }
                let number = known.or_else(|| seen.iter().position(|id| *id == contact.id));
                contacts.push(traced(contact, shown, number));
            }
        });
        [area, depth]
    }

    fn sum(&mut self, [area, depth]: [f64; 2]) {
        let (tick, first) = (*self.engine.last(0), self.trace.tick == 0);
        let fastest = self.engine.bodies().iter().map(|body| body.velocity.norm()).enumerate();
        let (fastest, speed) = fastest.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        let sums = &mut self.sums;
        (sums.pairs, sums.pairs_max) = (tick.pairs, sums.pairs_max.max(tick.pairs));
        (sums.area_m2, sums.pair_depth_max_m) = (area, sums.pair_depth_max_m.max(depth));
        if first {
            (sums.kinetic_j[0], sums.potential_j[0]) = (tick.kinetic, tick.potential);
        }
        sums.kinetic_j = [sums.kinetic_j[0], tick.kinetic, sums.kinetic_j[2].max(tick.kinetic)];
        sums.potential_j[1] = tick.potential;
        (sums.fastest, sums.fastest_m_s) = (fastest, speed);
    }
}

impl DrivenEngine for VolumeDriver {
    const USES_VELOCITY: bool = true;

    fn drive(&mut self, hands: &[HandInput], _period: f64) {
        let shown = self.shown();
        let before = self.engine.bodies().get(shown).map(|body| (body.pose, body.centre));
        self.engine.tick(hands);
        let seen = self.look(shown);
        let (tick, body) = (*self.engine.last(0), self.engine.bodies().get(shown));
        let mut trace = Trace { tick: tick.hand.tick, hand: tick.hand.hand, flags: tick.hand.flags, ..Trace::default() };
        (trace.wrench, trace.load) = (tick.hand.wrench, tick.hand.load);
        if let Some((body, (pose, centre))) = body.zip(before) {
            (trace.part, trace.centre) = (body.pose, body.centre);
            trace.step = join(body.centre - centre, log(&(body.pose.rotation * pose.rotation.inverse())));
        }
        self.contacts.iter().for_each(|contact| add(&mut trace, contact));
        trace.clearance = -trace.depth;
        trace.verdict = verdict(trace.stuck, trace.sliding, halves(&trace.step).0.norm() > 0.0);
        self.trace = trace;
        self.sum(seen);
    }

    fn last_trace(&self) -> &Trace {
        &self.trace
    }

    fn last_row(&self) -> Row {
        let mut row = Row::default();
        self.engine.last(0).put(&mut row);
        row
    }

    fn row_columns(&self) -> &'static [Column] {
        VolumeTick::columns()
    }

    fn last_contacts(&self) -> impl Iterator<Item = ContactTrace> {
        self.contacts.iter().copied()
    }
}

impl World {
    /// A run of the engine of contact volumes from the scene's start, with all hands of the scene.
    ///
    /// # Errors
    /// As [`volume_engine`](Self::volume_engine).
    pub fn volume_run(&self) -> Result<Run<VolumeDriver>, SceneError> {
        let driver = VolumeDriver::new(self.volume_engine()?, self.scene.roles[0]);
        let motion = MotionTally::new(self.scene.rate, VolumeDriver::MOST_CONTACTS, false);
        Ok(Run::new(self, driver, Tally::new(self.scene.rate, motion)))
    }
}

/// Takes a contact of the shown body into its trace.
fn add(trace: &mut Trace, contact: &ContactTrace) {
    let lever = contact.position - trace.centre;
    let normal = contact.normal * contact.normal_force;
    trace.normal += join(normal, lever.cross(&normal));
    trace.friction += join(contact.friction, lever.cross(&contact.friction));
    trace.contacts += 1;
    match contact.state {
        SlipState::Stuck => trace.stuck += 1,
        SlipState::Sliding => trace.sliding += 1,
        SlipState::Separated => trace.separating += 1,
    }
    trace.pressure += contact.normal_force;
    trace.depth = trace.depth.max(contact.depth);
}

/// A contact area as a contact of the body `on`, of this number in sums.
fn traced(area: &ContactArea, on: usize, number: Option<usize>) -> ContactTrace {
    let sign = if area.bodies[1] == on { 1.0 } else { -1.0 };
    ContactTrace {
        id: ContactId(number.map_or(u64::MAX, |n| n as u64)),
        limit: 0.0,
        slip: Vec3::zeros(),
        remembered: Vec3::zeros(),
        work: 0.0,
        position: area.centre,
        normal: area.normal * sign,
        depth: area.depth.max(0.0),
        normal_force: area.normal_force,
        friction: area.friction * sign,
        state: area.state,
    }
}

/// The area of a convex outline (m²).
fn polygon_area(area: &ContactArea) -> f64 {
    let Some(first) = area.outline.first() else { return 0.0 };
    let twice = |pair: &[Vec3]| (pair[0] - first).cross(&(pair[1] - first));
    0.5 * area.outline.windows(2).map(twice).fold(Vec3::zeros(), |a, b| a + b).norm()
}

/// A recorded tick of contact volumes in the terms of a trace: of the body in the hand. What a row does not tell, such as the step, is zero.
pub fn trace_of_volume_row(row: &Row) -> Option<Trace> {
    let tick = VolumeTick::take(row)?;
    let [stuck, sliding] = tick.held_states;
    let hand = tick.hand;
    Some(Trace {
        tick: hand.tick,
        hand: hand.hand,
        part: hand.body,
        centre: hand.centre,
        wrench: hand.wrench,
        load: hand.load,
        contacts: stuck + sliding,
        stuck,
        sliding,
        pressure: tick.normal_force,
        depth: tick.depth,
        clearance: -tick.depth,
        flags: hand.flags,
        verdict: verdict(stuck, sliding, true),
        ..Trace::default()
    })
}

/// What a body does whose contacts stick and slide like this.
fn verdict(stuck: u32, sliding: u32, moves: bool) -> Verdict {
    match (stuck, sliding) {
        (0, 0) => Verdict::Free,
        (_, 0) => Verdict::Holds,
        _ if moves => Verdict::Slips,
        _ => Verdict::Holds,
    }
}
