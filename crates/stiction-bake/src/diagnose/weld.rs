//! Welding: points at one place become one, faces without an area or said twice go.
//!
//! Points are welded where all three coordinates are equal (-0 and 0 are). That alone reproduces every edge count
//! of the manifest of real parts, and never closes a gap that was modelled. Only when open edges are left, their end
//! points, and no others, are also welded within
//!
//! ```text
//! t = 4 · 2^-24 · max |coordinate|
//! ```
//!
//! the spacing of single precision: exporters that compute one point twice differ by that much. The second weld
//! is kept only if it leaves fewer open edges and makes none with three or more faces.
//!
//! A face goes if it names a point twice. A face with three distinct points in a line (a needle) has no area either,
//! but often seals a T-junction: it stays if taking it away would open an edge. A needle adds nothing to a winding
//! number and is as good as its longest edge for distances, so keeping it is harmless.

use super::edges::Edges;
use crate::Mesh;
use rayon::slice::ParallelSliceMut;
use stiction::spatial::Vec3;

/// A mesh with every point named once.
pub(super) struct Welded {
    /// The mesh: points in the order of their first use.
    pub mesh: Mesh,
    /// For every face: its number in the mesh that was given.
    pub origin: Vec<u32>,
    /// Faces dropped because others have the same three points.
    pub duplicate: usize,
    /// Needles dropped, and needles kept.
    pub needles: [usize; 2],
}

/// Points merged where they are equal, faces with a repeated point dropped; the face numbers that are left.
pub(super) fn exact(mesh: &Mesh) -> (Mesh, Vec<u32>) {
    let key = |i: u32| mesh.points[i as usize].map(|c| c + 0.0);
    let order = |a: &Vec3, b: &Vec3| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z));
    let mut sorted: Vec<u32> = (0..mesh.points.len() as u32).collect();
    sorted.par_sort_unstable_by(|&i, &j| order(&key(i), &key(j)).then(i.cmp(&j)));
    let mut first: Vec<u32> = vec![0; mesh.points.len()];
    for same in sorted.chunk_by(|&i, &j| key(i) == key(j)) {
        same.iter().for_each(|&i| first[i as usize] = same[0]);
    }
    rename(mesh, &first)
}

/// The mesh with every point replaced by another, without faces that then repeat a point.
fn rename(mesh: &Mesh, to: &[u32]) -> (Mesh, Vec<u32>) {
    let mut name = vec![u32::MAX; mesh.points.len()];
    let (mut out, mut origin) = (Mesh::default(), Vec::with_capacity(mesh.faces.len()));
    for (number, face) in mesh.faces.iter().enumerate() {
        let [a, b, c] = face.map(|i| to[i as usize]);
        if a == b || b == c || c == a {
            continue;
        }
        let face = [a, b, c].map(|i| {
            let slot = &mut name[i as usize];
            if *slot == u32::MAX {
                *slot = out.points.len() as u32;
                out.points.push(mesh.points[i as usize].map(|x| x + 0.0));
            }
            *slot
        });
        out.faces.push(face);
        origin.push(number as u32);
    }
    (out, origin)
}

/// Welds, and drops what has no area or is said twice.
pub(super) fn weld(mesh: &Mesh) -> Welded {
    let (mut out, mut origin) = exact(mesh);
    if let Some((near, kept)) = close_to(&out) {
        origin = kept.iter().map(|&f| origin[f as usize]).collect();
        out = near;
    }
    let duplicate = drop_duplicates(&mut out, &mut origin);
    let needles = drop_needles(&mut out, &mut origin);
    Welded { mesh: out, origin, duplicate, needles }
}

/// The second weld, of end points of open edges; `None` if it does not help.
fn close_to(mesh: &Mesh) -> Option<(Mesh, Vec<u32>)> {
    let edges = Edges::new(&mesh.faces);
    let mut rim: Vec<u32> = edges.groups().filter(|g| g.len() == 1).flat_map(|g| [g[0].lo, g[0].hi]).collect();
    rim.sort_unstable();
    rim.dedup();
    let reach = rim.iter().fold(0.0, |m: f64, &i| m.max(mesh.points[i as usize].amax()));
    let tolerance = 4.0 * 0.5f64.powi(24) * reach;
    if !(tolerance > 0.0) {
        return None;
    }
    let cell = |i: u32| {
        let p = mesh.points[i as usize] / tolerance;
        [p.x.floor() as i64, p.y.floor() as i64, p.z.floor() as i64]
    };
    let mut cells: Vec<([i64; 3], u32)> = rim.iter().map(|&i| (cell(i), i)).collect();
    cells.sort_unstable();
    let mut to: Vec<u32> = (0..mesh.points.len() as u32).collect();
    let mut merged = false;
    for &i in &rim {
        let at = cell(i);
        // The lowest-numbered earlier point that close, itself not merged into another: no chains.
        let mut best = i;
        for k in 0..9 {
            let (dx, dy) = (k % 3 - 1, k / 3 - 1);
            let low = [at[0] + dx, at[1] + dy, at[2] - 1];
            let from = cells.partition_point(|c| c.0 < low);
            let close = cells[from..].iter().take_while(|c| c.0 <= [low[0], low[1], at[2] + 1]);
            for &(_, j) in close {
                let near = (mesh.points[i as usize] - mesh.points[j as usize]).norm() <= tolerance;
                if near && j < best && to[j as usize] == j {
                    best = j;
                }
            }
        }
        to[i as usize] = best;
        merged |= best != i;
    }
    if !merged {
        return None;
    }
    let (out, kept) = rename(mesh, &to);
    let count = |edges: &Edges| {
        edges.groups().fold([0, 0], |[o, m], g| [o + usize::from(g.len() == 1), m + usize::from(g.len() > 2)])
    };
    let (before, after) = (count(&edges), count(&Edges::new(&out.faces)));
    (after[0] < before[0] && after[1] <= before[1]).then_some((out, kept))
}

/// The order of three points without their order, and whether the face names them in an even one.
fn sorted(face: [u32; 3]) -> ([u32; 3], bool) {
    let mut key = face;
    key.sort_unstable();
    let turn = face.iter().position(|&i| i == key[0]).unwrap_or(0);
    (key, face[(turn + 1) % 3] == key[1])
}

/// Keeps of all faces with the same three points the first, wound as most of them are; how many went.
fn drop_duplicates(mesh: &mut Mesh, origin: &mut Vec<u32>) -> usize {
    let mut keyed: Vec<([u32; 3], u32, bool)> = (0u32..)
        .zip(&mesh.faces)
        .map(|(f, &face)| {
            let (key, even) = sorted(face);
            (key, f, even)
        })
        .collect();
    keyed.par_sort_unstable();
    let mut keep = vec![true; mesh.faces.len()];
    for same in keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let alike = same.iter().filter(|s| s.2 == same[0].2).count();
        if 2 * alike < same.len() {
            mesh.faces[same[0].1 as usize].swap(1, 2);
        }
        same[1..].iter().for_each(|s| keep[s.1 as usize] = false);
    }
    retain(mesh, origin, &keep)
}

/// Whether three distinct points lie in a line as far as their coordinates can tell: the height over the longest side
/// is below the rounding of the coordinates.
pub(crate) fn is_needle([a, b, c]: [Vec3; 3]) -> bool {
    let reach = a.amax().max(b.amax()).max(c.amax());
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    !((b - a).cross(&(c - a)).norm() > 4.0 * f64::EPSILON * reach * longest)
}

/// Drops needles whose going opens no edge; how many went and stayed.
fn drop_needles(mesh: &mut Mesh, origin: &mut Vec<u32>) -> [usize; 2] {
    let needles: Vec<usize> = (0..mesh.faces.len()).filter(|&f| is_needle(mesh.triangle(f))).collect();
    if needles.is_empty() {
        return [0, 0];
    }
    let edges = Edges::new(&mesh.faces);
    let mut users: Vec<usize> = edges.groups().map(<[_]>::len).collect();
    let mut keep = vec![true; mesh.faces.len()];
    for &f in &needles {
        let own = edges.of_face(&mesh.faces[f]);
        if own.iter().all(|&e| users[e] % 2 == 1) {
            own.iter().for_each(|&e| users[e] -= 1);
            keep[f] = false;
        }
    }
    let gone = retain(mesh, origin, &keep);
    [gone, needles.len() - gone]
}

/// Keeps some faces; how many went.
fn retain(mesh: &mut Mesh, origin: &mut Vec<u32>, keep: &[bool]) -> usize {
    let before = mesh.faces.len();
    let mut number = 0..;
    mesh.faces.retain(|_| number.next().is_some_and(|n: usize| keep[n]));
    let mut number = 0..;
    origin.retain(|_| number.next().is_some_and(|n: usize| keep[n]));
    before - mesh.faces.len()
}
