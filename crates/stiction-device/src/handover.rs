//! The newest value, handed from one thread to another without waiting: a triple buffer.
//!
//! Of three slots the writer owns one, the reader one, and the third is between them. Publishing swaps the writer's slot with the middle
//! one, taking swaps the reader's: one atomic exchange each, so neither ever waits, and the reader never sees half a value. Values that the
//! reader was too slow for are lost; who needs all of them (a recording) uses a ring. Checked by loom: `make test-loom`.
#![allow(unsafe_code)]

#[cfg(loom)]
use loom::{cell::UnsafeCell, sync::Arc, sync::atomic::AtomicU8, sync::atomic::Ordering};
#[cfg(not(loom))]
use std::{sync::Arc, sync::atomic::AtomicU8, sync::atomic::Ordering};

/// `std`'s cell with loom's interface.
#[cfg(not(loom))]
struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    fn new(value: T) -> Self {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }

    fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}

/// The middle slot's number is in the low bits; this one says that the writer put it there after the reader last looked.
const FRESH: u8 = 4;

struct Shared<T> {
    slots: [UnsafeCell<T>; 3],
    middle: AtomicU8,
}

// SAFETY: a slot is touched only by the one side that owns it; ownership passes through `middle` by acquire and release.
unsafe impl<T: Send> Sync for Shared<T> {}
// SAFETY: as above; the values themselves may go to another thread.
unsafe impl<T: Send> Send for Shared<T> {}

/// The side that publishes.
pub struct Publisher<T> {
    shared: Arc<Shared<T>>,
    mine: u8,
}

/// The side that takes the newest.
pub struct Latest<T> {
    shared: Arc<Shared<T>>,
    mine: u8,
}

/// A pair of ends, with a first value that the reader sees until one is published.
pub fn latest<T: Copy>(first: T) -> (Publisher<T>, Latest<T>) {
    let slots = [UnsafeCell::new(first), UnsafeCell::new(first), UnsafeCell::new(first)];
    let shared = Arc::new(Shared { slots, middle: AtomicU8::new(1) });
    (Publisher { shared: Arc::clone(&shared), mine: 0 }, Latest { shared, mine: 2 })
}

impl<T: Copy> Publisher<T> {
    /// Puts a value in the reader's reach. Never waits.
    pub fn publish(&mut self, value: &T) {
        self.publish_with(|slot| *slot = *value);
    }

    /// The same with a value that is made where it will be read: for large ones. What `fill` finds there is an older value. Never waits.
    pub fn publish_with(&mut self, fill: impl FnOnce(&mut T)) {
        // SAFETY: the slot `mine` is the writer's alone until the exchange below.
        self.shared.slots[usize::from(self.mine)].with_mut(|slot| fill(unsafe { &mut *slot }));
        self.mine = self.shared.middle.swap(self.mine | FRESH, Ordering::AcqRel) & !FRESH;
    }
}

impl<T: Copy> Latest<T> {
    /// The newest value, and whether it is newer than the last one taken. Never waits.
    pub fn take(&mut self) -> (T, bool) {
        self.with(|value, fresh| (*value, fresh))
    }

    /// The same without a copy: for large ones. Never waits.
    pub fn with<R>(&mut self, see: impl FnOnce(&T, bool) -> R) -> R {
        let fresh = self.shared.middle.load(Ordering::Relaxed) & FRESH != 0;
        if fresh {
            self.mine = self.shared.middle.swap(self.mine, Ordering::AcqRel) & !FRESH;
        }
        // SAFETY: the slot `mine` is the reader's alone until the next exchange.
        self.shared.slots[usize::from(self.mine)].with(|slot| see(unsafe { &*slot }, fresh))
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
