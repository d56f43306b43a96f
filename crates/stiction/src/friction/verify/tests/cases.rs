//! Answers built by hand from the optimality conditions.

use super::super::*;
use crate::contact::{Contact, ContactId, ContactProblem, LANES, Load};
use crate::friction::solution::PerContact;
use crate::friction::{Cone, Fit, Metric};
use crate::spatial::Mat6;
use std::ops::AddAssign;

pub(super) const CONES: [Cone; 5] = [
    Cone::Disk,
    Cone::paper(8),
    Cone::paper(3),
    Cone::Polygon { sides: 5, fit: Fit::Inscribed },
    Cone::Polygon { sides: 64, fit: Fit::Inscribed },
];

/// Uniform in [-1, 1): a linear congruential generator is random enough for test data.
pub(super) struct Random(pub u64);

impl Random {
    pub fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn twist(&mut self) -> Vec6 {
        Vec6::from_fn(|i, _| self.draw() * if i < 3 { 1e-4 } else { 2e-3 })
    }
}

/// Five contacts on the floor, one of them separated and one without friction; with `wall` three more at x = 0.05
/// and two at y = 0.05, for rank 6.
pub(super) fn contacts(wall: bool) -> Vec<Contact> {
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
pub(super) fn stiffness(contacts: &[Contact], skew: f64) -> Mat6 {
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

pub(super) struct Case {
    pub contacts: Vec<Contact>,
    pub load: Load,
    pub problem: ContactProblem,
    pub solution: Solution,
}

impl Case {
    pub fn new(method: Method, cone: Cone, wall: bool, skew: f64) -> Self {
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

    pub fn limit(&self, i: usize) -> f64 {
        self.solution.per_contact.limit[i / LANES].as_array()[i % LANES]
    }

    pub fn set_anchor(&mut self, i: usize, s: [f64; 2]) {
        for d in 0..2 {
            self.solution.per_contact.anchor[i / LANES][d].as_mut_array()[i % LANES] = s[d];
        }
    }

    pub fn set_friction(&mut self, i: usize, beta: [f64; 2]) {
        for d in 0..2 {
            self.solution.per_contact.friction[i / LANES][d].as_mut_array()[i % LANES] = beta[d];
        }
    }

    pub fn friction_sum(&self) -> Vec6 {
        let answers = self.solution.contacts();
        self.contacts.iter().zip(answers).fold(Vec6::zeros(), |sum, (c, a)| {
            let g = columns(c);
            sum + g[0] * a.friction[0] + g[1] * a.friction[1]
        })
    }

    pub fn effective(&self) -> (Mat6, Mat6) {
        let k = self.load.stiffness;
        let a = -(k + k.transpose()) * 0.5;
        match self.solution.method {
            Method::Lp
            | Method::Qp(Metric::Mass)
            | Method::Yamane
            | Method::Frictionless
            | Method::Staggered
            | Method::GaussSeidel(_) => (k, self.load.mass),
            Method::Qp(Metric::Stiffness) => (k, a),
            Method::Hold => (-a, a),
        }
    }

    /// Everything that follows from step, friction, anchors and load.
    pub fn finish(mut self, verdict: Verdict, certificate: Certificate) -> Self {
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

    pub fn verification(&self) -> Verification {
        verify(&self.problem, &self.solution)
    }

    /// Changes the answer and expects the first broken claim to be `claim`.
    pub fn rejects(&self, claim: Claim, corrupt: impl FnOnce(&mut Solution)) {
        let mut solution = self.solution.clone();
        corrupt(&mut solution);
        let result = verify(&self.problem, &solution).check(1e-9);
        assert_eq!(result.map_err(|e| e.claim), Err(claim), "{:?} {:?}", solution.method, solution.cone);
    }
}

/// The admissible force most in the direction of `g`, by search.
pub(super) fn extreme(cone: Cone, limit: f64, g: [f64; 2]) -> [f64; 2] {
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
pub(super) fn optimal(method: Method, cone: Cone, seed: u64, skew: f64) -> Case {
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
pub(super) fn balanced(method: Method, cone: Cone, seed: u64) -> Case {
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
pub(super) fn unstoppable(cone: Cone, wall: bool, seed: u64, excess: f64) -> Case {
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

pub(super) const METHODS: [Method; 3] = [Method::Qp(Metric::Mass), Method::Qp(Metric::Stiffness), Method::Hold];
