//! A global allocator that counts: by thread, so that tests beside each other do not disturb each other, and for the whole process.
//!
//! ```
//! use stiction_testing::alloc::{Counting, allocations_of};
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//!
//! assert_eq!(allocations_of(|| 1 + 1), 0);
//! assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))), 1);
//! ```
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a thread has asked of the allocator since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls that ask for memory, also for more of it.
    pub allocations: u64,
    /// Calls that give memory back.
    pub releases: u64,
    /// Bytes asked for, in all.
    pub bytes: u64,
    /// Bytes of the largest call that asked for memory; [`reset_largest`] begins anew.
    pub largest: usize,
}

thread_local! {
    /// Needs neither memory nor a destructor, so that the allocator may use it.
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { allocations: 0, releases: 0, bytes: 0, largest: 0 }) };
}

/// Bytes in use in the whole process, now and at most.
static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The counts of this thread.
pub fn counts() -> Counts {
    COUNTS.with(Cell::get)
}

/// How often this thread asked for memory while it ran something.
pub fn allocations_of<T>(run: impl FnOnce() -> T) -> u64 {
    let before = counts().allocations;
    std::hint::black_box(run());
    counts().allocations - before
}

/// Forgets the largest allocation of this thread.
pub fn reset_largest() {
    COUNTS.with(|counts| counts.set(Counts { largest: 0, ..counts.get() }));
}

/// Bytes in use by all threads.
pub fn bytes_in_use() -> usize {
    USED.load(Relaxed)
}

/// The most bytes that were in use by all threads at a time, since the last [`reset_most`].
pub fn most_bytes_in_use() -> usize {
    MOST.load(Relaxed)
}

/// Begins the maximum anew, with what is in use now.
pub fn reset_most() {
    MOST.store(bytes_in_use(), Relaxed);
}

/// The system's allocator, counted.
pub struct Counting;

fn count(more: usize, less: usize) {
    // Not there any more while a thread ends: nothing is measured then.
    let _ = COUNTS.try_with(|counts| {
        let mut now = counts.get();
        if more > 0 {
            now.allocations += 1;
            now.bytes += more as u64;
            now.largest = now.largest.max(more);
        } else {
            now.releases += 1;
        }
        counts.set(now);
    });
    let used = USED.fetch_add(more, Relaxed) + more;
    MOST.fetch_max(used, Relaxed);
    USED.fetch_sub(less, Relaxed);
}

// SAFETY: every call goes to the system's allocator with the arguments given; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as for `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: `pointer` came from one of these calls, that is, from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: as for `dealloc`; `size` is the caller's to get right.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
