//! One test per bug that was found, named after what it guards.

mod sweep;

use stiction::friction::verify::verify;
use stiction::friction::{Cone, FrictionSettings, Metric, SlipState, Verdict};
use stiction::friction::{FrictionSolver, Method};
use stiction::spatial::Vec6;
use stiction_reference::families::{Family, Loading, generate};
use sweep::{Case, Way};

fn case(way: Way, family: Family, contacts: usize, seed: u64, loading: Loading, cone: Cone) -> Case {
    Case { sample: generate(family, contacts, seed, loading, cone), way, contacts, seed }
}

/// Anchors are cut back to exactly ε; rounding of their length made contacts at rest read as sliding, and use µ_k.
#[test]
fn contacts_at_rest_do_not_slide_because_their_anchor_is_at_epsilon() {
    let case = case(Way::QpMass, Family::ThreeWalls, 60, 5, Loading::Holds, Cone::paper(8));
    let problem = case.sample.problem().unwrap();
    let mut solver = FrictionSolver::new(case.settings(), problem.len()).unwrap();
    solver.solve(&problem).unwrap();
    solver.commit(&problem, &Vec6::new(1e-3, 2e-3, 3e-3, 0.0, 0.0, 0.0)).unwrap();
    let answer = solver.solve(&problem).unwrap();
    assert_eq!(answer.step, Vec6::zeros());
    assert_eq!(answer.count(SlipState::Sliding), 0);
}

/// In the mass metric q* itself slips: a balanced part was said to hold while its contacts slid.
#[test]
fn qp_does_not_say_holds_while_contacts_slide() {
    let case = case(Way::QpMass, Family::Planar, 60, 2, Loading::Holds, Cone::paper(4));
    let problem = case.sample.problem().unwrap();
    let mut solver = case.solver(&problem, case.settings()).unwrap();
    let answer = solver.solve(&problem).unwrap();
    assert_eq!(answer.verdict == Verdict::Slips, answer.count(SlipState::Sliding) > 0);
}

/// Remembered slip serves the states only; it once entered the quadratic program on disks.
#[test]
fn slip_memory_does_not_enter_the_quadratic_program() {
    let sample = generate(Family::Corner, 40, 7, Loading::Slips, Cone::Disk);
    let problem = sample.problem().unwrap();
    let settings =
        FrictionSettings { method: Method::Qp(Metric::Stiffness), warm_start: false, ..FrictionSettings::default() };
    let mut solver = FrictionSolver::new(settings, problem.len()).unwrap();
    let fresh = solver.solve(&problem).unwrap().step;
    solver.commit(&problem, &Vec6::new(2e-7, -1e-7, 3e-7, 1e-6, 0.0, -2e-6)).unwrap();
    assert_eq!(solver.solve(&problem).unwrap().step, fresh);
}

/// One facet's weight is so large there that a 2 × 2 determinant cancelled to zero, and the step became infinite.
#[test]
fn polygons_with_memory_survive_contacts_pressed_into_one_facet() {
    for (contacts, seed, sides) in [(28, 165, 5), (58, 100_150, 4)] {
        let case = case(Way::HoldWithMemory, Family::Corner, contacts, seed, Loading::Slips, Cone::paper(sides));
        let problem = case.sample.problem().unwrap();
        let mut solver = case.solver(&problem, case.settings()).unwrap();
        let answer = solver.solve(&problem).unwrap();
        assert_ne!(answer.verdict, Verdict::Undecided);
        verify(&problem, answer).check(1e-9).unwrap();
    }
}

/// Where normals are nearly parallel the set of friction wrenches is so thin that the corral stalled in plain
/// coordinates.
#[test]
fn the_linear_program_is_decided_on_thin_sets() {
    for (exponent, contacts, seed, sides) in [(5, 3, 100_100_238, 8), (6, 43, 100_100_354, 8), (6, 43, 100_000_359, 3)]
    {
        let family = Family::NearlyParallel { exponent };
        let case = case(Way::Lp, family, contacts, seed, Loading::Holds, Cone::paper(sides));
        let problem = case.sample.problem().unwrap();
        let mut solver = case.solver(&problem, case.settings()).unwrap();
        let answer = solver.solve(&problem).unwrap();
        assert_eq!(answer.verdict, Verdict::Holds);
        verify(&problem, answer).check(case.epsilon()).unwrap();
    }
}

/// Zᵀ K M̃⁻¹ Kᵀ Z has the square of K's condition: q* lost all digits at stiffness ratios of 1e8.
#[test]
fn the_held_step_keeps_its_digits_at_stiffness_ratios_of_1e8() {
    let case = case(Way::Lp, Family::WideStiffness, 1, 200_301_804, Loading::Edge, Cone::paper(8));
    let problem = case.sample.problem().unwrap();
    let mut solver = case.solver(&problem, case.settings()).unwrap();
    let answer = solver.solve(&problem).unwrap();
    verify(&problem, answer).check(1e-9).unwrap();
}
