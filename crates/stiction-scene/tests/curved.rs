//! Holding on curved real meshes, whose contacts have normals that all differ and are noisy besides: under a load that comes and goes,
//! nothing creeps.
//!
//! On a flat face a change of the load goes into the normal forces alone. On a curved one friction takes its share: the part cannot go
//! deeper without slip at the flanks. So a load of 5 N in a wide bore, which changes by ±20 % and moves the part by F/k₀ = ±20 µm, does
//! slip at some contacts, in the engine as in the world, while the same bore under 1 N holds, its contacts within micro-slip. Three
//! cycles of ±30 % bed the part in; without them it has just slid into place, and the first crest of the load takes it
//! beyond.

#[path = "pairs/data.rs"]
#[allow(dead_code)]
mod data;

use data::Pair;
use std::f64::consts::TAU;
use std::sync::Arc;
use stiction::friction::{Method, Verdict};
use stiction::shape::{PointShell, Shape, ShellPoint};
use stiction::spatial::{Pose, Vec3, Vec6, halves, join};
use stiction::tick::{ContactModel, Engine, Settings};

/// Ticks of a load cycle.
const CYCLE: usize = 100;
/// Cycles of a larger load at the beginning.
const BEDDING: usize = 3;
/// Largest turn of a normal about each axis (rad).
const NOISE: f64 = 1e-3;
/// Most creep, in m a load cycle.
const CREEP: f64 = 1e-10;
/// Pull along the bore, as a share of µ times the least press.
const PULL: f64 = 0.6;

/// A part pressed to a side of the bore it sits in, and pulled along it.
struct Press {
    pair: &'static str,
    /// Where it starts, from its seat (m).
    start: Vec3,
    into: Vec3,
    /// How hard it is pressed (N).
    force: f64,
    along: Vec3,
    /// What it holds against: 1 is the limit. The robust margin counts a contact within micro-slip as held, the ray margin (a linear
    /// program) demands that friction alone carries what changes, without any motion.
    robust: f64,
    ray: f64,
}

/// Numbers that look random: S. Vigna's splitmix64.
struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The shape with every normal turned a little.
fn noisy(shape: &Shape, seed: u64) -> Shape {
    let mut random = Random(seed);
    let turn = |p: &ShellPoint| {
        let off = Vec3::new(random.signed(), random.signed(), random.signed()) * NOISE;
        ShellPoint { position: p.position, normal: (p.normal + off).normalize() }
    };
    let shell = &shape.shell;
    let points = shell.points().iter().map(turn).collect();
    let allowances = shell.allowances().to_vec();
    let shell = PointShell::new(points, shell.nodes().to_vec(), shell.levels().to_vec()).unwrap();
    let shell = shell.with_allowances(allowances).unwrap();
    Shape { shell, ..shape.clone() }
}

/// All but the contacts is of the last ten cycles.
struct Found {
    /// Creep of the part's centre, and the most of any point that touches (m a cycle).
    centre: f64,
    contact: f64,
    contacts: u32,
    /// The widest angle between the normal of a contact and the press (degrees).
    spread: f64,
    sliding_ticks: usize,
    /// The largest margins.
    ray: f64,
    robust: f64,
}

fn run(pair: &Pair, press: &Press, seed: u64) -> Found {
    // Penalty contacts: those of hard ones are tried by the harsh tests.
    let mut s = Settings { model: Some(ContactModel::Penalty), ..Settings::default() };
    s.friction.method = Method::Hold;
    s.friction.micro_slip = 5e-6;
    let held = Arc::new(noisy(&pair.held, seed));
    let start = pair.seated.translation.vector + press.start;
    let hand = |by: Vec3| Pose::from_parts((start + by).into(), pair.seated.rotation);
    let mut e = Engine::new(s, held, Arc::clone(&pair.fixed), Pose::identity(), hand(Vec3::zeros())).unwrap();
    // The hand goes on until the coupling presses as hard as wanted.
    let mut reach = 0.0;
    for _ in 0..400 {
        let t = e.tick(&hand(press.into * reach), &Vec6::zeros());
        let now = -halves(&t.wrench).0.dot(&press.into);
        reach += 0.2 * (press.force - now) / s.coupling.stiffness;
    }
    let pull = PULL * s.mu_static * 0.8 * press.force / s.coupling.stiffness;
    let mut found =
        Found { centre: 0.0, contact: 0.0, contacts: 0, spread: 0.0, sliding_ticks: 0, ray: 0.0, robust: 0.0 };
    let mut at = Vec::new();
    let mut touching: Vec<Vec3> = Vec::new();
    for i in 0..=20 * CYCLE {
        let cycles = i as f64 / CYCLE as f64;
        let share = if i < BEDDING * CYCLE { 0.3 } else { 0.2 };
        let load = press.into * (share * press.force * (TAU * cycles).sin());
        let to = press.into * reach + press.along * (pull * cycles.min(1.0));
        let t = *e.tick(&hand(to), &join(load, Vec3::zeros()));
        if i < 10 * CYCLE {
            continue;
        }
        found.sliding_ticks += usize::from(t.sliding > 0 || t.verdict != Verdict::Holds);
        if i % CYCLE == 0 {
            at.push(t.part);
            found.contacts = t.contacts;
            for c in e.contacts().filter(|c| c.normal_force > 0.0) {
                touching.push((t.part.inverse() * nalgebra::Point3::from(c.position)).coords);
                let angle = (-c.normal.dot(&press.into)).clamp(-1.0, 1.0).acos().to_degrees();
                found.spread = found.spread.max(angle);
            }
        }
        if i >= 19 * CYCLE && i % 5 == 0 {
            // Of a copy: margins solve again.
            let [ray, robust] = e.clone().margins();
            (found.ray, found.robust) = (found.ray.max(ray), found.robust.max(robust));
        }
    }
    let creep = |p: Vec3| ((at[10] * nalgebra::Point3::from(p)) - (at[0] * nalgebra::Point3::from(p))).norm() / 10.0;
    found.centre = creep(pair.held.mass.centre);
    found.contact = touching.iter().map(|p| creep(*p)).fold(0.0, f64::max);
    found
}

fn check(press: &Press) {
    let Some(folder) = data::folder() else { return };
    let pair = Pair::load(&folder, press.pair);
    for seed in 0..3 {
        let f = run(&pair, press, seed);
        println!(
            "{} {} N, seed {seed}: creep {:.1e} nm (centre), {:.1e} nm (contacts) a cycle; {} contacts up to {:.0} degrees apart \
             from the press; margins {:.3} (ray), {:.3} (robust); {} sliding ticks",
            press.pair,
            press.force,
            1e9 * f.centre,
            1e9 * f.contact,
            f.contacts,
            f.spread,
            f.ray,
            f.robust,
            f.sliding_ticks
        );
        assert!(f.contacts > 50 && f.spread > 15.0, "hardly curved");
        assert!(f.sliding_ticks == 0 && f.robust < press.robust && f.ray < press.ray, "not held");
        assert!(f.centre <= CREEP && f.contact <= CREEP, "creeps by {} and {} m a cycle", f.centre, f.contact);
    }
}

/// Facets in each other all round, 0.048 mm, and pressed to one side besides: held by either margin.
#[test]
fn a_bearing_housing_held_in_a_tight_bore_does_not_creep() {
    check(&Press {
        pair: "wrs_bearing_in_panel",
        start: Vec3::zeros(),
        into: -Vec3::y(),
        force: 5.0,
        along: -Vec3::z(),
        robust: 1.0,
        ray: 1.0,
    });
}

/// No clearance at all: normals all round.
#[test]
fn a_shaft_held_in_its_bearing_does_not_creep() {
    check(&Press {
        pair: "wrs_shaft_in_bearing",
        start: Vec3::zeros(),
        into: -Vec3::z(),
        force: 1.0,
        along: Vec3::x(),
        robust: 1.0,
        ray: f64::INFINITY,
    });
}

/// Clearance of half a millimetre: normals within a cap.
#[test]
fn a_peg_held_to_the_side_of_a_wide_bore_does_not_creep() {
    check(&Press {
        pair: "industreal_round_16",
        start: Vec3::new(5.1e-4, 0.0, 1e-3),
        into: Vec3::x(),
        force: 1.0,
        along: Vec3::z(),
        robust: 1.0,
        ray: f64::INFINITY,
    });
}
