//! A tree of boxes over the triangles of a surface: built once at rest, its boxes made anew in every step.

use super::surface::{CollisionSurface, MovingSurface};
use stiction::spatial::Vec3;

/// Triangles of a leaf, at most.
const LEAF: usize = 4;

/// A box and what is below it: two nodes, or triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    lower: Vec3,
    upper: Vec3,
    /// The first of two nodes, or of `count` triangles.
    pub(super) first: u32,
    /// Number of triangles; zero for an inner node.
    pub(super) count: u32,
}

/// A tree of boxes.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    pub(super) nodes: Vec<TreeNode>,
    pub(super) order: Vec<u32>,
    /// Boxes of the triangles, in that order.
    boxes: Vec<[Vec3; 2]>,
}

impl BoxTree {
    pub(super) fn new(surface: &CollisionSurface) -> BoxTree {
        let mut order: Vec<u32> = (0..surface.triangles.len() as u32).collect();
        let middle = |t: u32| -> Vec3 { surface.triangles[t as usize].iter().map(|&v| surface.rest[v as usize]).sum() };
        let empty = TreeNode { lower: Vec3::zeros(), upper: Vec3::zeros(), first: 0, count: 0 };
        let mut nodes = vec![empty];
        let mut open = vec![(0usize, 0usize, order.len())];
        while let Some((node, from, to)) = open.pop() {
            if to - from <= LEAF {
                nodes[node] = TreeNode { first: from as u32, count: (to - from) as u32, ..empty };
                continue;
            }
            let (mut lower, mut upper) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
            for &t in &order[from..to] {
                lower = lower.inf(&middle(t));
                upper = upper.sup(&middle(t));
            }
            let axis = (upper - lower).imax();
            order[from..to].sort_unstable_by(|a, b| middle(*a)[axis].total_cmp(&middle(*b)[axis]).then(a.cmp(b)));
            let half = from + (to - from) / 2;
            let first = nodes.len();
            nodes.extend([empty; 2]);
            nodes[node] = TreeNode { first: first as u32, count: 0, ..empty };
            open.push((first, from, half));
            open.push((first + 1, half, to));
        }
        let boxes = vec![[Vec3::zeros(); 2]; order.len()];
        BoxTree { nodes, order, boxes }
    }

    /// Makes the boxes anew: from the last node to the first, since those below come later.
    pub(super) fn refit(&mut self, surface: &MovingSurface) {
        for (t, own) in self.order.iter().zip(&mut self.boxes) {
            let [a, b, c] = surface.corners(*t as usize);
            *own = [a.inf(&b).inf(&c), a.sup(&b).sup(&c)];
        }
        for at in (0..self.nodes.len()).rev() {
            let TreeNode { first, count, .. } = self.nodes[at];
            let (mut lower, mut upper) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
            if count == 0 && self.nodes.len() > 1 {
                for below in &self.nodes[first as usize..first as usize + 2] {
                    lower = lower.inf(&below.lower);
                    upper = upper.sup(&below.upper);
                }
            } else {
                for own in &self.boxes[first as usize..(first + count) as usize] {
                    lower = lower.inf(&own[0]);
                    upper = upper.sup(&own[1]);
                }
            }
            (self.nodes[at].lower, self.nodes[at].upper) = (lower, upper);
        }
    }
}

impl BoxTree {
    /// Whether the boxes of two triangles are within reach of each other, by their places in the order.
    pub(super) fn triangles_near(&self, own: usize, other: &BoxTree, of_other: usize, reach: f64) -> bool {
        let ([lower, upper], [other_lower, other_upper]) = (&self.boxes[own], &other.boxes[of_other]);
        (0..3).all(|a| lower[a] - reach <= other_upper[a] && other_lower[a] - reach <= upper[a])
    }
}

impl TreeNode {
    /// Whether two boxes are within reach of each other.
    pub(super) fn near(&self, other: &TreeNode, reach: f64) -> bool {
        (0..3).all(|a| self.lower[a] - reach <= other.upper[a] && other.lower[a] - reach <= self.upper[a])
    }

    /// How large the box is, to decide which of two to go into.
    pub(super) fn size(&self) -> f64 {
        (self.upper - self.lower).norm_squared()
    }
}
