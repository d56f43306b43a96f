//! A convex cell that half-spaces cut smaller: the hull in dual space, held by its poles.
//!
//! Source: section 4.3 of the paper (Muller and Preparata's dual transform). Under the transform a plane a·x = 1 is the point a, and a vertex x of the cell is the facet of the dual hull whose
//! pole is x. Adding the point a to the dual hull removes the facets that see it, those with a·x > 1, and joins the point to the border of what was removed: in terms of the poles, the vertices
//! beyond the plane go, and every edge that crosses the plane ends in a new vertex. This file does the latter. Three reasons:
//!
//! * Visibility is the distance of a vertex from a plane, which is as accurate in a film of 1e-9 m as in a cube. In the dual, a film is a needle.
//! * A new vertex is interpolated on its edge instead of solved from three planes. It stays between older vertices however parallel the planes are.
//! * No point inside is needed.
//!
//! # Degenerate positions
//!
//! Vertices where many planes meet and planes that coincide are the normal case for stacked blocks. A vertex is beyond a plane only if its distance is more than a tolerance (of rounding, not
//! of geometry), so a plane that coincides with a face cuts nothing. There is no third class "on the plane": vertices may coincide instead, and edges may have no length. What is removed is one
//! connected set of vertices and so is what remains; where rounding says otherwise, small sets change sides. By planarity the border is then one cycle, every face that is cut is cut once, and
//! the cell stays a polyhedral graph with faces of at least three corners for any input whatever, also for noise. With f faces it has at most 2 f − 4 vertices and 3 f − 6 edges (Euler).
//!
//! # Symbols
//!
//! Half-edges h and h ^ 1 are twins. `origin[h]` is the vertex where h starts, `next[h]` follows it around its face, counter-clockwise from outside.

use crate::buffer::Buffer;
use stiction::spatial::Vec3;

/// No half-edge, vertex or face.
pub(crate) const NONE: u32 = u32::MAX;

/// A plane n·x = offset of a half-space n·x ≤ offset, with the distance up to which a vertex counts as inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Unit vector out of the half-space.
    pub normal: Vec3,
    /// Distance of the plane from the origin along the normal (m).
    pub offset: f64,
    /// Distance beyond the plane that is rounding (m).
    pub tolerance: f64,
}

/// What became of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutResult {
    /// The cell is inside the half-space.
    Unchanged,
    /// The plane is a new face.
    Smaller,
    /// No vertex is inside the half-space.
    Empty,
}

/// The graph of a polyhedron.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// By half-edge.
    pub origin: Buffer<u32>,
    /// By half-edge.
    pub next: Buffer<u32>,
    /// By half-edge.
    pub face: Buffer<u32>,
    /// By vertex: a half-edge that starts there.
    pub leaving: Buffer<u32>,
    /// By face: a half-edge of it, or [`NONE`].
    pub first: Buffer<u32>,
}

impl Graph {
    fn with_capacity(faces: usize) -> Self {
        let (vertices, halves) = (2 * faces, 6 * faces);
        Graph {
            origin: Buffer::with_capacity(halves),
            next: Buffer::with_capacity(halves),
            face: Buffer::with_capacity(halves),
            leaving: Buffer::with_capacity(vertices),
            first: Buffer::with_capacity(faces),
        }
    }

    /// The half-edge that follows `h` around the origin of `h`.
    fn around(&self, h: u32) -> u32 {
        self.next[(h ^ 1) as usize]
    }

    fn target(&self, h: u32) -> u32 {
        self.origin[(h ^ 1) as usize]
    }

    fn copy_from(&mut self, other: &Graph) {
        let copy = |to: &mut Buffer<u32>, from: &[u32]| {
            to.clear();
            to.extend_from_slice(from);
        };
        copy(&mut self.origin, &other.origin);
        copy(&mut self.next, &other.next);
        copy(&mut self.face, &other.face);
        copy(&mut self.leaving, &other.leaving);
        copy(&mut self.first, &other.first);
    }

    /// The corners of a face, counter-clockwise from outside; none for a face that was cut away.
    pub fn corners(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.first.get(face as usize).copied().unwrap_or(NONE);
        let mut at = first;
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let h = at as usize;
            at = if self.next[h] == first { NONE } else { self.next[h] };
            Some(self.origin[h])
        })
    }

    /// The graph with these faces, each a cycle of vertices that is counter-clockwise from outside. `None` unless every edge has a face on either side and Euler's formula holds.
    pub fn of_faces(vertices: usize, faces: &[Vec<u32>]) -> Option<Graph> {
        let sides: usize = faces.iter().map(Vec::len).sum();
        if vertices + faces.len() != sides / 2 + 2 || faces.iter().any(|f| f.len() < 3) {
            return None;
        }
        // Directed edges, sorted by their undirected edge: twins are neighbours then.
        let mut edges: Vec<(u32, u32, u32, u32)> = Vec::with_capacity(sides);
        for (i, face) in faces.iter().enumerate() {
            for (j, from) in face.iter().enumerate() {
                let to = face[(j + 1) % face.len()];
                edges.push(((*from).min(to), (*from).max(to), *from, i as u32));
            }
        }
        edges.sort_unstable();
        let mut graph = Graph {
            origin: edges.iter().map(|e| e.2).collect::<Vec<_>>().into(),
            next: vec![NONE; sides].into(),
            face: edges.iter().map(|e| e.3).collect::<Vec<_>>().into(),
            leaving: vec![NONE; vertices].into(),
            first: vec![NONE; faces.len()].into(),
        };
        for pair in edges.chunks(2) {
            let [a, b] = pair else { return None };
            if (a.0, a.1) != (b.0, b.1) || a.2 == b.2 || a.3 == b.3 {
                return None;
            }
        }
        if edges.windows(3).any(|w| (w[0].0, w[0].1) == (w[2].0, w[2].1)) {
            return None;
        }
        for (i, face) in faces.iter().enumerate() {
            let find = |j: usize| {
                let (from, to) = (face[j % face.len()], face[(j + 1) % face.len()]);
                edges.binary_search(&(from.min(to), from.max(to), from, i as u32)).ok()
            };
            for j in 0..face.len() {
                let (h, next) = (find(j)?, find(j + 1)?);
                graph.next[h] = next as u32;
                graph.first[i] = h as u32;
                *graph.leaving.get_mut(face[j] as usize)? = h as u32;
            }
        }
        graph.leaving.iter().all(|h| *h != NONE).then_some(graph)
    }
}

/// A convex cell that half-spaces cut smaller, with all the memory that takes.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    graph: Graph,
    /// By vertex: its place; not a number where there is no vertex.
    points: Buffer<Vec3>,
    /// By vertex: distance from the plane of the current cut.
    distance: Buffer<f64>,
    /// By vertex: the last cut whose removal reached it.
    removed: Buffer<u32>,
    /// By vertex: the last cut whose search of what remains reached it.
    kept: Buffer<u32>,
    /// Number of the current cut.
    cut: u32,
    stack: Buffer<u32>,
    /// The vertices that the current cut removes.
    gone: Buffer<u32>,
    /// The half-edges that lead out of what is removed, in their order around the cut, each with the place of its new vertex.
    border: Buffer<(u32, Vec3)>,
    free_vertices: Buffer<u32>,
    /// The even half-edge of edges that are not used.
    free_edges: Buffer<u32>,
    most_faces: usize,
}

impl Cell {
    /// Memory for cells with at most so many faces, cut ones included.
    pub fn new(most_faces: usize) -> Self {
        let vertices = 2 * most_faces;
        Cell {
            graph: Graph::with_capacity(most_faces),
            points: Buffer::with_capacity(vertices),
            distance: Buffer::with_capacity(vertices),
            removed: Buffer::with_capacity(vertices),
            kept: Buffer::with_capacity(vertices),
            cut: 0,
            stack: Buffer::with_capacity(vertices),
            gone: Buffer::with_capacity(vertices),
            border: Buffer::with_capacity(3 * most_faces),
            free_vertices: Buffer::with_capacity(vertices),
            free_edges: Buffer::with_capacity(3 * most_faces),
            most_faces,
        }
    }

    /// Starts with a polyhedron. Returns false if it has more faces than there is memory for.
    pub fn start(&mut self, graph: &Graph, points: &[Vec3]) -> bool {
        if graph.first.len() > self.most_faces {
            return false;
        }
        self.graph.copy_from(graph);
        self.points.clear();
        self.points.extend_from_slice(points);
        self.distance.clear();
        self.distance.resize(points.len(), 0.0);
        self.removed.clear();
        self.removed.resize(points.len(), 0);
        self.kept.clear();
        self.kept.resize(points.len(), 0);
        self.cut = 0;
        self.free_vertices.clear();
        self.free_edges.clear();
        true
    }

    /// The places of the vertices by number; not numbers for those that were cut away.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The graph, faces in the order in which they were added. Faces that were cut away have no corners.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Cuts away what is beyond a plane. If the plane becomes a face, its number is the number of faces before.
    pub fn cut(&mut self, plane: &Cut) -> CutResult {
        let (mut least, mut most) = ((f64::INFINITY, NONE), (f64::NEG_INFINITY, NONE));
        for (i, (point, distance)) in self.points.iter().zip(self.distance.iter_mut()).enumerate() {
            let d = plane.normal.x * point.x + plane.normal.y * point.y + plane.normal.z * point.z - plane.offset;
            *distance = d;
            // Comparisons with what is not a number are false: free vertices are never chosen.
            if d > most.0 {
                most = (d, i as u32);
            }
            if d < least.0 {
                least = (d, i as u32);
            }
        }
        if !(most.0 > plane.tolerance) || self.graph.first.len() >= self.most_faces {
            return CutResult::Unchanged;
        }
        if least.0 > plane.tolerance {
            return CutResult::Empty;
        }
        self.cut += 1;
        let crossing = self.remove_from(most.1, plane.tolerance);
        let Some(start) = crossing.0 else { return CutResult::Empty };
        if self.walk_border(start) != crossing.1 {
            // What remains is in several pieces, by rounding: the one with the deepest vertex stays.
            let Some(start) = self.remove_pieces_without(least.1) else { return CutResult::Empty };
            self.walk_border(start);
        }
        self.close();
        CutResult::Smaller
    }

    /// Marks the connected set beyond the plane that includes a vertex. Returns a half-edge that leads out of it, and the number of them.
    fn remove_from(&mut self, vertex: u32, tolerance: f64) -> (Option<u32>, usize) {
        self.stack.clear();
        self.gone.clear();
        self.stack.push(vertex);
        self.removed[vertex as usize] = self.cut;
        let (mut start, mut crossings) = (None, 0);
        while let Some(v) = self.stack.pop() {
            self.gone.push(v);
            let first = self.graph.leaving[v as usize];
            let mut h = first;
            loop {
                let to = self.graph.target(h) as usize;
                if self.distance[to] > tolerance {
                    if self.removed[to] != self.cut {
                        self.removed[to] = self.cut;
                        self.stack.push(to as u32);
                    }
                } else {
                    crossings += 1;
                    start = Some(h);
                }
                h = self.graph.around(h);
                if h == first {
                    break;
                }
            }
        }
        (start, crossings)
    }

    /// Removes every vertex that is not connected with a vertex by what remains. Returns a half-edge that leads out of what is removed.
    fn remove_pieces_without(&mut self, vertex: u32) -> Option<u32> {
        self.stack.clear();
        self.stack.push(vertex);
        self.kept[vertex as usize] = self.cut;
        let mut start = None;
        while let Some(v) = self.stack.pop() {
            let first = self.graph.leaving[v as usize];
            let mut h = first;
            loop {
                let to = self.graph.target(h) as usize;
                if self.removed[to] == self.cut {
                    start = Some(h ^ 1);
                } else if self.kept[to] != self.cut {
                    self.kept[to] = self.cut;
                    self.stack.push(to as u32);
                }
                h = self.graph.around(h);
                if h == first {
                    break;
                }
            }
        }
        for v in 0..self.points.len() {
            if self.points[v].x.is_finite() && self.kept[v] != self.cut && self.removed[v] != self.cut {
                self.removed[v] = self.cut;
                self.gone.push(v as u32);
            }
        }
        start
    }

    /// Lists the half-edges that lead out of what is removed, in order, with the places of their new vertices. Returns their number.
    fn walk_border(&mut self, start: u32) -> usize {
        self.border.clear();
        let mut h = start;
        loop {
            let (from, to) = (self.graph.origin[h as usize] as usize, self.graph.target(h) as usize);
            let place = crossing(&self.points[from], self.distance[from], &self.points[to], self.distance[to]);
            self.border.push((h, place));
            h = self.graph.around(h);
            while self.removed[self.graph.target(h) as usize] == self.cut {
                h = self.graph.next[h as usize];
            }
            if h == start {
                return self.border.len();
            }
        }
    }

    /// Removes the marked vertices, and closes the hole with a face.
    fn close(&mut self) {
        let face = self.graph.first.len() as u32;
        for v in self.gone.iter() {
            let first = self.graph.leaving[*v as usize];
            let mut h = first;
            loop {
                self.graph.first[self.graph.face[h as usize] as usize] = NONE;
                // An edge within what is removed is met from both ends, and freed from its even half.
                if h & 1 == 0 && self.removed[self.graph.target(h) as usize] == self.cut {
                    self.free_edges.push(h);
                }
                h = self.graph.around(h);
                if h == first {
                    break;
                }
            }
        }
        for v in self.gone.iter() {
            self.points[*v as usize] = Vec3::repeat(f64::NAN);
            self.free_vertices.push(*v);
        }
        for i in 0..self.border.len() {
            let (h, place) = self.border[i];
            let vertex = self.new_vertex(place);
            self.graph.origin[h as usize] = vertex;
            self.graph.leaving[vertex as usize] = h;
        }
        // In the face of a border's twin: kept → new vertex, the new edge, next border: new vertex → kept.
        let mut cap = (NONE, NONE);
        for i in 0..self.border.len() {
            let (h, g) = (self.border[i].0, self.border[(i + 1) % self.border.len()].0);
            let e = self.new_edge();
            let side = self.graph.face[(h ^ 1) as usize];
            self.graph.next[(h ^ 1) as usize] = e;
            self.graph.next[e as usize] = g;
            self.graph.origin[e as usize] = self.graph.origin[h as usize];
            self.graph.face[e as usize] = side;
            self.graph.first[side as usize] = e;
            let t = (e ^ 1) as usize;
            self.graph.origin[t] = self.graph.origin[g as usize];
            self.graph.face[t] = face;
            self.graph.next[t] = cap.1;
            if i == 0 {
                cap.0 = e ^ 1;
            }
            cap.1 = e ^ 1;
        }
        self.graph.next[cap.0 as usize] = cap.1;
        self.graph.first.push(cap.1);
    }

    fn new_vertex(&mut self, place: Vec3) -> u32 {
        if let Some(v) = self.free_vertices.pop() {
            self.points[v as usize] = place;
            return v;
        }
        self.points.push(place);
        self.distance.push(0.0);
        self.removed.push(0);
        self.kept.push(0);
        self.graph.leaving.push(NONE);
        self.points.len() as u32 - 1
    }

    fn new_edge(&mut self) -> u32 {
        if let Some(e) = self.free_edges.pop() {
            return e;
        }
        let e = self.graph.origin.len() as u32;
        self.graph.origin.extend([NONE; 2]);
        self.graph.next.extend([NONE; 2]);
        self.graph.face.extend([NONE; 2]);
        e
    }
}

/// The point of an edge that is on a plane, given the distances of its ends: the one beyond the plane, and the one that stays.
fn crossing(beyond: &Vec3, d: f64, inside: &Vec3, e: f64) -> Vec3 {
    if e >= 0.0 {
        return *inside;
    }
    if d <= 0.0 {
        return *beyond;
    }
    // From the nearer end, so that a point near it keeps its digits.
    if d < -e { beyond + (inside - beyond) * (d / (d - e)) } else { inside + (beyond - inside) * (e / (e - d)) }
}
