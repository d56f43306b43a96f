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
