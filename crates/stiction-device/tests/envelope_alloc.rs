//! A pass allocates nothing, with faults or without. A global allocator counts what the test's own thread asks for.
#![allow(unsafe_code)]

mod envelope_support;

use envelope_support::{Handle, Random, T, limits};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use stiction::spatial::{Vec6, join};
use stiction_device::Envelope;

thread_local! {
    /// Allocations of this thread. Needs neither memory nor a destructor, so that the allocator may use it.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn allocations() -> u64 {
    COUNT.with(Cell::get)
}

struct Counting;

// SAFETY: every call goes to the system's allocator with the arguments given; counting touches no memory of it. `realloc` is the provided one,
// which calls `alloc` and `dealloc`.
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

#[test]
fn a_pass_does_not_allocate() {
    let mut envelope = Envelope::new(limits(), T).unwrap();
    let (mut handle, mut random) = (Handle::new(), Random(3));
    let before = allocations();
    let mut sum = 0.0;
    for tick in 0..20_000 {
        handle.place += random.vec3() * 5e-4;
        let mut seen = handle.next();
        let wish = join(random.vec3() * 30.0, random.vec3());
        let mut asked = Some(&wish);
        match random.below(400) {
            0 => asked = None,
            1 => seen.state = None,
            2 => seen.now = 0,
            3 => seen.late = f64::NAN,
            4 => seen.state.as_mut().unwrap().enable.hand = false,
            5 => seen.state.as_mut().unwrap().pose.translation.vector.x = f64::NAN,
            6 => envelope.stop(),
            7..30 => drop(envelope.rearm()),
            _ => {}
        }
        sum += envelope.pass(asked, &seen).wrench().norm();
        std::hint::black_box((envelope.report(), tick));
    }
    assert_eq!(allocations() - before, 0);
    assert!(sum > 1000.0 && envelope.report().faults.iter().sum::<u64>() > 20);
    std::hint::black_box(Vec6::zeros());
}

#[test]
fn the_counter_counts() {
    let before = allocations();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(allocations() - before, 1);
}
