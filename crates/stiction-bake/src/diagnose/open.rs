//! Patches with a boundary: which of them make solids together, and which are sheets.
//!
//! Ray parity (see `parity`) is asked of ever more faces until the patch turns out to be part of a solid:
//!
//! 1. of the patch alone: a solid with holes;
//! 2. of the patch and that one of the first kind with which it shares most points: an island between holes;
//! 3. of all patches left that share points or cracks: a solid in pieces, tessellated apart;
//! 4. of all patches with a boundary: a solid in pieces with wide gaps between them.
//!
//! What then has no inside is a sheet. Going step by step keeps solids apart that overlap: parity of both together
//! would call their common part outside.

use super::cracks::Cracks;
use super::parity::{Crossings, spread};
use super::patches::Patches;
use super::union::Union;
use crate::Mesh;
use rayon::prelude::*;
use std::collections::BTreeMap;
use stiction::shape::Aabb;

/// Faces asked in all, and of one patch at most and at least.
const BUDGET: usize = 8192;
const MOST: usize = 65;
const LEAST: usize = 3;

/// How many faces of a patch are asked if there are so many patches.
pub(super) fn samples(patches: usize) -> usize {
    (BUDGET / patches.max(1)).clamp(LEAST, MOST)
}

/// What parity says of a patch: wound outwards, wound inwards, or no solid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Outward,
    Inward,
    None,
}

/// Asks parity about patches.
struct Asker<'a> {
    mesh: &'a Mesh,
    patches: &'a Patches,
    crossings: Crossings<'a>,
    most: usize,
}

impl Asker<'_> {
    /// What parity says of a patch if faces of some patches count.
    fn side(&self, patch: usize, counted: impl Fn(u32) -> bool + Sync) -> Side {
        let scores: Vec<(f64, f64)> = spread(self.mesh, &self.patches.faces[patch], self.most)
            .par_iter()
            .filter_map(|&(f, weight)| {
                let s = self.crossings.score(f as usize, |other| counted(self.patches.of[other as usize]))?;
                Some((if self.patches.flip[f as usize] { -s } else { s }, weight))
            })
            .collect();
        let total: f64 = scores.iter().map(|s| s.1).sum();
        match scores.iter().map(|s| s.0 * s.1).sum::<f64>() / total {
            mean if mean > 0.5 => Side::Outward,
            mean if mean < -0.5 => Side::Inward,
            _ => Side::None,
        }
    }
}

/// Settles patches with a boundary: sheets are found, the others turned outwards and joined to bodies.
pub(super) fn settle(
    mesh: &Mesh,
    boxes: &[Aabb],
    patches: &mut Patches,
    cracks: &Cracks,
    union: &mut Union,
    sheet: &mut [bool],
) {
    let open: Vec<usize> = (0..patches.faces.len()).filter(|&p| !patches.closed[p]).collect();
    let mut side = vec![Side::None; patches.faces.len()];
    let faces: Vec<u32> = open.iter().flat_map(|&p| patches.faces[p].iter().copied()).collect();
    let asker = Asker { mesh, patches, crossings: Crossings::new(mesh, boxes, faces), most: samples(open.len()) };

    // Fewer than three faces enclose nothing.
    let alone = |&p: &usize| {
        let enough = patches.faces[p].len() > 2;
        if enough { asker.side(p, |other| other as usize == p) } else { Side::None }
    };
    let found: Vec<Side> = open.par_iter().map(alone).collect();
    open.iter().zip(found).for_each(|(&p, s)| side[p] = s);

    let left: Vec<usize> = open.iter().copied().filter(|&p| side[p] == Side::None).collect();
    let hosts = hosts(mesh, patches, cracks, &side, &left);
    let island = |(&p, host): (&usize, &Option<u32>)| match *host {
        Some(q) => asker.side(p, |other| other as usize == p || other == q),
        None => Side::None,
    };
    let found: Vec<Side> = left.par_iter().zip(&hosts).map(island).collect();
    for ((&p, host), s) in left.iter().zip(&hosts).zip(found) {
        side[p] = s;
        if let (Some(q), true) = (host, s != Side::None) {
            union.join(p as u32, *q);
        }
    }

    let left: Vec<usize> = left.into_iter().filter(|&p| side[p] == Side::None).collect();
    join_neighbours(mesh, patches, cracks, &left, union);
    let of = union.number().0;
    let found: Vec<Side> = left.par_iter().map(|&p| asker.side(p, |other| of[other as usize] == of[p])).collect();
    left.iter().zip(found).for_each(|(&p, s)| side[p] = s);

    let left: Vec<usize> = left.into_iter().filter(|&p| side[p] == Side::None).collect();
    let found: Vec<Side> = left.par_iter().map(|&p| asker.side(p, |_| true)).collect();
    left.iter().zip(found).for_each(|(&p, s)| side[p] = s);
    let together: Vec<u32> = left.iter().filter(|&&p| side[p] != Side::None).map(|&p| p as u32).collect();
    together.windows(2).for_each(|pair| {
        union.join(pair[0], pair[1]);
    });

    for &p in &open {
        sheet[p] = side[p] == Side::None;
        if side[p] == Side::Inward {
            patches.turn(p);
        }
    }
}

/// For every patch left, the settled patch with which it shares most points; a crack counts as two.
fn hosts(mesh: &Mesh, patches: &Patches, cracks: &Cracks, side: &[Side], left: &[usize]) -> Vec<Option<u32>> {
    let points = |p: usize| {
        let mut points: Vec<u32> = patches.faces[p].iter().flat_map(|&f| mesh.faces[f as usize]).collect();
        points.sort_unstable();
        points.dedup();
        points
    };
    let settled = (0..side.len()).filter(|&p| side[p] != Side::None);
    let mut users: Vec<(u32, u32)> = settled.flat_map(|q| points(q).into_iter().map(move |i| (i, q as u32))).collect();
    users.sort_unstable();
    let mut linked: Vec<(u32, u32)> = cracks.links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    linked.sort_unstable();
    let host = |&p: &usize| {
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        for i in points(p) {
            let from = users.partition_point(|u| u.0 < i);
            users[from..].iter().take_while(|u| u.0 == i).for_each(|u| *shared.entry(u.1).or_default() += 1);
        }
        let from = linked.partition_point(|l| (l.0 as usize) < p);
        for l in linked[from..].iter().take_while(|l| l.0 as usize == p) {
            if side[l.1 as usize] != Side::None {
                *shared.entry(l.1).or_default() += 2;
            }
        }
        shared.into_iter().max_by_key(|&(q, n)| (n, std::cmp::Reverse(q))).map(|(q, _)| q)
    };
    left.par_iter().map(host).collect()
}

/// Joins patches that share a point or a crack.
fn join_neighbours(mesh: &Mesh, patches: &Patches, cracks: &Cracks, left: &[usize], union: &mut Union) {
    let mut owner = vec![u32::MAX; mesh.points.len()];
    for &p in left {
        for i in patches.faces[p].iter().flat_map(|&f| mesh.faces[f as usize]) {
            match owner[i as usize] {
                u32::MAX => owner[i as usize] = p as u32,
                other => {
                    union.join(other, p as u32);
                }
            }
        }
    }
    let is_left = |p: u32| left.binary_search(&(p as usize)).is_ok();
    for &(a, b) in cracks.links.iter().filter(|l| is_left(l.0) && is_left(l.1)) {
        union.join(a, b);
    }
}
