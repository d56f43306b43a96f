//! Polyhedra and hands for tests.
#![allow(dead_code, reason = "each test uses some of it")]

use std::sync::Arc;
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp};
use stiction_formation::contact::Formation;
use stiction_formation::identify::Identifier;
use stiction_formation::placed::{Placed, Solids};
use stiction_formation::proximity::NearFeatures;
use stiction_formation::proxy::{Proxy, ProxyMetric};
use stiction_formation::{FormationEngine, FormationSettings, Polyhedron};
use stiction_testing::splitmix64;

/// Edge of the cube (m).
pub const EDGE: f64 = 0.05;

/// A prism along z, from −length/2 to length/2, of a polygon without holes.
pub fn prism(polygon: &[[f64; 2]], length: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut polygon = polygon.to_vec();
    if area(&polygon) < 0.0 {
        polygon.reverse();
    }
    let n = polygon.len() as u32;
    let ring = |z: f64| polygon.iter().map(move |[x, y]| Vec3::new(*x, *y, z));
    let points = ring(-0.5 * length).chain(ring(0.5 * length)).collect();
    let ends = ears(&polygon);
    let caps = ends.iter().flat_map(|[a, b, c]| [[*a, *c, *b], [n + a, n + b, n + c]]);
    let walls = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, n + j], [i, n + j, n + i]]
    });
    (points, caps.chain(walls).collect())
}

fn area(polygon: &[[f64; 2]]) -> f64 {
    let next = |i: usize| polygon[(i + 1) % polygon.len()];
    (0..polygon.len()).map(|i| 0.5 * (polygon[i][0] * next(i)[1] - polygon[i][1] * next(i)[0])).sum()
}

/// Triangles of a counter-clockwise polygon, by cutting off ears.
fn ears(polygon: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..polygon.len()).collect();
    let mut out = Vec::new();
    while left.len() > 2 {
        let n = left.len();
        let ear = (0..n).find(|&i| {
            let t = [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
            let inside = |p: usize| (0..3).all(|k| area(&[polygon[t[k]], polygon[t[(k + 1) % 3]], polygon[p]]) >= 0.0);
            area(&t.map(|k| polygon[k])) > 0.0 && !left.iter().any(|p| !t.contains(p) && inside(*p))
        });
        // Only collinear corners are left otherwise.
        let i = ear.unwrap_or(0);
        out.push([left[(i + n - 1) % n], left[i], left[(i + 1) % n]].map(|k| k as u32));
        left.remove(i);
    }
    out
}

pub fn solid(polygon: &[[f64; 2]], length: f64) -> Arc<Polyhedron> {
    let (points, triangles) = prism(polygon, length);
    Arc::new(Polyhedron::new(&points, &triangles).unwrap())
}

/// A cube around the origin.
pub fn cube() -> Arc<Polyhedron> {
    let h = 0.5 * EDGE;
    solid(&[[-h, -h], [h, -h], [h, h], [-h, h]], EDGE)
}

/// A cube with a notch from above: not convex.
pub fn notched() -> Arc<Polyhedron> {
    let h = 0.5 * EDGE;
    let notch = [[h, h], [0.3 * h, h], [0.3 * h, -0.2 * h], [-0.3 * h, -0.2 * h], [-0.3 * h, h], [-h, h]];
    solid(&[&[[-h, -h], [h, -h]][..], &notch[..]].concat(), EDGE)
}

/// A box around the origin.
pub fn block(size: [f64; 3]) -> Arc<Polyhedron> {
    let [x, y, z] = size.map(|s| 0.5 * s);
    solid(&[[-x, -y], [x, -y], [x, y], [-x, y]], 2.0 * z)
}

/// The L of figure 12a, along z: a floor (the plane y = 0) and a wall (the plane x = 0), both reaching 0.15 m and 0.04 m thick, 0.2 m long.
pub fn ell() -> Arc<Polyhedron> {
    let (leg, t) = (0.15, 0.04);
    solid(&[[0.0, 0.0], [0.0, leg], [-t, leg], [-t, -t], [leg, -t], [leg, 0.0]], 0.2)
}

/// The same surface with every triangle in three.
pub fn split(points: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut all, mut out) = (points.to_vec(), Vec::new());
    for [a, b, c] in triangles {
        let middle = (points[*a as usize] + points[*b as usize] + points[*c as usize]) / 3.0;
        let m = all.len() as u32;
        all.push(middle);
        out.extend([[*a, *b, m], [*b, *c, m], [*c, *a, m]]);
    }
    (all, out)
}

pub fn pose(x: f64, y: f64, z: f64, turn: Vec3) -> Pose {
    Pose::from_parts(Vec3::new(x, y, z).into(), exp(&turn))
}

/// The cube at rest on the floor of the L, away from the wall; x and z are free.
pub fn on_floor(x: f64, z: f64) -> Pose {
    pose(x, 0.5 * EDGE, z, Vec3::zeros())
}

pub fn engine(
    settings: FormationSettings,
    held: Arc<Polyhedron>,
    fixed: Arc<Polyhedron>,
    start: Pose,
) -> FormationEngine {
    FormationEngine::new(settings, held, fixed, Pose::identity(), start).unwrap()
}

pub const PERIOD: f64 = 1e-3;

/// Moves the hand from where it is to a pose in so many ticks.
pub fn go(engine: &mut FormationEngine, to: &Pose, ticks: usize) {
    let from = engine.last().hand;
    for i in 1..=ticks {
        let t = i as f64 / ticks as f64;
        let turn = stiction::spatial::log(&(to.rotation * from.rotation.inverse()));
        let rotation = Rotation::new_normalize((exp(&(turn * t)) * from.rotation).into_inner());
        let at = from.translation.vector.lerp(&to.translation.vector, t);
        engine.tick(&Pose::from_parts(at.into(), rotation), &Vec6::zeros(), PERIOD);
    }
}

/// A number between −1 and 1.
pub fn random(seed: &mut u64) -> f64 {
    splitmix64(seed) as f64 / u64::MAX as f64 * 2.0 - 1.0
}

pub fn random_vector(seed: &mut u64) -> Vec3 {
    Vec3::new(random(seed), random(seed), random(seed))
}

/// The kinds of the contacts in the last tick, sorted.
pub fn kinds(engine: &FormationEngine) -> Vec<&'static str> {
    let mut kinds: Vec<_> = engine.last().formation.touches().iter().map(|t| t.contact.kind.name()).collect();
    kinds.sort_unstable();
    kinds
}

/// A pose outside of the L, and one near contact or beyond, towards which a proxy goes from there: alternately near flush faces, and in any orientation.
pub fn near_contact(number: usize, seed: &mut u64) -> [Pose; 2] {
    // A cube is no wider than 0.087.
    let (target, away) = match number % 2 {
        0 => (flush(seed), Vec3::new(0.02, 0.02, 0.001)),
        _ => (anywhere(seed), Vec3::new(0.1, 0.1, 0.0)),
    };
    [Pose::from_parts((target.translation.vector + away).into(), target.rotation), target]
}

/// Near a pose at which faces are flush: the cube on the floor, against the wall, or both, with small errors of all sizes.
fn flush(seed: &mut u64) -> Pose {
    let h = 0.5 * EDGE;
    let size = 10f64.powf(-4.0 + 1.5 * random(seed));
    let which = (random(seed) * 3.0).abs() as usize;
    let [x, y] = [[h, 0.09], [0.09, h], [h, h]][which];
    let noise = random_vector(seed) * size;
    let quarter = (random(seed) * 4.0).round() * std::f64::consts::FRAC_PI_2;
    let turn = exp(&(random_vector(seed) * (size / EDGE))) * exp(&(Vec3::z() * quarter));
    Pose::from_parts((Vec3::new(x, y, 0.08 * random(seed)) + noise).into(), turn)
}

/// Any orientation, pressed into the L from outside.
fn anywhere(seed: &mut u64) -> Pose {
    let turn = exp(&(random_vector(seed) * 3.0));
    Pose::from_parts(Vec3::new(0.06 + 0.06 * random(seed), 0.06 + 0.06 * random(seed), 0.1 * random(seed)).into(), turn)
}

/// A random pose near contact that a proxy came to, and the formation that is identified there.
pub fn identified_near_contact(
    solids: &Solids,
    identifier: &mut Identifier,
    epsilon: f64,
    number: usize,
    seed: &mut u64,
) -> (Pose, Formation) {
    let [start, target] = near_contact(number, seed);
    let mut proxy = Proxy::new(solids, &start);
    for _ in 0..30 {
        proxy.follow(solids, &target, &ProxyMetric { epsilon, lever: 0.1 });
    }
    let pose = proxy.placed.pose;
    let placed = Placed::new(solids, &pose);
    let found = identifier.identify(
        solids,
        &placed,
        &mut NearFeatures::default(),
        epsilon,
        &Formation::default(),
        proxy.pressing(),
    );
    assert!(found.whole);
    (pose, found.formation)
}
