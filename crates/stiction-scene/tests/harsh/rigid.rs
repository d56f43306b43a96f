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

use crate::exact::Overlap;
use crate::fit::Fit;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use stiction::spatial::{Pose, Rotation, Vec3, exp, log};

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
