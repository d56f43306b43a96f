//! A balanced k-d tree over points of any dimension: the bookkeeping behind greedy ordering and nearest points.
//!
//! Nodes are numbered as in a heap (children of i are 2 i + 1 and 2 i + 2) and halve their range of points along the
//! widest side of its box, so that the tree depends on the points and their order alone.

use rayon::prelude::*;

/// Points of a leaf at most.
const LEAF: usize = 12;

/// Points in the order of the tree, and the box of every node.
pub struct PointTree<const D: usize> {
    /// Positions, leaf after leaf.
    pub points: Vec<[f64; D]>,
    /// The number each point had when it was given.
    pub index: Vec<u32>,
    boxes: Vec<[[f64; D]; 2]>,
    depth: u32,
}

impl<const D: usize> PointTree<D> {
    /// A tree over points; there is at least one.
    pub fn new(given: &[[f64; D]]) -> Self {
        let mut depth = 0;
        while given.len() > LEAF << depth {
            depth += 1;
        }
        let mut items: Vec<(u32, [f64; D])> = given.iter().enumerate().map(|(i, &p)| (i as u32, p)).collect();
        let mut boxes = vec![[[0.0; D]; 2]; (2 << depth) - 1];
        // One level at a time; nodes of a level own disjoint ranges.
        let mut ranges: Vec<&mut [(u32, [f64; D])]> = vec![&mut items];
        let mut rest = &mut boxes[..];
        for level in 0..=depth {
            let (own, below) = rest.split_at_mut(ranges.len());
            rest = below;
            ranges = own
                .par_iter_mut()
                .zip(ranges)
                .flat_map_iter(|(bounds, range)| {
                    *bounds = enclose(range);
                    if level == depth { vec![] } else { halve(range, bounds) }
                })
                .collect();
        }
        let index = items.iter().map(|item| item.0).collect();
        PointTree { points: items.into_iter().map(|item| item.1).collect(), index, boxes, depth }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.boxes.len()
    }

    /// Whether a node has no children.
    pub fn is_leaf(&self, node: usize) -> bool {
        node + 1 >= 1 << self.depth
    }

    /// Squared distance from a point to a node's box; zero inside.
    pub fn gap(&self, node: usize, from: &[f64; D]) -> f64 {
        let [min, max] = &self.boxes[node];
        let mut sum = 0.0;
        for k in 0..D {
            let out = (min[k] - from[k]).max(from[k] - max[k]).max(0.0);
            sum += out * out;
        }
        sum
    }

    /// The point of least cost, as (cost, number given): `cost` may be infinite to refuse a point, and is never less
    /// than the squared distance. Ties go to the lowest number.
    pub fn nearest(&self, from: &[f64; D], cost: impl Fn(u32, f64) -> f64) -> Option<(f64, u32)> {
        let mut best = (f64::INFINITY, u32::MAX);
        // Deeper nodes are pushed nearest last; a balanced tree of 2^60 leaves is never met.
        let mut stack = [(0.0, 0, 0, 0); 64];
        stack[0] = (self.gap(0, from), 0, 0, self.points.len());
        let mut size = 1;
        while size > 0 {
            size -= 1;
            let (gap, node, low, high) = stack[size];
            if gap > best.0 || gap == f64::INFINITY {
                continue;
            }
            if self.is_leaf(node) {
                for i in low..high {
                    let candidate = (cost(self.index[i], square(&self.points[i], from)), self.index[i]);
                    if candidate.0 < best.0 || (candidate.0 == best.0 && candidate.1 < best.1) {
                        best = candidate;
                    }
                }
            } else {
                let middle = low.midpoint(high);
                let left = (self.gap(2 * node + 1, from), 2 * node + 1, low, middle);
                let right = (self.gap(2 * node + 2, from), 2 * node + 2, middle, high);
                let (near, far) = if left.0 <= right.0 { (left, right) } else { (right, left) };
                stack[size] = far;
                stack[size + 1] = near;
                size += 2;
            }
        }
        (best.0 < f64::INFINITY).then_some(best)
    }
}

/// Squared distance of two points.
pub fn square<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let mut sum = 0.0;
    for k in 0..D {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    sum
}

fn enclose<const D: usize>(range: &[(u32, [f64; D])]) -> [[f64; D]; 2] {
    let mut bounds = [[f64::INFINITY; D], [f64::NEG_INFINITY; D]];
    for (_, point) in range {
        for k in 0..D {
            bounds[0][k] = bounds[0][k].min(point[k]);
            bounds[1][k] = bounds[1][k].max(point[k]);
        }
    }
    bounds
}

/// Both halves of a range, split along the widest side of its box.
fn halve<'a, const D: usize>(
    range: &'a mut [(u32, [f64; D])],
    bounds: &[[f64; D]; 2],
) -> Vec<&'a mut [(u32, [f64; D])]> {
    let width = |k: usize| bounds[1][k] - bounds[0][k];
    let axis = (1..D).fold(0, |widest, k| if width(k) > width(widest) { k } else { widest });
    let middle = range.len() / 2;
    if middle < range.len() {
        range.select_nth_unstable_by(middle, |a, b| a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0)));
    }
    let (left, right) = range.split_at_mut(middle);
    vec![left, right]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(count: usize) -> Vec<[f64; 3]> {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 40) % 64) as f64
        };
        (0..count).map(|_| [next(), next(), next()]).collect()
    }

    #[test]
    fn nearest_is_what_an_exhaustive_search_finds() {
        for count in [1, 2, 11, 12, 13, 25, 400, 1031] {
            let points = cloud(count);
            let tree = PointTree::new(&points);
            for from in cloud(300).iter().map(|p| [p[0] + 0.5, p[1] * 1.2, p[2] - 3.0]) {
                let cost = |i: u32, d: f64| if i % 3 == 2 { d + 40.0 } else { d };
                let brute = (0..count as u32)
                    .map(|i| (cost(i, square(&points[i as usize], &from)), i))
                    .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                assert_eq!(tree.nearest(&from, cost), brute);
            }
            assert_eq!(tree.nearest(&[0.0; 3], |_, _| f64::INFINITY), None);
        }
    }
}
