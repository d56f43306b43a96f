//! The loop's side allocates nothing, and a long recording needs no more memory than a short one.
#![allow(unsafe_code)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use stiction_record::{Options, Recorder, Writer};
use support::{entry, header};

thread_local! {
    /// Allocations of this thread. Needs neither memory nor a destructor, so that the allocator may use it.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Bytes in use in the whole process, now and at most.
static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
/// Only one test at a time looks at those.
static ALONE: Mutex<()> = Mutex::new(());

fn allocations() -> u64 {
    COUNT.with(Cell::get)
}

struct Counting;

impl Counting {
    fn count(more: usize, less: usize) {
        // Not there any more while the thread ends: nothing is measured then.
        let _ = COUNT.try_with(|count| count.set(count.get() + u64::from(more > 0)));
        let used = USED.fetch_add(more, Relaxed) + more;
        MOST.fetch_max(used, Relaxed);
        USED.fetch_sub(less, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator with the arguments given; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::count(0, layout.size());
        // SAFETY: `pointer` came from `alloc` or `realloc` above, that is, from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::count(size, layout.size());
        // SAFETY: as for `dealloc`; `size` is the caller's to get right.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// While there is room, when the ring is full, and after the end.
#[test]
fn pushing_does_not_allocate() {
    let _alone = ALONE.lock().unwrap();
    let options = Options { ring: 256, ..Options::default() };
    let (recorder, [mut feed]) = Recorder::start(std::io::sink(), &header(), options).unwrap();
    let before = allocations();
    let mut taken = 0;
    for tick in 0..20_000 {
        taken += u64::from(feed.push(&entry(tick)));
        feed.has_room();
    }
    let found = allocations() - before;
    let counts = recorder.finish().unwrap();
    let after = allocations();
    assert!(!feed.push(&entry(0)));
    assert_eq!((found, allocations() - after), (0, 0));
    assert_eq!((counts.accepted, counts.accepted + counts.dropped), (taken, 20_000));
    assert!(counts.dropped > 0, "the ring was never full");
}

/// A million ticks, a quarter of an hour: what is kept for the summary is the only thing that grows, 200 bytes each half second.
#[test]
fn a_million_ticks_need_bounded_memory() {
    let _alone = ALONE.lock().unwrap();
    let most_for = |ticks: u64| {
        let before = USED.load(Relaxed);
        MOST.store(before, Relaxed);
        let mut writer = Writer::new(std::io::sink(), &header(), Options::default()).unwrap();
        (0..ticks).for_each(|tick| writer.add(&entry(tick)).unwrap());
        writer.finish().unwrap();
        assert_eq!(writer.written(), ticks);
        MOST.load(Relaxed) - before
    };
    let (few, many) = (most_for(20_000), most_for(1_000_000));
    assert!(many < few + (2 << 20) && many < 12 << 20, "{few} and {many} bytes");
}

/// Four seconds at 1 kHz, a few megabytes.
#[test]
fn the_ring_is_bounded() {
    let ring = Options::default().ring;
    assert!(ring >= 4000 && ring * size_of::<stiction_record::Entry>() < 8 << 20);
}
