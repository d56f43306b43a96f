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
//! **Memory.** A [`Traversal::remembering`] keeps of every point where it was when it was last looked up, and F there. With Δ how far it is from there now,
//!
//! ```text
//! d(p) ≥ F - σ - Δ,      F(p) ≥ min(F, r) - L Δ                                           (3)
//! ```
//!
//! r is the field's reach, below which F is interpolated, with a slope of at most L ([`steepest`](DistanceField::steepest)); a way that leaves that region comes back
//! into it at r. The first of (3) takes the place of F in (1); by the second, a subtree is skipped where min(F, r) - L (Δ + R) ≥ m, too. A point is looked up in the field
//! only where (3) does not show that it is beyond the margin, or where a new look could skip its subtree. So the same points are reported, from fewer samples while the
//! part moves little: a nut that is turned slowly on its bolt takes a quarter of them, one that is turned fast about half. A point that is where it was, to the bit, is not
//! looked up at all, and a walk at the pose of the last one with no larger margin only goes through its hits.
//!
//! **Work.** A walk can be given a limit of work, of which a sample takes one unit and a point that is reported takes what the caller says
//! ([`Traversal::touching_within`]). Where what is left may not be enough for a whole level, the children of those nodes come first whose own
//! points are nearest to the surface, by their distance in radii of their subtrees; a node whose children cannot be paid for is represented by its own point and its
//! ancestors, which have been reported where they are within the margin.

use crate::shape::{DistanceField, PointShell, Sample, ShellNode};
pub use crate::spatial::Pose;
use crate::spatial::Vec3;

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
    /// Points that were known well enough from earlier walks.
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
pub(crate) const REMEMBERED: u64 = 3;

/// A remembered node is looked at again, to skip its subtree, once it has moved by this share of its radius.
const STALE: f64 = 0.125;

/// What is known of the field at a point.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The true distance is more than this less σ.
    distance: f64,
    /// The field is at least this.
    value: f64,
}

/// What an earlier walk found out about a point, and where it was then.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// In the shell's frame.
    point: Vec3,
    /// In the field's frame, then.
    position: Vec3,
    bounds: Bounds,
    /// The field's gradient there; not finite where the field was not looked up.
    gradient: Vec3,
}

const UNKNOWN: Known = Known {
    point: Vec3::new(0.0, 0.0, 0.0),
    position: Vec3::new(f64::INFINITY, 0.0, 0.0),
    bounds: Bounds { distance: f64::NEG_INFINITY, value: f64::NEG_INFINITY },
    gradient: Vec3::new(f64::INFINITY, 0.0, 0.0),
};

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
    capacity: usize,
    /// Of the points of all nodes, in their order, so that children lie side by side; empty where nothing is remembered.
    known: Vec<Known>,
    last: Option<LastWalk>,
    hits: Vec<Hit>,
}

/// The last walk that was not stopped, whose hits are kept.
#[derive(Clone, Copy, Debug)]
struct LastWalk {
    place: Placement,
    margin: f64,
    walk: Walk,
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
            capacity: points,
            known: Vec::new(),
            last: None,
            hits: Vec::new(),
        }
    }

    /// For walks of one shell through one field at poses near each other: what a walk finds out saves samples in later ones.
    pub fn remembering(shell: &PointShell) -> Self {
        let points = shell.points();
        let known = |node: &ShellNode| Known { point: points[node.point as usize].position, ..UNKNOWN };
        Traversal {
            known: shell.nodes().iter().map(known).collect(),
            hits: Vec::with_capacity(points.len()),
            ..Traversal::with_capacity(points.len())
        }
    }

    /// Forgets earlier walks.
    pub fn forget(&mut self) {
        self.known.iter_mut().for_each(|known| *known = Known { point: known.point, ..UNKNOWN });
        self.last = None;
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
        self.touching_within(shell, field, field_from_shell, query, &mut left, 0, |hit| {
            visit(hit);
            0
        })
    }

    /// The same within a limit of work: every sample takes one unit of `left`, and every reported point what `visit` answers, at most `most`. At the
    /// end, `left` is what was not used.
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
        mut visit: impl FnMut(Hit) -> u64,
    ) -> Result<Walk, TooManyPoints> {
        let points = shell.points();
        if points.len() > self.capacity {
            return Err(TooManyPoints { points: points.len(), capacity: self.capacity });
        }
        let place = Placement::new(field_from_shell);
        let (slack, reach, steepest) = (field.slack(), field.reach(), field.steepest());
        let far = query.margin + 2.0 * slack;
        let mut walk = Walk::default();
        let nodes = shell.nodes();
        let part = *field.part();
        let Traversal { front, next, known, last, hits, .. } = self;
        let affordable = (hits.len() as u64).saturating_mul(most.saturating_add(1)) <= *left;
        if let Some(last) = last.filter(|last| affordable && last.place == place && query.margin <= last.margin) {
            let mut walk = Walk { samples: 0, remembered: hits.len(), nodes: hits.len(), hits: 0, ..last.walk };
            *left = left.saturating_sub((hits.len() as u64).div_ceil(REMEMBERED));
            for hit in hits.iter().filter(|hit| hit.sample.distance < query.margin) {
                walk.hits += 1;
                *left = left.saturating_sub(visit(*hit));
            }
            return Ok(walk);
        }
        *last = None;
        hits.clear();
        let remembers = !known.is_empty();
        let mut visit = |hit: Hit| {
            if remembers {
                hits.push(hit);
            }
            visit(hit)
        };
        let mut look = |i: u32, left: &mut u64, walk: &mut Walk| {
            let node = &nodes[i as usize];
            let point = node.point;
            walk.nodes += 1;
            let of_node = known.get(i as usize);
            let position = place.apply(of_node.map_or(&points[point as usize].position, |known| &known.point));
            if let Some(known) = of_node {
                let moved = (position - known.position).norm() * (1.0 + 1e-12);
                // (3).
                let now =
                    Bounds { distance: known.bounds.distance - moved, value: known.bounds.value - steepest * moved };
                let fresh = moved < STALE * node.reach();
                if now.value >= query.margin && (fresh || skips(node, &now, far, query.margin, steepest)) {
                    walk.remembered += 1;
                    *left = left.saturating_sub(u64::from((walk.remembered as u64).is_multiple_of(REMEMBERED)));
                    return now;
                }
                if position == known.position && known.gradient.x.is_finite() {
                    // Where it was, to the bit: a part at rest, or the place that the last walk looked ahead to.
                    walk.remembered += 1;
                    *left = left.saturating_sub(u64::from((walk.remembered as u64).is_multiple_of(REMEMBERED)));
                    if known.bounds.distance < query.margin {
                        walk.hits += 1;
                        let sample = Sample { distance: known.bounds.distance, gradient: known.gradient };
                        *left = left.saturating_sub(visit(Hit { point, sample, position }));
                    }
                    return known.bounds;
                }
            }
            *left = left.saturating_sub(1);
            walk.samples += 1;
            // (2): most points are far away, and a far point need not be looked up in memory.
            let outside = (part.min - position).sup(&(position - part.max)).sup(&Vec3::zeros()).norm();
            let mut gradient = UNKNOWN.gradient;
            let found = if outside > node.reach() + far {
                Bounds { distance: outside + slack, value: (outside - slack).min(reach) }
            } else {
                let sample = field.sample(position);
                gradient = sample.gradient;
                if sample.distance < query.margin {
                    walk.hits += 1;
                    *left = left.saturating_sub(visit(Hit { point, sample, position }));
                }
                Bounds { distance: sample.distance, value: sample.distance.min(reach) }
            };
            match known.get_mut(i as usize) {
                Some(known) => {
                    *known = Known { point: known.point, position, bounds: found, gradient };
                    found
                }
                None => Bounds { value: f64::NEG_INFINITY, ..found },
            }
        };
        // What a sample takes at most.
        let dear = most.saturating_add(1);
        next.clear();
        let mut level = Level { next, due: 0, least: f64::INFINITY, nodes, far, margin: query.margin, steepest };
        let roots = shell.levels().first().map_or(0, |&n| n);
        // Of more roots than can be paid for, every so many-th: a shell without coarser levels is thinned evenly.
        let stride = u64::from(roots).div_ceil((*left / dear).max(1)).max(1);
        for i in (0..roots).step_by(stride as usize) {
            let bounds = look(i, left, &mut walk);
            level.keep(i, bounds);
        }
        if stride > 1 {
            // Nothing is known of the other roots, but no point is deeper in a part than the part is long.
            walk.clearance = level.least.min(-(part.max - part.min).norm()) - slack;
            walk.stopped = true;
            return Ok(walk);
        }
        walk.levels = usize::from(roots > 0);
        while walk.levels < shell.levels().len() && !level.next.is_empty() {
            if walk.samples.saturating_add(level.due) > query.max_samples {
                walk.clearance = level.below().min(level.least) - slack;
                walk.stopped = true;
                return Ok(walk);
            }
            let enough = (level.due as u64).saturating_mul(dear) <= *left;
            std::mem::swap(front, level.next);
            level.next.clear();
            level.due = 0;
            let mut refine = |parent: &Open, left: &mut u64, level: &mut Level| {
                let node = &nodes[parent.node as usize];
                let (first, end) = (node.first_child, node.first_child + node.children);
                walk.nodes += 1;
                level.keep(first, parent.bounds);
                for i in first + 1..end {
                    let bounds = look(i, left, &mut walk);
                    level.keep(i, bounds);
                }
            };
            if enough {
                front.iter().for_each(|parent| refine(parent, left, &mut level));
            } else {
                let mut below = f64::INFINITY;
                for turn in 0..=NEAREST.len() {
                    for parent in front.iter() {
                        let (node, known) = (&nodes[parent.node as usize], parent.bounds.distance);
                        let away = (known - query.margin) / node.reach().max(f64::MIN_POSITIVE);
                        if NEAREST.iter().position(|share| away <= *share).unwrap_or(NEAREST.len()) != turn {
                            continue;
                        }
                        if u64::from(node.children - 1).saturating_mul(dear) <= *left {
                            refine(parent, left, &mut level);
                        } else {
                            below = below.min(known - node.reach());
                        }
                    }
                }
                if below < f64::INFINITY {
                    walk.clearance = below.min(level.below()).min(level.least) - slack;
                    walk.stopped = true;
                    return Ok(walk);
                }
            }
            walk.levels += 1;
        }
        walk.levels = shell.levels().len();
        walk.clearance = level.least - slack;
        if remembers {
            *last = Some(LastWalk { place, margin: query.margin, walk });
        }
        Ok(walk)
    }
}

/// Whether (1), or the second of (4), rules the subtree of a node out.
#[inline(always)]
fn skips(node: &ShellNode, known: &Bounds, far: f64, margin: f64, steepest: f64) -> bool {
    known.distance > node.reach() + far || known.value - steepest * node.reach() >= margin
}

/// The nodes of a level that must be refined, and what is known of all others.
struct Level<'a> {
    next: &'a mut Vec<Open>,
    /// Points that the next level adds.
    due: usize,
    /// Least F over the points known, and least bound of F over the subtrees skipped.
    least: f64,
    nodes: &'a [ShellNode],
    far: f64,
    margin: f64,
    steepest: f64,
}

impl Level<'_> {
    /// Keeps a node for the next level unless its subtree is ruled out or nothing new is below it.
    #[inline(always)]
    fn keep(&mut self, i: u32, bounds: Bounds) {
        let node = &self.nodes[i as usize];
        if node.children > 0 && !skips(node, &bounds, self.far, self.margin, self.steepest) {
            self.least = self.least.min(bounds.distance);
            self.due += node.children as usize - 1;
            self.next.push(Open { node: i, bounds });
        } else {
            let by_value = bounds.value - self.steepest * node.reach();
            self.least = self.least.min((bounds.distance - node.reach()).max(by_value));
        }
    }

    /// Least bound of F over the subtrees that are kept.
    fn below(&self) -> f64 {
        let below = self.next.iter().map(|open| open.bounds.distance - self.nodes[open.node as usize].reach());
        below.fold(f64::INFINITY, f64::min)
    }
}

/// A pose as a matrix, with a fixed order of operations.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placement {
    rows: [[f64; 3]; 3],
    shift: Vec3,
}

impl Placement {
    fn new(pose: &Pose) -> Self {
        let m = pose.rotation.to_rotation_matrix();
        let m = m.matrix();
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| m[(i, j)]));
        Placement { rows, shift: pose.translation.vector }
    }

    #[inline(always)]
    fn apply(&self, p: &Vec3) -> Vec3 {
        let row = |i: usize| {
            let [a, b, c] = self.rows[i];
            a * p.x + b * p.y + c * p.z + self.shift[i]
        };
        Vec3::new(row(0), row(1), row(2))
    }
}
