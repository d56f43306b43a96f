//! The surface of a body for finding contacts: triangles that stay, positions that move.

use crate::condensed::Side;
use stiction::spatial::Vec3;

/// Edges are tested against edges if their two faces turn by more than this at rest, outward (rad): 10°.
pub const SHARP_EDGE: f64 = 10.0 * std::f64::consts::PI / 180.0;

/// How far outside of the cone of its normals a vertex or an edge may be touched: the sine of 15°.
const LEAN: f64 = 0.26;
/// The same where surfaces overlap, and what is deep may be turned further: the sine of 60°.
const LEAN_INSIDE: f64 = 0.866;

fn lean(inside: bool) -> f64 {
    if inside { LEAN_INSIDE } else { LEAN }
}

/// What stays of a surface while it moves: its triangles, its sharp edges, its neighbourhoods, and the nodes that its vertices are.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionSurface {
    pub(super) rest: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The place of each vertex in the compliance; of no meaning for rigid bodies.
    pub(crate) places: Vec<u32>,
    /// The vertex at each place, sorted by places.
    by_place: Vec<(u32, u32)>,
    /// Sharp convex edges: two vertices, and the two triangles.
    pub(super) edges: Vec<([u32; 2], [u32; 2])>,
    /// Triangles around each vertex: starts, then numbers.
    starts: Vec<u32>,
    around: Vec<u32>,
}

impl CollisionSurface {
    /// A closed surface with anticlockwise triangles. `places` are the vertices' places in the body's compliance, or anything as long for a rigid body. Triangles that name vertices that
    /// are not there are left out.
    pub fn new(rest: Vec<Vec3>, triangles: &[[u32; 3]], places: Vec<u32>) -> CollisionSurface {
        let n = rest.len().min(places.len());
        let triangles: Vec<[u32; 3]> =
            triangles.iter().copied().filter(|t| t.iter().all(|&v| (v as usize) < n)).collect();
        let mut counts = vec![0u32; n + 1];
        triangles.iter().flatten().for_each(|&v| counts[v as usize + 1] += 1);
        for v in 0..n {
            counts[v + 1] += counts[v];
        }
        let mut next = counts.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (t, triangle) in triangles.iter().enumerate() {
            for &v in triangle {
                around[next[v as usize] as usize] = t as u32;
                next[v as usize] += 1;
            }
        }
        let mut by_place: Vec<(u32, u32)> = places.iter().enumerate().map(|(v, p)| (*p, v as u32)).collect();
        by_place.sort_unstable();
        let mut surface =
            CollisionSurface { rest, triangles, places, by_place, edges: Vec::new(), starts: counts, around };
        surface.find_edges();
        surface
    }

    fn find_edges(&mut self) {
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (t, [a, b, c]) in self.triangles.iter().enumerate() {
            sides.extend([[a, b], [b, c], [c, a]].map(|[a, b]| ([*a.min(b), *a.max(b)], t as u32)));
        }
        sides.sort_unstable();
        for pair in sides.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 2) {
            let [one, two] = [0, 1].map(|k| self.face_normal(pair[k].1 as usize, &self.rest));
            let ends = pair[0].0.map(|v| self.rest[v as usize]);
            // Outward: the other triangle's third corner is below the first one's plane.
            let third = self.triangles[pair[1].1 as usize].iter().find(|v| !pair[0].0.contains(v));
            let below = third.is_some_and(|&v| one.dot(&(self.rest[v as usize] - ends[0])) < 0.0);
            if below && one.dot(&two) < libm::cos(SHARP_EDGE) {
                self.edges.push((pair[0].0, [pair[0].1, pair[1].1]));
            }
        }
    }

    /// The triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The number of sharp convex edges.
    pub fn sharp_edges(&self) -> usize {
        self.edges.len()
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// The vertices at rest (m, in the body's axes).
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// The vertex at a place of the compliance.
    pub(crate) fn vertex_of_place(&self, place: u32) -> Option<u32> {
        let k = self.by_place.binary_search_by_key(&place, |pair| pair.0).ok()?;
        Some(self.by_place[k].1)
    }

    pub(super) fn around(&self, vertex: u32) -> &[u32] {
        &self.around[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    pub(crate) fn face_normal(&self, triangle: usize, positions: &[Vec3]) -> Vec3 {
        let [a, b, c] = self.triangles[triangle].map(|v| positions[v as usize]);
        let normal = (b - a).cross(&(c - a));
        let length = normal.norm();
        if length > 0.0 { normal / length } else { Vec3::zeros() }
    }
}

/// A surface and where its vertices are now.
#[derive(Clone, Debug)]
pub struct MovingSurface {
    surface: CollisionSurface,
    positions: Vec<Vec3>,
}

impl MovingSurface {
    /// At rest.
    pub fn new(surface: CollisionSurface) -> Self {
        MovingSurface { positions: surface.rest.clone(), surface }
    }

    /// What stays.
    pub fn surface(&self) -> &CollisionSurface {
        &self.surface
    }

    /// Where the vertices are (m, world).
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Where the vertices are, to be moved.
    pub fn positions_mut(&mut self) -> &mut [Vec3] {
        &mut self.positions
    }

    pub(super) fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.surface.triangles[triangle].map(|v| self.positions[v as usize])
    }

    pub(crate) fn normal(&self, triangle: usize) -> Vec3 {
        self.surface.face_normal(triangle, &self.positions)
    }

    /// The outer normal of a vertex: those of its faces, weighted by their angles there.
    pub(super) fn vertex_normal(&self, vertex: u32) -> Vec3 {
        let mut sum = Vec3::zeros();
        for &t in self.surface.around(vertex) {
            let own = self.surface.triangles[t as usize];
            let k = own.iter().position(|&v| v == vertex).unwrap_or(0);
            let at = [0, 1, 2].map(|i| self.positions[own[(k + i) % 3] as usize]);
            let (u, v) = (at[1] - at[0], at[2] - at[0]);
            sum += libm::atan2(u.cross(&v).norm(), u.dot(&v)) * self.normal(t as usize);
        }
        sum
    }

    /// Whether a direction out of the body, of length one, is one in which a vertex can be touched: no neighbour lies further out than a few degrees. (A vertex within a flat face is touched along its
    /// normal and not from the side, or a part would catch on it while it slides.)
    pub(super) fn vertex_faces(&self, vertex: u32, outward: &Vec3, inside: bool) -> bool {
        let at = self.positions[vertex as usize];
        self.surface.around(vertex).iter().all(|&t| {
            self.surface.triangles[t as usize].iter().all(|&w| {
                let along = self.positions[w as usize] - at;
                along.dot(outward) <= lean(inside) * along.norm()
            })
        })
    }

    /// The same for a sharp edge: neither of its faces lies further out.
    pub(super) fn edge_faces(&self, edge: usize, outward: &Vec3, inside: bool) -> bool {
        let (ends, faces) = self.surface.edges[edge];
        let [a, b] = ends.map(|v| self.positions[v as usize]);
        let along = b - a;
        faces.iter().all(|&t| {
            let third = self.surface.triangles[t as usize].iter().find(|v| !ends.contains(v));
            third.is_none_or(|&v| {
                let over = self.positions[v as usize] - a;
                let across = over - along * (over.dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE));
                across.dot(outward) <= lean(inside) * across.norm()
            })
        })
    }

    /// The outer normal of an edge of a triangle: the sum of the normals of its two faces.
    pub(super) fn edge_normal(&self, triangle: usize, ends: [u32; 2]) -> Vec3 {
        let mut sum = self.normal(triangle);
        for &t in self.surface.around(ends[0]) {
            if t as usize != triangle && self.surface.triangles[t as usize].contains(&ends[1]) {
                sum += self.normal(t as usize);
            }
        }
        sum
    }

    /// The outer normal at a point of a triangle: of the face, or of the edge or vertex on which it is.
    pub(super) fn normal_at(&self, triangle: usize, weights: &[f64; 3]) -> Vec3 {
        let own = self.surface.triangles[triangle];
        let zero = weights.map(|w| w == 0.0);
        match zero.iter().filter(|z| **z).count() {
            0 => self.normal(triangle),
            1 => {
                let k = zero.iter().position(|z| *z).unwrap_or(0);
                self.edge_normal(triangle, [own[(k + 1) % 3], own[(k + 2) % 3]])
            }
            _ => {
                let k = zero.iter().position(|z| !*z).unwrap_or(0);
                self.vertex_normal(own[k])
            }
        }
    }

    /// The side of a contact at a vertex.
    pub(super) fn vertex_side(&self, body: usize, vertex: u32) -> Side {
        let place = self.surface.places[vertex as usize];
        Side { body, point: self.positions[vertex as usize], nodes: [place; 3], weights: [1.0, 0.0, 0.0] }
    }

    /// The side of a contact at a point of a triangle.
    pub(super) fn face_side(&self, body: usize, triangle: usize, weights: &[f64; 3]) -> Side {
        let own = self.surface.triangles[triangle];
        let point = (0..3).map(|k| weights[k] * self.positions[own[k] as usize]).sum();
        Side { body, point, nodes: own.map(|v| self.surface.places[v as usize]), weights: *weights }
    }

    /// The side of a contact at a point of an edge.
    pub(super) fn edge_side(&self, body: usize, edge: usize, along: f64) -> Side {
        let ends = self.surface.edges[edge].0;
        let [a, b] = ends.map(|v| self.positions[v as usize]);
        let [i, j] = ends.map(|v| self.surface.places[v as usize]);
        Side { body, point: a + along * (b - a), nodes: [i, j, j], weights: [1.0 - along, along, 0.0] }
    }
}
