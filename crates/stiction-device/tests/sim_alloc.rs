//! Reading, writing and stepping a simulated device allocates nothing, with any hand and under any fault.
//!
//! Writes are of zero: only an envelope makes others. The handle moves because the hand does, and because it is pushed.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction_device::handover::latest;
use stiction_device::sim::{Fault, Hand, SimDevice, SimParams};
use stiction_device::{Device, SafeWrench};

thread_local! {
    /// Allocations of this thread. Needs neither memory nor a destructor, so that the allocator may use it.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator with the arguments given; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Not there any more while the thread ends: nothing is measured then.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `alloc` above, that is, from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of(run: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    run();
    COUNT.with(Cell::get) - before
}

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
    for hand in [Hand::Free, Hand::Light, Hand::Firm, Hand::Released] {
        for params in [SimParams::default(), SimParams::ideal(), SimParams::falcon_like(), SimParams::touch_like()] {
            let mut device = SimDevice::new(SimParams { hand, ..params }).unwrap();
            device.arm().unwrap();
            assert_eq!(allocations_of(|| cycles(&mut device)), 0, "{hand:?}");
        }
    }
}

#[test]
fn faults_allocate_nothing() {
    for fault in Fault::ALL {
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
