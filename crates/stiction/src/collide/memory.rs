//! What walks of one shell through one field find out about its points, to be used again at poses near by.
//!
//! Of every point is kept where it was when it was last looked up, and F there. With Δ how far it is from there now,
//!
//! ```text
//! d(p) ≥ F - σ - Δ,      F(p) ≥ min(F, r) - L Δ                                           (3)
//! ```
//!
//! r is the field's reach, below which F is interpolated, with a slope of at most L ([`steepest`](crate::shape::DistanceField::steepest)); a way that leaves that region comes back
//! into it at r. The first of (3) takes the place of F in (1) of `collide`; by the second, a subtree is skipped where min(F, r) - L (Δ + R) ≥ m, too. A point is looked up in the field
//! only where (3) does not show that it is beyond the margin, or where a new look could skip its subtree. A walk at the pose
//! of the last one with no larger margin only goes through its hits.
//!
//! **Order.** Points lie in the order in which a walk comes to them, so that the children of neighbouring nodes are neighbours, in packets of four. A level is walked by runs of them: (3)
//! for four points at once; then those that it leaves over are looked up one after the other, nothing else between them, so that the processor waits for many of their memory lines at a time;
//! then they are judged.

use super::{Bounds, Ground, Hit, Look, Open, Placement, Progress, REMEMBERED, Walk};
use crate::contact::{LANES, Lane};
use crate::shape::{PointShell, Sample};
use crate::spatial::Vec3;
use std::ops::Range;

/// A remembered node is looked at again, to skip its subtree, once it has moved by this share of its radius.
const STALE: f64 = 0.125;
/// Points that are looked at together, at most.
pub(crate) const BATCH: usize = 64;

/// Four points in the order of a walk.
#[derive(Clone, Copy, Debug)]
struct Packet {
    /// In the shell's frame.
    point: [Lane; 3],
    /// Radius of the subtree.
    radius: Lane,
    /// In the field's frame, when they were last looked at; not finite for one that never was.
    position: [Lane; 3],
    /// The true distance is more than this less σ.
    distance: Lane,
    /// The field is at least this.
    value: Lane,
}

/// The last walk that was not stopped, whose hits are kept.
#[derive(Clone, Copy, Debug)]
struct LastWalk {
    place: Placement,
    margin: f64,
    walk: Walk,
}

/// What earlier walks found out.
#[derive(Clone, Debug)]
pub(super) struct WalkMemory {
    packets: Vec<Packet>,
    /// Bounds of distance and value in the walk under way.
    now: Vec<[Lane; 2]>,
    /// Their numbers among the shell's points.
    numbers: Vec<u32>,
    /// Of every node, the place of its first child that is not its own point.
    below: Vec<u32>,
    batch: Box<Batch>,
    last: Option<LastWalk>,
    hits: Vec<Hit>,
}

impl WalkMemory {
    pub fn new(shell: &PointShell) -> Self {
        let (points, nodes) = (shell.points(), shell.nodes());
        let empty = Packet {
            point: [Lane::ZERO; 3],
            radius: Lane::ZERO,
            position: [Lane::ZERO; 3],
            distance: Lane::ZERO,
            value: Lane::ZERO,
        };
        let blocks = points.len().div_ceil(LANES);
        let mut memory = WalkMemory {
            packets: vec![empty; blocks],
            now: vec![[Lane::ZERO; 2]; blocks],
            numbers: Vec::with_capacity(points.len()),
            below: Vec::with_capacity(nodes.len()),
            batch: Box::new(Batch::new()),
            last: None,
            hits: Vec::with_capacity(points.len()),
        };
        let roots = shell.levels().first().map_or(0, |&n| n);
        // As `PointShell::walk_order` has it.
        (0..roots).for_each(|i| memory.add(shell, i));
        for node in nodes {
            memory.below.push(memory.numbers.len() as u32);
            (1..node.children).for_each(|k| memory.add(shell, node.first_child + k));
        }
        memory.forget();
        memory
    }

    fn add(&mut self, shell: &PointShell, node: u32) {
        let node = &shell.nodes()[node as usize];
        let position = shell.points()[node.point as usize].position;
        let (packet, lane) = (self.numbers.len() / LANES, self.numbers.len() % LANES);
        let packet = &mut self.packets[packet];
        for a in 0..3 {
            packet.point[a].as_mut_array()[lane] = position[a];
        }
        packet.radius.as_mut_array()[lane] = node.reach();
        self.numbers.push(node.point);
    }

    pub fn forget(&mut self) {
        for packet in &mut self.packets {
            packet.position = [f64::INFINITY, 0.0, 0.0].map(Lane::splat);
            (packet.distance, packet.value) = (Lane::splat(f64::NEG_INFINITY), Lane::splat(f64::NEG_INFINITY));
        }
        self.last = None;
    }

    /// The last walk again, if it was at this pose with no smaller margin and can be paid for.
    pub fn again(
        &self,
        place: &Placement,
        margin: f64,
        left: &mut u64,
        most: u64,
        visit: &mut impl FnMut(&[Hit]) -> u64,
    ) -> Option<Walk> {
        let hits = &self.hits;
        let affordable = (hits.len() as u64).saturating_mul(most.saturating_add(1)) <= *left;
        let last = self.last.filter(|last| affordable && last.place == *place && margin <= last.margin)?;
        let mut walk = Walk { samples: 0, remembered: hits.len(), nodes: hits.len(), hits: 0, ..last.walk };
        *left = left.saturating_sub((hits.len() as u64).div_ceil(REMEMBERED));
        let touches = |hit: &Hit| hit.sample.distance < margin;
        for run in hits.chunk_by(|a, b| touches(a) && touches(b)).filter(|run| touches(&run[0])) {
            walk.hits += run.len();
            for batch in run.chunks(BATCH) {
                *left = left.saturating_sub(visit(batch));
            }
        }
        Some(walk)
    }

    pub fn begin(&mut self) {
        self.last = None;
        self.hits.clear();
    }

    pub fn end(&mut self, place: Placement, margin: f64, walk: Walk) {
        self.last = (!walk.stopped).then_some(LastWalk { place, margin, walk });
    }

    /// What the walk under way knows of a point.
    #[inline(always)]
    pub fn found(&self, place: u32) -> Bounds {
        let [distance, value] = &self.now[place as usize / LANES];
        let lane = place as usize % LANES;
        Bounds { distance: distance.as_array()[lane], value: value.as_array()[lane] }
    }

    /// Keeps what a look at a point told.
    #[inline(always)]
    fn learn(&mut self, place: u32, position: &Vec3, sample: &Sample, reach: f64) {
        let (block, lane) = (place as usize / LANES, place as usize % LANES);
        let packet = &mut self.packets[block];
        for a in 0..3 {
            packet.position[a].as_mut_array()[lane] = position[a];
        }
        let (distance, value) = (sample.distance, sample.distance.min(reach));
        (packet.distance.as_mut_array()[lane], packet.value.as_mut_array()[lane]) = (distance, value);
        let now = &mut self.now[block];
        (now[0].as_mut_array()[lane], now[1].as_mut_array()[lane]) = (distance, value);
    }
}

/// Points are looked up in the field where it is not known from earlier walks that they are beyond the margin.
pub(super) struct Remembering<'a, V> {
    pub ground: &'a Ground<'a>,
    pub memory: &'a mut WalkMemory,
    pub visit: V,
}

/// Points that are left over for a look in the field.
#[derive(Clone, Debug)]
struct Batch {
    places: [u32; BATCH],
    positions: [Vec3; BATCH],
    samples: [Sample; BATCH],
    len: usize,
}

impl Batch {
    fn new() -> Self {
        let sample = Sample { distance: 0.0, gradient: Vec3::zeros() };
        Batch { places: [0; BATCH], positions: [Vec3::zeros(); BATCH], samples: [sample; BATCH], len: 0 }
    }
}

impl<V: FnMut(&[Hit]) -> u64> Remembering<'_, V> {
    /// Looks at a run of points.
    fn look(&mut self, run: Range<u32>, progress: &mut Progress) {
        let mut first = run.start;
        while first < run.end {
            let end = run.end.min(first - first % LANES as u32 + BATCH as u32);
            self.look_at_batch(first..end, progress);
            first = end;
        }
    }

    #[inline(always)]
    fn look_at_batch(&mut self, run: Range<u32>, progress: &mut Progress) {
        let Ground { field, place, part, margin, far, slack, steepest, .. } = *self.ground;
        let WalkMemory { packets, now, batch, .. } = &mut *self.memory;
        let reach = field.reach();
        let (first, last) = (run.start as usize / LANES, (run.end as usize - 1) / LANES);
        let (mut remembered, mut looks) = (0, 0);
        let (finest, mut least) = (progress.finest(), Lane::splat(progress.least));
        batch.len = 0;
        for block in first..=last {
            let packet = &mut packets[block];
            let start = block * LANES;
            let position = place.apply_to_four(&packet.point);
            let [x, y, z] = std::array::from_fn(|a| position[a] - packet.position[a]);
            let moved = (x * x + y * y + z * z).sqrt() * Lane::splat(1.0 + 1e-12);
            // (3).
            let radius = packet.radius;
            let distance = packet.distance - moved;
            let value = packet.value - moved * Lane::splat(steepest);
            let limit = Lane::splat(margin);
            let below = value - radius * Lane::splat(steepest);
            let known = value.simd_ge(limit)
                & (moved.simd_lt(radius * Lane::splat(STALE))
                    | distance.simd_gt(radius + Lane::splat(far))
                    | below.simd_ge(limit));
            // On the finest level no more is needed of points that are known than what the least of them is.
            if finest {
                let known_least = known.select(distance.fast_max(value), Lane::splat(f64::INFINITY));
                least = least.fast_min(known_least);
            } else {
                now[block] = [distance, value];
            }
            // Lanes of the run.
            let lanes = (0xf << (run.start as usize).saturating_sub(start))
                & (0xf >> (start + LANES).saturating_sub(run.end as usize));
            let mut open = lanes & !known.to_bitmask();
            remembered += (lanes & !open).count_ones();
            if open == 0 {
                continue;
            }
            // (2).
            let outside: [Lane; 3] = std::array::from_fn(|a| {
                let (low, high) = (Lane::splat(part.min[a]) - position[a], position[a] - Lane::splat(part.max[a]));
                low.fast_max(high).fast_max(Lane::ZERO)
            });
            let outside = (outside[0] * outside[0] + outside[1] * outside[1] + outside[2] * outside[2]).sqrt();
            let beyond = outside.simd_gt(radius + Lane::splat(far)).to_bitmask();
            while open != 0 {
                let lane = open.trailing_zeros() as usize;
                open &= open - 1;
                let at =
                    Vec3::new(position[0].as_array()[lane], position[1].as_array()[lane], position[2].as_array()[lane]);
                if beyond & (1 << lane) != 0 {
                    let outside = outside.as_array()[lane];
                    looks += 1;
                    for a in 0..3 {
                        packet.position[a].as_mut_array()[lane] = at[a];
                    }
                    let found = [outside + slack, (outside - slack).min(reach)];
                    packet.distance.as_mut_array()[lane] = found[0];
                    packet.value.as_mut_array()[lane] = found[1];
                    now[block][0].as_mut_array()[lane] = found[0];
                    now[block][1].as_mut_array()[lane] = found[1];
                    progress.note(found[0]);
                    continue;
                }
                (batch.places[batch.len], batch.positions[batch.len]) = ((start + lane) as u32, at);
                batch.len += 1;
            }
        }
        looks += batch.len;
        if finest {
            least.as_array().iter().for_each(|&known| progress.note(known));
        }
        progress.walk.nodes += run.len();
        progress.walk.samples += looks;
        progress.pay(looks as u64);
        progress.remember(remembered as usize);
        field.sample_batch(&batch.positions[..batch.len], &mut batch.samples[..batch.len]);
        let first = self.memory.hits.len();
        for k in 0..self.memory.batch.len {
            let batch = &self.memory.batch;
            let (here, position, sample) = (batch.places[k], batch.positions[k], batch.samples[k]);
            self.memory.learn(here, &position, &sample, reach);
            progress.note(sample.distance);
            if sample.distance < margin {
                let point = self.memory.numbers[here as usize];
                self.memory.hits.push(Hit { point, sample, position });
            }
        }
        let found = &self.memory.hits[first..];
        if !found.is_empty() {
            progress.walk.hits += found.len();
            progress.pay((self.visit)(found));
        }
    }

    /// The places of the children of a node that are not its own point.
    #[inline(always)]
    fn children(&self, node: u32) -> Range<u32> {
        let first = self.memory.below[node as usize];
        first..first + self.ground.nodes[node as usize].children - 1
    }
}

impl<V: FnMut(&[Hit]) -> u64> Look for Remembering<'_, V> {
    fn roots(&mut self, roots: Range<u32>, progress: &mut Progress) {
        // Points of the first level are the first of all.
        self.look(roots.clone(), progress);
        if !progress.finest() {
            roots.for_each(|i| progress.keep(i, self.memory.found(i)));
        }
    }

    fn refine(&mut self, parents: &[Open], progress: &mut Progress) {
        progress.walk.nodes += parents.len();
        progress.remember(parents.len());
        let mut run = 0..0;
        for parent in parents {
            let children = self.children(parent.node);
            if children.start == run.end {
                run.end = children.end;
            } else {
                self.look(std::mem::replace(&mut run, children), progress);
            }
        }
        self.look(run, progress);
        if progress.finest() {
            // Nothing is below, and what parents know has been taken into account with them.
            return;
        }
        for parent in parents {
            let first = self.ground.nodes[parent.node as usize].first_child;
            progress.keep(first, parent.bounds);
            for (i, place) in (first + 1..).zip(self.children(parent.node)) {
                progress.keep(i, self.memory.found(place));
            }
        }
    }
}
