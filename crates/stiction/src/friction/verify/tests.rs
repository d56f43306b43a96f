//! Answers built by hand from the optimality conditions, then corrupted field by field: each lie must be caught.

use std::ops::AddAssign;

use super::*;
use crate::contact::{ContactId, LANES, Lane, Load};
use crate::friction::solution::PerContact;

const CONES: [Cone; 5] = [
    Cone::Disk,
    Cone::paper(8),
    Cone::paper(3),
    Cone::Polygon { sides: 5, fit: Fit::Inscribed },
    Cone::Polygon { sides: 64, fit: Fit::Inscribed },
];

/// Uniform in [-1, 1): a linear congruential generator is random enough for test data.
struct Random(u64);

impl Random {
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn twist(&mut self) -> Vec6 {
        Vec6::from_fn(|i, _| self.draw() * if i < 3 { 1e-4 } else { 2e-3 })
    }
}

/// Five contacts on the floor, one of them separated and one without friction; with `wall` three more at x = 0.05
/// and two at y = 0.05, for rank 6.
fn contacts(wall: bool) -> Vec<Contact> {
    let floor = [(-0.05, -0.05), (0.05, -0.05), (-0.05, 0.05), (0.05, 0.05), (0.0, 0.01)];
    let mut out: Vec<Contact> = floor
        .iter()
        .enumerate()
        .map(|(i, &(x, y))| Contact {
            id: ContactId(i as u64),
            point: Vec3::new(x, y, -0.05),
            normal: Vec3::z(),
            tangent: Vec3::new(0.6, 0.8, 0.0),
            gap: if i == 2 { 1e-4 } else { -1e-4 },
            normal_force: 4.0 + i as f64,
            mu_static: if i == 4 { 0.0 } else { 0.5 },
            mu_kinetic: if i == 4 { 0.0 } else { 0.3 },
        })
        .collect();
    let walls = [
        (Vec3::new(0.05, 0.01, 0.02), -Vec3::x()),
        (Vec3::new(0.05, -0.03, 0.04), -Vec3::x()),
        (Vec3::new(0.05, 0.02, -0.03), -Vec3::x()),
        (Vec3::new(0.02, 0.05, -0.02), -Vec3::y()),
        (Vec3::new(-0.03, 0.05, 0.03), -Vec3::y()),
    ];
    for (point, normal) in walls.into_iter().filter(|_| wall) {
        let id = ContactId(out.len() as u64);
        out.push(Contact { id, point, normal, tangent: Vec3::z(), gap: -1e-4, ..out[0] });
    }
    out
}

/// A coupling and the springs of the contacts; `skew` adds the non-symmetric geometric terms.
fn stiffness(contacts: &[Contact], skew: f64) -> Mat6 {
    let mut k = -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 1e3, 10.0, 10.0, 10.0));
    for c in contacts {
        let m = c.point.cross(&c.normal);
        let j = Vec6::new(c.normal.x, c.normal.y, c.normal.z, m.x, m.y, m.z);
        k -= j * j.transpose() * 5e3;
        let force = crate::spatial::cross_matrix(c.normal * (c.normal_force * skew));
        k.fixed_view_mut::<3, 3>(3, 0).add_assign(&force);
    }
    k
}

struct Case {
    contacts: Vec<Contact>,
    load: Load,
    problem: ContactProblem,
    solution: Solution,
}

impl Case {
    fn new(method: Method, cone: Cone, wall: bool, skew: f64) -> Self {
        let contacts = contacts(wall);
        let load = Load {
            wrench: Vec6::zeros(),
            stiffness: stiffness(&contacts, skew),
            mass: Mat6::from_diagonal(&Vec6::new(1.0, 1.0, 1.0, 2e-3, 1e-3, 3e-3)),
        };
        let blocks = contacts.len().div_ceil(LANES);
        let mut solution = Solution {
            verdict: Verdict::Undecided,
            step: Vec6::zeros(),
            friction: Vec6::zeros(),
            certificate: Certificate::None,
            method,
            cone,
            micro_slip: 1e-6,
            iterations: 0,
            passes: 0,
            stalled: false,
            metric_shifted: false,
            rank: if wall { 6 } else { 3 },
            per_contact: PerContact {
                len: contacts.len(),
                friction: vec![Default::default(); blocks],
                slip: vec![Default::default(); blocks],
                anchor: vec![Default::default(); blocks],
                limit: vec![Default::default(); blocks],
                power: vec![Default::default(); blocks],
                state: vec![Default::default(); blocks],
            },
        };
        for (i, c) in contacts.iter().enumerate().filter(|(_, c)| !c.is_separated()) {
            // Both coefficients occur.
            let mu = if i % 2 == 0 { c.mu_static } else { c.mu_kinetic };
            solution.per_contact.limit[i / LANES].as_mut_array()[i % LANES] = mu * c.normal_force;
        }
        Self { problem: ContactProblem::with_capacity(contacts.len()), contacts, load, solution }
    }

    fn limit(&self, i: usize) -> f64 {
        self.solution.per_contact.limit[i / LANES].as_array()[i % LANES]
    }

    fn set_anchor(&mut self, i: usize, s: [f64; 2]) {
        for d in 0..2 {
            self.solution.per_contact.anchor[i / LANES][d].as_mut_array()[i % LANES] = s[d];
        }
    }

    fn set_friction(&mut self, i: usize, beta: [f64; 2]) {
        for d in 0..2 {
            self.solution.per_contact.friction[i / LANES][d].as_mut_array()[i % LANES] = beta[d];
        }
    }

    fn friction_sum(&self) -> Vec6 {
        let answers = self.solution.contacts();
        self.contacts.iter().zip(answers).fold(Vec6::zeros(), |sum, (c, a)| {
            let g = columns(c);
            sum + g[0] * a.friction[0] + g[1] * a.friction[1]
        })
    }

    fn effective(&self) -> (Mat6, Mat6) {
        let k = self.load.stiffness;
        let a = -(k + k.transpose()) * 0.5;
        match self.solution.method {
            Method::Lp | Method::Qp(Metric::Mass) | Method::Yamane | Method::Frictionless => (k, self.load.mass),
            Method::Qp(Metric::Stiffness) => (k, a),
            Method::Hold => (-a, a),
        }
    }

    /// Everything that follows from step, friction, anchors and load.
    fn finish(mut self, verdict: Verdict, certificate: Certificate) -> Self {
        self.solution.verdict = verdict;
        self.solution.certificate = certificate;
        self.solution.friction = self.friction_sum();
        for (i, c) in self.contacts.iter().enumerate() {
            let (b, l) = (i / LANES, i % LANES);
            let slip = columns(c).map(|g| g.dot(&self.solution.step));
            let answer = self.solution.contact(i);
            let p = &mut self.solution.per_contact;
            for d in 0..2 {
                p.slip[b][d].as_mut_array()[l] = slip[d];
            }
            p.power[b].as_mut_array()[l] = answer.friction[0] * slip[0] + answer.friction[1] * slip[1];
            let moved = length([answer.anchor[0] + slip[0], answer.anchor[1] + slip[1]]);
            p.state[b][l] = match moved > self.solution.micro_slip {
                _ if c.is_separated() => SlipState::Separated,
                true => SlipState::Sliding,
                false => SlipState::Stuck,
            };
        }
        self.problem.rebuild(&self.load, self.contacts.iter().copied()).unwrap();
        self
    }

    fn verification(&self) -> Verification {
        verify(&self.problem, &self.solution)
    }

    /// Changes the answer and expects the first broken claim to be `claim`.
    fn rejects(&self, claim: Claim, corrupt: impl FnOnce(&mut Solution)) {
        let mut solution = self.solution.clone();
        corrupt(&mut solution);
        let result = verify(&self.problem, &solution).check(1e-9);
        assert_eq!(result.map_err(|e| e.claim), Err(claim), "{:?} {:?}", solution.method, solution.cone);
    }
}

/// The admissible force most in the direction of `g`, by search.
fn extreme(cone: Cone, limit: f64, g: [f64; 2]) -> [f64; 2] {
    let size = length(g);
    match cone {
        _ if limit == 0.0 => [0.0; 2],
        Cone::Disk => [limit * g[0] / size, limit * g[1] / size],
        Cone::Polygon { sides, fit } => {
            let pi = std::f64::consts::PI;
            let radius = if fit == Fit::Inscribed { limit } else { limit / (pi / sides as f64).cos() };
            (0..sides)
                .map(|j| {
                    let (sin, cos) = (2.0 * pi * j as f64 / sides as f64).sin_cos();
                    [radius * cos, radius * sin]
                })
                .max_by(|a, b| (a[0] * g[0] + a[1] * g[1]).total_cmp(&(b[0] * g[0] + b[1] * g[1])))
                .unwrap()
        }
    }
}

/// A step at random and the friction that is optimal for it; the load that makes both true.
fn optimal(method: Method, cone: Cone, seed: u64, skew: f64) -> Case {
    let mut random = Random(seed);
    let mut case = Case::new(method, cone, true, skew);
    let (k, metric) = case.effective();
    case.solution.step = random.twist();
    let pull = k.transpose().lu().solve(&(metric * case.solution.step)).unwrap();
    for i in 0..case.contacts.len() {
        let s = [random.draw() * 5e-7, random.draw() * 5e-7];
        case.set_anchor(i, s);
        let g = columns(&case.contacts[i]).map(|c| c.dot(&pull));
        let g = if method == Method::Hold { [g[0] - s[0], g[1] - s[1]] } else { g };
        case.set_friction(i, extreme(cone, case.limit(i), g));
    }
    case.load.wrench = -(k * case.solution.step) - case.friction_sum();
    case.finish(Verdict::Slips, Certificate::Optimal { gap: 0.0 })
}

/// Friction well inside its limits, and a step that only the multiplier explains: the floor has rank 3.
fn balanced(method: Method, cone: Cone, seed: u64) -> Case {
    let mut random = Random(seed);
    let mut case = Case::new(method, cone, false, if method == Method::Hold { 0.0 } else { 1.0 });
    let (k, metric) = case.effective();
    let mut lambda = Vec6::new(0.0, 0.0, 1e-4, 0.0, 0.0, 0.0) * random.draw();
    for axis in [Vec3::x(), Vec3::y()] {
        let (b, centre) = (axis * (random.draw() * 1e-3), Vec3::new(0.0, 0.0, -0.05));
        lambda += crate::spatial::join(-b.cross(&centre), b);
    }
    let step = -(metric.lu().solve(&(k.transpose() * lambda)).unwrap());
    // Short enough a step that no contact slides, for the methods whose verdict depends on it.
    let scale = 1e-7 / step.amax();
    (case.solution.step, lambda) = (step * scale, lambda * scale);
    for i in 0..case.contacts.len() {
        let l = case.limit(i) * 0.3;
        case.set_friction(i, [l * random.draw(), l * random.draw()]);
    }
    case.load.wrench = -(k * case.solution.step) - case.friction_sum();
    case.finish(Verdict::Holds, Certificate::Balanced { lambda })
}

/// `excess` times the largest friction against direction y, on top of a rocking load.
fn unstoppable(cone: Cone, wall: bool, seed: u64, excess: f64) -> Case {
    let mut random = Random(seed);
    let held = balanced(Method::Lp, cone, seed);
    let mut case = Case::new(Method::Lp, cone, wall, 1.0);
    let (k, metric) = case.effective();
    let Certificate::Balanced { lambda } = held.solution.certificate else { unreachable!() };
    let lambda = if wall { Vec6::zeros() } else { lambda };
    let held_step = -(metric.lu().solve(&(k.transpose() * lambda)).unwrap());
    let direction = case.contacts.iter().filter(|c| !c.is_separated()).fold(Vec6::zeros(), |sum, c| {
        let g = columns(c);
        sum + g[0] * random.draw() + g[1] * random.draw()
    });
    for i in 0..case.contacts.len() {
        let g = columns(&case.contacts[i]).map(|c| c.dot(&direction));
        case.set_friction(i, extreme(cone, case.limit(i), g));
    }
    case.load.wrench = -case.friction_sum() * excess - k * held_step;
    for i in 0..case.contacts.len() {
        case.set_friction(i, [0.0; 2]);
    }
    case.solution.step = k.lu().solve(&-case.load.wrench).unwrap();
    case.finish(Verdict::Slips, Certificate::Unstoppable { direction, held_step, lambda })
}

const METHODS: [Method; 3] = [Method::Qp(Metric::Mass), Method::Qp(Metric::Stiffness), Method::Hold];

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
