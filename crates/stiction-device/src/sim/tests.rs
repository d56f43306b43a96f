//! The simulated device against closed forms.

use super::wall::*;
use super::*;
use stiction::spatial::{Rotation, Vec3, exp, log};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_parts(Vec3::new(x, y, z).into(), Rotation::identity())
}

fn along(i: usize, value: f64) -> Vec6 {
    Vec6::from_fn(|k, _| if k == i { value } else { 0.0 })
}

fn armed(params: SimParams) -> SimDevice {
    let mut device = SimDevice::new(params).unwrap();
    device.arm().unwrap();
    device
}

fn safe(wrench: Vec6) -> SafeWrench {
    SafeWrench::for_test(wrench)
}

/// Position along an axis, or the component of the rotation vector.
fn coordinate(device: &SimDevice, i: usize) -> f64 {
    if i < 3 { device.pose().translation.vector[i] } else { log(&device.pose().rotation)[i - 3] }
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}: off by {}", a - b);
}

fn with(handle: Handle, hand: Hand) -> SimParams {
    SimParams { handle, hand, ..SimParams::ideal() }
}

const PLAIN: Handle = Handle { mass: [0.1, 1e-4], damping: [0.5, 5e-4], friction: [0.0; 2], breakaway: 1.0 };

#[test]
fn constant_force_against_a_damper() {
    for i in [0, 2, 4] {
        let (m, b) = (PLAIN.mass[i / 3], PLAIN.damping[i / 3]);
        let f = if i < 3 { 0.981 } else { 1e-3 };
        let mut device = armed(with(PLAIN, Hand::Released));
        device.write(&safe(along(i, f))).unwrap();
        let mut t = 0.0_f64;
        for _ in 0..400 {
            device.step(1e-3);
            t += 1e-3;
            let rise = -(-b * t / m).exp_m1();
            close(device.twist()[i], f / b * rise, 1e-12);
            close(coordinate(&device, i), f / b * (t - m / b * rise), 1e-12);
        }
    }
}

#[test]
fn free_handle_without_damping_falls_with_half_a_t_squared() {
    let mut device = armed(with(Handle { damping: [0.0; 2], ..PLAIN }, Hand::Released));
    device.push(&along(2, -0.981));
    device.step(0.5);
    close(device.twist()[2], -9.81 * 0.5, 1e-12);
    close(device.pose().translation.vector.z, -0.5 * 9.81 * 0.25, 1e-12);
}

#[test]
fn kicked_handle_swings_in_a_hand_as_a_mass_on_a_spring_does() {
    let (m, k, b) = (PLAIN.mass, Grip::LIGHT.stiffness, Grip::LIGHT.damping);
    for i in [1, 5] {
        let a = i / 3;
        let mass = m[a] + Grip::LIGHT.mass[a];
        let decay = (b[a] + PLAIN.damping[a]) / (2.0 * mass);
        let omega = (k[a] / mass - decay * decay).sqrt();
        let mut device = armed(with(PLAIN, Hand::Light));
        device.kick(&along(i, 0.3));
        let mut t = 0.0_f64;
        for _ in 0..500 {
            device.step(7e-4);
            t += 7e-4;
            close(coordinate(&device, i), 0.3 / omega * (-decay * t).exp() * (omega * t).sin(), 1e-13);
        }
    }
}

#[test]
fn handle_follows_a_moving_hand_with_the_lag_of_its_own_damping() {
    let mut device = armed(with(PLAIN, Hand::Firm));
    let v = 0.1;
    for k in 1..=3000 {
        device.intend(&at(v * 1e-3 * f64::from(k), 0.0, 0.0));
        device.step(1e-3);
    }
    // In the end k e = -b v.
    let e = device.pose().translation.vector.x - v * 3.0;
    close(e, -PLAIN.damping[0] * v / Grip::FIRM.stiffness[0], 1e-9);
    close(device.twist()[0], v, 1e-9);
}

#[test]
fn free_hand_goes_where_it_wants_whatever_pushes() {
    let mut device = armed(SimParams { hand: Hand::Free, ..SimParams::ideal() });
    let turn = exp(&Vec3::new(0.1, -0.2, 0.3));
    for k in 1..=100 {
        let pose = Pose::from_parts(Vec3::new(1e-4 * f64::from(k), 0.0, 0.0).into(), turn);
        device.intend(&pose);
        device.write(&safe(along(0, -100.0))).unwrap();
        device.step(1e-3);
        assert_eq!(*device.pose(), pose);
    }
    close(device.twist()[0], 0.1, 1e-12);
}

#[test]
fn current_lags_behind_the_command() {
    let mut params = with(PLAIN, Hand::Released);
    params.chain.lag = 2e-3;
    let mut device = armed(params);
    let (m, b, lag, f) = (PLAIN.mass[0], PLAIN.damping[0], 2e-3, 1.0);
    device.write(&safe(along(0, f))).unwrap();
    let mut t = 0.0_f64;
    for _ in 0..50 {
        device.step(3e-4);
        t += 3e-4;
        close(device.acting()[0], -f * (-t / lag).exp_m1(), 1e-14);
        // m v' + b v = f (1 - exp(-t/τ)).
        let a = b / m;
        let v = f / b * -(-a * t).exp_m1() - f / m / (a - 1.0 / lag) * ((-t / lag).exp() - (-a * t).exp());
        close(device.twist()[0], v, 1e-14);
    }
}

#[test]
fn handle_sticks_below_the_breakaway_force_and_slides_above() {
    let handle = Handle { damping: [0.0; 2], friction: [0.1, 3e-3], breakaway: 1.5, ..PLAIN };
    for (i, fc) in [(0, 0.1), (3, 3e-3)] {
        let mut device = armed(with(handle, Hand::Released));
        for force in [0.5, -0.99, 1.49, -1.4999] {
            device.write(&safe(along(i, force * fc))).unwrap();
            for _ in 0..100 {
                device.step(1e-3);
            }
            assert_eq!(coordinate(&device, i), 0.0, "{force}");
            assert_eq!(device.twist()[i], 0.0);
        }
        device.write(&safe(along(i, -1.6 * fc))).unwrap();
        device.step(1e-2);
        // (1.6 - 1) f_c accelerates it.
        let m = handle.mass[i / 3];
        close(device.twist()[i] / (-0.6 * fc / m * 1e-2), 1.0, 1e-6);
    }
}

#[test]
fn sliding_handle_stops_where_friction_has_eaten_its_energy() {
    let handle = Handle { damping: [0.0; 2], friction: [0.1, 3e-3], breakaway: 1.2, ..PLAIN };
    for (i, v, fc) in [(1, 0.0373, 0.1), (1, -0.5, 0.1), (4, 1.7, 3e-3)] {
        let mut device = armed(with(handle, Hand::Released));
        device.kick(&along(i, v));
        let m = handle.mass[i / 3];
        let (stop, way) = (m * v.abs() / fc, 0.5 * m * v * v.abs() / fc);
        let mut t = 0.0_f64;
        while t < stop + 0.01 {
            device.step(1e-3);
            t += 1e-3;
            if t < stop {
                close(device.twist()[i], v - v.signum() * fc / m * t, 1e-11);
            }
        }
        assert_eq!(device.twist()[i], 0.0);
        close(coordinate(&device, i), way, 1e-10 * way.abs());
    }
}

#[test]
fn stuck_handle_breaks_away_when_the_spring_pulls_enough() {
    let handle = Handle { friction: [0.1, 0.0], breakaway: 1.3, ..PLAIN };
    let grip = Grip { mass: [0.0; 2], damping: [0.0; 2], stiffness: [200.0, 1.0] };
    let mut device = armed(with(handle, Hand::Like(grip)));
    let v = 0.0137;
    // k v t = f_s.
    let expected = 1.3 * 0.1 / (200.0 * v);
    for k in 1..=200 {
        let t = 1e-3 * f64::from(k);
        device.intend(&at(v * t, 0.0, 0.0));
        device.step(1e-3);
        assert_eq!(device.twist()[0] != 0.0, t > expected, "at {t}, breaks at {expected}");
        if t > expected {
            // It starts with the surplus of breakaway: v ≈ 0.3 f_c/m (t - t₀).
            let start = 0.03 / 0.1 * (t - expected);
            close(device.twist()[0], start, 0.02 * start + 1e-6);
            break;
        }
    }
}

#[test]
fn long_and_short_steps_agree_with_friction_lag_and_hand() {
    let mut params = SimParams::default();
    params.chain.jitter = 0.0;
    let run = |per: u32| {
        let mut device = armed(params.clone());
        for k in 0..300_u32 {
            let t = f64::from(k) * 1e-3;
            device.write(&safe(along(0, libm::sin(40.0 * t)) + along(5, 0.02 * libm::cos(70.0 * t)))).unwrap();
            for _ in 0..per {
                device.step(1e-3 / f64::from(per));
            }
        }
        device
    };
    let (long, short) = (run(1), run(8));
    assert!(long.twist().norm() > 0.0);
    for i in [0, 5] {
        close(coordinate(&long, i), coordinate(&short, i), 1e-8);
    }
}

/// ∫ v² dt by Simpson's rule over a step that is made in two halves.
fn stepped(device: &mut SimDevice, seconds: f64, i: usize) -> f64 {
    let square = |device: &SimDevice| device.twist()[i] * device.twist()[i];
    let before = square(device);
    device.step(0.5 * seconds);
    let middle = square(device);
    device.step(0.5 * seconds);
    (before + 4.0 * middle + square(device)) * seconds / 6.0
}

#[test]
fn work_is_kinetic_elastic_and_dissipated_energy() {
    let (h, i) = (1e-4, 0);
    for friction in [0.0, 0.1] {
        let handle = Handle { friction: [friction, 0.0], breakaway: 1.2, ..PLAIN };
        let mut device = armed(with(handle, Hand::Light));
        let (mut work, mut lost) = (0.0, 0.0);
        let mut random = Random::new(7);
        let mut force = 0.0;
        // With friction only one way, so that the way is the distance.
        for k in 0..4000 {
            if k % 10 == 0 {
                force =
                    if friction > 0.0 { 30.0 * libm::sqrt(f64::from(k) * 1e-3) } else { random.unit() * 80.0 - 40.0 };
            }
            let before = coordinate(&device, i);
            device.write(&safe(along(i, force))).unwrap();
            let squares = stepped(&mut device, h, i);
            let way = coordinate(&device, i) - before;
            assert!(friction == 0.0 || way >= 0.0);
            work += force * way;
            lost += (PLAIN.damping[0] + Grip::LIGHT.damping[0]) * squares + friction * way.abs();
            if friction > 0.0 && k == 500 {
                break;
            }
        }
        let (x, v) = (coordinate(&device, i), device.twist()[i]);
        let mass = PLAIN.mass[0] + Grip::LIGHT.mass[0];
        let stored = 0.5 * mass * v * v + 0.5 * Grip::LIGHT.stiffness[0] * x * x;
        assert!(work > 1e-3 && lost > 1e-3);
        close((stored + lost) / work, 1.0, 1e-9);
    }
}

#[test]
fn tick_of_the_simulated_wall_has_the_matrix_of_the_derivation() {
    for (m, b, t) in [(0.1, 0.5, 1e-3), (0.02, 3.0, 1e-3), (0.001, 5.0, 1e-3), (0.5, 0.1, 2.5e-4)] {
        let k = 1.1 * passivity_bound(b, t);
        let handle = Handle { mass: [m, 1e-4], damping: [b, 1e-4], ..PLAIN };
        let column = |x: f64, v: f64| {
            let mut device = armed(with(handle, Hand::Released));
            device.place(&at(0.0, 0.0, x));
            device.kick(&along(2, v));
            device.render(&along(2, -k * x));
            device.step(t);
            [1e3 * device.pose().translation.vector.z, 1e3 * device.twist()[2]]
        };
        let ([a, c], [b_, d]) = (column(1e-3, 0.0), column(0.0, 1e-3));
        let (q, p) = (b * t / m, (-b * t / m).exp());
        let r = -(-q).exp_m1() / q;
        close(a + d, 1.0 + p - k * t / b * (1.0 - r), 1e-12);
        close(a * d - b_ * c, p + k * t / b * (r - p), 1e-12);
    }
}

#[test]
fn exact_edge_is_where_eigenvalues_leave_the_unit_circle() {
    for q in [1e-5, 1e-3, 0.0099, 0.0101, 0.1, 0.28, 1.0, 3.0, 3.7, 4.0, 8.0, 30.0] {
        let (b, t) = (0.5, 1e-3);
        let m = b * t / q;
        let edge = exact_edge(m, b, t);
        let radius = |k: f64| {
            let (p, r) = (libm::exp(-q), -libm::expm1(-q) / q);
            let trace = 1.0 + p - k * t / b * (1.0 - r);
            let det = p + k * t / b * (r - p);
            let root = trace * trace / 4.0 - det;
            if root < 0.0 { det.sqrt() } else { trace.abs() / 2.0 + root.sqrt() }
        };
        assert!(radius(0.999 * edge) < 1.0 && radius(1.001 * edge) > 1.0, "q = {q}");
        let ratio = edge / passivity_bound(b, t);
        assert!(ratio >= 1.0 && ratio < 2.1, "{ratio}");
        assert_eq!(ratio < 1.05, q <= 0.28, "q = {q}: {ratio}");
        if q < 0.2 {
            close(ratio, 1.0 + q / 6.0 + q * q / 36.0, q * q * q / 10.0 + 1e-9);
        }
    }
}

#[test]
fn wall_goes_unstable_at_the_passivity_bound() {
    for (m, b, t) in
        [(0.1, 0.5, 1e-3), (0.1, 0.1, 1e-3), (0.1, 5.0, 1e-3), (0.3, 2.0, 2.5e-4), (0.05, 1.0, 4e-3), (0.1, 0.5, 1e-4)]
    {
        let report = wall_edge(&WallParams { mass: m, damping: b, period: t, ..WallParams::default() }).unwrap();
        println!("m {m} b {b} T {t}: {report:?}");
        close(report.ratio, 1.0, 0.05);
        close(report.edge / report.exact, 1.0, 2e-3);
    }
}

#[test]
fn light_handles_are_stable_beyond_the_bound_as_derived() {
    for q in [1.0, 3.0, 3.7, 6.0, 20.0] {
        let report = wall_edge(&WallParams { mass: 0.5e-3 / q, ..WallParams::default() }).unwrap();
        println!("q {q}: {report:?}");
        assert!(report.ratio > 1.09);
        close(report.edge / report.exact, 1.0, 2e-3);
    }
}

#[test]
fn wall_through_safe_wrenches_has_the_same_edge() {
    let params = WallParams { settle: 0.05, ..WallParams::default() };
    let bare = wall_edge(&params).unwrap();
    let through = wall_edge_through(&params, |k| move |state: &State| safe(wall_wrench(k, state))).unwrap();
    assert_eq!(bare, through);
}

#[test]
fn wall_without_sense_is_an_error() {
    for params in [
        WallParams { mass: 0.0, ..WallParams::default() },
        WallParams { damping: -1.0, ..WallParams::default() },
        WallParams { period: f64::NAN, ..WallParams::default() },
        WallParams { load: 0.0, ..WallParams::default() },
    ] {
        assert!(wall_edge(&params).is_err(), "{params:?}");
    }
}

#[test]
fn encoders_tell_whole_steps_of_position_and_rotation() {
    let mut params = SimParams { hand: Hand::Free, ..SimParams::ideal() };
    params.chain.encoder = [1e-4, 1e-3];
    params.home = Pose::from_parts(Vec3::new(0.01, 0.0, 0.0).into(), exp(&Vec3::new(0.3, 0.2, -0.1)));
    let home = params.home;
    let mut device = armed(params);
    let turn = Vec3::new(0.0104, -0.2026, 0.0005001);
    device.intend(&Pose::from_parts(Vec3::new(0.01234, -0.00056, 4e-5).into(), exp(&turn) * home.rotation));
    device.step(1e-3);
    let told = device.read().unwrap().pose;
    assert!((told.translation.vector - Vec3::new(0.0123, -0.0006, 0.0)).norm() < 1e-15);
    let turned = log(&(told.rotation * home.rotation.inverse()));
    assert!((turned - Vec3::new(0.010, -0.203, 0.001)).norm() < 1e-14, "{turned}");
}

#[test]
fn force_saturates_in_its_direction_and_is_told() {
    let mut device = armed(SimParams { hand: Hand::Light, ..SimParams::default() });
    let asked = Vec6::new(30.0, -40.0, 0.0, 0.0, 0.0, 0.1);
    let Applied::Saturated(done) = device.write(&safe(asked)).unwrap() else { panic!() };
    assert!((done - Vec6::new(5.1, -6.8, 0.0, 0.0, 0.0, 0.1)).norm() < 1e-14);
    device.step(1e-3);
    assert!(device.read().unwrap().alarms.has(Alarms::SATURATED));
    assert_eq!(device.write(&safe(along(0, 1.0))).unwrap(), Applied::Full);
    device.step(1e-3);
    assert_eq!(device.read().unwrap().alarms, Alarms::default());
    // A device without torque does not turn, and says so.
    let mut device = armed(SimParams::falcon_like());
    assert_eq!(device.write(&safe(along(4, 0.1))).unwrap(), Applied::Saturated(Vec6::zeros()));
    // What is no number is nothing, and what overflows is the limit.
    let mut device = armed(SimParams::ideal());
    assert_eq!(device.write(&safe(along(4, f64::NAN))).unwrap(), Applied::Saturated(Vec6::zeros()));
    assert_eq!(device.write(&safe(along(0, f64::MAX))).unwrap(), Applied::Saturated(along(0, 1e3)));
}

#[test]
fn wrenches_act_as_many_ticks_late_as_told() {
    for delay in 0..=3_u8 {
        let mut params = SimParams { hand: Hand::Free, ..SimParams::ideal() };
        params.chain.delay = delay;
        let mut device = armed(params);
        for k in 0..20 {
            device.write(&safe(along(0, f64::from(k)))).unwrap();
            device.step(1e-3);
            assert_eq!(device.acting()[0], f64::from((k - i32::from(delay)).max(0)));
        }
    }
    let mut params = SimParams { hand: Hand::Free, ..SimParams::ideal() };
    params.chain.delays = vec![0, 2, 1];
    let mut device = armed(params);
    for (k, acts) in [0.0, -1.0, 1.0, 3.0, 2.0, 4.0, 6.0].into_iter().enumerate() {
        device.write(&safe(along(0, k as f64))).unwrap();
        device.step(1e-3);
        assert_eq!(device.acting()[0], f64::max(acts, 0.0));
    }
}

#[test]
fn jitter_moves_the_instant_of_measurement_and_depends_on_the_seed_alone() {
    let run = |seed| {
        let mut params = SimParams { hand: Hand::Free, ..SimParams::ideal() };
        (params.chain.jitter, params.chain.seed) = (3e-4, seed);
        let mut device = armed(params);
        let mut times = Vec::new();
        for k in 1..=1000_u64 {
            let x = 1e-4 * k as f64;
            device.intend(&at(x, 0.0, 0.0));
            device.step(1e-3);
            let state = device.read().unwrap();
            let age = 1e-9 * (device.now() - state.time) as f64;
            assert!((0.0..=3e-4).contains(&age));
            close(state.pose.translation.vector.x, x - 0.1 * age, 2e-10);
            times.push(state.time);
        }
        assert!(times.is_sorted_by(|a, b| a < b));
        let mean = times.iter().zip(1_u64..).map(|(t, k)| (k * 1_000_000 - t) as f64).sum::<f64>() / 1e3;
        close(mean, 1.5e5, 1e4);
        times
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
    assert_ne!(run(0), run(6));
}

#[test]
fn watchdog_takes_the_force_away_until_the_next_write() {
    let mut params = SimParams { hand: Hand::Free, ..SimParams::ideal() };
    params.chain.watchdog = 0.01;
    let mut device = armed(params);
    device.write(&safe(along(0, 1.0))).unwrap();
    for k in 0..30 {
        device.step(1.0 / 1024.0);
        assert_eq!(device.acting()[0] != 0.0, k < 11, "{k}");
    }
    device.write(&safe(along(0, 1.0))).unwrap();
    device.step(1e-3);
    assert_eq!(device.acting()[0], 1.0);
}

#[test]
fn dead_man_switch_lets_no_force_act_on_a_released_handle() {
    let mut device = armed(SimParams::default());
    device.write(&safe(along(0, 1.0))).unwrap();
    device.write(&safe(along(0, 1.0))).unwrap();
    device.step(1e-3);
    assert!(device.acting()[0] > 0.5 && device.read().unwrap().enable.hand);
    device.hold(Hand::Released).unwrap();
    device.step(1e-3);
    assert!(device.acting()[0] == 0.0 && !device.read().unwrap().enable.hand);
    assert_eq!(device.write(&safe(along(0, 1.0))).unwrap(), Applied::Inhibited);
}

#[test]
fn clock_does_not_drift() {
    let mut device = SimDevice::new(SimParams::ideal()).unwrap();
    for _ in 0..30_000 {
        device.step(1.0 / 3000.0);
    }
    assert!(device.now().abs_diff(10_000_000_000) <= 1);
    device.step(f64::NAN);
    device.step(-1.0);
    assert_eq!(device.tick(), 30_000);
    device.step(f64::INFINITY);
    assert!(device.now().abs_diff(11_000_000_000) <= 1);
}

#[test]
fn values_out_of_range_are_errors() {
    type Change = fn(&mut SimParams);
    let changes: [Change; 14] = [
        |p| p.handle.mass[0] = 0.0,
        |p| p.handle.mass[1] = f64::NAN,
        |p| p.handle.damping[0] = -1.0,
        |p| p.handle.friction[1] = f64::INFINITY,
        |p| p.handle.breakaway = 0.9,
        |p| p.chain.encoder[0] = -1e-6,
        |p| p.chain.force = [2.0, 1.0],
        |p| p.chain.lag = 1e-9,
        |p| p.chain.delay = 4,
        |p| p.chain.delays = vec![0, 9],
        |p| p.chain.jitter = f64::NAN,
        |p| p.rate = [0.0, 1.0],
        |p| p.radius = 0.0,
        |p| p.hand = Hand::Like(Grip { mass: [-1.0, 0.0], ..Grip::NONE }),
    ];
    for (k, change) in changes.iter().enumerate() {
        let mut params = SimParams::default();
        change(&mut params);
        assert!(SimDevice::new(params).is_err(), "change {k}");
    }
    for params in [SimParams::default(), SimParams::ideal(), SimParams::falcon_like(), SimParams::touch_like()] {
        assert!(SimDevice::new(params).is_ok());
    }
}

/// What ten ticks look like from outside, as text since some of it is no number.
fn seen(fault: Option<Fault>) -> Vec<String> {
    let mut device = SimDevice::new(SimParams { hand: Hand::Light, ..SimParams::ideal() }).unwrap();
    if let Some(fault) = fault {
        let start = if matches!(fault, Fault::GoneAtArm | Fault::BusyAtArm) { 0 } else { 3 };
        device.inject(fault, start, 4).unwrap();
    }
    let mut seen = vec![format!("{:?}", device.arm())];
    for k in 0..10 {
        let read = device.read();
        let written = device.write(&safe(along(0, 1.0 + f64::from(k))));
        device.intend(&at(1e-4 * f64::from(k), 0.0, 0.0));
        device.step(1e-3);
        seen.push(format!("{read:?} {written:?} {:?}", device.acting()));
    }
    seen
}

#[test]
fn every_fault_is_seen_from_its_first_tick_on() {
    let well = seen(None);
    let mut names = std::collections::BTreeSet::new();
    for fault in Fault::ALL {
        assert!(names.insert(fault.name()));
        let ill = seen(Some(fault));
        let first = (0..ill.len()).find(|k| ill[*k] != well[*k]).unwrap_or(99);
        let expected = match fault {
            Fault::GoneAtArm | Fault::BusyAtArm => 0,
            // The first one is what the later ones repeat or go on from.
            Fault::ReversedTime | Fault::RepeatedTime | Fault::StuckEncoder => 5,
            Fault::EncoderDrift | Fault::DoubleReading => 5,
            _ => 4,
        };
        assert_eq!(first, expected, "{}: {:#?}", fault.name(), ill);
    }
    assert_eq!(names.len(), 32);
}

#[test]
fn faults_that_pass_leave_a_device_that_can_be_armed_again() {
    for fault in Fault::ALL {
        let mut device = SimDevice::new(SimParams::ideal()).unwrap();
        device.inject(fault, 0, 5).unwrap();
        let _ = device.arm();
        for _ in 0..5 {
            let (_, _) = (device.read(), device.write(&safe(along(0, 1.0))));
            device.step(1e-3);
        }
        device.arm().unwrap();
        assert_eq!(*device.acting(), Vec6::zeros());
        let state = device.read().unwrap();
        assert_eq!((state.enable, state.time), (Enable::YES, device.now()));
        assert_eq!(device.write(&safe(along(0, 1.0))).unwrap(), Applied::Full);
        device.step(1e-3);
        assert_eq!(device.acting()[0], 1.0, "{}", fault.name());
    }
}

#[test]
fn faults_without_room_are_refused() {
    let mut device = SimDevice::new(SimParams::ideal()).unwrap();
    for _ in 0..FAULTS {
        device.inject(Fault::Frozen, 0, u64::MAX).unwrap();
    }
    assert_eq!(device.inject(Fault::Frozen, 0, 1), Err(SimError::Faults(FAULTS)));
    device.heal();
    device.inject(Fault::Frozen, 0, 1).unwrap();
}
