//! The tree over the ordered points: nested levels, parents, bounding radii.
//!
//! Source: physics notes 2.3 and 2.4.
//!
//! ```text
//! L       = 1 + ⌈ln n / ln 4.4⌉                              levels by default
//! m_l     = round(n^(l / (L − 1))), strictly growing         points on level l
//! parent  = argmin over q of level l − 1 of |x − q|² + (N · N_q > 0 ? 0 : r²)
//! R(p, l) = max |p − x| over all descendants x of p at level l
//! ```
//!
//! Symbols: n points, r the covering radius of level l − 1, N normals: the other side of a thin wall is taken as parent
//! only where this side would be much further. The default gives the 8, 8, 6 and 8 levels of the shells of 8,517,
//! 30,017, 672 and 7,772 points that the friction paper used, and never more than 4.4 children a node on average.

use super::tree::PointTree;
use rayon::prelude::*;
use stiction::shape::{ShellNode, ShellPoint};

/// Number of points on each level, strictly growing up to `count`, which is not zero.
pub fn sizes(count: usize, levels: Option<usize>) -> Vec<u32> {
    let log = libm::log(count as f64);
    let wanted = levels.unwrap_or(1 + libm::ceil(log / libm::log(4.4)) as usize);
    let last = wanted.clamp(1, count) - 1;
    if last == 0 {
        return vec![count as u32];
    }
    let mut sizes: Vec<u32> = Vec::with_capacity(last + 1);
    for level in 0..=last {
        let size = libm::round(libm::exp(log * level as f64 / last as f64)) as usize;
        // Room for the levels before and after.
        let least = sizes.last().map_or(1, |&s| s as usize + 1);
        sizes.push(size.clamp(least, count - (last - level)) as u32);
    }
    sizes[last] = count as u32;
    sizes
}

/// The nodes of all levels. `radii` are the covering radii of the prefixes of `points`.
pub fn nodes(points: &[ShellPoint], sizes: &[u32], radii: &[f64]) -> Vec<ShellNode> {
    let mut nodes: Vec<ShellNode> = (0..sizes[0]).map(leaf).collect();
    let mut start = 0;
    for pair in sizes.windows(2) {
        let (size, deeper) = (pair[0] as usize, pair[1] as usize);
        let mut by_parent = parents(points, size, deeper, radii[size - 1]);
        by_parent.sort_unstable();
        for node in start..start + size {
            let point = nodes[node].point;
            let low = by_parent.partition_point(|&(parent, _)| parent < point);
            let high = by_parent.partition_point(|&(parent, _)| parent <= point);
            nodes[node].first_child = nodes.len() as u32;
            nodes[node].children = (high - low + 1) as u32;
            nodes.push(leaf(point));
            nodes.extend(by_parent[low..high].iter().map(|&(_, child)| leaf(child)));
        }
        start += size;
    }
    bound(&mut nodes, points, start);
    nodes
}

fn leaf(point: u32) -> ShellNode {
    ShellNode { point, first_child: 0, children: 0, radius: 0.0 }
}

/// (parent, child) of every point from `size` to `deeper`, parents among the first `size`.
fn parents(points: &[ShellPoint], size: usize, deeper: usize, radius: f64) -> Vec<(u32, u32)> {
    let place = |point: &ShellPoint| <[f64; 3]>::from(point.position);
    let tree = PointTree::new(&points[..size].iter().map(place).collect::<Vec<_>>());
    let parent = |child: usize| {
        let point = &points[child];
        let other_side = |q: u32| !(points[q as usize].normal.dot(&point.normal) > 0.0);
        let cost = |q: u32, square: f64| if other_side(q) { square + radius * radius } else { square };
        (tree.nearest(&place(point), cost).map_or(0, |best| best.1), child as u32)
    };
    (size..deeper).into_par_iter().map(parent).collect()
}

/// Radii from explicit lists of descendants, which are contiguous on the last level, from node `last` on.
fn bound(nodes: &mut [ShellNode], points: &[ShellPoint], last: usize) {
    let mut spans: Vec<(usize, usize)> = (0..nodes.len()).map(|i| (i, i + 1)).collect();
    for i in (0..last).rev() {
        let first = nodes[i].first_child as usize;
        spans[i] = (spans[first].0, spans[first + nodes[i].children as usize - 1].1);
    }
    let (inner, leaves) = nodes.split_at_mut(last);
    inner.par_iter_mut().zip(&spans).for_each(|(node, &(low, high))| {
        let centre = points[node.point as usize].position;
        let descendants = leaves[low - last..high - last].iter();
        let radius = descendants.map(|leaf| (points[leaf.point as usize].position - centre).norm()).fold(0.0, f64::max);
        node.radius = round_up(radius);
    });
}

/// The smallest f32 that is not less.
fn round_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_of_the_paper() {
        for (count, levels) in [(8517, 8), (30017, 8), (672, 6), (7772, 8), (8000, 8), (1, 1), (2, 2)] {
            assert_eq!(sizes(count, None).len(), levels, "{count}");
        }
    }

    #[test]
    fn sizes_grow_strictly_whatever_is_asked() {
        for count in [1, 2, 3, 7, 50, 1000] {
            for levels in [None, Some(0), Some(1), Some(2), Some(5), Some(12), Some(400), Some(usize::MAX)] {
                let sizes = sizes(count, levels);
                assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "{count} {levels:?} {sizes:?}");
                assert_eq!(*sizes.last().unwrap() as usize, count);
                assert!(sizes.len() == 1 || sizes[0] == 1);
                assert!(levels.is_none_or(|wanted| sizes.len() == wanted.clamp(1, count)));
            }
        }
    }

    #[test]
    fn radii_are_rounded_up() {
        for x in [0.0, 0.1, 1.0 / 3.0, 0.7, 1e-30, 123.456] {
            assert!(f64::from(round_up(x)) >= x && f64::from(round_up(x).next_down()) < x);
        }
    }
}
