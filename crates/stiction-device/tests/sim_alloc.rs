//! Reading, writing and stepping a simulated device allocates nothing, with any hand and under any fault.
//!
//! Writes are of zero: only an envelope makes others. The handle moves because the hand does, and because it is pushed.

use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction_device::handover::latest;
use stiction_device::sim::{SimDevice, SimFault, SimHand, SimParams};
use stiction_device::{Device, SafeWrench};
use stiction_testing::alloc::{Counting, allocations_of};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn cycles(device: &mut SimDevice) {
    for k in 0..200 {
        let t = 1e-3 * f64::from(k);
        let shift = Vec3::new(0.02 * libm::sin(20.0 * t), 0.0, 1e-3);
        device.intend(&Pose::from_parts(shift.into(), exp(&Vec3::new(0.0, t, 0.0))));
        device.push(&Vec6::repeat(0.2 * libm::cos(90.0 * t)));
        let _ = (device.read(), device.write(&SafeWrench::ZERO));
        // Also steps of changing length.
        device.step(1e-3 + 1e-4 * f64::from(k % 3));
    }
}

#[test]
fn the_counter_counts() {
    assert!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}

#[test]
fn reading_writing_and_stepping_allocate_nothing() {
    for hand in [SimHand::Free, SimHand::Light, SimHand::Firm, SimHand::Released] {
        for params in [SimParams::default(), SimParams::ideal(), SimParams::falcon_like(), SimParams::touch_like()] {
            let mut device = SimDevice::new(SimParams { hand, ..params }).unwrap();
            device.arm().unwrap();
            assert_eq!(allocations_of(|| cycles(&mut device)), 0, "{hand:?}");
        }
    }
}

#[test]
fn faults_allocate_nothing() {
    for fault in SimFault::ALL {
        let mut device = SimDevice::new(SimParams::default()).unwrap();
        device.arm().unwrap();
        device.inject(fault, 50, 100).unwrap();
        assert_eq!(allocations_of(|| cycles(&mut device)), 0, "{}", fault.name());
    }
}

#[test]
fn handing_over_allocates_nothing() {
    let (mut publisher, mut newest) = latest(Vec6::zeros());
    let used = allocations_of(|| {
        for k in 0..100 {
            publisher.publish(&Vec6::repeat(f64::from(k)));
            assert_eq!(newest.take(), (Vec6::repeat(f64::from(k)), true));
        }
    });
    assert_eq!(used, 0);
}
