//! The contact model of the friction paper: its equations (2)-(3) and its section 4.1 as printed, where they are right and where they are not.

mod tick_support;

use std::sync::Arc;
use stiction::contact::penalty::{self, ShellOn, Touch};
use stiction::contact::separating::ReleaseRule;
use stiction::friction::{Cone, Method, Verdict};
use stiction::shape::{Shape, ShellPoint};
use stiction::spatial::{Frame, Mat6, Pose, Rotation, Vec3, Vec6, exp, halves, join};
use stiction::tick::{ContactModel, Damping, Engine, Settings};
use stiction::trace::Flags;
use tick_support::{Floor, HALF, block, flat_shell};

/// k_n (N/m) and depth (m) of the points in the tests of derivatives.
const STIFFNESS: f64 = 1000.0;
const DEPTH: f64 = 0.02;

/// One touching point: the shell's normal is off the field's gradient by an angle.
#[derive(Clone, Copy, Debug)]
struct Case {
    shell_on: ShellOn,
    /// Radius of the ball that has the field; a plane where there is none.
    ball: Option<f64>,
    tilt: f64,
}

impl Case {
    /// The wrench of the point's force on the part, from distance and pose alone: F = -k_n d N, τ = r × F.
    fn wrench(self, part: &Frame) -> Vec6 {
        let touch = self.touch(part);
        join(touch.normal * touch.force(), touch.arm.cross(&(touch.normal * touch.force())))
    }

    fn touch(self, part: &Frame) -> Touch {
        let arm = Vec3::new(0.17, -0.11, 0.22);
        let tilted = exp(&(Vec3::new(0.6, 0.8, 0.0) * self.tilt)) * Vec3::z();
        let turned = |v: Vec3| part.rotation * v;
        // Case A: the point and its normal are the part's, the field's surface is the world's plane or ball at the height that makes the depth.
        // Case B: the point and its normal are the world's, the field is the part's.
        let (point, normal, reach) = match self.shell_on {
            ShellOn::Held => (turned(arm), turned(tilted), 1.0),
            _ => (arm - part.centre, tilted, -1.0),
        };
        let probe = match self.shell_on {
            ShellOn::Held => part.centre + point - arm,
            _ => part.rotation.inverse() * point - arm,
        };
        let (distance, gradient) = match self.ball {
            None => (reach * probe.z - DEPTH, Vec3::z() * reach),
            Some(radius) => {
                let from = probe + Vec3::z() * (reach * radius);
                (from.norm() - radius - DEPTH, from / from.norm())
            }
        };
        let easing = if self.shell_on == ShellOn::Held { gradient } else { turned(gradient) * -1.0 };
        Touch {
            point: 0,
            arm: point,
            normal,
            easing,
            by_field: false,
            agreement: 1.0,
            depth: -distance,
            stiffness: STIFFNESS,
            slope: STIFFNESS,
        }
    }

    /// How far the printed blocks are off the differences, relative: ∂F/∂x, ∂F/∂ω, ∂τ/∂x, ∂τ/∂ω.
    fn errors(self) -> [f64; 4] {
        let part = Frame { centre: Vec3::zeros(), rotation: Rotation::identity() };
        let mut exact = Mat6::zeros();
        let h = 1e-6;
        for i in 0..6 {
            let mut step = Vec6::zeros();
            step[i] = h;
            let change = self.wrench(&part.moved(&step)) - self.wrench(&part.moved(&-step));
            exact.set_column(i, &(change / (2.0 * h)));
        }
        let printed = penalty::printed_stiffness(&[self.touch(&part)]);
        [(0, 0), (0, 3), (3, 0), (3, 3)].map(|(row, column)| {
            let [a, b] = [&printed, &exact].map(|k| k.fixed_view::<3, 3>(row, column).into_owned());
            (a - b).norm() / b.norm()
        })
    }
}

#[test]
fn the_printed_derivative_is_exact_for_a_fixed_shell_along_the_gradient_and_off_elsewhere() {
    let case = |shell_on, ball, degrees: f64| Case { shell_on, ball, tilt: degrees.to_radians() }.errors();
    for ball in [None, Some(0.5)] {
        let fixed = case(ShellOn::Fixed, ball, 0.0);
        assert!(fixed.iter().all(|e| *e < 1e-8), "case B, N = -g: {fixed:?}");
        // Depth over lever arm, 0.02 to 0.3, in all blocks but the first.
        let [first, rest @ ..] = case(ShellOn::Held, ball, 0.0);
        assert!(first < 1e-8, "case A: {first}");
        assert!(rest.iter().all(|e| (0.02..0.2).contains(e)), "case A, {ball:?}: {rest:?}");
    }
    for shell_on in [ShellOn::Held, ShellOn::Fixed] {
        let errors = case(shell_on, None, 25.0);
        // |N Nᵀ - N gᵀ| = |N - g| for unit vectors.
        assert!((errors[0] - 2.0 * f64::to_radians(12.5).sin()).abs() < 1e-6, "{shell_on:?}: {errors:?}");
        assert!(errors.iter().all(|e| *e > 0.02), "{shell_on:?}: {errors:?}");
    }
}

/// A cube of 10 cm with 100 points below, pressed on a plate.
fn cube(settings: Settings) -> Floor {
    let mut floor = Floor::with(settings, block(Vec3::repeat(HALF), 10, 0.005), 2);
    for _ in 0..200 {
        floor.tick(0.0, 0.0, -0.005);
    }
    floor
}

/// The force at which it first slips over µ F_n, and the most contacts that had lost their friction until then.
fn slips_at(release: ReleaseRule) -> (f64, u32) {
    let settings = Settings { mu_static: 0.3, mu_kinetic: 0.3, shell_on: ShellOn::Held, release, ..Settings::paper() };
    let mut floor = cube(settings);
    let mut released = 0;
    for i in 0..6000 {
        let before = *floor.engine.trace();
        let t = floor.tick(1e-6 * f64::from(i), 0.0, -0.005);
        if t.verdict == Verdict::Slips {
            return (-before.wrench[0] / before.wrench[2] / 0.3, released);
        }
        released = released.max(t.separating);
    }
    panic!("{release:?}: it never slipped");
}

/// Physics notes, 10.7: of the circumscribed 8-gon's 1.082 µ F_n, the rule as printed leaves less than half.
#[test]
fn the_rule_of_section_41_as_printed_halves_friction_on_a_plane() {
    let [none, paper, three] = [ReleaseRule::None, ReleaseRule::Paper, ReleaseRule::Three].map(slips_at);
    let full = 1.0 / (std::f64::consts::PI / 8.0).cos();
    println!("slips at, over µ F_n: none {none:?}, paper {paper:?}, three {three:?}");
    for (ratio, released) in [none, three] {
        assert!((ratio / full - 1.0).abs() < 0.02 && released == 0, "{none:?} {three:?}");
    }
    assert!(paper.0 < 0.6 * full && paper.1 >= 17, "{paper:?}");
}

#[test]
fn all_rules_but_none_let_a_lifted_part_go() {
    for release in [ReleaseRule::Paper, ReleaseRule::Three, ReleaseRule::Applied] {
        for shell_on in [ShellOn::Held, ShellOn::Fixed] {
            let mut floor =
                Floor::new(Settings { mu_static: 10.0, mu_kinetic: 10.0, shell_on, release, ..Settings::paper() });
            for _ in 0..100 {
                floor.tick(0.001, 0.0, -0.004);
            }
            let lifted = (0..60).any(|i| floor.tick(0.001, 0.0, 1e-4 * f64::from(i)).contacts == 0);
            assert!(lifted, "{release:?}, {shell_on:?}: {:?}", floor.engine.trace());
        }
    }
}

#[test]
fn the_papers_settings_are_the_papers() {
    let s = Settings::paper();
    assert_eq!((s.contact_model(), s.release, s.damped), (ContactModel::Paper, ReleaseRule::Paper, Damping::Colliding));
    assert_eq!((s.friction.method, s.friction.cone), (Method::Lp, Cone::paper(8)));
    assert_eq!(s.damping, 0.6);
}

/// Points on both sides of a plate thinner than they sink: the shell's normals push either way, none fades, and nothing is told to be opposed.
#[test]
fn no_contact_fades_where_shell_and_field_disagree() {
    let run = |settings: Settings| {
        let cube = block(Vec3::new(HALF, HALF, 0.002), 7, 0.001);
        let mut floor = Floor::with(Settings { shell_on: ShellOn::Held, ..settings }, cube, 3);
        assert!(floor.engine.place(&Pose::translation(0.0, 0.0, -0.004)));
        *floor.engine.tick(&Pose::translation(0.0, 0.0, -0.004), &Vec6::zeros())
    };
    let paper = run(Settings::paper());
    let penalty = run(Settings { model: Some(ContactModel::Penalty), ..Settings::default() });
    assert!(!paper.flags.has(Flags::OPPOSED) && penalty.flags.has(Flags::OPPOSED));
    let (force, _) = halves(&paper.normal);
    assert!(paper.pressure > 1.5 * force.norm(), "pushed both ways: {} N of {} N", force.norm(), paper.pressure);
}

/// The term [F]× of (3) can make K singular. A part that touches two walls in one point, at an arm r, turns about it, and (2)-(3) then have det K = 0 at a torsion
/// about -r·F: to be found by halving, to the last bit.
#[test]
fn a_singular_printed_stiffness_is_replaced_and_told() {
    let walls = tick_support::angle(0.2, 0.02, 2, 0.005);
    let edge = Vec3::new(-HALF, 0.0, -HALF);
    let points = [-Vec3::x(), -Vec3::z()].map(|normal| ShellPoint { position: edge, normal });
    let part = Shape { shell: flat_shell(points.to_vec()), ..(*block(Vec3::repeat(HALF), 1, 0.01)).clone() };
    let part = Arc::new(part);
    let pose = Pose::translation(HALF - 0.003, 0.0, HALF - 0.003);
    let tick = |torsion: f64| {
        let mut s = Settings { shell_on: ShellOn::Held, ..Settings::paper() };
        s.coupling.torsion = torsion;
        let mut engine = Engine::new(s, part.clone(), walls.clone(), Pose::identity(), pose).unwrap();
        let t = *engine.tick(&pose, &Vec6::zeros());
        assert!(!t.flags.has(Flags::UNSOLVABLE) && t.step.iter().chain(&t.wrench).all(|x| x.is_finite()));
        assert!(t.contacts == 2 && halves(&t.wrench).0.norm() <= s.coupling.max_force);
        (t, (-engine.problem().load().stiffness).determinant())
    };
    let (mut low, mut high) = (1e-3, 1e3);
    let (at_rest, negative) = tick(low);
    assert!(negative < 0.0 && tick(high).1 > 0.0);
    let replaced = (0..100).find_map(|_| {
        let middle = 0.5 * (low + high);
        let (t, determinant) = tick(middle);
        (low, high) = if determinant > 0.0 { (low, middle) } else { (middle, high) };
        t.flags.has(Flags::PLAIN_STIFFNESS).then_some(middle)
    });
    // The part turns about its point against the coupling's own springs: k_vc |r|² besides the torsion, all by the share that the contacts give way.
    let s = Settings::paper();
    let share = s.budget.stiffness / (s.budget.stiffness + s.coupling.stiffness);
    let closed_form = -share * (edge.dot(&halves(&at_rest.normal).0) + s.coupling.stiffness * edge.norm_squared());
    let found = replaced.expect("no torsion made K singular");
    assert!((found / closed_form - 1.0).abs() < 1e-6, "singular at {found} N m/rad, expected {closed_form}");
}

#[test]
fn two_engines_of_the_paper_have_the_same_bits() {
    let make = || Floor::new(Settings::paper());
    let (mut a, mut b): (Floor, Floor) = (make(), make());
    for i in 0..500 {
        let t = f64::from(i) * 0.02;
        let (x, z) = (3e-3 * t.sin(), -0.003 - 1e-3 * t.cos());
        let bits = |floor: &mut Floor| floor.tick(x, 0.0, z).wrench.map(f64::to_bits);
        assert_eq!(bits(&mut a), bits(&mut b), "tick {i}");
    }
    let _: &Engine = &a.engine;
}
