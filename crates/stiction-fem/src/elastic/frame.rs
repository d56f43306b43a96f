//! The rotation of a body that deforms: the one that fits its nodes best.
//!
//! With A = Σ w_i (x_i - c)(X_i - C)ᵀ, the rotation that minimises Σ w_i ‖x_i - c - R (X_i - C)‖² is the orthogonal part of A. Found by Newton's method on the rotation from the last one, after
//! M. Müller et al., *A robust method to extract the rotational part of deformations* (2016): ω = Σ r_k × a_k / |Σ r_k · a_k|, R ← exp(ω) R, where r_k and a_k are the columns of R and A.

use stiction::spatial::{Mat3, Rotation, Vec3, exp};

/// The most steps; from the last rotation of a moving body three are enough.
const STEPS: u32 = 60;

/// The rotation nearest to a matrix, from a rotation that is near it.
pub fn best_rotation(matrix: &Mat3, from: &Rotation) -> Rotation {
    let mut rotation = *from;
    let size = matrix.norm();
    if !(size > 0.0 && size.is_finite()) {
        return rotation;
    }
    for _ in 0..STEPS {
        let r = rotation.to_rotation_matrix().into_inner();
        let mut turn = Vec3::zeros();
        let mut along = 0.0;
        for k in 0..3 {
            let (r, a) = (r.column(k).into_owned(), matrix.column(k).into_owned());
            turn += r.cross(&a);
            along += r.dot(&a);
        }
        let step = turn / (along.abs() + 1e-9 * size);
        if step.norm() < 1e-15 {
            break;
        }
        rotation = Rotation::new_normalize((exp(&step) * rotation).into_inner());
    }
    rotation
}
