//! What is made of a tetrahedron of the lattice, by the signs of its corners.
//!
//! Positive corners (inside) stay, negative ones are cut off, and corners on the surface stand for the cuts of their edges. What remains is a tetrahedron, a pyramid or a prism; pyramids and
//! prisms are divided by diagonals of their quadrilaterals, and the two tetrahedra that share a quadrilateral must choose the same one. So the rule looks at nothing but the face: p and q inside,
//! n outside, and the cuts of the edges p n and q n.
//!
//! * One of the cut edges is long: the diagonal from its cut. (From its node instead, angles down to 9.1° came out.)
//! * p q is long: the Parity Rule of the source. From p to n some coordinates grow; where their number is even, the diagonal starts at the cut of p n. Exactly one of p and q has
//!   an even number, since they differ in one coordinate, and the rule alternates around a long edge, as prisms need.

use super::lattice::{Lattice, Site};
use stiction::spatial::Vec3;

/// A corner of what is made: a node of the lattice or a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corner {
    Node(u32),
    Cut(u32),
}

struct Filler<'a> {
    lattice: &'a Lattice,
    /// Numbers of the mesh's nodes, by node of the lattice and by cut.
    of_node: Vec<u32>,
    of_cut: Vec<u32>,
    nodes: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
}

/// Nodes and tetrahedra for the inside of a lattice.
pub(super) fn fill(lattice: &Lattice) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let mut filler = Filler {
        lattice,
        of_node: vec![u32::MAX; lattice.count()],
        of_cut: Vec::new(),
        nodes: Vec::new(),
        tetrahedra: Vec::new(),
    };
    for centre in lattice.centres() {
        for axis in 0..3 {
            let mut next = centre;
            next[axis] += 2;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            // The four corners of the square between the two centres, in order around it.
            let corner = |du: i32, dv: i32| {
                let mut site = centre;
                site[axis] += 1;
                site[u] += du;
                site[v] += dv;
                site
            };
            let around = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
            for k in 0..4 {
                filler.tetrahedron([centre, next, around[k], around[(k + 1) % 4]]);
            }
        }
    }
    (filler.nodes, filler.tetrahedra)
}

/// Whether the edge between two sites is long: its ends are of one kind.
fn long(a: &Site, b: &Site) -> bool {
    (a[0] ^ b[0]) & 1 == 0
}

/// Whether the diagonal of the quadrilateral of p, q and the cuts of p n and q n starts at p (and ends at the cut of q n).
fn starts_at_first(p: &Site, q: &Site, n: &Site) -> bool {
    if long(p, n) {
        false
    } else if long(q, n) {
        true
    } else {
        let growing = (0..3).filter(|&a| n[a] > p[a]).count();
        growing % 2 == 1
    }
}

impl Filler<'_> {
    /// Adds what is inside of a tetrahedron of the lattice.
    fn tetrahedron(&mut self, sites: [Site; 4]) {
        let Some(at) = sites.iter().map(|s| self.lattice.node(s)).collect::<Option<Vec<u32>>>() else { return };
        let of = |sign: i8| (0..4).filter(|&k| self.lattice.sign(at[k]) == sign).collect::<Vec<usize>>();
        let (inside, outside, on) = (of(1), of(-1), of(0));
        let node = |k: usize| Corner::Node(at[k]);
        // The cut of an edge, or its other end where that is on the surface.
        let cut = |p: usize, n: usize| match self.lattice.cut(at[p], at[n]) {
            Some((cut, _)) if !on.contains(&n) => Corner::Cut(cut),
            _ => Corner::Node(at[n]),
        };
        match (inside[..].len(), outside[..].len()) {
            (0, _) => {}
            (_, 0) => self.add([0, 1, 2, 3].map(node)),
            (1, _) => {
                let p = inside[0];
                let rest: Vec<Corner> = (0..4).filter(|&k| k != p).map(|k| cut(p, k)).collect();
                self.add([node(p), rest[0], rest[1], rest[2]]);
            }
            (2, 1) => {
                let ([p, q], n, apex) = ([inside[0], inside[1]], outside[0], node(on[0]));
                let first = starts_at_first(&sites[p], &sites[q], &sites[n]);
                let (p, q) = if first { (p, q) } else { (q, p) };
                self.add([node(p), node(q), cut(q, n), apex]);
                self.add([node(p), cut(q, n), cut(p, n), apex]);
            }
            (2, _) => {
                let ([p, q], [m, n]) = ([inside[0], inside[1]], [outside[0], outside[1]]);
                let first = |n: usize| starts_at_first(&sites[p], &sites[q], &sites[n]);
                // The quadrilateral on the surface takes the diagonal that the order of the others leaves.
                let order = match (first(m), first(n)) {
                    (true, true) => [0, 1, 2],
                    (true, false) => [2, 0, 1],
                    (false, true) => [1, 0, 2],
                    (false, false) => [1, 2, 0],
                };
                self.prism([node(p), cut(p, m), cut(p, n)], [node(q), cut(q, m), cut(q, n)], order);
            }
            _ => {
                let n = outside[0];
                let first = |i: usize, j: usize| starts_at_first(&sites[inside[i]], &sites[inside[j]], &sites[n]);
                let mut order = [0, 1, 2];
                // Never cyclic: one of the three edges to n is long, and its cut is the end of two diagonals.
                order.sort_by_key(|&i| (0..3).filter(|&j| j != i && first(j, i)).count());
                let inside = [inside[0], inside[1], inside[2]];
                self.prism(inside.map(node), inside.map(|p| cut(p, n)), order);
            }
        }
    }

    /// A prism between two triangles: diagonals start on the first triangle at the corner that is earlier in `order`, and end on the second one at the later.
    fn prism(&mut self, a: [Corner; 3], b: [Corner; 3], order: [usize; 3]) {
        let [i, j, k] = order;
        self.add([a[i], a[j], a[k], b[k]]);
        self.add([a[i], a[j], b[j], b[k]]);
        self.add([a[i], b[i], b[j], b[k]]);
    }

    fn add(&mut self, corners: [Corner; 4]) {
        let numbers = corners.map(|corner| {
            let number = match corner {
                Corner::Node(node) => &mut self.of_node[node as usize],
                Corner::Cut(cut) => {
                    let cut = cut as usize;
                    if self.of_cut.len() <= cut {
                        self.of_cut.resize(cut + 1, u32::MAX);
                    }
                    &mut self.of_cut[cut]
                }
            };
            if *number == u32::MAX {
                *number = self.nodes.len() as u32;
                self.nodes.push(match corner {
                    Corner::Node(node) => self.lattice.point(node),
                    Corner::Cut(cut) => self.lattice.cut_point(cut),
                });
            }
            *number
        });
        self.tetrahedra.push(numbers);
    }
}
