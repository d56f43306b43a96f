//! All contacts of two surfaces within reach, by trees of boxes.

use super::closest::{closest_on_segments, closest_on_triangle};
use super::surface::MovingSurface;
use super::tree::BoxTree;
use super::{Kind, Proximity, ProximityList, frame_of, identity};
use crate::condensed::ContactPoint;
use stiction::spatial::Vec3;

/// The nearest triangle of the other body, by vertex.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    square: f64,
    triangle: u32,
    weights: [f64; 3],
}

const FAR: Nearest = Nearest { square: f64::INFINITY, triangle: u32::MAX, weights: [0.0; 3] };

/// What one of the two bodies needs.
#[derive(Clone, Debug)]
struct Half {
    tree: BoxTree,
    nearest: Vec<Nearest>,
    /// Vertices that have a nearest triangle.
    touched: Vec<u32>,
    /// The triangle that stands for each vertex and for each sharp edge in pairs of triangles.
    vertex_owner: Vec<u32>,
    /// Sharp edges by the triangle that stands for them: starts, then numbers.
    edge_starts: Vec<u32>,
    edges: Vec<u32>,
}

/// Finds all contacts of two surfaces, with its memory.
#[derive(Clone, Debug)]
pub struct ExactDetection {
    halves: [Half; 2],
    open: Vec<(u32, u32)>,
    /// Pairs that are open at a time, at most.
    depth: usize,
}

impl Half {
    fn new(surface: &MovingSurface) -> Half {
        let fixed = surface.surface();
        let mut vertex_owner = vec![u32::MAX; fixed.vertex_count()];
        for (t, triangle) in fixed.triangles.iter().enumerate().rev() {
            triangle.iter().for_each(|&v| vertex_owner[v as usize] = t as u32);
        }
        let mut by_owner: Vec<(u32, u32)> =
            fixed.edges.iter().enumerate().map(|(e, (_, faces))| (faces[0].min(faces[1]), e as u32)).collect();
        by_owner.sort_unstable();
        let start = |t: usize| by_owner.partition_point(|pair| (pair.0 as usize) < t) as u32;
        Half {
            tree: BoxTree::new(fixed),
            nearest: vec![FAR; fixed.vertex_count()],
            touched: Vec::with_capacity(fixed.vertex_count()),
            vertex_owner,
            edge_starts: (0..=fixed.triangles.len()).map(start).collect(),
            edges: by_owner.iter().map(|pair| pair.1).collect(),
        }
    }

    fn offer(&mut self, vertex: u32, found: Nearest) {
        let nearest = &mut self.nearest[vertex as usize];
        if nearest.triangle == u32::MAX {
            self.touched.push(vertex);
        }
        if found.square < nearest.square {
            *nearest = found;
        }
    }
}

impl ExactDetection {
    /// For two surfaces.
    pub fn new(first: &MovingSurface, second: &MovingSurface) -> Self {
        let halves = [Half::new(first), Half::new(second)];
        // A pair of nodes opens at most two others, each a level deeper.
        let depth = 4 * (64 - (halves[0].tree.nodes.len() * halves[1].tree.nodes.len()).leading_zeros() as usize + 8);
        ExactDetection { halves, open: Vec::with_capacity(depth), depth }
    }

    /// Makes room again, which a copy has not.
    pub(crate) fn reserve(&mut self) {
        self.open.clear();
        self.open.reserve(self.depth);
        for half in &mut self.halves {
            let vertices = half.nearest.len();
            half.touched.reserve(vertices - half.touched.len());
        }
    }

    /// Adds the contacts of two bodies that are within `reach` of each other (m). The surfaces must be those that the detection was made for. Does not allocate.
    pub fn detect(&mut self, bodies: [usize; 2], surfaces: [&MovingSurface; 2], reach: f64, out: &mut ProximityList) {
        for (half, surface) in self.halves.iter_mut().zip(surfaces) {
            half.tree.refit(surface);
            half.touched.drain(..).for_each(|v| half.nearest[v as usize] = FAR);
        }
        self.open.clear();
        self.open.push((0, 0));
        while let Some((one, two)) = self.open.pop() {
            let [a, b] = [&self.halves[0].tree.nodes[one as usize], &self.halves[1].tree.nodes[two as usize]];
            if !a.near(b, reach) {
                continue;
            }
            match (a.count > 0, b.count > 0) {
                (true, true) => self.leaves(bodies, surfaces, [one, two], reach, out),
                (false, true) => self.open.extend([(a.first, two), (a.first + 1, two)]),
                (true, false) => self.open.extend([(one, b.first), (one, b.first + 1)]),
                (false, false) if a.size() > b.size() => self.open.extend([(a.first, two), (a.first + 1, two)]),
                (false, false) => self.open.extend([(one, b.first), (one, b.first + 1)]),
            }
        }
        for (k, half) in self.halves.iter_mut().enumerate() {
            half.touched.sort_unstable();
            for &vertex in &half.touched {
                let nearest = half.nearest[vertex as usize];
                if let Some(found) = vertex_and_face(bodies, surfaces, k, vertex, nearest.triangle, &nearest.weights) {
                    out.add(found);
                }
            }
        }
    }

    /// All pairs of triangles of two leaves.
    fn leaves(
        &mut self,
        bodies: [usize; 2],
        surfaces: [&MovingSurface; 2],
        nodes: [u32; 2],
        reach: f64,
        out: &mut ProximityList,
    ) {
        let range = |k: usize| {
            let node = &self.halves[k].tree.nodes[nodes[k] as usize];
            node.first as usize..(node.first + node.count) as usize
        };
        let ranges = [range(0), range(1)];
        for i in ranges[0].clone() {
            for j in ranges[1].clone() {
                if !self.halves[0].tree.triangles_near(i, &self.halves[1].tree, j, reach) {
                    continue;
                }
                let triangles = [self.halves[0].tree.order[i], self.halves[1].tree.order[j]];
                for k in 0..2 {
                    let (own, other) = (triangles[k], triangles[1 - k]);
                    let corners = surfaces[1 - k].corners(other as usize);
                    for vertex in surfaces[k].surface().triangles[own as usize] {
                        if self.halves[k].vertex_owner[vertex as usize] != own {
                            continue;
                        }
                        let point = surfaces[k].positions()[vertex as usize];
                        let weights = closest_on_triangle(&point, &corners);
                        let near: Vec3 = (0..3).map(|c| weights[c] * corners[c]).sum();
                        let square = (near - point).norm_squared();
                        if square < reach * reach {
                            self.halves[k].offer(vertex, Nearest { square, triangle: other, weights });
                        }
                    }
                }
                let edges = |k: usize| {
                    let half = &self.halves[k];
                    let t = triangles[k] as usize;
                    &half.edges[half.edge_starts[t] as usize..half.edge_starts[t + 1] as usize]
                };
                for &one in edges(0) {
                    for &two in edges(1) {
                        if let Some(found) = edge_and_edge(bodies, surfaces, [one, two], reach) {
                            out.add(found);
                        }
                    }
                }
            }
        }
    }
}

/// The contact of a vertex of body `k` of two with a triangle of the other one.
pub(super) fn vertex_and_face(
    bodies: [usize; 2],
    surfaces: [&MovingSurface; 2],
    k: usize,
    vertex: u32,
    triangle: u32,
    weights: &[f64; 3],
) -> Option<Proximity> {
    let (own, other) = (surfaces[k], surfaces[1 - k]);
    let point = own.vertex_side(bodies[k], vertex);
    let face = other.face_side(bodies[1 - k], triangle as usize, weights);
    let outer = other.normal_at(triangle as usize, weights);
    let apart = point.point - face.point;
    let side = apart.dot(&outer);
    let length = apart.norm();
    // Towards the vertex's body, which is outside. Where both points coincide, the face tells the direction.
    let (towards, gap) = if length > 1e-12 && side.abs() > 1e-9 * length * outer.norm() {
        let sign = side.signum();
        (apart * (sign / length), sign * length)
    } else {
        (outer.try_normalize(0.0)?, 0.0)
    };
    if !own.vertex_faces(vertex, &-towards, gap < 0.0) {
        return None;
    }
    let (kind, sides, normal) = if k == 0 {
        (Kind::FirstVertex, [point, face], towards)
    } else {
        (Kind::SecondVertex, [face, point], -towards)
    };
    Some(Proximity {
        id: identity(kind, bodies, [vertex, 0]),
        gap,
        contact: ContactPoint { sides, frame: frame_of(&normal) },
    })
}

/// The contact of two sharp edges, if their nearest points are inside of both and within reach.
fn edge_and_edge(bodies: [usize; 2], surfaces: [&MovingSurface; 2], edges: [u32; 2], reach: f64) -> Option<Proximity> {
    let fixed = |k: usize| surfaces[k].surface().edges[edges[k] as usize];
    let ends = |k: usize| fixed(k).0.map(|v| surfaces[k].positions()[v as usize]);
    let along = closest_on_segments(&ends(0), &ends(1))?;
    let sides = [0, 1].map(|k| surfaces[k].edge_side(bodies[k], edges[k] as usize, along[k]));
    let apart = sides[0].point - sides[1].point;
    let length = apart.norm();
    if !(length < reach) || !(length > 1e-12) {
        return None;
    }
    let outer = [0, 1].map(|k| surfaces[k].normal(fixed(k).1[0] as usize) + surfaces[k].normal(fixed(k).1[1] as usize));
    // The normal points into the first body and out of the second one.
    let (into, out_of) = (-apart.dot(&outer[0]), apart.dot(&outer[1]));
    let sign = if into > 0.0 && out_of > 0.0 {
        1.0
    } else if into < 0.0 && out_of < 0.0 {
        -1.0
    } else {
        return None;
    };
    let normal = apart * (sign / length);
    if !surfaces[0].edge_faces(edges[0] as usize, &-normal, sign < 0.0)
        || !surfaces[1].edge_faces(edges[1] as usize, &normal, sign < 0.0)
    {
        return None;
    }
    Some(Proximity {
        id: identity(Kind::Edges, bodies, edges),
        gap: sign * length,
        contact: ContactPoint { sides, frame: frame_of(&normal) },
    })
}
