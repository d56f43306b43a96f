//! Which points of one part's shell touch the other part's distance field: a pruned walk down the nested shell.
//!
//! Source: nested point trees after Barbič & James 2008 as described in public abstracts; bound and order are our own.
//!
//! Symbols: p a shell point in the field's frame, F the field, d the true distance, R the radius of p's subtree, m the
//! margin, σ the field's slack. Levels are walked coarse to fine, nodes of a level in their order. The first child of
//! a node is the same point again, so every point is sampled at most once, at its coarsest level, and reported there.
//!
//! ```text
//! skip the subtree of p where F(p) > R + m + 2σ                                      (1)
//! ```
//!
//! With b(p) ≤ d(p) the distance to the part's box, which needs no memory,
//!
//! ```text
//! b(p) > R + m + 2σ                                                                   (2)
//! ```
//!
//! skips it as well. F ≤ d + σ everywhere, so (1) gives d(p) > R + m + σ and d(q) > m + σ for each q of the subtree, d being 1-Lipschitz.
//! And F ≥ d - σ wherever F < [`reach`](DistanceField::reach): for m ≤ reach, F(q) ≥ m. So exactly the points with F < m
//! are reported, as by an exhaustive search. With a larger margin a point may be missed whose F < m is only a bound
//! while its true distance is above m: never one that is truly within the margin less σ.
//!
//! Deviation from the notes (section 2.4): they skip at one σ, which bounds the true distance, not the sampled one.
//!
//! **Memory.** A [`Traversal::remembering`] keeps what its walks found out about every point (module `memory`): the same points are reported, from fewer samples.
//!
//! **Work.** A walk can be given a limit of work, of which a sample takes one unit, five points or nodes that are known take one, and points that are reported take what the caller says
//! ([`Traversal::touching_within`]). Where what is left may not be enough for a whole level, the children of those nodes come first whose own
//! points are nearest to the surface, by their distance in radii of their subtrees; a node whose children cannot be paid for is represented by its own point and its
//! ancestors, which have been reported where they are within the margin.

use crate::shape::{DistanceField, PointShell, Sample};
pub use crate::spatial::Pose;
use crate::spatial::Vec3;
pub(crate) use memory::BATCH;
use memory::{Remembering, WalkMemory};
use placement::{Ground, Placement};
use plain::Plain;
use std::ops::Range;

mod memory;
mod placement;
mod plain;

/// A point of the shell within the margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its number among the shell's points.
    pub point: u32,
    /// The field there, in the field's frame.
    pub sample: Sample,
    /// Where it is, in the field's frame.
    pub position: Vec3,
}

/// What a walk looks for and how much it may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Points are reported where the field is below this (m). Exact up to [`DistanceField::reach`].
    pub margin: f64,
    /// No level is begun that would bring the number of samples above this. The coarsest level is always walked.
    pub max_samples: usize,
}

impl Query {
    /// All points within a margin, however many samples that takes.
    pub fn within(margin: f64) -> Self {
        Query { margin, max_samples: usize::MAX }
    }
}

/// What a walk did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walk {
    /// No point of the shell, reported or not, is nearer to the field's surface than this (m); negative where one is or
    /// may be inside. Infinite for an empty shell.
    pub clearance: f64,
    /// Samples of the field.
    pub samples: usize,
    /// Points that were known well enough from earlier walks, each time that the walk came to them.
    pub remembered: usize,
    /// Nodes of the shell that were looked at: samples, remembered points, and points that came again on a finer level.
    pub nodes: usize,
    /// Points reported.
    pub hits: usize,
    /// How many levels were walked completely.
    pub levels: usize,
    /// The budget ended the walk: only points of the first `levels` levels were reported, and some of the next one where the limit was one of work.
    pub stopped: bool,
}

/// Where there is not enough work left for all, nodes are refined first whose points are no further beyond the margin than the first of
/// these shares of their radius, then up to the second, then the others.
const NEAREST: [f64; 2] = [0.0, 0.5];

/// Remembered points that take as much time as a sample.
pub(crate) const REMEMBERED: u64 = 5;

/// What is known of the field at a point.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The true distance is more than this less σ.
    distance: f64,
    /// The field is at least this.
    value: f64,
}

/// A node of a level whose children may touch.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    bounds: Bounds,
}

/// The memory of a walk, to be reused.
#[derive(Clone, Debug)]
pub struct Traversal {
    front: Vec<Open>,
    next: Vec<Open>,
    sorted: Vec<Open>,
    capacity: usize,
    /// What earlier walks found out.
    memory: Option<WalkMemory>,
}

/// The shell has more points than the [`Traversal`] was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a shell of {points} points; the traversal holds {capacity}")]
pub struct TooManyPoints {
    /// Points of the shell.
    pub points: usize,
    /// Points that the traversal was made for.
    pub capacity: usize,
}

impl Traversal {
    /// For shells of up to so many points.
    pub fn with_capacity(points: usize) -> Self {
        Traversal {
            front: Vec::with_capacity(points),
            next: Vec::with_capacity(points),
            sorted: Vec::with_capacity(points),
            capacity: points,
            memory: None,
        }
    }

    /// For walks of one shell through one field at poses near each other: what a walk finds out saves samples in later ones.
    pub fn remembering(shell: &PointShell) -> Self {
        Traversal { memory: Some(WalkMemory::new(shell)), ..Traversal::with_capacity(shell.points().len()) }
    }

    /// Forgets earlier walks.
    pub fn forget(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.forget();
        }
    }

    /// Reports every point of the shell where the field is below the margin, once, coarse levels first.
    /// `field_from_shell` takes points from the shell's frame to the field's. Allocates nothing.
    ///
    /// # Errors
    /// [`TooManyPoints`] where the shell is larger than this was made for.
    pub fn touching(
        &mut self,
        shell: &PointShell,
        field: &DistanceField,
        field_from_shell: &Pose,
        query: Query,
        mut visit: impl FnMut(Hit),
    ) -> Result<Walk, TooManyPoints> {
        let mut left = u64::MAX;
        self.touching_within(shell, field, field_from_shell, query, &mut left, 0, |hits| {
            hits.iter().for_each(|hit| visit(*hit));
            0
        })
    }

    /// The same within a limit of work: every sample takes one unit of `left`, and reported points what `visit` answers, at most `most` for each of them. They
    /// are reported in the same order, as many together as were looked at together, at most 64. At the end, `left` is what was not used.
    ///
    /// # Errors
    /// [`TooManyPoints`] where the shell is larger than this was made for.
    #[expect(clippy::too_many_arguments, reason = "a walk and its limit")]
    pub fn touching_within(
        &mut self,
        shell: &PointShell,
        field: &DistanceField,
        field_from_shell: &Pose,
        query: Query,
        left: &mut u64,
        most: u64,
        mut visit: impl FnMut(&[Hit]) -> u64,
    ) -> Result<Walk, TooManyPoints> {
        let points = shell.points();
        if points.len() > self.capacity {
            return Err(TooManyPoints { points: points.len(), capacity: self.capacity });
        }
        let place = Placement::new(field_from_shell);
        let Traversal { front, next, sorted, memory, .. } = self;
        next.clear();
        let ground = Ground {
            nodes: shell.nodes(),
            shell,
            field,
            place,
            part: *field.part(),
            margin: query.margin,
            far: query.margin + 2.0 * field.slack(),
            slack: field.slack(),
            steepest: field.steepest(),
        };
        let walk = Walk::default();
        let progress = Progress { ground: &ground, next, due: 0, least: f64::INFINITY, walk, left };
        // What a sample takes at most.
        let dear = most.saturating_add(1);
        let Some(memory) = memory else {
            return Ok(progress.through(&mut Plain { ground: &ground, visit }, [front, sorted], query, dear));
        };
        if let Some(walk) = memory.again(&place, query.margin, progress.left, most, &mut visit) {
            return Ok(walk);
        }
        memory.begin();
        let walk = progress.through(&mut Remembering { ground: &ground, memory, visit }, [front, sorted], query, dear);
        memory.end(place, query.margin, walk);
        Ok(walk)
    }
}

/// The most that points take that are known (units).
fn known(points: usize) -> u64 {
    (points as u64).div_ceil(REMEMBERED)
}

/// How points are looked at.
trait Look {
    /// Looks at nodes of the first level.
    fn roots(&mut self, roots: Range<u32>, progress: &mut Progress);

    /// Looks at the children of nodes of a level.
    fn refine(&mut self, parents: &[Open], progress: &mut Progress);
}

/// A walk under way: the nodes of a level that must be refined, and what is known of all others.
struct Progress<'a> {
    ground: &'a Ground<'a>,
    next: &'a mut Vec<Open>,
    /// Points that the next level adds.
    due: usize,
    /// Least F over the points known, and least bound of F over the subtrees skipped.
    least: f64,
    walk: Walk,
    left: &'a mut u64,
}

impl Progress<'_> {
    /// Walks level by level; `dear` is what a sample takes at most.
    fn through(mut self, look: &mut impl Look, [front, sorted]: [&mut Vec<Open>; 2], query: Query, dear: u64) -> Walk {
        let Ground { shell, part, slack, .. } = self.ground;
        let levels = shell.levels();
        let roots = levels.first().map_or(0, |&n| n);
        // Of more roots than can be paid for, every so many-th: a shell without coarser levels is thinned evenly.
        let stride = u64::from(roots).div_ceil((*self.left / dear).max(1)).max(1);
        if stride > 1 {
            (0..roots).step_by(stride as usize).for_each(|i| look.roots(i..i + 1, &mut self));
            // Nothing is known of the other roots, but no point is deeper in a part than the part is long.
            return self.stopped(-(part.max - part.min).norm());
        }
        look.roots(0..roots, &mut self);
        self.walk.levels = usize::from(roots > 0);
        while self.walk.levels < levels.len() && !self.next.is_empty() {
            if self.walk.samples.saturating_add(self.due) > query.max_samples {
                return self.stopped(f64::INFINITY);
            }
            let enough = (self.due as u64).saturating_mul(dear).saturating_add(known(self.next.len())) <= *self.left;
            std::mem::swap(front, self.next);
            self.next.clear();
            self.due = 0;
            if enough {
                look.refine(front, &mut self);
            } else if let Some(below) = self.refine_some(look, front, sorted, dear) {
                return self.stopped(below);
            }
            self.walk.levels += 1;
        }
        Walk { levels: levels.len(), clearance: self.least - slack, ..self.walk }
    }

    /// Refines as many nodes of a level as can be paid for, those first whose points are nearest. The least bound of F below the others, if there are any.
    fn refine_some(&mut self, look: &mut impl Look, front: &[Open], sorted: &mut Vec<Open>, dear: u64) -> Option<f64> {
        let Ground { nodes, margin, .. } = *self.ground;
        // They are gone through twice: to sort them, and to refine them.
        if known(2 * front.len()) > *self.left {
            let below = front.iter().map(|open| open.bounds.distance - nodes[open.node as usize].reach());
            return Some(below.fold(f64::INFINITY, f64::min));
        }
        sorted.clear();
        let nearness = |open: &Open| {
            let (away, radius) = (open.bounds.distance - margin, nodes[open.node as usize].reach());
            NEAREST.iter().position(|share| away <= share * radius).unwrap_or(NEAREST.len())
        };
        for turn in 0..=NEAREST.len() {
            sorted.extend(front.iter().filter(|open| nearness(open) == turn));
        }
        self.remember(front.len());
        let (mut rest, mut below) = (&sorted[..], f64::INFINITY);
        while let Some(first) = rest.first() {
            // As many together as can be paid for in the worst case.
            let (mut count, mut worst) = (0, 0);
            for parent in rest {
                worst += u64::from(nodes[parent.node as usize].children - 1).saturating_mul(dear);
                if worst.saturating_add(known(count + 1)) > *self.left {
                    break;
                }
                count += 1;
            }
            if count == 0 {
                below = below.min(first.bounds.distance - nodes[first.node as usize].reach());
            }
            let (now, later) = rest.split_at(count.max(1));
            look.refine(&now[..count], self);
            rest = later;
        }
        (below < f64::INFINITY).then_some(below)
    }

    /// The walk, ended by its budget: points that were not looked at are further away than `bound`.
    fn stopped(self, bound: f64) -> Walk {
        let Ground { nodes, slack, .. } = self.ground;
        let below = self.next.iter().map(|open| open.bounds.distance - nodes[open.node as usize].reach());
        Walk { clearance: below.fold(self.least.min(bound), f64::min) - slack, stopped: true, ..self.walk }
    }

    /// Keeps a node for the next level unless its subtree is ruled out or nothing new is below it.
    #[inline(always)]
    fn keep(&mut self, i: u32, bounds: Bounds) {
        let Ground { nodes, far, margin, steepest, .. } = *self.ground;
        let node = &nodes[i as usize];
        let by_value = bounds.value - steepest * node.reach();
        // By (1), or by the second of (3) in `memory`.
        let ruled_out = bounds.distance > node.reach() + far || by_value >= margin;
        if node.children > 0 && !ruled_out {
            self.note(bounds.distance);
            self.due += node.children as usize - 1;
            self.next.push(Open { node: i, bounds });
        } else {
            self.note((bounds.distance - node.reach()).max(by_value));
        }
    }

    /// Whether the points that are looked at are those that only the finest level has.
    #[inline(always)]
    fn finest(&self) -> bool {
        self.walk.levels + 1 >= self.ground.shell.levels().len()
    }

    /// Takes a bound of F at a point into account.
    #[inline(always)]
    fn note(&mut self, bound: f64) {
        if bound < self.least {
            self.least = bound;
        }
    }

    /// Takes points into account that are known.
    #[inline(always)]
    fn remember(&mut self, points: usize) {
        let before = self.walk.remembered as u64 / REMEMBERED;
        self.walk.remembered += points;
        self.pay(self.walk.remembered as u64 / REMEMBERED - before);
    }

    /// Takes work into account.
    #[inline(always)]
    fn pay(&mut self, units: u64) {
        *self.left = self.left.saturating_sub(units);
    }
}
