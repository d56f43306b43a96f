//! What page and server say to each other: see `PROTOCOL.md`.

mod frame;
mod page_message;
mod server_message;

pub use frame::{FrameFacts, LaneExtra, encode, patch};
pub use page_message::{CONTROLS, PageMessage, file_name, parse_message};
pub use server_message::{BodyFacts, LaneFacts, Playback, RecordingFile, ServerMessage, TakeOver, WorldFacts};

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use stiction::spatial::Pose;

/// Version of the protocol between page and server.
pub const PROTOCOL: u32 = 4;

/// x y z qw qx qy qz.
pub fn numbers(pose: &Pose) -> [f64; 7] {
    let (t, q) = (&pose.translation.vector, pose.rotation.quaternion());
    [t.x, t.y, t.z, q.w, q.i, q.j, q.k]
}

/// The pose of seven numbers; `None` unless finite, nearer than 1000 m and a unit quaternion.
pub fn pose(numbers: &[f64; 7]) -> Option<Pose> {
    let [x, y, z, w, i, j, k] = *numbers;
    let q = Quaternion::new(w, i, j, k);
    let good = numbers.iter().all(|n| n.is_finite() && n.abs() < 1e3) && (q.norm() - 1.0).abs() < 1e-3;
    good.then(|| Pose::from_parts(Translation3::new(x, y, z), UnitQuaternion::new_normalize(q)))
}
