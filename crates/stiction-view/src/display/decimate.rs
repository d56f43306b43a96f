//! Fewer triangles for display: vertices are clustered on a grid, one for each cell, where the planes of its triangles meet best.
//!
//! Source: P. Lindstrom, *Out-of-core simplification of large polygonal models*, SIGGRAPH 2000, pages 259 to 262: clustering on a uniform
//! grid after J. Rossignac and P. Borrel (1993), with the quadric error of M. Garland and P. Heckbert (1997) to place the vertices.
//!
//! ```text
//!   x1, x2, x3    corners of a triangle      e = (x2 - x1) × (x3 - x1), twice its area along its normal
//!   E(x) = Σ w (e·(x - x1))²                 over all triangles with a corner in the cell
//!        = xᵀ A x - 2 bᵀ x + c               A = Σ w e eᵀ,  b = Σ w e (e·x1)
//!   A = U Σ Uᵀ                               its eigenvalues σ1 ≥ σ2 ≥ σ3 ≥ 0
//!   x = x̂ + U Σ⁺ Uᵀ (b - A x̂)                1/σi in Σ⁺ only where σi > 10⁻³ σ1
//! ```
//!
//! A triangle stays if its corners are in three different cells. All is relative to the cell's centre, where digits are not lost.
//!
//! Deviations:
//! - w is min(|e|, g)/|e|², not 1 (g the square of a cell's longest edge): with squares of areas, one large triangle outweighs all small ones at
//!   its border, and the edges of machine parts go.
//! - x̂ is the mean of the triangles' corners in the cell, not its centre: rounder where nothing is determined.
//! - Where x is outside its cell, the smallest σi are left out one by one, at last all, which gives x̂. So a vertex stays in its cell, and with
//!   it within a cell's diagonal of the old surface.
//! - The grid is not given, but searched: the finest, up to 2 %, that leaves no more triangles than wanted. Its cells differ along the axes
//!   so that the faces of the mesh's box are in the middle of cells: rounding does not send a flat face's vertices to both sides of a wall.
//! - Triangles on the same three cells are one, whatever their winding: both sides of a wall thinner than a cell fall together, and a
//!   page must draw both sides of triangles.
//! - No quadrics for borders of open meshes: they may shrink by a cell.

mod mix;
mod quadric;

use mix::Mixing;
use quadric::Quadric;
use std::collections::{HashMap, HashSet};
use stiction::shape::Aabb;
use stiction::spatial::Vec3;
use stiction_bake::progress::Cancelled;
use stiction_bake::{Mesh, Progress};

/// The finest grid, in cells along the longest side.
const FINEST: u32 = 1 << 20;

/// A mesh of at most `budget` triangles near the given one, or a copy if it has no more. The same on every machine of the same arithmetic.
/// A budget of less than a dozen may leave nothing.
///
/// # Errors
/// [`Cancelled`] where the user stopped it.
pub fn decimate(mesh: &Mesh, budget: usize, progress: &dyn Progress) -> Result<Mesh, Cancelled> {
    if mesh.faces.len() <= budget {
        return Ok(mesh.clone());
    }
    let Some(bounds) = mesh.bounds().filter(|b| (b.max - b.min).amax() > 0.0) else { return Ok(Mesh::default()) };
    let found = search(mesh, &bounds, budget, progress)?;
    Ok(found.map_or_else(Mesh::default, |(clusters, faces)| clusters.mesh(mesh, &faces)))
}

/// The clusters of a grid, and the triangles that are left on it.
type Found = (Clusters, Vec<[u32; 3]>);

/// The finest grid that keeps the budget; `None` where even the coarsest does not.
fn search(mesh: &Mesh, bounds: &Aabb, budget: usize, progress: &dyn Progress) -> Result<Option<Found>, Cancelled> {
    let (mut best, mut low, mut high) = (None, 0, None);
    // A surface with as many cells as this along its sides has about as many triangles as the budget.
    let mut n = (0.5 * (budget as f64).sqrt()).clamp(1.0, f64::from(FINEST)) as u32;
    loop {
        if progress.cancelled() {
            return Err(Cancelled);
        }
        let clusters = Clusters::new(mesh, bounds, n);
        match clusters.faces(mesh, budget) {
            Some(faces) => (best, low) = (Some((clusters, faces)), n),
            None => high = Some(n),
        }
        n = match high {
            None if low == FINEST => return Ok(best),
            None => (2 * low).min(FINEST),
            Some(high) if high - low <= (low / 50).max(1) => return Ok(best),
            Some(high) => low + (high - low) / 2,
        };
    }
}

/// The cells of a grid that hold vertices.
struct Clusters {
    low: Vec3,
    size: Vec3,
    /// For every vertex of the mesh: its cell among those in use, which are numbered as they appear.
    of: Vec<u32>,
    /// Where each of them is on the grid.
    cells: Vec<[u32; 3]>,
}

impl Clusters {
    /// On a grid with n cells along the box's longest side, half a cell wider all around.
    fn new(mesh: &Mesh, bounds: &Aabb, n: u32) -> Clusters {
        let extent = bounds.max - bounds.min;
        let edge = extent.amax() / f64::from(n);
        let count = extent.map(|x| (x / edge).round().max(1.0));
        // A side that is nothing but rounding is one cell.
        let size = Vec3::from_fn(|a, _| if extent[a] > 1e-9 * extent.amax() { extent[a] / count[a] } else { edge });
        let low = bounds.min - 0.5 * size;
        let mut numbers: HashMap<u64, u32, Mixing> = HashMap::default();
        let mut cells = Vec::new();
        let of = mesh.points.iter().map(|p| {
            let cell: [u32; 3] = std::array::from_fn(|a| ((p[a] - low[a]) / size[a]).clamp(0.0, count[a]) as u32);
            let key = cell.iter().fold(0, |key, &i| (key << 21) | u64::from(i));
            *numbers.entry(key).or_insert_with(|| {
                cells.push(cell);
                cells.len() as u32 - 1
            })
        });
        Clusters { of: of.collect(), low, size, cells }
    }

    /// The different triangles that are left, in order; `None` where they are more than the budget.
    fn faces(&self, mesh: &Mesh, budget: usize) -> Option<Vec<[u32; 3]>> {
        let mut seen: HashSet<u128, Mixing> = HashSet::default();
        let mut faces = Vec::new();
        for face in &mesh.faces {
            let face = face.map(|i| self.of[i as usize]);
            let mut key = face;
            key.sort_unstable();
            if key[0] == key[1] || key[1] == key[2] {
                continue;
            }
            if seen.insert(key.iter().fold(0, |key, &i| (key << 32) | u128::from(i))) {
                if faces.len() == budget {
                    return None;
                }
                faces.push(face);
            }
        }
        Some(faces)
    }

    /// Places the vertices, and leaves out triangles without an area.
    fn mesh(&self, mesh: &Mesh, faces: &[[u32; 3]]) -> Mesh {
        let centre = |c: u32| {
            self.low + Vec3::from(self.cells[c as usize].map(|i| f64::from(i) + 0.5)).component_mul(&self.size)
        };
        let mut quadrics = vec![Quadric::default(); self.cells.len()];
        let limit = self.size.amax() * self.size.amax();
        for face in &mesh.faces {
            let corners = face.map(|i| mesh.points[i as usize]);
            let cells = face.map(|i| self.of[i as usize]);
            for (k, &c) in cells.iter().enumerate() {
                let (quadric, centre) = (&mut quadrics[c as usize], centre(c));
                quadric.corner(corners[k] - centre);
                if !cells[..k].contains(&c) {
                    quadric.plane(corners.map(|x| x - centre), limit);
                }
            }
        }
        let mut out = Mesh::default();
        let half = 0.5 * self.size;
        let places: Vec<Vec3> = (0..).zip(&quadrics).map(|(c, q)| centre(c) + q.best(&half)).collect();
        let place = |c: u32| places[c as usize];
        let mut name = vec![u32::MAX; self.cells.len()];
        for face in faces {
            let [a, b, c] = face.map(place);
            let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
            if !((b - a).cross(&(c - a)).norm() > 1e-9 * longest) {
                continue;
            }
            out.faces.push(face.map(|c| {
                let slot = &mut name[c as usize];
                if *slot == u32::MAX {
                    *slot = out.points.len() as u32;
                    out.points.push(place(c));
                }
                *slot
            }));
        }
        out
    }
}

#[cfg(test)]
mod tests;
