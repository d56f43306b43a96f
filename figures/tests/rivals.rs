//! Problems of unilateral contact that the engine's own scene leaves: every answer of every solver is checked as those of random problems are, by the residual, a cone program and the fixed point of cone programs.

use stiction::delassus::{
    ConeProblem, ConeVerdict, Delassus, DenseOperator, GaussSeidel, GaussSeidelSettings, LocalRule, SolveLimits,
    Staggered, StaggeredSettings, verify,
};
use stiction::spatial::Vec3;
use stiction_bake::Silent;
use stiction_figures::{Context, rivals};
use stiction_reference::{ConeFile, cone_file_text, cone_fixed_point, cone_program, sliding};

/// Least energy by the blocks of W, for given µ‖u_t‖.
fn energy(p: &ConeProblem<DenseOperator>, r: &[Vec3], shift: &[f64]) -> f64 {
    let moved = |i: usize| r.iter().enumerate().map(|(j, r)| p.operator().block(i, j) * r).sum::<Vec3>();
    let parts = p.contacts().iter().zip(r).zip(shift).enumerate();
    parts.map(|(i, ((c, r), s))| r.dot(&(moved(i) * 0.5 + c.free)) + s * r.x).sum()
}

fn size(v: impl Iterator<Item = Vec3>) -> f64 {
    v.map(|v| v.norm_squared()).sum::<f64>().sqrt()
}

#[test]
fn answers_on_problems_of_the_corner_are_those_of_cone_programs() {
    let ticks = rivals::stream(&Context::new(true, &Silent), 40).unwrap();
    let slides = ticks.iter().filter(|t| t.slides).count();
    assert!(slides > 10 && ticks.len() - slides > 10, "{slides} of {} ticks slide", ticks.len());
    let limits = SolveLimits { tolerance: 1e-8, passes: 20_000 };
    let (mut solved, mut refused, mut same, mut others, mut restless) = (0, 0, 0, 0, 0);
    for tick in ticks.iter().step_by(8) {
        let p = &tick.matrix;
        // As a file and back: the same problem to the bit but for what symmetrising rounds.
        let file = ConeFile::parse(&cone_file_text("corner", p)).unwrap();
        assert!(
            file.asymmetry < 1e-12 && file.problem.contacts().iter().zip(p.contacts()).all(|(a, b)| a.free == b.free)
        );
        let mut answers = Vec::new();
        for rule in LocalRule::ALL {
            let settings = GaussSeidelSettings { rule, limits, warm_start: false };
            answers.push(GaussSeidel::new(settings, p.operator()).unwrap().solve(p).unwrap().clone());
        }
        let settings = StaggeredSettings { limits, warm_start: false, ..StaggeredSettings::default() };
        answers.push(Staggered::new(settings, p.operator()).unwrap().solve(p).unwrap().clone());
        let settings = StaggeredSettings { limits, warm_start: false, ..StaggeredSettings::default() };
        answers.push(Staggered::new(settings, tick.product.operator()).unwrap().solve(&tick.product).unwrap().clone());
        let rest = cone_fixed_point(p, 1e-9, 60);
        restless += usize::from(rest.is_none());
        for answer in answers {
            assert_eq!(answer.verdict == ConeVerdict::Solved, answer.residual <= 1e-8);
            if answer.verdict != ConeVerdict::Solved {
                refused += 1;
                continue;
            }
            solved += 1;
            assert!(verify::residual(p, &answer.forces, &mut Vec::new()) <= 1.01e-8);
            let q = size(p.contacts().iter().map(|c| c.free));
            let scale = q * size(answer.forces.iter().copied());
            let shift = sliding(p, &answer.forces);
            let Some(theirs) = cone_program(p, &shift) else { continue };
            let off = energy(p, &answer.forces, &shift) - energy(p, &theirs, &shift);
            assert!(off.abs() <= 1e-6 * scale, "not the least energy, by {:.1e}", off / scale);
            if let Some((fixed, _)) = &rest {
                let shift = sliding(p, fixed);
                let off = (energy(p, &answer.forces, &shift) - energy(p, fixed, &shift)).abs();
                if off <= 1e-6 * scale { same += 1 } else { others += 1 }
            }
        }
    }
    println!(
        "{solved} answers to 1e-8, {refused} refused; fixed points: {same} the same, {others} other solutions, {restless} without rest"
    );
    assert!(solved > 4 * refused);
}
