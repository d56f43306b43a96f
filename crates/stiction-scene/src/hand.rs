//! How the hand moves: the pose of the device, as the held part would have it if nothing were in its way.
//!
//! Between keyframes and in the moves of a script the way follows the minimum-jerk law of T. Flash and N. Hogan, *The
//! coordination of arm movements* (1985), equation (3): s(u) = 10u³ - 15u⁴ + 6u⁵ of the straight way, and of the rotation vector
//! from one rotation to the next. Rows of a recording are connected by straight lines, and steady moves of a script are straight lines too.
//!
//! Keyframes and recordings tell rotations, which do not say how the hand came there: it turns the shortest way, by at most half a turn. Both ways
//! are equally short for exactly half a turn; then it turns right-handed about that of the two opposite axes which points up, or, where both are
//! level, along y, or else along x. A turn of a script is a rotation vector and turns by its whole length, however many turns that is.

use std::f64::consts::TAU;
use std::sync::Arc;
use stiction::spatial::{self, Pose, Rotation, Vec3, Vec6};

/// A motion of the hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    pieces: Arc<[Piece]>,
    /// Where it stays in the end.
    last: Pose,
    /// What all poses are relative to.
    frame: Pose,
    seconds: f64,
    /// Steps of position (m) and rotation (rad) that the encoders can tell; 0 for all.
    encoder: [f64; 2],
}

/// A piece of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    begin: f64,
    seconds: f64,
    from: Pose,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    /// By a shift and a rotation vector, both from the left.
    Smooth {
        shift: Vec3,
        turn: Vec3,
    },
    /// The same without rest at its ends.
    Straight {
        shift: Vec3,
        turn: Vec3,
    },
    Shake {
        amplitude: Vec3,
        period: f64,
    },
    Stay,
}

/// One movement of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// Shifts (m) in some seconds.
    Shift(Vec3, f64),
    /// Turns by a rotation vector (rad, of any length) about world axes through the part's origin in some seconds.
    Turn(Vec3, f64),
    /// Shifts (m) and turns by a rotation vector (rad) at once in some seconds: along a helix where both have one direction.
    ShiftTurn(Vec3, Vec3, f64),
    /// The same at a steady speed from its beginning to its end.
    Steady(Vec3, Vec3, f64),
    /// Stays for some seconds.
    Wait(f64),
    /// Moves to and fro by an amplitude (m) with a period (s) for some seconds.
    Shake(Vec3, f64, f64),
    /// Shifts (m) at once.
    Jump(Vec3),
}

/// The minimum-jerk law: 0 at 0, 1 at 1, at rest and without acceleration in both.
pub fn minimum_jerk(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

impl Piece {
    fn at(&self, t: f64) -> Pose {
        let elapsed = (t - self.begin).clamp(0.0, self.seconds);
        let u = if self.seconds > 0.0 { elapsed / self.seconds } else { 1.0 };
        match self.how {
            How::Smooth { shift, turn } => moved(&self.from, &shift, &turn, minimum_jerk(u)),
            How::Straight { shift, turn } => moved(&self.from, &shift, &turn, u),
            How::Shake { amplitude, period } => {
                moved(&self.from, &amplitude, &Vec3::zeros(), libm::sin(TAU * (elapsed / period)))
            }
            How::Stay => self.from,
        }
    }
}

impl Piece {
    /// Velocity and angular velocity (m/s, rad/s).
    fn velocity_at(&self, t: f64) -> (Vec3, Vec3) {
        let elapsed = t - self.begin;
        if !(0.0..self.seconds).contains(&elapsed) {
            return (Vec3::zeros(), Vec3::zeros());
        }
        let u = elapsed / self.seconds;
        match self.how {
            How::Smooth { shift, turn } => {
                // ds/du = 30 u² (1 - u)²
                let rate = 30.0 * (u * (1.0 - u)).powi(2) / self.seconds;
                (shift * rate, turn * rate)
            }
            How::Straight { shift, turn } => (shift / self.seconds, turn / self.seconds),
            How::Shake { amplitude, period } => {
                (amplitude * (TAU / period * libm::cos(TAU * (elapsed / period))), Vec3::zeros())
            }
            How::Stay => (Vec3::zeros(), Vec3::zeros()),
        }
    }
}

fn moved(from: &Pose, shift: &Vec3, turn: &Vec3, s: f64) -> Pose {
    let rotation = if *turn == Vec3::zeros() { from.rotation } else { spatial::exp(&(turn * s)) * from.rotation };
    Pose::from_parts((from.translation.vector + shift * s).into(), Rotation::new_normalize(rotation.into_inner()))
}

/// Shift and rotation vector from one pose to another, the shortest way.
fn between(from: &Pose, to: &Pose) -> (Vec3, Vec3) {
    let turn = to.rotation * from.rotation.inverse();
    (to.translation.vector - from.translation.vector, shortest(&turn))
}

/// Cosine of half the angle below which a turn counts as exactly half a turn.
const HALF_TURN: f64 = 1e-9;

/// The rotation vector of a rotation, of length 0 to π. Of the two of a half turn it is the one whose last component other than zero is positive.
fn shortest(rotation: &Rotation) -> Vec3 {
    let turn = spatial::log(rotation);
    if rotation.quaternion().w.abs() > HALF_TURN {
        return turn;
    }
    let last = turn.iter().rev().find(|x| x.abs() > HALF_TURN * turn.norm());
    if last.is_some_and(|x| *x < 0.0) { -turn } else { turn }
}

impl Hand {
    /// A hand that stays at a pose.
    pub fn resting(pose: Pose) -> Hand {
        Hand { pieces: Arc::new([]), last: pose, frame: Pose::identity(), seconds: 0.0, encoder: [0.0; 2] }
    }

    /// A hand that moves through poses at increasing times, at rest in each of them.
    pub fn keyframes(frames: &[(f64, Pose)]) -> Hand {
        Self::through(frames, |shift, turn| How::Smooth { shift, turn })
    }

    /// A hand that moves along a recording: straight from one of its poses, at increasing times, to the next.
    pub fn recorded(frames: &[(f64, Pose)]) -> Hand {
        Self::through(frames, |shift, turn| How::Straight { shift, turn })
    }

    fn through(frames: &[(f64, Pose)], how: impl Fn(Vec3, Vec3) -> How) -> Hand {
        let (seconds, last) = frames.last().copied().unwrap_or((0.0, Pose::identity()));
        let pieces = frames.windows(2).map(|pair| {
            let [(begin, from), (end, to)] = [pair[0], pair[1]];
            let (shift, turn) = between(&from, &to);
            Piece { begin, seconds: end - begin, from, how: how(shift, turn) }
        });
        Hand { pieces: pieces.collect(), last, frame: Pose::identity(), seconds, encoder: [0.0; 2] }
    }

    /// A hand that makes one movement after the other.
    pub fn script(from: Pose, moves: &[Move]) -> Hand {
        let (mut begin, mut here) = (0.0, from);
        let mut pieces = Vec::new();
        for step in moves {
            let (how, seconds) = match *step {
                Move::Shift(shift, seconds) => (How::Smooth { shift, turn: Vec3::zeros() }, seconds),
                Move::Turn(turn, seconds) => (How::Smooth { shift: Vec3::zeros(), turn }, seconds),
                Move::ShiftTurn(shift, turn, seconds) => (How::Smooth { shift, turn }, seconds),
                Move::Steady(shift, turn, seconds) => (How::Straight { shift, turn }, seconds),
                Move::Wait(seconds) => (How::Stay, seconds),
                Move::Shake(amplitude, period, seconds) => (How::Shake { amplitude, period }, seconds),
                Move::Jump(shift) => {
                    here = moved(&here, &shift, &Vec3::zeros(), 1.0);
                    continue;
                }
            };
            let piece = Piece { begin, seconds, from: here, how };
            begin += seconds;
            here = piece.at(begin);
            pieces.push(piece);
        }
        Hand { pieces: pieces.into(), last: here, frame: Pose::identity(), seconds: begin, encoder: [0.0; 2] }
    }

    /// A hand that begins where this one does and makes one movement after the other, told in the same axes.
    pub fn scripted(&self, moves: &[Move]) -> Hand {
        let from = self.pieces.first().map_or(self.last, |piece| piece.at(0.0));
        Hand { encoder: self.encoder, ..Hand::script(from, moves).in_frame(self.frame) }
    }

    /// The same motion, rounded as encoders with these steps (m, rad) do; 0 does not round.
    pub fn with_encoder(mut self, step: f64, step_rad: f64) -> Hand {
        self.encoder = [step, step_rad];
        self
    }

    /// The same motion, with its poses told in another frame (world from frame).
    pub fn in_frame(mut self, frame: Pose) -> Hand {
        self.frame = frame;
        self
    }

    /// Its pose (world from part) at a time. Before and after its motion it rests. Allocates nothing.
    pub fn pose(&self, t: f64) -> Pose {
        // The last piece that has begun.
        let begun = self.pieces.partition_point(|p| p.begin <= t);
        let pose = match self.pieces.get(begun.max(1) - 1) {
            Some(piece) if t < self.seconds => piece.at(t),
            _ => self.last,
        };
        self.quantised(self.frame * pose)
    }

    /// Its velocity at a time (m/s, rad/s, world), as it intends to move whatever its encoders tell; zero where it jumps. Allocates nothing.
    pub fn twist(&self, t: f64) -> Vec6 {
        let begun = self.pieces.partition_point(|p| p.begin <= t);
        let (velocity, spin) = match self.pieces.get(begun.max(1) - 1) {
            Some(piece) if t < self.seconds => piece.velocity_at(t),
            _ => (Vec3::zeros(), Vec3::zeros()),
        };
        spatial::join(self.frame.rotation * velocity, self.frame.rotation * spin)
    }

    /// Length of the motion (s).
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    fn quantised(&self, mut pose: Pose) -> Pose {
        let [step, step_rad] = self.encoder;
        if step > 0.0 {
            pose.translation.vector.apply(|x| *x = libm::rint(*x / step) * step);
        }
        if step_rad > 0.0 {
            let mut turn = spatial::log(&pose.rotation);
            turn.apply(|x| *x = libm::rint(*x / step_rad) * step_rad);
            pose.rotation = spatial::exp(&turn);
        }
        pose
    }
}
