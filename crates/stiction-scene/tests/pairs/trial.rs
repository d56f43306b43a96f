//! What is tried with a pair. The parts are real, so the numbers they are held to are those of the list; every tolerance
//! is said here, before anything is measured.
//!
//! - A voxel h: the field is exact on flat faces, but rounds edges within a voxel of them. It is also the tolerance where the list
//!   has a play of 0.0018 mm, which is zero up to the facets.
//! - F/k₀: what a contact of the stiffness budget k₀ gives way under F.
//! - Interference i, of facets in each other: the list has it per way out.

use crate::data::{Pair, Removal, Way};
use std::sync::Arc;
use stiction::coupling::Coupling;
use stiction::friction::Method;
use stiction::spatial::{Pose, Vec3, Vec6, halves, log};
use stiction::tick::{Engine, Settings};
use stiction::trace::{Flags, Trace};

/// Ticks of 1 ms.
const SEATED: usize = 500;
const RAMP: usize = 200;
const REST: usize = 100;
/// Push while play is measured (N).
const PUSH: f64 = 1.5;
/// How far the hand goes where the way is blocked (m), and where it is free.
const FAR: f64 = 5e-3;
/// How far the part must follow where it is free.
const FREE: f64 = 4e-3;
const MU: f64 = 0.3;

/// Whether the hand may turn the part: play in the list is of pure translation.
#[derive(Clone, Copy, PartialEq)]
enum Grip {
    Usual,
    Upright,
}

/// What was found.
#[derive(Default)]
pub struct Report {
    pub rows: Vec<String>,
    pub failures: Vec<String>,
}

impl Report {
    fn check(&mut self, good: bool, words: String) {
        self.rows.push(format!("  {} {words}", if good { "    " } else { "FAIL" }));
        if !good {
            self.failures.push(words);
        }
    }
}

fn engine(pair: &Pair, method: Method, grip: Grip) -> Engine {
    let mut s = Settings { mu_static: MU, mu_kinetic: MU, ..Settings::default() };
    s.friction.method = method;
    if grip == Grip::Upright {
        s.coupling = Coupling { torsion: 2000.0, max_torque: 400.0, ..s.coupling };
    }
    Engine::new(s, Arc::clone(&pair.held), Arc::clone(&pair.fixed), Pose::identity(), pair.seated).unwrap()
}

fn shifted(pose: &Pose, by: Vec3) -> Pose {
    Pose::from_parts((pose.translation.vector + by).into(), pose.rotation)
}

/// Smooth from 0 to 1, at rest at both ends.
fn smooth(i: usize, of: usize) -> f64 {
    stiction_scene::minimum_jerk((i + 1) as f64 / of as f64)
}

/// How far the part's centre is along a direction from where it is when seated.
fn along(pair: &Pair, t: &Trace, direction: &Vec3) -> f64 {
    let centre = pair.seated * nalgebra::Point3::from(pair.held.mass.centre);
    (t.centre - centre.coords).dot(direction)
}

fn force(t: &Trace) -> f64 {
    halves(&t.device).0.norm()
}

/// Everything of a pair.
pub fn all(pair: &Pair) -> Report {
    let mut report = Report::default();
    let e = engine(pair, Method::Hold, Grip::Usual);
    report.rows.push(format!(
        "{}: voxel {:.3} mm, {} points, walls {:.2} and {:.2} mm, step bound {:.3} mm",
        pair.name,
        1e3 * pair.voxel(),
        pair.held.shell.points().len(),
        1e3 * pair.held.thinnest_wall(),
        1e3 * pair.fixed.thinnest_wall(),
        1e3 * e.step_bound(),
    ));
    for method in [Method::Frictionless, Method::Hold] {
        seated(pair, method, &mut report);
    }
    for way in &pair.ways {
        match way.play {
            Some(listed) => play(pair, way, listed, &mut report),
            None => free(pair, way, &mut report),
        }
    }
    for removal in &pair.removals {
        for method in [Method::Frictionless, Method::Hold] {
            remove(pair, removal, method, &mut report);
        }
    }
    for way in &pair.ways {
        if let Some(listed) = way.play {
            for method in [Method::Frictionless, Method::Hold] {
                for jump in [false, true] {
                    blocked(pair, way, listed, method, jump, &mut report);
                }
            }
        }
    }
    report
}

/// With the hand at the seated pose the part stays within a voxel of it, every point of it, and so the wrench within the coupling's
/// stiffness times a voxel.
fn seated(pair: &Pair, method: Method, report: &mut Report) {
    let mut e = engine(pair, method, Grip::Usual);
    let (mut most, mut deep, mut odd) = (0.0f64, 0, 0);
    for i in 0..SEATED {
        let t = *e.tick(&pair.seated, &Vec6::zeros());
        let turned = log(&(t.part.rotation * pair.seated.rotation.inverse())).norm() * e.radius();
        let centre = pair.seated * nalgebra::Point3::from(pair.held.mass.centre);
        most = most.max((t.centre - centre.coords).norm() + turned);
        let settled = i >= SEATED - REST;
        deep += usize::from(settled && t.flags.has(Flags::DEEP));
        odd += usize::from(t.flags.has(Flags::UNSOLVABLE) || t.flags.has(Flags::UNDECIDED));
    }
    let t = e.trace();
    let words = format!(
        "seated {method:?}: moved {:.4} mm, {} contacts, depth {:.4} mm, pressure {:.2} N, device {:.3} N, {deep} deep, \
         {odd} undecided",
        1e3 * most,
        t.contacts,
        1e3 * t.depth,
        t.pressure,
        force(t)
    );
    let good = most <= pair.voxel() && deep == 0;
    report.check(good, words);
}

/// Pushed gently, without friction, the part goes as far as the list says until contact carries the push.
fn play(pair: &Pair, way: &Way, listed: f64, report: &mut Report) {
    let mut e = engine(pair, Method::Frictionless, Grip::Upright);
    let s = *e.settings();
    let far = listed + PUSH / s.coupling.stiffness;
    for i in 0..RAMP + REST {
        e.tick(&shifted(&pair.seated, way.direction * (far * smooth(i, RAMP))), &Vec6::zeros());
    }
    let t = e.trace();
    let pushed = -halves(&t.device).0.dot(&way.direction);
    let found = along(pair, t, &way.direction) - pushed / s.budget.stiffness;
    let words = format!(
        "play {}: {:.4} mm, list {:.4} mm, {} contacts, push {pushed:.2} N",
        way.name,
        1e3 * found,
        1e3 * listed,
        t.contacts
    );
    report.check((found - listed).abs() <= pair.voxel() && t.contacts > 0, words);
}

/// Where the list has no play the way is free: 4 mm at least, for a hand that goes 5 mm.
fn free(pair: &Pair, way: &Way, report: &mut Report) {
    let mut e = engine(pair, Method::Frictionless, Grip::Upright);
    for i in 0..RAMP + REST {
        e.tick(&shifted(&pair.seated, way.direction * (FAR * smooth(i, RAMP))), &Vec6::zeros());
    }
    let found = along(pair, e.trace(), &way.direction);
    report.check(found >= FREE, format!("free {}: {:.3} mm of 5 mm", way.name, 1e3 * found));
}

/// The part follows the hand out and ends clear.
///
/// Bound on the force without friction: facets that are i deep in each other, and edges that the field rounds by a tenth of a voxel,
/// push with k₀ (i + h/10) at most, however many points touch; and static damping α lets a touching part lag α/(1 - α) of the
/// hand's way in a tick. With friction, µ times the pressure more, and twice that lag again (a slipping tick is damped, too).
fn remove(pair: &Pair, removal: &Removal, method: Method, report: &mut Report) {
    let mut e = engine(pair, method, Grip::Usual);
    let s = *e.settings();
    // A millimetre further than the list, so that nothing is about to touch.
    let length = removal.length + 1e-3;
    let ticks = 500.max((20.0 * 1e3 * length) as usize);
    let (mut peak, mut at, mut contacts, mut bound_at_most) = (0.0f64, 0.0, 0, 0.0f64);
    let mut excess = f64::NEG_INFINITY;
    let fastest = 1.875 * length / ticks as f64;
    let lag = s.coupling.stiffness * fastest * (1.0 + s.damping / (1.0 - s.damping));
    let bound = s.budget.stiffness * (removal.interference + 0.1 * pair.voxel()) + lag;
    for i in 0..ticks + REST {
        let go = length * smooth(i, ticks);
        let t = *e.tick(&shifted(&pair.seated, removal.direction * go), &Vec6::zeros());
        let allowed = if method == Method::Hold { bound + lag + MU * t.pressure } else { bound };
        bound_at_most = bound_at_most.max(allowed);
        excess = excess.max(force(&t) - allowed);
        contacts = contacts.max(t.contacts);
        if force(&t) > peak {
            (peak, at) = (force(&t), go);
        }
    }
    let t = e.trace();
    let behind = length - along(pair, t, &removal.direction);
    let words = format!(
        "out {} {method:?}: peak {peak:.3} N at {:.2} of {:.2} mm, bound {bound_at_most:.2} N, at most {contacts} contacts; at \
         the end {} contacts, {:.4} mm behind",
        removal.name,
        1e3 * at,
        1e3 * length,
        t.contacts,
        1e3 * behind
    );
    report.check(excess <= 0.0 && t.contacts == 0 && behind.abs() < 1e-6, words);
}

/// Where the list has a play, a hand 5 mm away takes the part no further than play, compliance and a voxel; on the way there, no
/// further than a step's bound more.
fn blocked(pair: &Pair, way: &Way, listed: f64, method: Method, jump: bool, report: &mut Report) {
    let mut e = engine(pair, method, Grip::Upright);
    let s = *e.settings();
    let mut most = f64::NEG_INFINITY;
    for i in 0..RAMP + REST {
        let go = if jump { 1.0 } else { smooth(i, RAMP) };
        let t = *e.tick(&shifted(&pair.seated, way.direction * (FAR * go)), &Vec6::zeros());
        most = most.max(along(pair, &t, &way.direction));
    }
    let t = e.trace();
    let end = along(pair, t, &way.direction);
    let pushed = -halves(&t.device).0.dot(&way.direction);
    let allowed = listed + pushed / s.budget.stiffness + pair.voxel();
    let words = format!(
        "blocked {} {method:?}{}: {:.4} mm of {:.4}, at most {:.4} mm, push {pushed:.1} N, depth {:.3} mm",
        way.name,
        if jump { " jump" } else { "" },
        1e3 * end,
        1e3 * allowed,
        1e3 * most,
        1e3 * t.depth
    );
    report.check(end <= allowed && most <= allowed + e.step_bound(), words);
}
