//! The haptic cycle on blocks: closed-form cases, bad input, and what must never happen.

mod tick_support;

use stiction::contact::penalty::ShellOn;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::{Cone, Method, Metric, Verdict};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp, halves};
use stiction::tick::{ContactModel, Damping, Engine, EngineError, Settings};
use stiction::trace::{Flags, Trace};
use tick_support::{Floor, HALF, block};

const LAYOUTS: [ShellOn; 2] = [ShellOn::Held, ShellOn::Fixed];
const METHODS: [Method; 6] = [
    Method::Hold,
    Method::Qp(Metric::Stiffness),
    Method::Qp(Metric::Mass),
    Method::Lp,
    Method::Yamane,
    Method::Frictionless,
];

fn settings(method: Method, shell_on: ShellOn) -> Settings {
    let mut s = Settings { shell_on, ..Settings::default() };
    s.friction.method = method;
    if method == Method::Lp {
        s.friction.cone = Cone::paper(8);
    }
    s
}

/// With penalty contacts, whatever the method.
fn penalty(method: Method, shell_on: ShellOn) -> Settings {
    Settings { model: Some(ContactModel::Penalty), ..settings(method, shell_on) }
}

/// A part that hardly tilts, for closed forms of pure translation.
fn upright(method: Method, shell_on: ShellOn) -> Settings {
    let mut s = settings(method, shell_on);
    s.coupling.torsion = 1e5;
    s.coupling.max_torque = 1e4;
    s
}

#[test]
fn in_free_space_one_tick_lands_on_the_hand() {
    let mut floor = Floor::new(Settings::default());
    assert!(floor.engine.place(&Pose::translation(0.0, 0.0, 0.2)));
    for (i, turn) in [Vec3::x() * 0.3, Vec3::new(0.1, -2.0, 0.5), Vec3::zeros()].iter().enumerate() {
        let hand = Pose::from_parts(Vec3::new(0.02, -0.01, 0.2 + 0.1 * i as f64).into(), exp(turn));
        let t = *floor.engine.tick(&hand, &Vec6::zeros());
        assert!((t.part.translation.vector - hand.translation.vector).norm() < 1e-14, "{i}");
        assert!(t.part.rotation.angle_to(&hand.rotation) < 1e-7 && t.wrench.norm() < 1e-10);
        assert_eq!((t.contacts, t.verdict), (0, Verdict::Free));
    }
}

#[test]
fn a_pressed_face_is_two_springs_in_series() {
    for shell_on in LAYOUTS {
        for method in METHODS {
            let mut floor = Floor::new(penalty(method, shell_on));
            for _ in 0..50 {
                floor.tick(0.0, 0.0, -0.005);
            }
            let force = floor.engine.trace().wrench[2];
            let expected = 0.005 / (1.0 / 2000.0 + 1.0 / 50_000.0);
            assert!((force / expected - 1.0).abs() < 1e-6, "{method:?}, {shell_on:?}: {force} N, {expected} N");
        }
    }
}

/// Rows 6 of the physics table, and the claim: friction holds to 1 % of µ F_n and slips beyond it.
#[test]
fn the_friction_limit_on_a_plane_is_mu_times_the_normal_force() {
    for shell_on in LAYOUTS {
        for method in [Method::Hold, Method::Qp(Metric::Stiffness), Method::Qp(Metric::Mass)] {
            let mut floor = Floor::new(settings(method, shell_on));
            for _ in 0..100 {
                floor.tick(0.0, 0.0, -0.005);
            }
            let mut slipped = None;
            for i in 0..5000 {
                let t = floor.tick(1e-6 * f64::from(i), 0.0, -0.005);
                let ratio = -t.wrench[0] / t.wrench[2];
                if t.verdict == Verdict::Slips && slipped.is_none() {
                    slipped = Some(ratio);
                }
                if i > 4000 {
                    // The force stays at the limit while it slides.
                    assert!((ratio / 0.5 - 1.0).abs() < 0.01, "{method:?}, {shell_on:?}: {ratio}");
                }
            }
            // Without memory, micro-slip of a tilting part adds up to what looks like sliding: `hold` only.
            let ratio = slipped.expect("it never slipped");
            let right = (ratio / 0.5 - 1.0).abs() < 0.01;
            assert!(right || method != Method::Hold, "{method:?}, {shell_on:?}: {ratio}");
        }
    }
}

/// Friction polygons as the paper has them, circumscribed: the limit along T_u is larger by 1/cos(π/ℓ), at half an angle by nothing.
#[test]
fn the_papers_polygons_are_too_strong_by_their_corners() {
    for (sides, angle, factor) in [(4, 0.0, 2f64.sqrt()), (4, 45.0, 1.0), (8, 0.0, 1.0824), (8, 22.5, 1.0)] {
        let mut s = upright(Method::Lp, ShellOn::Fixed);
        s.friction.cone = Cone::paper(sides);
        let mut floor = Floor::new(s);
        for _ in 0..100 {
            floor.tick(0.0, 0.0, -0.005);
        }
        let (sine, cosine) = f64::sin_cos(f64::to_radians(angle));
        let slipped = (0..8000).find_map(|i| {
            let x = 1e-6 * f64::from(i);
            let before = floor.engine.trace().wrench;
            let t = floor.tick(x * cosine, x * sine, -0.005);
            (t.verdict == Verdict::Slips).then_some(before[0].hypot(before[1]) / before[2])
        });
        let ratio = slipped.expect("it never slipped") / 0.5;
        assert!((ratio / factor - 1.0).abs() < 0.01, "{sides} sides at {angle} degrees: {ratio}, not {factor}");
    }
}

/// Row 9: without friction and with a fixed set of contacts, what is left of an error after a tick is α of it.
#[test]
fn static_damping_leaves_alpha_of_the_error_each_tick() {
    for alpha in [0.0, 0.3, 0.6, 0.9] {
        let s = Settings { damping: alpha, ..penalty(Method::Frictionless, ShellOn::Held) };
        let mut floor = Floor::new(s);
        for _ in 0..300 {
            floor.tick(0.0, 0.0, -0.002);
        }
        let target = 1e-4;
        let mut error = target - floor.engine.trace().centre.x;
        for i in 0..10 {
            let now = target - floor.tick(target, 0.0, -0.002).centre.x;
            assert!((now / target - alpha * error / target).abs() < 1e-9, "alpha {alpha}, tick {i}: {error} to {now}");
            error = now;
        }
    }
}

/// Row 6: frictional springs give way by k_vc/(k_vc + Σk_f).
#[test]
fn yamanes_springs_creep_by_the_ratio_of_stiffnesses() {
    for shell_on in LAYOUTS {
        for (spring_stiffness, expected) in [(2e3, 0.5), (2e4, 1.0 / 11.0), (2e5, 1.0 / 101.0)] {
            let mut s = upright(Method::Yamane, shell_on);
            s.friction.spring_stiffness = spring_stiffness;
            let mut floor = Floor::new(s);
            for _ in 0..100 {
                floor.tick(0.0, 0.0, -0.005);
            }
            let before = floor.engine.trace().centre.x;
            for _ in 0..300 {
                floor.tick(5e-4, 0.0, -0.005);
            }
            let followed = (floor.engine.trace().centre.x - before) / 5e-4;
            assert!((followed / expected - 1.0).abs() < 0.02, "{shell_on:?}: {followed}, not {expected}");
        }
    }
}

#[test]
fn a_held_part_does_not_drift_at_constant_load() {
    for shell_on in LAYOUTS {
        for method in [Method::Hold, Method::Qp(Metric::Stiffness), Method::Qp(Metric::Mass), Method::Lp] {
            let mut floor = Floor::new(settings(method, shell_on));
            for i in 0..400 {
                floor.tick(2.0e-3 * f64::from(i.min(200)) / 200.0, 0.0, -0.005);
            }
            let before = *floor.engine.trace();
            for _ in 0..5000 {
                let t = floor.tick(2.0e-3, 0.0, -0.005);
                assert_eq!(t.verdict, Verdict::Holds, "{method:?}, {shell_on:?}");
            }
            let drift = (floor.engine.trace().centre - before.centre).norm();
            assert!(drift <= 1e-12, "{method:?}, {shell_on:?}: {drift} m");
        }
    }
}

#[test]
fn the_linear_model_balances_in_every_tick() {
    for shell_on in LAYOUTS {
        for method in METHODS {
            let mut floor = Floor::new(penalty(method, shell_on));
            for i in 0..600 {
                let a = f64::from(i) * 0.05;
                let t = floor.tick(4e-3 * a.sin(), 3e-3 * (1.7 * a).cos(), -0.003 - 0.0025 * (0.3 * a).sin());
                assert!(t.residual < 1e-9, "{method:?}, {shell_on:?}, tick {i}: {}", t.residual);
            }
        }
    }
}

/// Row 11: without the rule of section 4.1 a part with much friction cannot be pulled out of a corner.
#[test]
fn separating_contacts_let_a_part_go_out_of_a_corner() {
    for shell_on in LAYOUTS {
        let run = |release: ReleaseRule| {
            let mut s = Settings { release, mu_static: 10.0, mu_kinetic: 10.0, ..settings(Method::Lp, shell_on) };
            s.friction.cone = Cone::paper(8);
            // Two walls, one block: z ≤ 0 and, by a second fixed part in the same shape, nothing else; so the corner is a tilted step.
            let mut corner = corner(s);
            for _ in 0..200 {
                corner.go(-0.004);
            }
            (0..200).position(|_| corner.go(0.01 / 2f64.sqrt()).contacts == 0)
        };
        let freed = run(ReleaseRule::Applied);
        assert!(freed.is_some_and(|n| n < 30), "{shell_on:?}: {freed:?}");
        assert_eq!(run(ReleaseRule::None), None, "{shell_on:?}");
    }
}

struct Corner {
    engine: Engine,
}

impl Corner {
    /// The hand as far out of the corner, along both walls' normals.
    fn go(&mut self, out: f64) -> Trace {
        let hand = Pose::translation(HALF + out, 0.0, HALF + out);
        *self.engine.tick(&hand, &Vec6::zeros())
    }
}

/// A corner of two walls, z = 0 and x = 0, as the inside of a large block's field turned inside out would be: made from points with
/// normals, and from the field of an L.
fn corner(settings: Settings) -> Corner {
    let fixed = tick_support::angle(0.2, 0.02, 25, 0.005);
    let start = Pose::translation(HALF, 0.0, HALF);
    let cube = block(Vec3::repeat(HALF), 7, 0.005);
    Corner { engine: Engine::new(settings, cube, fixed, Pose::identity(), start).unwrap() }
}

#[test]
fn lifting_is_free_at_any_friction() {
    for shell_on in LAYOUTS {
        for method in METHODS {
            let s = Settings { mu_static: 10.0, mu_kinetic: 10.0, ..settings(method, shell_on) };
            let mut floor = Floor::new(s);
            for _ in 0..100 {
                floor.tick(0.001, 0.0, -0.004);
            }
            let lifted = (0..60).any(|i| floor.tick(0.001, 0.0, 1e-4 * f64::from(i)).contacts == 0);
            assert!(lifted, "{method:?}, {shell_on:?}: {:?}", floor.engine.trace());
        }
    }
}

#[test]
fn a_hand_that_is_no_pose_moves_nothing_and_keeps_the_wrench() {
    let mut floor = Floor::new(Settings::default());
    for _ in 0..50 {
        floor.tick(0.001, 0.0, -0.004);
    }
    let before = *floor.engine.trace();
    let bad = Rotation::new_unchecked(nalgebra::Quaternion::new(0.0, 0.0, 0.0, 0.0));
    for hand in [
        Pose::translation(f64::NAN, 0.0, 0.0),
        Pose::translation(0.0, f64::INFINITY, 0.0),
        Pose::translation(0.0, 0.0, -1e9),
        Pose::from_parts(Vec3::zeros().into(), bad),
    ] {
        let t = *floor.engine.tick(&hand, &Vec6::zeros());
        assert!(t.flags.has(Flags::BAD_HAND));
        assert_eq!((t.part, t.wrench), (before.part, before.wrench));
    }
    let after = floor.tick(0.001, 0.0, -0.004);
    assert!((after.centre - before.centre).norm() < 1e-9 && after.flags == Flags::default());
    let t = *floor.engine.tick(&before.hand, &Vec6::repeat(f64::NAN));
    assert!(t.flags.has(Flags::BAD_LOAD) && (t.centre - before.centre).norm() < 1e-9);
}

/// However the hand jumps, no point of the cube ever comes out below the plate, and the wrench stays bounded.
#[test]
fn a_teleporting_hand_cannot_pull_the_part_through_a_wall() {
    let mut state = 9u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    for shell_on in LAYOUTS {
        for method in METHODS {
            let mut floor = Floor::new(settings(method, shell_on));
            for i in 0..400 {
                let turn = Vec3::new(random(), random(), random()) * 0.5;
                let to = Vec3::new(0.05 * random(), 0.05 * random(), if i % 2 == 0 { -1.0 } else { 0.3 * random() });
                let hand = Pose::from_parts(to.into(), exp(&turn));
                let t = *floor.engine.tick(&hand, &Vec6::zeros());
                let (force, torque) = halves(&t.wrench);
                assert!(force.norm() < 40.0 && torque.norm() < 4.0, "{method:?}");
                // A quarter of the thinnest wall, the plate's 40 mm.
                assert!(t.depth < 0.01, "{method:?}, {shell_on:?}, tick {i}: {} m deep", t.depth);
                assert!(t.centre.z > 0.04, "{method:?}, {shell_on:?}, tick {i}: centre at {} m", t.centre.z);
            }
        }
    }
}

#[test]
fn parts_that_start_in_each_other_come_apart_smoothly() {
    for shell_on in LAYOUTS {
        for method in METHODS {
            let mut floor = Floor::new(penalty(method, shell_on));
            let sunk = Pose::translation(0.0, 0.0, HALF - 0.008);
            assert!(floor.engine.place(&sunk));
            let mut deepest: f64 = f64::INFINITY;
            for i in 0..200 {
                let t = floor.tick(0.0, 0.0, 0.0);
                let moved = halves(&t.step).0.norm();
                assert!(moved <= 4.0 * floor.engine.step_bound() * (1.0 + 1e-9), "tick {i}: {moved} m");
                assert!(t.flags.has(Flags::DEEP) || t.depth <= floor.engine.safe_depth());
                assert!(t.depth < deepest + 1e-4, "{method:?}: {} m after {deepest} m", t.depth);
                deepest = t.depth;
            }
            assert!(floor.engine.trace().depth < 1e-5, "{method:?}, {shell_on:?}: {:?}", floor.engine.trace());
        }
    }
}

/// A whole scene moved as a rigid body renders the same wrench, moved.
#[test]
fn a_rigid_motion_of_the_world_changes_nothing_but_directions() {
    let moved = Pose::from_parts(Vec3::new(0.4, -1.0, 0.2).into(), exp(&Vec3::new(0.7, -0.4, 1.9)));
    for shell_on in LAYOUTS {
        for method in METHODS {
            let make = |world: &Pose| {
                // Not touching: whether faces in one plane touch is up to rounding.
                let rest = Pose::translation(0.0, 0.0, HALF + 1e-3);
                let (cube, plate) =
                    (block(Vec3::repeat(HALF), 7, 0.005), block(Vec3::new(0.15, 0.15, 0.02), 21, 0.005));
                let fixed = world * Pose::translation(0.0, 0.0, -0.02);
                Engine::new(penalty(method, shell_on), cube, plate, fixed, world * rest).unwrap()
            };
            let (mut here, mut there) = (make(&Pose::identity()), make(&moved));
            for i in 0..400 {
                let a = f64::from(i) * 0.02;
                let at = Vec3::new(3e-3 * a.sin(), 2e-3 * (1.7 * a).sin(), HALF - 0.003 - 0.001 * a.cos());
                let hand = Pose::from_parts(at.into(), exp(&(Vec3::new(0.01, 0.02, 0.03) * a.sin())));
                let (a, b) = (*here.tick(&hand, &Vec6::zeros()), *there.tick(&(moved * hand), &Vec6::zeros()));
                let ((fa, ta), (fb, tb)) = (halves(&a.wrench), halves(&b.wrench));
                assert_eq!((a.contacts, a.verdict), (b.contacts, b.verdict), "{method:?}, {shell_on:?}, tick {i}");
                assert!((moved.rotation * fa - fb).norm() < 1e-5, "{method:?}, {shell_on:?}, tick {i}: {fa} {fb}");
                assert!((moved.rotation * ta - tb).norm() < 1e-6);
            }
        }
    }
}

/// The paper's damping of every colliding tick makes a held part follow slowly what friction cannot stop, but never slip.
#[test]
fn damping_every_tick_is_the_papers_mode_and_only_slows() {
    let mut s = settings(Method::Lp, ShellOn::Fixed);
    (s.damped, s.damping) = (Damping::Colliding, 0.6);
    let mut floor = Floor::new(s);
    let first = floor.tick(0.0, 0.0, -0.005);
    for _ in 0..200 {
        floor.tick(0.0, 0.0, -0.005);
    }
    assert!(first.wrench[2] > 0.0);
    let expected = 0.005 / (1.0 / 2000.0 + 1.0 / 50_000.0);
    assert!((floor.engine.trace().wrench[2] / expected - 1.0).abs() < 1e-9);
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let refused = |change: fn(&mut Settings)| {
        let mut s = Settings::default();
        change(&mut s);
        let part = block(Vec3::repeat(HALF), 2, 0.02);
        Engine::new(s, part.clone(), part, Pose::identity(), Pose::identity()).unwrap_err()
    };
    let named = |error: EngineError| match error {
        EngineError::BadSetting { setting, .. } => setting,
        other => panic!("{other}"),
    };
    assert_eq!(named(refused(|s| s.mu_kinetic = 0.6)), "kinetic friction coefficient");
    assert_eq!(named(refused(|s| s.mu_static = f64::NAN)), "static friction coefficient");
    assert_eq!(named(refused(|s| s.coupling.stiffness = 0.0)), "coupling stiffness");
    assert_eq!(named(refused(|s| s.damping = 1.0)), "damping");
    assert_eq!(named(refused(|s| s.mass = -1.0)), "mass");
    assert_eq!(named(refused(|s| s.budget.stiffness = f64::INFINITY)), "contact stiffness");
    assert_eq!(named(refused(|s| s.substeps = 0)), "substeps");
    assert!(matches!(refused(|s| s.friction.budget = 0), EngineError::Friction(_)));
    let part = block(Vec3::repeat(HALF), 2, 0.02);
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    let error = Engine::new(Settings::default(), part.clone(), part, nowhere, Pose::identity()).unwrap_err();
    assert!(matches!(error, EngineError::BadPose { .. }));
}
