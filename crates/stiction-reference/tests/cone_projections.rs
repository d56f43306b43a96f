//! Each projection of staggered methods is a convex program: Clarabel solves it independently, and both must come to the same least energy.
//!
//! Energies and not forces are compared: forces are not unique where W is rank deficient. Written down before the first run: energies equal to 1e-7 of ‖c‖ times the forces, or the force that a mean contact needs to move by ‖c‖ where that is more.

use stiction::delassus::{Delassus, ProjectionPart, ProjectionProgram, QuadraticProjection};
use stiction::friction::{Cone, Fit};
use stiction::spatial::Vec3;
use stiction_reference::families::{ConeFamily, Random, cone_problem};
use stiction_reference::projection_program;

const EQUAL: f64 = 1e-7;

fn energy<W: Delassus>(w: &W, linear: &[Vec3], x: &[Vec3]) -> f64 {
    let moved = |i: usize| x.iter().enumerate().map(|(j, r)| w.block(i, j) * r).sum::<Vec3>();
    x.iter().zip(linear).enumerate().map(|(i, (x, c))| x.dot(&(moved(i) * 0.5 + c))).sum()
}

fn size(v: &[Vec3]) -> f64 {
    v.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

#[test]
fn projections_come_to_clarabels_energy() {
    let times = std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).unwrap_or(1usize);
    let inscribed = |sides| Cone::Polygon { sides, fit: Fit::Inscribed };
    let parts = [
        ProjectionPart::Normals,
        ProjectionPart::Friction(Cone::Disk),
        ProjectionPart::Friction(inscribed(3)),
        ProjectionPart::Friction(inscribed(4)),
        ProjectionPart::Friction(inscribed(7)),
        ProjectionPart::Friction(Cone::paper(8)),
    ];
    let (mut tried, mut steps, mut worst, mut left_out) = (0, 0, 0.0f64, 0);
    for family in ConeFamily::ALL {
        for seed in 0..(40 * times) as u64 {
            let mut random = Random::new(seed ^ 0xbeef);
            let problem = cone_problem(family, 1 + random.below(12), 1.0, seed).unwrap();
            let (w, n) = (problem.operator(), problem.len());
            // c = q, whose normal part can be met by construction; friction is bounded anyway.
            let linear: Vec<Vec3> = problem.contacts().iter().map(|c| c.free).collect();
            let radius: Vec<f64> =
                (0..n).map(|_| if random.below(6) == 0 { 0.0 } else { random.decades(-3.0, 1.0) }).collect();
            for part in parts {
                let mut solver = QuadraticProjection::new(w);
                let mut forces = vec![Vec3::zeros(); n];
                let program = ProjectionProgram {
                    operator: w,
                    part,
                    linear: &linear,
                    radius: &radius,
                    tolerance: 1e-12 * size(&linear),
                    passes: 20_000,
                };
                let end = solver.solve(&program, &mut forces);
                let Some(theirs) = projection_program(w, part, &linear, &radius) else {
                    left_out += 1;
                    continue;
                };
                let own: Vec<Vec3> = match part {
                    ProjectionPart::Normals => linear.iter().map(|c| Vec3::new(c.x, 0.0, 0.0)).collect(),
                    ProjectionPart::Friction(_) => linear.iter().map(|c| Vec3::new(0.0, c.y, c.z)).collect(),
                };
                let mean = (0..n).map(|i| w.diagonal(i).trace()).sum::<f64>() / (3 * n) as f64;
                let scale = size(&own) * size(&forces).max(size(&theirs)).max(size(&own) / mean);
                let [a, b] = [&forces, &theirs].map(|x| energy(w, &own, x));
                let off = (a - b).abs() / scale;
                assert!(
                    off <= EQUAL,
                    "{} seed {seed}, {n} contacts, {part:?}: energies differ by {off:.1e}, residual {:.1e}",
                    family.name(),
                    end.residual / size(&linear)
                );
                for (x, radius) in forces.iter().zip(&radius) {
                    match part {
                        ProjectionPart::Normals => assert!(x.x >= 0.0 && x.y == 0.0 && x.z == 0.0),
                        ProjectionPart::Friction(Cone::Polygon { fit: Fit::Circumscribed, .. }) => {}
                        ProjectionPart::Friction(_) => assert!(x.x == 0.0 && x.norm() <= radius * (1.0 + 1e-12)),
                    }
                }
                (tried, steps, worst) = (tried + 1, steps + end.steps, worst.max(off));
            }
        }
    }
    println!(
        "{tried} projections, {:.1} Newton steps each, energies differ by at most {worst:.1e}; Clarabel did not solve {left_out}",
        f64::from(steps) / f64::from(tried)
    );
    assert!(left_out * 50 <= tried, "Clarabel must solve nearly all: {left_out} of {tried} left out");
}

/// A warm start in the answer's own forces is the answer.
#[test]
fn a_projection_from_its_own_answer_takes_no_step() {
    let problem = cone_problem(ConeFamily::Deformable, 8, 1.0, 3).unwrap();
    let linear: Vec<Vec3> = problem.contacts().iter().map(|c| c.free).collect();
    let mut solver = QuadraticProjection::new(problem.operator());
    let mut forces = vec![Vec3::zeros(); problem.len()];
    let program = |tolerance| ProjectionProgram {
        operator: problem.operator(),
        part: ProjectionPart::Normals,
        linear: &linear,
        radius: &[],
        tolerance,
        passes: 10_000,
    };
    solver.solve(&program(1e-13), &mut forces);
    let again = solver.solve(&program(1e-9), &mut forces);
    assert!(again.steps <= 1, "{again:?}");
}
