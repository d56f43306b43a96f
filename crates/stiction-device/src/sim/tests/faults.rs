//! Faults.

use super::*;

/// What ten ticks look like from outside, as text since some of it is no number.
fn seen(fault: Option<SimFault>) -> Vec<String> {
    let mut device = SimDevice::new(SimParams { hand: SimHand::Light, ..SimParams::ideal() }).unwrap();
    if let Some(fault) = fault {
        let start = if matches!(fault, SimFault::GoneAtArm | SimFault::BusyAtArm) { 0 } else { 3 };
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
    for fault in SimFault::ALL {
        assert!(names.insert(fault.name()));
        let ill = seen(Some(fault));
        let first = (0..ill.len()).find(|k| ill[*k] != well[*k]).unwrap_or(99);
        let expected = match fault {
            SimFault::GoneAtArm | SimFault::BusyAtArm => 0,
            // The first one is what the later ones repeat or go on from.
            SimFault::ReversedTime | SimFault::RepeatedTime | SimFault::StuckEncoder => 5,
            SimFault::EncoderDrift | SimFault::DoubleReading => 5,
            _ => 4,
        };
        assert_eq!(first, expected, "{}: {:#?}", fault.name(), ill);
    }
    assert_eq!(names.len(), 32);
}

#[test]
fn faults_that_pass_leave_a_device_that_can_be_armed_again() {
    for fault in SimFault::ALL {
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
        device.inject(SimFault::Frozen, 0, u64::MAX).unwrap();
    }
    assert_eq!(device.inject(SimFault::Frozen, 0, 1), Err(SimError::Faults(FAULTS)));
    device.heal();
    device.inject(SimFault::Frozen, 0, 1).unwrap();
}
