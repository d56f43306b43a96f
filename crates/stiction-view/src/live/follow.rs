//! The hand between a page's messages: it follows the pose that is asked for smoothly.
//!
//! A critically damped follower in each of three translations and three rotations, solved exactly over a tick of length h. With e the way from the goal and v its
//! velocity, e'' + 2 w e' + w² e = 0 gives
//!
//! ```text
//! c = (v + w e) h,    e(h) = (e + c) exp(-w h),    v(h) = (v - w c) exp(-w h)
//! ```
//!
//! A goal that moves at u is followed 2u/w behind; so a goal drawn near to 2 u_max/w bounds the speed by u_max. Messages come some 60 times a second, and 2/w is about as
//! long as a frame: their steps are smoothed out. After a change of who moves the hand the bound is lower until the hand has arrived, so that taking over never jerks.

use stiction::spatial::{self, Pose, Rotation, Vec3, Vec6, join};

/// w (1/s).
const QUICK: f64 = 120.0;
/// Fastest motion (m/s) and rotation (rad/s): below what the envelope calls over-speed.
const FAST: [f64; 2] = [0.6, 6.0];
/// The same while a take-over is on its way.
const GENTLE: [f64; 2] = [0.08, 1.0];
/// Nearer than this the take-over is over (m, rad).
const ARRIVED: [f64; 2] = [2e-4, 2e-3];

/// A hand that follows a goal.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    pose: Pose,
    /// Velocities (m/s, rad/s).
    velocity: [Vec3; 2],
    gentle: bool,
    /// How many times faster than on a desk it moves: in worlds of metres.
    stretch: f64,
}

impl Follower {
    /// A hand at rest.
    pub fn new(pose: Pose) -> Self {
        Follower { pose, velocity: [Vec3::zeros(); 2], gentle: false, stretch: 1.0 }
    }

    /// The same in a world in which a hand goes so many times as far as its handle.
    #[must_use]
    pub fn stretched(self, stretch: f64) -> Self {
        Follower { stretch, ..self }
    }

    /// Its velocity (m/s, rad/s, world), at its origin.
    pub fn twist(&self) -> Vec6 {
        join(self.velocity[0], self.velocity[1])
    }

    /// Pose of the hand (world from part).
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Somebody else moves it from now on.
    pub fn taken_over(&mut self) {
        self.gentle = true;
    }

    /// A tick of `h` seconds towards a goal; a goal that is no pose leaves it where it is.
    pub fn follow(&mut self, goal: &Pose, h: f64) -> &Pose {
        let away = self.pose.translation.vector - goal.translation.vector;
        let turned = spatial::log(&(self.pose.rotation * goal.rotation.inverse()));
        if !(away.norm() + turned.norm()).is_finite() {
            return &self.pose;
        }
        if away.norm() < ARRIVED[0] * self.stretch && turned.norm() < ARRIVED[1] {
            self.gentle = false;
        }
        let bounds = if self.gentle { GENTLE } else { FAST };
        let decay = libm::exp(-QUICK * h);
        let [moved, rotated] = [0, 1].map(|i| {
            let all = [away, turned][i];
            let e = shortened(&all, 2.0 * bounds[i] * [self.stretch, 1.0][i] / QUICK);
            let c = (self.velocity[i] + e * QUICK) * h;
            self.velocity[i] = (self.velocity[i] - c * QUICK) * decay;
            (e + c) * decay - e
        });
        let rotation = spatial::exp(&rotated) * self.pose.rotation;
        let at = self.pose.translation.vector + moved;
        self.pose = Pose::from_parts(at.into(), Rotation::new_normalize(rotation.into_inner()));
        &self.pose
    }
}

fn shortened(v: &Vec3, most: f64) -> Vec3 {
    let length = v.norm();
    if length > most { v * (most / length) } else { *v }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal() -> Pose {
        Pose::from_parts(Vec3::new(0.1, -0.05, 0.02).into(), spatial::exp(&Vec3::new(0.3, 0.0, -0.9)))
    }

    #[test]
    fn it_arrives_and_stays() {
        let mut hand = Follower::new(Pose::identity());
        for _ in 0..3000 {
            hand.follow(&goal(), 1e-3);
        }
        assert!((hand.pose().translation.vector - goal().translation.vector).norm() < 1e-12);
        assert!((hand.pose().rotation * goal().rotation.inverse()).angle() < 1e-7);
    }

    #[test]
    fn a_step_agrees_with_a_numerical_solution() {
        // e'' + 2we' + w²e = 0 by 1000 small explicit steps, from e = 1 mm at rest.
        let (mut e, mut v, n) = (1e-3, 0.0, 1000);
        for _ in 0..5 * n {
            let a = -QUICK * QUICK * e - 2.0 * QUICK * v;
            v += a * 1e-3 / f64::from(n);
            e += v * 1e-3 / f64::from(n);
        }
        let mut hand = Follower::new(Pose::translation(1e-3, 0.0, 0.0));
        for _ in 0..5 {
            hand.follow(&Pose::identity(), 1e-3);
        }
        assert!((hand.pose().translation.x - e).abs() < 1e-6, "{} for {e}", hand.pose().translation.x);
    }

    #[test]
    fn no_goal_makes_it_faster_than_the_envelope_allows_or_jump() {
        let mut hand = Follower::new(Pose::identity());
        let mut last = *hand.pose();
        for i in 0..4000 {
            let far = Pose::from_parts(
                Vec3::new(if i % 700 < 350 { 5.0 } else { -5.0 }, 0.0, 0.0).into(),
                spatial::exp(&Vec3::new(0.0, f64::from(i % 3), 0.0)),
            );
            let pose = *hand.follow(&far, 1e-3);
            assert!((pose.translation.vector - last.translation.vector).norm() < 1.5e-3);
            assert!((pose.rotation * last.rotation.inverse()).angle() < 15e-3);
            last = pose;
        }
    }

    #[test]
    fn a_take_over_is_slow_until_it_has_arrived() {
        let mut hand = Follower::new(Pose::identity());
        hand.taken_over();
        let goal = Pose::translation(0.05, 0.0, 0.0);
        let mut fastest: f64 = 0.0;
        let mut last = 0.0;
        for _ in 0..1500 {
            let x = hand.follow(&goal, 1e-3).translation.x;
            fastest = fastest.max((x - last) * 1e3);
            last = x;
        }
        assert!(fastest < 1.2 * GENTLE[0] && (last - 0.05).abs() < 1e-6, "{fastest} m/s, at {last}");
    }

    /// Bodies that are let go of fly on with it.
    #[test]
    fn its_velocity_is_that_of_its_pose() {
        let mut hand = Follower::new(Pose::identity()).stretched(20.0);
        let mut fastest: f64 = 0.0;
        for i in 0..400 {
            let goal = Pose::translation(3.0 * libm::sin(f64::from(i) * 0.01), 0.0, 0.0);
            let (last, before) = (*hand.pose(), hand.twist()[0]);
            hand.follow(&goal, 1e-4);
            // By the trapezoid of both ends, whose error is (w h)²/12 of the change: 1e-5.
            let mean = (hand.pose().translation.x - last.translation.x) / 1e-4;
            let told = 0.5 * (before + hand.twist()[0]);
            fastest = fastest.max(mean);
            assert!((told - mean).abs() < 1e-3 * (1.0 + mean.abs()), "{told} for {mean}");
        }
        assert!(fastest > 2.0, "{fastest} m/s: faster than on a desk");
    }

    #[test]
    fn a_goal_that_is_no_pose_is_ignored() {
        let mut hand = Follower::new(goal());
        hand.follow(&Pose::translation(f64::NAN, 0.0, 0.0), 1e-3);
        assert_eq!(hand.pose(), &goal());
    }
}
