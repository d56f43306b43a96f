//! Whatever comes in, what is sent obeys the limits: seeded random sequences with all faults, and their pairs, at random moments.

mod envelope_support;

use envelope_support::{Checker, Handle, Random, T, caps, limits};
use stiction::spatial::{Vec3, Vec6, join};
use stiction_device::{Alarms, Envelope, Fault, Intervention, Limits, Observation, Phase};

const SEQUENCES: u64 = 6000;
const TICKS: usize = 250;
const KINDS: u64 = 26;

/// Spoils a cycle in one of many ways.
fn spoil(kind: u64, random: &mut Random, seen: &mut Observation, asked: &mut Option<Vec6>) {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300][random.below(4) as usize];
    if let Some(state) = &mut seen.state {
        match kind {
            0 => state.enable.estop_ok = false,
            1 => state.enable.hand = false,
            2 => state.enable.powered = false,
            3 => state.alarms = Alarms::FAILURE,
            4 => state.alarms = Alarms::OVERSPEED,
            5 => state.alarms = Alarms::HOT,
            6 => state.pose.translation.vector.y = bad,
            7 => {
                state.pose.rotation = nalgebra_quaternion([bad, 0.0, 0.0, 1.0]);
            }
            8 => state.pose.rotation = nalgebra_quaternion([0.0; 4]),
            9 => state.pose.translation.vector.x += 0.004,
            10 => state.pose.translation.vector.x += 0.5,
            11 => state.time = random.bits(),
            12 => state.sequence = 7,
            13 => state.twist[4] = bad,
            _ => {}
        }
    }
    match kind {
        14 => seen.state = None,
        15 => seen.now = random.bits(),
        16 => seen.late = 0.02,
        17 => seen.late = bad,
        18 => *asked = None,
        19 => *asked = Some(Vec6::repeat(bad)),
        20 => *asked = Some(Vec6::new(0.0, bad, 0.0, 0.0, 0.0, -bad)),
        21 => *asked = Some(Vec6::repeat(f64::MAX)),
        22 => *asked = Some(Vec6::repeat(5e-324)),
        23 => seen.arming = true,
        24 => seen.load_work = if random.below(2) == 0 { bad } else { random.signed() },
        _ => {}
    }
}

fn nalgebra_quaternion([i, j, k, w]: [f64; 4]) -> stiction::spatial::Rotation {
    stiction::spatial::Rotation::new_unchecked(nalgebra::Quaternion::new(w, i, j, k))
}

#[test]
fn every_sent_wrench_obeys_the_limits() {
    let (mut faults, mut interventions, mut forces) = ([0; 15], [0; 11], 0u64);
    for seed in 0..SEQUENCES {
        let mut random = Random(seed * 2 + 1);
        let limits = random_limits(&mut random);
        let mut envelope = Envelope::new(limits, T).unwrap();
        let mut checker = Checker::new(limits);
        let mut handle = Handle::new();
        let (mut velocity, mut wish) = (Vec3::zeros(), Vec6::zeros());
        // Two kinds of trouble, each with its own span of time: every pair comes up many times.
        let troubles = [0; 2].map(|_| (random.below(KINDS), random.below(200) as usize, 1 + random.below(30) as usize));
        for tick in 0..TICKS {
            velocity = velocity * 0.98 + random.vec3() * 0.05;
            handle.place += velocity * T;
            handle.turn += random.vec3() * 1e-3;
            if random.below(10) == 0 {
                wish = join(random.vec3() * 30.0, random.vec3());
            }
            let (mut seen, mut asked) = (handle.next(), Some(wish));
            for (kind, from, long) in troubles {
                if (from..from + long).contains(&tick) {
                    spoil(kind, &mut random, &mut seen, &mut asked);
                }
            }
            match random.below(150) {
                0 => envelope.stop(),
                1..=20 => drop(envelope.rearm()),
                _ => {}
            }
            let sent = *envelope.pass(asked.as_ref(), &seen).wrench();
            if let Err(why) = checker.check(&sent) {
                panic!("seed {seed}, tick {tick}, troubles {troubles:?}: {why}");
            }
            let report = envelope.report();
            if matches!(report.phase, Phase::Off | Phase::Waiting | Phase::Latched) {
                assert_eq!(sent, Vec6::zeros(), "seed {seed}, tick {tick}: {:?}", report.phase);
            }
            forces += u64::from(sent.norm() > 1.0);
        }
        let report = envelope.report();
        (0..15).for_each(|i| faults[i] += report.faults[i]);
        (0..11).for_each(|i| interventions[i] += report.interventions[i]);
    }
    // The test has seen everything that it is about.
    for fault in Fault::ALL {
        assert!(faults[fault as usize] > 100, "{}: {}", fault.name(), faults[fault as usize]);
    }
    for what in Intervention::ALL {
        assert!(interventions[what as usize] > 100, "{}: {}", what.name(), interventions[what as usize]);
    }
    assert!(forces > SEQUENCES * TICKS as u64 / 10, "{forces} cycles with force");
}

fn random_limits(random: &mut Random) -> Limits {
    let mut l = limits();
    l.soft_start = [0.001, 0.02, 0.05][random.below(3) as usize];
    l.fade = [0.0, 0.005, 0.02][random.below(3) as usize];
    l.peak_seconds = [0.0, 0.02, 0.1][random.below(3) as usize];
    l.passivity = random.below(3) > 0;
    l.slew[0] *= [0.01, 1.0, 30.0][random.below(3) as usize];
    if random.below(10) == 0 {
        (l.torque, l.slew[1]) = ([0.0; 2], 0.0);
    }
    l
}

#[test]
fn equal_input_gives_equal_bits() {
    let run = || {
        let mut random = Random(99);
        let mut envelope = Envelope::new(limits(), T).unwrap();
        let mut handle = Handle::new();
        let mut hash = 0u64;
        for _ in 0..2000 {
            handle.place += random.vec3() * 1e-3;
            handle.turn += random.vec3() * 1e-2;
            let wish = join(random.vec3() * 30.0, random.vec3());
            for x in envelope.pass(Some(&wish), &handle.next()).wrench().iter() {
                hash = hash.rotate_left(7) ^ x.to_bits();
            }
            if random.below(50) == 0 {
                envelope.rearm();
            }
        }
        hash
    };
    assert_eq!(run(), run());
}

#[test]
fn nonsense_limits_are_refused() {
    let good = Limits::of(&caps());
    assert!(Envelope::new(good, T).is_ok());
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Envelope::new(good, period).is_err(), "{period}");
    }
    let edits: [fn(&mut Limits, f64); 10] = [
        |l, x| l.force[0] = x,
        |l, x| l.force[1] = x,
        |l, x| l.torque[1] = x,
        |l, x| l.peak_seconds = x,
        |l, x| l.slew[0] = x,
        |l, x| l.speed[1] = x,
        |l, x| l.jump[0] = x,
        |l, x| l.soft_start = x,
        |l, x| l.stale = x,
        |l, x| l.store = x,
    ];
    for (i, edit) in edits.into_iter().enumerate() {
        for x in [f64::NAN, f64::INFINITY, -1.0] {
            let mut limits = good;
            edit(&mut limits, x);
            assert!(Envelope::new(limits, T).is_err(), "{i}: {x}");
        }
    }
    let weak = Limits { force: [5.0, 4.0], ..good };
    let text = Envelope::new(weak, T).unwrap_err().to_string();
    assert_eq!(text, "the limit \"peak force\" is 4, but must be at least the continuous one and finite");
}
