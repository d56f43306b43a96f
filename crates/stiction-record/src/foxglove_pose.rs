//! Poses of hand and part by Foxglove's schemas, a few of them each second: what 3-D viewers draw. Nothing is read back from them.

use crate::proto::{put_bytes, put_double, put_number};
use stiction::columns::{Column, Row, position};

/// Pictures a second.
pub const RATE: u64 = 60;

/// The columns of a pose in a table: x, y, z, qw, qx, qy, qz.
pub type PoseColumns = [usize; 7];

/// Where a table has the pose of that name; `None` if it has none.
pub fn pose_columns(columns: &[Column], name: &str) -> Option<PoseColumns> {
    let mut found = [0; 7];
    for (place, axis) in found.iter_mut().zip(["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"]) {
        *place = position(columns, &format!("{name}_{axis}"))?;
    }
    Some(found)
}

/// A pose of hand or part in the world (m, unit quaternion), as Foxglove's messages have it.
pub struct FoxglovePose {
    place: [f64; 3],
    /// w, x, y, z.
    turn: [f64; 4],
}

impl FoxglovePose {
    /// The pose in a tick's row; `None` unless it is finite, because viewers cannot draw others.
    pub fn of(row: &Row, columns: &PoseColumns) -> Option<FoxglovePose> {
        let [x, y, z, qw, qx, qy, qz] =
            columns.map(|at| row.words().get(at).map_or(f64::NAN, |word| f64::from_bits(*word)));
        let finite = [x, y, z, qw, qx, qy, qz].iter().all(|x| x.is_finite());
        finite.then_some(FoxglovePose { place: [x, y, z], turn: [qw, qx, qy, qz] })
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
