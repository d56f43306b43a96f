//! Whether a part that does not slide moves all the same: it rolls on its contacts, or turns about them.
//!
//! **What elasticity explains.** A contact that pushes and does not slide keeps its material within ε of an anchor along the surface
//! (`hard/memory.rs`), and within its elastic depth, at most ε/2, along the normal. While the same contacts hold a part, material at a contact is
//! therefore never further than √((2ε)² + (ε/2)²) < 2.1 ε from where it was before, however the load varies. A part whose contacts are spread over
//! a lever ℓ magnifies that: its farthest point, at the radius L, moves by L/ℓ as much.
//!
//! **What rolling does.** The material at the contact of a cylinder of radius R that has rolled by an angle θ was R(1 - cos θ) above the surface before,
//! and R(θ - sin θ) behind: it has moved by about Rθ²/2, which passes any bound as the cylinder rolls on, while no contact slides. A part
//! that tips over an edge does not move at the edge, but far away from it.
//!
//! **Criterion.** A pose P₀ trails behind the part. With u(p) = p - P₀P⁻¹p, the motion of the material that is now at p,
//!
//! ```text
//! m = max( |u(p_i)| of all contacts i that push,  SPREAD · the motion of the farthest point )
//! the part rolls in this tick  ⟺  m > LIMIT · ε,  and it is further than where P₀ was left
//! ```
//!
//! As slip drags a contact's anchor, rolling drags P₀, back to m ≈ LIMIT · ε. So a part that rolls is told to roll in every tick in which it goes on, one
//! that stops holds at once, one that turns round holds until it has come back by twice the bound, and one that breathes within the bound never rolls. SPREAD says how
//! small a patch can be that holds a part against tilting: a part whose contacts are all within a fiftieth of its size stands on a point or an edge.

use crate::spatial::{Frame, Vec3, Vec6, exp, halves, join, log};

/// Motion at a contact that elasticity cannot explain, as a multiple of ε: above the 2.1 of the derivation, since ε follows the load with a delay.
const LIMIT: f64 = 3.0;
/// Least share of the part's size over which contacts are spread that hold it against tilting.
const SPREAD: f64 = 0.02;
/// Motion that is no more than rounding, as a factor.
const ROUNDING: f64 = 1.0 + 1e-9;

/// The pose that trails behind a part that rolls.
#[derive(Clone, Debug, Default)]
pub(super) struct Rolling {
    /// P₀, and m as P₀ was left; `None` where nothing held the part in the last tick.
    trailing: Option<(Frame, f64)>,
}

impl Rolling {
    /// Forgets where the part was: it slides, or nothing holds it.
    pub fn forget(&mut self) {
        self.trailing = None;
    }

    /// Whether the part rolls in this tick, which ended at `part`. The arms are those of the contacts that push (m); `radius` is the
    /// distance of the farthest point of the part from its centre (m).
    pub fn rolls(
        &mut self,
        part: &Frame,
        arms: impl Iterator<Item = Vec3> + Clone,
        micro_slip: f64,
        radius: f64,
    ) -> bool {
        let bound = LIMIT * micro_slip;
        let Some((from, left)) = self.trailing else {
            self.trailing = Some((*part, 0.0));
            return false;
        };
        let moved = join(part.centre - from.centre, log(&(part.rotation * from.rotation.inverse())));
        let motion = largest(&moved, arms.clone(), radius);
        if !(motion > bound.max(left) * ROUNDING) {
            self.trailing = Some((from, left.min(motion)));
            return false;
        }
        // Rolling moves contacts by the square of the way, sliding and tilting by the way itself: with the root, what is left over is at most the
        // last tick's motion.
        let kept = moved * (bound / motion).sqrt();
        let (way, turn) = halves(&kept);
        let behind = Frame { centre: part.centre - way, rotation: exp(&-turn) * part.rotation };
        self.trailing = Some((behind, largest(&kept, arms, radius)));
        true
    }
}

/// m of the motion from P₀ to the part's pose.
fn largest(moved: &Vec6, arms: impl Iterator<Item = Vec3>, radius: f64) -> f64 {
    let (way, turn) = halves(moved);
    let back = exp(&-turn);
    let at_contacts = arms.map(|arm| (way + arm - back * arm).norm()).fold(0.0, f64::max);
    at_contacts.max(SPREAD * (way.norm() + turn.norm() * radius))
}
