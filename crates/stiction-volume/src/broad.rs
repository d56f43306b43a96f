//! Pairs of convex parts whose bounding boxes overlap: sweep and prune along one axis over bodies, then over their parts.
//!
//! The order along the axis is kept from step to step, where insertion sort has next to nothing to do. Time is linear in the number of bodies and of pairs that overlap along the axis.

use crate::body::BodyState;
use crate::buffer::Buffer;
use crate::model::Model;
use stiction::spatial::Vec3;

/// A box along the world's axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub lower: Vec3,
    pub upper: Vec3,
}

impl Bounds {
    fn none() -> Self {
        Bounds { lower: Vec3::repeat(f64::INFINITY), upper: Vec3::repeat(f64::NEG_INFINITY) }
    }

    fn overlaps(&self, other: &Bounds) -> bool {
        (0..3).all(|i| self.lower[i] <= other.upper[i] && other.lower[i] <= self.upper[i])
    }
}

/// The two convex parts of a pair; the first belongs to the body with the smaller number.
pub(crate) type PieceKey = [u32; 2];

/// Memory of the search.
#[derive(Clone, Debug)]
pub(crate) struct BroadPhase {
    pieces: Vec<Bounds>,
    bodies: Vec<Bounds>,
    order: Vec<u32>,
    /// Bodies whose interval is open during a sweep.
    open: Buffer<u32>,
    keys: Buffer<PieceKey>,
    axis: usize,
}

impl BroadPhase {
    pub fn new(model: &Model, most_pairs: usize) -> Self {
        let bodies = model.bodies.len();
        BroadPhase {
            pieces: vec![Bounds::default(); model.pieces.len()],
            bodies: vec![Bounds::default(); bodies],
            order: (0..bodies as u32).collect(),
            open: Buffer::with_capacity(bodies),
            keys: Buffer::with_capacity(most_pairs),
            axis: 0,
        }
    }

    /// The pairs whose boxes overlap, in order. Returns also whether there are more than there is memory for; those are left out.
    pub fn find(&mut self, model: &Model, states: &[BodyState]) -> (&[PieceKey], bool) {
        self.bound(model, states);
        self.choose_axis(states);
        let axis = self.axis;
        let lower = |bodies: &[Bounds], i: u32| bodies[i as usize].lower[axis];
        for i in 1..self.order.len() {
            let mut j = i;
            while j > 0 && lower(&self.bodies, self.order[j - 1]) > lower(&self.bodies, self.order[j]) {
                self.order.swap(j - 1, j);
                j -= 1;
            }
        }
        self.keys.clear();
        self.open.clear();
        let mut full = false;
        for at in 0..self.order.len() {
            let b = self.order[at] as usize;
            let from = self.bodies[b].lower[axis];
            let bounds = &self.bodies;
            self.open.retain(|a| bounds[*a as usize].upper[axis] >= from);
            for a in self.open.iter() {
                let (a, b) = ((*a as usize).min(b), (*a as usize).max(b));
                if self.bodies[a].overlaps(&self.bodies[b]) && model.touch(a, b) {
                    full |= !add_pieces(&mut self.keys, &self.pieces, &self.bodies[b], model, a, b);
                }
            }
            self.open.push(b as u32);
        }
        self.keys.sort_unstable();
        (&self.keys, full)
    }

    fn bound(&mut self, model: &Model, states: &[BodyState]) {
        self.bodies.fill(Bounds::none());
        for (piece, bounds) in model.pieces.iter().zip(&mut self.pieces) {
            let pose = &states[piece.body].pose;
            let turn = pose.rotation.to_rotation_matrix().into_inner();
            let half = 0.5 * (piece.convex.upper() - piece.convex.lower());
            let middle = turn * piece.convex.centre() + pose.translation.vector;
            // The box of a turned box, or that of its sphere where that is smaller.
            let reach = (turn.abs() * half).map(|x| x.min(piece.convex.radius()));
            *bounds = Bounds { lower: middle - reach, upper: middle + reach };
            let body = &mut self.bodies[piece.body];
            *body = Bounds { lower: body.lower.inf(&bounds.lower), upper: body.upper.sup(&bounds.upper) };
        }
    }

    /// The axis along which the centres of bodies are spread most.
    fn choose_axis(&mut self, states: &[BodyState]) {
        let count = states.len() as f64;
        let mean = states.iter().fold(Vec3::zeros(), |sum, s| sum + s.centre) / count;
        let spread = states.iter().fold(Vec3::zeros(), |sum, s| {
            let from = s.centre - mean;
            sum + from.component_mul(&from)
        });
        let widest = spread.imax();
        // Another axis must be clearly better, as it takes sorting.
        if spread[widest] > 2.0 * spread[self.axis] {
            self.axis = widest;
        }
    }
}

/// Adds the pairs of parts of two bodies; false if there is no room for all of them.
fn add_pieces(
    keys: &mut Vec<PieceKey>,
    bounds: &[Bounds],
    b_bounds: &Bounds,
    model: &Model,
    a: usize,
    b: usize,
) -> bool {
    for p in model.bodies[a].pieces.clone() {
        if !bounds[p].overlaps(b_bounds) {
            continue;
        }
        for q in model.bodies[b].pieces.clone() {
            if bounds[p].overlaps(&bounds[q]) {
                if keys.len() == keys.capacity() {
                    return false;
                }
                keys.push([p as u32, q as u32]);
            }
        }
    }
    true
}
