//! Answers built by hand from the optimality conditions, then corrupted field by field: each lie must be caught.

use super::*;
use crate::contact::Lane;
use crate::friction::{Cone, Metric};
use cases::*;

mod cases;

#[test]
fn true_answers_pass() {
    for cone in CONES {
        for seed in 0..20 {
            let mut cases = vec![
                balanced(Method::Lp, cone, seed),
                unstoppable(cone, true, seed, 1.0 + 1e-9),
                unstoppable(cone, false, seed, 1.0 + 1e-9),
            ];
            cases.extend(METHODS.map(|m| balanced(m, cone, seed)));
            for skew in [0.0, 1.0] {
                cases.extend(METHODS.map(|m| optimal(m, cone, seed, skew)));
            }
            for case in cases {
                let v = case.verification();
                assert!(v.complete);
                let who = (case.solution.method, cone, seed);
                assert!(v.holds_to(1e-12), "{who:?} {:?} {v:?}", v.check(1e-12));
            }
        }
    }
}

#[test]
fn corrupted_contacts_are_rejected() {
    for cone in CONES {
        let case = optimal(Method::Hold, cone, 3, 0.0);
        case.rejects(Claim::Shape, |s| s.per_contact.len -= 1);
        case.rejects(Claim::Shape, |s| s.cone = Cone::paper(2));
        case.rejects(Claim::Shape, |s| s.cone = Cone::paper(65));
        case.rejects(Claim::Limit, |s| s.per_contact.limit[0].as_mut_array()[0] *= 1.001);
        case.rejects(Claim::Limit, |s| s.per_contact.limit[0].as_mut_array()[2] = 1e-9);
        case.rejects(Claim::Limit, |s| s.per_contact.limit[0].as_mut_array()[0] = f64::NAN);
        case.rejects(Claim::Admissible, |s| {
            s.per_contact.friction[0].iter_mut().for_each(|b| b.as_mut_array()[0] *= 1.001)
        });
        case.rejects(Claim::Admissible, |s| s.per_contact.friction[0][0].as_mut_array()[0] = f64::NAN);
        case.rejects(Claim::Admissible, |s| s.per_contact.friction[0][1].as_mut_array()[2] = 1e-12);
        case.rejects(Claim::Admissible, |s| s.per_contact.friction[1][1].as_mut_array()[0] = 1e-12);
        case.rejects(Claim::FrictionSum, |s| s.friction[4] += 1e-5);
        case.rejects(Claim::FrictionSum, |s| s.friction[0] = f64::INFINITY);
        case.rejects(Claim::Slip, |s| s.per_contact.slip[0][1].as_mut_array()[1] += 1e-9);
        case.rejects(Claim::Slip, |s| s.per_contact.slip[0][1].as_mut_array()[2] = 1e-30);
        case.rejects(Claim::Power, |s| s.per_contact.power[1].as_mut_array()[3] *= -1.0);
        case.rejects(Claim::State, |s| s.per_contact.state[0][1] = SlipState::Stuck);
        case.rejects(Claim::State, |s| s.per_contact.state[0][1] = SlipState::Separated);
        case.rejects(Claim::State, |s| s.per_contact.state[0][2] = SlipState::Stuck);
        case.rejects(Claim::State, |s| s.micro_slip = 1.0);
        case.rejects(Claim::State, |s| s.micro_slip = f64::NAN);
        case.rejects(Claim::Slip, |s| s.step *= 1.001);
    }
    let held = balanced(Method::Lp, Cone::Disk, 3);
    held.rejects(Claim::State, |s| s.per_contact.state[0][1] = SlipState::Sliding);
}

#[test]
fn corrupted_optima_are_rejected() {
    for cone in CONES {
        for method in METHODS {
            let case = optimal(method, cone, 5, 0.0);
            case.rejects(Claim::ClaimedGap, |s| s.certificate = Certificate::Optimal { gap: 1e-3 });
            case.rejects(Claim::ClaimedGap, |s| s.certificate = Certificate::Optimal { gap: -1e-300 });
            case.rejects(Claim::ClaimedGap, |s| s.certificate = Certificate::Optimal { gap: f64::NAN });
            case.rejects(Claim::Verdict, |s| s.verdict = Verdict::Holds);
            case.rejects(Claim::Verdict, |s| s.verdict = Verdict::Free);
            case.rejects(Claim::Verdict, |s| s.verdict = Verdict::Undecided);
            // Admissible friction of another problem: balanced by the load, but not the optimum.
            let mut other = Case::new(method, cone, true, 0.0);
            let (k, _) = other.effective();
            other.solution.step = case.solution.step;
            for i in 0..other.contacts.len() {
                other.set_friction(i, case.solution.contact(i).friction.map(|b| b * 0.9));
            }
            other.load.wrench = -(k * other.solution.step) - other.friction_sum();
            let other = other.finish(Verdict::Slips, Certificate::Optimal { gap: 0.0 });
            other.rejects(Claim::Gap, |_| ());
            // And a load that this step does not balance.
            let mut other = optimal(method, cone, 5, 0.0);
            other.load.wrench[1] += 1e-3;
            other.problem.rebuild(&other.load, other.contacts.iter().copied()).unwrap();
            other.rejects(Claim::Equilibrium, |_| ());
        }
        let case = optimal(Method::Hold, cone, 5, 0.0);
        case.rejects(Claim::Gap, |s| s.per_contact.anchor[0][0].as_mut_array()[0] += 1e-4);
        case.rejects(Claim::Metric, |s| s.metric_shifted = true);
        let case = optimal(Method::Qp(Metric::Mass), cone, 5, 1.0);
        case.rejects(Claim::Equilibrium, |s| s.method = Method::Hold);
        // A polygon's vertex may well be the optimum in either metric.
        if cone == Cone::Disk {
            case.rejects(Claim::Gap, |s| s.method = Method::Qp(Metric::Stiffness));
        }
    }
}

#[test]
fn corrupted_balances_are_rejected() {
    for cone in CONES {
        for method in [Method::Lp, METHODS[0], METHODS[1], METHODS[2]] {
            let case = balanced(method, cone, 7);
            let Certificate::Balanced { lambda } = case.solution.certificate else { unreachable!() };
            let with = |lambda| move |s: &mut Solution| s.certificate = Certificate::Balanced { lambda };
            case.rejects(Claim::Stationarity, with(lambda * 1.001));
            case.rejects(Claim::Multiplier, with(lambda + Vec6::x() * (1e-3 * lambda.norm())));
            case.rejects(Claim::Multiplier, with(Vec6::repeat(f64::NAN)));
            case.rejects(Claim::Verdict, |s| s.verdict = Verdict::Slips);
            case.rejects(Claim::Rank, |s| s.rank = 2);
            case.rejects(Claim::Rank, |s| s.rank = 7);
        }
        let mut case = balanced(Method::Lp, cone, 7);
        case.load.wrench[2] += 1e-6;
        case.problem.rebuild(&case.load, case.contacts.iter().copied()).unwrap();
        case.rejects(Claim::Equilibrium, |_| ());
        // Balanced, but friction ought to oppose the remembered slip: not the optimum of `Hold`.
        let case = balanced(Method::Hold, cone, 7);
        case.rejects(Claim::Gap, |s| s.per_contact.anchor[0][0].as_mut_array()[0] = 5e-7);
    }
}

#[test]
fn corrupted_separations_are_rejected() {
    for cone in CONES {
        for wall in [false, true] {
            let case = unstoppable(cone, wall, 9, 1.0 + 1e-6);
            let Certificate::Unstoppable { direction, held_step, lambda } = case.solution.certificate else {
                unreachable!()
            };
            let with = |direction, held_step, lambda| {
                move |s: &mut Solution| s.certificate = Certificate::Unstoppable { direction, held_step, lambda }
            };
            case.rejects(Claim::Separation, with(-direction, held_step, lambda));
            case.rejects(Claim::Separation, with(Vec6::zeros(), held_step, lambda));
            case.rejects(Claim::Separation, with(direction * f64::NAN, held_step, lambda));
            case.rejects(Claim::Stationarity, with(direction, held_step + case.solution.step * 1e-3, lambda));
            case.rejects(Claim::Multiplier, with(direction, held_step, lambda + Vec6::x() * 1e-3));
            case.rejects(Claim::Verdict, |s| s.verdict = Verdict::Holds);
            case.rejects(Claim::Rank, |s| s.rank = if wall { 5 } else { 6 });
            if !wall {
                // The trap: no step is held, and y in null(Gᵀ) sees the load that no friction could carry.
                let y = Vec6::z() * -case.load.wrench[2].signum();
                case.rejects(Claim::Range, with(y, Vec6::zeros(), Vec6::zeros()));
            }
        }
        let within = unstoppable(cone, true, 9, 1.0 - 1e-9);
        within.rejects(Claim::Separation, |_| ());
        let on_it = unstoppable(cone, true, 9, 1.0);
        on_it.rejects(Claim::Separation, |_| ());
    }
    // Friction that was not dropped.
    let mut case = unstoppable(Cone::Disk, true, 9, 1.5);
    case.set_friction(0, [1e-3, 0.0]);
    let (k, _) = case.effective();
    case.solution.step = k.lu().solve(&-(case.load.wrench + case.friction_sum())).unwrap();
    let proof = case.solution.certificate;
    case.finish(Verdict::Slips, proof).rejects(Claim::Verdict, |_| ());
}

#[test]
fn a_separated_part_is_free() {
    let mut case = Case::new(Method::Lp, Cone::paper(8), false, 0.0);
    case.contacts.iter_mut().for_each(|c| c.gap = 1e-3);
    case.solution.per_contact.limit.iter_mut().for_each(|l| *l = Lane::ZERO);
    case.solution.rank = 0;
    case.load.wrench = Vec6::new(1.0, 2.0, 3.0, 0.1, 0.2, 0.3);
    case.solution.step = case.load.stiffness.lu().solve(&-case.load.wrench).unwrap();
    let case = case.finish(Verdict::Free, Certificate::Optimal { gap: 0.0 });
    assert_eq!(case.verification().check(1e-12), Ok(()));
    case.rejects(Claim::Slip, |s| s.per_contact.slip[0][0].as_mut_array()[0] = 1.0);
}

/// The gap bounds what a grid over all of P finds, for one contact that is far from optimal, and the objective's
/// slope is what it is computed from.
#[test]
fn the_gap_bounds_the_suboptimality_found_by_a_grid() {
    for method in METHODS {
        for cone in CONES {
            for seed in 0..4 {
                let mut random = Random(seed);
                let mut case = Case::new(method, cone, false, if method == Method::Hold { 0.0 } else { 1.0 });
                case.contacts.truncate(1);
                case.solution.per_contact.len = 1;
                let (limit, polygon) = (case.limit(0), Polygon::of(cone).unwrap());
                let (k, metric) = case.effective();
                let s = if method == Method::Hold { [4e-7, -3e-7] } else { [0.0; 2] };
                case.set_anchor(0, s);
                case.load.wrench = Vec6::from_fn(|i, _| random.draw() * if i < 3 { 5.0 } else { 0.2 });
                let g = columns(&case.contacts[0]);
                let inverse = k.lu();
                let f = case.load.wrench;
                let step = |b: [f64; 2]| -inverse.solve(&(f + g[0] * b[0] + g[1] * b[1])).unwrap();
                let objective = |b: [f64; 2]| {
                    let q = step(b);
                    0.5 * q.dot(&(metric * q)) + s[0] * b[0] + s[1] * b[1]
                };
                let beta = [0.3 * limit * random.draw(), 0.3 * limit * random.draw()];
                let (mut best, n) = (f64::INFINITY, 60);
                for (i, j) in (-n..=n).flat_map(|i| (-n..=n).map(move |j| (i, j))) {
                    let b = [i, j].map(|i| 2.0 * limit * f64::from(i) / f64::from(n));
                    if polygon.excess(b, limit) <= 0.0 {
                        best = best.min(objective(b));
                    }
                }
                case.solution.step = step(beta);
                let here = objective(beta);
                case.set_friction(0, beta);
                let case = case.finish(Verdict::Slips, Certificate::Optimal { gap: 0.0 });
                let model = Model::of(&case.problem, &case.solution);
                let mut sums = Sums::default();
                let answer = case.solution.contact(0);
                sums.add(&case.contacts[0], &answer, &g, &model, &polygon, None);
                assert!(here - best <= sums.gap, "{method:?} {cone:?}: {} > {}", here - best, sums.gap);
                for d in 0..2 {
                    let h = 1e-3 * limit;
                    let (mut up, mut down) = (beta, beta);
                    up[d] += h;
                    down[d] -= h;
                    let slope = (objective(up) - objective(down)) / (2.0 * h);
                    let expected = s[d] - g[d].dot(&model.pull);
                    assert!((slope - expected).abs() <= 1e-6 * slope.abs().max(expected.abs()) + 1e-12);
                }
            }
        }
    }
}
