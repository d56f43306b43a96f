//! Trees of boxes around the features of a polyhedron: the search for near features visits only what is near.
//!
//! Faces, edges and vertices have a tree each, since a large face says nothing about where its edges are. Boxes have the axes of their own part; two of them are apart if one of
//! their six axes separates them by more than is asked for. (The nine further axes of two boxes would tell a few more apart, and cost more than they save.)

use crate::polyhedron::Polyhedron;
use stiction::spatial::{Mat3, Pose, Vec3};

/// A box around some features, in the axes of their part.
#[derive(Clone, Copy, Debug)]
struct Node {
    centre: Vec3,
    /// Half of its edges.
    half: Vec3,
    below: Below,
}

/// What is in a node: two nodes, or the number of a feature.
#[derive(Clone, Copy, Debug)]
enum Below {
    Nodes(u32, u32),
    Feature(u32),
}

/// Boxes around features of one kind, the root first.
#[derive(Clone, Debug)]
pub struct BoxTree {
    nodes: Vec<Node>,
}

/// The trees of a polyhedron.
#[derive(Clone, Debug)]
pub struct FeatureTrees {
    /// Boxes around faces.
    pub faces: BoxTree,
    /// Boxes around edges.
    pub edges: BoxTree,
    /// Boxes around vertices.
    pub vertices: BoxTree,
}

impl FeatureTrees {
    /// The trees of a polyhedron.
    pub fn new(solid: &Polyhedron) -> FeatureTrees {
        let around = |vertices: &[u32]| -> [Vec3; 2] {
            let mut points = vertices.iter().map(|v| solid.point(*v));
            let first = points.next().unwrap_or_default();
            let (low, high) = points.fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
            [low, high]
        };
        FeatureTrees {
            faces: BoxTree::new(&solid.faces.iter().map(|f| around(&f.vertices)).collect::<Vec<_>>()),
            edges: BoxTree::new(&solid.edges.iter().map(|e| around(&e.vertices)).collect::<Vec<_>>()),
            vertices: BoxTree::new(&solid.vertices.iter().map(|v| [v.position; 2]).collect::<Vec<_>>()),
        }
    }
}

/// Open pairs of nodes of a search. Each step opens one of two nodes, so that no more than the sum of both depths wait.
const MOST_OPEN: usize = 128;

/// How the axes of A lie in those of B, for tests of boxes.
#[derive(Clone, Copy, Debug)]
pub struct BoxFrame {
    rotation: Mat3,
    magnitude: Mat3,
    translation: Vec3,
}

impl BoxFrame {
    /// The frame of a pose (B from A).
    pub fn of(pose: &Pose) -> BoxFrame {
        let rotation = *pose.rotation.to_rotation_matrix().matrix();
        BoxFrame { rotation, magnitude: rotation.abs(), translation: pose.translation.vector }
    }

    /// Whether a box of A and one of B may be at most `margin` (m) apart.
    fn near(&self, a: &Node, b: &Node, margin: f64) -> bool {
        let apart = self.rotation * a.centre + self.translation - b.centre;
        let in_b = self.magnitude * a.half + b.half;
        if (0..3).any(|i| apart[i].abs() > in_b[i] + margin) {
            return false;
        }
        let in_a = self.magnitude.tr_mul(&b.half) + a.half;
        let apart = self.rotation.tr_mul(&apart);
        !(0..3).any(|i| apart[i].abs() > in_a[i] + margin)
    }
}

impl BoxTree {
    /// The tree of features with these lowest and highest corners.
    pub fn new(bounds: &[[Vec3; 2]]) -> BoxTree {
        let mut tree = BoxTree { nodes: Vec::new() };
        let mut features: Vec<u32> = (0..bounds.len() as u32).collect();
        if !features.is_empty() {
            tree.grow(bounds, &mut features);
        }
        tree
    }

    fn grow(&mut self, bounds: &[[Vec3; 2]], features: &mut [u32]) -> u32 {
        let [mut low, mut high] = bounds[features[0] as usize];
        for f in features.iter() {
            let [l, h] = bounds[*f as usize];
            (low, high) = (low.inf(&l), high.sup(&h));
        }
        let at = self.nodes.len();
        self.nodes.push(Node {
            centre: (low + high) * 0.5,
            half: (high - low) * 0.5,
            below: Below::Feature(features[0]),
        });
        if features.len() > 1 {
            // Along the axis on which the middles of the features differ most.
            let middle = |f: &u32| bounds[*f as usize][0] + bounds[*f as usize][1];
            let first = middle(&features[0]);
            let (least, most) =
                features.iter().map(middle).fold((first, first), |(low, high), m| (low.inf(&m), high.sup(&m)));
            let axis = (most - least).imax();
            features.sort_by(|f, g| middle(f)[axis].total_cmp(&middle(g)[axis]).then(f.cmp(g)));
            let (one, two) = features.split_at_mut(features.len() / 2);
            self.nodes[at].below = Below::Nodes(self.grow(bounds, one), self.grow(bounds, two));
        }
        at as u32
    }

    /// Shows the pairs of features whose boxes may be at most `margin` (m) apart, with those of `self` in a frame.
    pub fn near(&self, frame: &BoxFrame, other: &BoxTree, margin: f64, each: &mut impl FnMut(u32, u32)) {
        if self.nodes.is_empty() || other.nodes.is_empty() {
            return;
        }
        let mut open = [(0, 0); MOST_OPEN];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (i, j) = open[count];
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            if !frame.near(a, b, margin) {
                continue;
            }
            let pairs = match (a.below, b.below) {
                (Below::Feature(f), Below::Feature(g)) => {
                    each(f, g);
                    continue;
                }
                (Below::Nodes(p, q), Below::Feature(_)) => [(p, j), (q, j)],
                (Below::Feature(_), Below::Nodes(p, q)) => [(i, p), (i, q)],
                (Below::Nodes(p, q), Below::Nodes(..)) if a.half.norm_squared() >= b.half.norm_squared() => {
                    [(p, j), (q, j)]
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::spatial::exp;
    use stiction_testing::splitmix64;

    /// No pair that is near is left out: against a loop over all pairs of points.
    #[test]
    fn the_search_finds_every_pair_of_points_that_is_near() {
        let mut seed = 3;
        let mut random = || splitmix64(&mut seed) as f64 / u64::MAX as f64 * 2.0 - 1.0;
        let mut cloud = || -> Vec<Vec3> { (0..600).map(|_| Vec3::new(random(), 0.1 * random(), random())).collect() };
        let (one, two) = (cloud(), cloud());
        let trees = [&one, &two].map(|points| BoxTree::new(&points.iter().map(|p| [*p; 2]).collect::<Vec<_>>()));
        let mut all = 0;
        for round in 0..20 {
            let pose = Pose::from_parts(
                Vec3::new(0.1, 0.05, -0.2).into(),
                exp(&(Vec3::new(0.3, 0.5, -0.2) * f64::from(round))),
            );
            let mut found = std::collections::BTreeSet::new();
            trees[0].near(&BoxFrame::of(&pose), &trees[1], 0.05, &mut |i, j| assert!(found.insert((i, j)), "twice"));
            for (i, p) in one.iter().enumerate() {
                for (j, q) in two.iter().enumerate() {
                    let near = (pose * nalgebra::Point3::from(*p) - nalgebra::Point3::from(*q)).norm() <= 0.05;
                    assert!(!near || found.contains(&(i as u32, j as u32)));
                    all += usize::from(near);
                }
            }
            assert!(found.len() < one.len() * two.len() / 20);
        }
        assert!(all > 100, "{all}");
    }
}
