//! Ticks whose work is limited: never more than the limit, the same bits for the same limit, coarser and hardly felt.

use std::path::Path;
use stiction::spatial::{Vec3, halves};
use stiction::trace::{Flags, Trace};
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_scene::{Run, Scene, World};

/// A nut that is put on a bolt, screwed on it, pressed aside and tilted.
const NUT: &str = r#"
name = "nut"
run = { rate = 1000, seconds = 3.2 }
held = { solid = "nut", diameter = 0.012, mass = 0.05, resolution = 96, points = 6000 }
fixed = { solid = "bolt", diameter = 0.012, length = 0.03, resolution = 128, points = 6000 }
friction = { method = "hold", static = 0.2, kinetic = 0.15 }

[hand]
from = { position = [0.0, 0.0, -0.011] }
script = [
    { move = [0.0, 0.0, 0.001], seconds = 0.2 },
    { move = [0.0, 0.0, 0.00175], turn = { axis = [0, 0, 1], angle_deg = 360 }, seconds = 2.0 },
    { move = [0.003, 0.0, -0.002], seconds = 0.3 },
    { turn = { axis = [1, 0, 0], angle_deg = 4 }, seconds = 0.3 },
    { move = [-0.003, 0.002, 0.004], seconds = 0.4 },
]
"#;

/// A slab that touches a plate with 10,000 points: pressed, pulled until it slides, tilted off.
const SLAB: &str = r#"
name = "slab"
run = { rate = 1000, seconds = 0.8 }
held = { solid = "box", size = [0.1, 0.1, 0.01], mass = 0.5, resolution = 32, points = 24000 }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.02, resolution = 64, points = 100, position = [0.0, 0.0, -0.01] }
friction = { method = "hold", static = 0.5, kinetic = 0.5 }

[hand]
from = { position = [0.0, 0.0, 0.007] }
script = [
    { move = [0.0, 0.0, -0.007], seconds = 0.2 },
    { move = [0.004, 0.0, 0.0], seconds = 0.3 },
    { turn = { axis = [0, 1, 0], angle_deg = 4 }, seconds = 0.3 },
]
"#;

fn world(text: &str) -> World {
    let scene = Scene::parse(text, Path::new("work.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let cache = Cache::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("work"));
    static BAKING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = BAKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    scene.build(Some(&cache), &Silent).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs a world to its end; `each` sees the run after every tick and the trace before it.
fn run(world: &World, work: u64, mut each: impl FnMut(&Run, &Trace)) -> Run {
    let mut world = world.clone();
    world.scene.settings.work = work;
    let mut run = world.run().unwrap();
    while !run.finished() {
        let before = *run.trace();
        run.step();
        each(&run, &before);
    }
    run
}

#[test]
fn no_tick_does_more_than_its_limit_and_what_binds_is_told() {
    for text in [NUT, SLAB] {
        let world = world(text);
        for work in [1, 2000, 6000, 20_000, 10_000_000] {
            let (mut most, mut coarse) = (0, 0);
            let done = run(&world, work, |run, _| {
                let units = run.engine().work().units();
                let limit = work.max(run.engine().least_work());
                assert!(units <= limit, "{}, tick {}: {units} of {limit}", world.scene.name, run.ticks());
                most = most.max(units);
                coarse += u32::from(run.trace().flags.has(Flags::COARSE));
            });
            let summary = done.summary();
            println!("{}, {work}: at most {most}, coarse in {coarse} ticks", world.scene.name);
            assert!(summary.finite);
            let (binds, never) = (work <= 6000, work == 10_000_000);
            assert!(coarse > 0 || !binds, "{}, {work}", world.scene.name);
            assert!(coarse == 0 || !never, "{}, {work}", world.scene.name);
        }
    }
}

#[test]
fn a_limit_that_does_not_bind_changes_no_bit_and_the_same_limit_gives_the_same_bits() {
    let world = world(NUT);
    let hash = |work| run(&world, work, |_, _| {}).summary().trace_hash;
    assert_eq!(hash(10_000_000), hash(u64::MAX));
    for work in [1, 3000] {
        assert_eq!(hash(work), hash(work));
        assert_ne!(hash(work), hash(10_000_000));
    }
}

/// The default device pushes with 8.5 N and 0.188 N m at most, and its envelope lets a wrench rise to that in 20 ms: so much in a tick of 1 ms.
const SLEW: [f64; 2] = [8.5 / 20.0, 0.188 / 20.0];

/// How far a force or torque is from the segment between zero and the last one: what the slew rule of the envelope bounds. A part that snaps free lets go of what it was held by, and that may go at once.
fn beyond(now: &Vec3, last: &Vec3) -> f64 {
    let share = now.dot(last) / last.norm_squared().max(f64::MIN_POSITIVE);
    (now - last * share.clamp(0.0, 1.0)).norm()
}

/// Not at the least limit there is, 1544 units or some 60 µs, where the nut's torque jumps by up to 0.15 N m: the safety envelope bounds what the hand feels, which
/// `stiction-session`'s tests show. Parts that break away change their force by themselves, as fast as static friction falls to kinetic: what the same run without a limit does counts too.
#[test]
fn changes_of_level_obey_the_slew_rule() {
    for (text, limits, least) in [(NUT, [2000, 3000, 4000], 5), (SLAB, [3000, 8000, 12_000], 100)] {
        let world = world(text);
        let name = &world.scene.name;
        let worst = |work| {
            let (mut worst, mut coarse) = ([0.0_f64; 2], 0);
            run(&world, work, |run, before| {
                let ((f, t), (g, u)) = (halves(&run.trace().wrench), halves(&before.wrench));
                worst = [worst[0].max(beyond(&f, &g)), worst[1].max(beyond(&t, &u))];
                coarse += u32::from(run.trace().flags.has(Flags::COARSE));
            });
            println!(
                "{name}, {work}: {coarse} coarse ticks, changes by {:.3} N, {:.4} N m at most",
                worst[0], worst[1]
            );
            (worst, coarse)
        };
        let (unlimited, none) = worst(10_000_000);
        assert_eq!(none, 0);
        for work in limits {
            let (found, coarse) = worst(work);
            assert!(coarse > least, "{name}, {work}: {coarse}");
            for i in 0..2 {
                let bound = SLEW[i].max(1.1 * unlimited[i]);
                assert!(found[i] < bound, "{name}, {work}: changes by {found:?}, without a limit {unlimited:?}");
            }
        }
    }
}

/// A slab pressed flat pushes with all of its face, however few points of it are left.
#[test]
fn no_loaded_region_loses_all_its_points() {
    let world = world(SLAB);
    for (work, side) in [(1, 3), (3000, 4), (12_000, 8)] {
        run(&world, work, |run, _| {
            let trace = run.trace();
            if !(0.15..0.5).contains(&run.time()) {
                return;
            }
            let mut there = vec![false; side * side];
            for contact in run.engine().contacts() {
                let at = contact.position - trace.centre;
                let cell = |x: f64| ((x / 0.1 + 0.5) * side as f64).clamp(0.0, side as f64 - 1.0) as usize;
                there[cell(at.x) * side + cell(at.y)] = true;
            }
            assert!(!there.contains(&false), "{work}, tick {}: {there:?}", trace.tick);
            assert!(trace.flags.has(Flags::COARSE));
        });
    }
}
