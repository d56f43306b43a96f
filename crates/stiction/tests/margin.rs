//! Margins against closed forms.
use stiction::contact::{Contact, ContactId, ContactProblem, Load};
use stiction::friction::{Cone, Fit, FrictionSettings, FrictionSolver, Method, Metric, SlipState, Verdict};
use stiction::spatial::{Mat6, Vec3, Vec6, join};

const MU: f64 = 0.5;
const NORMAL_FORCE: f64 = 4.0;

/// A box on the floor, `n` × `n` contacts of 4 N each, pulled along `pull` at the height of the floor.
fn box_on_floor(n: usize, pull: Vec3, noise: f64) -> ContactProblem {
    let mut stiffness = -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 1e3, 10.0, 10.0, 10.0));
    let mut contacts = Vec::new();
    for i in 0..n * n {
        let at = |k: usize| 0.1 * (k as f64 / (n - 1) as f64 - 0.5);
        let point = Vec3::new(at(i % n), at(i / n), -0.05);
        // A fixed pattern of tilts stands for noise.
        let tilt = |phase: f64| noise * (7.3 * i as f64 + phase).sin();
        let normal = Vec3::new(tilt(0.0), tilt(1.0), 1.0).normalize();
        let tangent = (Vec3::x() - normal * normal.x).normalize();
        let direction = join(normal, point.cross(&normal));
        stiffness -= direction * direction.transpose() * (4e4 / (n * n) as f64);
        contacts.push(Contact {
            id: ContactId(i as u64),
            point,
            normal,
            tangent,
            gap: -1e-4,
            normal_force: NORMAL_FORCE,
            mu_static: MU,
            mu_kinetic: MU,
        });
    }
    let mass = Mat6::from_diagonal(&Vec6::new(1.0, 1.0, 1.0, 2e-3, 2e-3, 2e-3));
    let wrench = join(pull, Vec3::new(0.0, 0.0, -0.05).cross(&pull));
    let mut problem = ContactProblem::with_capacity(n * n);
    problem.rebuild(&Load { wrench, stiffness, mass }, contacts).expect("valid");
    problem
}

fn solver(method: Method, cone: Cone) -> FrictionSolver {
    FrictionSolver::new(FrictionSettings { method, cone, ..FrictionSettings::default() }, 100).expect("valid settings")
}

#[test]
fn ray_margin_of_a_box_on_the_floor_is_the_load_over_coulombs_limit() {
    let limit = MU * NORMAL_FORCE * 49.0;
    for load in [1e-6, 0.3, 0.999, 1.0, 1.7, 1e3] {
        let problem = box_on_floor(7, Vec3::x() * (load * limit), 0.0);
        let cos = (std::f64::consts::PI / 8.0).cos();
        for (cone, factor) in [
            (Cone::Disk, 1.0),
            (Cone::paper(4), 2f64.sqrt()),
            (Cone::paper(8), 1.0 / cos),
            (Cone::Polygon { sides: 8, fit: Fit::Inscribed }, 1.0),
            // Friction points against the pull, to the middle of a facet.
            (Cone::paper(3), 1.0),
        ] {
            for method in [Method::Lp, Method::Qp(Metric::Mass), Method::Qp(Metric::Stiffness), Method::Hold] {
                if method == Method::Lp && cone == Cone::Disk {
                    continue;
                }
                let margin = solver(method, cone).ray_margin(&problem).expect("fits");
                let expected = load / factor;
                assert!((margin / expected - 1.0).abs() < 1e-8, "{method:?} {cone:?} {load}: {margin} not {expected}");
            }
        }
    }
}

#[test]
fn margins_without_load_are_zero_and_without_friction_infinite() {
    let unloaded = box_on_floor(5, Vec3::zeros(), 0.0);
    let mut pulled_off = box_on_floor(5, Vec3::x(), 0.0);
    let frictionless = pulled_off.contacts().iter().map(|c| Contact { mu_static: 0.0, mu_kinetic: 0.0, ..*c });
    let (load, frictionless) = (*pulled_off.load(), frictionless.collect::<Vec<_>>());
    pulled_off.rebuild(&load, frictionless).expect("valid");
    for cone in [Cone::Disk, Cone::paper(8)] {
        let mut solver = solver(Method::Hold, cone);
        assert_eq!(solver.ray_margin(&unloaded).expect("fits"), 0.0);
        assert_eq!(solver.robust_margin(&unloaded).expect("fits"), 0.0);
        assert_eq!(solver.ray_margin(&pulled_off).expect("fits"), f64::INFINITY);
        assert_eq!(solver.robust_margin(&pulled_off).expect("fits"), f64::INFINITY);
        assert_eq!(solver.ray_margin(&ContactProblem::with_capacity(0)).expect("fits"), 0.0);
    }
}

/// Noisy normals give G full rank: the LP's margin then also asks friction to carry normal load, the robust one does not.
#[test]
fn robust_margin_does_not_jump_when_normals_become_noisy() {
    let limit = MU * NORMAL_FORCE * 49.0;
    let pull = Vec3::new(0.6 * limit, 0.0, -1.0);
    let (exact, noisy) = (box_on_floor(7, pull, 0.0), box_on_floor(7, pull, 1e-6));
    for method in [Method::Qp(Metric::Stiffness), Method::Hold] {
        let mut solver = solver(method, Cone::Disk);
        let (a, b) = (solver.robust_margin(&exact).expect("fits"), solver.robust_margin(&noisy).expect("fits"));
        assert!((a - 0.6).abs() < 0.01 && (a / b - 1.0).abs() < 0.01, "{method:?}: {a} and {b}");
    }
    let mut lp = solver(Method::Lp, Cone::paper(8));
    assert!(lp.ray_margin(&exact).expect("fits") < 0.6);
    assert!(lp.ray_margin(&noisy).expect("fits") > 100.0, "the LP is brittle; if it is not, the notes are wrong");
}

#[test]
fn margins_leave_the_answer_as_solve_gives_it() {
    let problem = box_on_floor(7, Vec3::x() * 120.0, 0.0);
    for cone in [Cone::Disk, Cone::paper(8)] {
        let mut solver = solver(Method::Hold, cone);
        let before = solver.solve(&problem).expect("fits").clone();
        assert_eq!(before.verdict, Verdict::Slips);
        assert_eq!(before.count(SlipState::Sliding), 49);
        solver.ray_margin(&problem).expect("fits");
        solver.robust_margin(&problem).expect("fits");
        let after = solver.solution();
        assert_eq!(after.verdict, before.verdict);
        assert!((after.step - before.step).norm() < 1e-9 * before.step.norm());
    }
}

#[test]
fn the_weakest_motion_is_the_one_that_the_load_pushes_along() {
    let limit = MU * NORMAL_FORCE * 49.0;
    let pulled = box_on_floor(7, Vec3::new(0.3, 0.4, 0.0) * limit, 0.0);
    let mut turned = box_on_floor(7, Vec3::zeros(), 0.0);
    let (load, contacts) = (*turned.load(), turned.contacts().to_vec());
    let torque = Load { wrench: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, -2.0), ..load };
    turned.rebuild(&torque, contacts).expect("valid");
    for cone in [Cone::Disk, Cone::paper(64)] {
        let mut solver = solver(Method::Hold, cone);
        let margin = solver.ray_margin(&pulled).expect("fits");
        let along = solver.weakest().fixed_rows::<3>(0).normalize();
        assert!((along - Vec3::new(0.6, 0.8, 0.0)).norm() < 0.02, "{cone:?}: {along:?}");
        assert!(solver.weakest().dot(&pulled.load().wrench) > 0.0, "the load works along it");
        // Friction can take this much work per length, the load gives margin times that.
        let most = MU * NORMAL_FORCE * 49.0 * solver.weakest().fixed_rows::<3>(0).norm();
        let given = solver.weakest().dot(&pulled.load().wrench);
        assert!((given / most / margin - 1.0).abs() < 0.01, "{cone:?}: {given} of {most}, margin {margin}");
        solver.ray_margin(&turned).expect("fits");
        let turn = solver.weakest().fixed_rows::<3>(3).normalize();
        assert!((turn + Vec3::z()).norm() < 1e-6, "{cone:?}: {turn:?}");
    }
}

/// With noisy normals the ray margin's motion is that of the noise; what gives way when friction falls is still the pull.
#[test]
fn what_gives_way_is_the_pull_also_where_normals_are_noisy() {
    let limit = MU * NORMAL_FORCE * 49.0;
    for noise in [0.0, 1e-6, 1e-3] {
        let problem = box_on_floor(7, Vec3::new(0.3 * limit, 0.4 * limit, -1.0), noise);
        for method in [Method::Hold, Method::Qp(Metric::Stiffness)] {
            let mut solver = solver(method, Cone::Disk);
            let margin = solver.robust_margin(&problem).expect("fits");
            let motion = solver.gives_way(&problem, margin).expect("fits");
            let (shift, turn) = (motion.fixed_rows::<3>(0).into_owned(), motion.fixed_rows::<3>(3).into_owned());
            assert!((shift.normalize() - Vec3::new(0.6, 0.8, 0.0)).norm() < 0.05, "{method:?}, {noise}: {motion:?}");
            assert!(turn.norm() * 0.05 < 0.2 * shift.norm(), "{method:?}, {noise}: {motion:?}");
        }
    }
}

/// The search for the ray margin once ended where rounding did, up to 13 % below it where normals are noisy. Just above it the linear program must hold, just below it must
/// not, both with a certificate.
#[test]
fn at_the_ray_margin_the_linear_program_holds_and_below_it_slips() {
    let mut judged = 0;
    for case in 0..60 {
        let noise = [1e-2, 1e-3, 1e-4][case % 3];
        let phase = case as f64;
        let pull = Vec3::new(phase.cos(), phase.sin(), -0.3 * (0.7 * phase).sin()) * 30.0;
        let problem = box_on_floor(3 + case % 5, pull, noise);
        for cone in [Cone::paper(4), Cone::paper(8)] {
            let margin = solver(Method::Lp, cone).ray_margin(&problem).expect("fits");
            if !(margin > 1e-3 && margin < 1e6) {
                continue;
            }
            let verdict = |share: f64| {
                let mut scaled = problem.clone();
                let mu = MU * margin * share;
                let contacts = problem.contacts().iter().map(|c| Contact { mu_static: mu, mu_kinetic: mu, ..*c });
                scaled.rebuild(problem.load(), contacts.collect::<Vec<_>>()).expect("valid");
                solver(Method::Lp, cone).solve(&scaled).expect("fits").verdict
            };
            // Where the search for the verdict itself runs out of precision it says so.
            let [above, below] = [verdict(1.0 + 1e-5), verdict(1.0 - 1e-5)];
            assert!(above != Verdict::Slips, "case {case}, {cone:?}: slips above {margin}");
            assert!(below != Verdict::Holds, "case {case}, {cone:?}: holds below {margin}");
            judged += usize::from(above == Verdict::Holds && below == Verdict::Slips);
        }
    }
    assert!(judged > 60, "{judged} cases");
}
