//! Membranes over holes.
//!
//! Where the sign changes between two neighbouring nodes a and b although the surface is further away, |a| + |b| > h, the
//! surface has a hole there, and the field would jump. The middles of such edges are points of a membrane that closes
//! the hole. Distances to those points count like distances to the mesh: the field then is 1-Lipschitz between all
//! nodes again, and the membrane is solid like any other surface.

use super::bvh::{Bvh, Hints};
use super::front::Front;
use super::grid::{SIDE, node};
use super::lanes::LANES;
use super::nodes::{Nodes, for_blocks};
use super::sign::ROUNDING;
use super::unsigned;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;
use stiction::spatial::Vec3;

/// The middles of edges from blocks `first` on over which the sign jumps.
pub fn jumps(nodes: &Nodes, first: usize) -> Vec<[f32; 3]> {
    let found: Vec<Vec<[f32; 3]>> = (first..nodes.slots.len())
        .into_par_iter()
        .map(|block| {
            let at = nodes.layout.at(nodes.slots[block] as usize);
            let mut points = Vec::new();
            for (index, &here) in nodes.values[block].iter().enumerate() {
                let from = node(index);
                for axis in 0..3 {
                    let mut to = from;
                    to[axis] += 1;
                    let there = if to[axis] < SIDE {
                        nodes.layout.inside(at, to).then(|| nodes.values[block][super::grid::owned(to)])
                    } else {
                        nodes.value(at, to)
                    };
                    let Some(there) = there else { continue };
                    if (here < 0.0) != (there < 0.0) && here.abs() + there.abs() > 1.0 + ROUNDING {
                        let mut middle = [0, 1, 2].map(|k| (at[k] * SIDE + from[k]) as f32);
                        middle[axis] += 0.5;
                        points.push(middle);
                    }
                }
            }
            points
        })
        .collect();
    found.concat()
}

/// A tree over points.
pub fn tree(points: &[[f32; 3]]) -> Bvh {
    let triangles: Vec<[Vec3; 3]> =
        points.iter().map(|p| [Vec3::new(f64::from(p[0]), f64::from(p[1]), f64::from(p[2])); 3]).collect();
    Bvh::new(&triangles)
}

/// Brings blocks from `first` on, and all first nodes, as near as the membrane is.
pub fn close(nodes: &mut Nodes, first: usize, membrane: &Bvh, progress: &dyn Progress) -> Result<(), Cancelled> {
    let layout = nodes.layout;
    for_blocks(&nodes.slots[first..], &mut nodes.values[first..], progress, |slots, values| {
        let mut front = Front::new();
        for (&slot, values) in slots.iter().zip(values) {
            let near = unsigned::block(membrane, &layout, layout.at(slot as usize), &mut front);
            values.iter_mut().zip(near).for_each(|(v, d)| *v = v.abs().min(d).copysign(*v));
        }
    })?;
    let row = layout.slots[0];
    nodes.coarse.par_chunks_mut(row).enumerate().for_each(|(r, values)| {
        let (j, k) = (r % layout.slots[1], r / layout.slots[1]);
        let mut hints = Hints::new();
        for (chunk, values) in values.chunks_mut(LANES).enumerate() {
            let points: Vec<[f32; 3]> =
                (0..values.len()).map(|i| [chunk * LANES + i, j, k].map(|n| (n * SIDE) as f32)).collect();
            let near = unsigned::nearest(membrane, &points, &mut hints);
            values.iter_mut().zip(near).for_each(|(v, d)| *v = v.abs().min(d).copysign(*v));
        }
    });
    Ok(())
}
