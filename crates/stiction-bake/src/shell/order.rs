//! Farthest-point order: every prefix is a well-spread subset.
//!
//! Source: the greedy k-centre algorithm, T. F. Gonzalez, "Clustering to minimize the maximum intercluster
//! distance", Theoretical Computer Science 38 (1985); physics notes 2.3.
//!
//! ```text
//! D(a, b)² = |x_a − x_b|² + λ² |n_a − n_b|²       distance of two candidates
//! q_{m+1}  = argmax_c w_c D(c, {q_1 … q_m})       the next point
//! r_m      = max_c w_c D(c, {q_1 … q_m})          never grows with m
//! ```
//!
//! Symbols: x position, n unit normal, λ separates the two sides of thin walls (opposite normals are 2 λ apart however
//! thin the wall), w weight of a candidate, above one on edges and corners.
//!
//! Follows: every candidate is within r_m of the first m points, and any two of those are at least
//! r_{m−1} / max w apart; with equal weights the set is within a factor of two of the best covering.
//!
//! Deviation: the update after each choice visits only the nodes of a k-d tree over (x, λ n) whose box is nearer to the
//! choice than the worst distance inside, so that all n choices among M candidates cost about M log n, not M n.

use super::tree::{PointTree, square};
use crate::Progress;
use crate::progress::Cancelled;

/// A candidate as the order sees it: (x, λ n).
pub type PointKey = [f64; 6];

/// What a node knows of its candidates.
#[derive(Clone, Copy)]
struct Worst {
    /// The largest squared distance to the chosen points.
    far: f64,
    /// The largest weighted one, and its candidate: the place in the tree and the number given.
    key: f64,
    at: u32,
    number: u32,
}

impl Worst {
    const NONE: Worst = Worst { far: 0.0, key: -1.0, at: 0, number: u32::MAX };

    fn join(self, other: Worst) -> Worst {
        let other_wins = other.key > self.key || (other.key == self.key && other.number < self.number);
        Worst { far: self.far.max(other.far), ..if other_wins { other } else { self } }
    }
}

struct Greedy<'a> {
    tree: PointTree<6>,
    /// Squared weights and squared distances to the chosen points, in the order of the tree.
    weights: Vec<f64>,
    squares: Vec<f64>,
    worst: Vec<Worst>,
    progress: &'a dyn Progress,
}

/// The order of the first `count` choices starting with `first`, and r_m after each of them. Shorter when candidates
/// run out: the same place is never chosen twice.
pub fn farthest_first(
    places: &[PointKey],
    weights: &[f64],
    first: u32,
    count: usize,
    progress: &dyn Progress,
) -> Result<(Vec<u32>, Vec<f64>), Cancelled> {
    let tree = PointTree::new(places);
    let weights = tree.index.iter().map(|&i| weights[i as usize] * weights[i as usize]).collect();
    let squares = vec![f64::INFINITY; places.len()];
    let worst = vec![Worst { far: f64::INFINITY, ..Worst::NONE }; tree.nodes()];
    let mut greedy = Greedy { tree, weights, squares, worst, progress };
    greedy.run(places[first as usize], first, count)
}

impl Greedy<'_> {
    fn run(&mut self, start: PointKey, first: u32, count: usize) -> Result<(Vec<u32>, Vec<f64>), Cancelled> {
        let (mut order, mut radii) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut chosen, mut place) = (first, start);
        loop {
            order.push(chosen);
            self.update(0, 0, self.squares.len(), &place);
            let next = self.worst[0];
            radii.push(next.key.max(0.0).sqrt());
            if order.len() % 256 == 0 {
                self.progress.advance(256);
                if self.progress.cancelled() {
                    return Err(Cancelled);
                }
            }
            if order.len() >= count || next.key <= 0.0 {
                return Ok((order, radii));
            }
            (chosen, place) = (next.number, self.tree.points[next.at as usize]);
        }
    }

    /// Distances after a choice.
    fn update(&mut self, node: usize, low: usize, high: usize, choice: &PointKey) {
        if self.tree.gap(node, choice) >= self.worst[node].far {
            return;
        }
        self.worst[node] = if self.tree.is_leaf(node) {
            let mut worst = Worst::NONE;
            for i in low..high {
                let far = self.squares[i].min(square(&self.tree.points[i], choice));
                self.squares[i] = far;
                worst = worst.join(Worst { far, key: far * self.weights[i], at: i as u32, number: self.tree.index[i] });
            }
            worst
        } else {
            let middle = low.midpoint(high);
            self.update(2 * node + 1, low, middle, choice);
            self.update(2 * node + 2, middle, high, choice);
            self.worst[2 * node + 1].join(self.worst[2 * node + 2])
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn order_is_what_the_definition_gives() {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % 50) as f64
        };
        let places: Vec<PointKey> =
            (0..700).map(|_| [next(), next(), next(), next() * 0.1, 0.0, next() * 0.1]).collect();
        let weights: Vec<f64> = (0..700).map(|i| if i % 5 == 0 { 1.5 } else { 1.0 }).collect();
        let (order, radii) = farthest_first(&places, &weights, 17, 300, &Silent).unwrap();
        let mut expected = vec![17];
        for m in 0..300 {
            let worst = |c: usize| {
                expected[..=m].iter().map(|&q| square(&places[c], &places[q])).fold(f64::INFINITY, f64::min)
                    * (weights[c] * weights[c])
            };
            let next = (0..700).fold(0, |best, c| if worst(c) > worst(best) { c } else { best });
            assert_eq!(radii[m], worst(next).sqrt());
            expected.push(next);
        }
        assert_eq!(order.iter().map(|&i| i as usize).collect::<Vec<_>>(), expected[..300]);
    }

    #[test]
    fn the_same_place_is_never_chosen_twice() {
        let places: Vec<PointKey> = (0..60).map(|i| [(i % 7) as f64, 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
        let (order, radii) = farthest_first(&places, &[1.0; 60], 0, 60, &Silent).unwrap();
        assert_eq!(order.len(), 7);
        assert_eq!(radii[6], 0.0);
    }
}
