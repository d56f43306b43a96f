//! What page and server say to each other: see `PROTOCOL.md`.

mod frame;
mod hear;
mod say;

pub use frame::{FrameFacts, LaneExtra, encode, patch};
pub use hear::{CONTROLS, Heard, file_name, hear};
pub use say::{LaneFacts, Playback, RecordingFile, Say, WorldFacts};

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use stiction::spatial::Pose;

/// The version of it all.
pub const PROTOCOL: u32 = 2;

/// x y z qw qx qy qz.
pub fn numbers(pose: &Pose) -> [f64; 7] {
    let (t, q) = (&pose.translation.vector, pose.rotation.quaternion());
    [t.x, t.y, t.z, q.w, q.i, q.j, q.k]
}

/// The pose of seven numbers; none where it is none, or further than a kilometre away.
pub fn pose(numbers: &[f64; 7]) -> Option<Pose> {
    let [x, y, z, w, i, j, k] = *numbers;
    let q = Quaternion::new(w, i, j, k);
    let good = numbers.iter().all(|n| n.is_finite() && n.abs() < 1e3) && (q.norm() - 1.0).abs() < 1e-3;
    good.then(|| Pose::from_parts(Translation3::new(x, y, z), UnitQuaternion::new_normalize(q)))
}
