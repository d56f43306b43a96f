//! Finer meshes of the same surface.

use super::SolidError;
use crate::Mesh;
use std::collections::HashMap;

/// More faces than this are refused.
const MAX_FACES: usize = 1 << 27;

/// Splits every edge longer than a length at its midpoint, again and again, until none is longer.
///
/// Whether an edge is split depends on the edge alone, so the faces on its two sides agree, and a watertight mesh stays
/// watertight. A face with one, two or three split edges becomes two, three or four faces. The surface, and with it
/// volume and inertia, stays as it is. Slivers become many more faces than their area asks for, because their long
/// diagonals are split too: better give a solid's own tessellation its fineness first, and refine what is well shaped.
pub fn refine(mesh: &Mesh, max_edge: f64) -> Result<Mesh, SolidError> {
    let wrong = |reason: String| SolidError::new("refinement", reason);
    if !(max_edge > 0.0) {
        return Err(wrong(format!("edges of {max_edge} m")));
    }
    // Every triangle with edges up to a length covers at most √3/4 of its square.
    let area: f64 = mesh.triangles().map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0).sum();
    if !(area / (max_edge * max_edge) < MAX_FACES as f64) {
        return Err(wrong(format!("edges of {max_edge} m need more than {MAX_FACES} faces")));
    }
    let mut mesh = mesh.clone();
    while split_once(&mut mesh, max_edge) {
        if mesh.faces.len() > MAX_FACES || u32::try_from(4 * mesh.points.len()).is_err() {
            return Err(wrong(format!("edges of {max_edge} m need more than {MAX_FACES} faces")));
        }
    }
    Ok(mesh)
}

/// Splits every edge that is too long once; tells whether there was one.
fn split_once(mesh: &mut Mesh, max_edge: f64) -> bool {
    let mut midpoints: HashMap<(u32, u32), Option<u32>> = HashMap::new();
    let points = &mut mesh.points;
    let mut middle = |a: u32, b: u32| {
        *midpoints.entry((a.min(b), a.max(b))).or_insert_with(|| {
            let (p, q) = (points[a.min(b) as usize], points[a.max(b) as usize]);
            let m = (p + q) * 0.5;
            // Where there is no number between the ends there is nothing to split.
            if !((p - q).norm() > max_edge) || m == p || m == q {
                return None;
            }
            points.push(m);
            Some(points.len() as u32 - 1)
        })
    };
    let halves: Vec<[Option<u32>; 3]> =
        mesh.faces.iter().map(|&[a, b, c]| [middle(a, b), middle(b, c), middle(c, a)]).collect();
    if halves.iter().flatten().all(Option::is_none) {
        return false;
    }
    let mut faces = Vec::with_capacity(2 * mesh.faces.len());
    for (&[a, b, c], &[ab, bc, ca]) in mesh.faces.iter().zip(&halves) {
        match (ab, bc, ca) {
            (None, None, None) => faces.push([a, b, c]),
            (Some(m), None, None) => faces.extend([[a, m, c], [m, b, c]]),
            (None, Some(m), None) => faces.extend([[b, m, a], [m, c, a]]),
            (None, None, Some(m)) => faces.extend([[c, m, b], [m, a, b]]),
            (Some(m), Some(n), None) => faces.extend(three(mesh, [a, b, c], m, n)),
            (None, Some(m), Some(n)) => faces.extend(three(mesh, [b, c, a], m, n)),
            (Some(n), None, Some(m)) => faces.extend(three(mesh, [c, a, b], m, n)),
            (Some(m), Some(n), Some(o)) => faces.extend([[a, m, o], [m, b, n], [o, n, c], [m, n, o]]),
        }
    }
    mesh.faces = faces;
    true
}

/// A face a b c with m between a and b, and n between b and c: the corner at b, and the rest cut along its shorter
/// diagonal.
fn three(mesh: &Mesh, [a, b, c]: [u32; 3], m: u32, n: u32) -> [[u32; 3]; 3] {
    let length = |i: u32, j: u32| (mesh.points[i as usize] - mesh.points[j as usize]).norm_squared();
    if length(a, n) <= length(m, c) { [[m, b, n], [a, m, n], [a, n, c]] } else { [[m, b, n], [a, m, c], [m, n, c]] }
}
