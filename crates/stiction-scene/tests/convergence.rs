//! Contact forces as points and voxels refine, against closed forms. Forces of single points mean nothing: what is compared are resultants of a side or a face.
//! `make study-convergence` runs all of it; a short form is part of `make test`.
//!
//! h = √(area/points) is the distance of a part's points, v its voxel, s the sagitta of its facets, δ the elastic depth, e = v²/8r the error by which a lattice tells the distance to
//! a cylinder of radius r: that of a chord, since distances are interpolated linearly. All bounds were written down before anything was measured.
//!
//! | case | quantity | closed form | bound |
//! |---|---|---|---|
//! | areas | sum over the points of a box's face, those on its edges too | the face | h/L: a quarter of a row of cells along each edge |
//! | punch: box, L = 40 mm, on a plate, F = 10 N, e = 4 mm off its middle | force on the loaded half of its face | F/2 (1 + 3e/L): pressure of a rigid punch on an elastic foundation | 2h/L of F: half a row of cells at the middle, F h/2L, and the rows along edges, which change the second moment of the face by up to 6h/L |
//! | | centre of pressure | e | 1e-3 L: a matter of balance, not of points |
//! | twisted punch: the same without e, µ = 0.2 | largest torque about z | µFL (√2 + ln(1 + √2))/6: µ times the mean distance from the middle | 2h/L |
//! | tilted pin: r = 4 mm, bore 50 µm wider, ℓ = 20 mm deep, without friction, M = 0.2 N m across, of which the coupling bears some | tilt | θ = 2c/ℓ, rigid | 2 (e + 2s + δ + c/cos(h/2r) - c)/ℓ, δ = M/ℓk: points of the rim are up to h/2r off the plane of the tilt |
//! | | force on one end | M/ℓ, M what the coupling leaves | 2 (e + 2s + δ)/θℓ: the zone of contact reaches so far in from the rim |
//! | cone: 31 degrees, F = 10 N along its axis, without friction, by area | sum of normal forces | F/sin α | e/δ·1/2: where depth varies, so do normals, by less |
//! | | largest part of a quarter | F/(4 sin α) | 2h/(πr/2) + e/δ: a row of cells at each end of the quarter's arc |
//! | press fit: pin 20 µm wider than its bore, by area | sum of normal forces | κ δ 2πrℓ | (e + 2s)/δ + h/ℓ: cells that reach over the rims |
//! | press fit, stiffness per point | the same | none: it grows with the points | from 500 to 8000 points by at least 4 |

use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use stiction::shape::Shape;
use stiction::spatial::{Frame, Pose, Vec3, Vec6, exp, join, log};
use stiction::tick::{Engine, Settings};
use stiction_bake::field::{FieldOptions, Fineness};
use stiction_bake::solids::{Solid, revolve};
use stiction_bake::{BakeOptions, Mesh, Silent, bake};
use stiction_results::{Measurement, ResultLog, Target};

/// Facets around: their sagitta is a few tenths of a micrometre.
const SEGMENTS: u32 = 256;
/// Press (N).
const FORCE: f64 = 10.0;

/// How fine parts are.
#[derive(Clone, Copy, Debug)]
struct Fine {
    points: usize,
    voxels: u32,
}

/// What was measured, with its closed form and the most that it may be off.
struct Found {
    what: &'static str,
    unit: &'static str,
    measured: f64,
    truth: f64,
    bound: f64,
}

struct Part {
    shape: Arc<Shape>,
    surface: f64,
}

impl Part {
    fn new(mesh: &Mesh, fine: Fine) -> Part {
        let field = FieldOptions { fineness: Fineness::Resolution(fine.voxels), ..FieldOptions::default() };
        let options = BakeOptions { field, shell_points: fine.points, ..BakeOptions::default() };
        let surface = mesh.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
        Part { shape: Arc::new(bake(mesh, &options, String::new(), &Silent).unwrap().shape), surface }
    }

    /// The distance of points.
    fn h(&self) -> f64 {
        (self.surface / self.shape.shell.points().len() as f64).sqrt()
    }

    /// The error of interpolated distances from a cylinder.
    fn e(&self, radius: f64) -> f64 {
        self.shape.field.lattice().spacing.powi(2) / (8.0 * radius)
    }
}

fn sagitta(radius: f64) -> f64 {
    radius * (1.0 - (PI / f64::from(SEGMENTS)).cos())
}

fn engine(held: &Part, fixed: &Part, start: Pose, change: impl Fn(&mut Settings)) -> Engine {
    let mut settings = Settings { mu_static: 0.0, mu_kinetic: 0.0, ..Settings::default() };
    change(&mut settings);
    Engine::new(settings, held.shape.clone(), fixed.shape.clone(), Pose::identity(), start).unwrap()
}

/// Ticks with a load that grows in the first half of them, the hand at rest.
fn press(engine: &mut Engine, hand: &Pose, load: &Vec6, ticks: usize) {
    for i in 0..ticks {
        engine.tick(hand, &(load * (2.0 * (i + 1) as f64 / ticks as f64).min(1.0)));
    }
}

/// The sum of normal forces for which something is true of the place and the normal.
fn sum(engine: &Engine, counts: impl Fn(&Vec3, &Vec3) -> bool) -> f64 {
    engine.contacts().filter(|c| counts(&c.position, &c.normal)).map(|c| c.normal_force).sum()
}

const SIDE: f64 = 0.04;

fn punch_parts(fine: Fine) -> [Part; 2] {
    let held = Solid::Box { size: [SIDE, SIDE, 0.02] };
    let plate = Solid::Plate { size: [0.06, 0.06], thickness: 0.02 };
    [Part::new(&held.mesh().unwrap(), fine), Part::new(&plate.mesh().unwrap(), fine)]
}

fn punch(fine: Fine, modulus: Option<f64>) -> Vec<Found> {
    let [held, plate] = punch_parts(fine);
    let start = Pose::translation(0.0, 0.0, 0.02);
    let mut engine = engine(&held, &plate, start, |s| s.modulus = modulus);
    let off = 0.004;
    let load = join(Vec3::z() * -FORCE, Vec3::x().cross(&-Vec3::z()) * (FORCE * off));
    press(&mut engine, &start, &load, 400);
    // The coupling bears a little.
    let borne = load - engine.trace().wrench;
    let (force, at) = (-borne[2], borne[4] / -borne[2]);
    let total = sum(&engine, |_, _| true);
    // A point in the middle belongs to both halves.
    let middle = 1e-9;
    let half = 0.5 * (sum(&engine, |p, _| p.x > middle) + sum(&engine, |p, _| p.x > -middle));
    let centre = engine.contacts().map(|c| c.normal_force * c.position.x).sum::<f64>() / total;
    let h = held.h().max(plate.h());
    let areas = held.shape.point_areas();
    let below = held.shape.shell.points().iter().zip(areas).filter(|(p, _)| (p.position.z + 0.01).abs() < 1e-9);
    let area: f64 = below.map(|(_, area)| area).sum();
    vec![
        Found {
            what: "area of a face",
            unit: "mm²",
            measured: 1e6 * area,
            truth: 1e6 * SIDE * SIDE,
            bound: 1e6 * SIDE * held.h(),
        },
        Found {
            what: "punch: loaded half",
            unit: "N",
            measured: half,
            truth: 0.5 * force * (1.0 + 3.0 * at / SIDE),
            bound: force * 2.0 * h / SIDE,
        },
        Found { what: "punch: centre", unit: "mm", measured: 1e3 * centre, truth: 1e3 * at, bound: SIDE },
    ]
}

fn twisted(fine: Fine, modulus: Option<f64>) -> Vec<Found> {
    let [held, plate] = punch_parts(fine);
    let start = Pose::translation(0.0, 0.0, 0.02);
    let mu = 0.2;
    let mut engine = engine(&held, &plate, start, |s| (s.modulus, s.mu_static, s.mu_kinetic) = (modulus, mu, mu));
    let load = join(Vec3::z() * -FORCE, Vec3::zeros());
    press(&mut engine, &start, &load, 200);
    let centre = held.shape.mass.centre;
    let mut torque = 0.0;
    for i in 0..300 {
        let turned =
            Frame { centre: Frame::of(&start, &centre).centre, rotation: exp(&(Vec3::z() * (2e-4 * f64::from(i)))) };
        let t = engine.tick(&turned.pose(&centre), &load);
        // Of the last hundred ticks.
        torque += if i >= 200 { 0.01 * -t.wrench[5] } else { 0.0 };
    }
    let force = FORCE + engine.trace().wrench[2];
    let truth = mu * force * SIDE * (2f64.sqrt() + (1.0 + 2f64.sqrt()).ln()) / 6.0;
    let h = held.h().max(plate.h());
    vec![Found {
        what: "twisted punch: torque",
        unit: "mN m",
        measured: 1e3 * torque,
        truth: 1e3 * truth,
        bound: 1e3 * truth * 2.0 * h / SIDE,
    }]
}

const RADIUS: f64 = 4e-3;
const BORE: f64 = 0.02;

fn pin_parts(fine: Fine, clearance: f64) -> [Part; 2] {
    let pin = Solid::Cylinder { radius: RADIUS, height: 0.04, segments: SEGMENTS };
    let plate =
        Solid::PlateRoundHole { size: [0.03, 0.03], thickness: BORE, radius: RADIUS + clearance, segments: SEGMENTS };
    [Part::new(&pin.mesh().unwrap(), fine), Part::new(&plate.mesh().unwrap(), fine)]
}

fn tilted(fine: Fine) -> Vec<Found> {
    let clearance = 50e-6;
    let [pin, plate] = pin_parts(fine, clearance);
    // As stiff as it would be by itself: 40 N on 20 µm.
    let stiffness = 2e6;
    let mut engine = engine(&pin, &plate, Pose::identity(), |s| s.stiffness = Some(stiffness));
    let load = join(Vec3::zeros(), Vec3::y() * 0.2);
    press(&mut engine, &Pose::identity(), &load, 1000);
    let t = *engine.trace();
    let tilt = log(&t.part.rotation).norm();
    let torque = (load - t.wrench)[4];
    let rigid = 2.0 * clearance / BORE;
    let end = sum(&engine, |p, _| p.z > 0.0);
    let delta = torque / BORE / stiffness;
    let (e, s) = (pin.e(RADIUS).max(plate.e(RADIUS)), sagitta(RADIUS));
    let off_plane = clearance / (0.5 * plate.h() / RADIUS).cos() - clearance;
    vec![
        Found {
            what: "tilted pin: tilt",
            unit: "mrad",
            measured: 1e3 * tilt,
            truth: 1e3 * rigid,
            bound: 1e3 * 2.0 * (e + 2.0 * s + delta + off_plane) / BORE,
        },
        Found {
            what: "tilted pin: force on an end",
            unit: "N",
            measured: end,
            truth: torque / BORE,
            bound: torque / BORE * 2.0 * (e + 2.0 * s + delta) / (rigid * BORE),
        },
    ]
}

fn cone(fine: Fine) -> Vec<Found> {
    let r = |z: f64| 4e-3 + 0.6 * z;
    let sine = 0.6 / 1.36f64.sqrt();
    let held = revolve(&[[0.0, 0.0], [r(0.0), 0.0], [r(0.01), 0.01], [0.0, 0.01]], false, SEGMENTS).unwrap();
    let seat = [[0.016, 0.002], [0.016, 0.008], [r(0.008), 0.008], [r(0.002), 0.002]];
    let seat = revolve(&seat, true, SEGMENTS).unwrap();
    let (held, seat) = (Part::new(&held, fine), Part::new(&seat, fine));
    // A depth of about 20 µm: F = κ A δ sin α.
    let face = TAU * r(0.005) * 0.006 * 1.36f64.sqrt();
    let delta = 20e-6;
    let modulus = FORCE / (face * delta * sine);
    let mut engine = engine(&held, &seat, Pose::identity(), |s| s.modulus = Some(modulus));
    let load = join(Vec3::z() * -FORCE, Vec3::zeros());
    press(&mut engine, &Pose::identity(), &load, 400);
    let force = FORCE + engine.trace().wrench[2];
    let all = sum(&engine, |_, _| true);
    let quarter = |k: i32| sum(&engine, |p, _| ((p.y.atan2(p.x) / (0.5 * PI)).floor() as i32).rem_euclid(4) == k);
    let worst = (0..4).map(quarter).max_by(|a, b| (a - 0.25 * all).abs().total_cmp(&(b - 0.25 * all).abs())).unwrap();
    let (e, h) = (held.e(r(0.002)).max(seat.e(r(0.002))), held.h().max(seat.h()));
    let arc = 0.5 * PI * r(0.005);
    vec![
        Found {
            what: "cone: normal forces",
            unit: "N",
            measured: all,
            truth: force / sine,
            bound: force / sine * 0.5 * e / delta,
        },
        Found {
            what: "cone: a quarter",
            unit: "N",
            measured: worst,
            truth: 0.25 * force / sine,
            bound: 0.25 * force / sine * (2.0 * h / arc + e / delta),
        },
    ]
}

const INTERFERENCE: f64 = 20e-6;

fn press_fit(fine: Fine, modulus: Option<f64>) -> Vec<Found> {
    let [pin, plate] = pin_parts(fine, -INTERFERENCE);
    let mut engine = engine(&pin, &plate, Pose::identity(), |s| s.modulus = modulus);
    press(&mut engine, &Pose::identity(), &Vec6::zeros(), 20);
    let all = sum(&engine, |_, _| true);
    let mean = RADIUS - 0.5 * INTERFERENCE;
    let truth = modulus.map_or(f64::NAN, |k| k * INTERFERENCE * TAU * mean * BORE);
    let (e, s, h) = (pin.e(RADIUS).max(plate.e(RADIUS)), sagitta(RADIUS), pin.h().max(plate.h()));
    let what = if modulus.is_some() { "press fit by area" } else { "press fit by point" };
    vec![Found { what, unit: "N", measured: all, truth, bound: truth * ((e + 2.0 * s) / INTERFERENCE + h / BORE) }]
}

/// Whether all of it is tried.
fn full() -> bool {
    std::env::var("STICTION_STUDY").is_ok()
}

#[test]
fn resultants_converge_to_closed_forms() {
    let by_points =
        |points: &[usize], voxels: u32| points.iter().map(|&points| Fine { points, voxels }).collect::<Vec<_>>();
    let steps = if full() {
        let mut steps = by_points(&[500, 1000, 2000, 4000, 8000], 256);
        steps.extend([64, 128].map(|voxels| Fine { points: 4000, voxels }));
        steps
    } else {
        by_points(&[500, 2000], 128)
    };
    println!("| case | points | voxels | measured | closed form | off by | bound |\n|---|---|---|---|---|---|---|");
    let mut missed = 0;
    let mut grows = Vec::new();
    for &fine in &steps {
        let foundation = Some(1e10);
        let mut found = punch(fine, foundation);
        found.extend(twisted(fine, foundation));
        found.extend(tilted(fine));
        found.extend(cone(fine));
        found.extend(press_fit(fine, Some(1e11)));
        if full() {
            found.extend(
                punch(fine, None)
                    .into_iter()
                    .skip(1)
                    .map(|f| Found { what: "punch by point: loaded half", ..f })
                    .take(1),
            );
            found
                .extend(twisted(fine, None).into_iter().map(|f| Found { what: "twisted punch by point: torque", ..f }));
        }
        for Found { what, unit, measured, truth, bound } in found {
            let off = (measured - truth).abs();
            let failed = !(off <= bound);
            missed += usize::from(failed);
            let word = if failed { " MISSED" } else { "" };
            if full() {
                let what = format!(
                    "{what}, {} points, {} voxels: off its closed form, {truth:.4} {unit}",
                    fine.points, fine.voxels
                );
                let row = Measurement::new(what, 100.0 * off / truth, "%");
                let row = row.held_to(Target::AtMost(100.0 * bound / truth));
                ResultLog::of_study("study-convergence").add(&row).unwrap();
            }
            println!(
                "| {what} | {} | {} | {measured:.4} {unit} | {truth:.4} {unit} | {:.2} % | {:.2} %{word} |",
                fine.points,
                fine.voxels,
                100.0 * off / truth,
                100.0 * bound / truth
            );
        }
        let by_point = press_fit(fine, None).remove(0);
        println!("| {} | {} | {} | {:.0} N | none | | |", by_point.what, fine.points, fine.voxels, by_point.measured);
        grows.push((fine.points, by_point.measured));
    }
    assert_eq!(missed, 0, "see the table");
    let (few, many) = (grows[0], grows.iter().max_by_key(|g| g.0).unwrap());
    let least = 0.25 * many.0 as f64 / few.0 as f64;
    assert!(many.1 / few.1 > least, "by point: {} N on {} points, {} N on {}", few.1, few.0, many.1, many.0);
}
