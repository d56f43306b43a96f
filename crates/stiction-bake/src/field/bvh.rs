//! A tree of boxes over triangles, and the nearest triangle to eight points at a time.
//!
//! Points travel in packets of eight neighbours: a box is entered if any point of the packet may find something nearer in
//! it. A guess, the triangle found for the packet before, makes the bounds nearly exact from the start.

use super::build::{self, Box3, Tree};
use super::lanes::{F8, P8, any_below};
use super::triangle::Frame;
use stiction::spatial::Vec3;

/// Entries of a traversal's stack; more than the depth of any tree that is built.
pub const STACK: usize = 96;

/// What a child of a node is.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// Another node.
    Node(u32),
    /// A run of triangles: the first and how many.
    Leaf(u32, u32),
}

/// A node: two children and their boxes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    boxes: [Box3; 2],
    /// The children.
    pub children: [Child; 2],
}

/// Triangles with a tree over them.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// Inner nodes, parents before children; the first is the root. Empty when all triangles fit one leaf.
    pub nodes: Vec<Node>,
    /// The triangles in the order of the leaves.
    pub triangles: Vec<[Vec3; 3]>,
    frames: Vec<Frame>,
}

impl Bvh {
    /// A tree over triangles.
    pub fn new(triangles: &[[Vec3; 3]]) -> Bvh {
        let (tree, order) = build::build(triangles);
        let mut nodes = Vec::new();
        lay_out(&tree, &mut nodes);
        let triangles: Vec<_> = order.iter().map(|&i| triangles[i as usize]).collect();
        let frames = triangles.iter().map(|&t| Frame::new(t)).collect();
        Bvh { nodes, triangles, frames }
    }

    /// Whether there is nothing to be near to.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The root as a child.
    pub fn root(&self) -> Child {
        if self.nodes.is_empty() { Child::Leaf(0, self.triangles.len() as u32) } else { Child::Node(0) }
    }

    /// Lowers `best`, squared distances, to the nearest triangle; `guess` is a triangle that is likely near, and becomes the
    /// last one that was nearer for any point.
    pub fn nearest(&self, points: P8, best: &mut F8, guess: &mut u32) {
        if let Some(frame) = self.frames.get(*guess as usize) {
            frame.lower(points, best);
        }
        let mut stack = [(Child::Leaf(0, 0), F8::ZERO); STACK];
        let mut depth = 0;
        let mut current = self.root();
        loop {
            match current {
                Child::Leaf(first, count) => {
                    for place in first..first + count {
                        if self.frames[place as usize].lower(points, best) {
                            *guess = place;
                        }
                    }
                }
                Child::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let d = [squared_distance(&node.boxes[0], points), squared_distance(&node.boxes[1], points)];
                    let near = usize::from(d[1].reduce_add() < d[0].reduce_add());
                    if any_below(d[1 - near], *best) {
                        stack[depth] = (node.children[1 - near], d[1 - near]);
                        depth += 1;
                    }
                    if any_below(d[near], *best) {
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
                if any_below(stack[depth].1, *best) {
                    current = stack[depth].0;
                    break;
                }
            }
        }
    }
}

/// Squared distances of eight points to a box.
#[inline(always)]
fn squared_distance(bounds: &Box3, p: P8) -> F8 {
    let axis =
        |x: F8, k: usize| (F8::splat(bounds.min[k]) - x).fast_max(x - F8::splat(bounds.max[k])).fast_max(F8::ZERO);
    let (x, y, z) = (axis(p.x, 0), axis(p.y, 1), axis(p.z, 2));
    x * x + y * y + z * z
}

/// Lays a tree out in depth-first order; returns what its root became.
fn lay_out(tree: &Tree, nodes: &mut Vec<Node>) -> Child {
    match tree {
        Tree::Leaf(first, count) => Child::Leaf(*first, *count),
        Tree::Node(inner) => {
            let index = nodes.len();
            nodes.push(Node { boxes: inner.0, children: [Child::Leaf(0, 0); 2] });
            let children = [lay_out(&inner.1[0], nodes), lay_out(&inner.1[1], nodes)];
            nodes[index].children = children;
            Child::Node(index as u32)
        }
    }
}
