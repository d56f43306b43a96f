//! Encoders, saturation, delay, jitter, watchdog, clock, values.

use super::*;

#[test]
fn encoders_tell_whole_steps_of_position_and_rotation() {
    let mut params = SimParams { hand: SimHand::Free, ..SimParams::ideal() };
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
    let mut device = armed(SimParams { hand: SimHand::Light, ..SimParams::default() });
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
        let mut params = SimParams { hand: SimHand::Free, ..SimParams::ideal() };
        params.chain.delay = delay;
        let mut device = armed(params);
        for k in 0..20 {
            device.write(&safe(along(0, f64::from(k)))).unwrap();
            device.step(1e-3);
            assert_eq!(device.acting()[0], f64::from((k - i32::from(delay)).max(0)));
        }
    }
    let mut params = SimParams { hand: SimHand::Free, ..SimParams::ideal() };
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
        let mut params = SimParams { hand: SimHand::Free, ..SimParams::ideal() };
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
    let mut params = SimParams { hand: SimHand::Free, ..SimParams::ideal() };
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
    device.hold(SimHand::Released).unwrap();
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
        |p| p.hand = SimHand::Like(Grip { mass: [-1.0, 0.0], ..Grip::NONE }),
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

/// A measurement as bits.
fn words(state: &DeviceState) -> [u64; 17] {
    let (p, q, e) = (&state.pose.translation.vector, state.pose.rotation.quaternion(), &state.enable);
    let flags = [e.hand, e.estop_ok, e.powered, e.clutched];
    let mut words = [0; 17];
    let reals = [p.x, p.y, p.z, q.w, q.i, q.j, q.k];
    for (to, from) in words.iter_mut().zip(reals.iter().chain(state.twist.iter())) {
        *to = from.to_bits();
    }
    (words[13], words[14]) = (state.time, state.sequence);
    words[15] = u64::from(state.buttons) | u64::from(state.alarms.0) << 32;
    words[16] = flags.iter().enumerate().fold(0, |bits, (i, on)| bits | u64::from(*on) << i);
    words
}

#[test]
fn bits_are_the_same_everywhere() {
    let mut device = armed(SimParams::default());
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for k in 0..2000_u32 {
        let t = 1e-3 * f64::from(k);
        device.intend(&at(0.05 * libm::sin(5.0 * t), 0.01 * libm::cos(9.0 * t), 0.0));
        let wrench = Vec6::new(2.0 * libm::cos(31.0 * t), 0.3, 0.0, 0.1 * libm::sin(17.0 * t), 0.01, -0.02);
        device.write(&safe(wrench)).unwrap();
        device.step(1e-3);
        for word in words(&device.read().unwrap()) {
            hash = (hash ^ word).wrapping_mul(0x100_0000_01b3);
        }
    }
    // A change that is meant to alter answers updates this.
    assert_eq!(hash, 0xc80f_dd14_6644_3b4d, "{hash:#x}");
}
