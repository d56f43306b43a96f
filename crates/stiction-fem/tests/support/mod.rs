//! Solids with exact distance functions, and other things that tests of this crate share.
#![allow(dead_code)]

pub mod clip;

use stiction::spatial::Vec3;
use stiction_fem::SolidRegion;

/// Distance to a box with half sides `half`, centred at the origin.
pub fn cuboid(p: Vec3, half: Vec3) -> f64 {
    let q = p.abs() - half;
    let outside = Vec3::new(q.x.max(0.0), q.y.max(0.0), q.z.max(0.0)).norm();
    outside + q.max().min(0.0)
}

/// Distance to a torus about the z axis.
pub fn torus(p: Vec3, ring: f64, tube: f64) -> f64 {
    let around = (p.x * p.x + p.y * p.y).sqrt() - ring;
    (around * around + p.z * p.z).sqrt() - tube
}

/// Distance to a solid cylinder about the z axis.
pub fn cylinder(p: Vec3, radius: f64, half: f64) -> f64 {
    let (a, b) = ((p.x * p.x + p.y * p.y).sqrt() - radius, p.z.abs() - half);
    a.max(b).min(0.0) + (a.max(0.0).powi(2) + b.max(0.0).powi(2)).sqrt()
}

/// A region within ± `reach`.
pub fn region<'a>(distance: &'a dyn Fn(Vec3) -> f64, reach: Vec3) -> SolidRegion<'a> {
    SolidRegion { distance, lower: -reach, upper: reach }
}

/// A random number from 0 to 1.
pub fn unit(seed: &mut u64) -> f64 {
    (stiction_testing::splitmix64(seed) >> 11) as f64 / (1u64 << 53) as f64
}

/// A random vector with components from -1 to 1.
pub fn vector(seed: &mut u64) -> Vec3 {
    Vec3::from_fn(|_, _| 2.0 * unit(seed) - 1.0)
}

/// A box of so many cubes along each axis, each divided into six tetrahedra that share a diagonal.
pub fn bar(cubes: [usize; 3], size: Vec3) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let [nx, ny, nz] = cubes;
    let number = |i: usize, j: usize, k: usize| ((k * (ny + 1) + j) * (nx + 1) + i) as u32;
    let mut nodes = Vec::new();
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                let share = Vec3::new(i as f64 / nx as f64, j as f64 / ny as f64, k as f64 / nz as f64);
                nodes.push(share.component_mul(&size));
            }
        }
    }
    let mut tetrahedra = Vec::new();
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
                    let mut at = [i, j, k];
                    let mut corners = [number(i, j, k); 4];
                    for (step, axis) in order.into_iter().enumerate() {
                        at[axis] += 1;
                        corners[step + 1] = number(at[0], at[1], at[2]);
                    }
                    tetrahedra.push(corners);
                }
            }
        }
    }
    (nodes, tetrahedra)
}
