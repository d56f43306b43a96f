//! Programs and solvers against each other on random problems.

use stiction::contact::ContactProblem;
use stiction::friction::{Cone, Fit, Metric, Verdict};
use stiction::spatial::{Mat6, Vec6, join};
use stiction_reference::families::{Family, Loading, Random, generate};
use stiction_reference::{Question, Status, clarabel_hold, clarabel_lp, clarabel_qp, microlp_lp, static_limits};

const FAMILIES: [Family; 5] = [Family::Planar, Family::Corner, Family::ThreeWalls, Family::Peg, Family::RandomNormals];

/// Some 100 problems of 3 to 30 contacts with a symmetric K, loads below and above the limit, some limits zero or odd.
fn problems() -> impl Iterator<Item = (u64, ContactProblem, Vec<f64>, Cone)> {
    (0..105u64).map(|seed| {
        let mut random = Random::new(!seed);
        let contacts = 3 + random.below(28);
        let fit = if seed % 2 == 0 { Fit::Circumscribed } else { Fit::Inscribed };
        let cone = Cone::Polygon { sides: 3 + random.below(14), fit };
        let loading = if random.below(2) == 0 { Loading::Holds } else { Loading::Slips };
        let mut sample = generate(FAMILIES[seed as usize % 5], contacts, seed, loading, cone);
        let k = sample.load.stiffness;
        sample.load.stiffness = (k + k.transpose()) * 0.5;
        let problem = sample.problem().unwrap();
        let mut limits = static_limits(&problem);
        if seed % 4 == 3 {
            limits.iter_mut().for_each(|l| *l *= [1.0, 0.0, 1e-9, 1e3][random.below(4)]);
        }
        (seed, problem, limits, cone)
    })
}

/// min ½ qᵀM̃q subject to Zᵀ(f + Kq) = 0 with Z = null(Gᵀ): the QP without (31), by dense algebra.
fn unlimited_step(problem: &ContactProblem) -> Vec6 {
    let mut gram = Mat6::zeros();
    let unit = Vec6::new(1.0, 1.0, 1.0, 20.0, 20.0, 20.0);
    for c in problem.contacts().iter().filter(|c| !c.is_separated()) {
        for t in [c.tangent, c.tangent_v()] {
            let g = join(t, c.point.cross(&t)).component_mul(&unit);
            gram += g * g.transpose();
        }
    }
    let eigen = gram.symmetric_eigen();
    let load = problem.load();
    let inverse = load.mass.try_inverse().unwrap();
    let null: Vec<Vec6> = (0..6)
        .filter(|&i| eigen.eigenvalues[i] < 1e-12 * eigen.eigenvalues.amax())
        .map(|i| eigen.eigenvectors.column(i).component_mul(&unit))
        .collect();
    if null.is_empty() {
        return Vec6::zeros();
    }
    let c = nalgebra::DMatrix::from_fn(null.len(), 6, |i, j| (load.stiffness.transpose() * null[i])[j]);
    let rhs = nalgebra::DVector::from_fn(null.len(), |i, _| -null[i].dot(&load.wrench));
    let minv = nalgebra::DMatrix::from_fn(6, 6, |i, j| inverse[(i, j)]);
    let schur = &c * &minv * c.transpose();
    let q = minv * c.transpose() * schur.lu().solve(&rhs).unwrap();
    Vec6::from_fn(|i, _| q[i])
}

#[test]
fn clarabel_and_microlp_agree() {
    let (mut verdicts, mut failed) = ([0; 2], 0);
    for (seed, problem, limits, cone) in problems() {
        let question = Question { problem: &problem, limits: &limits, cone };
        let expected = unlimited_step(&problem);
        let mut found = Vec::new();
        for answer in [clarabel_lp(&question).unwrap(), microlp_lp(&question).unwrap()] {
            match answer.feasible() {
                None => failed += 1,
                Some(feasible) => found.push(feasible),
            }
            if answer.feasible() == Some(true) {
                assert!((answer.step - expected).amax() < 1e-8, "seed {seed}: {}", answer.step - expected);
            }
        }
        assert!(found.windows(2).all(|w| w[0] == w[1]), "seed {seed}: {found:?}");
        found.first().iter().for_each(|&&feasible| verdicts[usize::from(feasible)] += 1);
    }
    // The simplex gives up on some of the odd limits; a contradiction would be something else.
    assert!(failed < 8, "{failed} of 210 without an answer");
    assert!(verdicts.iter().all(|&n| n > 20), "{verdicts:?} tests only one side");
}

#[test]
fn feasible_exactly_when_the_limits_do_not_cost_anything() {
    for (seed, problem, limits, cone) in problems() {
        let question = Question { problem: &problem, limits: &limits, cone };
        let feasible = clarabel_lp(&question).unwrap().feasible().unwrap();
        let answer = clarabel_qp(&question, Metric::Mass).unwrap();
        assert_ne!(answer.status, Status::Failed, "seed {seed}");
        let cost = |q: Vec6| 0.5 * q.dot(&(problem.load().mass * q));
        let (unlimited, free) = (cost(unlimited_step(&problem)), {
            let load = problem.load();
            cost(-(load.stiffness.try_inverse().unwrap() * load.wrench))
        });
        assert!(answer.objective <= free * (1.0 + 1e-6), "seed {seed}: friction made it worse");
        let excess = (answer.objective - unlimited) / free;
        assert_eq!(feasible, excess < 1e-7, "seed {seed}: excess {excess:e}");
    }
}

#[test]
fn hold_without_slip_is_the_stiffness_program() {
    for (seed, problem, limits, polygon) in problems() {
        for cone in [Cone::Disk, polygon] {
            let question = Question { problem: &problem, limits: &limits, cone };
            let qp = clarabel_qp(&question, Metric::Stiffness).unwrap();
            let hold = clarabel_hold(&question, &vec![[0.0; 2]; limits.len()]).unwrap();
            let load = problem.load();
            let free = load.stiffness.try_inverse().unwrap() * load.wrench;
            let apart = (qp.step - hold.step).amax() / free.amax();
            assert!(apart < 1e-4, "seed {seed} {cone:?}: {apart:e} {:?} {:?}", qp.status, hold.status);
            let apart = (qp.objective - hold.objective).abs() / (0.5 * load.wrench.dot(&free)).abs();
            assert!(apart < 1e-7, "seed {seed} {cone:?}: {apart:e}");
        }
    }
}

#[test]
fn both_let_go_at_the_load_the_family_was_built_for() {
    for seed in 0..60 {
        let family = FAMILIES[seed as usize % 5];
        let loading = [Loading::Holds, Loading::Slips, Loading::Edge][seed as usize % 3];
        let sample = generate(family, 12, seed, loading, Cone::paper(8));
        let problem = sample.problem().unwrap();
        let limits = static_limits(&problem);
        let question = Question { problem: &problem, limits: &limits, cone: sample.cone };
        let holds = Some(sample.truth.verdict == Verdict::Holds);
        for answer in [clarabel_lp(&question).unwrap(), microlp_lp(&question).unwrap()] {
            assert_eq!(answer.feasible(), holds, "{family:?} seed {seed}, load {}", sample.truth.fraction);
        }
    }
}

/// f - Aq + Gβ = 0, ‖β_i‖ ≤ L_i and β_iᵀ(G_iᵀq + s_i) = -L_i ‖G_iᵀq + s_i‖ prove the optimum of a convex problem.
#[test]
fn hold_with_slip_satisfies_its_optimality_conditions() {
    for (seed, problem, limits, _) in problems() {
        let mut random = Random::new(seed);
        let slips: Vec<[f64; 2]> = limits.iter().map(|_| [0; 2].map(|_| random.uniform(-1e-6, 1e-6))).collect();
        let question = Question { problem: &problem, limits: &limits, cone: Cone::Disk };
        let answer = clarabel_hold(&question, &slips).unwrap();
        assert_ne!(answer.status, Status::Failed, "seed {seed}");
        let load = problem.load();
        let mut balance = load.wrench + (load.stiffness + load.stiffness.transpose()) * 0.5 * answer.step;
        let (mut gap, size) = (0.0, load.wrench.norm());
        for (i, c) in problem.contacts().iter().enumerate().filter(|(_, c)| !c.is_separated()) {
            let g = [c.tangent, c.tangent_v()].map(|t| join(t, c.point.cross(&t)));
            let (b, l) = (answer.friction[i], limits[i]);
            balance += g[0] * b[0] + g[1] * b[1];
            assert!(b[0].hypot(b[1]) <= l + 1e-6 * size, "seed {seed}: {b:?} beyond {l}");
            let slip = [0, 1].map(|axis| g[axis].dot(&answer.step) + slips[i][axis]);
            gap += b[0] * slip[0] + b[1] * slip[1] + l * slip[0].hypot(slip[1]);
        }
        assert!(balance.amax() < 1e-6 * size, "seed {seed}: {balance}");
        let energy = load.wrench.dot(&(load.stiffness.try_inverse().unwrap() * load.wrench)).abs();
        assert!(gap.abs() < 1e-6 * energy, "seed {seed}: gap {gap:e} of {energy:e}");
    }
}
