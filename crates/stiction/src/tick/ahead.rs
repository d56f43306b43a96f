//! A look at where a step of hard contacts would end, before it is taken.
//!
//! A solve knows the points within its reach, and those by their linear model. A longer step is safe if no point is inside where it ends that was left out, and right if
//! contacts are there as deep as the model said. Both shells are walked at the end of the step; the next tick begins there, so that the walk is not done twice
//! ([`Traversal::remembering`](crate::collide::Traversal::remembering)).
//!
//! ```text
//! a point that was left out, outside by g before and inside by d then:       the step ends at the share (g - reach/2)/(g + d)
//! a contact that is deeper by e than its model says, e growing with the square of the step:  at the share sqrt(bound/e)
//! ```

use super::hard::{Candidate, HardCycle, LEFT_OUT};
use super::{State, far};
use crate::collide::{BATCH, Hit, Query};
use crate::shape::{Allowance, DistanceField, PointShell, Sample};
use crate::spatial::{Pose, Vec3, Vec6, join};

/// Looks at where a step ends before it is cut to the reach.
const LOOKS: u32 = 3;
/// Depth that a point may get into by a step without another solve, as a share of the elastic depth of the largest force; and as a multiple of that, what a contact
/// may be deeper than its linear model says before the step is shortened.
pub(super) const UNSEEN: f64 = 0.1;
const BENT: f64 = 10.0;
/// The share of its depth, and of the depth that may be unseen, by which a contact may be shallower than its linear model says before the tick solves again.
const AWRY: f64 = 0.25;
const SHALLOW: f64 = 0.1;

/// How far a look ahead walks, as a multiple of the reach.
const FURTHER: f64 = 1.25;

/// The shell of one part and the field of the other, placed in the world.
pub(super) struct Meeting<'a> {
    pub shell: &'a PointShell,
    pub field: &'a DistanceField,
    /// Depth that the field's part allows for its facets; where the user gave one, that.
    faceted: Option<&'a Allowance>,
    given: Option<f64>,
    rounding: f64,
    pub world_from_shell: Pose,
    pub world_from_field: Pose,
}

impl<'a> Meeting<'a> {
    /// With the held part at `part`; the shell is one of the held part, or of the fixed one.
    pub fn new(state: &'a State, shell: &'a PointShell, of_held: bool, part: &Pose, rounding: f64) -> Self {
        let [(_, world_from_shell), (other, world_from_field)] = state.placed(of_held, part);
        Meeting {
            shell,
            field: &other.field,
            faceted: other.allowance.as_ref(),
            given: state.settings.allowance,
            rounding,
            world_from_shell,
            world_from_field,
        }
    }

    pub fn field_from_shell(&self) -> Pose {
        self.world_from_field.inv_mul(&self.world_from_shell)
    }

    /// Distance of a shell point from the other part (m) and its gradient, in the field's frame. Facets of a hollow surface stand in front of it by
    /// their allowance: that depth does not count.
    #[inline(always)]
    pub fn gap(&self, point: u32, position: &Vec3, sample: &Sample) -> Gap {
        if let Some(depth) = self.given {
            return Gap { distance: sample.distance + depth, gradient: sample.gradient };
        }
        let (allowed, rises) = match self.faceted {
            Some(lattice) => lattice.sample(*position),
            None => (0.0, Vec3::zeros()),
        };
        let allowed = allowed + self.shell.allowance(point) + self.rounding;
        Gap { distance: sample.distance + allowed, gradient: sample.gradient + rises }
    }

    /// The same for the points of a walk, one after the other with nothing else between them.
    #[inline(always)]
    pub fn gaps(&self, hits: &[Hit], gaps: &mut [Gap; BATCH]) {
        for (hit, gap) in hits.iter().zip(gaps) {
            *gap = self.gap(hit.point, &hit.position, &hit.sample);
        }
    }
}

/// Where a shell point is relative to the other part's surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Distance less what is allowed (m); negative inside.
    pub distance: f64,
    /// Its gradient, in the field's frame.
    pub gradient: Vec3,
}

impl Gap {
    pub const NONE: Gap = Gap { distance: f64::INFINITY, gradient: Vec3::new(0.0, 0.0, 0.0) };
}

/// What is found where a step would end.
pub(super) struct Ahead {
    /// The share of the step at which the first point begins to touch that was left out of the problem.
    pub share: f64,
    /// A contact is deeper or shallower than its linear model says.
    pub off: bool,
}

impl HardCycle {
    /// What is found where a step of the last solve would end.
    pub(super) fn look_ahead(&mut self, state: &State, step: &Vec6, reach: f64) -> Ahead {
        let least = (reach / far(step, state.radius)).min(1.0);
        let mut share = 1.0;
        for _ in 1..LOOKS {
            let seen = self.look_at(state, &(step * share), reach);
            if seen.share >= 1.0 {
                return Ahead { share, off: seen.off };
            }
            share = (share * seen.share).max(least);
            if share <= least {
                break;
            }
        }
        Ahead { share: least, off: false }
    }

    /// What is found where a step would end. Where there is little work left, points on coarser levels of the shells are looked at only.
    fn look_at(&mut self, state: &State, step: &Vec6, reach: f64) -> Ahead {
        let [now, then] = [state.part, state.part.moved(step)].map(|frame| frame.pose(&state.held.mass.centre));
        let HardCycle { sides, candidates, rounding, included, stamp, ration, unseen, .. } = self;
        let mut ahead = Ahead { share: 1.0, off: false };
        let predicted = |c: &Candidate| c.depth - join(c.normal, c.arm.cross(&c.normal)).dot(step);
        // Contacts that the linear model sees pushing then.
        let mut pushing = candidates.iter().filter(|c| predicted(c) > 0.0).count();
        for side in sides.iter_mut() {
            let [before, after] = [now, then].map(|part| Meeting::new(state, &side.shell, side.held, &part, *rounding));
            let field_from_shell = before.field_from_shell();
            let mut looked_back = 0;
            let mut gaps = [Gap::NONE; BATCH];
            let mut see = |hit: &Hit, gap: f64| {
                let (solve, place) = included[(side.first + hit.point) as usize];
                if solve == *stamp && place != LEFT_OUT {
                    // Where the surface bends, a contact is deeper or shallower than its linear model says, by the square of the step.
                    let model = predicted(&candidates[place as usize]);
                    pushing = pushing.saturating_sub(usize::from(model > 0.0));
                    let more = -gap - model.max(0.0);
                    ahead.off |= more > *unseen || model > 0.0 && more < -(AWRY * model).max(SHALLOW * *unseen);
                    if more > BENT * *unseen {
                        ahead.share = ahead.share.min((*unseen * BENT / more).sqrt());
                    }
                    return 0;
                }
                if !(gap < -*unseen) || solve == *stamp {
                    return 0;
                }
                let p = after.shell.points()[hit.point as usize].position;
                let position = (field_from_shell * nalgebra::Point3::from(p)).coords;
                let was = before.gap(hit.point, &position, &after.field.sample(position)).distance;
                looked_back += 1;
                if was > 0.0 {
                    ahead.share = ahead.share.min(((was - 0.5 * reach) / (was - gap)).max(0.0));
                }
                1
            };
            let visit = |hits: &[Hit]| {
                after.gaps(hits, &mut gaps);
                let near = hits.iter().zip(&gaps).filter(|(hit, _)| hit.sample.distance < reach);
                near.map(|(hit, gap)| see(hit, gap.distance)).sum()
            };
            // The next solve may reach further, and has no walk to do where this one went as far.
            let query = Query { margin: reach * FURTHER, max_samples: state.settings.max_samples };
            let (shell, pose) = (after.shell, after.field_from_shell());
            // Remembered points are rounded up.
            let mut left = ration.for_looks().saturating_sub(1);
            let walk = side.traversal.touching_within(shell, after.field, &pose, query, &mut left, 1, visit);
            let Ok(mut walk) = walk else { continue };
            walk.samples += looked_back;
            ration.walked(&walk);
        }
        ahead.off |= pushing > 0;
        ahead
    }
}
