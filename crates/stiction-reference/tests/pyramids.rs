//! The first theorem of the friction paper: the pyramid of two unknowns and ℓ inequalities, (12)-(13), is that of ℓ impulses, (14)-(18).
//!
//! Both sets are closed under scaling with the limit, so that each is told by its gauge, the least limit at which a force is in it. The gauge of (13) is the largest of
//! β·(cos θ_j, sin θ_j), θ_j = (2j + 1)π/ℓ. That of (14)-(18) is cos θ₀ times the least Σ β_i with β_i ≥ 0 and Σ β_i T_i = F_f. The least sum is found here as the definition has
//! it: over all pairs of generators, since a linear program with two equations has an optimum with two non-zero unknowns. The impulses of the paper's proof, (20)-(22), must reach it.

use std::f64::consts::{PI, TAU};
use stiction::friction::Cone;
use stiction_reference::families::Random;

/// T_i in the contact plane.
fn generator(i: usize, sides: usize) -> [f64; 2] {
    let angle = TAU * i as f64 / sides as f64;
    [angle.cos(), angle.sin()]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The gauge of (13).
fn by_facets(force: [f64; 2], sides: usize) -> f64 {
    let facet = |j: usize| ((2 * j + 1) as f64 * PI / sides as f64).sin_cos();
    (0..sides).map(facet).map(|(s, c)| force[0] * c + force[1] * s).fold(f64::NEG_INFINITY, f64::max)
}

/// The gauge of (14)-(18): cos θ₀ times the least sum of impulses, over all pairs.
fn by_impulses(force: [f64; 2], sides: usize) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..sides {
        for j in i + 1..sides {
            let (a, b) = (generator(i, sides), generator(j, sides));
            let det = cross(a, b);
            if det.abs() > 1e-9 {
                let (x, y) = (cross(force, b) / det, cross(a, force) / det);
                if x >= -1e-14 && y >= -1e-14 {
                    least = least.min(x + y);
                }
            }
        }
    }
    least * (PI / sides as f64).cos()
}

/// The impulses of the proof, (20)-(22), of the generators between which a force lies.
fn impulses(force: [f64; 2], sides: usize) -> Vec<f64> {
    let i = (0..sides)
        .find(|&i| {
            let (a, b) = (generator(i, sides), generator((i + 1) % sides, sides));
            // (19).
            cross(force, a) <= 0.0
                && cross(force, b) >= 0.0
                && force[0] * (a[0] + b[0]) + force[1] * (a[1] + b[1]) > 0.0
        })
        .expect("between two of them");
    let sine = (TAU / sides as f64).sin();
    let mut out = vec![0.0; sides];
    out[i] = cross(force, generator((i + 1) % sides, sides)) / sine;
    out[(i + 1) % sides] = -cross(force, generator(i, sides)) / sine;
    out
}

#[test]
fn the_pyramid_of_two_unknowns_is_that_of_impulses() {
    let mut random = Random::new(19);
    for sides in (4..=24).chain([32, 64]) {
        for _ in 0..400 {
            let (angle, size) = (random.uniform(0.0, TAU), random.decades(-3.0, 3.0));
            let force = [size * angle.cos(), size * angle.sin()];
            let (a, b) = (by_facets(force, sides), by_impulses(force, sides));
            assert!((a - b).abs() <= 1e-12 * size, "{sides} sides, {force:?}: {a} and {b}");
            // The impulses of the proof: (14), (17) with the gauge as limit, (18).
            let found = impulses(force, sides);
            let sum = |axis: usize| (0..sides).map(|i| found[i] * generator(i, sides)[axis]).sum::<f64>();
            assert!((sum(0) - force[0]).hypot(sum(1) - force[1]) <= 1e-12 * size, "{sides} sides, {force:?}: (14)");
            assert!(found.iter().all(|x| *x >= -1e-14 * size), "{sides} sides, {force:?}: (18)");
            let total = found.iter().sum::<f64>() * (PI / sides as f64).cos();
            assert!((total - a).abs() <= 1e-12 * size, "{sides} sides, {force:?}: (17)");
        }
    }
}

/// The proof divides by sin φ₁ and has consecutive generators less than half a turn apart: ℓ = 3 too.
#[test]
fn a_triangle_is_one_as_well() {
    for k in 0..360 {
        let angle = TAU * (k as f64 + 0.37) / 360.0;
        let force = [angle.cos(), angle.sin()];
        assert!((by_facets(force, 3) - by_impulses(force, 3)).abs() < 1e-12, "{force:?}");
    }
}

/// The text says "scaled by cos θ₀": it is 1/cos θ₀ of Kaufman's pyramid Σ β_i ≤ µ F_n, whose vertices are on Coulomb's circle. The engine's cone is this one: its reach
/// along a vertex is 1/cos θ₀, across a side 1.
#[test]
fn the_paper_s_pyramid_is_larger_than_coulombs_disk() {
    use stiction::contact::{Contact, ContactId, ContactProblem, Load};
    use stiction::friction::{FrictionSettings, FrictionSolver, Method};
    use stiction::spatial::{Mat6, Vec3, Vec6};
    for sides in [4usize, 6, 8, 16] {
        for (angle, reach) in [(0.0, 1.0 / (PI / sides as f64).cos()), (PI / sides as f64, 1.0)] {
            let pull = [angle.cos(), angle.sin()];
            assert!(
                (1.0 / by_facets(pull, sides) - reach).abs() < 1e-12
                    && (1.0 / by_impulses(pull, sides) - reach).abs() < 1e-12
            );
            // Two points on a line through the centre, along the pull: the load is theirs alone.
            let contacts = [-1.0, 1.0].map(|side: f64| Contact {
                id: ContactId(side as u64),
                point: Vec3::new(pull[0], pull[1], 0.0) * side,
                normal: Vec3::z(),
                tangent: Vec3::x(),
                gap: -1e-4,
                normal_force: 1.0,
                mu_static: 0.5,
                mu_kinetic: 0.5,
            });
            let load = Load {
                wrench: Vec6::new(pull[0], pull[1], 0.0, 0.0, 0.0, 0.0),
                stiffness: -Mat6::identity(),
                mass: Mat6::identity(),
            };
            let mut problem = ContactProblem::with_capacity(2);
            problem.rebuild(&load, contacts).unwrap();
            let settings = FrictionSettings { method: Method::Lp, cone: Cone::paper(sides), ..Default::default() };
            let margin = FrictionSolver::new(settings, 2).unwrap().ray_margin(&problem).unwrap();
            assert!((margin * reach - 1.0).abs() < 1e-9, "{sides} sides at {angle}: {margin}");
        }
    }
}
