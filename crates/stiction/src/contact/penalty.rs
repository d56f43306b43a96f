//! Penalty forces of the touching points and how they change with the part's pose.
//!
//! Equations (1)-(3) of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming*, derived again for both
//! layouts. F = k δ N with δ = -d > 0 the depth, N the unit direction of the force on the part, r the point relative to the
//! part's centre, and e the direction in which a motion of the touching material lowers the depth, so that
//! dδ = -eᵀ(dx + dω × r):
//!
//! ```text
//! shell on the held part, field fixed:   N = -n (shell normal),  e = ∇d          N and r turn with the part
//! shell fixed, field on the held part:   N = +n,                 e = -∇d         N is fixed, r = p - x
//!
//! with J_N = (N, r × N), J_e = (e, r × e), τ = r × F and h = ∂(k δ)/∂δ:
//!
//! K = -h J_N J_eᵀ + [ 0  -[F]× ]     shell held        K = -h J_N J_eᵀ + [  0    0 ]     shell fixed
//!                   [ 0  -[τ]× ]                                         [ [F]×  0 ]
//! ```
//!
//! A shell point on an edge of its part has no normal of its own: the mean of its faces' normals pushes askew a part that lies flat
//! on the other one. There the field decides, N = e/|e|, which is fixed where the field is fixed and turns with the part where that
//! carries it, and the geometric terms are
//!
//! ```text
//! shell held:  [ 0     0    ]        shell fixed:  [  0     -[F]×     ]
//!              [ 0  [F]×[r]× ]                     [ [F]×  -[r]×[F]× ]
//! ```
//!
//! (but for the field's curvature, which a lattice does not know well enough). Most terms are linear in F and τ and are added once, for
//! the totals. Deviations: (2)-(3) hold for the fixed shell with e = N only; for the shell on the held part they miss terms of the
//! order of depth over lever arm, and with N and e apart by 25° they are off by 43 %. The paper takes the shell's normals everywhere. As it prints them they are
//! [`printed_stiffness`], for the contact model of the paper.

use crate::spatial::{Mat3, Mat6, Vec3, Vec6, cross_matrix, join};

/// Which of the two parts carries the point shell; the other one carries the distance field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellOn {
    /// The held part, as the starter motor of the paper's section 5.1.
    Held,
    /// The fixed part, as in its sections 5.2 and 5.4.
    Fixed,
    /// Both, so that no edge of the one passes between the points of the other: hard contacts only.
    Both,
}

/// A shell point inside the other part's field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Its number in the shell.
    pub point: u32,
    /// Where it is, relative to the held part's centre, in world axes (m).
    pub arm: Vec3,
    /// N, unit.
    pub normal: Vec3,
    /// e: about N, and about of unit length.
    pub easing: Vec3,
    /// N is e/|e|, not the shell's normal.
    pub by_field: bool,
    /// How well shell and field agree about the way out, 0 to 1: see [`agreement`].
    pub agreement: f64,
    /// δ (m), above zero.
    pub depth: f64,
    /// k (N/m), from the stiffness budget.
    pub stiffness: f64,
    /// h (N/m), at least k.
    pub slope: f64,
}

impl Touch {
    /// k δ (N).
    pub fn force(&self) -> f64 {
        self.stiffness * self.depth
    }
}

/// Cosine of the angle between shell normal and field gradient from which on a contact counts in full.
pub const AGREEMENT: f64 = 0.25;
/// The same for a point on an edge, between gradient and the nearest of its faces' normals: from here, where it counts for nothing, up to
/// the second, where it does in full. Stricter, because there the force follows the gradient: past 45° the field means another face of its
/// part, and would push the edge along the wall that it leans on.
pub const EDGE_AGREEMENT: [f64; 2] = [0.7, 0.95];

/// How much a contact counts whose shell normal and field gradient have this cosine: points that came through a thin wall, or sit on the
/// far side of a thin plate, fade out.
pub fn agreement(cosine: f64, on_edge: bool) -> f64 {
    let [none, full] = if on_edge { EDGE_AGREEMENT } else { [0.0, AGREEMENT] };
    smoothstep((cosine - none) / (full - none))
}

/// 3x² - 2x³ between 0 and 1.
pub fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// The total wrench of the penalty forces about the part's centre.
pub fn wrench(touches: &[Touch]) -> Vec6 {
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for touch in touches {
        let f = touch.normal * touch.force();
        force += f;
        torque += touch.arm.cross(&f);
    }
    join(force, torque)
}

/// The exact derivative of [`wrench`] for frozen shares of the stiffness budget and a field without curvature.
pub fn stiffness(touches: &[Touch], shell_on: ShellOn) -> Mat6 {
    let mut k = [[0.0; 6]; 6];
    // Forces and torques of the points with the shell's normals, and what those with the field's add.
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    let (mut field_force, mut twist) = (Vec3::zeros(), Mat3::zeros());
    for touch in touches {
        let n = join(touch.normal, touch.arm.cross(&touch.normal)) * -touch.slope;
        let e = join(touch.easing, touch.arm.cross(&touch.easing));
        for column in 0..6 {
            for row in 0..6 {
                k[column][row] += n[row] * e[column];
            }
        }
        let f = touch.normal * touch.force();
        if touch.by_field {
            field_force += f;
            let (f, r) = (cross_matrix(f), cross_matrix(touch.arm));
            twist += if shell_on == ShellOn::Held { f * r } else { -r * f };
        } else {
            force += f;
            torque += touch.arm.cross(&f);
        }
    }
    let mut k = Mat6::from_fn(|row, column| k[column][row]);
    match shell_on {
        ShellOn::Held => {
            add(&mut k, 0, 3, -cross_matrix(force));
            add(&mut k, 3, 3, twist - cross_matrix(torque));
        }
        ShellOn::Fixed | ShellOn::Both => {
            add(&mut k, 0, 3, -cross_matrix(field_force));
            add(&mut k, 3, 0, cross_matrix(force + field_force));
            add(&mut k, 3, 3, twist);
        }
    }
    k
}

/// The derivative that the friction paper prints as its equations (2)-(3), with k for h: that of a fixed shell with e = N, whatever the shell's part. With the
/// shell on the held part it misses terms of the order of depth over lever arm.
pub fn printed_stiffness(touches: &[Touch]) -> Mat6 {
    let mut k = Mat6::zeros();
    let mut force = Vec3::zeros();
    for touch in touches {
        let n = join(touch.normal, touch.arm.cross(&touch.normal));
        k -= n * (n * touch.stiffness).transpose();
        force += touch.normal * touch.force();
    }
    add(&mut k, 3, 0, cross_matrix(force));
    k
}

/// The derivative without geometric terms and with e = N: symmetric and negative semidefinite whatever the contacts.
pub fn plain_stiffness(touches: &[Touch]) -> Mat6 {
    let mut k = Mat6::zeros();
    for touch in touches {
        let n = join(touch.normal, touch.arm.cross(&touch.normal));
        k -= n * (n * touch.slope).transpose();
    }
    k
}

fn add(k: &mut Mat6, row: usize, column: usize, block: Mat3) {
    let mut view = k.fixed_view_mut::<3, 3>(row, column);
    view += block;
}
