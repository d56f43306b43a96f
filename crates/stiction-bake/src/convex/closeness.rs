//! How close the union of convex parts is to a closed mesh.
//!
//! Volume: on parallel lines through both, the length that is in one and not in the other; a line is in a part between the planes of its faces, and in the mesh where it has crossed more faces inwards than
//! outwards. Two hundred lines by two hundred, each at a place of its own in its cell, have an error of a few 1e-4.
//!
//! Distance: surfaces are refined, and every point of one is compared with all faces of the other. Of the parts' surfaces only what no other part covers counts.

use super::stop;
use crate::Mesh;
use crate::diagnose::bvh::{Bvh, around};
use crate::progress::{Cancelled, Progress};
use crate::solids::refine;
use rayon::prelude::*;
use stiction::shape::{Aabb, ConvexCloseness};
use stiction::spatial::Vec3;
use stiction_volume::Convex;

/// Lines along each side.
const LINES: usize = 200;
/// Edges of refined surfaces in units of the diagonal.
const EDGE: f64 = 1.0 / 100.0;
/// How far outside of a face other parts are looked for, in units of the diagonal.
const OUTSIDE: f64 = 1e-6;

/// Measures how close the union of parts is to the closed mesh of a volume.
pub(super) fn closeness(
    mesh: &Mesh,
    volume: f64,
    parts: &[Convex],
    progress: &dyn Progress,
) -> Result<ConvexCloseness, Cancelled> {
    let Some(bounds) = mesh.bounds() else { return Ok(ConvexCloseness { volume_share: 0.0, largest_distance_m: 0.0 }) };
    let volume_share = volume_share(mesh, volume, parts);
    stop(progress)?;
    let diagonal = (bounds.max - bounds.min).norm();
    let edge = EDGE * diagonal;
    let skin = skin(parts, edge, OUTSIDE * diagonal);
    // More faces than can be refined: their own corners are near enough to each other then.
    let fine = refine(mesh, edge).unwrap_or_else(|_| mesh.clone());
    stop(progress)?;
    let (to_parts, to_mesh) = (Nearest::new(&skin), Nearest::new(mesh));
    let there = to_mesh.largest(&skin, diagonal);
    stop(progress)?;
    let here = to_parts.largest(&fine, diagonal);
    Ok(ConvexCloseness { volume_share, largest_distance_m: there.max(here) })
}

/// The volume that is in one of both only, as a share of the mesh's.
pub(super) fn volume_share(mesh: &Mesh, volume: f64, parts: &[Convex]) -> f64 {
    mesh.bounds().map_or(0.0, |bounds| difference(mesh, &bounds, parts) / volume)
}

/// The volume that is in one of both only.
fn difference(mesh: &Mesh, bounds: &Aabb, parts: &[Convex]) -> f64 {
    let triangles: Vec<[Vec3; 3]> = mesh.triangles().collect();
    let boxes: Vec<Aabb> = triangles.iter().map(|t| around(*t)).collect();
    let tree = Bvh::new(&boxes, (0..boxes.len() as u32).collect());
    let cell = (bounds.max - bounds.min) / LINES as f64;
    let lengths: Vec<f64> = (0..LINES * LINES)
        .into_par_iter()
        .map(|i| {
            // A place in the cell that no regular mesh has its edges at (the plastic number's sequence).
            let offset = |step: f64| (0.5 + step * i as f64).fract();
            let x = bounds.min.x + cell.x * ((i % LINES) as f64 + offset(0.754_877_666_246_692_7));
            let y = bounds.min.y + cell.y * ((i / LINES) as f64 + offset(0.569_840_290_998_053_2));
            let Some(of_mesh) = crossings(&triangles, &boxes, &tree, x, y, bounds) else { return 0.0 };
            only_one(of_mesh, &within(parts, x, y))
        })
        .collect();
    lengths.iter().sum::<f64>() * cell.x * cell.y
}

/// Heights at which a line along z enters (+1) and leaves (−1) the mesh; `None` for a line that is lost, through an edge or a point.
fn crossings(
    triangles: &[[Vec3; 3]],
    boxes: &[Aabb],
    tree: &Bvh,
    x: f64,
    y: f64,
    bounds: &Aabb,
) -> Option<Vec<(f64, i32)>> {
    let line = Aabb { min: Vec3::new(x, y, bounds.min.z), max: Vec3::new(x, y, bounds.max.z) };
    let (mut found, mut lost) = (Vec::new(), false);
    tree.near(&line, |i| {
        let b = &boxes[i as usize];
        if x < b.min.x || x > b.max.x || y < b.min.y || y > b.max.y {
            return;
        }
        let t = &triangles[i as usize];
        let side = |p: &Vec3, q: &Vec3| (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
        let w = [side(&t[1], &t[2]), side(&t[2], &t[0]), side(&t[0], &t[1])];
        let sum = w[0] + w[1] + w[2];
        lost |= w.contains(&0.0);
        if w.iter().all(|w| *w > 0.0) || w.iter().all(|w| *w < 0.0) {
            let z = (w[0] * t[0].z + w[1] * t[1].z + w[2] * t[2].z) / sum;
            // A face that looks up is where the line leaves.
            found.push((z, if sum > 0.0 { -1 } else { 1 }));
        }
    });
    (!lost && found.iter().map(|f| f.1).sum::<i32>() == 0).then_some(found)
}

/// Heights at which a line along z enters and leaves the parts.
fn within(parts: &[Convex], x: f64, y: f64) -> Vec<(f64, i32)> {
    let mut found = Vec::new();
    for part in parts {
        let (low, high) = (part.lower(), part.upper());
        if x < low.x || x > high.x || y < low.y || y > high.y {
            continue;
        }
        let (mut from, mut to) = (low.z, high.z);
        for plane in part.planes() {
            let left = plane.offset - plane.normal.x * x - plane.normal.y * y;
            if plane.normal.z > 1e-12 {
                to = to.min(left / plane.normal.z);
            } else if plane.normal.z < -1e-12 {
                from = from.max(left / plane.normal.z);
            } else if left < 0.0 {
                to = from;
            }
        }
        if to > from {
            found.extend([(from, 1), (to, -1)]);
        }
    }
    found
}

/// The length of a line that is in one of two sets only.
fn only_one(mesh: Vec<(f64, i32)>, parts: &[(f64, i32)]) -> f64 {
    let mut all: Vec<(f64, i32, i32)> = mesh.into_iter().map(|(z, turn)| (z, turn, 0)).collect();
    all.extend(parts.iter().map(|&(z, turn)| (z, 0, turn)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut in_mesh, mut in_parts, mut length) = (0, 0, 0.0);
    for pair in all.windows(2) {
        in_mesh += pair[0].1;
        in_parts += pair[0].2;
        if (in_mesh > 0) != (in_parts > 0) {
            length += pair[1].0 - pair[0].0;
        }
    }
    length
}

/// The faces of parts that no other part covers, refined.
fn skin(parts: &[Convex], edge: f64, outside: f64) -> Mesh {
    let mut skin = Mesh::default();
    for (i, part) in parts.iter().enumerate() {
        let mut faces = Vec::new();
        let mut normals = Vec::new();
        for (f, plane) in part.planes().iter().enumerate() {
            let corners = part.face(f);
            for j in 1..corners.len().saturating_sub(1) {
                let own =
                    Mesh { points: part.points().to_vec(), faces: vec![[corners[0], corners[j], corners[j + 1]]] };
                let fine = refine(&own, edge).unwrap_or(own);
                normals.extend(std::iter::repeat_n(plane.normal, fine.faces.len()));
                faces.extend(fine.triangles());
            }
        }
        let covered = |p: &Vec3| {
            let inside = |part: &Convex| part.planes().iter().all(|plane| plane.normal.dot(p) <= plane.offset);
            parts.iter().enumerate().any(|(k, other)| k != i && inside(other))
        };
        let open: Vec<[Vec3; 3]> = faces
            .par_iter()
            .zip(&normals)
            .filter(|(t, normal)| !covered(&((t[0] + t[1] + t[2]) / 3.0 + *normal * outside)))
            .map(|(t, _)| *t)
            .collect();
        for t in open {
            let n = skin.points.len() as u32;
            skin.points.extend(t);
            skin.faces.push([n, n + 1, n + 2]);
        }
    }
    skin
}

/// Finds how far points are from a surface.
struct Nearest {
    triangles: Vec<[Vec3; 3]>,
    tree: Bvh,
}

impl Nearest {
    fn new(mesh: &Mesh) -> Nearest {
        let triangles: Vec<[Vec3; 3]> = mesh.triangles().collect();
        let boxes: Vec<Aabb> = triangles.iter().map(|t| around(*t)).collect();
        let tree = Bvh::new(&boxes, (0..boxes.len() as u32).collect());
        Nearest { triangles, tree }
    }

    /// The largest distance of the middles of faces and their corners from the surface.
    fn largest(&self, of: &Mesh, diagonal: f64) -> f64 {
        if self.triangles.is_empty() {
            return diagonal;
        }
        let of_face = |t: [Vec3; 3]| {
            let middle = (t[0] + t[1] + t[2]) / 3.0;
            [t[0], t[1], t[2], middle].map(|p| self.distance(&p)).into_iter().fold(0.0, f64::max)
        };
        let faces: Vec<[Vec3; 3]> = of.triangles().collect();
        faces.into_par_iter().map(of_face).reduce(|| 0.0, f64::max)
    }

    /// The distance of a point: boxes are entered only if they are nearer than what was found, the nearer child first.
    fn distance(&self, p: &Vec3) -> f64 {
        let far = |node: u32| {
            let b = &self.tree.nodes[node as usize].bounds;
            (b.min - p).sup(&(p - b.max)).sup(&Vec3::zeros()).norm_squared()
        };
        let mut least = f64::INFINITY;
        let mut stack = vec![(far(0), 0u32)];
        while let Some((square, at)) = stack.pop() {
            if square >= least {
                continue;
            }
            let node = &self.tree.nodes[at as usize];
            if node.child == 0 {
                for i in &self.tree.items[node.first as usize..node.last as usize] {
                    least = least.min((nearest_point(p, &self.triangles[*i as usize]) - p).norm_squared());
                }
                continue;
            }
            let mut children = [node.child, node.child + 1].map(|child| (far(child), child));
            children.sort_by(|a, b| b.0.total_cmp(&a.0));
            stack.extend(children);
        }
        least.sqrt()
    }
}

/// The point of a triangle nearest to a point: in its plane if the foot is inside, else on an edge.
fn nearest_point(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(&(c - a));
    let square = normal.norm_squared();
    if square > 0.0 {
        let within = |s: &Vec3, t: &Vec3| (t - s).cross(&(p - s)).dot(&normal) >= 0.0;
        if within(a, b) && within(b, c) && within(c, a) {
            return p - normal * (normal.dot(&(p - a)) / square);
        }
    }
    let on = |s: &Vec3, t: &Vec3| {
        let e = t - s;
        let along = if e.norm_squared() > 0.0 { (e.dot(&(p - s)) / e.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
        s + e * along
    };
    let ends = [on(a, b), on(b, c), on(c, a)];
    ends.into_iter().fold(ends[0], |best, q| if (q - p).norm_squared() < (best - p).norm_squared() { q } else { best })
}
