//! Programs and solvers against each other on random problems.

use stiction::contact::ContactProblem;
use stiction::friction::{Cone, Fit, Metric};
use stiction::spatial::{Mat6, Vec6, join};
use stiction_reference::families::{Family, Layout, Random, static_limits};
use stiction_reference::{Question, Status, clarabel_hold, clarabel_lp, clarabel_qp, microlp_lp};

const LAYOUTS: [Layout; 3] = [Layout::Plane, Layout::Corner, Layout::Scattered];

/// Some 100 problems of 1 to 30 contacts, loads from far below to far above the limit, some limits zero or odd.
fn problems() -> impl Iterator<Item = (u64, ContactProblem, Vec<f64>, Cone)> {
    (0..102u64).map(|seed| {
        let mut random = Random::new(!seed);
        let contacts = random.range(1.0, 31.0) as usize;
        let load = random.range(0.3, 1.7);
        let family = Family { contacts, layout: LAYOUTS[seed as usize % 3], load };
        let problem = family.problem(seed).unwrap();
        let mut limits = static_limits(&problem);
        if seed % 4 == 3 {
            limits.iter_mut().for_each(|l| *l *= [1.0, 0.0, 1e-9, 1e3][random.range(0.0, 4.0) as usize]);
        }
        let fit = if seed % 2 == 0 { Fit::Circumscribed } else { Fit::Inscribed };
        let cone = Cone::Polygon { sides: random.range(3.0, 17.0) as usize, fit };
        (seed, problem, limits, cone)
    })
}

/// min ½ qᵀM̃q subject to Zᵀ(f + Kq) = 0 with Z = null(Gᵀ): the QP without (31), by dense algebra.
fn unlimited_step(problem: &ContactProblem) -> Vec6 {
    let mut gram = Mat6::zeros();
    let unit = Vec6::new(1.0, 1.0, 1.0, 20.0, 20.0, 20.0);
    for c in problem.contacts() {
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
    let mut verdicts = [0; 2];
    for (seed, problem, limits, cone) in problems() {
        let question = Question { problem: &problem, limits: &limits, cone };
        let (a, b) = (clarabel_lp(&question).unwrap(), microlp_lp(&question).unwrap());
        assert_eq!(a.feasible(), b.feasible(), "seed {seed}: {:?} {:?}", a.status, b.status);
        let feasible = a.feasible().unwrap_or_else(|| panic!("seed {seed}: {:?}", a.status));
        verdicts[usize::from(feasible)] += 1;
        if feasible {
            let expected = unlimited_step(&problem);
            for q in [a.step, b.step] {
                assert!((q - expected).amax() < 1e-8, "seed {seed}: {}", q - expected);
            }
        }
    }
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
            // Strong duality: the two programs are each other's dual.
            let sum = (qp.objective + hold.objective).abs() / (0.5 * load.wrench.dot(&free)).abs();
            assert!(sum < 1e-7, "seed {seed} {cone:?}: gap {sum:e}");
        }
    }
}

#[test]
fn full_rank_lets_go_at_the_load_it_was_built_for() {
    for seed in 0..20 {
        for (load, holds) in [(0.999, true), (1.001 / (std::f64::consts::PI / 8.0).cos(), false)] {
            let problem = Family { contacts: 12, layout: Layout::Scattered, load }.problem(seed).unwrap();
            let limits = static_limits(&problem);
            let answer = clarabel_lp(&Question { problem: &problem, limits: &limits, cone: Cone::paper(8) });
            assert_eq!(answer.unwrap().feasible(), Some(holds), "seed {seed}, load {load}");
        }
    }
}

/// f - Aq + Gβ = 0, ‖β_i‖ ≤ L_i and β_iᵀ(G_iᵀq + s_i) = -L_i ‖G_iᵀq + s_i‖ prove the optimum of a convex problem.
#[test]
fn hold_with_slip_satisfies_its_optimality_conditions() {
    for (seed, problem, limits, _) in problems() {
        let mut random = Random::new(seed);
        let slips: Vec<[f64; 2]> = limits.iter().map(|_| [0; 2].map(|_| random.range(-1e-6, 1e-6))).collect();
        let question = Question { problem: &problem, limits: &limits, cone: Cone::Disk };
        let answer = clarabel_hold(&question, &slips).unwrap();
        assert_ne!(answer.status, Status::Failed, "seed {seed}");
        let load = problem.load();
        let mut balance = load.wrench + (load.stiffness + load.stiffness.transpose()) * 0.5 * answer.step;
        let (mut gap, size) = (0.0, load.wrench.norm());
        for (i, c) in problem.contacts().iter().enumerate() {
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
