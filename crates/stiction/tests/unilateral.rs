//! The haptic cycle with unilateral contacts without stiffness: the solvers of other schools in our house. Closed forms, drift at rest with every residual, what never converges, bad settings, equal bits.

mod tick_support;

use stiction::contact::penalty::ShellOn;
use stiction::delassus::{ConeVerdict, LocalRule, verify};
use stiction::friction::{Cone, Fit, FrictionSettings, Method, Verdict};
use stiction::spatial::{Pose, Vec3, Vec6, exp, halves};
use stiction::tick::{ContactModel, Engine, EngineError, Settings};
use stiction::trace::Flags;
use tick_support::{Floor, HALF, block};

const METHODS: [Method; 4] = [
    Method::Staggered,
    Method::GaussSeidel(LocalRule::GraphIntersection),
    Method::GaussSeidel(LocalRule::Exact),
    Method::GaussSeidel(LocalRule::Bipotential),
];

fn settings(method: Method, tolerance: f64) -> Settings {
    let friction = FrictionSettings { method, budget: 5000, ..FrictionSettings::default() };
    Settings { friction, tolerance, ..Settings::default() }
}

/// The hand 5 mm below the plate presses with k_vc times that; without stiffness the part stays on top, and the force is the coupling's alone.
#[test]
fn a_pressed_cube_stays_on_the_plate() {
    for method in METHODS {
        let mut floor = Floor::new(settings(method, 1e-9));
        for _ in 0..20 {
            floor.tick(0.0, 0.0, -0.005);
        }
        let t = floor.engine.trace();
        assert_eq!(floor.engine.settings().contact_model(), ContactModel::Unilateral);
        assert!((t.wrench[2] - 10.0).abs() < 0.1, "{method:?}: {} N", t.wrench[2]);
        assert!((t.pressure - t.wrench[2]).abs() < 1e-6 * t.pressure, "{method:?}");
        assert!(t.residual <= 1e-9 && !t.flags.has(Flags::UNDECIDED), "{method:?}: {:.1e}", t.residual);
        let problem = floor.engine.cone_problem().unwrap();
        assert!(problem.len() >= 4);
    }
}

/// µ = 0.5: pressed by 10 N, the cube holds 4.9 N and slides under 5.1 N, where friction is µ times the normal force.
#[test]
fn the_friction_limit_is_mu_times_the_normal_force() {
    for method in METHODS {
        for (pull, holds) in [(0.98, true), (1.05, false)] {
            let mut floor = Floor::new(settings(method, 1e-9));
            let (down, along) = (-0.005, 0.0025 * pull);
            for _ in 0..20 {
                floor.tick(0.0, 0.0, down);
            }
            let start = floor.engine.trace().part.translation.vector.x;
            for i in 1..=200 {
                floor.tick(along * (f64::from(i) / 100.0).min(1.0), 0.0, down);
            }
            let t = floor.engine.trace();
            let moved = t.part.translation.vector.x - start;
            let friction = halves(&t.friction).0;
            let (side, limit) = (friction.x.hypot(friction.y), 0.5 * t.pressure);
            match holds {
                true => assert!(
                    moved.abs() < 1e-7 && t.verdict == Verdict::Holds,
                    "{method:?}: {moved:.1e} m, {:?}",
                    t.verdict
                ),
                false => {
                    assert!(moved > 0.5 * 0.05 * 0.0025, "{method:?}: {moved:.1e} m");
                    assert!((side - limit).abs() < 1e-3 * limit, "{method:?}: {side} of {limit} N");
                }
            }
        }
    }
}

/// A part that friction holds creeps by what the residual leaves, whatever it is asked to be: told with every residual, over 1,000 ticks.
#[test]
fn drift_at_rest_follows_the_residual() {
    println!("drift of a held cube in 1,000 ticks, µ 0.5, pulled with 90 % of the limit; the hand rests:");
    for method in METHODS {
        for tolerance in [1e-3, 1e-4, 1e-6, 1e-8] {
            let mut floor = Floor::new(settings(method, tolerance));
            for i in 1..=200 {
                let share = (f64::from(i) / 100.0).min(1.0);
                floor.tick(0.9 * 0.0025 * share, 0.0, -0.005);
            }
            let start = floor.engine.trace().part;
            let mut worst = 0.0f64;
            for _ in 0..1000 {
                let t = floor.tick(0.9 * 0.0025, 0.0, -0.005);
                worst = worst.max(t.residual);
                assert!(!t.flags.has(Flags::UNDECIDED), "{method:?}, {tolerance:.0e}: {:.1e}", t.residual);
            }
            let end = floor.engine.trace().part;
            let drift = (end.translation.vector - start.translation.vector).norm();
            println!("  {method:?}, residual {tolerance:.0e} (found {worst:.1e}): {drift:.1e} m");
            // A tick cannot move the part by more than the residual leaves of the free motion, 5.5 mm for 49 points or so.
            assert!(drift <= 1000.0 * tolerance * 0.1, "{method:?}, {tolerance:.0e}: {drift:.1e} m");
        }
    }
}

#[test]
fn answers_of_ticks_stand_up_to_the_verifier_and_ticks_repeat_to_the_bit() {
    for method in METHODS {
        let run = || {
            let mut floor = Floor::new(settings(method, 1e-6));
            let mut bits = Vec::new();
            for i in 0..120 {
                let s = f64::from(i) / 120.0;
                let hand = Pose::from_parts(
                    Vec3::new(4e-3 * s, 2e-3 * s, floor.rest.translation.z - 3e-3 * s).into(),
                    exp(&Vec3::new(0.02 * s, -0.01 * s, 0.05 * s)),
                );
                let t = *floor.engine.tick(&hand, &Vec6::zeros());
                assert!(t.residual <= 1e-6 || t.flags.has(Flags::UNDECIDED), "{method:?}: {:.1e}", t.residual);
                assert!(t.depth < 3e-6, "{method:?}, tick {i}: {:.1e} m deep", t.depth);
                bits.push(t.part.translation.vector.map(f64::to_bits));
            }
            bits
        };
        assert_eq!(run(), run(), "{method:?}");
    }
}

/// Parts that start in each other come apart in a few ticks, and wrenches stay bounded.
#[test]
fn a_cube_that_starts_inside_two_walls_comes_out() {
    for method in METHODS {
        let slot = tick_support::angle(0.2, 0.02, 14, 2e-3);
        let cube = block(Vec3::repeat(HALF), 6, 2e-3);
        // 0.5 mm inside either wall.
        let mut engine = Engine::new(
            settings(method, 1e-6),
            cube,
            slot,
            Pose::identity(),
            Pose::translation(HALF - 5e-4, 0.0, HALF - 5e-4),
        )
        .unwrap();
        for _ in 0..50 {
            let t = engine.tick(&Pose::translation(HALF - 5e-3, 0.0, HALF - 5e-3), &Vec6::zeros());
            assert!(t.wrench.iter().all(|x| x.is_finite()) && halves(&t.wrench).0.norm() <= 40.0);
        }
        let t = engine.trace();
        assert!(t.depth < 1e-5, "{method:?}: pushed out of both walls, {:.1e} m left", t.depth);
    }
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let build = |s: Settings| {
        let parts = [block(Vec3::repeat(HALF), 4, 4e-3), block(Vec3::new(0.1, 0.1, 0.02), 4, 4e-3)];
        let [a, b] = parts;
        Engine::new(s, a, b, Pose::identity(), Pose::translation(0.0, 0.0, 0.2)).map(|_| ())
    };
    let polygon = Cone::Polygon { sides: 6, fit: Fit::Inscribed };
    let with = |method: Method, cone: Cone, model: Option<ContactModel>| {
        let mut s = settings(method, 1e-6);
        (s.friction.cone, s.model) = (cone, model);
        s
    };
    assert_eq!(build(with(Method::Staggered, polygon, None)), Ok(()));
    assert_eq!(build(with(Method::Frictionless, Cone::Disk, Some(ContactModel::Unilateral))), Ok(()));
    let seidel = Method::GaussSeidel(LocalRule::Exact);
    for bad in [
        with(seidel, polygon, None),
        with(Method::Hold, Cone::Disk, Some(ContactModel::Unilateral)),
        with(seidel, Cone::Disk, Some(ContactModel::Hard)),
        with(Method::Staggered, Cone::Disk, Some(ContactModel::Penalty)),
    ] {
        assert!(matches!(build(bad), Err(EngineError::Unsuited { .. })));
    }
    let zero = settings(Method::Staggered, 0.0);
    assert!(matches!(build(zero), Err(EngineError::BadSetting { setting: "tolerance", .. })));
    let s = Settings { shell_on: ShellOn::Fixed, ..settings(Method::Staggered, 1e-6) };
    assert_eq!(build(s), Ok(()));
}

/// The problem of a tick can be taken out and solved by itself.
#[test]
fn the_problem_of_a_tick_is_the_one_that_was_solved() {
    let mut floor = Floor::new(settings(Method::Staggered, 1e-9));
    for _ in 0..5 {
        floor.tick(1e-3, 0.0, -0.004);
    }
    let problem = floor.engine.cone_problem().unwrap();
    let mut solver =
        stiction::delassus::GaussSeidel::new(Default::default(), stiction::delassus::ConeProblem::operator(problem))
            .unwrap();
    let answer = solver.solve(problem).unwrap();
    assert_eq!(answer.verdict, ConeVerdict::Solved);
    let total: f64 = answer.forces.iter().map(|r| r.x).sum();
    let pressure = floor.engine.trace().pressure;
    assert!((total - pressure).abs() < 1e-3 * pressure, "{total} {pressure}");
    assert!(verify::penetration(problem, &answer.forces, &mut Vec::new()) < 1e-7);
}
