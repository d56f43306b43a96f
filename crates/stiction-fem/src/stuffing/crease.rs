//! Nodes of the surface that are moved onto the sharp edges and corners of a solid.
//!
//! Stuffing cuts sharp edges off, by up to half a cell. A bar of three cells that lies across the lattice loses 7 % of its volume so, and a quarter of its stiffness. So nodes near a crease are moved
//! onto it: tangent planes of the true surface are sampled around a node, and where they differ by more than [`SHARP`], the point that is on all of them (nearest to the node) is on the crease:
//!
//! ```text
//! minimise Σ (n_i · (x - p_i))²,   along the eigenvectors of Σ n_i n_iᵀ whose eigenvalue is not small: two at an edge, three at a corner
//! ```
//!
//! as dual contouring finds its vertices (T. Ju et al., 2002). A node moves only if the point is on the surface, and if all tetrahedra around it keep dihedral angles of at least
//! [`SMALLEST_AT_CREASES`] and at most [`LARGEST_AT_CREASES`]; else it stays, and the edge is chamfered there.

use super::SolidRegion;
use super::wall::on_surface;
use crate::mesh::{BoundarySurface, TetMesh, dihedral_angles};
use nalgebra::SymmetricEigen;
use stiction::spatial::{Mat3, Vec3};

/// The smallest dihedral angle of tetrahedra at creases (rad): 5°.
pub const SMALLEST_AT_CREASES: f64 = 5.0 * std::f64::consts::PI / 180.0;
/// The largest dihedral angle of tetrahedra at creases (rad): 170°.
pub const LARGEST_AT_CREASES: f64 = 170.0 * std::f64::consts::PI / 180.0;

/// Normals that differ by more than 35° are of two sides of a crease: the cosine. A surface that is smooth turns by less in the reach of a node, where it is meshed well.
const SHARP: f64 = 0.82;
/// How far a node may move, in cells.
const FARTHEST: f64 = 0.75;
/// How far the new point may be from the surface, in cells.
const OFF: f64 = 0.02;
/// Eigenvalues below this share of the largest are of directions along the crease.
const ALONG: f64 = 0.04;
/// How often the point of a crease is improved.
const ROUNDS: u32 = 4;
/// How often all nodes are tried: what one node's move hinders, another's may allow.
const PASSES: u32 = 4;

/// A node that could be on a crease, and where.
struct Candidate {
    rank: usize,
    away: f64,
    node: u32,
    point: Vec3,
}

/// Moves nodes onto creases, and returns the nodes and tetrahedra.
pub(super) fn sharpen(solid: &SolidRegion, mesh: &TetMesh, cell: f64) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let mut nodes = mesh.nodes().to_vec();
    let surface = BoundarySurface::of(mesh);
    let around = beside(mesh.tetrahedra().iter().map(|t| &t[..]), nodes.len());
    let triangles: Vec<[u32; 3]> = surface.triangles.iter().map(|t| t.map(|v| surface.nodes[v as usize])).collect();
    let faces = beside(triangles.iter().map(|t| &t[..]), nodes.len());
    for _ in 0..PASSES {
        let mut candidates = Vec::new();
        for &node in &surface.nodes {
            let own = faces[node as usize].iter().map(|&t| triangles[t as usize].map(|n| nodes[n as usize]));
            if let Some((point, rank)) = crease_near(solid, &nodes[node as usize], own, cell) {
                let away = (point - nodes[node as usize]).norm();
                if away > 1e-6 * cell {
                    candidates.push(Candidate { rank, away, node, point });
                }
            }
        }
        // Corners first, then what is closest.
        candidates.sort_by(|a, b| b.rank.cmp(&a.rank).then(a.away.total_cmp(&b.away)).then(a.node.cmp(&b.node)));
        let mut moved = false;
        for Candidate { node, point, .. } in candidates {
            let old = nodes[node as usize];
            nodes[node as usize] = point;
            let good = around[node as usize].iter().all(|&t| {
                let corners = mesh.tetrahedra()[t as usize].map(|n| nodes[n as usize]);
                let (smallest, largest) = dihedral_angles(&corners);
                crate::mesh::volume_of(&corners) > 0.0
                    && smallest >= SMALLEST_AT_CREASES
                    && largest <= LARGEST_AT_CREASES
            });
            if good {
                moved = true;
            } else {
                nodes[node as usize] = old;
            }
        }
        if !moved {
            break;
        }
    }
    (nodes, mesh.tetrahedra().to_vec())
}

/// The things that each node belongs to.
fn beside<'a>(things: impl Iterator<Item = &'a [u32]>, nodes: usize) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); nodes];
    for (number, thing) in things.enumerate() {
        thing.iter().for_each(|&n| of[n as usize].push(number as u32));
    }
    of
}

/// The point of a crease near a node, and how many directions it is determined in: two on an edge, three in a corner.
fn crease_near(
    solid: &SolidRegion,
    node: &Vec3,
    triangles: impl Iterator<Item = [Vec3; 3]> + Clone,
    cell: f64,
) -> Option<(Vec3, usize)> {
    let mut point = *node;
    // On edges that are curved, planes sampled around the new point are closer to the edge.
    for _ in 0..ROUNDS {
        let shift = point - node;
        let (next, rank) = on_planes(solid, &point, triangles.clone().map(|t| t.map(|p| p + shift)), cell)?;
        point = next;
        if (point - node).norm() > FARTHEST * cell {
            return None;
        }
        if (solid.distance)(point).abs() < OFF * cell {
            return Some((point, rank));
        }
    }
    None
}

/// The point nearest to another one that is on all tangent planes below triangles around it.
fn on_planes(
    solid: &SolidRegion,
    from: &Vec3,
    triangles: impl Iterator<Item = [Vec3; 3]>,
    cell: f64,
) -> Option<(Vec3, usize)> {
    let (mut square, mut right) = (Mat3::zeros(), Vec3::zeros());
    let (mut first, mut sharp): (Option<Vec3>, bool) = (None, false);
    for [a, b, c] in triangles {
        let middle = (a + b + c) / 3.0;
        for sample in [middle, (middle + a) / 2.0, (middle + b) / 2.0, (middle + c) / 2.0] {
            let Some((point, normal)) = on_surface(solid, sample, cell) else { continue };
            sharp |= first.is_some_and(|first| first.dot(&normal) < SHARP);
            first = first.or(Some(normal));
            square += normal * normal.transpose();
            right += normal * normal.dot(&(point - from));
        }
    }
    if !sharp {
        return None;
    }
    let eigen = SymmetricEigen::new(square);
    let largest = eigen.eigenvalues.max();
    let (mut step, mut rank) = (Vec3::zeros(), 0);
    for k in 0..3 {
        let (value, vector) = (eigen.eigenvalues[k], eigen.eigenvectors.column(k).into_owned());
        if value > ALONG * largest {
            step += vector * (vector.dot(&right) / value);
            rank += 1;
        }
    }
    (rank >= 2).then_some((from + step, rank))
}
