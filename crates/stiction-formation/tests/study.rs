//! Every number that is promised of contact formations, measured: `make study-formation` writes a row with target and verdict for each. Without `STICTION_STUDY` the same is run for a
//! short time, and speed, which other programs on the machine change, is not judged.

mod support;

use std::sync::Arc;
use std::time::Instant;
use stiction::spatial::{Pose, Vec3, Vec6, exp, halves};
use stiction_formation::friction::FrictionRule;
use stiction_formation::identify::{GAINED, Identifier, MOST_PLANES};
use stiction_formation::placed::Solids;
use stiction_formation::verify::check;
use stiction_formation::{FormationEngine, FormationSettings, MomentModel, Polyhedron};
use stiction_results::{Measurement, ResultLog, Target};
use support::{
    EDGE, PERIOD, block, cube, ell, engine, go, identified_near_contact, notched, on_floor, random_vector, solid,
};

const H: f64 = 0.5 * EDGE;

fn study() -> bool {
    std::env::var_os("STICTION_STUDY").is_some()
}

/// So many in the study, and a part of them otherwise.
fn count(whole: usize, part: usize) -> usize {
    if study() { whole } else { part }
}

/// Writes a row in the study, and fails for a missed target. Speed is judged in the study only.
fn row(what: &str, value: f64, unit: &str, target: Target, speed: bool) {
    let row = Measurement::new(what, value, unit).held_to(target);
    println!("{what}: {value:.3e} {unit}");
    if study() {
        ResultLog::of_study("study-formation").add(&row).unwrap();
    }
    assert!(row.met != Some(false) || (speed && !study()), "{what}: {value} {unit}");
}

/// Ticks a second (kHz) with a hand that goes about in contact, by the best of five rounds.
fn rate(engine: &mut FormationEngine, around: Vec3, reach: f64, ticks: usize) -> f64 {
    let mut best = 0.0_f64;
    for round in 0..5 {
        let mut seed = 10 + round;
        let hands: Vec<Pose> = (0..ticks / 50)
            .flat_map(|_| {
                let target = Pose::from_parts(
                    (around + random_vector(&mut seed) * reach).into(),
                    exp(&(random_vector(&mut seed) * 0.2)),
                );
                vec![target; 50]
            })
            .collect();
        let begun = Instant::now();
        for (i, target) in hands.iter().enumerate() {
            let hand = engine.last().hand.lerp_slerp(target, 1.0 / (50 - i % 50) as f64);
            engine.tick(&hand, &Vec6::zeros(), PERIOD);
        }
        best = best.max(1e-3 * hands.len() as f64 / begun.elapsed().as_secs_f64());
    }
    best
}

#[test]
fn speed_on_the_papers_scene() {
    let ticks = count(20_000, 50);
    let start = Pose::translation(0.0, 0.005, 0.0) * on_floor(0.07, 0.0);
    let mut paper = engine(FormationSettings::default(), cube(), ell(), start);
    let found = rate(&mut paper, Vec3::new(0.03, 0.03, 0.0), 0.012, ticks);
    row("ticks on the paper's scene, a cube at an L", found, "kHz", Target::AtLeast(20.0), true);
}

/// Prisms of 198 sides, one on the other.
#[test]
fn speed_on_rollers_of_200_faces() {
    let round: Vec<[f64; 2]> = (0..198)
        .map(|i| (f64::from(i) / 198.0 * std::f64::consts::TAU).sin_cos())
        .map(|(s, c)| [0.05 * c, 0.05 * s])
        .collect();
    let roller: Arc<Polyhedron> = solid(&round, 0.1);
    assert_eq!(roller.faces.len(), 200);
    let start = Pose::translation(0.0, 0.101, 0.0);
    let mut two = engine(FormationSettings::default(), roller.clone(), roller, start);
    let found = rate(&mut two, Vec3::new(0.0, 0.098, 0.0), 0.004, count(5000, 50));
    assert!(!two.last().formation.is_empty());
    row("ticks on two polyhedra of 200 faces, rollers on each other", found, "kHz", Target::AtLeast(5.0), true);
}

/// A fit, where many features are near each other at once: a splined shaft of 49 teeth in its hole, with a play of 0.3 mm.
#[test]
fn speed_on_a_spline_of_200_faces() {
    let (shaft, hole) = (solid(&spline(0.03), 0.04), ring(&spline(0.0303), 0.02));
    assert_eq!([shaft.faces.len(), hole.faces.len()], [198, 202]);
    let mut fit = engine(FormationSettings::default(), shaft, hole, Pose::identity());
    let found = rate(&mut fit, Vec3::zeros(), 0.002, count(5000, 50));
    assert!(!fit.last().formation.is_empty());
    // Beyond what is promised: told, and held to nothing.
    let told = Measurement::new(
        "ticks on two polyhedra of 200 faces, a splined shaft that touches its hole all around",
        found,
        "kHz",
    );
    println!("{}: {found:.3} kHz", told.what);
    if study() {
        ResultLog::of_study("study-formation").add(&told).unwrap();
    }
}

/// 49 trapezoidal teeth around a circle.
fn spline(radius: f64) -> Vec<[f64; 2]> {
    let tooth = [(0.0, 1.0), (0.3, 1.0), (0.45, 0.95), (0.85, 0.95)];
    let corners =
        (0..49).flat_map(|i| tooth.map(|(share, r)| ((f64::from(i) + share) / 49.0 * std::f64::consts::TAU, r)));
    corners.map(|(angle, r)| [radius * r * angle.cos(), radius * r * angle.sin()]).collect()
}

/// A square plate with a hole of this outline, which must be seen from the middle as a whole.
fn ring(hole: &[[f64; 2]], thickness: f64) -> Arc<Polyhedron> {
    let n = hole.len() as u32;
    let border = |[x, y]: [f64; 2]| {
        let scale = 0.05 / x.abs().max(y.abs());
        [x * scale, y * scale]
    };
    // The corners of the square are among the points of its border: the points nearest to the diagonals move there.
    let mut outer: Vec<[f64; 2]> = hole.iter().map(|p| border(*p)).collect();
    for corner in [[0.05, 0.05], [-0.05, 0.05], [-0.05, -0.05], [0.05, -0.05]] {
        let far = |p: &[f64; 2]| (p[0] - corner[0]).hypot(p[1] - corner[1]);
        let nearest = (0..outer.len()).min_by(|i, j| far(&outer[*i]).total_cmp(&far(&outer[*j]))).unwrap();
        outer[nearest] = corner;
    }
    let level = |z: f64| hole.iter().chain(&outer).map(move |[x, y]| Vec3::new(*x, *y, z)).collect::<Vec<_>>();
    let points = [level(-0.5 * thickness), level(0.5 * thickness)].concat();
    let quad = |a, b, c, d| [[a, b, c], [a, c, d]];
    let triangles: Vec<[u32; 3]> = (0..n)
        .flat_map(|i| {
            let j = (i + 1) % n;
            let (inner, outer, top) = ([i, j], [n + i, n + j], 2 * n);
            [
                quad(inner[0], top + inner[0], top + inner[1], inner[1]),
                quad(outer[0], outer[1], top + outer[1], top + outer[0]),
                quad(top + inner[0], top + outer[0], top + outer[1], top + inner[1]),
                quad(inner[0], inner[1], outer[1], outer[0]),
            ]
        })
        .flatten()
        .collect();
    Arc::new(Polyhedron::new(&points, &triangles).unwrap())
}

#[test]
fn identification() {
    // Named in advance.
    let epsilon = 1e-4;
    wrong_formations("a cube at an L", cube(), count(100_000, 300), epsilon);
    wrong_formations("a notched block at an L", notched(), count(20_000, 100), epsilon);
}

fn wrong_formations(what: &str, held: Arc<Polyhedron>, poses: usize, epsilon: f64) {
    let solids = Solids::new(held, ell());
    let mut identifier = Identifier::new(&solids);
    let (mut seed, mut wrong, mut farthest, mut touching) = (41, 0, 0.0_f64, 0);
    for number in 0..poses {
        let (pose, found) = identified_near_contact(&solids, &mut identifier, epsilon, number, &mut seed);
        let report = check(&solids, &pose, &found);
        let valid = report.residual < 1e-9 && report.moved <= 4.0 * epsilon && report.distinct > 1e-7;
        let complete = found.is_empty() == (report.parts > GAINED * epsilon);
        let good = complete && (found.is_empty() || valid && found.planes(4.0 * epsilon) <= MOST_PLANES);
        if !good {
            println!("pose {number}: {report:?} {:?}", found.touches().iter().map(|t| t.contact).collect::<Vec<_>>());
        }
        wrong += usize::from(!good);
        touching += usize::from(!found.is_empty());
        farthest = farthest.max(report.contacts);
    }
    assert!(touching > poses / 2);
    row(
        &format!("formations of {poses} poses of {what} near contact that an exhaustive search calls wrong"),
        wrong as f64,
        "",
        Target::AtMost(0.0),
        false,
    );
    row(
        &format!("largest distance of the elements of a contact of {what}, in units of ε"),
        farthest / epsilon,
        "",
        Target::AtMost(1.0),
        false,
    );
}

#[test]
fn friction_and_jumps() {
    let settings = FormationSettings { mu_kinetic: 0.3, ..FormationSettings::default() };
    let mut engine = engine(settings, cube(), ell(), Pose::translation(0.0, 0.005, 0.0) * on_floor(0.07, 0.0));
    let slew = settings.coupling.max_force * PERIOD / settings.interpolation;
    let mut seed = 8;
    let (mut jump, mut work, mut changes, mut last) = (0.0_f64, 0.0_f64, 0, engine.last().wrench);
    for _ in 0..count(3000, 60) {
        let target = Pose::from_parts(
            (Vec3::new(0.03, 0.03, 0.0) + random_vector(&mut seed) * 0.012).into(),
            exp(&(random_vector(&mut seed) * 0.15)),
        );
        for i in 1..=150 {
            let hand = engine.last().hand.lerp_slerp(&target, 1.0 / f64::from(151 - i));
            let before = engine.last().formation;
            let now = *engine.tick(&hand, &Vec6::zeros(), PERIOD);
            let changed = !(before.within(&now.formation) && now.formation.within(&before));
            changes += usize::from(changed);
            jump = jump.max(halves(&(now.wrench - last)).0.norm());
            work = now
                .contacts()
                .filter(|(_, f)| f.rule == FrictionRule::Dynamic)
                .map(|(_, f)| f.work)
                .fold(work, f64::max);
            last = now.wrench;
        }
    }
    assert!(changes > 50);
    row(
        "largest change of the force in a tick, in units of the slew limit (largest force in the interpolation's 20 ms)",
        jump / slew,
        "",
        Target::AtMost(1.0),
        false,
    );
    row("largest work of a sliding contact's friction in a tick", work, "J", Target::AtMost(1e-12), false);
}

#[test]
fn closed_paths() {
    let settings = FormationSettings { mu_static: 2.0, mu_kinetic: 2.0, ..FormationSettings::default() };
    let mut engine = engine(settings, cube(), block([0.4, 0.1, 0.4]), Pose::translation(0.0, 0.05 + H + 0.001, 0.0));
    let home = Pose::translation(0.0, 0.05 + H - 0.005, 0.0);
    go(&mut engine, &home, 100);
    let (mut seed, mut most) = (9, 0.0_f64);
    for _ in 0..count(500, 5) {
        let [a, b] = [random_vector(&mut seed) * 0.002, random_vector(&mut seed) * 0.002];
        let felt = |engine: &FormationEngine| {
            (engine.last().contacts().next().unwrap().1.friction, engine.last().proxy.translation.vector)
        };
        let (mut work, mut last) = (0.0, felt(&engine));
        for i in 1..=400 {
            let t = std::f64::consts::TAU * f64::from(i) / 400.0;
            let offset = a * t.sin() + b * (1.0 - t.cos());
            go(&mut engine, &(Pose::translation(offset.x, 0.2 * offset.y, offset.z) * home), 1);
            let next = felt(&engine);
            work += 0.5 * (last.0 + next.0).dot(&(next.1 - last.1));
            last = next;
        }
        most = most.max(work);
    }
    row("largest energy that static friction gives back on a closed path", most, "J", Target::AtMost(1e-9), false);
}

#[test]
fn holding() {
    let mut engine =
        engine(FormationSettings::default(), cube(), ell(), Pose::translation(0.0, 0.001, 0.0) * on_floor(0.08, 0.0));
    go(&mut engine, &(Pose::translation(0.0, -0.005, 0.0) * on_floor(0.08, 0.0)), 60);
    let home = Pose::translation(0.0, -0.005, 0.0) * on_floor(0.0815, 0.0);
    go(&mut engine, &home, 100);
    let before = engine.last().wrench[0];
    let mut seed = 1;
    for _ in 0..count(3_600_000, 20_000) {
        let hand = Pose::from_parts((home.translation.vector + random_vector(&mut seed) * 1e-6).into(), home.rotation);
        engine.tick(&hand, &Vec6::zeros(), PERIOD);
    }
    go(&mut engine, &home, 1);
    let lost = (engine.last().wrench[0] - before).abs() / before.abs();
    row(
        "share of its friction that a loaded part at rest loses in an hour, the hand trembling by 1 µm",
        lost,
        "",
        Target::AtMost(1e-9),
        false,
    );
}

/// What the paper's model of one force at the centroid cannot do, and the mended one can.
#[test]
fn moments_of_a_face() {
    let felt = |moments, turn: Vec3| {
        let mut engine = engine(
            FormationSettings { moments, ..FormationSettings::default() },
            cube(),
            block([0.4, 0.1, 0.4]),
            Pose::translation(0.0, 0.05 + H + 0.001, 0.0),
        );
        let down = Pose::translation(0.0, 0.05 + H - 0.005, 0.0);
        go(&mut engine, &down, 60);
        let turned = Pose::from_parts(down.translation, exp(&turn));
        go(&mut engine, &turned, 10);
        go(&mut engine, &turned, 40);
        let (force, moment) = halves(&engine.last().wrench);
        (moment - (exp(&turn) * Vec3::new(0.0, -H, 0.0)).cross(&force)).norm() / turn.norm()
    };
    let stiffness = FormationSettings::default().coupling.stiffness;
    let paper = [felt(MomentModel::Paper, Vec3::x() * 2e-3), felt(MomentModel::Paper, Vec3::y() * 0.02)];
    row("stiffness of a face against tilting, the paper's model", paper[0], "N m/rad", Target::AtMost(1e-3), false);
    row("stiffness of a face against twisting, the paper's model", paper[1], "N m/rad", Target::AtMost(1e-3), false);
    let closed = [stiffness * EDGE * EDGE / 12.0, stiffness * EDGE * EDGE / 6.0];
    let area = [felt(MomentModel::Area, Vec3::x() * 2e-3), felt(MomentModel::Area, Vec3::y() * 0.02)];
    row(
        "|tilting stiffness of the area model / closed form − 1|",
        (area[0] / closed[0] - 1.0).abs(),
        "",
        Target::AtMost(0.03),
        false,
    );
    row(
        "|twisting stiffness of the area model / closed form − 1|",
        (area[1] / closed[1] - 1.0).abs(),
        "",
        Target::AtMost(0.03),
        false,
    );
}
