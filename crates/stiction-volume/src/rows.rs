//! Springs and dampers between two bodies as rows of a constraint: e error, J_a and J_b how velocities change it.
//!
//! A row's force on its coordinate is taken at the end of the step, f = -k (e + h v') - d v' with v' = J_a v_a' + J_b v_b', so that a spring may be as stiff as it likes: see [`crate::system`].

use crate::body::BodyState;
use crate::joint::{Drive, Joint, JointKind};
use crate::model::Model;
use stiction::spatial::{Mat3, Rotation, Vec3, log};

/// Most rows of a joint: a hinge with a drive and at a limit has 7.
pub(crate) const MOST_ROWS: usize = 7;

/// A row of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointRow {
    /// Parts of J_b that multiply velocity and angular velocity of b; J_a has the negative of the first, and its own second.
    pub along: Vec3,
    pub turn: [Vec3; 2],
    /// Error (m or rad).
    pub error: f64,
    /// Spring and damper.
    pub stiffness: f64,
    pub damping: f64,
    /// Velocity that the damper lets pass.
    pub wanted: f64,
    /// Largest size of the force.
    pub most: f64,
}

/// A joint in an engine.
#[derive(Clone, Debug)]
pub(crate) struct JointModel {
    pub joint: Joint,
    /// Where it is in the axes of either body, from the centre of mass (m).
    levers: [Vec3; 2],
    /// The hinge's axis in the axes of either body.
    axes: [Vec3; 2],
    /// Orientation of b in the axes of a at the start.
    a_from_b: Rotation,
    /// Stiffness along (N/m), about (N m/rad), and their damping.
    stiffness: [f64; 2],
    damping: [f64; 2],
}

impl JointModel {
    /// A joint of bodies as they are now. Springs are critically damped for the reduced mass.
    pub fn new(joint: Joint, model: &Model, states: &[BodyState], period: f64) -> Self {
        let local = |i: usize| states[joint.bodies[i]].pose.rotation.inverse();
        let lever = |i: usize| local(i) * (joint.at - states[joint.bodies[i]].centre);
        let axis = if let JointKind::Hinge(axis) = joint.kind { axis.normalize() } else { Vec3::z() };
        let inverse: f64 = joint.bodies.iter().map(|b| model.bodies[*b].inverse_mass()).sum();
        let mass = 1.0 / inverse;
        let stiffness = joint.stiffness.unwrap_or(STIFF * mass / (period * period));
        // Rotation is held as by springs at the distance of the smaller body's radius.
        let radius = joint.bodies.iter().map(|b| model.bodies[*b].radius).fold(f64::INFINITY, f64::min);
        let torsion = stiffness * radius * radius;
        let damping = 2.0 * (stiffness * mass).sqrt();
        JointModel {
            levers: [lever(0), lever(1)],
            axes: [local(0) * axis, local(1) * axis],
            a_from_b: local(0) * states[joint.bodies[1]].pose.rotation,
            stiffness: [stiffness, torsion],
            damping: [damping, damping * radius * radius],
            joint,
        }
    }

    /// From a body's centre of mass to the joint (m, world): of the first or the second body.
    pub fn lever(&self, which: usize, states: &[BodyState]) -> Vec3 {
        states[self.joint.bodies[which]].pose.rotation * self.levers[which]
    }

    /// Puts the joint's rows into a list, and returns how many there are.
    pub fn rows(&self, states: &[BodyState], time: f64, out: &mut [JointRow; MOST_ROWS]) -> usize {
        let [a, b] = self.joint.bodies.map(|i| &states[i]);
        let turn = [a.pose.rotation, b.pose.rotation];
        let [lever_a, lever_b] = [0, 1].map(|which| self.lever(which, states));
        let error = (b.centre + lever_b) - (a.centre + lever_a);
        let mut count = 0;
        let mut add = |row: JointRow| {
            out[count] = row;
            count += 1;
        };
        let [(stiffness, damping), (torsion, torsion_damping)] =
            [(self.stiffness[0], self.damping[0]), (self.stiffness[1], self.damping[1])];
        for i in 0..3 {
            let along = Vec3::ith(i, 1.0);
            // v_b + ω_b × r_b - v_a - ω_a × r_a
            let turn = [-lever_a.cross(&along), lever_b.cross(&along)];
            add(JointRow { along, turn, error: error[i], stiffness, damping, wanted: 0.0, most: f64::INFINITY });
        }
        let about = |axis: Vec3, error: f64, stiffness: f64, damping: f64| JointRow {
            along: Vec3::zeros(),
            turn: [-axis, axis],
            error,
            stiffness,
            damping,
            wanted: 0.0,
            most: f64::INFINITY,
        };
        // The rotation of b beyond where it was to a at the start, in the axes of the world.
        let beyond = turn[1] * (turn[0] * self.a_from_b).inverse();
        match self.joint.kind {
            JointKind::Ball => {
                if let Some(drive) = self.joint.drive {
                    let rotation = log(&beyond);
                    for i in 0..3 {
                        let row = about(Vec3::ith(i, 1.0), rotation[i], drive.stiffness, drive.damping);
                        add(JointRow { most: drive.most(), ..row });
                    }
                }
            }
            JointKind::Hinge(_) => {
                let axes = [turn[0] * self.axes[0], turn[1] * self.axes[1]];
                let tilt = axes[0].cross(&axes[1]);
                let least = Vec3::ith(axes[0].abs().imin(), 1.0);
                let u = axes[0].cross(&least).normalize();
                for across in [u, axes[0].cross(&u)] {
                    add(about(across, tilt.dot(&across), torsion, torsion_damping));
                }
                let q = beyond.quaternion();
                let mut angle = 2.0 * libm::atan2(q.vector().dot(&axes[0]), q.w);
                if angle > std::f64::consts::PI {
                    angle -= std::f64::consts::TAU;
                } else if angle < -std::f64::consts::PI {
                    angle += std::f64::consts::TAU;
                }
                if let Some(drive) = &self.joint.drive {
                    let (target, speed) = drive.target(time);
                    let row = about(axes[0], angle - target, drive.stiffness, drive.damping);
                    add(JointRow { wanted: speed, most: drive.most(), ..row });
                }
                if let Some([least, most]) = self.joint.limits {
                    let over = angle - angle.clamp(least, most);
                    if over != 0.0 {
                        add(about(axes[0], over, torsion, torsion_damping));
                    }
                }
            }
        }
        count
    }
}

/// Stiffness of joints in units of the reduced mass by the square of the period.
const STIFF: f64 = 100.0;

impl Drive {
    /// The angle and angular velocity that the drive wants at a time.
    fn target(&self, time: f64) -> (f64, f64) {
        let rate = std::f64::consts::TAU * self.frequency;
        let phase = rate * time + std::f64::consts::TAU * self.phase;
        let angle = self.offset + self.amplitude * libm::sin(phase);
        (angle, self.amplitude * rate * libm::cos(phase) + self.speed)
    }

    /// The largest torque; a drive without one has no limit.
    fn most(&self) -> f64 {
        if self.max_torque > 0.0 { self.max_torque } else { f64::INFINITY }
    }
}

impl JointRow {
    /// The relative velocity of a row.
    pub fn velocity(&self, a: &BodyState, b: &BodyState) -> f64 {
        self.along.dot(&(b.velocity - a.velocity)) + self.turn[0].dot(&a.spin) + self.turn[1].dot(&b.spin)
    }
}

/// K of a spring from a hand at a body's centre: translation and rotation apart.
pub(crate) fn blocks(translation: f64, rotation: &Mat3) -> stiction::spatial::Mat6 {
    let mut k = stiction::spatial::Mat6::zeros();
    k.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * translation));
    k.fixed_view_mut::<3, 3>(3, 3).copy_from(rotation);
    k
}
