//! Every number that is promised of the engine of contact volumes: `make study-volume` writes a row with target and verdict for each into `study-volume.jsonl`. What is measured here is speed,
//! allocations, budgets of momentum and energy, invariances and seams; what the geometry's tests, the figures and the bench beside other engines have measured before is gathered at the end.
//! Without `STICTION_STUDY` the same is run for a short time, and speed, which other programs on the machine change, is not judged.

#[allow(dead_code)]
#[path = "../../../figures/src/volume_worlds.rs"]
mod volume_worlds;

use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, exp, join};
use stiction_device::realtime::thread_time;
use stiction_results::{Measurement, ResultLog, ResultRow, Target, folder, read};
use stiction_testing::alloc::{Counting, allocations_of};
use stiction_testing::splitmix64;
use stiction_volume::{Body, ContactMethod, VolumeEngine, VolumeSettings};
use volume_worlds::{Shovels, VolumeWorld, cuboid, moved, pulling, shovels, stick_slip, walls};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn study() -> bool {
    std::env::var_os("STICTION_STUDY").is_some()
}

fn log() -> ResultLog {
    ResultLog::of_study("study-volume")
}

/// Writes a row in the study, and fails for a missed target. Speed is judged in the study only.
fn row(what: &str, value: f64, unit: &str, target: Target, speed: bool) {
    let row = Measurement::new(what, value, unit).held_to(target);
    println!("{what}: {value:.3e} {unit}");
    if study() {
        log().add(&row).unwrap();
    }
    assert!(row.met != Some(false) || (speed && !study()), "{what}: {value} {unit}");
}

/// The quantile of times of a step of a world (µs), best of some rounds.
fn time_of_a_step(world: &VolumeWorld, seconds: f64, share: f64, hands: impl Fn(f64) -> Vec<HandInput>) -> f64 {
    let rounds = if study() { 5 } else { 1 };
    let round = |_| {
        let mut engine = world.engine().unwrap();
        let mut times: Vec<u64> = (0..world.ticks(seconds))
            .map(|i| {
                let hands = hands(world.settings.period * i as f64);
                let begun = thread_time();
                engine.tick(&hands);
                thread_time() - begun
            })
            .collect();
        times.sort_unstable();
        1e-3 * times[((times.len() - 1) as f64 * share).round() as usize] as f64
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

#[test]
fn speed() {
    let none = |_: f64| Vec::new();
    let step = |count: usize| time_of_a_step(&walls(count, 0.005, ContactMethod::Volume).unwrap(), 5.0, 0.5, none);
    let [three, ten, hundred] = [3, 10, 100].map(step);
    row("100 blocks: a step, median", hundred, "µs", Target::AtMost(1000.0), true);
    row(
        "time of a step of 100 blocks over ten times that of 10",
        hundred / (10.0 * ten),
        "",
        Target::AtMost(1.5),
        true,
    );
    row("time of a block among 10 over that of one among 3", 0.3 * ten / three, "", Target::AtMost(1.5), true);
    let hands = |t: f64| Shovels::hands(t).to_vec();
    let world = shovels().unwrap();
    row(
        "two shovels and six blocks: a step, median",
        time_of_a_step(&world, Shovels::SECONDS, 0.5, hands),
        "µs",
        Target::AtMost(100.0),
        true,
    );
    row(
        "two shovels and six blocks: a step, p99",
        time_of_a_step(&world, Shovels::SECONDS, 0.99, hands),
        "µs",
        Target::AtMost(100.0),
        true,
    );
}

#[test]
fn walls_stand() {
    for count in [3, 6, 10, 13, 30, 100] {
        let world = walls(count, 0.005, ContactMethod::Volume).unwrap();
        let mut engine = world.engine().unwrap();
        let [mut far, mut fast] = [0.0_f64; 2];
        for i in 0..world.ticks(5.0) {
            engine.tick(&[]);
            let [way, speed] = moved(&world, &engine);
            far = far.max(way);
            fast = if i >= world.ticks(4.0) { fast.max(speed) } else { fast };
        }
        row(
            &format!("{count} blocks: farthest that one is from its place in 5 s"),
            far,
            "m",
            Target::AtMost(0.1),
            false,
        );
        row(&format!("{count} blocks: fastest in the last of 5 s"), fast, "m/s", Target::AtMost(0.05), false);
    }
}

#[test]
fn steps_allocate_nothing() {
    let worlds = [
        ("100 blocks", walls(100, 0.005, ContactMethod::Volume).unwrap()),
        ("two shovels", shovels().unwrap()),
        ("stick-slip", stick_slip(0.0, ContactMethod::Volume).unwrap()),
    ];
    for (name, world) in worlds {
        let mut engine = world.engine().unwrap();
        let mut count = 0;
        for i in 0..world.ticks(5.0) {
            let t = world.settings.period * i as f64;
            let hands = if name == "stick-slip" { [pulling(t); 2] } else { Shovels::hands(t) };
            count += allocations_of(|| engine.tick(&hands[..world.hands.len()]));
        }
        row(&format!("{name}: allocations in 5 s of steps"), count as f64, "", Target::AtMost(0.0), false);
    }
}

/// Linear and angular momentum (about the origin) of free bodies in a world without gravity.
fn momentum(world: &VolumeWorld, engine: &VolumeEngine) -> [Vec3; 2] {
    world.bodies.iter().zip(engine.bodies()).fold([Vec3::zeros(); 2], |[linear, angular], (body, state)| {
        let p = state.velocity * body.mass;
        let turn = state.pose.rotation * (body.inertia.unwrap() * (state.pose.rotation.inverse() * state.spin));
        [linear + p, angular + state.centre.cross(&p) + turn]
    })
}

/// Boxes that fly into each other with no floor and no weight.
fn swarm(seed: u64, settings: VolumeSettings, world_from_swarm: &Pose) -> VolumeWorld {
    let mut seed = seed;
    let mut random = || splitmix64(&mut seed) as f64 / 2.0_f64.powi(63) - 1.0;
    let mut bodies = Vec::new();
    for i in 0..4 {
        let half = [0.05 + 0.03 * random().abs(), 0.05 + 0.03 * random().abs(), 0.05];
        let mass = 1.0;
        let turn = Vec3::new(random(), random(), random());
        let side = Vec3::new(f64::from(i % 2) - 0.5, f64::from(i / 2) - 0.5, 0.1 * random()) * 0.5;
        let pose = world_from_swarm * Pose::from_parts(side.into(), exp(&turn));
        let mut body = Body::new(vec![cuboid(half[0], half[1], half[2]).unwrap()], mass, pose);
        let squares = Vec3::from(half).map(|x| x * x / 3.0);
        body.inertia = Some(stiction::spatial::Mat3::from_diagonal(&(Vec3::repeat(squares.sum()) - squares)));
        let twist = [-side * (1.0 + 0.2 * random()), Vec3::new(random(), random(), random())];
        body.twist = join(world_from_swarm.rotation * twist[0], world_from_swarm.rotation * twist[1]);
        bodies.push(body);
    }
    VolumeWorld { settings, bodies, hands: Vec::new() }
}

fn weightless() -> VolumeSettings {
    let mut settings = VolumeWorld::on_floor(1.0, 0.001, ContactMethod::Volume).unwrap().settings;
    settings.gravity = Vec3::zeros();
    settings
}

#[test]
fn budgets() {
    let (mut linear, mut angular, mut gained, mut lost) = (0.0_f64, 0.0_f64, f64::NEG_INFINITY, 0.0_f64);
    for seed in 0..if study() { 200 } else { 10 } {
        let world = swarm(seed, weightless(), &Pose::identity());
        let mut engine = world.engine().unwrap();
        let before = momentum(&world, &engine);
        let kinetic = |engine: &VolumeEngine| {
            world.bodies.iter().zip(engine.bodies()).fold(0.0, |sum, (body, state)| {
                let spin = state.pose.rotation.inverse() * state.spin;
                sum + 0.5 * body.mass * state.velocity.norm_squared() + 0.5 * spin.dot(&(body.inertia.unwrap() * spin))
            })
        };
        let start = kinetic(&engine);
        (0..2000).for_each(|_| engine.tick(&[]));
        let after = momentum(&world, &engine);
        linear = linear.max((after[0] - before[0]).norm());
        angular = angular.max((after[1] - before[1]).norm());
        gained = gained.max(kinetic(&engine) / start - 1.0);
        lost = lost.max(1.0 - kinetic(&engine) / start);
    }
    // They did meet.
    assert!(lost > 0.1);
    row(
        "boxes that collide in free flight: change of linear momentum in 2 s",
        linear,
        "kg m/s",
        Target::AtMost(1e-12),
        false,
    );
    // Contacts act at one place on both, but bodies move between steps: second order in the period.
    row(
        "boxes that collide in free flight: change of angular momentum in 2 s",
        angular,
        "kg m²/s",
        Target::AtMost(1e-5),
        false,
    );
    row(
        "boxes that collide in free flight: largest share of kinetic energy gained in 2 s",
        gained,
        "",
        Target::AtMost(1e-3),
        false,
    );
}

#[test]
fn invariance() {
    let moves = [
        ("moved by (3, −2, 1) m", Pose::translation(3.0, -2.0, 1.0)),
        (
            "turned by 0.7 rad about (1, 2, 3)",
            Pose::from_parts(Vec3::zeros().into(), exp(&(Vec3::new(1.0, 2.0, 3.0).normalize() * 0.7))),
        ),
    ];
    for (name, moved) in moves {
        let mut worst = 0.0_f64;
        for seed in 0..if study() { 50 } else { 5 } {
            let worlds = [Pose::identity(), moved].map(|pose| swarm(seed, weightless(), &pose));
            let mut engines = worlds.map(|world| world.engine().unwrap());
            for _ in 0..500 {
                engines.iter_mut().for_each(|engine| engine.tick(&[]));
            }
            for (a, b) in engines[0].bodies().iter().zip(engines[1].bodies()) {
                worst = worst.max((moved * a.pose).translation.vector.metric_distance(&b.pose.translation.vector));
            }
        }
        row(
            &format!("boxes that collide, in a world {name}: largest difference after 0.5 s"),
            worst,
            "m",
            Target::AtMost(1e-9),
            false,
        );
    }
}

#[test]
fn seams() {
    // A block of two pieces, and one of one, slide over a floor. The bound is that of `dynamics.rs`.
    let run = |pieces: usize| {
        let mut world = VolumeWorld::on_floor(5.0, 0.001, ContactMethod::Volume).unwrap();
        let half = |from: f64, to: f64| {
            let middle = 0.5 * (from + to);
            let points: Vec<Vec3> =
                cuboid(0.5 * (to - from), 0.1, 0.05).unwrap().points().iter().map(|p| p + Vec3::x() * middle).collect();
            stiction_volume::Convex::of_points(&points).unwrap()
        };
        let parts = if pieces == 1 { vec![half(-0.1, 0.1)] } else { vec![half(-0.1, 0.0), half(0.0, 0.1)] };
        let mut body = Body::new(parts, 1.0, Pose::translation(-0.5, 0.0, 0.05));
        body.twist = join(Vec3::x() * 2.0, Vec3::zeros());
        world.bodies.push(body);
        let mut engine = world.engine().unwrap();
        (0..1000).for_each(|_| engine.tick(&[]));
        engine.bodies()[1].pose.translation.vector
    };
    let off = (run(2) - run(1)).norm();
    row(
        "a block of two pieces slides 0.4 m and comes to rest: distance from where one of one piece does",
        off,
        "m",
        Target::AtMost(5e-4),
        false,
    );
}

/// Rows of the geometry's tests, of the bench beside other engines and of figures, which were run before; what a figure finds is told, not judged. Named so that it is run last.
#[test]
fn zz_gathered() {
    if !study() {
        return;
    }
    let results = folder().unwrap();
    let mut missed = Vec::new();
    for name in ["study-volume-geometry", "bench-volume", "figures-cv", "study-volume-soak", "study-campaign"] {
        let Ok(file) = read(&results.join(format!("{name}.jsonl"))) else {
            let what = format!("{name}: its results are not there; `make study-volume` makes them");
            log().add(&Measurement::new(&*what, f64::NAN, "").held_to(Target::AtLeast(1.0))).unwrap();
            missed.push(what);
            continue;
        };
        for found in file.rows {
            match found {
                // Of the campaigns, that in which the device is a body.
                ResultRow::Measured(measured) if name == "study-campaign" && !measured.what.contains("slab") => {
                    drop(measured)
                }
                ResultRow::Measured(measured) if measured.met.is_some() => {
                    log().add(&measured).unwrap();
                    let ours = measured.met == Some(false) && name != "figures-cv";
                    missed.extend(ours.then_some(measured.what));
                }
                ResultRow::Figure(figure) => log().add_figure(&figure.name, &figure.verdict).unwrap(),
                ResultRow::Measured(_) => {}
            }
        }
    }
    assert!(missed.is_empty(), "missed: {missed:#?}");
}
