//! Mass properties from a field, for meshes whose triangles do not tell: with holes, sheets or membranes.
//!
//! Every node stands for the cube of edge h around it, filled to the part clamp(1/2 − d/h, 0, 1): exact for a plane surface
//! along the axes, and of second order in h for smooth ones.

use stiction::shape::{DistanceField, MassProperties, Sparse};
use stiction::spatial::{Mat3, Vec3};

/// Sums of 1, x and x xᵀ, relative to the first node and in voxels.
#[derive(Clone, Copy)]
struct Moments {
    zeroth: f64,
    first: Vec3,
    second: Mat3,
}

impl Moments {
    const NONE: Moments =
        Moments { zeroth: 0.0, first: Vec3::new(0.0, 0.0, 0.0), second: Mat3::new(0., 0., 0., 0., 0., 0., 0., 0., 0.) };

    /// Adds a cube of nodes, `side` along each axis, filled to a part.
    fn add(&mut self, centre: Vec3, side: f64, part: f64) {
        let volume = part * side * side * side;
        self.zeroth += volume;
        self.first += centre * volume;
        self.second += (centre * centre.transpose() + Mat3::identity() * (side * side / 12.0)) * volume;
    }
}

/// Volume, centre and inertia of the solid inside a field.
pub fn mass(field: &DistanceField) -> MassProperties {
    let lattice = field.lattice();
    let h = lattice.spacing;
    let [nx, ny, nz] = lattice.nodes();
    let mut sum = Moments::NONE;
    let mut node = |x: usize, y: usize, z: usize, d: f64| {
        let part = (0.5 - d / h).clamp(0.0, 1.0);
        if part > 0.0 {
            sum.add(Vec3::new(x as f64, y as f64, z as f64), 1.0, part);
        }
    };
    match field {
        DistanceField::Dense(dense) => {
            for (i, &d) in dense.values().iter().enumerate() {
                node(i % nx, i / nx % ny, i / (nx * ny), f64::from(d));
            }
            debug_assert_eq!(dense.values().len(), nx * ny * nz);
        }
        DistanceField::Sparse(sparse) => {
            let side = Sparse::CELLS;
            let counts = lattice.cells.map(|n| n as usize / side);
            let unit = sparse.band() / f64::from(Sparse::FULL);
            let mut filled = Moments::NONE;
            for (slot, &block) in sparse.slots().iter().enumerate() {
                let at = [slot % counts[0], slot / counts[0] % counts[1], slot / (counts[0] * counts[1])];
                let first = at.map(|n| n * side);
                if block == Sparse::EMPTY {
                    let corner = (at[2] * (counts[1] + 1) + at[1]) * (counts[0] + 1) + at[0];
                    if sparse.coarse()[corner].is_sign_negative() {
                        let middle = first.map(|n| n as f64 + 0.5 * (side as f64 - 1.0));
                        filled.add(Vec3::from(middle), side as f64, 1.0);
                    }
                    continue;
                }
                let values = &sparse.blocks()[block as usize * Sparse::BLOCK..][..Sparse::BLOCK];
                for (i, &value) in values.iter().enumerate() {
                    let n = [i % Sparse::NODES, i / Sparse::NODES % Sparse::NODES, i / (Sparse::NODES * Sparse::NODES)];
                    if n.iter().all(|&k| k < side) {
                        node(first[0] + n[0], first[1] + n[1], first[2] + n[2], f64::from(value) * unit);
                    }
                }
            }
            sum.zeroth += filled.zeroth;
            sum.first += filled.first;
            sum.second += filled.second;
        }
    }
    let centre = if sum.zeroth > 0.0 { sum.first / sum.zeroth } else { Vec3::zeros() };
    let spread = sum.second - centre * centre.transpose() * sum.zeroth;
    MassProperties {
        volume: sum.zeroth * h.powi(3),
        centre: lattice.origin + centre * h,
        inertia: (Mat3::identity() * spread.trace() - spread) * h.powi(5),
    }
}
