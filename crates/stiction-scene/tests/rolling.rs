//! The verdict of a tick says what the part does: it holds, it slips, or it rolls, which is to move though no contact slides.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::path::Path;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6, exp, join};
use stiction::tick::Engine;
use stiction::trace::Trace;
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_scene::{Scene, World};

/// Radius of the cylinder (m).
const RADIUS: f64 = 0.01;
/// How far the hand is inside the plate (m): with 2,000 N/m, it presses with 10 N.
const PRESS: f64 = 0.005;

fn world(held: &str) -> World {
    let text = format!(
        r#"
held = {{ {held}, mass = 0.1, resolution = 64, points = 3000 }}
fixed = {{ solid = "plate", size = [0.1, 0.06], thickness = 0.01, resolution = 96, points = 3000, position = [0.0, 0.0, -0.005] }}
friction = {{ method = "hold", static = 0.3, kinetic = 0.3 }}
coupling = {{ stiffness = 2000, torsion = 20, max_force = 40, max_torque = 2 }}
load.gravity = [0, 0, 0]
hand = {{ from = {{ position = [0.0, 0.0, 0.012] }}, script = [{{ wait = 1 }}] }}
"#
    );
    let scene = Scene::parse(&text, Path::new("rolling.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let cache = Cache::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("rolling"));
    static BAKING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = BAKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    scene.build(Some(&cache), &Silent).unwrap_or_else(|e| panic!("{e}"))
}

fn cylinder(segments: u32) -> World {
    world(&format!(r#"solid = "cylinder", radius = {RADIUS}, height = 0.03, segments = {segments}"#))
}

/// A cylinder that lies along y, above the plate's upper face z = 0, turned by an angle about y.
fn lying(x: f64, z: f64, angle: f64) -> Pose {
    let rotation = exp(&(Vec3::y() * angle)) * exp(&(Vec3::x() * FRAC_PI_2));
    Pose::from_parts(Vec3::new(x, 0.0, z).into(), rotation)
}

/// An engine with the part at a pose and, after 300 ticks, pressed to the plate by the hand at another.
fn pressed(world: &World, start: &Pose, hand: &Pose) -> Engine {
    let mut engine = world.engine().unwrap();
    assert!(engine.place(start));
    for _ in 0..300 {
        engine.tick(hand, &Vec6::zeros());
    }
    engine
}

fn lying_still(world: &World, x: f64) -> Engine {
    pressed(world, &lying(x, RADIUS + 1e-4, 0.0), &lying(x, RADIUS - PRESS, 0.0))
}

/// How many ticks had each verdict, in the order of [`Verdict::ALL`].
fn count(ticks: impl Iterator<Item = Trace>) -> [usize; 5] {
    let mut out = [0; 5];
    for t in ticks {
        out[t.verdict as usize] += 1;
    }
    out
}

const HOLDS: usize = Verdict::Holds as usize;
const SLIPS: usize = Verdict::Slips as usize;
const ROLLS: usize = Verdict::Rolls as usize;
const UNDECIDED: usize = Verdict::Undecided as usize;

#[test]
fn a_cylinder_that_the_hand_rolls_along_a_plate_rolls() {
    for segments in [64, 256] {
        for speed in [0.005, 0.02, 0.1] {
            let mut engine = lying_still(&cylinder(segments), -0.02);
            let ticks = (0.03 / speed * 1000.0) as usize;
            let case = format!("{segments} facets, {speed} m/s");
            let hand = |way: f64| lying(way - 0.02, RADIUS - PRESS, way / RADIUS);
            let counts = count((1..=ticks).map(|i| *engine.tick(&hand(speed * 1e-3 * i as f64), &Vec6::zeros())));
            println!("{case}: {counts:?}");
            // It rolls by up to 0.25 mm before elasticity no longer explains it. Every tick has an answer.
            assert!(counts[HOLDS] * 100 < ticks && counts[HOLDS] + counts[ROLLS] == ticks, "{case}: {counts:?}");
            assert!((engine.trace().centre.x - 0.01).abs() < 1e-4, "{case}: {:?}", engine.trace().centre);
            // Once the hand stops it holds, and nothing alternates.
            for _ in 0..50 {
                engine.tick(&hand(0.03), &Vec6::zeros());
            }
            let counts = count((0..500).map(|_| *engine.tick(&hand(0.03), &Vec6::zeros())));
            assert_eq!(counts[HOLDS], 500, "{case}, stopped: {counts:?}");
        }
    }
}

#[test]
fn a_cylinder_that_is_pressed_and_still_holds() {
    let mut engine = lying_still(&cylinder(64), 0.0);
    let hand = lying(0.0, RADIUS - PRESS, 0.0);
    let counts = count((0..1000).map(|_| *engine.tick(&hand, &Vec6::zeros())));
    assert_eq!(counts[HOLDS], 1000, "{counts:?}");
}

#[test]
fn a_cylinder_that_the_hand_pushes_but_does_not_turn_slips() {
    let mut engine = lying_still(&cylinder(64), -0.02);
    let counts = count((0..1500).map(|i| {
        let way = 2e-5 * f64::from(i);
        *engine.tick(&lying(way - 0.02, RADIUS - PRESS, 0.0), &Vec6::zeros())
    }));
    // The coupling must be stretched to µ F = 3 N, which takes the hand 75 ticks.
    assert!(counts[SLIPS] > 1400 && counts[ROLLS] == 0 && counts[UNDECIDED] == 0, "{counts:?}");
}

/// A box whose lower edge stays where it is while the rest of the box turns about it.
#[test]
fn a_box_that_tips_over_its_edge_rolls_and_holds_once_it_stops() {
    let block = world(r#"solid = "box", size = [0.02, 0.02, 0.02]"#);
    let half = 0.01;
    // Turned about the edge x = half, z = 0, and pressed down.
    let hand = |angle: f64, press: f64| {
        let rotation = exp(&(Vec3::y() * angle));
        let centre = Vec3::new(half, 0.0, -press) + rotation * Vec3::new(-half, 0.0, half);
        Pose::from_parts(centre.into(), rotation)
    };
    let mut engine = pressed(&block, &hand(0.0, -1e-4), &hand(0.0, PRESS));
    let counts = count((1..=1000).map(|i| *engine.tick(&hand(5e-4 * f64::from(i), PRESS), &Vec6::zeros())));
    println!("tips: {counts:?}");
    // A contact that bears 10 N is at most 1 µm deep, so that ε is at most 2 µm: 3 ε is what elasticity explains. A fiftieth of what the farthest point moves is more after 35 ticks: it
    // is 17 mm from the centre and turns by 0.5 mrad in a tick.
    assert!(counts[ROLLS] >= 965 && counts[HOLDS] + counts[ROLLS] == 1000, "{counts:?}");
    for _ in 0..50 {
        engine.tick(&hand(0.5, PRESS), &Vec6::zeros());
    }
    let counts = count((0..500).map(|_| *engine.tick(&hand(0.5, PRESS), &Vec6::zeros())));
    assert_eq!(counts[HOLDS], 500, "stopped: {counts:?}");
}

#[test]
fn a_part_that_is_held_while_its_load_varies_never_rolls() {
    let block = world(r#"solid = "box", size = [0.02, 0.02, 0.02]"#);
    let on_plate = |z: f64| Pose::translation(0.0, 0.0, z);
    for amount in [0.2, -0.2] {
        for period in [250.0, 50.0] {
            let box_engine = pressed(&block, &on_plate(0.0101), &on_plate(0.01 - PRESS));
            let cases = [
                (
                    "box, force",
                    box_engine.clone(),
                    on_plate(0.01 - PRESS),
                    join(Vec3::new(2.0, 0.0, -10.0), Vec3::zeros()),
                ),
                (
                    "box, torque",
                    box_engine.clone(),
                    on_plate(0.01 - PRESS),
                    join(Vec3::new(0.0, 0.0, -10.0), Vec3::new(0.02, 0.06, 0.0)),
                ),
                (
                    "cylinder, press",
                    lying_still(&cylinder(64), 0.0),
                    lying(0.0, RADIUS - PRESS, 0.0),
                    join(Vec3::new(0.0, 0.0, -10.0), Vec3::zeros()),
                ),
                (
                    "cylinder, along",
                    lying_still(&cylinder(64), 0.0),
                    lying(0.0, RADIUS - PRESS, 0.0),
                    join(Vec3::new(0.0, 2.0, -10.0), Vec3::zeros()),
                ),
            ];
            for (name, mut engine, hand, load) in cases {
                // The load comes slowly: what moves then is not asked here.
                for i in 0..500 {
                    engine.tick(&hand, &(load * f64::from(i) * 2e-3));
                }
                let counts = count((0..2000).map(|i| {
                    let share = 1.0 + amount * (TAU * f64::from(i) / period).sin();
                    *engine.tick(&hand, &(load * share))
                }));
                assert_eq!(counts[HOLDS], 2000, "{name}, {amount}, {period}: {counts:?}");
            }
        }
    }
}
