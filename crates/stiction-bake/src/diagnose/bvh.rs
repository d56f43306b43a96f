//! A tree of boxes over triangles or segments: what is near, what a ray meets, which pairs may touch.
//!
//! Boxes are split at the median of their centres along the longest side; ties by number, so that the tree is the
//! same everywhere.

use stiction::shape::Aabb;
use stiction::spatial::Vec3;

const LEAF: usize = 4;
/// Room for what a walk has still to look at: enough for trees of billions of items.
const ROOM: usize = 64;

/// A box with what is in it: a range of items, and two children unless it is a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The box around the items.
    pub bounds: Aabb,
    /// First of the items.
    pub first: u32,
    /// One past the last of the items.
    pub last: u32,
    /// The first child, or zero for a leaf; the second follows it.
    pub child: u32,
}

/// The tree. The root is node zero; without items there are no nodes.
pub(crate) struct Bvh {
    /// All boxes.
    pub nodes: Vec<Node>,
    /// The numbers of the items, ordered so that those of a node are neighbours.
    pub items: Vec<u32>,
}

/// The box around two boxes.
pub(crate) fn join(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.inf(&b.min), max: a.max.sup(&b.max) }
}

/// The box around a triangle.
pub(crate) fn around([a, b, c]: [Vec3; 3]) -> Aabb {
    Aabb { min: a.inf(&b).inf(&c), max: a.sup(&b).sup(&c) }
}

/// Whether two closed boxes meet.
pub(crate) fn meet(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|k| a.min[k] <= b.max[k] && b.min[k] <= a.max[k])
}

/// Whether a ray from `from` along a direction, given as one over each component, meets a box before `reach`.
fn ray_meets(bounds: &Aabb, from: Vec3, inverse: Vec3, reach: f64) -> bool {
    let (mut near, mut far) = (0.0f64, reach);
    for k in 0..3 {
        let (a, b) = ((bounds.min[k] - from[k]) * inverse[k], (bounds.max[k] - from[k]) * inverse[k]);
        // NaN (a ray in a face of the box) leaves the interval as it is.
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far * (1.0 + 1e-14)
}

impl Bvh {
    /// A tree over some of the boxes.
    pub fn new(boxes: &[Aabb], mut items: Vec<u32>) -> Self {
        let mut nodes = Vec::with_capacity(items.len());
        let bounds = |items: &[u32]| items.iter().map(|&i| boxes[i as usize]).reduce(|a, b| join(&a, &b));
        let Some(all) = bounds(&items) else { return Bvh { nodes, items } };
        nodes.push(Node { bounds: all, first: 0, last: items.len() as u32, child: 0 });
        let mut at = 0;
        while at < nodes.len() {
            let (first, last) = (nodes[at].first as usize, nodes[at].last as usize);
            if last - first > LEAF {
                let part = &mut items[first..last];
                let centre = |i: u32, k: usize| boxes[i as usize].min[k] + boxes[i as usize].max[k];
                let spread = |k: usize| {
                    let (lo, hi) = part.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &i| {
                        (lo.min(centre(i, k)), hi.max(centre(i, k)))
                    });
                    hi - lo
                };
                let spreads = [spread(0), spread(1), spread(2)];
                let axis = (0..3).fold(0, |best, k| if spreads[k] > spreads[best] { k } else { best });
                let middle = (last - first) / 2;
                part.select_nth_unstable_by(middle, |&i, &j| {
                    centre(i, axis).total_cmp(&centre(j, axis)).then(i.cmp(&j))
                });
                let middle = first + middle;
                nodes[at].child = nodes.len() as u32;
                for (first, last) in [(first, middle), (middle, last)] {
                    let bounds = bounds(&items[first..last]).unwrap_or(nodes[at].bounds);
                    nodes.push(Node { bounds, first: first as u32, last: last as u32, child: 0 });
                }
            }
            at += 1;
        }
        Bvh { nodes, items }
    }

    /// Calls `found` for every item whose node meets a box.
    pub fn near(&self, bounds: &Aabb, mut found: impl FnMut(u32)) {
        self.descend(|node| meet(&node.bounds, bounds), &mut found);
    }

    /// Calls `found` for every item whose node meets a ray shorter than `reach`; `found` gives the new reach.
    pub fn along(&self, from: Vec3, direction: Vec3, mut reach: f64, mut found: impl FnMut(u32) -> f64) {
        let inverse = direction.map(|x| 1.0 / x);
        let mut stack = vec![0u32; usize::from(!self.nodes.is_empty())];
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            if !ray_meets(&node.bounds, from, inverse, reach) {
                continue;
            }
            if node.child == 0 {
                for &item in &self.items[node.first as usize..node.last as usize] {
                    reach = found(item);
                }
            } else {
                // The nearer child is looked into first: it may shorten the reach.
                let [a, b] = [node.child, node.child + 1];
                let middle = |i: u32| self.nodes[i as usize].bounds.min + self.nodes[i as usize].bounds.max;
                let far = if (middle(b) - middle(a)).dot(&direction) < 0.0 { [a, b] } else { [b, a] };
                stack.extend(far);
            }
        }
    }

    /// Calls `found` for every item of the leaves below nodes that are wanted.
    fn descend(&self, wanted: impl Fn(&Node) -> bool, found: &mut impl FnMut(u32)) {
        let mut stack = Vec::with_capacity(ROOM);
        stack.extend((!self.nodes.is_empty()).then_some(0u32));
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            if wanted(node) {
                if node.child == 0 {
                    self.items[node.first as usize..node.last as usize].iter().for_each(|&i| found(i));
                } else {
                    stack.extend([node.child, node.child + 1]);
                }
            }
        }
    }
}

/// Where a ray meets a triangle: how far along, in units of the direction. After Möller and Trumbore (1997): with
/// edges e, f from a and the ray o + t d, solve o + t d = a + u e + v f by Cramer's rule. Rays in the plane miss.
pub(crate) fn ray_triangle(from: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    let (e, f, s) = (b - a, c - a, from - a);
    let p = direction.cross(&f);
    let determinant = e.dot(&p);
    if determinant == 0.0 {
        return None;
    }
    let u = s.dot(&p) / determinant;
    let q = s.cross(&e);
    let v = direction.dot(&q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| f.dot(&q) / determinant)
}
