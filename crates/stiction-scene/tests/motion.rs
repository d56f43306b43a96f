//! Hands and loads against closed forms.

use std::f64::consts::PI;
use std::path::Path;
use stiction::spatial::{Pose, Vec3, exp, log};
use stiction_scene::{Hand, Move, Scene, Setting, TimedLoad, minimum_jerk};

fn pose(x: f64, y: f64, z: f64, turn: Vec3) -> Pose {
    Pose::from_parts(Vec3::new(x, y, z).into(), exp(&turn))
}

#[test]
fn minimum_jerk_rests_at_both_ends_and_is_symmetric() {
    let h = 1e-4;
    assert_eq!((minimum_jerk(0.0), minimum_jerk(1.0), minimum_jerk(0.5)), (0.0, 1.0, 0.5));
    for u in [0.1, 0.2, 0.3] {
        assert!((minimum_jerk(u) + minimum_jerk(1.0 - u) - 1.0).abs() < 1e-15);
    }
    // Third order at the ends; the speed in the middle is 15/8.
    assert!(minimum_jerk(h) < 11.0 * h * h * h);
    assert!(((minimum_jerk(0.5 + h) - minimum_jerk(0.5 - h)) / (2.0 * h) - 1.875).abs() < 1e-6);
}

#[test]
fn keyframes_are_met_and_rotation_follows_the_same_law() {
    let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
    let frames = [(1.0, pose(0.0, 0.0, 0.0, axis * 0.3)), (3.0, pose(0.1, -0.2, 0.3, axis * 1.5))];
    let hand = Hand::keyframes(&frames);
    assert_eq!(hand.seconds(), 3.0);
    for (t, s) in [(0.0, 0.0), (1.0, 0.0), (1.5, minimum_jerk(0.25)), (2.0, 0.5), (3.0, 1.0), (9.0, 1.0)] {
        let p = hand.pose(t);
        assert!((p.translation.vector - Vec3::new(0.1, -0.2, 0.3) * s).norm() < 1e-15, "{t}");
        assert!((log(&p.rotation) - axis * (0.3 + 1.2 * s)).norm() < 1e-14, "{t}");
    }
}

#[test]
fn a_script_does_one_thing_after_another() {
    let from = pose(1.0, 0.0, 0.0, Vec3::zeros());
    let turn = Vec3::new(0.0, 0.0, 0.5 * PI);
    let moves = [
        Move::Shift(Vec3::new(0.0, 2.0, 0.0), 1.0),
        Move::Wait(0.5),
        Move::Turn(turn, 1.0),
        Move::Jump(Vec3::new(0.0, 0.0, 1.0)),
        Move::Shake(Vec3::new(0.1, 0.0, 0.0), 0.4, 1.0),
    ];
    let hand = Hand::script(from, &moves);
    assert_eq!(hand.seconds(), 3.5);
    let at = |t: f64| hand.pose(t).translation.vector;
    assert!((at(0.5) - Vec3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
    assert!((at(1.2) - Vec3::new(1.0, 2.0, 0.0)).norm() < 1e-15);
    assert!((log(&hand.pose(2.0).rotation).z - 0.25 * PI).abs() < 1e-14);
    assert!((at(2.4999) - Vec3::new(1.0, 2.0, 0.0)).norm() < 1e-12);
    assert!((at(2.5) - Vec3::new(1.0, 2.0, 1.0)).norm() < 1e-12);
    assert!((at(2.6) - Vec3::new(1.1, 2.0, 1.0)).norm() < 1e-12);
    // Two and a half periods: the end is where the motion ended, on the middle again.
    assert!((at(3.5) - Vec3::new(1.0, 2.0, 1.0)).norm() < 1e-12);
    assert!((log(&hand.pose(4.0).rotation).z - 0.5 * PI).abs() < 1e-14);
}

#[test]
fn a_steady_move_has_one_speed() {
    let (shift, turn) = (Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.0, 0.0, 9.0));
    let hand = Hand::script(pose(1.0, 0.0, 0.0, Vec3::zeros()), &[Move::Wait(1.0), Move::Steady(shift, turn, 2.0)]);
    assert_eq!(hand.seconds(), 3.0);
    for t in [1.0, 1.3, 2.0, 2.9] {
        let expected = Vec3::new(1.0, 0.0, 0.0) + shift * (0.5 * (t - 1.0));
        assert!((hand.pose(t).translation.vector - expected).norm() < 1e-14, "{t}");
        assert!((hand.twist(t) - stiction::spatial::join(shift, turn) * 0.5).norm() < 1e-14, "{t}");
    }
    assert_eq!(hand.twist(0.5).norm(), 0.0);
}

/// The angle about an axis that a hand has turned by up to each of a hundred times, without jumps of whole turns.
fn unwound(hand: &Hand, axis: Vec3) -> Vec<f64> {
    let (mut angle, mut last) = (0.0, hand.pose(0.0).rotation);
    let n = 2000;
    let mut out = vec![0.0];
    for i in 1..=n {
        let next = hand.pose(hand.seconds() * f64::from(i) / f64::from(n)).rotation;
        let step = log(&(next * last.inverse()));
        assert!((step - axis * step.dot(&axis)).norm() < 1e-9, "it turns about {step}, not {axis}");
        angle += step.dot(&axis);
        last = next;
        out.push(angle);
    }
    out
}

fn scripted(steps: &str) -> Hand {
    let text = format!(
        "held = {{ solid = \"box\", size = [1, 1, 1] }}\nfixed = {{ solid = \"box\", size = [1, 1, 1] }}\nhand.script = [{steps}]"
    );
    Scene::parse(&text, Path::new("scene.toml"), &[]).unwrap_or_else(|e| panic!("{e}")).hand().clone()
}

#[test]
fn a_turn_by_axis_and_angle_turns_by_that_angle() {
    for degrees in [30.0, 179.0, 180.0, 181.0, 270.0, 360.0, 720.0, -180.0, -540.0] {
        let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        let hand = scripted(&format!("{{ turn = {{ axis = [1, 2, -2], angle_deg = {degrees} }}, seconds = 2 }}"));
        let angles = unwound(&hand, axis);
        let wanted = f64::to_radians(degrees);
        assert!((angles[angles.len() - 1] - wanted).abs() < 1e-9, "{degrees}: {}", angles[angles.len() - 1]);
        assert!((angles[500] - wanted * minimum_jerk(0.25)).abs() < 1e-9, "{degrees}");
    }
}

#[test]
fn a_turn_by_quaternion_goes_the_shortest_way_and_half_a_turn_about_its_axis_as_written() {
    for (q, axis, wanted) in [
        ("qw = 0, qx = 0, qy = 0, qz = 1", Vec3::z(), PI),
        ("qw = 0, qx = 0, qy = 0, qz = -1", Vec3::z(), -PI),
        ("qw = 0.6, qx = 0.8, qy = 0, qz = 0", Vec3::x(), 2.0 * 0.6f64.acos()),
        ("qw = -0.6, qx = 0.8, qy = 0, qz = 0", Vec3::x(), -2.0 * 0.6f64.acos()),
    ] {
        let angles = unwound(&scripted(&format!("{{ turn = {{ {q} }}, seconds = 2 }}")), axis);
        assert!((angles[angles.len() - 1] - wanted).abs() < 1e-9, "{q}");
    }
}

#[test]
fn a_step_moves_and_turns_at_once_along_a_helix() {
    let pitch = 0.00175;
    let step =
        format!("{{ move = [0, 0, {}], turn = {{ axis = [0, 0, -1], angle_deg = 1080 }}, seconds = 3 }}", -3.0 * pitch);
    let hand = scripted(&step);
    for (i, angle) in unwound(&hand, Vec3::z()).into_iter().enumerate() {
        let z = hand.pose(3.0 * i as f64 / 2000.0).translation.vector.z;
        assert!((z - pitch * angle / (2.0 * PI)).abs() < 1e-12, "{i}: {z} {angle}");
    }
    // The order of the keys does not matter.
    let other =
        format!("{{ turn = {{ axis = [0, 0, -1], angle_deg = 1080 }}, seconds = 3, move = [0, 0, {}] }}", -3.0 * pitch);
    assert_eq!(scripted(&other), hand);
}

#[test]
fn half_a_turn_between_keyframes_is_right_handed_about_the_axis_that_points_up() {
    for (axis, wanted) in [
        ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]),
        ([0.6, 0.0, -0.8], [-0.6, 0.0, 0.8]),
        ([0.6, -0.8, 0.0], [-0.6, 0.8, 0.0]),
        ([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
    ] {
        let (axis, wanted) = (Vec3::from(axis), Vec3::from(wanted));
        for begin in [Vec3::zeros(), axis * 0.7, axis * -2.0, axis * 3.0] {
            let from = pose(0.0, 0.0, 0.0, begin);
            let to = Pose::from_parts(Vec3::zeros().into(), exp(&(axis * PI)) * from.rotation);
            let angles = unwound(&Hand::keyframes(&[(0.0, from), (1.0, to)]), wanted);
            assert!((angles[angles.len() - 1] - PI).abs() < 1e-9, "{axis}: {}", angles[angles.len() - 1]);
        }
        // A little more is the shorter way back.
        let to = pose(0.0, 0.0, 0.0, axis * (PI + 1e-3));
        let angles = unwound(&Hand::keyframes(&[(0.0, Pose::identity()), (1.0, to)]), axis);
        assert!((angles[angles.len() - 1] + PI - 1e-3).abs() < 1e-9, "{axis}");
    }
}

#[test]
fn encoders_round_positions_and_rotations() {
    let hand = Hand::resting(pose(1.04e-3, -0.96e-3, 0.0, Vec3::new(0.0104, 0.0, -0.0096))).with_encoder(1e-4, 1e-3);
    let p = hand.pose(0.0);
    assert!((p.translation.vector - Vec3::new(1.0e-3, -1.0e-3, 0.0)).norm() < 1e-15);
    assert!((log(&p.rotation) - Vec3::new(0.010, 0.0, -0.010)).norm() < 1e-14);
}

#[test]
fn a_recording_is_read_and_bad_ones_are_told_by_their_line() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recording");
    std::fs::create_dir_all(&folder).unwrap();
    let read = |csv: &str| {
        std::fs::write(folder.join("hand.csv"), csv).unwrap();
        let text = "held = { solid = \"box\", size = [1, 1, 1] }\nfixed = { solid = \"box\", size = [1, 1, 1] }\nhand.csv = \"hand.csv\"";
        Scene::parse(text, &folder.join("scene.toml"), &[])
    };
    let header = "t,x,y,z,qx,qy,qz,qw\n";
    let scene = read(&format!("# made by hand\n{header}0, 0,0,0, 0,0,0,1\n\n2, 1,0,-1, 0,0,1,0\n")).unwrap();
    assert_eq!(scene.seconds, 2.0);
    let p = scene.hand().pose(0.5);
    assert!((p.translation.vector - Vec3::new(0.25, 0.0, -0.25)).norm() < 1e-15);
    assert!((log(&p.rotation).z.abs() - 0.25 * PI).abs() < 1e-12);
    for (csv, wanted) in [
        (String::new(), "header"),
        ("x,y\n".into(), "header"),
        (header.into(), "no rows"),
        (format!("{header}0,0,0,0,0,0,0\n"), "line 2: 7 numbers instead of 8"),
        (format!("{header}0,0,0,0,0,0,0,1\n0,0,0,0,0,0,0,1\n"), "line 3: t is 0 s, not after"),
        (format!("{header}0,0,0,nan,0,0,0,1\n"), "line 2: `nan` is no finite number"),
        (format!("{header}0,0,0,0,0,0,0,2\n"), "line 2: the quaternion has length 2"),
        (format!("{header}-1,0,0,0,0,0,0,1\n"), "must not be negative"),
    ] {
        let got = read(&csv).expect_err(&csv).to_string();
        assert!(got.contains(wanted) && got.contains("line 3 column 12"), "{wanted}: {got}");
    }
}

#[test]
fn everything_turns_with_the_fixed_part_where_that_is_wanted() {
    let text = r#"
        held = { solid = "box", size = [1, 1, 1] }
        fixed = { solid = "box", size = [1, 1, 1], position = [0, 0, 2], rotation = { axis = [0, 1, 0], angle_deg = 90 } }
        [hand]
        relative_to = "fixed"
        keyframes = [{ t = 0, position = [0, 0, 1] }, { t = 1, position = [1, 0, 1] }]
    "#;
    let scene = Scene::parse(text, Path::new("scene.toml"), &[]).unwrap();
    assert!((scene.start().translation.vector - Vec3::new(1.0, 0.0, 2.0)).norm() < 1e-15);
    assert!((scene.hand().pose(1.0).translation.vector - Vec3::new(1.0, 0.0, 1.0)).norm() < 1e-15);
    let set: Setting = "start={position=[0,0,1],relative_to=\"fixed\"}".parse().unwrap();
    let other = Scene::parse(text, Path::new("scene.toml"), &[set]).unwrap();
    assert!((other.start().to_homogeneous() - scene.start().to_homogeneous()).amax() < 1e-15);
}

#[test]
fn loads_come_and_go_and_grow() {
    let text = r#"
        held = { solid = "box", size = [1, 1, 1] }
        fixed = { solid = "box", size = [1, 1, 1] }
        [load]
        force = [1, 2, 3]
        torque = [0, 0, 0.1]
        ramp_seconds = 2
        vary = { force = [4, 0, 0], period = 0.5, phase_deg = 90 }
    "#;
    let load = Scene::parse(text, Path::new("scene.toml"), &[]).unwrap().load();
    assert_eq!(load.at(0.0), TimedLoad::default().at(0.0));
    for t in [0.3, 1.0, 5.1] {
        let ramp = minimum_jerk(t / 2.0);
        let f = load.at(t);
        assert!((f[0] - ramp * (1.0 + 4.0 * (2.0 * PI * t / 0.5 + 0.5 * PI).sin())).abs() < 1e-12);
        assert!((f[2] - 3.0 * ramp).abs() < 1e-15 && (f[5] - 0.1 * ramp).abs() < 1e-15);
    }
}
