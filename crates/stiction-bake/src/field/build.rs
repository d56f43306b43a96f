//! How the tree over triangles is built: by the surface area heuristic in 16 bins (Wald, *On fast construction of SAH-based
//! bounding volume hierarchies*, 2007), in halves; the halves of a large node are built in parallel, with the same result
//! on any number of threads.

use stiction::spatial::Vec3;

/// Triangles of a leaf, at most.
const LEAF: usize = 4;
const BINS: usize = 16;
/// Nodes with more triangles than this are split in parallel.
const PARALLEL: usize = 4096;
/// From this depth on, nodes are split in the middle of their list, so that the depth stays bounded.
const DEEP: usize = 48;

/// An axis-aligned box in single precision.
#[derive(Clone, Copy, Debug)]
pub struct Box3 {
    /// Lowest corner.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
}

impl Box3 {
    /// A box around nothing.
    pub const EMPTY: Box3 = Box3 { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    pub fn grow(&mut self, other: &Box3) {
        for k in 0..3 {
            self.min[k] = self.min[k].min(other.min[k]);
            self.max[k] = self.max[k].max(other.max[k]);
        }
    }

    pub fn half_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|k| (self.max[k] - self.min[k]).max(0.0));
        x * y + y * z + z * x
    }
}

/// A triangle while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    bounds: Box3,
    centre: [f32; 3],
    index: u32,
}

impl Item {
    fn new(index: u32, triangle: &[Vec3; 3]) -> Item {
        let mut bounds = Box3::EMPTY;
        for p in triangle {
            let p = [p.x as f32, p.y as f32, p.z as f32];
            bounds.grow(&Box3 { min: p, max: p });
        }
        let centre = [0, 1, 2].map(|k| 0.5 * (bounds.min[k] + bounds.max[k]));
        Item { bounds, centre, index }
    }
}

/// A binary tree.
pub enum BuildTree {
    /// A run of triangles: the first and how many.
    Leaf(u32, u32),
    /// Two halves with their boxes.
    BvhNode(Box<([Box3; 2], [BuildTree; 2])>),
}

/// A binary tree over triangles, and the order of the triangles in its leaves.
pub fn build(triangles: &[[Vec3; 3]]) -> (BuildTree, Vec<u32>) {
    build_with(triangles, LEAF)
}

/// The same with so many triangles in a leaf at most.
pub fn build_with(triangles: &[[Vec3; 3]], leaf: usize) -> (BuildTree, Vec<u32>) {
    let mut items: Vec<Item> = triangles.iter().enumerate().map(|(i, t)| Item::new(i as u32, t)).collect();
    let tree = split(&mut items, leaf, 0, 0);
    (tree, items.iter().map(|item| item.index).collect())
}

fn bounds(items: &[Item]) -> Box3 {
    items.iter().fold(Box3::EMPTY, |mut all, item| {
        all.grow(&item.bounds);
        all
    })
}

fn split(items: &mut [Item], leaf: usize, first: u32, depth: usize) -> BuildTree {
    if items.len() <= leaf {
        return BuildTree::Leaf(first, items.len() as u32);
    }
    let middle = match best_plane(items) {
        Some((axis, plane)) if depth < DEEP => partition(items, |item| item.centre[axis] < plane),
        _ => items.len() / 2,
    };
    let middle = if middle == 0 || middle == items.len() { items.len() / 2 } else { middle };
    let parallel = items.len() > PARALLEL;
    let (left, right) = items.split_at_mut(middle);
    let boxes = [bounds(left), bounds(right)];
    let next = first + middle as u32;
    let (left, right) = if parallel {
        rayon::join(|| split(left, leaf, first, depth + 1), || split(right, leaf, next, depth + 1))
    } else {
        (split(left, leaf, first, depth + 1), split(right, leaf, next, depth + 1))
    };
    BuildTree::BvhNode(Box::new((boxes, [left, right])))
}

/// The plane with the least expected cost, if the centres differ.
fn best_plane(items: &[Item]) -> Option<(usize, f32)> {
    let mut centres = Box3::EMPTY;
    items.iter().for_each(|item| centres.grow(&Box3 { min: item.centre, max: item.centre }));
    let mut best: Option<(f32, usize, f32)> = None;
    for axis in 0..3 {
        let (low, extent) = (centres.min[axis], centres.max[axis] - centres.min[axis]);
        if !(extent > 0.0) {
            continue;
        }
        let mut bins = [(Box3::EMPTY, 0usize); BINS];
        for item in items {
            let bin = (((item.centre[axis] - low) / extent * BINS as f32) as usize).min(BINS - 1);
            bins[bin].0.grow(&item.bounds);
            bins[bin].1 += 1;
        }
        // The cost of everything left of a plane, then the same from the right.
        let mut left = [0.0f32; BINS];
        let (mut all, mut count) = (Box3::EMPTY, 0);
        for i in 0..BINS - 1 {
            all.grow(&bins[i].0);
            count += bins[i].1;
            left[i + 1] = if count == 0 { f32::INFINITY } else { all.half_area() * count as f32 };
        }
        let (mut all, mut count) = (Box3::EMPTY, 0);
        for i in (1..BINS).rev() {
            all.grow(&bins[i].0);
            count += bins[i].1;
            let right = if count == 0 { f32::INFINITY } else { all.half_area() * count as f32 };
            let cost = left[i] + right;
            if cost.is_finite() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, low + extent * (i as f32 / BINS as f32)));
            }
        }
    }
    best.map(|(_, axis, plane)| (axis, plane))
}

/// Brings the items that satisfy a condition to the front, stably; returns how many.
fn partition(items: &mut [Item], left: impl Fn(&Item) -> bool) -> usize {
    let rest: Vec<Item> = items.iter().filter(|item| !left(item)).copied().collect();
    let mut kept = 0;
    for i in 0..items.len() {
        if left(&items[i]) {
            items[kept] = items[i];
            kept += 1;
        }
    }
    items[kept..].copy_from_slice(&rest);
    kept
}
