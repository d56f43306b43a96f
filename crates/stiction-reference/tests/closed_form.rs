//! Cases with an answer on paper: a box on a floor, pulled sideways.

use stiction::contact::{Contact, ContactId, ContactProblem, Load};
use stiction::friction::{Cone, Fit, Metric};
use stiction::spatial::{Mat6, Vec3, Vec6};
use stiction_reference::{Answer, Question, Status, clarabel_hold, clarabel_lp, clarabel_qp, microlp_lp};

/// µ ΣF_n = 0.5 · 4 · 5 N.
const GRIP: f64 = 10.0;

/// Four feet of 5 N on the floor z = 0, centre of mass at that height, pulled along x with `pull` N.
fn pulled_box(pull: f64) -> ContactProblem {
    let feet = [(-0.05, -0.05), (0.05, -0.05), (-0.05, 0.05), (0.05, 0.05)];
    let contacts = feet.iter().enumerate().map(|(i, &(x, y))| Contact {
        id: ContactId(i as u64),
        point: Vec3::new(x, y, 0.0),
        normal: Vec3::z(),
        tangent: Vec3::x(),
        gap: -1e-4,
        normal_force: 5.0,
        mu_static: 0.5,
        mu_kinetic: 0.4,
    });
    let load = Load {
        wrench: Vec6::new(pull, 0.0, 0.3, 0.01, -0.02, 0.0),
        stiffness: -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 2e5, 5e2, 5e2, 1e1)),
        mass: Mat6::from_diagonal(&Vec6::new(1.0, 1.0, 1.0, 2e-3, 2e-3, 2e-3)),
    };
    let mut problem = ContactProblem::with_capacity(4);
    problem.rebuild(&load, contacts).unwrap();
    problem
}

fn both(problem: &ContactProblem, limits: &[f64], cone: Cone) -> [Answer; 2] {
    let question = Question { problem, limits, cone };
    [clarabel_lp(&question).unwrap(), microlp_lp(&question).unwrap()]
}

fn frictionless(problem: &ContactProblem) -> Vec6 {
    -(problem.load().stiffness.try_inverse().unwrap() * problem.load().wrench)
}

#[test]
fn linear_program_lets_go_at_the_reach_of_the_polygon() {
    // Along T_u is a vertex: µF_n / cos(π/ℓ) circumscribed, µF_n inscribed.
    for (sides, fit, reach) in [
        (4, Fit::Circumscribed, 2.0_f64.sqrt()),
        (8, Fit::Circumscribed, 1.0823922002923938),
        (4, Fit::Inscribed, 1.0),
        (6, Fit::Inscribed, 1.0),
    ] {
        let cone = Cone::Polygon { sides, fit };
        for answer in both(&pulled_box(GRIP * reach * (1.0 - 1e-6)), &[2.5; 4], cone) {
            assert_eq!(answer.feasible(), Some(true), "{cone:?}");
            let held: f64 = answer.friction.iter().map(|b| b[0]).sum();
            assert!((held + GRIP * reach).abs() < 1e-4, "{held}");
            // Normal motion is not friction's: z, and the two tilts, follow the load; the rest stays.
            let expected = Vec6::new(0.0, 0.0, 0.3 / 2e5, 0.01 / 5e2, -0.02 / 5e2, 0.0);
            assert!((answer.step - expected).amax() < 1e-11, "{}", answer.step - expected);
        }
        for answer in both(&pulled_box(GRIP * reach * (1.0 + 1e-6)), &[2.5; 4], cone) {
            assert_eq!(answer.feasible(), Some(false), "{cone:?}");
        }
    }
}

#[test]
fn without_limits_the_step_is_the_frictionless_one() {
    let problem = pulled_box(3.0);
    let expected = frictionless(&problem);
    for cone in [Cone::Disk, Cone::paper(8)] {
        let question = Question { problem: &problem, limits: &[0.0; 4], cone };
        let answers = [
            clarabel_qp(&question, Metric::Mass).unwrap(),
            clarabel_qp(&question, Metric::Stiffness).unwrap(),
            clarabel_hold(&question, &[[1e-6; 2]; 4]).unwrap(),
        ];
        for answer in answers {
            assert_eq!(answer.status, Status::Solved);
            assert!((answer.step - expected).amax() < 1e-9 * expected.amax(), "{}", answer.step - expected);
            assert_eq!(answer.friction, vec![[0.0; 2]; 4]);
        }
    }
    // A zero limit keeps its columns in G: the load along x would have to be held, and is not.
    for answer in both(&problem, &[0.0; 4], Cone::paper(8)) {
        assert_eq!(answer.feasible(), Some(false));
    }
}

#[test]
fn separated_contacts_are_no_part_of_the_problem() {
    let problem = pulled_box(3.0);
    let lifted = problem.contacts().iter().map(|c| Contact { gap: 1e-3, ..*c });
    let mut free = ContactProblem::with_capacity(4);
    free.rebuild(problem.load(), lifted).unwrap();
    let expected = frictionless(&free);
    // Without columns nothing asks friction to hold: (32)-(37) has the frictionless step as its solution.
    for answer in both(&free, &[2.5; 4], Cone::paper(8)) {
        assert_eq!(answer.feasible(), Some(true));
        assert!((answer.step - expected).amax() < 1e-9 * expected.amax());
    }
}

#[test]
fn sliding_box_moves_by_what_friction_leaves() {
    let problem = pulled_box(12.0);
    let question = Question { problem: &problem, limits: &[2.5; 4], cone: Cone::Disk };
    for answer in [
        clarabel_qp(&question, Metric::Mass).unwrap(),
        clarabel_qp(&question, Metric::Stiffness).unwrap(),
        clarabel_hold(&question, &[[0.0; 2]; 4]).unwrap(),
    ] {
        assert!((answer.step.x - (12.0 - GRIP) / 1e3).abs() < 1e-9, "{}", answer.step.x);
        assert!(answer.friction.iter().all(|b| (b[0] + 2.5).abs() < 1e-5), "{:?}", answer.friction);
    }
}

#[test]
fn remembered_slip_is_given_back_when_the_load_goes() {
    // Unloaded but slipped by 1 µm: L ‖q + s‖ pulls the part back to q = -s, friction well below its limit.
    let problem = pulled_box(0.0);
    for cone in [Cone::Disk, Cone::paper(8), Cone::Polygon { sides: 5, fit: Fit::Inscribed }] {
        let question = Question { problem: &problem, limits: &[2.5; 4], cone };
        let answer = clarabel_hold(&question, &[[1e-6, 0.0]; 4]).unwrap();
        assert!((answer.step.x + 1e-6).abs() < 1e-12, "{cone:?} {}", answer.step.x);
        let held: f64 = answer.friction.iter().map(|b| b[0]).sum();
        assert!((held + 1e-3).abs() < 1e-6, "{cone:?} {held}");
    }
}
