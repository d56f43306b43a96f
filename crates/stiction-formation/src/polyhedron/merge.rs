//! From triangles to faces, edges and vertices.

use super::{Edge, Face, MOST_FACES, Polyhedron, PolyhedronError, Vertex};
use std::collections::{BTreeMap, BTreeSet};
use stiction::spatial::Vec3;

/// Points nearer than this share of the part's size are one.
const WELD: f64 = 1e-7;
/// Sine of the angle below which planes and directions count as the same.
const FLAT: f64 = 1e-4;

/// See [`Polyhedron::new`].
pub fn polyhedron(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Polyhedron, PolyhedronError> {
    let (points, triangles) = welded(points, triangles)?;
    let sides = sides(&triangles)?;
    let (centre, volume) = centre_of_volume(&points, &triangles);
    if !(volume > 0.0) {
        return Err(PolyhedronError::InsideOut);
    }
    let normals: Vec<Vec3> = triangles.iter().map(|t| normal(&points, t)).collect();
    let face_of = flat_groups(&triangles, &normals, &sides);
    let count = face_of.iter().max().map_or(0, |last| last + 1);
    if count > MOST_FACES {
        return Err(PolyhedronError::TooManyFaces { faces: count });
    }
    // Unit borders: sides of triangles between two faces, from the side of the face on the left.
    let mut borders: BTreeMap<u32, Vec<(u32, usize, usize)>> = BTreeMap::new();
    for (&(a, b), &triangle) in &sides {
        let (left, right) = (face_of[triangle], face_of[sides[&(b, a)]]);
        if left != right {
            borders.entry(a).or_default().push((b, left, right));
        }
    }
    // A corner is where a border ends, forks or turns.
    let straight = |a: u32, b: u32, c: u32| {
        let (u, v) = (points[b as usize] - points[a as usize], points[c as usize] - points[b as usize]);
        u.cross(&v).norm() <= FLAT * u.norm() * v.norm() && u.dot(&v) > 0.0
    };
    let is_corner = |p: u32| match borders[&p].as_slice() {
        [(x, ..), (y, ..)] => !straight(*x, p, *y),
        _ => true,
    };
    let corners: Vec<u32> = borders.keys().copied().filter(|p| is_corner(*p)).collect();
    let number: BTreeMap<u32, u32> = corners.iter().zip(0..).map(|(p, i)| (*p, i)).collect();
    let mut edges: Vec<Edge> = Vec::new();
    for &start in &corners {
        for &(first, left, right) in &borders[&start] {
            let (mut before, mut here) = (start, first);
            while !number.contains_key(&here) {
                let next = borders[&here].iter().find(|(to, ..)| *to != before).map_or(start, |(to, ..)| *to);
                (before, here) = (here, next);
            }
            let (v, w) = (number[&start], number[&here]);
            // Each edge is met from both ends; the one with the smaller number keeps it, with the face on its left first.
            if v < w {
                edges.push(edge(
                    [v, w],
                    [left, right],
                    points[start as usize],
                    points[here as usize],
                    &normals,
                    &face_of,
                ));
            }
        }
    }
    let vertices = corners.iter().map(|p| Vertex {
        position: points[*p as usize],
        neighbours: vec![],
        edges: vec![],
        directions: vec![],
        faces: vec![],
    });
    let mut out = Polyhedron {
        faces: faces(count, &points, &triangles, &normals, &face_of),
        edges,
        vertices: vertices.collect(),
        centre,
        volume,
        radius: 0.0,
    };
    link(&mut out);
    for face in &mut out.faces {
        face.pieces = merged_if_convex(face, &out.edges, &out.vertices);
        face.circles = face.pieces.iter().map(|piece| circle(piece)).collect();
        face.concave = face.pieces.iter().map(|piece| concave_sides(piece, face, &out.edges, &out.vertices)).collect();
    }
    out.radius = out.vertices.iter().map(|v| (v.position - centre).norm()).fold(0.0, f64::max);
    Ok(out)
}

type Sides = BTreeMap<(u32, u32), usize>;

/// Points that coincide made one, and triangles without area left out.
fn welded(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), PolyhedronError> {
    let good = |i: &u32| points.get(*i as usize).is_some_and(|p| p.iter().all(|x| x.is_finite()));
    if let Some(triangle) = triangles.iter().position(|t| !t.iter().all(good)) {
        return Err(PolyhedronError::BadTriangle { triangle });
    }
    let used = || triangles.iter().flatten().map(|i| points[*i as usize]);
    let first = used().next().ok_or(PolyhedronError::Empty)?;
    let (low, high) = used().fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
    let step = WELD * (high - low).max();
    if !(step > 0.0) {
        return Err(PolyhedronError::Empty);
    }
    // Points in one cell of a grid, or in neighbouring ones and near, are one.
    let mut cells: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    let mut kept: Vec<Vec3> = Vec::new();
    let mut of = BTreeMap::new();
    for &i in triangles.iter().flatten() {
        let p = points[i as usize];
        let cell = ((p - low) / step).map(|x| x.floor() as i64);
        let mut around = (0..27).map(|k| [cell.x + k % 3 - 1, cell.y + k / 3 % 3 - 1, cell.z + k / 9 - 1]);
        let found = around.find_map(|c| cells.get(&c).copied().filter(|q| (kept[*q as usize] - p).norm() <= step));
        let index = found.unwrap_or_else(|| {
            kept.push(p);
            cells.insert([cell.x, cell.y, cell.z], kept.len() as u32 - 1);
            kept.len() as u32 - 1
        });
        of.insert(i, index);
    }
    let all = triangles.iter().map(|t| t.map(|i| of[&i]));
    let solid: Vec<[u32; 3]> = all.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    if solid.is_empty() { Err(PolyhedronError::Empty) } else { Ok((kept, solid)) }
}

/// The triangle on the left of each directed side; every side has its reverse.
fn sides(triangles: &[[u32; 3]]) -> Result<Sides, PolyhedronError> {
    let mut sides = Sides::new();
    let mut twice = BTreeSet::new();
    for (number, [a, b, c]) in triangles.iter().enumerate() {
        for side in [(*a, *b), (*b, *c), (*c, *a)] {
            if sides.insert(side, number).is_some() {
                twice.insert(side);
            }
        }
    }
    let lonely = sides.keys().filter(|(a, b)| !sides.contains_key(&(*b, *a))).count();
    let edges = lonely + twice.len();
    if edges > 0 { Err(PolyhedronError::Open { edges }) } else { Ok(sides) }
}

/// Centre of volume and volume, by signed tetrahedra.
fn centre_of_volume(points: &[Vec3], triangles: &[[u32; 3]]) -> (Vec3, f64) {
    let origin = points[0];
    let (mut volume, mut moment) = (0.0, Vec3::zeros());
    for t in triangles {
        let [a, b, c] = t.map(|i| points[i as usize] - origin);
        let part = a.dot(&b.cross(&c)) / 6.0;
        volume += part;
        moment += (a + b + c) * (part / 4.0);
    }
    (origin + if volume > 0.0 { moment / volume } else { Vec3::zeros() }, volume)
}

/// Twice the area of a triangle, along its normal.
fn doubled_area(points: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let [a, b, c] = t.map(|i| points[i as usize]);
    (b - a).cross(&(c - a))
}

fn normal(points: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let area = doubled_area(points, t);
    // A sliver that welding left has no direction of its own and joins no face by it.
    area.try_normalize(0.0).unwrap_or_default()
}

/// The number of the flat face of each triangle, found by growing from the first triangle that has none.
fn flat_groups(triangles: &[[u32; 3]], normals: &[Vec3], sides: &Sides) -> Vec<usize> {
    let mut group = vec![usize::MAX; triangles.len()];
    let mut count = 0;
    for seed in 0..triangles.len() {
        if group[seed] != usize::MAX {
            continue;
        }
        group[seed] = count;
        let mut open = vec![seed];
        while let Some(at) = open.pop() {
            let [a, b, c] = triangles[at];
            for (x, y) in [(a, b), (b, c), (c, a)] {
                let next = sides[&(y, x)];
                let flat =
                    normals[seed].cross(&normals[next]).norm() <= FLAT && normals[seed].dot(&normals[next]) > 0.0;
                let sliver = normals[next] == Vec3::zeros();
                if group[next] == usize::MAX && (flat || sliver) {
                    group[next] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    group
}

fn edge(vertices: [u32; 2], faces: [usize; 2], from: Vec3, to: Vec3, normals: &[Vec3], face_of: &[usize]) -> Edge {
    let length = (to - from).norm();
    let direction = (to - from) / length;
    let normal = |face: usize| face_of.iter().position(|f| *f == face).map_or(Vec3::zeros(), |t| normals[t]);
    let [n0, n1] = faces.map(normal);
    // The first face lies to the left of the direction, the second to its right.
    let into = [n0.cross(&direction), direction.cross(&n1)];
    Edge { vertices, faces: faces.map(|f| f as u32), into, direction, length, convex: into[0].dot(&n1) < 0.0 }
}

/// The faces with triangles as pieces.
fn faces(count: usize, points: &[Vec3], triangles: &[[u32; 3]], normals: &[Vec3], face_of: &[usize]) -> Vec<Face> {
    let blank = Face {
        normal: Vec3::zeros(),
        offset: 0.0,
        edges: vec![],
        vertices: vec![],
        pieces: vec![],
        circles: vec![],
        concave: vec![],
        area: 0.0,
    };
    let mut faces = vec![blank; count];
    for ((t, n), face) in triangles.iter().zip(normals).zip(face_of) {
        let face = &mut faces[*face];
        face.normal += doubled_area(points, t);
        if *n != Vec3::zeros() {
            face.pieces.push(t.map(|i| points[i as usize]).to_vec());
        }
    }
    for face in &mut faces {
        face.area = 0.5 * face.normal.norm();
        face.normal = face.normal.try_normalize(0.0).unwrap_or_default();
        let all = face.pieces.iter().flatten();
        face.offset = all.clone().map(|p| face.normal.dot(p)).sum::<f64>() / all.count().max(1) as f64;
    }
    faces
}

/// Fills in what elements know of each other.
fn link(solid: &mut Polyhedron) {
    let Polyhedron { faces, edges, vertices, .. } = solid;
    for (number, edge) in edges.iter().enumerate() {
        for (v, w) in [(0, 1), (1, 0)] {
            let [vertex, other] = [v, w].map(|i| edge.vertices[i]);
            let at = &mut vertices[vertex as usize];
            at.neighbours.push(other);
            at.edges.push(number as u32);
            at.directions.push(if v == 0 { edge.direction } else { -edge.direction });
            at.faces.extend(edge.faces);
        }
        edge.faces.iter().for_each(|f| faces[*f as usize].edges.push(number as u32));
    }
    for (number, vertex) in vertices.iter_mut().enumerate() {
        vertex.faces.sort_unstable();
        vertex.faces.dedup();
        vertex.faces.iter().for_each(|f| faces[*f as usize].vertices.push(number as u32));
    }
}

/// The border of a face as its only piece where it is one convex polygon; its triangles otherwise.
fn merged_if_convex(face: &Face, edges: &[Edge], vertices: &[Vertex]) -> Vec<Vec<Vec3>> {
    let triangles = || face.pieces.clone();
    let Some(first) = face.edges.first().map(|e| edges[*e as usize].vertices[0]) else { return triangles() };
    let mut loop_ = vec![first];
    let mut used = vec![false; face.edges.len()];
    while loop_.len() <= face.edges.len() {
        let here = loop_[loop_.len() - 1];
        let next = face.edges.iter().enumerate().find_map(|(i, e)| {
            let [v, w] = edges[*e as usize].vertices;
            let to = if v == here { w } else { v };
            (!used[i] && (v == here || w == here)).then_some((i, to))
        });
        let Some((i, to)) = next else { return triangles() };
        used[i] = true;
        if to == first {
            break;
        }
        loop_.push(to);
    }
    if loop_.len() != face.edges.len() {
        return triangles();
    }
    let mut polygon: Vec<Vec3> = loop_.iter().map(|v| vertices[*v as usize].position).collect();
    let turn = |p: &[Vec3], i: usize| {
        let [a, b, c] = [0, 1, 2].map(|k| p[(i + k) % p.len()]);
        (b - a).cross(&(c - b)).dot(&face.normal)
    };
    if (0..polygon.len()).map(|i| turn(&polygon, i)).sum::<f64>() < 0.0 {
        polygon.reverse();
    }
    let convex = (0..polygon.len()).all(|i| turn(&polygon, i) > 0.0);
    if convex { in_parts(&polygon) } else { triangles() }
}

/// A circle around a polygon: about the middle of its corners' bounds.
fn circle(polygon: &[Vec3]) -> (Vec3, f64) {
    let first = polygon[0];
    let (low, high) = polygon.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    let centre = (low + high) * 0.5;
    (centre, polygon.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max))
}

/// For each side of a piece, whether it lies on a concave edge of the face.
fn concave_sides(piece: &[Vec3], face: &Face, edges: &[Edge], vertices: &[Vertex]) -> Vec<bool> {
    let on = |p: &Vec3, edge: &Edge| {
        let from = p - vertices[edge.vertices[0] as usize].position;
        let along = from.dot(&edge.direction);
        let beside = (from - edge.direction * along).norm();
        beside <= FLAT * edge.length && along >= -FLAT * edge.length && along <= (1.0 + FLAT) * edge.length
    };
    let concave = || face.edges.iter().map(|e| &edges[*e as usize]).filter(|e| !e.convex);
    super::corners(piece).map(|(a, b)| concave().any(|e| on(&a, e) && on(&b, e))).collect()
}

/// Most corners of a piece: two of them clipped by each other fit into the polygons of `region`.
const MOST_CORNERS: usize = 32;

/// A convex polygon in parts of few corners, all of which share its first corner.
fn in_parts(polygon: &[Vec3]) -> Vec<Vec<Vec3>> {
    let rest = &polygon[1..];
    let starts = (0..rest.len() - 1).step_by(MOST_CORNERS - 2);
    let part = |at: usize| [&polygon[..1], &rest[at..(at + MOST_CORNERS - 1).min(rest.len())]].concat();
    starts.map(part).collect()
}
