//! A random hand on every scene: what must never happen does not, whatever the hand does.
//!
//! The hand wanders smoothly about the place where the scene presses (it presses, slides, lifts and twists), stops, jumps somewhere else and
//! back, lets go and comes again by the scene's own way, and now and then is no pose at all; loads come and go. Some seconds of a scene
//! here; `STICTION_STUDY=n` is n minutes, `make soak` ten.
//!
//! Held every tick: numbers are finite, forces within the coupling's limits, the step within what the clearance proves, the balance
//! solved, depths within [`Watch::bound`]. Every 50th tick, without the engine's own contacts: all points of both shells against the other
//! part's field, and on which side the part is.

mod support;

use stiction::contact::penalty::ShellOn;
use stiction::friction::{Method, Metric};
use stiction::shape::{DistanceField, PointShell};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp, halves, join, log};
use stiction::tick::{Engine, Settings};
use stiction::trace::{Flags, Trace};
use stiction_results::{Measurement, ResultLog, Target};
use stiction_scene::{World, minimum_jerk};
use support::{Random, study, with_method, world};

/// `hold` mostly, and the others in turn.
const METHODS: [Method; 8] = [
    Method::Hold,
    Method::Lp,
    Method::Hold,
    Method::Qp(Metric::Stiffness),
    Method::Qp(Metric::Mass),
    Method::Hold,
    Method::Yamane,
    Method::Frictionless,
];

/// Ticks of one engine in tests.
const SHORT: u64 = 600;
/// Every so many ticks all points are looked at.
const EXHAUSTIVE: u64 = 50;

/// What one scene's hand may do.
#[derive(Clone, Copy)]
struct Case {
    scene: &'static str,
    /// Overrides: limits of the coupling that the contacts can bear (see [`soak`]).
    set: &'static [&'static str],
    /// The length ℓ of the part's face or of what is in the hole (m).
    length: f64,
    /// When the scene's own hand is where it presses, as a share of the scene's length.
    home: f64,
    /// Where nothing is in the way.
    away: Vec3,
    /// Amplitude of the wandering (m, rad).
    wander: [f64; 2],
    /// Furthest jump (m): not so far that the way to it leads around the fixed part.
    jump: f64,
    /// Whether the part is on its side, given its centre in the fixed part's axes.
    right_side: fn(&Vec3) -> bool,
}

/// What the hand does for some ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Wander,
    Pause,
    Jump(Vec3, Vec3),
    LetGo,
}

/// Smooth motion of one component: a sum of sines.
struct Wave([[f64; 2]; 3]);

impl Wave {
    fn new(random: &mut Random) -> Wave {
        Wave([0.4, 1.1, 2.9].map(|hz| [hz * (0.7 + 0.6 * random.unit()), random.unit()]))
    }

    fn at(&self, t: f64) -> f64 {
        let sine = |[hz, phase]: [f64; 2]| libm::sin(std::f64::consts::TAU * (hz * t + phase));
        0.6 * sine(self.0[0]) + 0.3 * sine(self.0[1]) + 0.1 * sine(self.0[2])
    }
}

struct Hand<'a> {
    case: &'a Case,
    world: &'a World,
    random: Random,
    waves: [Wave; 12],
    /// Time of the waves; stands still in pauses.
    time: f64,
    gain: f64,
    act: Act,
    tick: u64,
    ticks: u64,
}

impl<'a> Hand<'a> {
    fn new(case: &'a Case, world: &'a World, seed: u64) -> Hand<'a> {
        let mut random = Random(seed);
        let waves = [(); 12].map(|()| Wave::new(&mut random));
        // It comes by the scene's own way.
        Hand { case, world, random, waves, time: 0.0, gain: 1.0, act: Act::LetGo, tick: 100, ticks: 400 }
    }

    fn next_act(&mut self) {
        let r = &mut self.random;
        self.act = match r.word() % 10 {
            0..=4 => Act::Wander,
            5 => Act::Pause,
            6..=7 => {
                let to = Vec3::new(r.signed(), r.signed(), r.signed()) * self.case.jump;
                // A turn by anything, or a small one.
                let size = if r.word().is_multiple_of(2) { 1.8 } else { 0.1 };
                Act::Jump(to, Vec3::new(r.signed(), r.signed(), r.signed()) * size)
            }
            _ => Act::LetGo,
        };
        self.tick = 0;
        self.ticks = if self.act == Act::LetGo { 400 } else { 50 + r.word() % 300 };
        self.gain = 0.2 + 0.8 * r.unit();
    }

    fn wave(&self, first: usize) -> Vec3 {
        Vec3::from_fn(|i, _| self.waves[first + i].at(self.time))
    }

    /// Pose and load of the next tick.
    fn next(&mut self) -> (Pose, Vec6) {
        if self.tick == self.ticks {
            self.next_act();
        }
        let scene = &self.world.scene;
        let home_time = self.case.home * scene.seconds;
        self.time += if self.act == Act::Pause { 0.0 } else { 1e-3 };
        let [far, turn] = self.case.wander;
        let home = scene.hand().pose(home_time);
        let put = |shift: Vec3, turn: Vec3, pose: &Pose| {
            Pose::from_parts((pose.translation.vector + shift).into(), exp(&turn) * pose.rotation)
        };
        let wandered = put(self.wave(0) * far, self.wave(3) * turn, &home);
        let mut pose = match self.act {
            Act::Wander | Act::Pause => wandered,
            Act::Jump(shift, turn) => put(shift, turn, &wandered),
            Act::LetGo => {
                // Away, to the scene's start, and by its own way back, to where the wandering is.
                let away = put(self.case.away, Vec3::zeros(), &home);
                let start = scene.hand().pose(0.0);
                let share = |from: u64, ticks: u64| {
                    minimum_jerk((self.tick.saturating_sub(from) as f64 / ticks as f64).min(1.0))
                };
                match self.tick {
                    0..50 => between(&wandered, &away, share(0, 50)),
                    50..100 => between(&away, &start, share(50, 50)),
                    100..350 => scene.hand().pose(home_time * share(100, 250)),
                    _ => between(&home, &wandered, share(350, 50)),
                }
            }
        };
        self.tick += 1;
        let r = &mut self.random;
        match r.word() % 400 {
            0 => pose.translation.vector.y = f64::NAN,
            1 => pose.translation.vector.x = f64::INFINITY,
            2 => pose.rotation = Rotation::new_unchecked(nalgebra::Quaternion::new(0.0, 0.0, f64::NAN, 0.0)),
            3 => pose.rotation = Rotation::new_unchecked(nalgebra::Quaternion::new(0.0, 0.0, 0.0, 0.0)),
            _ => {}
        }
        // A tenth of what the hand can do.
        let (force, torque) = (scene.settings.coupling.max_force, scene.settings.coupling.max_torque);
        let mut load = join(self.wave(6) * (0.1 * force * self.gain), self.wave(9) * (0.1 * torque * self.gain));
        if self.random.word().is_multiple_of(500) {
            load[4] = f64::NAN;
        }
        (pose, load)
    }
}

fn between(a: &Pose, b: &Pose, s: f64) -> Pose {
    let turn = log(&(b.rotation * a.rotation.inverse()));
    Pose::from_parts((a.translation.vector.lerp(&b.translation.vector, s)).into(), exp(&(turn * s)) * a.rotation)
}

/// The least distance of a shell's points by a field.
fn least(shell: &PointShell, field: &DistanceField, field_from_shell: &Pose) -> f64 {
    let at = |p: &Vec3| field.distance((field_from_shell * nalgebra::Point3::from(*p)).coords);
    shell.points().iter().map(|p| at(&p.position)).fold(f64::INFINITY, f64::min)
}

/// The widest gap between points of the shell that collides: how far the nearest neighbour of a point is at most (m). A corner of the other
/// part that stands on it between points is felt only once its flanks, of 45 degrees or less for a box, meet some.
fn widest_gap(world: &World) -> f64 {
    let carrier = if world.scene.settings.shell_on == ShellOn::Held { &world.held } else { &world.fixed };
    let points = carrier.shell.points();
    let nearest = |i: usize| {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, p)| (p.position - points[i].position).norm_squared()).fold(f64::INFINITY, f64::min)
    };
    (0..points.len()).map(nearest).fold(0.0, f64::max).sqrt()
}

/// The largest that were seen.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    depth: f64,
    own_shell: f64,
    other_shell: f64,
    force: f64,
    torque: f64,
    residual: f64,
    contacts: u64,
    ticks: u64,
    held: u64,
    flags: u32,
}

struct Watch<'a> {
    case: &'a Case,
    /// The deepest that a point may be (m), of the shell that collides and of the other one.
    bound: f64,
    other_bound: f64,
    seen: Seen,
    wrong: Vec<String>,
}

impl Watch<'_> {
    fn wrong(&mut self, what: String) {
        self.wrong.push(what);
    }

    fn tick(&mut self, e: &Engine, before: &Pose, t: &Trace, act: Act, method: Method) {
        let scene = self.case.scene;
        let place = || {
            format!("{scene}, {method:?}, tick {}, {act:?}, flags {:?}", t.tick, t.flags.names().collect::<Vec<_>>())
        };
        let numbers = t.part.translation.vector.iter().chain(t.part.rotation.coords.iter()).chain(&t.centre);
        let numbers = numbers.chain(&t.wrench).chain(&t.load).chain(&t.normal).chain(&t.friction).chain(&t.step);
        let rest = [t.residual, t.pressure, t.limit, t.work[0], t.depth];
        if !numbers.chain(&rest).all(|x| x.is_finite()) {
            self.wrong(format!("{}: not finite", place()));
        }
        let (force, torque) = halves(&t.wrench);
        let limits = e.settings().coupling;
        if !(force.norm() < limits.max_force && torque.norm() < limits.max_torque) {
            self.wrong(format!("{}: {} N, {} N m", place(), force.norm(), torque.norm()));
        }
        // Yamane's springs are there for comparison; where they find no balance, they say so. So do hard contacts when their budget is spent.
        let hard = e.settings().contact_model() == stiction::tick::ContactModel::Hard;
        let told = (method == Method::Yamane || hard) && t.flags.has(Flags::UNDECIDED);
        // A tick with a bad hand leaves all as it was.
        let solved = !t.flags.has(Flags::BAD_HAND);
        if solved && !told && !(t.residual < 1e-6) {
            self.wrong(format!("{}: residual {}", place(), t.residual));
        }
        if t.flags.has(Flags::UNSOLVABLE) {
            self.wrong(format!("{}: unsolvable", place()));
        }
        let (moved, turned) = halves(&t.step);
        let reach = moved.norm() + turned.norm() * e.radius();
        let allowed = self.allowed(e, before, t);
        if !(reach <= allowed * (1.0 + 1e-9)) {
            self.wrong(format!("{}: a step of {reach} m, {allowed} m allowed", place()));
        }
        if !(t.depth <= self.bound) {
            self.wrong(format!("{}: {} m deep", place(), t.depth));
        }
        let s = &mut self.seen;
        s.depth = s.depth.max(t.depth);
        (s.force, s.torque) = (s.force.max(force.norm()), s.torque.max(torque.norm()));
        s.residual = s.residual.max(t.residual);
        s.contacts += u64::from(t.contacts);
        s.held += u64::from(t.verdict == stiction::friction::Verdict::Holds);
        s.ticks += 1;
        s.flags |= t.flags.0;
        if t.tick.is_multiple_of(EXHAUSTIVE) {
            self.exhaustive(e, t, &place());
        }
    }

    /// What a step may be: in one solve the clearance and the step bound. Of several, only the last clearance is told; then by
    /// the distance d of the nearest point before the tick: c₁ ≤ d, a solve moves by m_i ≤ c_i + b at most, and c_{i+1} ≤ c_i + m_i.
    fn allowed(&self, e: &Engine, before: &Pose, t: &Trace) -> f64 {
        let bound = e.step_bound();
        if t.substeps <= 1 {
            return t.clearance.max(0.0) + bound;
        }
        let [held, fixed] = e.parts();
        let fixed_from_held = e.world_from_fixed().inv_mul(before);
        let mut clearance = match e.settings().shell_on {
            ShellOn::Held | ShellOn::Both => least(&held.shell, &fixed.field, &fixed_from_held),
            ShellOn::Fixed => least(&fixed.shell, &held.field, &fixed_from_held.inverse()),
        };
        clearance = clearance.max(0.0);
        let mut reach = 0.0;
        for _ in 0..t.substeps {
            let step = clearance + bound;
            reach += step;
            clearance += step;
        }
        reach
    }

    /// All points of both shells, and the side.
    fn exhaustive(&mut self, e: &Engine, t: &Trace, place: &str) {
        let [held, fixed] = e.parts();
        let fixed_from_held = e.world_from_fixed().inv_mul(&t.part);
        let depths = [
            -least(&held.shell, &fixed.field, &fixed_from_held),
            -least(&fixed.shell, &held.field, &fixed_from_held.inverse()),
        ];
        let [own, other] = if e.settings().shell_on == ShellOn::Held { depths } else { [depths[1], depths[0]] };
        for (which, depth, bound) in [("colliding", own, self.bound), ("other", other, self.other_bound)] {
            if !(depth <= bound) {
                self.wrong(format!("{place}: by all points of the {which} shell {depth} m deep"));
            }
        }
        self.seen.own_shell = self.seen.own_shell.max(own);
        self.seen.other_shell = self.seen.other_shell.max(other);
        let centre = e.world_from_fixed().inverse() * nalgebra::Point3::from(t.centre);
        if !(self.case.right_side)(&centre.coords) {
            self.wrong(format!("{place}: centre at {:?} on the wrong side", centre.coords.data.0[0]));
        }
    }
}

/// The bound of depths is a quarter of the thinnest wall: a point that is not deeper finds its way out on the side it came from, also in a
/// wall that is pressed from both sides at once.
///
/// Springs give way to whatever presses. A force F sinks a part by F/k₀, and a torque τ on a length ℓ that bears evenly sinks its ends by
/// 6τ/(k₀ℓ). So the bound can be kept only if the coupling's limits sink a part by less: half of it here, since parts also touch with
/// less than all of ℓ and on the move. Where the scene's own limits are beyond that, `set` has others. [`as_shipped`] has the scene's own and
/// holds them to half of the wall, beyond which a point would find its way out on the other side.
///
/// The other part's corners may stand between the points of the shell that collides: by up to the widest gap between these deeper. Beyond half
/// of the wall they would be out on its other side.
fn soak(case: &Case, shipped: bool) {
    let world = world(case.scene, case.set);
    let ticks = study().map_or(SHORT, |minutes| minutes * 60_000 / METHODS.len() as u64);
    let wall = world.held.thinnest_wall().min(world.fixed.thinnest_wall());
    let Settings { coupling, budget, .. } = world.scene.settings;
    let sunk = (coupling.max_force + 6.0 * coupling.max_torque / case.length) / budget.stiffness;
    assert!(
        shipped || sunk <= 0.125 * wall,
        "{}: sinks by {sunk} m, an eighth of the wall is {} m",
        case.scene,
        0.125 * wall
    );
    let bound = if shipped { 0.5 * wall } else { 0.25 * wall };
    let other_bound = (bound + widest_gap(&world)).min(0.5 * wall);
    let mut watch = Watch { case, bound, other_bound, seen: Seen::default(), wrong: Vec::new() };
    for (number, method) in METHODS.into_iter().enumerate() {
        let mut engine = with_method(&world, method).engine().unwrap();
        let mut hand = Hand::new(case, &world, 1 + number as u64);
        let mut before = engine.trace().part;
        for _ in 0..ticks {
            let (pose, load) = hand.next();
            let t = *engine.tick(&pose, &load);
            watch.tick(&engine, &before, &t, hand.act, method);
            before = t.part;
        }
    }
    let s = watch.seen;
    println!(
        "{}: {} ticks, {:.0} contacts on average, held in {:.0} %; depth {:.3} mm, by all points {:.3} mm and {:.3} mm (other shell), \
         {:.3} mm and {:.3} mm allowed, gaps between points {:.3} mm; {:.1} N, {:.2} N m; residual {:.1e}; {:?}",
        case.scene,
        s.ticks,
        s.contacts as f64 / s.ticks as f64,
        100.0 * s.held as f64 / s.ticks as f64,
        1e3 * s.depth,
        1e3 * s.own_shell,
        1e3 * s.other_shell,
        1e3 * watch.bound,
        1e3 * watch.other_bound,
        1e3 * widest_gap(&world),
        s.force,
        s.torque,
        s.residual,
        Flags(s.flags).names().collect::<Vec<_>>()
    );
    if study().is_some() {
        let log = ResultLog::of_study("soak");
        let limits = if shipped { "its own limits" } else { "gentler limits" };
        let what = |what: &str| format!("{}, {limits}, {} ticks: {what}", case.scene, s.ticks);
        let depth = Measurement::new(what("deepest point of the colliding shell"), 1e3 * s.own_shell, "mm");
        log.add(&depth.held_to(Target::AtMost(1e3 * watch.bound))).unwrap();
        let wrong = Measurement::new(what("ticks in which something was wrong"), watch.wrong.len() as f64, "");
        log.add(&wrong.held_to(Target::AtMost(0.0))).unwrap();
    }
    watch.wrong.iter().take(10).for_each(|w| println!("    {w}"));
    assert!(s.contacts > s.ticks, "{}: hardly touched", case.scene);
    assert!(watch.wrong.is_empty(), "{}: {} times wrong, first: {}", case.scene, watch.wrong.len(), watch.wrong[0]);
}

const UP: Vec3 = Vec3::new(0.0, 0.0, 0.15);
const CORNER_CUBE: Case = Case {
    scene: "corner-cube",
    set: &[],
    length: 0.1,
    home: 0.7,
    away: Vec3::new(0.0, 0.15, 0.15),
    wander: [0.015, 0.1],
    jump: 0.1,
    // In the l-bar's own axes, the corner is open to +x and +y.
    right_side: |c| c.x > 0.04 && c.y > 0.04,
};
const PLATE_CUBE: Case = Case {
    scene: "plate-cube",
    set: &["coupling.max_force=30", "coupling.max_torque=0.7"],
    length: 0.05,
    home: 0.7,
    away: UP,
    wander: [0.01, 0.1],
    jump: 0.06,
    right_side: |c| c.z > 0.03,
};
const INCLINE: Case = Case {
    scene: "incline",
    set: &["coupling.max_torque=0.8"],
    length: 0.06,
    home: 0.0,
    away: UP,
    wander: [0.02, 0.1],
    jump: 0.04,
    right_side: |c| c.z > 0.02,
};
/// The peg's middle is never in the plate, which is 30 mm thick and 60 mm wide, but for the hole; it may go around it.
const PEG_ROUND: Case = Case {
    scene: "peg-in-hole-round",
    set: &["coupling.max_force=10", "coupling.max_torque=0.2"],
    length: 0.017,
    home: 0.6,
    away: UP,
    wander: [0.006, 0.02],
    jump: 0.03,
    right_side: |c| c.z.abs() > 0.016 || c.xy().norm() < 0.004 || c.xy().amax() > 0.03,
};
const PEG_SQUARE: Case = Case { scene: "peg-in-hole-square", ..PEG_ROUND };
const PEG_CHAMFERED: Case = Case { scene: "peg-in-hole-chamfered", home: 0.7, ..PEG_ROUND };
/// The gear's middle is on the shaft's axis as far as the shaft reaches through it. Off the shaft it may stand beside it on
/// its edge: 5 mm of shaft and 5 mm of gear from axis to axis, less what contacts yield.
const GEAR: Case = Case {
    scene: "gear-on-shaft",
    set: &["coupling.max_force=4", "coupling.max_torque=0.008"],
    length: 0.01,
    home: 0.7,
    away: UP,
    wander: [0.004, 0.05],
    jump: 0.03,
    right_side: |c| c.z > 0.042 || c.z > 0.022 && c.xy().norm() < 0.5e-3 || c.xy().norm() > 9e-3,
};

#[test]
fn corner_cube() {
    soak(&CORNER_CUBE, false);
}

#[test]
fn plate_cube() {
    soak(&PLATE_CUBE, false);
}

#[test]
fn incline() {
    soak(&INCLINE, false);
}

#[test]
fn peg_in_hole_round() {
    soak(&PEG_ROUND, false);
}

#[test]
fn peg_in_hole_square() {
    soak(&PEG_SQUARE, false);
}

#[test]
fn peg_in_hole_chamfered() {
    soak(&PEG_CHAMFERED, false);
}

#[test]
fn gear_on_shaft() {
    soak(&GEAR, false);
}

/// With every setting as in the scene.
mod as_shipped {
    use super::*;

    #[test]
    fn peg_in_hole_round() {
        soak(&Case { set: &[], ..PEG_ROUND }, true);
    }

    #[test]
    fn peg_in_hole_square() {
        soak(&Case { set: &[], ..PEG_SQUARE }, true);
    }

    #[test]
    fn peg_in_hole_chamfered() {
        soak(&Case { set: &[], ..PEG_CHAMFERED }, true);
    }

    #[test]
    fn gear_on_shaft() {
        soak(&Case { set: &[], ..GEAR }, true);
    }

    #[test]
    fn incline() {
        soak(&Case { set: &[], ..INCLINE }, true);
    }

    #[test]
    fn plate_cube() {
        soak(&Case { set: &[], ..PLATE_CUBE }, true);
    }
}

/// The friction paper's engine: finite, bounded and balanced whatever the hand does. Depths and sides are told and not held, since nothing there keeps a point that has come
/// through from being pushed on.
mod of_the_paper {
    use super::*;
    use stiction::contact::separating::ReleaseRule;

    fn soak(case: &Case) {
        let case = Case { right_side: |_| true, ..*case };
        let set: Vec<&str> = case.set.iter().copied().chain(["contact.model=paper"]).collect();
        let world = world(case.scene, &set);
        let (bound, other_bound) = (f64::INFINITY, f64::INFINITY);
        let mut watch = Watch { case: &case, bound, other_bound, seen: Seen::default(), wrong: Vec::new() };
        let rules = [ReleaseRule::None, ReleaseRule::Paper, ReleaseRule::Three];
        for (number, release) in rules.into_iter().enumerate() {
            let mut world = world.clone();
            world.scene.settings.release = release;
            let mut engine = world.engine().unwrap();
            let mut hand = Hand::new(&case, &world, 1 + number as u64);
            let mut before = engine.trace().part;
            for _ in 0..study().map_or(SHORT, |minutes| minutes * 20_000) {
                let (pose, load) = hand.next();
                let t = *engine.tick(&pose, &load);
                watch.tick(&engine, &before, &t, hand.act, Method::Lp);
                before = t.part;
            }
        }
        let s = watch.seen;
        println!(
            "{}, paper: {} ticks, {:.3} mm deep, {:.1} N, residual {:.1e}",
            case.scene,
            s.ticks,
            1e3 * s.depth,
            s.force,
            s.residual
        );
        assert!(s.contacts > s.ticks && watch.wrong.is_empty(), "{}: {:?}", case.scene, watch.wrong.first());
    }

    #[test]
    fn corner_cube() {
        soak(&CORNER_CUBE);
    }

    #[test]
    fn peg_in_hole_square() {
        soak(&PEG_SQUARE);
    }

    #[test]
    fn gear_on_shaft() {
        soak(&GEAR);
    }
}
