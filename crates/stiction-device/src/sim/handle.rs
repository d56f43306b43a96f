//! The handle: a body with six degrees of freedom, held by a hand.
//!
//! Its inertia is the same about all axes, so that ω × I ω = 0 and the six axes of the device are independent: each is advanced by
//! [`super::flow`]. The rotation's error is e = log(R R_iᵀ), told anew at the start of every step; within a step e' = ω - ω_i, and
//! R ← exp(∫ω dt) R. That is exact for rotations about one axis; else the spring's torque is off by about k |e| |ω| h/2 within a step of h, which does
//! not add up.

use super::flow::{Axis, Coefficients, Flow, Input, Slip};
use super::hand::SimHand;
use super::params::Handle;
use stiction::spatial::{self, Pose, Rotation, Vec3, Vec6};

/// Longest step taken at once (s): friction is looked after, and rotations are told anew, at least so often.
pub(super) const PIECE: f64 = 1e-3;

/// The handle's motion.
#[derive(Clone, Debug)]
pub(super) struct Body {
    handle: Handle,
    lag: f64,
    pub hand: SimHand,
    pub pose: Pose,
    pub twist: Vec6,
    /// The actuators' force now.
    pub force: Vec6,
    slip: [Slip; 6],
    /// Where the hand's end of the spring is.
    reached: Pose,
    /// Where it shall be after the next step.
    pub intent: Pose,
    flows: [Flow; 2],
}

impl Body {
    pub fn new(handle: Handle, lag: f64, hand: SimHand, pose: Pose) -> Body {
        let flows = [0, 1].map(|k| Flow::new(coefficients(&handle, lag, &hand, k), PIECE));
        Body {
            handle,
            lag,
            hand,
            pose,
            twist: Vec6::zeros(),
            force: Vec6::zeros(),
            slip: [Slip::Stuck; 6],
            reached: pose,
            intent: pose,
            flows,
        }
    }

    /// Rests at a pose, where the hand also wants it.
    pub fn place(&mut self, pose: Pose) {
        (self.pose, self.reached, self.intent) = (pose, pose, pose);
        self.kick(Vec6::zeros());
    }

    /// Gives it a velocity.
    pub fn kick(&mut self, twist: Vec6) {
        self.twist = twist;
        self.slip = std::array::from_fn(|i| Slip::of(twist[i]));
    }

    /// Advances under a constant command and push, while the hand's intent goes straight to where it shall be.
    pub fn advance(&mut self, seconds: f64, command: &Vec6, push: &Vec6) {
        let pieces = libm::ceil(seconds / PIECE).max(1.0);
        let piece = seconds / pieces;
        for k in 0..2 {
            let with = coefficients(&self.handle, self.lag, &self.hand, k);
            if !self.flows[k].is_for(&with, piece) {
                self.flows[k] = Flow::new(with, piece);
            }
        }
        let shift = self.intent.translation.vector - self.reached.translation.vector;
        let turn = spatial::log(&(self.intent.rotation * self.reached.rotation.inverse()));
        let intended = spatial::join(shift, turn) / seconds;
        for _ in 0..pieces as usize {
            self.piece(piece, &intended, command, push);
        }
        self.reached = self.intent;
        if self.hand == SimHand::Free {
            self.pose = self.intent;
        }
    }

    fn piece(&mut self, seconds: f64, intended: &Vec6, command: &Vec6, push: &Vec6) {
        let moved = moved(&self.reached, &(intended * seconds));
        if self.hand == SimHand::Free {
            self.force = Vec6::from_fn(|i, _| self.flows[i / 3].lagged(self.force[i], command[i]));
            self.reached = moved;
            self.kick(*intended);
            return;
        }
        let released = self.hand == SimHand::Released;
        let shift = self.pose.translation.vector - self.reached.translation.vector;
        let turn = spatial::log(&(self.pose.rotation * self.reached.rotation.inverse()));
        let error = if released { Vec6::zeros() } else { spatial::join(shift, turn) };
        let mut step = Vec6::zeros();
        for i in 0..6 {
            let mut axis = Axis { error: error[i], speed: self.twist[i], force: self.force[i] };
            let goes = if released { 0.0 } else { intended[i] };
            let input = Input { intended: goes, command: command[i], push: push[i] };
            self.flows[i / 3].advance(&mut axis, &mut self.slip[i], &input);
            step[i] = axis.error - error[i] + goes * seconds;
            (self.twist[i], self.force[i]) = (axis.speed, axis.force);
        }
        self.pose = self::moved(&self.pose, &step);
        self.reached = moved;
    }
}

fn coefficients(handle: &Handle, lag: f64, hand: &SimHand, k: usize) -> Coefficients {
    let grip = hand.grip().unwrap_or(super::hand::Grip::NONE);
    Coefficients {
        mass: handle.mass[k] + grip.mass[k],
        damping: handle.damping[k],
        hand_damping: grip.damping[k],
        stiffness: grip.stiffness[k],
        lag,
        friction: handle.friction[k],
        breakaway: handle.friction[k] * handle.breakaway,
    }
}

/// By a shift and a rotation vector from the left.
pub(super) fn moved(pose: &Pose, step: &Vec6) -> Pose {
    let (shift, turn) = spatial::halves(step);
    let rotation = if turn == Vec3::zeros() { pose.rotation } else { spatial::exp(&turn) * pose.rotation };
    Pose::from_parts((pose.translation.vector + shift).into(), Rotation::new_normalize(rotation.into_inner()))
}
