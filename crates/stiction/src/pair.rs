//! Two hands, each with a part that is the other's fixed one.
//!
//! Each part's engine finds its equilibrium in the axes of the other part, so what friction holds goes along. But where friction holds both, neither
//! engine moves the two of them together, whatever the hands pull: in its own engine each part hangs on the other. That motion is made here,
//! before each tick: by Newton's third law contact forces cancel in the sum, so the pair as one body is in equilibrium where
//!
//! ```text
//! F = Σ F_i = 0,   T = Σ τ_i + r_i × F_i = 0        F_i, τ_i coupling and load on part i about its centre, r_i from the point between the centres
//! δx = β F/Σ k_i,   δω = β T/Σ (t_i + k_i |r_i|²)   k_i, t_i stiffness and torsion of the couplings
//! ```
//!
//! Both parts are seen moved by (δx, δω): their relative pose, contacts and slip memory stay as they are. With linear springs |F| falls by 1 - β a
//! tick; the stiffness in rotation is an upper bound, so that falls no faster. Saturated springs are softer and take longer. Nothing is moved without
//! contact, or where a hand is not known.

use crate::columns::{Column, Row};
use crate::probe::Probe;
use crate::simulation::{HandInput, HandTick, KnownLoad, Simulation};
use crate::spatial::{Pose, Rotation, Vec3, Vec6, exp, halves, join};
use crate::tick::Engine;
use crate::trace::{ContactTrace, Flags, Trace};

/// β: half, since contacts yield in the same tick.
const SHARE: f64 = 0.5;

/// Two engines on each other: each one's fixed part, which stands at the origin there, is the other's held part.
#[derive(Clone, Debug)]
pub struct Pair {
    engines: [Engine; 2],
    /// Where each part is, and where the part was that it lives in the axes of (world from part).
    parts: [Pose; 2],
    axes: [Pose; 2],
}

impl Pair {
    /// Two engines whose held parts begin at these poses (world from part). Each engine's fixed part must be the other's held part, at the origin of that engine's world.
    pub fn new(engines: [Engine; 2], parts: [Pose; 2]) -> Self {
        Pair { engines, parts, axes: [parts[1], parts[0]] }
    }

    /// The engine of each hand; its trace is in the axes of the other hand's part.
    pub fn engines(&self) -> &[Engine; 2] {
        &self.engines
    }

    /// Where each of the two parts is to be seen by the other's hand (world from part).
    fn seen(&self) -> [Pose; 2] {
        let traces = self.engines.each_ref().map(Engine::trace);
        let known = traces.iter().all(|t| t.contacts > 0 && !t.flags.has(Flags::BAD_HAND));
        if !known {
            return self.parts;
        }
        let pulls = [0, 1].map(|i| pull(traces[i], &self.parts[i]));
        let middle = (pulls[0].0 + pulls[1].0) * 0.5;
        let (mut force, mut torque, mut stiffness, mut torsion) = (Vec3::zeros(), Vec3::zeros(), 0.0, 0.0);
        for ((centre, f, t), engine) in pulls.iter().zip(&self.engines) {
            let coupling = &engine.settings().coupling;
            let arm = centre - middle;
            force += f;
            torque += t + arm.cross(f);
            stiffness += coupling.stiffness;
            torsion += coupling.torsion + coupling.stiffness * arm.norm_squared();
        }
        let (shift, turn) = (force * (SHARE / stiffness), exp(&(torque * (SHARE / torsion))));
        if !(shift.norm() < 1.0) {
            return self.parts;
        }
        self.parts.map(|p| {
            let place = middle + shift + turn * (p.translation.vector - middle);
            Pose::from_parts(place.into(), turn * p.rotation)
        })
    }

    /// The known loads of a part: its own, by its motion; and where they touch, the push of the other hand's part, by the motion of that one. By balance of forces contacts push with what the
    /// hand feels less the loads.
    fn known_loads(&self, hand: usize) -> [KnownLoad; 2] {
        let (trace, axes) = (self.engines[hand].trace(), &self.axes[hand]);
        let load = turned(&axes.rotation, &trace.load);
        let push = turned(&axes.rotation, &(trace.wrench - trace.load));
        let push = if trace.contacts > 0 { push } else { Vec6::zeros() };
        [
            KnownLoad { wrench: load, mover: self.parts[hand], held_in_mover: Pose::identity() },
            KnownLoad { wrench: push, mover: *axes, held_in_mover: trace.part },
        ]
    }
}

impl Simulation for Pair {
    fn hand_count(&self) -> usize {
        2
    }

    fn tick(&mut self, hands: &[HandInput], _period: f64) {
        let seen = self.seen();
        for (hand, engine) in self.engines.iter_mut().enumerate() {
            let input = hands.get(hand).copied().unwrap_or(HandInput::unknown());
            let axes = seen[1 - hand];
            let load = turned(&axes.rotation.inverse(), &input.load);
            let part = engine.tick(&axes.inv_mul(&input.pose), &load).part;
            (self.axes[hand], self.parts[hand]) = (axes, axes * part);
        }
    }

    fn hand(&self, hand: usize) -> HandTick {
        let (trace, axes) = (self.engines[hand].trace(), &self.axes[hand]);
        let centre = (axes * nalgebra::Point3::from(trace.centre)).coords;
        HandTick {
            tick: trace.tick,
            hand: axes * trace.hand,
            body: self.parts[hand],
            centre,
            wrench: turned(&axes.rotation, &trace.wrench),
            load: turned(&axes.rotation, &trace.load),
            contacts: trace.contacts,
            flags: trace.flags,
            known_loads: self.known_loads(hand),
        }
    }

    fn columns(&self) -> &[Column] {
        Trace::columns()
    }

    /// Poses, centre, wrench and load in the world; the engine's own columns in the axes of the other hand's part.
    fn record(&self, hand: usize, row: &mut Row) {
        row.clear();
        self.hand(hand).put(row);
        self.engines[hand].trace().put_own(row);
    }

    fn body_count(&self) -> usize {
        2
    }

    fn body(&self, body: usize) -> Pose {
        self.parts[body.min(1)]
    }

    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        let other = self.parts[1 - hand];
        if !self.engines[hand].place(&other.inv_mul(pose)) {
            return false;
        }
        self.engines[1 - hand].place(&pose.inv_mul(&other));
        self.parts[hand] = *pose;
        self.axes = [self.parts[1], self.parts[0]];
        true
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn contacts(&self, hand: usize, each: &mut dyn FnMut(&ContactTrace)) {
        let axes = &self.axes[hand];
        let turn = |v: &Vec3| axes.rotation * v;
        self.engines[hand].contacts().for_each(|c| {
            each(&ContactTrace {
                position: (axes * nalgebra::Point3::from(c.position)).coords,
                normal: turn(&c.normal),
                friction: turn(&c.friction),
                slip: turn(&c.slip),
                remembered: turn(&c.remembered),
                ..c
            });
        });
    }

    fn probe(&self, hand: usize) -> Option<Probe> {
        Some(self.engines[hand].probe())
    }

    fn copy_to(&self, hand: usize, probe: &mut Probe) {
        self.engines[hand].copy_to(probe);
    }

    fn coarse_ticks(&self) -> u64 {
        self.engines.iter().map(Engine::coarse_ticks).sum()
    }

    fn go_on_from(&mut self, other: &dyn Simulation) {
        match other.as_any().downcast_ref::<Pair>() {
            Some(pair) => {
                for (engine, from) in self.engines.iter_mut().zip(&pair.engines) {
                    engine.go_on_from(from);
                }
                (self.parts, self.axes) = (pair.parts, pair.axes);
            }
            None => (0..2.min(other.hand_count())).for_each(|hand| {
                self.place(hand, &other.hand(hand).body);
            }),
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// A part's centre, and force and torque of coupling and load about it, in the world.
fn pull(trace: &Trace, part: &Pose) -> (Vec3, Vec3, Vec3) {
    let axes = part * trace.part.inverse();
    let (force, torque) = halves(&(trace.load - trace.wrench));
    let centre = axes * nalgebra::Point3::from(trace.centre);
    (centre.coords, axes.rotation * force, axes.rotation * torque)
}

fn turned(turn: &Rotation, wrench: &Vec6) -> Vec6 {
    let (force, torque) = halves(wrench);
    join(turn * force, turn * torque)
}
