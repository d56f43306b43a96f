//! Hands: what they hold, and how their poses become motion of bodies.

use crate::settings::{Grip, VolumeHand};
use crate::tick::VolumeTick;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec6, exp, halves, join, log};

/// The hand moved further in one tick than a hand can (m, rad).
const TELEPORT: [f64; 2] = [0.05, 0.5];

/// A hand of an engine.
#[derive(Clone, Debug)]
pub(crate) struct HandState {
    pub grip: Grip,
    /// The body that it holds.
    pub holds: Option<usize>,
    /// The body that it shall hold from its next pose on.
    pub wanted: Option<Option<usize>>,
    /// Where the held body is in the axes of the hand.
    pub hand_from_body: Pose,
    /// The last pose that was known, and whether there was one.
    pub pose: Pose,
    pub begun: bool,
    /// Its velocity (m/s, rad/s, world), at its origin; zero where nobody tells it. Whoever drives the engine has it from the device, or observes it.
    pub twist: Vec6,
    pub tick: VolumeTick,
}

/// What a hand's input was worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A pose that is not one.
    Nothing,
    /// A pose.
    Pose {
        /// It moved further than a hand can.
        jumped: bool,
    },
}

impl HandState {
    pub fn new(hand: &VolumeHand, pose: &Pose) -> Self {
        HandState {
            grip: hand.grip,
            holds: hand.holds,
            wanted: None,
            hand_from_body: Pose::identity(),
            pose: *pose,
            begun: false,
            twist: Vec6::zeros(),
            tick: VolumeTick::blank(pose),
        }
    }

    /// Takes an input.
    pub fn see(&mut self, input: &HandInput) -> Seen {
        if !is_pose(&input.pose) {
            self.twist = Vec6::zeros();
            return Seen::Nothing;
        }
        let turned = log(&(input.pose.rotation * self.pose.rotation.inverse()));
        let moved = join(input.pose.translation.vector - self.pose.translation.vector, turned);
        let (far, angle) = halves(&moved);
        let jumped = self.begun && (far.norm() > TELEPORT[0] || angle.norm() > TELEPORT[1]);
        let told = input.twist.iter().all(|x| x.is_finite());
        self.twist = if told { input.twist } else { Vec6::zeros() };
        self.pose = input.pose;
        self.begun = true;
        Seen::Pose { jumped }
    }

    /// Where the held body shall be.
    pub fn target(&self) -> Pose {
        self.pose * self.hand_from_body
    }
}

/// Finite, with a rotation that is one.
pub(crate) fn is_pose(pose: &Pose) -> bool {
    let q = pose.rotation.quaternion();
    let size = q.norm_squared();
    pose.translation.vector.iter().all(|x| x.is_finite()) && (size - 1.0).abs() < 1e-6
}

/// A share of the way from a pose to another.
pub(crate) fn part_of_way(from: &Pose, to: &Pose, share: f64) -> Pose {
    if share >= 1.0 {
        return *to;
    }
    let turn = exp(&(log(&(to.rotation * from.rotation.inverse())) * share));
    let shift = from.translation.vector + (to.translation.vector - from.translation.vector) * share;
    Pose::from_parts(shift.into(), turn * from.rotation)
}
