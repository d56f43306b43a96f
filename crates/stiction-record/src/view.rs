//! Poses of hand and part by Foxglove's schemas, a few of them each second: what 3-D viewers draw. Nothing is read back from them.

use crate::proto::{put_bytes, put_double, put_number};
use stiction::trace::Trace;

/// Pictures a second.
pub const RATE: u64 = 60;

/// A pose in the world.
pub struct Seen {
    place: [f64; 3],
    /// w, x, y, z, as in [`Trace::words`].
    turn: [f64; 4],
}

impl Seen {
    /// Of the hand and of the part; none where it is not finite, which viewers do not like.
    pub fn of(trace: &[u64; Trace::WORDS]) -> [Option<Seen>; 2] {
        let real = |i: usize| f64::from_bits(trace[i]);
        [1, 8].map(|at| {
            let finite = (at..at + 7).all(|i| real(i).is_finite());
            let pose = || Seen {
                place: std::array::from_fn(|i| real(at + i)),
                turn: std::array::from_fn(|i| real(at + 3 + i)),
            };
            finite.then(pose)
        })
    }

    /// As `foxglove.PoseInFrame`.
    pub fn in_frame(&self, time_ns: u64, out: &mut Vec<u8>) {
        timestamp(time_ns, out);
        put_bytes(2, b"world", out);
        let mut pose = Vec::with_capacity(80);
        put_bytes(1, &vector(&self.place), &mut pose);
        put_bytes(2, &self.quaternion(), &mut pose);
        put_bytes(3, &pose, out);
    }

    /// As `foxglove.FrameTransform`, of the frame of that name.
    pub fn transform(&self, name: &str, time_ns: u64, out: &mut Vec<u8>) {
        timestamp(time_ns, out);
        put_bytes(2, b"world", out);
        put_bytes(3, name.as_bytes(), out);
        put_bytes(4, &vector(&self.place), out);
        put_bytes(5, &self.quaternion(), out);
    }

    fn quaternion(&self) -> Vec<u8> {
        let [w, x, y, z] = self.turn;
        vector(&[x, y, z, w])
    }
}

fn timestamp(time_ns: u64, out: &mut Vec<u8>) {
    let mut time = Vec::with_capacity(16);
    put_number(1, time_ns / 1_000_000_000, &mut time);
    put_number(2, time_ns % 1_000_000_000, &mut time);
    put_bytes(1, &time, out);
}

fn vector(components: &[f64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(36);
    components.iter().zip(1..).for_each(|(x, number)| put_double(number, *x, &mut out));
    out
}
