//! The handle's motion against closed forms.

use super::*;

#[test]
fn constant_force_against_a_damper() {
    for i in [0, 2, 4] {
        let (m, b) = (PLAIN.mass[i / 3], PLAIN.damping[i / 3]);
        let f = if i < 3 { 0.981 } else { 1e-3 };
        let mut device = armed(with(PLAIN, SimHand::Released));
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
    let mut device = armed(with(Handle { damping: [0.0; 2], ..PLAIN }, SimHand::Released));
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
        let mut device = armed(with(PLAIN, SimHand::Light));
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
    let mut device = armed(with(PLAIN, SimHand::Firm));
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
    let mut device = armed(SimParams { hand: SimHand::Free, ..SimParams::ideal() });
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
    let mut params = with(PLAIN, SimHand::Released);
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
        let mut device = armed(with(handle, SimHand::Released));
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
        let mut device = armed(with(handle, SimHand::Released));
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
    let mut device = armed(with(handle, SimHand::Like(grip)));
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
        let mut device = armed(with(handle, SimHand::Light));
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

/// Kinetic energy, and that of the hand's spring towards a pose at rest.
fn energy(device: &SimDevice, grip: &Grip, intent: &Pose) -> f64 {
    let handle = &device.params().handle;
    let shift = device.pose().translation.vector - intent.translation.vector;
    let turn = log(&(device.pose().rotation * intent.rotation.inverse()));
    (0..6)
        .map(|i| {
            let (v, e) = (device.twist()[i], if i < 3 { shift[i] } else { turn[i - 3] });
            0.5 * ((handle.mass[i / 3] + grip.mass[i / 3]) * v * v + grip.stiffness[i / 3] * e * e)
        })
        .sum()
}

#[test]
fn handle_left_alone_never_gains_energy() {
    let mut random = Random::new(3);
    let mut any = |low: f64, high: f64| low + (high - low) * random.unit();
    for run in 0..300 {
        let grip = Grip {
            mass: [any(0.0, 1.0), any(0.0, 1e-3)],
            damping: [any(0.0, 10.0), any(0.0, 0.01)],
            stiffness: [libm::exp(any(0.0, 12.0)), any(0.0, 10.0)],
        };
        let friction = if run % 3 == 0 { [0.0; 2] } else { [any(0.0, 1.0), any(0.0, 0.01)] };
        let handle = Handle { mass: [0.05, 1e-4], damping: [any(0.0, 1.0), 0.0], friction, breakaway: any(1.0, 2.0) };
        let mut device = armed(with(handle, SimHand::Like(grip)));
        // About one axis: see `general_rotations_converge`.
        device.kick(&Vec6::new(any(-1.0, 1.0), any(-1.0, 1.0), any(-1.0, 1.0), 0.0, any(-9.0, 9.0), 0.0));
        let home = *device.pose();
        let first = energy(&device, &grip, &home);
        let mut last = first;
        for _ in 0..300 {
            device.step(libm::exp(any(-12.0, -3.0)));
            let now = energy(&device, &grip, &home);
            assert!(now <= last + 1e-9 * first, "run {run}: {now} after {last}, first {first}");
            last = now;
        }
    }
}

#[test]
fn general_rotations_converge() {
    let run = |per: u32| {
        let mut device = armed(SimParams::ideal());
        device.kick(&Vec6::new(0.0, 0.0, 0.0, 10.0, -6.0, 3.0));
        for k in 0..200_u32 {
            let t = 1e-3 * f64::from(k);
            let torque = Vec3::new(0.05 * libm::sin(30.0 * t), 0.1 * libm::cos(20.0 * t), -0.05);
            device.write(&safe(stiction::spatial::join(Vec3::zeros(), torque))).unwrap();
            for _ in 0..per {
                device.step(1e-3 / f64::from(per));
            }
        }
        device.pose().rotation
    };
    let reference = run(256);
    let off = |per| run(per).angle_to(&reference);
    let (one, two, four) = (off(1), off(2), off(4));
    println!("off by {one} {two} {four} rad");
    assert!(one < 1e-3);
    assert!(one / two > 1.8 && two / four > 1.8);
}

#[test]
fn friction_takes_four_times_its_share_of_the_swing_in_each_period() {
    // M x'' + k x = ∓f_c: every half period is a cosine about ±f_c/k, so that the swing loses 2 f_c/k, until the spring is too weak.
    let handle = Handle { damping: [0.0; 2], friction: [0.1, 0.0], breakaway: 1.0, ..PLAIN };
    let grip = Grip { mass: [0.2, 0.0], damping: [0.0; 2], stiffness: [150.0, 0.0] };
    let (mass, share) = (0.3, 0.1 / 150.0);
    let half = std::f64::consts::PI * f64::sqrt(mass / 150.0);
    let mut device = armed(with(handle, SimHand::Like(grip)));
    // 9.5 shares: 7.5, 5.5, 3.5, 1.5, and after that it sticks at 0.5.
    let start = 9.5 * share;
    device.place(&at(start, 0.0, 0.0));
    device.intend(&Pose::identity());
    device.step(1e-12);
    for n in 1..=8_i32 {
        for _ in 0..97 {
            device.step(half / 97.0);
        }
        let swing = if n < 5 { f64::from(n) } else { 5.0 };
        let side = if swing % 2.0 == 1.0 { -1.0 } else { 1.0 };
        close(coordinate(&device, 0), side * (start - 2.0 * swing * share), 1e-10);
    }
    assert_eq!(device.twist()[0], 0.0);
}
