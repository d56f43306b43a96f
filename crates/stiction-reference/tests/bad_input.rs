//! Bad input is a typed error when building, never a panic; and whatever is accepted gives finite numbers.

mod sweep;

use stiction::contact::{Contact, ContactId, ContactProblem, Load, ProblemError};
use stiction::friction::{Cone, Fit, FrictionSettings, FrictionSolver, Method, Metric, SolverError};
use stiction::spatial::{Mat6, Vec3, Vec6};
use stiction_reference::families::{Family, Loading, Random, generate};
use sweep::{CONES, study};

const METHODS: [Method; 4] = [Method::Lp, Method::Qp(Metric::Mass), Method::Qp(Metric::Stiffness), Method::Hold];

fn good() -> (Load, Vec<Contact>) {
    let sample = generate(Family::Corner, 9, 1, Loading::Edge, Cone::paper(8));
    (sample.load, sample.contacts)
}

/// The error of the good problem after a change; the problem must be empty and solvable afterwards.
fn error_of(change: impl FnOnce(&mut Load, &mut Vec<Contact>)) -> ProblemError {
    let (mut load, mut contacts) = good();
    let mut problem = ContactProblem::with_capacity(10);
    problem.rebuild(&load, contacts.iter().copied()).unwrap();
    change(&mut load, &mut contacts);
    let error = problem.rebuild(&load, contacts).unwrap_err();
    assert!(problem.is_empty());
    for method in METHODS {
        let mut solver =
            FrictionSolver::new(FrictionSettings { method, cone: Cone::paper(8), ..FrictionSettings::default() }, 10)
                .unwrap();
        assert_eq!(solver.solve(&problem).unwrap().step, Vec6::zeros());
        let (load, contacts) = good();
        problem.rebuild(&load, contacts).unwrap();
        let step = solver.solve(&problem).unwrap().step;
        assert!(step.iter().all(|x| x.is_finite()) && step != Vec6::zeros());
        problem.clear();
    }
    assert!(!error.to_string().is_empty());
    error
}

#[test]
fn numbers_that_are_not_finite() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..6 {
            let error = error_of(|load, _| load.wrench[i] = bad);
            assert_eq!(error, ProblemError::NonFiniteLoad { what: "wrench" });
            for j in 0..6 {
                let error = error_of(|load, _| load.stiffness[(i, j)] = bad);
                assert_eq!(error, ProblemError::NonFiniteLoad { what: "stiffness" });
                let error = error_of(|load, _| load.mass[(i, j)] = bad);
                assert_eq!(error, ProblemError::NonFiniteLoad { what: "mass" });
            }
        }
        let of_contact = |change: &dyn Fn(&mut Contact)| error_of(|_, contacts| change(&mut contacts[3]));
        let at = |what| ProblemError::NonFiniteContact { index: 3, what };
        for axis in 0..3 {
            assert_eq!(of_contact(&|c| c.point[axis] = bad), at("point"));
            assert_eq!(of_contact(&|c| c.normal[axis] = bad), at("normal"));
            assert_eq!(of_contact(&|c| c.tangent[axis] = bad), at("tangent"));
        }
        assert_eq!(of_contact(&|c| c.gap = bad), at("gap"));
        assert_eq!(of_contact(&|c| c.normal_force = bad), at("normal force"));
        assert_eq!(of_contact(&|c| c.mu_static = bad), at("static friction coefficient"));
        assert_eq!(of_contact(&|c| c.mu_kinetic = bad), at("kinetic friction coefficient"));
    }
}

#[test]
fn directions_and_coefficients() {
    let of_contact = |change: &dyn Fn(&mut Contact)| error_of(|_, contacts| change(&mut contacts[5]));
    assert!(matches!(of_contact(&|c| c.normal *= 1.1), ProblemError::NotUnit { index: 5, what: "normal", .. }));
    assert!(matches!(of_contact(&|c| c.normal = Vec3::zeros()), ProblemError::NotUnit { what: "normal", .. }));
    assert!(matches!(of_contact(&|c| c.tangent *= 0.9), ProblemError::NotUnit { index: 5, what: "tangent", .. }));
    assert!(matches!(of_contact(&|c| c.tangent = c.normal), ProblemError::NotPerpendicular { index: 5, .. }));
    let negative = of_contact(&|c| c.normal_force = -1.0);
    assert_eq!(negative, ProblemError::NegativeNormalForce { index: 5, force: -1.0 });
    for (mu_static, mu_kinetic) in [(-0.1, -0.1), (0.5, -0.1), (0.3, 0.4)] {
        let error = of_contact(&|c| (c.mu_static, c.mu_kinetic) = (mu_static, mu_kinetic));
        assert_eq!(error, ProblemError::BadFriction { index: 5, mu_static, mu_kinetic });
    }
    assert!(matches!(of_contact(&|c| c.point.x = 1e200), ProblemError::OutOfRange { index: 5, .. }));
    assert!(matches!(of_contact(&|c| c.normal_force = 1e200), ProblemError::OutOfRange { index: 5, .. }));
}

#[test]
fn matrices() {
    let singular = |change: &dyn Fn(&mut Mat6)| {
        let error = error_of(|load, _| change(&mut load.stiffness));
        assert!(matches!(error, ProblemError::SingularStiffness { .. }), "{error}");
    };
    singular(&|k| *k = Mat6::zeros());
    singular(&|k| k.row_mut(4).fill(0.0));
    singular(&|k| k.column_mut(2).fill(0.0));
    singular(&|k| {
        let row = k.row(0).into_owned();
        k.set_row(5, &(row * 0.3));
    });
    let mass =
        |change: &dyn Fn(&mut Mat6)| assert_eq!(error_of(|load, _| change(&mut load.mass)), ProblemError::BadMass);
    mass(&|m| *m = Mat6::zeros());
    mass(&|m| *m = -*m);
    mass(&|m| m[(0, 1)] = 0.5);
    mass(&|m| m[(3, 3)] = 0.0);
}

#[test]
fn capacity_and_settings() {
    let many = error_of(|_, contacts| {
        let first = contacts[0];
        contacts.extend([first; 5]);
    });
    assert_eq!(many, ProblemError::Capacity { capacity: 10 });
    let make = |settings| FrictionSolver::new(settings, 4).map(|_| ()).unwrap_err();
    let default = FrictionSettings::default();
    for sides in [0, 1, 2, 65] {
        let cone = Cone::Polygon { sides, fit: Fit::Inscribed };
        assert_eq!(make(FrictionSettings { cone, ..default }), SolverError::BadPolygon { sides });
    }
    assert_eq!(make(FrictionSettings { method: Method::Lp, cone: Cone::Disk, ..default }), SolverError::LpNeedsPolygon);
    assert_eq!(make(FrictionSettings { budget: 0, ..default }), SolverError::NoBudget);
    for micro_slip in [0.0, -1e-6, f64::INFINITY] {
        assert_eq!(make(FrictionSettings { micro_slip, ..default }), SolverError::BadMicroSlip { micro_slip });
    }
    assert!(matches!(make(FrictionSettings { micro_slip: f64::NAN, ..default }), SolverError::BadMicroSlip { .. }));
    let (load, contacts) = good();
    let mut problem = ContactProblem::with_capacity(10);
    problem.rebuild(&load, contacts).unwrap();
    let mut solver = FrictionSolver::new(default, 4).unwrap();
    assert_eq!(solver.solve(&problem).map(|_| ()), Err(SolverError::Capacity { contacts: 9, capacity: 4 }));
}

/// A number of any kind: ordinary, tiny, huge, zero, and now and then not one at all.
fn garbage(random: &mut Random) -> f64 {
    let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
    sign * match random.below(40) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => f64::MIN_POSITIVE,
        3 => f64::MAX,
        4..=7 => 0.0,
        8..=12 => random.decades(-300.0, 300.0),
        13..=20 => random.decades(-12.0, 12.0),
        _ => random.uniform(0.0, 2.0),
    }
}

/// A good problem with some of its numbers replaced by garbage.
fn garbled(random: &mut Random) -> (Load, Vec<Contact>) {
    let family = Family::ALL[random.below(Family::ALL.len())];
    let mut sample = generate(family, 1 + random.below(20), random.bits(), Loading::ALL[random.below(4)], Cone::Disk);
    for _ in 0..random.below(4) {
        let i = random.below(sample.contacts.len());
        let c = &mut sample.contacts[i];
        let (value, axis) = (garbage(random), random.below(3));
        let load = &mut sample.load;
        match random.below(12) {
            0 => c.point[axis] = value,
            1 => c.normal[axis] = value,
            2 => c.tangent = random.direction(),
            3 => c.gap = value,
            4 => c.normal_force = value.abs(),
            5 => (c.mu_static, c.mu_kinetic) = (value.abs(), value.abs() * 0.5),
            6 => c.mu_kinetic = value,
            7 => c.id = ContactId(random.below(3) as u64),
            8 => load.wrench[random.below(6)] = value,
            9 => load.stiffness[(random.below(6), random.below(6))] = value,
            10 => load.stiffness *= value,
            _ => load.mass *= value,
        }
    }
    (sample.load, sample.contacts)
}

/// 20,000 problems made of good ones and garbage: an error, or finite numbers, also in the ticks after it.
#[test]
fn garbage_is_refused_or_answered_in_finite_numbers() {
    let mut random = Random::new(77);
    let mut problem = ContactProblem::with_capacity(20);
    let mut accepted = 0;
    let total = 20_000 * study();
    let mut solvers: Vec<FrictionSolver> = METHODS
        .iter()
        .flat_map(|&method| CONES.map(|cone| FrictionSettings { method, cone, ..FrictionSettings::default() }))
        .filter_map(|settings| FrictionSolver::new(settings, 20).ok())
        .collect();
    for turn in 0..total {
        let (load, contacts) = garbled(&mut random);
        let ok = problem.rebuild(&load, contacts.iter().copied()).is_ok();
        accepted += u64::from(ok);
        let solvers_count = solvers.len();
        for pick in [turn as usize % solvers_count, random.below(solvers_count)] {
            let solver = &mut solvers[pick];
            let answer = solver.solve(&problem).unwrap();
            let contacts_finite =
                answer.contacts().all(|c| [c.friction, c.slip, c.anchor].iter().flatten().all(|x| x.is_finite()));
            let finite = answer.step.iter().chain(answer.friction.iter()).all(|x| x.is_finite()) && contacts_finite;
            assert!(finite, "turn {turn}: {:?} {:?}: {load:?} {contacts:?}", answer.method, answer.cone);
            let step = answer.step;
            solver.commit(&problem, &step).unwrap();
        }
    }
    assert!((total / 4..total).contains(&accepted), "{accepted} of {total} accepted: one-sided garbage");
}
