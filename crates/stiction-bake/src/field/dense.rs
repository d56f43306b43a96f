//! Every node of a closed mesh in one pass: distances and signs go straight to where the field keeps them.
//!
//! A strip is a row of blocks along x. Its nodes are a few rows of every plane, which one thread writes; so there is no second copy of all
//! nodes, whose pages alone cost a tenth of the time.

use super::bvh::Bvh;
use super::front::Front;
use super::grid::{GridLayout, SIDE, owned};
use super::rows::FieldRows;
use super::unsigned;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;

/// Signed distances at all nodes, x fastest, in units of which a voxel has `spacing`. The rows must add up.
pub fn closed(
    bvh: &Bvh,
    rows: &FieldRows,
    layout: &GridLayout,
    spacing: f64,
    progress: &dyn Progress,
) -> Result<Vec<f32>, Cancelled> {
    let ([nx, ny, nz], [across, strips, _]) = (layout.nodes, layout.slots);
    let mut values = vec![0f32; nx * ny * nz];
    let mut planes: Vec<Vec<&mut [f32]>> = (0..layout.count() / across).map(|_| Vec::with_capacity(SIDE)).collect();
    for (z, plane) in values.chunks_mut(nx * ny).enumerate() {
        for (strip, some_rows) in plane.chunks_mut(SIDE * nx).enumerate() {
            planes[z / SIDE * strips + strip].push(some_rows);
        }
    }
    planes.par_iter_mut().enumerate().try_for_each_init(Front::new, |front, (strip, planes)| {
        if progress.cancelled() {
            return Err(Cancelled);
        }
        let [y0, z0] = [strip % strips, strip / strips];
        for x0 in 0..across {
            let block = unsigned::block(bvh, layout, [x0, y0, z0], front);
            for (z, plane) in planes.iter_mut().enumerate() {
                for (y, row) in plane.chunks_mut(nx).enumerate() {
                    let computed = &block[owned([0, y, z])..];
                    let run = row[SIDE * x0..].iter_mut().take(SIDE);
                    run.zip(computed).for_each(|(value, d)| *value = (f64::from(*d) * spacing) as f32);
                }
            }
        }
        for (z, plane) in planes.iter_mut().enumerate() {
            for (y, row) in plane.chunks_mut(nx).enumerate() {
                for run in rows.inside([0, SIDE * y0 + y, SIDE * z0 + z], nx) {
                    row[run].iter_mut().for_each(|value| *value = -*value);
                }
            }
        }
        progress.advance(across as u64);
        Ok(())
    })?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::field::nodes::Nodes;
    use crate::field::store;
    use crate::solids::{Solid, SpurGear};
    use stiction::shape::{Aabb, DistanceField, Lattice};
    use stiction::spatial::Vec3;

    /// Guards: the two ways to a dense field, by blocks that are kept and at once, differ in bits or at the rim.
    #[test]
    fn a_closed_mesh_has_the_same_bits_by_blocks_and_at_once() {
        let lattice = Lattice { origin: Vec3::repeat(-0.3), spacing: 0.013, cells: [48, 40, 16] };
        let middle = Vec3::new(24.0, 20.0, 8.0);
        let gear = Solid::Gear(SpurGear { bore: 9.0, ..SpurGear::standard(2.5, 12, 7.0) }).mesh().unwrap();
        let triangles: Vec<_> = gear.triangles().map(|t| t.map(|p| p + middle)).collect();
        let (bvh, layout) = (Bvh::new(&triangles), GridLayout::new(&lattice));
        let (rows, failed) = FieldRows::new(&triangles, layout.nodes);
        assert_eq!(failed, 0);
        let values = closed(&bvh, &rows, &layout, lattice.spacing, &Silent).unwrap();
        let mut nodes = Nodes::without_coarse(layout);
        nodes.add((0..layout.count() as u32).collect(), &bvh, &Silent).unwrap();
        nodes.sign_by_rows(0, &rows, &Silent).unwrap();
        let at = |p: Vec3| lattice.origin + p * lattice.spacing;
        let part = Aabb { min: at(middle - Vec3::new(18.0, 18.0, 3.6)), max: at(middle + Vec3::new(18.0, 18.0, 3.6)) };
        let DistanceField::Dense(field) = store::dense(nodes, lattice, part).unwrap() else { panic!("not dense") };
        assert!(values.iter().any(|d| *d < 0.0));
        let bits = |values: &[f32]| values.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
        assert!(bits(field.values()) == bits(&values));
    }
}
