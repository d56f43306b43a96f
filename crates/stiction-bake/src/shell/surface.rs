//! What of a mesh the shell needs: normals and areas of faces, its sharp edges as paths, its corners, its pieces.
//!
//! Orientation is not trusted. Whether an edge is sharp is told by the directions in which its faces leave it, which
//! flipping or doubling a face does not change:
//!
//! ```text
//! c_i · c_j ≥ cos α     faces i and j leave to the same side (one doubles the other)
//! c_i · c_j ≤ −cos α    they continue each other
//! ```
//!
//! with c the unit vector in the face, square to the edge and into the face, and α the angle from which an edge is
//! sharp. An edge is smooth when each pair of its faces does one or the other and not all leave to the same side.

use crate::Mesh;
use rayon::prelude::*;
use std::collections::HashMap;
use stiction::spatial::Vec3;

/// A mesh with what was found out about it.
pub struct MeshSurface<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Unit normal of every face by its winding; zero for faces without area.
    pub normals: Vec<Vec3>,
    /// Area of every face in m².
    pub areas: Vec<f64>,
    /// The first of the points at the same position, for every corner of every face.
    pub corners: Vec<[u32; 3]>,
    /// Sharp edges.
    pub edges: Vec<Edge>,
    /// Runs of sharp edges from corner to corner, or closed; the flag tells an edge run backwards.
    pub paths: Vec<Vec<(u32, bool)>>,
    /// Points where other than two sharp edges meet, or a path turns.
    pub tips: Vec<u32>,
}

/// A sharp edge.
pub struct Edge {
    /// Its points.
    pub ends: [u32; 2],
    /// Its faces.
    pub faces: Vec<u32>,
}

impl<'a> MeshSurface<'a> {
    /// Looks at a mesh; edges are sharp from `angle` on, in rad.
    pub fn new(mesh: &'a Mesh, angle: f64) -> Self {
        let mut first = HashMap::with_capacity(mesh.points.len());
        // Adding zero makes -0 and 0 the same position.
        let key = |p: &Vec3| [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits(), (p.z + 0.0).to_bits()];
        let same: Vec<u32> =
            mesh.points.iter().enumerate().map(|(i, p)| *first.entry(key(p)).or_insert(i as u32)).collect();
        let (normals, areas) = mesh
            .triangles()
            .map(|[a, b, c]| {
                let twice = (b - a).cross(&(c - a));
                let norm = twice.norm();
                let sound = norm > 0.0 && norm.is_finite();
                if sound { (twice / norm, 0.5 * norm) } else { (Vec3::zeros(), 0.0) }
            })
            .unzip();
        let corners = mesh.faces.iter().map(|f| f.map(|i| same[i as usize])).collect();
        let mut surface =
            MeshSurface { mesh, normals, areas, corners, edges: Vec::new(), paths: Vec::new(), tips: Vec::new() };
        surface.edges = surface.sharp_edges(libm::cos(angle));
        surface.run_paths(libm::cos(angle));
        surface
    }

    /// From the middle of an edge into a face: a vector square to the edge that reaches the opposite corner's height.
    pub fn way_into(&self, ends: [u32; 2], face: u32) -> Vec3 {
        let [a, b] = ends.map(|i| self.mesh.points[i as usize]);
        let apex = self.corners[face as usize].into_iter().find(|i| !ends.contains(i)).unwrap_or(ends[0]);
        let (along, up) = (b - a, self.mesh.points[apex as usize] - a);
        up - along * (up.dot(&along) / along.norm_squared())
    }

    fn sharp_edges(&self, cos: f64) -> Vec<Edge> {
        let mut wings: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.corners.len());
        for (face, &[a, b, c]) in self.corners.iter().enumerate().filter(|&(face, _)| self.areas[face] > 0.0) {
            wings.extend([[a, b], [b, c], [c, a]].map(|[p, q]| ([p.min(q), p.max(q)], face as u32)));
        }
        wings.par_sort_unstable();
        let groups: Vec<_> = wings.chunk_by(|a, b| a.0 == b.0).collect();
        let sharp = groups.into_par_iter().filter(|group| {
            let sides: Vec<Vec3> = group
                .iter()
                .map(|&(ends, face)| self.way_into(ends, face).try_normalize(0.0).unwrap_or_default())
                .collect();
            let mut continued = false;
            for (i, a) in sides.iter().enumerate() {
                for b in &sides[..i] {
                    let dot = a.dot(b);
                    continued |= dot <= -cos;
                    if dot.abs() < cos {
                        return true;
                    }
                }
            }
            !continued
        });
        sharp.map(|group| Edge { ends: group[0].0, faces: group.iter().map(|w| w.1).collect() }).collect()
    }

    fn run_paths(&mut self, cos: f64) {
        let mut meeting: Vec<(u32, u32)> = Vec::with_capacity(2 * self.edges.len());
        for (number, edge) in self.edges.iter().enumerate() {
            meeting.extend(edge.ends.map(|end| (end, number as u32)));
        }
        meeting.sort_unstable();
        let direction = |from: u32, edge: u32| {
            let [a, b] = self.edges[edge as usize].ends;
            let to = if a == from { b } else { a };
            (self.mesh.points[to as usize] - self.mesh.points[from as usize]).normalize()
        };
        let at: HashMap<u32, &[(u32, u32)]> = meeting.chunk_by(|a, b| a.0 == b.0).map(|c| (c[0].0, c)).collect();
        let is_tip = |point: u32| match at[&point] {
            [a, b] => direction(point, a.1).dot(&direction(point, b.1)) > -cos,
            _ => true,
        };
        let mut used = vec![false; self.edges.len()];
        let mut run = |start: u32, first: u32| {
            let (mut path, mut point, mut edge) = (Vec::new(), start, first);
            while !used[edge as usize] {
                used[edge as usize] = true;
                let [a, b] = self.edges[edge as usize].ends;
                path.push((edge, a != point));
                point = if a == point { b } else { a };
                if is_tip(point) {
                    break;
                }
                // Two edges meet here; one of them is used.
                edge = at[&point].iter().map(|m| m.1).find(|&e| e != edge).unwrap_or(edge);
            }
            path
        };
        let points = || meeting.chunk_by(|a, b| a.0 == b.0).map(|c| c[0].0);
        let tips: Vec<u32> = points().filter(|&p| is_tip(p)).collect();
        let mut paths: Vec<_> =
            tips.iter().flat_map(|&p| at[&p].iter().map(move |m| (p, m.1))).map(|(p, e)| run(p, e)).collect();
        // What is left are closed paths without a corner.
        paths.extend((0..self.edges.len()).map(|e| run(self.edges[e].ends[0], e as u32)));
        paths.retain(|path| !path.is_empty());
        (self.tips, self.paths) = (tips, paths);
    }

    /// The faces of every connected piece, faces without area left out; pieces in the order of their first face.
    pub fn pieces(&self) -> Vec<Vec<u32>> {
        let mut leader: Vec<u32> = (0..self.mesh.points.len() as u32).collect();
        fn find(leader: &mut [u32], mut i: u32) -> u32 {
            while leader[i as usize] != i {
                leader[i as usize] = leader[leader[i as usize] as usize];
                i = leader[i as usize];
            }
            i
        }
        for &[a, b, c] in &self.corners {
            for other in [b, c] {
                let (p, q) = (find(&mut leader, a), find(&mut leader, other));
                leader[p.max(q) as usize] = p.min(q);
            }
        }
        let mut number = HashMap::new();
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        for (face, corners) in self.corners.iter().enumerate().filter(|&(face, _)| self.areas[face] > 0.0) {
            let piece = *number.entry(find(&mut leader, corners[0])).or_insert(pieces.len());
            if piece == pieces.len() {
                pieces.push(Vec::new());
            }
            pieces[piece].push(face as u32);
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drum of so many sides around z, between z = 0 and z = 1, with points in the middle of its ends.
    fn drum(sides: u32) -> Mesh {
        let mut mesh = Mesh { points: vec![Vec3::zeros(), Vec3::z()], faces: Vec::new() };
        for i in 0..sides {
            let turn = std::f64::consts::TAU * f64::from(i) / f64::from(sides);
            let foot = Vec3::new(turn.cos(), turn.sin(), 0.0);
            mesh.points.extend([foot, foot + Vec3::z()]);
            let [a, b] = [2 + 2 * i, 2 + 2 * ((i + 1) % sides)];
            mesh.faces.extend([[0, b, a], [1, a + 1, b + 1], [a, b, b + 1], [a, b + 1, a + 1]]);
        }
        mesh
    }

    fn counts(mesh: &Mesh) -> [usize; 4] {
        let surface = MeshSurface::new(mesh, std::f64::consts::FRAC_PI_6);
        assert_eq!(surface.paths.iter().map(Vec::len).sum::<usize>(), surface.edges.len());
        [surface.edges.len(), surface.paths.len(), surface.tips.len(), surface.pieces().len()]
    }

    #[test]
    fn rims_are_closed_paths_and_prisms_have_corners() {
        // Sides meet at 5°: only the two rims are sharp. At 60° everything but the diagonals is.
        assert_eq!(counts(&drum(72)), [144, 2, 0, 1]);
        assert_eq!(counts(&drum(6)), [18, 18, 12, 1]);
    }

    #[test]
    fn flipping_doubling_and_unwelding_change_nothing() {
        let mut mesh = drum(6);
        mesh.append(&drum(6));
        mesh.faces.iter_mut().step_by(3).for_each(|f| f.swap(0, 1));
        assert_eq!(counts(&mesh), [18, 18, 12, 1]);
    }

    #[test]
    fn borders_and_edges_of_three_faces_are_sharp() {
        let mut mesh = drum(72);
        // A hole of two faces: a side. Its upright edges are new, its ends were sharp before.
        mesh.faces.drain(2..4);
        assert_eq!(counts(&mesh)[0], 146);
        // A fin on an upright edge.
        mesh.points.push(Vec3::new(0.0, 9.0, 0.0));
        mesh.faces.push([40, 41, mesh.points.len() as u32 - 1]);
        assert_eq!(counts(&mesh)[0], 149);
        let mut apart = drum(6);
        apart.points.iter_mut().for_each(|p| p.x += 5.0);
        mesh.append(&apart);
        assert_eq!(counts(&mesh)[3], 2);
    }
}
