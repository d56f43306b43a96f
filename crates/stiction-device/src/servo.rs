//! One cycle of the servo loop: a device's measurement goes in, what may be sent to it comes out. No clock, no thread, no device in here:
//! all that a cycle depends on is its [`Input`], so a recording of inputs replays to the same bits.

use crate::device::{Alarms, DeviceError, Enable, State};
use crate::envelope::{Envelope, Phase, Report, SafeWrench, Seen, is_good};
use crate::mapping::Mapping;
use std::panic::{AssertUnwindSafe, catch_unwind};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, halves, join, log};
use stiction::tick::Engine;
use stiction::trace::Trace;

/// What others want of the loop. Plain data, handed over whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commands {
    /// The handle moves and the hand does not.
    pub clutch: bool,
    /// Emergency stop by software.
    pub stop: bool,
    /// Arms again after a latched fault whenever this number changes.
    pub rearm: u32,
    /// A wrench on the part about its centre, besides its weight (world).
    pub load: Vec6,
}

impl Default for Commands {
    fn default() -> Self {
        Commands { clutch: false, stop: false, rearm: 0, load: Vec6::zeros() }
    }
}

/// All that a cycle depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// Start of the cycle by the loop's clock (ns).
    pub now: u64,
    /// How far behind its deadline that is (ns).
    pub late: u64,
    /// What reading the device gave.
    pub read: Result<State, DeviceError>,
    /// Whether the last cycle's wrench got through.
    pub wrote: Result<(), DeviceError>,
    /// What others want.
    pub commands: Commands,
    /// Where the other hand's part is, for a part that meets it (world from part).
    pub other: Option<Pose>,
}

/// What a cycle did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// The engine's wrench at the handle, in the device's axes; zero where there is none.
    pub asked: Vec6,
    /// What the envelope let through.
    pub sent: SafeWrench,
    /// The tick.
    pub trace: Trace,
    /// The part (world from part).
    pub part: Pose,
    /// The envelope.
    pub report: Report,
}

/// An engine behind a mapping and before an envelope.
#[derive(Clone, Debug)]
pub struct Servo {
    engine: Engine,
    mapping: Mapping,
    envelope: Envelope,
    /// The hand (world from part) when the handle was last tied to it.
    hand: Pose,
    /// The engine panicked and is not to be trusted any more.
    broken: bool,
    /// Ticks until the engine panics on purpose.
    fuse: Option<u32>,
    rearmed: u32,
    /// Where the part was in the last cycle, and the other hand's part (world).
    loaded: Option<(Pose, Option<Pose>)>,
    output: Output,
}

/// A pose that the engine takes for missing.
fn nowhere() -> Pose {
    Pose::from_parts(nalgebra::Translation3::new(f64::NAN, f64::NAN, f64::NAN), Rotation::identity())
}

impl Servo {
    /// A servo whose handle will be tied to `hand` (world from part) by the first good measurement.
    pub fn new(engine: Engine, mapping: Mapping, envelope: Envelope, hand: Pose) -> Self {
        let trace = *engine.trace();
        let report = *envelope.report();
        let output = Output { asked: Vec6::zeros(), sent: SafeWrench::ZERO, trace, part: trace.part, report };
        Servo { engine, mapping, envelope, hand, broken: false, fuse: None, rearmed: 0, loaded: None, output }
    }

    /// The same with its part said to be elsewhere in the world until the first cycle: for parts that live in another part's axes.
    #[must_use]
    pub fn placed_at(mut self, part: Pose) -> Self {
        self.output.part = part;
        self
    }

    /// One cycle. Allocates nothing and never panics.
    pub fn cycle(&mut self, input: &Input) -> &Output {
        let Commands { clutch, stop, rearm, load } = input.commands;
        if rearm != self.rearmed {
            self.rearmed = rearm;
            self.envelope.rearm();
        }
        // Last: who wants both wants to stop.
        if stop {
            self.envelope.stop();
        }
        // A device that takes no wrench is as good as gone, but what forbids force counts whoever says it.
        let state = input.read.ok().filter(|state| input.wrote.is_ok() || forbids(state));
        let handle = state.and_then(|s| usable(&s.pose));
        let arming = input.read == Err(DeviceError::Arming);
        if arming {
            // It may be anywhere when it comes back.
            self.mapping.untie();
        }
        let clutched = clutch || state.is_some_and(|s| s.enable.clutched);
        let hand = self.hand(handle.as_ref(), clutched);
        let asked = self.tick(&hand, &load, input.other.as_ref());
        let felt = asked.map(|wrench| match handle {
            _ if clutched => Vec6::zeros(),
            Some(handle) => self.mapping.wrench(&wrench, &self.centre(input.other.as_ref()), &handle),
            // For how long, the envelope knows.
            None => self.output.asked,
        });
        let before = self.envelope.report().phase;
        let load_work = self.load_work(input.other.as_ref());
        if clutched {
            self.envelope.clutch();
        }
        let seen = Seen { now: input.now, state, late: input.late as f64 * 1e-9, load_work, arming };
        let sent = self.envelope.pass(felt.as_ref(), &seen);
        let report = *self.envelope.report();
        if report.phase == Phase::Ramping && before != Phase::Ramping {
            self.reindex(handle.as_ref(), input.other.as_ref());
        }
        let trace = *self.engine.trace();
        let part = input.other.map_or(trace.part, |other| other * trace.part);
        self.output = Output { asked: felt.unwrap_or_default(), sent, trace, part, report };
        &self.output
    }

    /// The hand in the world; nowhere without a measurement.
    fn hand(&mut self, handle: Option<&Pose>, clutched: bool) -> Pose {
        if clutched {
            self.mapping.untie();
            return self.hand;
        }
        let Some(handle) = handle else { return nowhere() };
        match self.mapping.hand(handle) {
            Some(hand) => self.hand = hand,
            None => self.mapping.tie(handle, &self.hand),
        }
        self.hand
    }

    /// Force comes back from nothing: the hand is put where the part is, so that it also is nothing at first. Not at the very start,
    /// where the scene says where the hand is.
    fn reindex(&mut self, handle: Option<&Pose>, other: Option<&Pose>) {
        let Some(handle) = handle else { return };
        if self.output.report.faults.iter().all(|n| *n == 0) {
            return;
        }
        let part = self.engine.trace().part;
        self.hand = other.map_or(part, |other| other * part);
        self.mapping.tie(handle, &self.hand);
    }

    /// The engine's wrench on the hand (world, about the part's centre); none if it ever panicked. A part that meets another hand's part lives
    /// in that part's axes, where it is the fixed one: what friction holds goes along with it.
    fn tick(&mut self, hand: &Pose, load: &Vec6, other: Option<&Pose>) -> Option<Vec6> {
        if self.broken {
            return None;
        }
        let (hand, load) = match other {
            Some(other) => (other.inv_mul(hand), turned(&other.rotation.inverse(), load)),
            None => (*hand, *load),
        };
        let (engine, fuse) = (&mut self.engine, &mut self.fuse);
        let tick = || {
            burn(fuse);
            engine.tick(&hand, &load).device
        };
        let Ok(wrench) = catch_unwind(AssertUnwindSafe(tick)) else {
            self.broken = true;
            return None;
        };
        Some(other.map_or(wrench, |other| turned(&other.rotation, &wrench)))
    }

    /// Work that known loads did on the part in this tick, as it counts at the handle (J): its weight and other loads by the part's motion, and the other hand's part, where they touch,
    /// by the motion of that one. By balance of forces contacts push with what the hand feels less the loads.
    fn load_work(&mut self, other: Option<&Pose>) -> f64 {
        let trace = self.engine.trace();
        let part = other.map_or(trace.part, |other| other * trace.part);
        let Some((part_before, other_before)) = self.loaded.replace((part, other.copied())) else { return 0.0 };
        let limits = self.envelope.report().limits;
        let centre = trace.part.inverse_transform_point(&trace.centre.into()).coords;
        let point = nalgebra::Point3::from(self.mapping.load_point(&centre));
        let work = |wrench: &Vec6, from: &Pose, to: &Pose, point: &nalgebra::Point3<f64>| {
            let motion = join(to * point - from * point, log(&(to.rotation * from.rotation.inverse())));
            self.mapping.load(wrench, limits).dot(&motion)
        };
        let Some((other, before)) = other.zip(other_before.as_ref()) else {
            return work(&trace.load, &part_before, &part, &point);
        };
        let load = turned(&other.rotation, &trace.load);
        let push = turned(&other.rotation, &(trace.device - trace.load));
        let carried = if trace.contacts > 0 { work(&push, before, other, &(trace.part * point)) } else { 0.0 };
        work(&load, &part_before, &part, &point) + carried
    }

    fn centre(&self, other: Option<&Pose>) -> Vec3 {
        let centre = self.engine.trace().centre;
        other.map_or(centre, |other| (other * nalgebra::Point3::from(centre)).coords)
    }

    /// The last cycle.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to ask for margins or to put the part elsewhere.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The engine will panic after so many more ticks: for tests of what happens then.
    #[doc(hidden)]
    pub fn panic_after(&mut self, ticks: u32) {
        self.fuse = Some(ticks);
    }

    /// How the handle is tied to the hand.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The safety envelope.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}

/// Panics, without telling anybody, when the fuse has burnt down.
fn burn(fuse: &mut Option<u32>) {
    match fuse {
        Some(0) => std::panic::resume_unwind(Box::new(())),
        Some(left) => *left -= 1,
        None => {}
    }
}

fn turned(turn: &Rotation, wrench: &Vec6) -> Vec6 {
    let (force, torque) = halves(wrench);
    join(turn * force, turn * torque)
}

/// Whether a device says that there must be no force now.
fn forbids(state: &State) -> bool {
    let Enable { hand, estop_ok, powered, .. } = state.enable;
    !(hand && estop_ok && powered) || state.alarms.has(Alarms::FAILURE) || state.alarms.has(Alarms::OVERSPEED)
}

/// What the engine can use of a measured pose, its quaternion made one of length 1; none where the envelope calls it bad.
fn usable(pose: &Pose) -> Option<Pose> {
    let good = is_good(pose);
    good.then(|| Pose::from_parts(pose.translation, Rotation::new_normalize(*pose.rotation.quaternion())))
}
