//! A pass allocates nothing, with faults or without. A global allocator counts what the test's own thread asks for.

mod envelope_support;

use envelope_support::{Handle, Random, T, limits};
use stiction::spatial::{Vec6, join};
use stiction_device::Envelope;
use stiction_testing::alloc::{Counting, counts};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_pass_does_not_allocate() {
    let mut envelope = Envelope::new(limits(), T).unwrap();
    let (mut handle, mut random) = (Handle::new(), Random(3));
    let before = counts().allocations;
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
    assert_eq!(counts().allocations - before, 0);
    assert!(sum > 1000.0 && envelope.report().faults.iter().sum::<u64>() > 20);
    std::hint::black_box(Vec6::zeros());
}

#[test]
fn the_counter_counts() {
    let before = counts().allocations;
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(counts().allocations - before, 1);
}
