//! Unilateral contacts with Coulomb friction on a Delassus operator: closed forms, units, order, bad input, problems without a solution, warm starts. (Random and public problems, and other solvers beside ours, are in the tests of `stiction-reference`.)

use stiction::contact::ContactId;
use stiction::delassus::{
    ConeAnswer, ConeError, ConeProblem, ConeVerdict, Delassus, DenseOperator, GaussSeidel, GaussSeidelSettings,
    LocalRule, RigidOperator, SolveLimits, Staggered, StaggeredSettings, UnilateralContact, verify,
};
use stiction::friction::{Cone, Fit};
use stiction::spatial::{Mat3, Mat6, Vec3, Vec6};
use stiction_testing::splitmix64;

const LIMITS: SolveLimits = SolveLimits { tolerance: 1e-10, passes: 20_000 };

/// Every solver, under one roof for these tests.
#[derive(Clone, Copy, Debug)]
enum Which {
    Local(LocalRule),
    Staggered(Cone),
}

const ALL: [Which; 4] = [
    Which::Local(LocalRule::GraphIntersection),
    Which::Local(LocalRule::Bipotential),
    Which::Local(LocalRule::Exact),
    Which::Staggered(Cone::Disk),
];

fn solve<W: Delassus>(which: Which, problem: &ConeProblem<W>) -> ConeAnswer {
    match which {
        Which::Local(rule) => {
            let settings = GaussSeidelSettings { rule, limits: LIMITS, warm_start: false };
            GaussSeidel::new(settings, problem.operator()).unwrap().solve(problem).unwrap().clone()
        }
        Which::Staggered(cone) => {
            let settings = StaggeredSettings { cone, limits: LIMITS, warm_start: false };
            Staggered::new(settings, problem.operator()).unwrap().solve(problem).unwrap().clone()
        }
    }
}

fn inscribed(sides: usize) -> Cone {
    Cone::Polygon { sides, fit: Fit::Inscribed }
}

fn contact(id: u64, mu: f64, free: Vec3) -> UnilateralContact {
    UnilateralContact { id: ContactId(id), mu, free }
}

/// A problem of one block per pair of contacts.
fn dense(blocks: &[&[Mat3]], contacts: &[UnilateralContact]) -> ConeProblem<DenseOperator> {
    let mut problem = ConeProblem::new(DenseOperator::with_capacity(contacts.len()));
    let fill = |w: &mut DenseOperator| {
        w.begin(blocks.len())?;
        for (i, row) in blocks.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, block)| w.add(i, j, block));
        }
        Ok(())
    };
    problem.rebuild(fill, contacts.iter().copied()).unwrap();
    problem
}

/// A part of 2 kN/m and 20 N m/rad on `count` points of its lower face, moved by a twist, in some order.
fn resting(count: usize, twist: &Vec6, order: impl Fn(usize) -> usize) -> ConeProblem<RigidOperator> {
    let mut problem = ConeProblem::new(RigidOperator::with_capacity(count));
    let rows = |i: usize| {
        let mut state = i as u64;
        let mut place = || (splitmix64(&mut state) >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        let arm = Vec3::new(0.1 * place(), 0.1 * place(), -0.05);
        RigidOperator::rows_at(&arm, &[Vec3::z(), Vec3::x(), Vec3::y()])
    };
    let fill = |w: &mut RigidOperator| {
        w.begin(&Mat6::from_diagonal(&Vec6::new(2e3, 2e3, 2e3, 20.0, 20.0, 20.0)))?;
        (0..count).try_for_each(|k| w.push(&rows(order(k))))
    };
    let listed = (0..count).map(|k| {
        let i = order(k);
        contact(i as u64, 0.5, Vec3::from_fn(|c, _| rows(i)[c].dot(twist)))
    });
    problem.rebuild(fill, listed).unwrap();
    problem
}

#[test]
fn one_contact_opens_sticks_or_slides_as_by_hand() {
    let w = Mat3::from_diagonal(&Vec3::new(2.0, 4.0, 4.0));
    let cases = [
        ("opens", 0.5, Vec3::new(0.1, 1.0, -1.0), Vec3::zeros()),
        ("sticks", 0.5, Vec3::new(-2.0, 0.4, -0.8), Vec3::new(1.0, -0.1, 0.2)),
        // r_n = 1, and friction of µ r_n against the slip (3, 4)/5.
        ("slides", 0.5, Vec3::new(-2.0, 3.0, 4.0), Vec3::new(1.0, -0.3, -0.4)),
        ("slides without friction", 0.0, Vec3::new(-2.0, 3.0, 4.0), Vec3::new(1.0, 0.0, 0.0)),
    ];
    for (what, mu, free, expected) in cases {
        let problem = dense(&[&[w]], &[contact(0, mu, free)]);
        for which in ALL {
            let answer = solve(which, &problem);
            assert_eq!(answer.verdict, ConeVerdict::Solved, "{what}, {which:?}");
            assert!((answer.forces[0] - expected).norm() < 1e-8, "{what}, {which:?}: {:?}", answer.forces[0]);
        }
    }
}

/// Where normal and tangential compliance are coupled, the sliding friction solves a quartic: checked by the law, for contacts in all directions.
#[test]
fn one_coupled_contact_obeys_the_law_by_the_exact_rule() {
    let mut state = 7;
    let mut random = || (splitmix64(&mut state) >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
    for round in 0..2000 {
        let b = Mat3::from_fn(|_, _| random());
        let w = b * b.transpose() + Mat3::identity() * 1e-3;
        let free = Vec3::from_fn(|_, _| random());
        let mu = 10f64.powi(round % 7 - 4);
        let problem = dense(&[&[w]], &[contact(0, mu, free)]);
        let limits = SolveLimits { tolerance: 1e-10, passes: 3 };
        let settings = GaussSeidelSettings { rule: LocalRule::Exact, limits, warm_start: false };
        let mut solver = GaussSeidel::new(settings, problem.operator()).unwrap();
        let answer = solver.solve(&problem).unwrap();
        assert_eq!(answer.verdict, ConeVerdict::Solved, "µ {mu}, {w}, {free}: {:.1e}", answer.residual);
    }
}

#[test]
fn the_residual_is_the_same_in_any_units() {
    let [force, velocity] = [1e5, 1e-4];
    let b = Mat3::new(1.0, 0.3, 0.1, 0.0, 0.8, 0.2, 0.0, 0.0, 1.1);
    let w = b * b.transpose();
    let (free, r) = (Vec3::new(-1.0, 0.4, 0.3), Vec3::new(0.7, 0.1, -0.2));
    let here = dense(&[&[w]], &[contact(0, 0.4, free)]);
    let there = dense(&[&[w * (velocity / force)]], &[contact(0, 0.4, free * velocity)]);
    let [a, b] = [(&here, r), (&there, r * force)].map(|(p, r)| verify::residual(p, &[r], &mut Vec::new()));
    assert!(a > 0.1 && (a - b).abs() < 1e-12 * a, "{a} {b}");
    // No force against a contact that closes straight: it is missed by all of q.
    let closing = dense(&[&[Mat3::identity() * 3.0]], &[contact(0, 0.4, Vec3::new(-2.0, 0.0, 0.0))]);
    assert_eq!(verify::residual(&closing, &[Vec3::zeros()], &mut Vec::new()), 1.0);
    assert_eq!(verify::residual(&closing, &[Vec3::repeat(f64::NAN)], &mut Vec::new()), f64::INFINITY);
    assert_eq!(verify::residual(&closing, &[], &mut Vec::new()), f64::INFINITY);
}

#[test]
fn a_part_that_is_pressed_and_pulled_moves_the_same_whatever_the_order_of_contacts() {
    let twist = Vec6::new(2e-3, 1e-3, -3e-3, 0.01, -0.02, 0.03);
    for which in ALL {
        let [a, b] = [false, true].map(|reversed| {
            let problem = resting(20, &twist, |k| if reversed { 19 - k } else { k });
            let answer = solve(which, &problem);
            assert_eq!(answer.verdict, ConeVerdict::Solved, "{which:?}: {:.1e}", answer.residual);
            let (mut motion, mut step) = (vec![0.0; 6], twist);
            for (i, r) in answer.forces.iter().enumerate() {
                problem.operator().change(&mut motion, i, r);
            }
            step += problem.operator().twist(&motion);
            step
        });
        assert!((a - b).norm() < 1e-7 * twist.norm(), "{which:?}: {}", (a - b).norm());
    }
}

/// Two opposed walls that both overlap: no rigid part can satisfy them, and none may claim to.
#[test]
fn a_problem_without_a_solution_is_refused() {
    for mu in [0.0, 0.5, 10.0] {
        let mut problem = ConeProblem::new(RigidOperator::with_capacity(2));
        let fill = |w: &mut RigidOperator| {
            w.begin(&Mat6::identity())?;
            for side in [1.0, -1.0] {
                let n = Vec3::x() * side;
                w.push(&RigidOperator::rows_at(&-n, &[n, Vec3::y(), Vec3::z() * side]))?;
            }
            Ok(())
        };
        problem.rebuild(fill, [0, 1].map(|i| contact(i, mu, Vec3::new(-1.0, 0.3, 0.1)))).unwrap();
        for which in ALL {
            let answer = solve(which, &problem);
            assert_eq!(answer.verdict, ConeVerdict::NotConverged, "µ {mu}, {which:?}");
            assert!(answer.residual > 0.1 && answer.forces.iter().all(|r| r.norm().is_finite()), "{answer:?}");
        }
    }
}

#[test]
fn nothing_penetrates_after_staggered_projections_even_where_they_do_not_converge() {
    let problem = resting(30, &Vec6::new(5e-3, 2e-3, -1e-3, 0.01, -0.02, 0.3), |k| k);
    for passes in [40, 100, 400] {
        let limits = SolveLimits { tolerance: 1e-14, passes };
        let settings = StaggeredSettings { cone: inscribed(6), limits, warm_start: false };
        let mut solver = Staggered::new(settings, problem.operator()).unwrap();
        let answer = solver.solve(&problem).unwrap();
        let overlap = verify::penetration(&problem, &answer.forces, &mut Vec::new());
        assert!(overlap <= 0.1 * answer.residual.max(1e-12), "{overlap:.1e} {:.1e}", answer.residual);
    }
}

#[test]
fn polygons_come_near_the_disk_with_their_samples() {
    let problem = resting(12, &Vec6::new(5e-3, 2e-3, -1e-3, 0.0, 0.0, 0.0), |k| k);
    let disk = solve(Which::Staggered(Cone::Disk), &problem);
    let total = |a: &ConeAnswer| a.forces.iter().sum::<Vec3>();
    for (samples, most) in [(4, 0.30), (16, 0.02), (64, 1.3e-3)] {
        let polygon = solve(Which::Staggered(inscribed(samples)), &problem);
        assert_eq!(polygon.verdict, ConeVerdict::Solved);
        // Friction falls short by 1 - cos(π/ℓ) at most, and turns to a corner by at most π/ℓ.
        let (a, b) = (total(&disk).fixed_rows::<2>(1).norm(), total(&polygon).fixed_rows::<2>(1).norm());
        assert!((a - b) / a <= most && b <= a * (1.0 + 1e-6), "{samples}: {a} {b}");
    }
}

#[test]
fn a_warm_start_goes_by_identity() {
    let twist = Vec6::new(2e-3, 1e-3, -3e-3, 0.01, -0.02, 0.03);
    let [here, turned] = [resting(20, &twist, |k| k), resting(20, &twist, |k| (k * 7 + 3) % 20)];
    let mut gauss_seidel =
        GaussSeidel::new(GaussSeidelSettings { limits: LIMITS, ..Default::default() }, here.operator()).unwrap();
    let cold = gauss_seidel.solve(&here).unwrap().passes;
    let warm = gauss_seidel.solve(&turned).unwrap().passes;
    assert!(cold > 30 && warm <= 16, "{cold} {warm}");
    gauss_seidel.forget();
    assert_eq!(gauss_seidel.solve(&here).unwrap().passes, cold);
    let mut staggered =
        Staggered::new(StaggeredSettings { limits: LIMITS, ..Default::default() }, here.operator()).unwrap();
    let cold = staggered.solve(&here).unwrap().iterations;
    let warm = staggered.solve(&turned).unwrap().iterations;
    assert!(cold > 1 && warm <= 1, "{cold} {warm}");
}

#[test]
fn bad_problems_and_settings_are_refused_with_what_is_wrong() {
    let one = Mat3::identity();
    let pose = |w: Mat3, c: UnilateralContact| {
        let mut problem = ConeProblem::new(DenseOperator::with_capacity(1));
        let fill = |operator: &mut DenseOperator| {
            operator.begin(1)?;
            operator.add(0, 0, &w);
            Ok(())
        };
        let found = problem.rebuild(fill, [c]);
        assert!(found.is_ok() || problem.is_empty() && problem.operator().is_empty());
        found
    };
    let free = Vec3::new(-1.0, 0.0, 0.0);
    let is = |found: Result<(), ConeError>, words: &str| {
        let message = found.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    assert!(pose(one, contact(0, 0.5, free)).is_ok());
    is(pose(one, contact(0, -0.5, free)), "cannot be negative");
    is(pose(one, contact(0, f64::NAN, free)), "friction coefficient of contact 0 is not a finite");
    is(pose(one, contact(0, f64::INFINITY, free)), "friction coefficient");
    is(pose(one, contact(0, 0.5, Vec3::new(f64::NAN, 0.0, 0.0))), "free velocity");
    is(pose(one * f64::NAN, contact(0, 0.5, free)), "diagonal block");
    is(pose(-one, contact(0, 0.5, free)), "negative entry");
    let mut problem = ConeProblem::new(DenseOperator::with_capacity(1));
    is(problem.rebuild(|w| w.begin(2), []), "room for 1");
    is(problem.rebuild(|w| w.begin(1), []), "W has 1 contacts, but 0 are listed");
    let mut rigid = RigidOperator::with_capacity(1);
    is(rigid.begin(&-Mat6::identity()), "not positive definite");
    is(rigid.begin(&Mat6::from_fn(|i, j| if i <= j { 1.0 } else { 0.0 })), "not symmetric");
    is(rigid.begin(&(Mat6::identity() * f64::NAN)), "not symmetric");
    let mut skew = DenseOperator::with_capacity(1);
    skew.begin(1).unwrap();
    skew.add(0, 0, &Mat3::new(1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));
    assert_eq!(skew.symmetrise(), 0.5);
    assert_eq!(skew.symmetrise(), 0.0);
    for limits in [
        SolveLimits { tolerance: 0.0, passes: 1 },
        SolveLimits { tolerance: f64::NAN, passes: 1 },
        SolveLimits { tolerance: 1e-8, passes: 0 },
    ] {
        assert!(GaussSeidel::new(GaussSeidelSettings { limits, ..Default::default() }, &skew).is_err());
        assert!(Staggered::new(StaggeredSettings { limits, ..Default::default() }, &skew).is_err());
    }
    assert!(Staggered::new(StaggeredSettings { cone: inscribed(2), ..Default::default() }, &skew).is_err());
    let two = resting(2, &Vec6::zeros(), |k| k);
    let mut small = GaussSeidel::new(GaussSeidelSettings::default(), &skew).unwrap();
    assert_eq!(small.solve(&two).unwrap_err(), ConeError::Capacity { contacts: 2, capacity: 1 });
}

/// No contact, no motion, contacts that do not give way: nothing divides by zero.
#[test]
fn degenerate_problems_have_finite_answers() {
    let zero = Mat3::zeros();
    let none = dense(&[], &[]);
    let still = dense(&[&[Mat3::identity()]], &[contact(0, 0.5, Vec3::zeros())]);
    let stiff =
        dense(&[&[zero, zero], &[zero, Mat3::identity()]], &[0, 1].map(|i| contact(i, 0.5, Vec3::new(-1.0, 0.5, 0.0))));
    let rigid = dense(&[&[zero]], &[contact(0, 0.5, Vec3::new(-1.0, 0.5, 0.0))]);
    for which in ALL {
        for (problem, verdict) in [
            (&none, ConeVerdict::Solved),
            (&still, ConeVerdict::Solved),
            (&stiff, ConeVerdict::NotConverged),
            (&rigid, ConeVerdict::NotConverged),
        ] {
            let answer = solve(which, problem);
            assert_eq!(answer.verdict, verdict, "{which:?}, {} contacts", problem.len());
            assert!(answer.forces.iter().all(|r| r.iter().all(|x| x.is_finite())));
        }
    }
}
