//! A tree of boxes over triangles, and the nearest triangle to eight points at a time.
//!
//! Points travel in packets of eight neighbours: a box is entered if any point of the packet may find something nearer in
//! it. A guess, the triangle found for the packet before, makes the bounds nearly exact from the start.

use super::build::{self, Box3, BuildTree};
use super::lanes::{F4, F8, LANES, P8, may_be_below};
use super::triangle::TriangleFrame;
use stiction::spatial::Vec3;

/// Entries of a traversal's stack; more than the depth of any tree that is built.
pub const STACK: usize = 96;

/// What a child of a node is.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// Another node.
    BvhNode(u32),
    /// A run of triangles: the first and how many.
    Leaf(u32, u32),
}

/// A node: two children and their boxes.
#[derive(Clone, Copy, Debug)]
pub struct BvhNode {
    /// Boxes around the children.
    pub boxes: [Corners; 2],
    /// The children.
    pub children: [Child; 2],
}

/// Triangles with a tree over them.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// Inner nodes, parents before children; the first is the root. Empty when all triangles fit one leaf.
    pub nodes: Vec<BvhNode>,
    /// The triangles in the order of the leaves.
    pub triangles: Vec<[Vec3; 3]>,
    frames: Vec<TriangleFrame>,
}

impl Bvh {
    /// A tree over triangles.
    pub fn new(triangles: &[[Vec3; 3]]) -> Bvh {
        Bvh::of_tree(triangles, build::build(triangles))
    }

    /// The same with a tree, and the order of triangles in its leaves, that was built.
    pub fn of_tree(triangles: &[[Vec3; 3]], (tree, order): (BuildTree, Vec<u32>)) -> Bvh {
        let mut nodes = Vec::new();
        lay_out(&tree, &mut nodes);
        let triangles: Vec<_> = order.iter().map(|&i| triangles[i as usize]).collect();
        let frames = triangles.iter().map(|&t| TriangleFrame::new(t)).collect();
        Bvh { nodes, triangles, frames }
    }

    /// Whether there is nothing to be near to.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The root as a child.
    pub fn root(&self) -> Child {
        if self.nodes.is_empty() { Child::Leaf(0, self.triangles.len() as u32) } else { Child::BvhNode(0) }
    }

    /// Lowers `best`, squared distances, to the nearest triangle.
    pub fn nearest(&self, packet: &impl Packet, best: &mut F8, hints: &mut Hints) {
        self.lower_by_guess(packet, best, hints);
        self.nearest_below(self.root(), packet, best, hints);
    }

    /// Lowers `best` to the distance of the triangle that was nearest to the packet before.
    #[inline(always)]
    pub fn lower_by_guess(&self, packet: &impl Packet, best: &mut F8, hints: &Hints) {
        if let Some(frame) = self.frames.get(hints.guess as usize) {
            frame.lower(packet.points(), best);
        }
    }

    /// Lowers `best` to the distance of the triangle at a place.
    #[inline(always)]
    pub fn lower_at(&self, place: u32, points: P8, best: &mut F8) {
        self.frames[place as usize].lower(points, best);
    }

    /// A bound from below for the distances of points near eight others from the triangle at a place: see [`TriangleFrame::tangent`].
    pub fn tangent(&self, place: u32, points: P8) -> (F8, P8) {
        self.frames[place as usize].tangent(points)
    }

    /// Lowers `best` to the nearest triangle below a child.
    #[inline(always)]
    pub fn nearest_below(&self, child: Child, packet: &impl Packet, best: &mut F8, hints: &mut Hints) {
        let points = packet.points();
        let Hints { guess, stack } = hints;
        self.walk(child, packet, best, stack, |place, frame, best| {
            if frame.lower(points, best) {
                *guess = place;
            }
        });
    }

    /// The same, if a point of the packet may find something in the box around the child.
    #[inline(always)]
    pub fn nearest_within(
        &self,
        child: Child,
        bounds: &Corners,
        packet: &impl Packet,
        best: &mut F8,
        hints: &mut Hints,
    ) {
        if may_be_below(packet.to_box(bounds), *best) {
            self.nearest_below(child, packet, best, hints);
        }
    }

    /// For each of eight points the nearest triangle, by its place in `triangles`, of which there must be one.
    pub fn nearest_places(&self, points: P8, hints: &mut Hints) -> [u32; LANES] {
        let Hints { guess, stack } = hints;
        let mut places = [0; LANES];
        let mut best = F8::splat(f32::INFINITY);
        let mut keep = |place: u32, frame: &TriangleFrame, best: &mut F8| {
            let Some(d) = frame.squared(points, *best) else { return };
            let nearer = d.simd_lt(*best).to_bitmask();
            (0..LANES).filter(|lane| nearer >> lane & 1 == 1).for_each(|lane| places[lane] = place);
            *best = best.fast_min(d);
        };
        if let Some(frame) = self.frames.get(*guess as usize) {
            keep(*guess, frame, &mut best);
        }
        self.walk(self.root(), &points, &mut best, stack, keep);
        *guess = places[0];
        places
    }

    /// Goes down the tree below a child, the nearer half first, wherever a point of the packet may find something below `best`; `visit`
    /// gets the triangles there, with their places, and may lower `best`.
    #[inline(always)]
    fn walk(
        &self,
        child: Child,
        packet: &impl Packet,
        best: &mut F8,
        stack: &mut [(Child, F8); STACK],
        mut visit: impl FnMut(u32, &TriangleFrame, &mut F8),
    ) {
        let mut depth = 0;
        let mut current = child;
        loop {
            match current {
                Child::Leaf(first, count) => {
                    for place in first..first + count {
                        visit(place, &self.frames[place as usize], best);
                    }
                }
                Child::BvhNode(index) => {
                    let node = &self.nodes[index as usize];
                    let d = [packet.to_box(&node.boxes[0]), packet.to_box(&node.boxes[1])];
                    let near = usize::from(d[1].as_array()[0] < d[0].as_array()[0]);
                    if may_be_below(d[1 - near], *best) {
                        stack[depth] = (node.children[1 - near], d[1 - near]);
                        depth += 1;
                    }
                    if may_be_below(d[near], *best) {
                        current = node.children[near];
                        continue;
                    }
                }
            }
            loop {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                if may_be_below(stack[depth].1, *best) {
                    current = stack[depth].0;
                    break;
                }
            }
        }
    }
}

/// What one packet leaves for the next: a triangle that is likely near, the last that was nearer for any point; and room
/// for the walk down the tree.
pub struct Hints {
    /// The place of a triangle that is likely near to the next packet.
    pub guess: u32,
    stack: [(Child, F8); STACK],
}

impl Hints {
    /// Nothing known yet.
    pub fn new() -> Hints {
        Hints { guess: u32::MAX, stack: [(Child::Leaf(0, 0), F8::ZERO); STACK] }
    }
}

/// Eight points that go down the tree together.
pub trait Packet {
    /// The points.
    fn points(&self) -> P8;
    /// Their squared distances to a box.
    fn to_box(&self, bounds: &Corners) -> F8;
}

/// A box as the tree keeps it: lowest and highest corner, in four lanes of which the last is zero.
#[derive(Clone, Copy, Debug)]
pub struct Corners([F4; 2]);

impl Corners {
    /// A box around everything.
    pub const EVERYWHERE: Corners = Corners([
        F4::new([f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0]),
        F4::new([f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0]),
    ]);

    /// From eight points to their nearest points of the box, reversed: what is left of each coordinate beyond the box.
    #[inline(always)]
    pub fn beyond(&self, points: P8) -> P8 {
        let [min, max] = self.0.map(|c| c.to_array());
        let axis = |x: F8, k: usize| x - x.fast_max(F8::splat(min[k])).fast_min(F8::splat(max[k]));
        P8 { x: axis(points.x, 0), y: axis(points.y, 1), z: axis(points.z, 2) }
    }

    /// The longest edge.
    pub fn longest(&self) -> f32 {
        let [x, y, z, _] = (self.0[1] - self.0[0]).to_array();
        x.max(y).max(z)
    }
}

impl From<&Box3> for Corners {
    fn from(b: &Box3) -> Self {
        Corners([b.min, b.max].map(|[x, y, z]| F4::new([x, y, z, 0.0])))
    }
}

/// Any eight points.
impl Packet for P8 {
    #[inline(always)]
    fn points(&self) -> P8 {
        *self
    }

    #[inline(always)]
    fn to_box(&self, bounds: &Corners) -> F8 {
        let [min, max] = bounds.0.map(|c| c.to_array());
        let axis = |x: F8, k: usize| (F8::splat(min[k]) - x).fast_max(x - F8::splat(max[k])).fast_max(F8::ZERO);
        let (x, y, z) = (axis(self.x, 0), axis(self.y, 1), axis(self.z, 2));
        x * x + y * y + z * z
    }
}

/// The corners of a cube with an edge of one, x fastest. Along each axis there are but two coordinates, so the squared
/// distance to a box is a sum of three of six numbers.
pub struct Cube {
    corners: [F4; 2],
    points: P8,
}

impl Cube {
    /// The cube with this lowest corner.
    pub fn new([x, y, z]: [f32; 3]) -> Cube {
        let points: [[f32; 3]; 8] =
            std::array::from_fn(|i| [x + (i & 1) as f32, y + (i >> 1 & 1) as f32, z + (i >> 2) as f32]);
        let corners = [[x, y, z, 0.0], [x + 1.0, y + 1.0, z + 1.0, 0.0]].map(F4::new);
        Cube { corners, points: P8::gather(&points) }
    }
}

impl Packet for Cube {
    #[inline(always)]
    fn points(&self) -> P8 {
        self.points
    }

    #[inline(always)]
    fn to_box(&self, bounds: &Corners) -> F8 {
        let [min, max] = bounds.0;
        let square = |p: F4| {
            let d = (min - p).fast_max(p - max).fast_max(F4::ZERO);
            (d * d).to_array()
        };
        let (a, b) = (square(self.corners[0]), square(self.corners[1]));
        let x = F8::new([a[0], b[0], a[0], b[0], a[0], b[0], a[0], b[0]]);
        let y = F8::new([a[1], a[1], b[1], b[1], a[1], a[1], b[1], b[1]]);
        let z = F8::new([a[2], a[2], a[2], a[2], b[2], b[2], b[2], b[2]]);
        x + y + z
    }
}

/// Lays a tree out in depth-first order; returns what its root became.
fn lay_out(tree: &BuildTree, nodes: &mut Vec<BvhNode>) -> Child {
    match tree {
        BuildTree::Leaf(first, count) => Child::Leaf(*first, *count),
        BuildTree::BvhNode(inner) => {
            let index = nodes.len();
            nodes.push(BvhNode {
                boxes: [Corners::from(&inner.0[0]), Corners::from(&inner.0[1])],
                children: [Child::Leaf(0, 0); 2],
            });
            let children = [lay_out(&inner.1[0], nodes), lay_out(&inner.1[1], nodes)];
            nodes[index].children = children;
            Child::BvhNode(index as u32)
        }
    }
}
