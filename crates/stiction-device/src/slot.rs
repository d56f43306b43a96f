//! The newest value from one thread to others, without waiting: how a backend with a thread of its own fits under [`crate::Device`].
//!
//! A vendor's callback or a thread that sends and receives puts each [`State`] into one slot and takes wrenches from another; `read` and `write` touch only the
//! slots. A sequence lock (H.-J. Boehm, *Can seqlocks get along with programming language memory models?*, 2012): the writer counts to an odd number, stores, counts to an
//! even one; a reader that sees an odd number or a change tries again. The writer never waits; a reader gives up after [`TRIES`], which takes a writer that is halted
//! amid a store, or one that stores without pause.

use crate::device::{Alarms, Enable, State};
use nalgebra::Quaternion;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6};

/// So often a reader tries.
pub const TRIES: usize = 64;

/// What fits into a slot: plain data as `N` words.
pub trait Words<const N: usize>: Copy {
    /// To words.
    fn words(&self) -> [u64; N];
    /// Back from them.
    fn from_words(words: &[u64; N]) -> Self;
}

struct Slot<const N: usize> {
    count: AtomicU64,
    words: [AtomicU64; N],
}

/// The end that puts values in: there is one.
pub struct Sender<T, const N: usize> {
    slot: Arc<Slot<N>>,
    of: std::marker::PhantomData<T>,
}

/// An end that takes values out.
pub struct Receiver<T, const N: usize> {
    slot: Arc<Slot<N>>,
    of: std::marker::PhantomData<T>,
}

/// A slot with a first value in it.
pub fn slot<T: Words<N>, const N: usize>(first: &T) -> (Sender<T, N>, Receiver<T, N>) {
    let slot = Arc::new(Slot { count: AtomicU64::new(0), words: first.words().map(AtomicU64::new) });
    let of = std::marker::PhantomData;
    (Sender { slot: slot.clone(), of }, Receiver { slot, of })
}

impl<T: Words<N>, const N: usize> Sender<T, N> {
    /// Puts a value in, over the last one.
    pub fn put(&mut self, value: &T) {
        let count = self.slot.count.load(Ordering::Relaxed);
        self.slot.count.store(count.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        for (to, from) in self.slot.words.iter().zip(value.words()) {
            to.store(from, Ordering::Relaxed);
        }
        self.slot.count.store(count.wrapping_add(2), Ordering::Release);
    }
}

impl<T: Words<N>, const N: usize> Receiver<T, N> {
    /// The newest value, whole; none where the writer did not leave it alone for long enough.
    pub fn get(&self) -> Option<T> {
        for _ in 0..TRIES {
            let before = self.slot.count.load(Ordering::Acquire);
            let words: [u64; N] = std::array::from_fn(|i| self.slot.words[i].load(Ordering::Relaxed));
            fence(Ordering::Acquire);
            if before & 1 == 0 && self.slot.count.load(Ordering::Relaxed) == before {
                return Some(T::from_words(&words));
            }
            std::hint::spin_loop();
        }
        None
    }
}

impl<T, const N: usize> Clone for Receiver<T, N> {
    fn clone(&self) -> Self {
        Receiver { slot: self.slot.clone(), of: self.of }
    }
}

impl Words<6> for Vec6 {
    fn words(&self) -> [u64; 6] {
        std::array::from_fn(|i| self[i].to_bits())
    }

    fn from_words(words: &[u64; 6]) -> Self {
        Vec6::from_fn(|i, _| f64::from_bits(words[i]))
    }
}

impl Words<17> for State {
    fn words(&self) -> [u64; 17] {
        let (p, q, e) = (&self.pose.translation.vector, self.pose.rotation.quaternion(), &self.enable);
        let flags = [e.hand, e.estop_ok, e.powered, e.clutched];
        let flags = flags.iter().enumerate().fold(0, |bits, (i, on)| bits | u64::from(*on) << i);
        let mut words = [0; 17];
        let reals = [p.x, p.y, p.z, q.w, q.i, q.j, q.k];
        for (to, from) in words.iter_mut().zip(reals.iter().chain(self.twist.iter())) {
            *to = from.to_bits();
        }
        words[13] = self.time;
        words[14] = self.sequence;
        words[15] = u64::from(self.buttons) | u64::from(self.alarms.0) << 32;
        words[16] = flags;
        words
    }

    fn from_words(words: &[u64; 17]) -> Self {
        let real = |i: usize| f64::from_bits(words[i]);
        let on = |i: u32| words[16] >> i & 1 == 1;
        // As it came: the envelope judges it.
        let rotation = Rotation::new_unchecked(Quaternion::new(real(3), real(4), real(5), real(6)));
        State {
            time: words[13],
            sequence: words[14],
            pose: Pose::from_parts(Vec3::new(real(0), real(1), real(2)).into(), rotation),
            twist: Vec6::from_fn(|i, _| real(7 + i)),
            buttons: words[15] as u32,
            enable: Enable { hand: on(0), estop_ok: on(1), powered: on(2), clutched: on(3) },
            alarms: Alarms((words[15] >> 32) as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_comes_out_as_it_went_in() {
        let rotation = stiction::spatial::exp(&Vec3::new(0.1, -0.2, 0.3));
        let state = State {
            time: u64::MAX,
            sequence: 7,
            pose: Pose::from_parts(Vec3::new(1.0, -2.0, 3.0).into(), rotation),
            twist: Vec6::new(1.0, 2.0, 3.0, 4.0, 5.0, -6.0),
            buttons: 0x8000_0001,
            enable: Enable { hand: true, estop_ok: false, powered: true, clutched: false },
            alarms: Alarms(u32::MAX - 1),
        };
        assert_eq!(slot(&state).1.get(), Some(state));
        let other = Enable { hand: false, estop_ok: true, powered: false, clutched: true };
        let (mut sender, receiver) = slot(&state);
        sender.put(&State { enable: other, ..state });
        assert_eq!(receiver.get(), Some(State { enable: other, ..state }));
    }

    #[test]
    fn no_value_is_ever_torn() {
        let (mut sender, receiver) = slot(&Vec6::zeros());
        let reader = std::thread::spawn(move || {
            let (mut last, mut got) = (0.0, 0);
            while last < 200_000.0 {
                let Some(value) = receiver.get() else { continue };
                assert!(value.iter().all(|x| *x == value[0]) && value[0] >= last, "{value}");
                last = value[0];
                got += 1;
            }
            got
        });
        for k in 0..=200_000 {
            sender.put(&Vec6::repeat(f64::from(k)));
        }
        assert!(reader.join().unwrap() > 0);
    }
}
