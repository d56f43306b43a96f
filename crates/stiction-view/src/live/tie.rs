//! How the page's handle moves a hand: one to one at a desk, further in worlds of metres, and from wherever the body is that the hand takes.
//!
//! With d the handle and b the hand where they were tied together, and s the stretch, the handle of a hand (x, R) is
//!
//! ```text
//! x_handle = x_d + (x - x_b)/s,     R_handle = R R_bᵀ R_d
//! ```
//!
//! which is what the servo's own mapping undoes: see [`Mapping`](stiction_device::Mapping), which ties them anew, too, when a hand takes a body.

use super::lane::HandMotion;
use stiction::spatial::{Pose, halves, join};

/// A handle and a hand where they were tied together.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    handle: Pose,
    hand: Pose,
    stretch: f64,
}

impl Tie {
    /// A handle where its hand is, which goes so many times as far.
    pub fn new(hand: Pose, stretch: f64) -> Self {
        Tie { handle: hand, hand, stretch }
    }

    /// The same handle, tied where it is now, for a hand there, to a body.
    pub fn at_body(&self, hand: &Pose, body: Pose) -> Self {
        Tie { handle: self.handle(&HandMotion::still(*hand)).pose, hand: body, ..*self }
    }

    /// The handle of a hand.
    pub fn handle(&self, hand: &HandMotion) -> HandMotion {
        if self.stretch == 1.0 && self.handle == self.hand {
            return *hand;
        }
        let (d, b, x) = (self.handle.translation.vector, self.hand.translation.vector, hand.pose.translation.vector);
        let rotation = hand.pose.rotation * self.hand.rotation.inverse() * self.handle.rotation;
        let (linear, angular) = halves(&hand.twist);
        HandMotion {
            pose: Pose::from_parts((d + (x - b) / self.stretch).into(), rotation),
            twist: join(linear / self.stretch, angular),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::spatial::{Rotation, Vec3, exp};
    use stiction_device::{Dofs, Mapping};

    fn pose(x: f64, turn: f64) -> Pose {
        let rotation: Rotation = exp(&Vec3::new(0.3 * turn, turn, -0.2));
        Pose::from_parts(Vec3::new(x, 0.1, -0.4 * x).into(), rotation)
    }

    #[test]
    fn the_mapping_of_the_servo_makes_the_same_hand_of_the_handle() {
        let mut mapping = Mapping::new(Dofs([true; 6]));
        mapping.motion_scale = 20.0;
        let mut tie = Tie::new(pose(0.2, 0.0), 20.0);
        mapping.tie(&pose(0.2, 0.0), &pose(0.2, 0.0));
        let agree = |mapping: &Mapping, tie: &Tie, hand: Pose| {
            let made = mapping.hand(&tie.handle(&HandMotion::still(hand)).pose).unwrap();
            assert!((made.translation.vector - hand.translation.vector).norm() < 1e-12, "{made} for {hand}");
            assert!((made.rotation * hand.rotation.inverse()).angle() < 1e-7, "{made} for {hand}");
        };
        agree(&mapping, &tie, pose(3.0, 0.7));
        // It takes a body: the handle stays where it is, and the hand is at the body.
        let (body, handle) = (pose(-1.0, 2.0), tie.handle(&HandMotion::still(pose(3.0, 0.7))).pose);
        tie = tie.at_body(&pose(3.0, 0.7), body);
        mapping.tie(&handle, &body);
        agree(&mapping, &tie, body);
        agree(&mapping, &tie, pose(-0.4, 1.5));
        assert_eq!(tie.handle(&HandMotion::still(body)).pose.translation, handle.translation);
    }

    #[test]
    fn at_a_desk_the_handle_is_the_hand_to_the_bit() {
        let hand = HandMotion { pose: pose(0.123, 0.4), twist: stiction::spatial::Vec6::repeat(0.1) };
        let handle = Tie::new(pose(0.2, 0.0), 1.0).handle(&hand);
        assert_eq!((handle.pose, handle.twist), (hand.pose, hand.twist));
    }
}
