//! A fixed number of shortest distances, improved at random in every step.
//!
//! As the paper's demonstrations (7.3) after L. Raghupathi et al. and S. Kimmerle et al.: a number of pairs of a vertex and a triangle is remembered. In each step every pair walks to nearer
//! neighbours, and some begin anew at random. What is near may be missed for some steps and is found later; section 3.2 of the paper says why this is no harm if it is soon, and `tests/detection.rs`
//! measures how soon. Edges are not tried. The seed is a setting, so that a recording replays to the bit.

use super::ProximityList;
use super::closest::closest_on_triangle;
use super::exact::vertex_and_face;
use super::surface::MovingSurface;
use stiction::spatial::Vec3;

/// Steps of a walk in one step of the simulation.
const WALK: u32 = 40;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    /// Square of the distance.
    square: f64,
    /// The distance, negative where the vertex is behind the triangle and within reach.
    gap: f64,
    /// Whose vertex it is: 0 or 1.
    of: u8,
    vertex: u32,
    triangle: u32,
    weights: [f64; 3],
}

/// Remembers pairs and improves them.
#[derive(Clone, Debug)]
pub struct StochasticDetection {
    pairs: Vec<Pair>,
    kept: usize,
    fresh: usize,
    state: u64,
}

impl StochasticDetection {
    /// Returns at most `kept` contacts a step and begins `fresh` pairs at random in each.
    pub fn new(kept: usize, fresh: usize, seed: u64) -> Self {
        StochasticDetection { pairs: Vec::with_capacity(kept + fresh), kept, fresh, state: seed }
    }

    /// S. Vigna's splitmix64.
    fn random(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }

    /// Adds the shortest of the remembered distances that are within reach (m). Does not allocate.
    pub fn detect(&mut self, bodies: [usize; 2], surfaces: [&MovingSurface; 2], reach: f64, out: &mut ProximityList) {
        if surfaces.iter().any(|s| s.surface().triangles.is_empty()) {
            return;
        }
        for _ in 0..self.fresh {
            let of = self.random(2);
            let vertex = self.random(surfaces[of].surface().vertex_count()) as u32;
            let triangle = self.random(surfaces[1 - of].surface().triangles.len()) as u32;
            self.pairs.push(Pair {
                square: f64::INFINITY,
                gap: f64::INFINITY,
                of: of as u8,
                vertex,
                triangle,
                weights: [0.0; 3],
            });
        }
        for pair in &mut self.pairs {
            settle(pair, &surfaces, reach);
            for _ in 0..WALK {
                if !walk(pair, &surfaces, reach) {
                    break;
                }
            }
        }
        // One pair for each vertex, then the shortest.
        let by_vertex = |p: &Pair| (p.of, p.vertex);
        self.pairs.sort_unstable_by(|a, b| {
            by_vertex(a).cmp(&by_vertex(b)).then(a.square.total_cmp(&b.square)).then(a.triangle.cmp(&b.triangle))
        });
        self.pairs.dedup_by_key(|p| by_vertex(p));
        self.pairs.sort_unstable_by(|a, b| a.gap.total_cmp(&b.gap).then(by_vertex(a).cmp(&by_vertex(b))));
        self.pairs.truncate(self.kept);
        for pair in self.pairs.iter().filter(|p| p.square < reach * reach) {
            let of = usize::from(pair.of);
            if let Some(found) = vertex_and_face(bodies, surfaces, of, pair.vertex, pair.triangle, &pair.weights) {
                out.add(found);
            }
        }
    }
}

/// Finds the distance of a pair.
fn measure(pair: &mut Pair, surfaces: &[&MovingSurface; 2], reach: f64) {
    let of = usize::from(pair.of);
    let point = surfaces[of].positions()[pair.vertex as usize];
    let corners = surfaces[1 - of].corners(pair.triangle as usize);
    pair.weights = closest_on_triangle(&point, &corners);
    let near: Vec3 = (0..3).map(|k| pair.weights[k] * corners[k]).sum();
    pair.square = (near - point).norm_squared();
    let behind = (point - near).dot(&surfaces[1 - of].normal(pair.triangle as usize)) < 0.0;
    // What is farther behind a face is on the other side of the body, or beyond it.
    pair.gap = if behind && pair.square < reach * reach { -pair.square.sqrt() } else { pair.square.sqrt() };
}

/// Goes from triangle to triangle around, as long as that comes nearer to the vertex.
fn settle(pair: &mut Pair, surfaces: &[&MovingSurface; 2], reach: f64) {
    let other = surfaces[1 - usize::from(pair.of)].surface();
    measure(pair, surfaces, reach);
    for _ in 0..WALK {
        let start = *pair;
        for vertex in other.triangles[start.triangle as usize] {
            for &triangle in other.around(vertex) {
                let mut next = Pair { triangle, ..start };
                measure(&mut next, surfaces, reach);
                if next.square < pair.square {
                    *pair = next;
                }
            }
        }
        if pair.triangle == start.triangle {
            return;
        }
    }
}

/// Goes to the neighbour of the vertex that lies farthest towards the other surface, if that is nearer to it; whether it went.
fn walk(pair: &mut Pair, surfaces: &[&MovingSurface; 2], reach: f64) -> bool {
    let of = usize::from(pair.of);
    let own = surfaces[of];
    let at = own.positions()[pair.vertex as usize];
    let corners = surfaces[1 - of].corners(pair.triangle as usize);
    let towards = (0..3).map(|k| pair.weights[k] * corners[k]).sum::<Vec3>() - at;
    let towards = if pair.gap < 0.0 { -towards } else { towards };
    let (mut best, mut farthest) = (pair.vertex, 0.0);
    for &triangle in own.surface().around(pair.vertex) {
        for vertex in own.surface().triangles[triangle as usize] {
            let along = (own.positions()[vertex as usize] - at).dot(&towards);
            if along > farthest {
                (best, farthest) = (vertex, along);
            }
        }
    }
    let mut next = Pair { vertex: best, ..*pair };
    settle(&mut next, surfaces, reach);
    let nearer = next.gap < pair.gap;
    if nearer {
        *pair = next;
    }
    nearer
}
