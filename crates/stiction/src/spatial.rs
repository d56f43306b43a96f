//! Spatial vectors: three- and six-dimensional quantities in the world frame.
//!
//! A wrench is (force, torque) in N and N m, force first, about the held part's centre of mass. A twist, used
//! for the small step of the part in one tick, is (translation, rotation) in m and rad, translation first.
//! A rotation update is a left, world-frame one: R ← exp(\[Δω\]×) R.

/// A three-dimensional vector in the world frame.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A wrench (force, torque) or a twist (translation, rotation).
pub type Vec6 = nalgebra::Vector6<f64>;
/// A 3 × 3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A 6 × 6 matrix that maps twists to wrenches, or back.
pub type Mat6 = nalgebra::Matrix6<f64>;

/// A six-vector from its two halves: (force, torque) or (translation, rotation).
pub fn join(first: Vec3, second: Vec3) -> Vec6 {
    Vec6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

/// The cross-product matrix `[v]×`, with `[v]× w = v × w` (equation (4) of the friction paper).
pub fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

/// A rotation.
pub type Rotation = nalgebra::UnitQuaternion<f64>;
/// A rigid motion: rotation, then translation.
pub type Pose = nalgebra::Isometry3<f64>;

/// Where a part is, told by its centre of mass: the point about which wrenches act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The centre of mass (m).
    pub centre: Vec3,
    /// From the part's axes to the world's.
    pub rotation: Rotation,
}

impl Frame {
    /// The frame of a part at `world_from_part` whose centre of mass is at `centre` in its own axes.
    pub fn of(world_from_part: &Pose, centre: &Vec3) -> Self {
        let rotation = world_from_part.rotation;
        Frame { centre: world_from_part.translation.vector + rotation * centre, rotation }
    }

    /// Back to the pose of the part.
    pub fn pose(&self, centre: &Vec3) -> Pose {
        Pose::from_parts((self.centre - self.rotation * centre).into(), self.rotation)
    }

    /// Takes a step (Δx, Δω): the centre moves by Δx and R ← exp(\[Δω\]×) R. A zero rotation changes no bit.
    pub fn moved(&self, step: &Vec6) -> Self {
        let (translation, rotation) = halves(step);
        let turned = if rotation == Vec3::zeros() {
            self.rotation
        } else {
            Rotation::new_normalize((exp(&rotation) * self.rotation).into_inner())
        };
        Frame { centre: self.centre + translation, rotation: turned }
    }
}

/// The two halves of a six-vector.
pub fn halves(v: &Vec6) -> (Vec3, Vec3) {
    (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]))
}

/// The rotation about the direction of `v` by its length in rad.
pub fn exp(v: &Vec3) -> Rotation {
    let angle = v.norm();
    let half = 0.5 * angle;
    // sin(a/2)/a, by its series where the quotient would lose digits.
    let s = if angle < 1e-4 { 0.5 - angle * angle / 48.0 } else { libm::sin(half) / angle };
    let q = nalgebra::Quaternion::new(libm::cos(half), s * v.x, s * v.y, s * v.z);
    Rotation::new_normalize(q)
}

/// The rotation vector of a rotation, of length 0 to π: [`exp`] undone.
pub fn log(rotation: &Rotation) -> Vec3 {
    let q = rotation.quaternion();
    let (w, v) = if q.w < 0.0 { (-q.w, -Vec3::new(q.i, q.j, q.k)) } else { (q.w, Vec3::new(q.i, q.j, q.k)) };
    let sine = v.norm();
    // a/sin(a/2) with a = 2 atan2(sine, w); for small angles 2/w (1 - sine²/(3 w²)).
    let scale =
        if sine < 1e-4 { 2.0 / w * (1.0 - sine * sine / (3.0 * w * w)) } else { 2.0 * libm::atan2(sine, w) / sine };
    v * scale
}
