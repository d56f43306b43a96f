//! A box on a floor, simulated: what the methods do to a part that is held, pulled and released.
//!
//! A 10 cm cube on 7 × 7 points of a plane, normals noisy by 1e-3 rad, 10 N of weight, µ = 0.5, coupled to a handle by a
//! spring. Quasi-static: in each tick the contact forces follow from the pose, the solver's step is made in full and
//! committed. Contacts are penalty springs, F_n = k max(0, -gap), gap linear in the pose p = (x, ω):
//!
//! ```text
//! f = Σ J_i F_i + K_vc (h - p) - W,    K = -K_vc - Σ k J_i J_iᵀ,    J_i = (n_i, r_i × n_i)
//! ```
//!
//! The numbers expected are those of `friction-in-six-dimensions.md`, "Holding, on real surfaces".

use stiction::contact::{Contact, ContactId, ContactProblem, Load};
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Method, Metric, SlipState, Verdict};
use stiction::spatial::{Mat6, Vec3, Vec6, join};
use stiction_reference::families::Random;

const WEIGHT: f64 = 10.0;
const MU: f64 = 0.5;
/// Stiffness of the coupling (N/m).
const COUPLING: f64 = 2e3;
const EPSILON: f64 = 1e-6;
const TICKS_PER_CYCLE: usize = 100;

struct Floor {
    points: Vec<(Vec3, Vec3)>,
    pose: Vec6,
    handle: Vec6,
    weight: f64,
    mu_kinetic: f64,
    problem: ContactProblem,
    solver: FrictionSolver,
}

impl Floor {
    fn new(method: Method, cone: Cone, noise: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let grid = (0..7).flat_map(|i| (0..7).map(move |j| (f64::from(i), f64::from(j))));
        let points = grid.map(|(i, j)| {
            let point = Vec3::new(-0.05 + i / 60.0, -0.05 + j / 60.0, -0.05);
            let tilt = random.tangent(&Vec3::z()) * (noise * random.uniform(-1.0, 1.0));
            (point, (Vec3::z() + tilt).normalize())
        });
        let settings = FrictionSettings { method, cone, micro_slip: EPSILON, ..FrictionSettings::default() };
        Self {
            points: points.collect(),
            pose: Vec6::zeros(),
            handle: Vec6::zeros(),
            weight: WEIGHT,
            mu_kinetic: MU,
            problem: ContactProblem::with_capacity(49),
            solver: FrictionSolver::new(settings, 49).unwrap(),
        }
    }

    /// Coupling force along x on the part.
    fn pull(&self) -> f64 {
        COUPLING * (self.handle.x - self.pose.x)
    }

    /// Where the middle of the patch is along x (m): the centre moves with the elastic tilt, the patch does not.
    fn patch(&self) -> f64 {
        self.pose.x - 0.05 * self.pose[4]
    }

    /// Total normal force of the last tick.
    fn normal_force(&self) -> f64 {
        self.problem.contacts().iter().map(|c| c.normal_force).sum()
    }

    fn rebuild(&mut self) {
        let coupling = Mat6::from_diagonal(&Vec6::new(COUPLING, COUPLING, COUPLING, 5.0, 5.0, 5.0));
        let spring = 2e4 / self.points.len() as f64;
        let mut wrench = coupling * (self.handle - self.pose) - Vec6::z() * self.weight;
        let mut stiffness = -coupling;
        let mut contacts = Vec::new();
        for (i, &(point, normal)) in self.points.iter().enumerate() {
            let j = join(normal, point.cross(&normal));
            let gap = j.dot(&self.pose);
            let normal_force = spring * (-gap).max(0.0);
            if gap < 0.0 {
                wrench += j * normal_force;
                stiffness -= j * j.transpose() * spring;
            }
            let tangent = (Vec3::x() - normal * normal.x).normalize();
            let id = ContactId(i as u64);
            contacts.push(Contact {
                id,
                point,
                normal,
                tangent,
                gap,
                normal_force,
                mu_static: MU,
                mu_kinetic: self.mu_kinetic,
            });
        }
        let mass = Mat6::from_diagonal(&Vec6::new(1.0, 1.0, 1.0, 1.7e-3, 1.7e-3, 1.7e-3));
        self.problem.rebuild(&Load { wrench, stiffness, mass }, contacts).unwrap();
    }

    fn tick(&mut self) -> Verdict {
        self.rebuild();
        let answer = self.solver.solve(&self.problem).unwrap();
        let (step, verdict) = (answer.step, answer.verdict);
        self.pose += step;
        self.solver.commit(&self.problem, &step).unwrap();
        verdict
    }

    /// Lets the part come to rest on the floor, not pulled.
    fn settle(mut self) -> Self {
        self.pose.z = -1e-4;
        for _ in 0..200 {
            self.tick();
        }
        self.solver.reset();
        self
    }

    /// Moves the handle until it pulls with `force` on a part that stays.
    fn pull_with(&mut self, force: f64) {
        let start = self.handle.x;
        let target = self.pose.x + force / COUPLING;
        for i in 1..=200 {
            self.handle.x = start + (target - start) * f64::from(i) / 200.0;
            self.tick();
        }
    }

    /// Load cycles of ±20 %; the drift of the centre along the pull per cycle (m), the first cycles left out, and how
    /// often the verdict was not `Holds`.
    fn creep(&mut self, cycles: usize) -> (f64, usize) {
        let (mut start, mut let_go) = (0.0, 0);
        for cycle in 0..cycles + 3 {
            if cycle == 3 {
                start = self.pose.x;
            }
            for tick in 0..TICKS_PER_CYCLE {
                let phase = std::f64::consts::TAU * tick as f64 / TICKS_PER_CYCLE as f64;
                self.weight = WEIGHT * (1.0 + 0.2 * phase.sin());
                let_go += usize::from(self.tick() != Verdict::Holds);
            }
        }
        ((self.pose.x - start).abs() / cycles as f64, let_go)
    }
}

#[test]
fn load_cycles_close_with_memory_only() {
    for seed in 0..4 {
        let run = |method, cone| {
            let mut floor = Floor::new(method, cone, 1e-3, seed).settle();
            floor.pull_with(0.6 * MU * WEIGHT);
            let (creep, let_go) = floor.creep(12);
            (creep, let_go, floor.pose.x)
        };
        let ticks = 15 * TICKS_PER_CYCLE;
        for cone in [Cone::Disk, Cone::paper(8)] {
            let (hold, let_go, _) = run(Method::Hold, cone);
            assert!(hold <= 1e-10, "{cone:?} {seed}: hold creeps {hold:e} m a cycle");
            assert_eq!(let_go, 0, "{cone:?} {seed}");
            let (stiffness, _, _) = run(Method::Qp(Metric::Stiffness), cone);
            assert!(stiffness > 100.0 * hold.max(1e-11), "{cone:?} {seed}: qp creeps only {stiffness:e} m a cycle");
            let (mass, _, _) = run(Method::Qp(Metric::Mass), cone);
            println!("{cone:?} {seed}: creep per cycle: hold {hold:e}, qp stiffness {stiffness:e}, qp mass {mass:e} m");
        }
        let (_, let_go, travel) = run(Method::Lp, Cone::paper(8));
        assert!(let_go > ticks * 9 / 10, "{seed}: lp let go in {let_go} of {ticks} ticks only");
        assert!(travel > 1e-3, "{seed}: lp moved by {travel} m only");
    }
}

#[test]
fn slides_at_the_right_force_and_springs_back_no_further_than_epsilon() {
    for (cone, noise, seed) in [(Cone::Disk, 0.0, 0), (Cone::Disk, 1e-3, 1), (Cone::Disk, 1e-3, 2)] {
        let mut floor = Floor::new(Method::Hold, cone, noise, seed).settle();
        let mut began = None;
        // 3 µm a tick, until the part has slid by 1.5 mm.
        let at_rest = floor.pose.x;
        let mut ticks = 0;
        while floor.pose.x - at_rest < 1.5e-3 {
            floor.handle.x += 3e-6;
            floor.tick();
            ticks += 1;
            assert!(ticks < 3000, "never slid: pull {} N", floor.pull());
            let (pull, most) = (floor.pull(), MU * floor.normal_force());
            let slides = floor.solver.solution().count(SlipState::Sliding) == 49;
            assert!(pull <= most * 1.01, "{seed}: pulled with {pull} N against {most} N");
            if slides && began.is_none() {
                began = Some(pull / most);
            }
            if slides {
                assert!(pull >= 0.99 * most, "{seed}: slides at {pull} N of {most} N");
            }
        }
        assert!(began.is_some_and(|b| b >= 0.99), "{began:?}");
        // Full release: the handle goes to where the part is, and is let go there.
        let slid = floor.patch();
        for _ in 0..400 {
            floor.handle.x = floor.pose.x + 0.99 * (floor.handle.x - floor.pose.x);
            floor.tick();
        }
        for _ in 0..20 {
            floor.handle.x = floor.pose.x;
            floor.tick();
        }
        let back = slid - floor.patch();
        assert!((-0.2 * EPSILON..=1.5 * EPSILON).contains(&back), "{seed}: came back {back:e} m");
    }
}

/// A contact uses µ_k if and only if it slid in the last tick; turning about one foot, that foot still holds.
#[test]
fn kinetic_friction_is_a_matter_of_each_contact() {
    let mut floor = Floor::new(Method::Hold, Cone::Disk, 0.0, 0).settle();
    floor.mu_kinetic = 0.3;
    let mut slid = [false; 49];
    let (mut mixed, mut kinetic) = (0, 0);
    for _ in 0..600 {
        // Turns the handle about the vertical axis through the centre of the box: the middle foot does not slip.
        floor.handle[5] += 3e-4;
        floor.tick();
        let answer = floor.solver.solution();
        for (i, (c, contact)) in answer.contacts().zip(floor.problem.contacts()).enumerate() {
            let mu = if slid[i] { 0.3 } else { MU };
            assert_eq!(c.limit, if contact.is_separated() { 0.0 } else { mu * contact.normal_force });
            slid[i] = c.state == SlipState::Sliding;
        }
        let sliding = slid.iter().filter(|s| **s).count();
        mixed += usize::from(sliding > 0 && sliding < 49);
        kinetic += sliding;
    }
    assert!(
        mixed > 20 && kinetic > 1000,
        "{mixed} ticks with both, {kinetic} sliding contacts: the test sees too little"
    );
    assert!(!slid[24], "the foot in the middle slides");
}
