//! A tree of spheres around the faces of a polyhedron: the search for near features visits only what is near.

use crate::polyhedron::Polyhedron;
use stiction::spatial::{Pose, Vec3};

/// A sphere around some faces of a polyhedron.
#[derive(Clone, Copy, Debug)]
struct Node {
    centre: Vec3,
    radius: f64,
    /// The two nodes below, or the number of a face.
    below: Below,
}

#[derive(Clone, Copy, Debug)]
enum Below {
    Nodes(u32, u32),
    Face(u32),
}

/// Spheres around the faces of a polyhedron, the root first.
#[derive(Clone, Debug)]
pub struct FaceTree {
    nodes: Vec<Node>,
}

/// Open pairs of nodes of a search. Each step opens one of two nodes, so that no more than the sum of both depths wait.
const MOST_OPEN: usize = 128;

impl FaceTree {
    /// The tree of a polyhedron's faces.
    pub fn new(solid: &Polyhedron) -> FaceTree {
        let mut tree = FaceTree { nodes: Vec::new() };
        let mut faces: Vec<u32> = (0..solid.faces.len() as u32).collect();
        tree.grow(solid, &mut faces);
        tree
    }

    fn grow(&mut self, solid: &Polyhedron, faces: &mut [u32]) -> u32 {
        let points = |faces: &[u32]| -> Vec<Vec3> {
            faces.iter().flat_map(|f| &solid.faces[*f as usize].vertices).map(|v| solid.point(*v)).collect()
        };
        let all = points(faces);
        let first = all.first().copied().unwrap_or_default();
        let (low, high) = all.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
        let centre = (low + high) * 0.5;
        let radius = all.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max);
        let at = self.nodes.len();
        self.nodes.push(Node { centre, radius, below: Below::Face(faces[0]) });
        if faces.len() > 1 {
            let axis = (high - low).imax();
            let middle = |f: &u32| {
                let around = points(&[*f]);
                around.iter().map(|p| p[axis]).sum::<f64>() / around.len().max(1) as f64
            };
            faces.sort_by(|f, g| middle(f).total_cmp(&middle(g)).then(f.cmp(g)));
            let (one, two) = faces.split_at_mut(faces.len() / 2);
            self.nodes[at].below = Below::Nodes(self.grow(solid, one), self.grow(solid, two));
        }
        at as u32
    }

    /// Shows the pairs of faces whose spheres are at most `margin` apart, with `self` moved by a pose.
    pub fn near(&self, pose: &Pose, other: &FaceTree, margin: f64, each: &mut impl FnMut(u32, u32)) {
        let mut open = [(0, 0); MOST_OPEN];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (i, j) = open[count];
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            let reach = a.radius + b.radius + margin;
            let apart = pose * nalgebra::Point3::from(a.centre) - nalgebra::Point3::from(b.centre);
            if apart.norm_squared() > reach * reach {
                continue;
            }
            let pairs = match (a.below, b.below) {
                (Below::Face(f), Below::Face(g)) => {
                    each(f, g);
                    continue;
                }
                (Below::Nodes(p, q), Below::Face(_)) => [(p, j), (q, j)],
                (Below::Face(_), Below::Nodes(p, q)) => [(i, p), (i, q)],
                (Below::Nodes(p, q), Below::Nodes(..)) if a.radius >= b.radius => [(p, j), (q, j)],
                (Below::Nodes(..), Below::Nodes(p, q)) => [(i, p), (i, q)],
            };
            for pair in pairs {
                if count < MOST_OPEN {
                    open[count] = pair;
                    count += 1;
                }
            }
        }
    }
}
