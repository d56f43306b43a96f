//! What a unit of work takes on this machine: measured once, when a live session starts.
//!
//! Ticks count their work (`stiction::tick::Work`) and never look at a clock, so that a recording replays to the same bits. A live session must
//! know how much of it fits into half a period. So it runs ticks of its own engine with its own shapes: the held part is put against
//! points all over the fixed part, just touching and half inside, and pressed. The time of a unit is that of the heaviest of these poses, each by the
//! median of its ticks; the rest of a pose's ticks are there to warm caches and the processor's clock. Ticks of a part that moves fast find little of what they need in the caches:
//! so ticks are timed, too, that each come to another pose, and the longer time counts.

use crate::error::SessionError;
use crate::session::Session;
use stiction::shape::{Shape, ShellPoint};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::{ContactModel, Engine};
use stiction_device::realtime::thread_time;
use stiction_scene::EngineKind;

/// Share of a period that a tick may take.
const SHARE: f64 = 0.5;
/// How much longer than the median a tick of the same work may take. By `stiction-lab bench budget` on an otherwise idle virtual machine with two cores, 999 of 1000 ticks of a
/// nut on a bolt took up to 1.5 times the median time of their work, in one run. The longest of 600 ticks of a slab with 10,000 points took more, 523 and 567 µs of 500; why is not known.
const SAFETY: f64 = 1.5;
/// Points of the fixed part that the held one is put against.
const PLACES: usize = 6;
/// Ticks at a pose, and how many of them are not timed.
const TICKS: usize = 9;
const WARM: usize = 4;
/// Ticks at a pose after each of which another pose comes.
const ROUNDS: usize = 5;
/// Share of the largest work of a pose from which poses count: a unit takes longer where there are few.
const HEAVY: f64 = 0.5;
/// A guess of the time of a unit, for the first round (ns).
const GUESS: f64 = 50.0;

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Time of a unit of work (ns).
    pub ns_per_unit: f64,
    /// Units of work that fit into half a period.
    pub work: u64,
}

impl Calibration {
    /// Units of work that a tick may take where so many engines share a period.
    pub fn work_of_one(&self, engines: usize) -> u64 {
        self.work / engines.max(1) as u64
    }
}

impl Session {
    /// Measures how much work fits into half a period, in some milliseconds to a tenth of a second. None for penalty contacts and other engines, whose ticks do not count their work.
    ///
    /// # Errors
    /// [`SessionError`] where the engine refuses its settings.
    pub fn calibrate(&self) -> Result<Option<Calibration>, SessionError> {
        let scene = &self.world.scene;
        if scene.engine != EngineKind::QuasiStatic
            || !matches!(scene.settings.contact_model(), ContactModel::Hard | ContactModel::Unilateral)
        {
            return Ok(None);
        }
        let time = SHARE * 1e9 * self.period();
        let mut engine = self.world.engine()?;
        let poses = poses(&self.world.held, &self.world.fixed, &scene.world_from_fixed(), &scene.start());
        let mut ns_per_unit = GUESS;
        for _ in 0..2 {
            engine.limit_work((time / ns_per_unit) as u64);
            ns_per_unit = SAFETY * measure(&mut engine, &poses);
        }
        let work = ((time / ns_per_unit) as u64).max(engine.least_work());
        Ok(Some(Calibration { ns_per_unit, work }))
    }

    /// The session with its ticks limited to what the machine does in half a period, shared by so many engines, and to what the scene allows. The limit is part of the
    /// plan from then on, and of the recording.
    ///
    /// # Errors
    /// As [`calibrate`](Self::calibrate).
    pub fn calibrated(mut self, engines: usize) -> Result<Session, SessionError> {
        let found = self.calibrate()?;
        self.limit_work(found.map(|c| c.work_of_one(engines)));
        Ok(self)
    }

    /// The session with its ticks limited to this work and to what the scene allows.
    pub fn limit_work(&mut self, work: Option<u64>) {
        self.plan.work = work;
        let settings = &mut self.world.scene.settings;
        settings.work = settings.work.min(work.unwrap_or(u64::MAX));
    }
}

/// Poses of the held part with the way into the fixed part.
fn poses(held: &Shape, fixed: &Shape, world_from_fixed: &Pose, start: &Pose) -> Vec<(Pose, Vec3)> {
    let mut out = Vec::with_capacity(2 * PLACES);
    let size = (held.field.part().max - held.field.part().min).min();
    for place in fixed.shell.points().iter().take(PLACES) {
        let normal = world_from_fixed.rotation * place.normal;
        let at = world_from_fixed * nalgebra::Point3::from(place.position);
        // The point of the held part that faces this one best.
        let facing = |p: &ShellPoint| (start.rotation * p.normal).dot(&normal);
        let points = held.shell.points().iter().take(256);
        let Some(point) = points.min_by(|a, b| facing(a).total_cmp(&facing(b))) else { continue };
        for depth in [1e-5, 0.25 * size] {
            let shift = at.coords - normal * depth - start.rotation * point.position;
            out.push((Pose::from_parts(shift.into(), start.rotation), -normal));
        }
    }
    out
}

/// The time of a unit (ns), in ticks that follow one another at a pose or in ticks that each come to another pose, whichever is longer.
fn measure(engine: &mut Engine, poses: &[(Pose, Vec3)]) -> f64 {
    let mut following = vec![Vec::with_capacity(TICKS); poses.len()];
    for ((pose, inwards), ticks) in poses.iter().zip(&mut following) {
        engine.place(pose);
        for i in 1..=TICKS {
            ticks.push(time(engine, pose, inwards * (2e-4 * i as f64)));
        }
        ticks.drain(..WARM);
    }
    let mut jumping = vec![Vec::with_capacity(ROUNDS); poses.len()];
    for _ in 0..ROUNDS {
        for ((pose, inwards), ticks) in poses.iter().zip(&mut jumping) {
            engine.place(pose);
            ticks.push(time(engine, pose, inwards * 2e-4));
        }
    }
    let longest = time_of_unit(following).max(time_of_unit(jumping));
    if longest > 0.0 && longest.is_finite() { longest } else { GUESS }
}

/// The time of a tick with the hand that far from a pose (ns), and its units of work.
fn time(engine: &mut Engine, pose: &Pose, away: Vec3) -> (f64, u64) {
    let mut hand = *pose;
    hand.translation.vector += away;
    let begun = thread_time();
    engine.tick(&hand, &Vec6::zeros());
    (thread_time().saturating_sub(begun) as f64, engine.work().units())
}

/// The longest time of a unit at the heaviest poses, of each by the median of its ticks.
fn time_of_unit(poses: Vec<Vec<(f64, u64)>>) -> f64 {
    let medians = poses.into_iter().filter(|ticks| !ticks.is_empty()).map(|mut ticks| {
        ticks.sort_by(|a, b| (a.0 * b.1 as f64).total_cmp(&(b.0 * a.1 as f64)));
        ticks[ticks.len() / 2]
    });
    let medians: Vec<(f64, u64)> = medians.collect();
    let most = medians.iter().map(|m| m.1).max().unwrap_or(0) as f64;
    let heavy = medians.iter().filter(|m| m.1 as f64 >= HEAVY * most);
    heavy.map(|(ns, units)| ns / *units as f64).fold(0.0, f64::max)
}
