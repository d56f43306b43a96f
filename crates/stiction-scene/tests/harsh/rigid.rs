//! How far the rigid meshes themselves can be turned in their seat: by exact mesh distance, without the engine.
//!
//! The issue's bound of the tilt is 2 (play + allowance + 25 µm)/ℓ. That is the tilt of a straight peg in a straight hole of the length ℓ whose contacts give way by the allowance and 25 µm. Real
//! parts have chamfers, rounded rims and collars, which shorten ℓ; and a peg of the diameter d that is tilted by θ is narrower by d θ²/2. So the meshes may
//! admit more than the bound, and then no engine with rigid parts can keep it. Whether they do is decided here, with the same two shares: the meshes admit a rotation if the part can be
//! put somewhere with it, so that no point is deeper in the other part than what is allowed for faceting at that very place, the rounding of coordinates, and 25 µm.
//!
//! For a rotation, the place is searched for which the largest depth is least. Distances are linear in small translations, so that a step is a linear program in R⁴ (for Clarabel):
//!
//! ```text
//! minimise s  over  (Δ, s):   d_i - n_i·Δ ≤ s,   |Δ| ≤ r along every axis                         (1)
//! ```
//!
//! with d_i the depth of a point, n_i its way out and r the radius of trust, which is halved where depths do not become less. Whatever is found is a proof, because it is a place that the meshes admit; a place that is
//! missed only makes the answer smaller. The rotation grows from the seat in small steps, each of which starts where the last one ended, so that the meshes can get there.
//!
//! Along the axis the part may move by its half breadth times the angle across the axis, as when it stands on the rim of its seat, and not further: a part
//! that leaves its seat can be turned as far as one likes, and that is no answer.

//!
//! **Rest.** Without friction, the rim of a hole pushes a tilted peg along its own normal, and so drives it out, until the hand's spring holds it: then less of it is engaged, and it may tilt
//! further. Where that ends is a matter of statics ([`unbalanced`]): the part is where rigid meshes would be if no point is deeper than above, and forces N_i ≥ 0 along the
//! normals of the meshes, at points that touch to within the same shares, balance the hand's wrench w:
//!
//! ```text
//! minimise s  over  (N, s):   |w + Σ N_i (n_i, r_i × n_i)| ≤ s  in every component,  N_i ≥ 0          (2)
//! ```

use crate::exact::Overlap;
use crate::fit::Fit;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp, join, log};

/// What the issue gives to elastic contacts (m).
pub const ELASTIC: f64 = 25e-6;
/// First and last radius of trust (m).
const TRUST: [f64; 2] = [1e-4, 1e-6];
/// Points within this distance of the other part are looked at, until the part has moved too far for that (m).
const RANGE: f64 = 1e-3;
/// Depths from this many radii of trust below the largest one are in (1).
const BELOW: f64 = 4.0;
/// Most steps of a search.
const STEPS: usize = 60;
/// Largest turn from one search to the next (rad): a fifth of a facet's angle where there are 25 around.
const TURN: f64 = 0.05;
/// Fewest turns to an angle.
const LEAST_TURNS: usize = 8;
/// Halvings of the last turn, after one that the meshes do not admit.
const HALVINGS: usize = 3;
/// Searches go beyond the asked-for angle by this factor, to tell how far the meshes go.
const BEYOND: f64 = 1.1;

/// A rotation from the seat: about the fit's axis, and then across it.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    /// About the axis (rad).
    pub about: f64,
    /// A rotation vector across the axis, whose length is the angle by which the axis is tilted (rad).
    pub tilt: Vec3,
}

impl Turned {
    /// The rotation of a pose of the part.
    pub fn of(fit: &Fit, part: &Pose) -> Turned {
        let (rotation, axis) = (part.rotation * fit.source.seated.rotation.inverse(), fit.source.axis);
        let q = rotation.quaternion();
        let half = q.imag().dot(&axis).atan2(q.w);
        // Between half a turn to either side.
        let about = 2.0 * (half - std::f64::consts::PI * (half / std::f64::consts::PI).round());
        Turned { about, tilt: log(&(rotation * exp(&(axis * -about)))) }
    }

    fn rotation(&self, fit: &Fit) -> Rotation {
        exp(&self.tilt) * exp(&(fit.source.axis * self.about))
    }
}

/// How far the meshes go.
#[derive(Clone, Copy, Debug)]
pub struct Admitted {
    /// The largest angle that they admit (rad), at most 1.1 of what was asked for.
    pub angle: f64,
    /// Depth beyond the allowance at that angle (m).
    pub depth: f64,
    /// The most of that on the way there (m).
    pub deepest: f64,
}

/// How far the meshes can be turned from the seat about their axis.
pub fn admits_turn(fit: &Fit, turned: &Turned) -> Admitted {
    grow(fit, &mut [Vec3::zeros(); 2], BEYOND * turned.about.abs(), |angle| Turned {
        about: angle * turned.about.signum(),
        tilt: Vec3::zeros(),
    })
}

/// How far the meshes can be tilted, after they have been turned about their axis.
pub fn admits_tilt(fit: &Fit, turned: &Turned) -> Admitted {
    let Some(across) = turned.tilt.try_normalize(0.0) else { return NOTHING };
    let mut places = [Vec3::zeros(); 2];
    let turn = |angle: f64| Turned { about: angle * turned.about.signum(), tilt: Vec3::zeros() };
    let about = grow(fit, &mut places, turned.about.abs(), turn);
    if about.angle < turned.about.abs() * (1.0 - 1e-6) {
        return NOTHING;
    }
    let tilted = |angle: f64| Turned { about: turned.about, tilt: across * angle };
    let tilt = grow(fit, &mut [places[0]; 2], BEYOND * turned.tilt.norm(), tilted);
    Admitted { deepest: tilt.deepest.max(about.deepest), ..tilt }
}

const NOTHING: Admitted = Admitted { angle: 0.0, depth: f64::NEG_INFINITY, deepest: f64::NEG_INFINITY };

/// The largest angle up to `whole` that the meshes admit, on the way through all smaller ones. `places` are the last place that they admitted and
/// the one before.
fn grow(fit: &Fit, places: &mut [Vec3; 2], whole: f64, turned: impl Fn(f64) -> Turned) -> Admitted {
    let mut found = NOTHING;
    let mut step = whole / (whole / TURN).ceil().max(LEAST_TURNS as f64);
    let (mut halvings, mut last) = (0, step);
    while found.angle < whole * (1.0 - 1e-9) {
        let angle = (found.angle + step).min(whole);
        // Where the way goes on as before.
        let start = places[0] + (places[0] - places[1]) * (step / last);
        let (place, depth) = least_depth(fit, &turned(angle), start);
        if depth <= ELASTIC {
            *places = [place, places[0]];
            (found, last) = (Admitted { angle, depth, deepest: found.deepest.max(depth) }, step);
        } else if halvings < HALVINGS {
            (step, halvings) = (0.5 * step, halvings + 1);
        } else {
            break;
        }
    }
    found
}

/// What is left of a wrench on the held part (about its centre) at best, as a share of it, when contacts without friction bear it: (2), with torques over `length` (m). Points are in the world.
fn left_over(contacts: &[Overlap], centre: &Vec3, wrench: &Vec6, length: f64) -> Option<f64> {
    let scaled = |w: &Vec6| std::array::from_fn::<f64, 6, _>(|i| if i < 3 { w[i] } else { w[i] / length });
    let wanted = scaled(wrench);
    let unit = wanted.iter().fold(0.0f64, |most, x| most.max(x.abs())).max(f64::MIN_POSITIVE);
    let (count, rows) = (contacts.len() + 1, 12 + contacts.len());
    let (mut start, mut row_of, mut value_of) = (vec![0], Vec::new(), Vec::new());
    for k in 0..count {
        let column = match contacts.get(k) {
            Some(c) => scaled(&join(c.way_out, (c.at - centre).cross(&c.way_out))),
            None => [0.0; 6],
        };
        // The last unknown is s.
        for (half, sign) in [(0, 1.0), (6, -1.0)] {
            for (i, value) in column.iter().enumerate() {
                row_of.push(half + i);
                value_of.push(if k + 1 == count { -1.0 } else { sign * value });
            }
        }
        if k + 1 < count {
            row_of.push(12 + k);
            value_of.push(-1.0);
        }
        start.push(row_of.len());
    }
    let mut b = vec![0.0; rows];
    (0..6).for_each(|i| (b[i], b[6 + i]) = (-wanted[i] / unit, wanted[i] / unit));
    let mut q = vec![0.0; count];
    q[count - 1] = 1.0;
    let a = CscMatrix::new(rows, count, start, row_of, value_of);
    let settings = DefaultSettings { verbose: false, max_threads: 1, ..DefaultSettings::default() };
    let cones = [SupportedConeT::NonnegativeConeT(rows)];
    let mut solver = DefaultSolver::new(&CscMatrix::zeros((count, count)), &q, &a, &b, &cones, settings).ok()?;
    solver.solve();
    let solved = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    solved.then(|| solver.solution.x[count - 1].max(0.0))
}

/// The share of a wrench on the part, about its centre, that rigid meshes without friction leave unbalanced with the part at that pose, and how deep the meshes are in each other there beyond what is allowed (m).
pub fn unbalanced(fit: &Fit, part: &Pose, wrench: &Vec6) -> Option<(f64, f64)> {
    let least = fit.rounding() - ELASTIC;
    let points = fit.gauge.near(part, ELASTIC).overlaps(part, least);
    let depth = points.iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max) - fit.rounding();
    left_over(&points, &fit.centre_at(part), wrench, fit.radius).map(|share| (share, depth))
}

/// The part turned about the middle of what is engaged, and that middle moved.
fn pose(fit: &Fit, turn: &Turned, by: Vec3) -> Pose {
    let about = nalgebra::Translation3::from(fit.middle);
    let turned = Pose::from_parts((fit.middle + by).into(), turn.rotation(fit));
    turned * about.inverse() * fit.source.seated
}

/// The place from which depth, beyond what is allowed, does not become less, and the depth there. Ends as soon as that is little enough.
fn least_depth(fit: &Fit, turn: &Turned, start: Vec3) -> (Vec3, f64) {
    let rounding = fit.rounding();
    let axis = fit.source.axis;
    let along = fit.breadth * turn.tilt.norm();
    let deepest = |points: &[Overlap]| points.iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max);
    let (mut trust, mut place, mut centre) = (TRUST[0], start, start);
    let mut near = fit.gauge.near(&pose(fit, turn, place), RANGE);
    let mut points = near.overlaps(&pose(fit, turn, place), -BELOW * trust);
    let mut depth = deepest(&points);
    for _ in 0..STEPS {
        if depth - rounding <= ELASTIC || trust < TRUST[1] {
            break;
        }
        let limits = [along - place.dot(&axis), along + place.dot(&axis)].map(|limit| limit.max(0.0));
        let Some(step) = descent(&points, depth, trust, &axis, limits) else { break };
        let next = place + step;
        if (next - centre).norm() > RANGE - BELOW * trust {
            (near, centre) = (fit.gauge.near(&pose(fit, turn, next), RANGE), next);
        }
        let at_next = near.overlaps(&pose(fit, turn, next), -BELOW * trust);
        let deep = deepest(&at_next);
        if deep < depth {
            (place, points, depth) = (next, at_next, deep);
        } else {
            trust *= 0.5;
        }
    }
    (place, depth - rounding)
}

/// The step of (1), with limits along the axis and against it. In units of the radius of trust.
fn descent(points: &[Overlap], depth: f64, trust: f64, axis: &Vec3, limits: [f64; 2]) -> Option<Vec3> {
    let near: Vec<&Overlap> = points.iter().filter(|p| p.depth > depth - BELOW * trust).collect();
    let mut rows: Vec<([f64; 4], f64)> =
        near.iter().map(|p| ([-p.way_out.x, -p.way_out.y, -p.way_out.z, -1.0], (depth - p.depth) / trust)).collect();
    for i in 0..3 {
        for sign in [1.0, -1.0] {
            let mut row = [0.0; 4];
            row[i] = sign;
            rows.push((row, 1.0));
        }
    }
    for (sign, limit) in [(1.0, limits[0]), (-1.0, limits[1])] {
        rows.push(([sign * axis.x, sign * axis.y, sign * axis.z, 0.0], limit / trust));
    }
    let count = rows.len();
    let entries = |k: usize| rows.iter().enumerate().map(move |(i, row)| (i, row.0[k])).filter(|(_, x)| *x != 0.0);
    let columns: Vec<Vec<(usize, f64)>> = (0..4).map(|k| entries(k).collect()).collect();
    let mut start = vec![0];
    columns.iter().for_each(|c| start.push(start[start.len() - 1] + c.len()));
    let (row_of, value_of) = columns.into_iter().flatten().unzip();
    let a = CscMatrix::new(count, 4, start, row_of, value_of);
    let b: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let settings = DefaultSettings { verbose: false, max_threads: 1, ..DefaultSettings::default() };
    let cones = [SupportedConeT::NonnegativeConeT(count)];
    let mut solver =
        DefaultSolver::new(&CscMatrix::zeros((4, 4)), &[0.0, 0.0, 0.0, 1.0], &a, &b, &cones, settings).ok()?;
    solver.solve();
    let x = &solver.solution.x;
    let solved = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    (solved && x[3] < -1e-6).then(|| Vec3::new(x[0], x[1], x[2]) * trust)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A peg that is tilted by 0.1 rad and touches a rim with its side and the wall with its end: without friction, it rests only with a force that holds it in.
    #[test]
    fn a_tilted_peg_without_friction_rests_only_where_something_holds_it_in() {
        let tilt = 0.1f64;
        let contact = |at: Vec3, way_out: Vec3| Overlap { depth: 0.0, at, way_out };
        let contacts = [
            contact(Vec3::new(8e-3, 0.0, 8e-3), Vec3::new(-tilt.cos(), 0.0, tilt.sin())),
            contact(Vec3::new(-8e-3, 0.0, 0.0), Vec3::x()),
        ];
        let wrench = contacts.map(|c| join(c.way_out, c.at.cross(&c.way_out)));
        // Both rims with 40 N across: what holds it in is 40 tan 0.1 = 4 N.
        let (held, rest) = (-(wrench[0] / tilt.cos() + wrench[1]) * 40.0, Vec3::zeros());
        assert!((held[2] + 40.0 * tilt.tan()).abs() < 1e-9);
        assert!(left_over(&contacts, &rest, &held, 8e-3).unwrap() < 1e-6);
        let mut alone = held;
        alone[2] = 0.0;
        assert!(left_over(&contacts, &rest, &alone, 8e-3).unwrap() > 0.02);
        assert!(left_over(&contacts, &rest, &-held, 8e-3).unwrap() > 0.5);
    }
}
