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
//! **Work.** A walk can be given a limit of work, of which a sample takes one unit and a point that is reported takes what the caller says
//! ([`Traversal::touching_within`]). Where what is left may not be enough for a whole level, the children of those nodes come first whose own
//! points are nearest to the surface, by their distance in radii of their subtrees; a node whose children cannot be paid for is represented by its own point and its
//! ancestors, which have been reported where they are within the margin.

use crate::shape::{DistanceField, PointShell, Sample};
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// No point of the shell, reported or not, is nearer to the field's surface than this (m); negative where one is or
    /// may be inside. Infinite for an empty shell.
    pub clearance: f64,
    /// Samples of the field.
    pub samples: usize,
    /// Nodes of the shell that were looked at: samples, and points that came again on a finer level.
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

/// The memory of a walk, to be reused.
#[derive(Clone, Debug)]
pub struct Traversal {
    /// Nodes of a level whose children may touch, with the field at their points.
    front: Vec<(u32, f64)>,
    next: Vec<(u32, f64)>,
    capacity: usize,
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
        Traversal { front: Vec::with_capacity(points), next: Vec::with_capacity(points), capacity: points }
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
        let far = query.margin + 2.0 * field.slack();
        let mut walk = Walk { clearance: 0.0, samples: 0, nodes: 0, hits: 0, levels: 0, stopped: false };
        // Least of F over the points sampled, and of F - R over the subtrees skipped.
        let mut least = f64::INFINITY;
        let nodes = shell.nodes();
        let part = *field.part();
        let mut look = |node: &crate::shape::ShellNode, left: &mut u64| {
            let point = node.point;
            *left = left.saturating_sub(1);
            let position = place.apply(&points[point as usize].position);
            // (2): most points are far away, and a far point need not be looked up in memory.
            let outside = (part.min - position).sup(&(position - part.max)).sup(&Vec3::zeros()).norm();
            if outside > node.reach() + far {
                return (outside + field.slack(), false);
            }
            let sample = field.sample(position);
            let hit = sample.distance < query.margin;
            if hit {
                *left = left.saturating_sub(visit(Hit { point, sample, position }));
            }
            (sample.distance, hit)
        };
        // What a sample takes at most.
        let dear = most.saturating_add(1);
        self.next.clear();
        // Samples that the next level takes.
        let mut due = 0;
        let roots = shell.levels().first().map_or(0, |&n| n);
        // Of more roots than can be paid for, every so many-th: a shell without coarser levels is thinned evenly.
        let stride = u64::from(roots).div_ceil((*left / dear).max(1)).max(1);
        for i in (0..roots).step_by(stride as usize) {
            let (distance, hit) = look(&nodes[i as usize], left);
            walk.samples += 1;
            walk.nodes += 1;
            walk.hits += usize::from(hit);
            keep(&mut self.next, &mut due, &mut least, nodes, i, distance, far);
        }
        if stride > 1 {
            // Nothing is known of the other roots, but no point is deeper in a part than the part is long.
            walk.clearance = least.min(-(part.max - part.min).norm()) - field.slack();
            walk.stopped = true;
            return Ok(walk);
        }
        walk.levels = usize::from(roots > 0);
        while walk.levels < shell.levels().len() && !self.next.is_empty() {
            if walk.samples.saturating_add(due) > query.max_samples {
                let below = self.next.iter().map(|&(i, f)| f - nodes[i as usize].reach());
                walk.clearance = below.fold(least, f64::min) - field.slack();
                walk.stopped = true;
                return Ok(walk);
            }
            let enough = (due as u64).saturating_mul(dear) <= *left;
            std::mem::swap(&mut self.front, &mut self.next);
            self.next.clear();
            due = 0;
            let mut refine = |parent: u32, known: f64, left: &mut u64| {
                let parent = &nodes[parent as usize];
                let (first, end) = (parent.first_child, parent.first_child + parent.children);
                keep(&mut self.next, &mut due, &mut least, nodes, first, known, far);
                for i in first + 1..end {
                    let (distance, hit) = look(&nodes[i as usize], left);
                    walk.hits += usize::from(hit);
                    keep(&mut self.next, &mut due, &mut least, nodes, i, distance, far);
                }
                walk.samples += parent.children as usize - 1;
                walk.nodes += parent.children as usize;
            };
            if enough {
                self.front.iter().for_each(|&(parent, known)| refine(parent, known, left));
            } else {
                let mut below = f64::INFINITY;
                for turn in 0..=NEAREST.len() {
                    for &(parent, known) in &self.front {
                        let node = &nodes[parent as usize];
                        let away = (known - query.margin) / node.reach().max(f64::MIN_POSITIVE);
                        if NEAREST.iter().position(|share| away <= *share).unwrap_or(NEAREST.len()) != turn {
                            continue;
                        }
                        if u64::from(node.children - 1).saturating_mul(dear) <= *left {
                            refine(parent, known, left);
                        } else {
                            below = below.min(known - node.reach());
                        }
                    }
                }
                if below < f64::INFINITY {
                    let below = self.next.iter().map(|&(i, f)| f - nodes[i as usize].reach()).fold(below, f64::min);
                    walk.clearance = below.min(least) - field.slack();
                    walk.stopped = true;
                    return Ok(walk);
                }
            }
            walk.levels += 1;
        }
        walk.levels = shell.levels().len();
        walk.clearance = least - field.slack();
        Ok(walk)
    }
}

/// Keeps a node for the next level unless (1) rules its subtree out or nothing new is below it.
#[inline(always)]
fn keep(
    next: &mut Vec<(u32, f64)>,
    due: &mut usize,
    least: &mut f64,
    nodes: &[crate::shape::ShellNode],
    i: u32,
    distance: f64,
    far: f64,
) {
    let node = &nodes[i as usize];
    if node.children > 0 && !(distance > node.reach() + far) {
        *least = least.min(distance);
        *due += node.children as usize - 1;
        next.push((i, distance));
    } else {
        *least = least.min(distance - node.reach());
    }
}

/// A pose as a matrix, with a fixed order of operations.
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
