//! Every derivative of the haptic cycle against central differences of forces that the test computes itself, from poses.

use stiction::contact::penalty::{self, ShellOn, Touch};
use stiction::coupling::Coupling;
use stiction::spatial::{Frame, Mat6, Pose, Rotation, Vec3, Vec6, exp, join, log};

mod shape_support;
use shape_support::Random;

fn rotation(random: &mut Random) -> Rotation {
    exp(&(random.direction() * random.within(0.0, 3.0)))
}

/// Central differences of a wrench over steps of a frame.
fn differences(h: f64, wrench: impl Fn(&Vec6) -> Vec6) -> Mat6 {
    let mut out = Mat6::zeros();
    for i in 0..6 {
        let mut step = Vec6::zeros();
        step[i] = h;
        out.set_column(i, &((wrench(&step) - wrench(&-step)) / (2.0 * h)));
    }
    out
}

fn close(found: &Mat6, expected: &Mat6, tolerance: f64, what: &str) {
    for (row, column) in [(0, 0), (0, 3), (3, 0), (3, 3)] {
        let (a, b) = (found.fixed_view::<3, 3>(row, column), expected.fixed_view::<3, 3>(row, column));
        // A block that is small beside the others is measured against them, forces and torques apart.
        let scale = expected.fixed_view::<3, 6>(row, 0).norm().max(1e-9);
        let error = (a - b).norm() / scale;
        assert!(error < tolerance, "{what}, block ({row}, {column}): {error:e}\n{a}{b}");
    }
}

#[test]
fn rotation_vectors_and_rotations_are_inverse_to_each_other() {
    let mut random = Random(3);
    for size in [0.0, 1e-12, 1e-7, 9e-5, 1.1e-4, 1e-2, 1.0, 3.1] {
        for _ in 0..100 {
            let v = random.direction() * size;
            assert!((log(&exp(&v)) - v).norm() <= 4e-15 * (1.0 + size), "{v:?}");
            // Rodrigues' formula, independent of quaternions.
            let k = if size > 0.0 { v / size } else { v };
            let p = random.vector();
            let turned = p * size.cos() + k.cross(&p) * size.sin() + k * k.dot(&p) * (1.0 - size.cos());
            assert!((exp(&v) * p - turned).norm() < 1e-14 * 4.0);
        }
    }
}

#[test]
fn the_couplings_derivative_is_exact_in_its_linear_range() {
    let mut random = Random(4);
    let coupling = Coupling { stiffness: 800.0, torsion: 9.0, max_force: 1e3, max_torque: 1e2 };
    for angle in [0.0, 1e-6, 5e-3, 0.011, 0.1, 0.5, 0.99] {
        for _ in 0..20 {
            let part = Frame { centre: random.vector(), rotation: rotation(&mut random) };
            let hand = Frame {
                centre: part.centre + random.vector() * 0.1,
                rotation: exp(&(random.direction() * angle)) * part.rotation,
            };
            let wrench = |step: &Vec6| {
                let moved = part.moved(step);
                let error = (hand.centre - moved.centre) * 800.0;
                join(error, (hand.rotation * moved.rotation.inverse()).scaled_axis() * 9.0)
            };
            let pull = coupling.pull(&hand, &part);
            assert!((pull.wrench - wrench(&Vec6::zeros())).norm() < 1e-11 && !pull.saturated);
            close(&pull.stiffness, &differences(1e-5, wrench), 1e-8, &format!("angle {angle}"));
        }
    }
}

#[test]
fn a_saturated_coupling_stays_below_its_limits_and_lands_on_the_hand_in_free_space() {
    let mut random = Random(5);
    let coupling = Coupling { stiffness: 2000.0, torsion: 20.0, max_force: 40.0, max_torque: 4.0 };
    let mut last = 0.0;
    for i in 1..2000 {
        let pull = 1e-4 * f64::from(i);
        let part = Frame { centre: random.vector(), rotation: rotation(&mut random) };
        let away = random.direction();
        let turn = random.direction() * (3.1 * f64::from(i) / 2000.0);
        let hand = Frame { centre: part.centre + away * pull, rotation: exp(&turn) * part.rotation };
        let found = coupling.pull(&hand, &part);
        let force = found.wrench.fixed_rows::<3>(0).norm();
        assert!(force < 40.0 && found.wrench.fixed_rows::<3>(3).norm() < 4.0);
        // It never weakens as the pull grows, and never jumps: at most the spring's own slope.
        assert!(force > last && force - last <= 2000.0 * 1e-4 * (1.0 + 1e-9), "{i}: {last} to {force}");
        last = force;
        let step = -(found.stiffness.try_inverse().unwrap() * found.wrench);
        let there = part.moved(&step);
        assert!((there.centre - hand.centre).norm() < 1e-13);
        assert!((there.rotation.inverse() * hand.rotation).angle() < 1e-7);
        let symmetric = -(found.stiffness + found.stiffness.transpose()) * 0.5;
        assert!(symmetric.cholesky().is_some());
    }
}

/// A ball or a half space with its distance and gradient, fixed in some frame.
#[derive(Clone, Copy)]
struct Field {
    ball: bool,
}

impl Field {
    fn sample(self, p: &Vec3) -> (f64, Vec3) {
        if self.ball { (p.norm() - 0.5, p / p.norm()) } else { (p.z, Vec3::z()) }
    }
}

/// Points with normals of their own, none of them the gradient, in the frame of whichever part carries them.
fn wrench(
    points: &[(Vec3, Vec3)],
    field: Field,
    part: &Frame,
    fixed: &Pose,
    (shell_on, by_field): (ShellOn, bool),
) -> Vec<Touch> {
    let pose = Pose::from_parts(part.centre.into(), part.rotation);
    points
        .iter()
        .enumerate()
        .map(|(i, (p, n))| {
            let (world_from_shell, world_from_field, sign) = match shell_on {
                ShellOn::Held => (pose, *fixed, 1.0),
                ShellOn::Fixed | ShellOn::Both => (*fixed, pose, -1.0),
            };
            let world = world_from_shell * nalgebra::Point3::from(*p);
            let (d, g) = field.sample(&world_from_field.inverse_transform_point(&world).coords);
            let easing = world_from_field.rotation * g * sign;
            let by_field = by_field && i % 2 == 0;
            Touch {
                point: i as u32,
                arm: world.coords - part.centre,
                normal: if by_field { easing } else { world_from_shell.rotation * n * -sign },
                easing,
                by_field,
                agreement: 1.0,
                depth: -d,
                stiffness: 1000.0,
                slope: 1000.0,
            }
        })
        .collect()
}

#[test]
fn the_penalty_derivative_is_exact_in_both_layouts_with_normals_apart_from_gradients() {
    let mut random = Random(6);
    // The derivative leaves out the field's curvature: for points that take their normals from it, planes only.
    for (ball, by_field) in [(false, false), (true, false), (false, true)] {
        for shell_on in [ShellOn::Held, ShellOn::Fixed] {
            for _ in 0..50 {
                let layout = (shell_on, by_field);
                let field = Field { ball };
                let fixed = Pose::from_parts(random.vector().into(), rotation(&mut random));
                let part = Frame { centre: random.vector() * 0.3, rotation: rotation(&mut random) };
                let points: Vec<_> = (0..5).map(|_| (random.vector() * 0.3, random.direction())).collect();
                let at = |step: &Vec6| penalty::wrench(&wrench(&points, field, &part.moved(step), &fixed, layout));
                let found = penalty::stiffness(&wrench(&points, field, &part, &fixed, layout), shell_on);
                close(&found, &differences(1e-6, at), 1e-6, &format!("ball {ball}, {layout:?}"));
            }
        }
    }
}

#[test]
fn the_plain_stiffness_is_negative_semidefinite_whatever_the_contacts() {
    let mut random = Random(7);
    for _ in 0..200 {
        let touches: Vec<_> = (0..1 + random.below(20))
            .map(|i| Touch {
                point: i as u32,
                arm: random.vector(),
                normal: random.direction(),
                easing: random.direction(),
                by_field: i % 3 == 0,
                agreement: 1.0,
                depth: random.unit(),
                stiffness: 1.0,
                slope: random.unit(),
            })
            .collect();
        let k = penalty::plain_stiffness(&touches);
        assert!((k - k.transpose()).amax() < 1e-12);
        assert!((-k).symmetric_eigenvalues().min() > -1e-12);
    }
}
