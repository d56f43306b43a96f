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
//!
//! Rays cross the faces in question and no others, so the work of the first three steps grows with the number of faces and not with that of patches. In the last one
//! every ray crosses all that is left: of very many patches the largest are asked, and the others only if those make solids.

use super::bvh::Bvh;
use super::cracks::Cracks;
use super::parity::{score, spread};
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
    boxes: &'a [Aabb],
    patches: &'a Patches,
    most: usize,
}

impl Asker<'_> {
    /// What parity says of a patch if rays cross the faces of these trees.
    fn side(&self, patch: usize, trees: &[&Bvh]) -> Side {
        let scores: Vec<(f64, f64)> = spread(self.mesh, &self.patches.faces[patch], self.most)
            .par_iter()
            .filter_map(|&(f, weight)| {
                let s = score(self.mesh, f as usize, trees)?;
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

    /// A tree over the faces of some patches.
    fn tree(&self, patches: &[usize]) -> Bvh {
        Bvh::new(self.boxes, patches.iter().flat_map(|&p| self.patches.faces[p].iter().copied()).collect())
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
    let asker = Asker { mesh, boxes, patches, most: samples(open.len()) };

    // Fewer than three faces enclose nothing.
    let enough = |group: &[usize]| group.iter().map(|&p| patches.faces[p].len()).sum::<usize>() > 2;
    let alone = |&p: &usize| {
        let tree = enough(&[p]).then(|| asker.tree(&[p]));
        let side = tree.as_ref().map_or(Side::None, |tree| asker.side(p, &[tree]));
        (side, tree.filter(|_| side != Side::None))
    };
    let (found, trees): (Vec<Side>, Vec<Option<Bvh>>) = open.par_iter().map(alone).unzip();
    open.iter().zip(found).for_each(|(&p, s)| side[p] = s);

    let left: Vec<usize> = open.iter().copied().filter(|&p| side[p] == Side::None).collect();
    let hosts = hosts(mesh, patches, cracks, &side, &left);
    let island = |(&p, host): (&usize, &Option<u32>)| {
        let host = host.and_then(|q| trees[open.binary_search(&(q as usize)).ok()?].as_ref());
        host.map_or(Side::None, |host| asker.side(p, &[&asker.tree(&[p]), host]))
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
    let mut grouped = left.clone();
    grouped.sort_by_key(|&p| (of[p], p));
    // A patch alone has been asked before.
    let groups: Vec<&[usize]> =
        grouped.chunk_by(|&p, &q| of[p] == of[q]).filter(|g| g.len() > 1 && enough(g)).collect();
    let together = |group: &&[usize]| {
        let tree = asker.tree(group);
        group.par_iter().map(|&p| (p, asker.side(p, &[&tree]))).collect::<Vec<_>>()
    };
    let found: Vec<(usize, Side)> = groups.par_iter().flat_map(together).collect();
    found.into_iter().for_each(|(p, s)| side[p] = s);

    let mut left: Vec<usize> = left.into_iter().filter(|&p| side[p] == Side::None).collect();
    left.sort_by(|&p, &q| patches.area[q].total_cmp(&patches.area[p]).then(p.cmp(&q)));
    let (largest, others) = left.split_at(left.len().min(BUDGET / LEAST));
    let all = asker.tree(&open);
    let mut ask = |asked: &[usize]| {
        let found: Vec<Side> = asked.par_iter().map(|&p| asker.side(p, &[&all])).collect();
        asked.iter().zip(found).for_each(|(&p, s)| side[p] = s);
        let area = |solid: bool| {
            let those = asked.iter().filter(|&&p| !solid || side[p] != Side::None);
            those.map(|&p| patches.area[p]).sum::<f64>()
        };
        area(true) > 0.5 * area(false)
    };
    if ask(largest) {
        ask(others);
    }
    left.sort_unstable();
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
