//! How far µ could fall, after whatever a hand did before: against rigid statics, which shares nothing with the engine, and against the engine itself with that µ.
//!
//! A cube that has slid along a corner is squeezed between floor and wall, and friction keeps it so. The margin once took the floor's forces of the moment for granted, and told µ 0.08 of a cube that hung on
//! the wall with a third of its press.

#[path = "harsh/limit.rs"]
mod limit;
mod support;

use limit::{RigidContact, least_mu};
use nalgebra::Point3;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6, exp, halves};
use stiction::tick::Engine;
use stiction_scene::World;
use support::{Random, world};

/// Half an edge of the cube, and where its hand starts (m).
const HALF: f64 = 0.05;
const START: Vec3 = Vec3::new(0.0, 0.0505, 0.0505);
/// How far the engine reaches for contacts in this scene (m): a held part moves no further when µ falls.
const REACH: f64 = 20e-6;
/// Ticks that a hand waits until all is at rest.
const WAIT: usize = 300;

/// A cube in the corner and the hand that has it.
struct Held {
    world: World,
    engine: Engine,
    place: Vec3,
    turn: Vec3,
}

impl Held {
    fn new(world: &World) -> Self {
        Held { world: world.clone(), engine: world.engine().unwrap(), place: START, turn: Vec3::zeros() }
    }

    fn hand(&self) -> Pose {
        Pose::from_parts(self.place.into(), exp(&self.turn))
    }

    /// Moves the hand to a place and rotation.
    fn go(&mut self, place: Vec3, turn: Vec3, ticks: u64) {
        let from = (self.place, self.turn);
        for i in 1..=ticks {
            let share = i as f64 / ticks as f64;
            (self.place, self.turn) = (from.0 + (place - from.0) * share, from.1 + (turn - from.1) * share);
            self.engine.tick(&self.hand(), &Vec6::zeros());
        }
    }

    fn by(&mut self, way: Vec3) {
        self.go(self.place + way, self.turn, 400);
        self.wait();
    }

    fn wait(&mut self) {
        for _ in 0..WAIT {
            self.engine.tick(&self.hand(), &Vec6::zeros());
        }
    }

    /// Some moves of a random hand, which turns by up to so much (rad). None if the cube is not at rest then.
    fn after(world: &World, seed: u64, turn: f64) -> Option<Self> {
        let (mut held, mut random) = (Held::new(world), Random(seed));
        for _ in 0..2 + random.word() % 5 {
            let depth = Vec3::new(6e-3 * random.signed(), 5.5e-3 * random.signed().powi(3), 6e-3 * random.signed());
            let turned = Vec3::new(random.signed(), random.signed(), random.signed()) * turn;
            held.go(START + Vec3::new(0.0, -6e-3, -4e-3) + depth, turned, 50 + random.word() % 300);
        }
        held.wait();
        (held.engine.trace().verdict == Verdict::Holds).then_some(held)
    }

    /// The least µ, as the engine tells it.
    fn needs(&self) -> f64 {
        self.engine.margins()[1] * self.engine.settings().mu_static
    }

    /// The same by rigid statics on all points of the corner that are near a face of the cube.
    fn needs_by_statics(&self) -> f64 {
        let (trace, corner) = (self.engine.trace(), *self.engine.world_from_fixed());
        let near = |p: &stiction::shape::ShellPoint| {
            let at = corner * Point3::from(p.position);
            let (on_cube, out) = ((trace.part.inverse() * at).coords, corner * p.normal);
            let touches = |axis: usize| {
                let beside = (0..3).all(|i| i == axis || on_cube[i].abs() <= HALF);
                beside && (on_cube[axis] + HALF).abs() < 5.0 * REACH && out[axis] > 0.9
            };
            let axis = [1, 2].into_iter().find(|&axis| touches(axis))?;
            Some(RigidContact { arm: at.coords - trace.centre, normal: Vec3::ith(axis, 1.0) })
        };
        let contacts: Vec<RigidContact> = self.engine.parts()[1].shell.points().iter().filter_map(near).collect();
        least_mu(&contacts, &-trace.wrench, 3.0, HALF).unwrap_or(f64::INFINITY)
    }

    /// How far a corner of the cube goes when µ changes under the hand that waits (m).
    fn moves_with(&self, mu: f64) -> f64 {
        let mut world = self.world.clone();
        (world.scene.settings.mu_static, world.scene.settings.mu_kinetic) = (mu, mu);
        let mut engine = world.engine().unwrap();
        engine.go_on_from(&self.engine);
        for _ in 0..WAIT {
            engine.tick(&self.hand(), &Vec6::zeros());
        }
        let corner = |i: u32| Point3::from(Vec3::from_fn(|k, _| if i >> k & 1 == 0 { HALF } else { -HALF }));
        let [now, before] = [&engine, &self.engine].map(|e| e.trace().part);
        (0..8).map(|i| (now * corner(i) - before * corner(i)).norm()).fold(0.0, f64::max)
    }
}

/// What a new user did, and had told µ 0.08 for: pressed into the corner, pulled along it until it slid, most of the way back, and up. The wall's friction alone holds it down.
#[test]
fn a_cube_lifted_after_it_slid_needs_the_friction_of_the_wall_alone() {
    let world = world("corner-cube", &[]);
    let pixel = 1.49 / 2000.0;
    for slides in [true, false] {
        let mut held = Held::new(&world);
        held.by(Vec3::new(0.0, -8.0, 0.0) * pixel);
        held.by(Vec3::new(0.0, 0.0, -8.0) * pixel);
        if slides {
            held.by(Vec3::new(14.0, 0.0, 0.0) * pixel);
            held.by(Vec3::new(-10.0, 0.0, 0.0) * pixel);
        }
        for step in 1..=10 {
            held.by(Vec3::new(0.0, 0.0, 1.0) * pixel);
            let force = -halves(&held.engine.trace().wrench).0;
            if !(force.z > 0.0) {
                continue;
            }
            assert_eq!(held.engine.trace().verdict, Verdict::Holds);
            let (needs, wanted) = (held.needs(), force.x.hypot(force.z) / -force.y);
            println!("slid {slides}, {step} up: {force:.3?} N needs µ {needs:.4}, by hand {wanted:.4}");
            assert!((needs / wanted - 1.0).abs() < 0.02, "slid {slides}, {step} up: {needs} for {wanted}");
        }
    }
}

/// Where normal forces are free, friction can do with the least; no engine can hold with less. To twice the accuracy of that least µ, 0.001.
#[test]
fn no_history_makes_a_part_need_less_friction_than_statics() {
    let world = world("corner-cube", &[]);
    let held: Vec<(u64, Held)> = (0..50).filter_map(|seed| Some((seed, Held::after(&world, seed, 0.0)?))).collect();
    assert!(held.len() >= 40, "only {} of 50 hold", held.len());
    let (mut needing, mut tight) = (0, 0);
    for (seed, held) in &held {
        let (needs, statics) = (held.needs(), held.needs_by_statics());
        println!("{seed}: needs µ {needs:.4}, by statics {statics:.4}");
        assert!(needs >= statics - 0.002, "{seed}: {needs}, but {statics} by statics");
        needing += u32::from(statics > 0.05);
        tight += u32::from(needs < 1.1 * statics + 0.01);
    }
    // Both happen: otherwise nothing was asked.
    assert!(needing >= 25 && tight >= 15, "{needing} need friction, {tight} no more than statics");
}

/// The margin is the µ below which the part goes further than the engine reaches for contacts: within a factor of two when µ is a little above or below it.
#[test]
fn a_part_lets_go_where_its_margin_says() {
    let world = world("corner-cube", &[]);
    let mut asked = 0;
    for seed in 100..140 {
        let Some(held) = Held::after(&world, seed, if seed % 2 == 0 { 0.0 } else { 0.02 }) else { continue };
        let needs = held.needs();
        let (above, below) = (held.moves_with(1.05 * needs + 0.005), held.moves_with((0.9 * needs - 0.01).max(0.0)));
        println!("{seed}: needs µ {needs:.4}; moves by {:.1} µm above, {:.1} µm below", 1e6 * above, 1e6 * below);
        assert!(above < 2.0 * REACH, "{seed}: moves by {above} m above µ {needs}");
        if needs > 0.05 {
            asked += 1;
            assert!(below > 0.5 * REACH, "{seed}: moves by {below} m below µ {needs}");
        }
    }
    assert!(asked >= 25, "only {asked} need friction");
}
