//! The nested point shell: n well-spread points on the boundary of a solid, with a tree over them.
//!
//! Source: the nested point trees of J. Barbič and D. James, "Six-DoF haptic rendering of contact between geometrically
//! complex reduced deformable models", IEEE Trans. Haptics 1 (2008), as far as the physics notes (section 2) tell of them.
//!
//! 1. Candidates, about 14 n, are taken from the faces by area, from sharp edges and from corners, with their normals.
//! 2. The signed distance turns each outwards, drops those that are not on the solid's boundary, and moves the others to
//!    the wanted level of the distance. So the mesh may be a soup: flipped, doubled, overlapping, open.
//! 3. The greedy k-centre order of the candidates makes every prefix well spread, in a metric that keeps the two sides of
//!    a thin wall apart; the first n are the shell.
//! 4. Prefixes of about 4 times the size are the levels; exact radii bound all descendants of a node.
//!
//! Deviation: the notes spread points by repulsion and order them afterwards; here the order itself spreads them, which
//! has proven bounds on every level, keeps edges and corners exactly, and is fast.

mod candidates;
mod features;
mod levels;
mod measure;
mod order;
mod settle;
mod surface;
mod tree;

pub use measure::{PointSpacing, spacing};

use crate::diagnose::Mended;
use crate::expose::{Boundary, Exposed};
use crate::progress::Cancelled;
use crate::{Mesh, Progress};
use candidates::{Candidate, CandidateKind, Candidates};
use serde::Serialize;
use settle::CandidateJudge;
use stiction::shape::{PointShell, ShapeError, ShellPoint};
use stiction::spatial::Vec3;
use surface::MeshSurface;

/// κ: opposite normals are κ s apart in the metric of the order, s = √(area / n), however thin the wall between them.
/// Greedy covering radii are about 0.75 s: κ = 1.1 keeps the sides apart. Much more would choose points on an edge next to
/// points on its faces.
const SIDES: f64 = 1.1;

/// What shell is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellOptions {
    /// How many points, n.
    pub points: usize,
    /// How many levels; by default as many as give about four children a node.
    pub levels: Option<usize>,
    /// The distance at which the points lie, in m: zero is the surface, negative is inside.
    pub offset: f64,
    /// How far off the surface its sides are looked for, in m: about half a voxel of the field.
    pub probe: f64,
    /// From which angle between its faces an edge is sharp, in rad.
    pub sharp_angle: f64,
    /// Changes the random part of the candidates' places.
    pub seed: u64,
}

impl ShellOptions {
    /// The most points a shell may have.
    pub const MOST: usize = 1 << 22;

    /// `points` on the surface itself, edges sharp from 30° on.
    pub fn new(points: usize, probe: f64) -> Self {
        ShellOptions { points, levels: None, offset: 0.0, probe, sharp_angle: std::f64::consts::FRAC_PI_6, seed: 0 }
    }
}

/// What shell was made. Lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShellReport {
    /// Points of the shell.
    pub points: usize,
    /// Points that were asked for; there are fewer when the surface has not that many different candidates.
    pub wanted: usize,
    /// Points on each level.
    pub levels: Vec<u32>,
    /// Distance of each point to its nearest neighbour on the same side.
    pub spacing: PointSpacing,
    /// No candidate on the surface is further than this from the nearest point on its side.
    pub covering: f64,
    /// No candidate on a sharp edge or corner is further than this.
    pub edge_covering: f64,
    /// Area of the boundary in m², as far as the candidates tell.
    pub area: f64,
    /// Candidates to choose from.
    pub candidates: usize,
    /// Those of them on sharp edges, corners and small pieces.
    pub features: usize,
    /// Candidates dropped because they were inside the solid, or where the field shows no boundary.
    pub buried: usize,
    /// Candidates dropped because they were outside the solid.
    pub off: usize,
}

/// Errors from building a point shell.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShellError {
    /// An option makes no sense.
    #[error("the shell's {0}")]
    Option(&'static str),
    /// The mesh has no face with an area.
    #[error("the mesh has no face with an area, so there is nothing to put points on")]
    NoArea,
    /// No point of the mesh is on the boundary of the solid.
    #[error(
        "no point of the mesh lies on the boundary of its solid ({buried} of the samples are inside, {off} outside): \
         the sign of the field does not fit the mesh, or open sheets were not thickened"
    )]
    NoBoundary {
        /// Samples inside.
        buried: usize,
        /// Samples outside.
        off: usize,
    },
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// What was built was refused.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Builds the shell of the solid whose boundary is `mesh` and whose signed distance (negative inside) is `distance`.
///
/// The same input gives the same bits on any number of threads.
pub fn build(
    mesh: &Mesh,
    options: &ShellOptions,
    distance: &(dyn Fn(Vec3) -> f64 + Sync),
    progress: &dyn Progress,
) -> Result<(PointShell, ShellReport), ShellError> {
    run(mesh, None, options, distance, progress)
}

/// Builds the shell of a mended mesh. `exposed` is what [`exposed`](crate::expose::exposed()) says of it: so faces
/// inside overlapping solids get no points, not even within a voxel of the boundary, where the field cannot tell.
pub fn build_mended(
    mended: &Mended,
    exposed: Option<&Exposed>,
    options: &ShellOptions,
    distance: &(dyn Fn(Vec3) -> f64 + Sync),
    progress: &dyn Progress,
) -> Result<(PointShell, ShellReport), ShellError> {
    let boundary = exposed.map(|exposed| Boundary::new(mended, exposed));
    run(&mended.mesh, boundary.as_ref(), options, distance, progress)
}

fn run(
    mesh: &Mesh,
    boundary: Option<&Boundary>,
    options: &ShellOptions,
    distance: &(dyn Fn(Vec3) -> f64 + Sync),
    progress: &dyn Progress,
) -> Result<(PointShell, ShellReport), ShellError> {
    check(options)?;
    progress.stage("looking for places on the surface", 1);
    let surface = MeshSurface::new(mesh, options.sharp_angle);
    let whole: f64 = surface.areas.iter().sum();
    if !(whole > 0.0 && whole.is_finite()) {
        return Err(ShellError::NoArea);
    }
    let judge = CandidateJudge { distance, probe: options.probe, level: options.offset, boundary };
    let found = candidates::gather(&surface, &judge, options.points, options.seed);
    let Candidates { list, buried, off, sampled, placed } = found;
    if list.is_empty() {
        return Err(ShellError::NoBoundary { buried, off });
    }
    progress.advance(1);
    let area = whole * (placed.max(1) as f64 / sampled as f64);
    progress.stage("spreading the points", options.points as u64);
    let (order, radii) = spread(&list, area, options.points, progress)?;
    let points: Vec<ShellPoint> = order
        .iter()
        .map(|&i| ShellPoint { position: list[i as usize].position, normal: list[i as usize].normal })
        .collect();
    progress.stage("building the tree", 1);
    let sizes = levels::sizes(points.len(), options.levels);
    let nodes = levels::nodes(&points, &sizes, &radii);
    let neighbours = measure::Neighbours::new(&points);
    let (covering, edge_covering) = neighbours.covering(&list);
    let report = ShellReport {
        points: points.len(),
        wanted: options.points,
        levels: sizes.clone(),
        spacing: PointSpacing::new(&neighbours.spacing()),
        covering,
        edge_covering,
        area,
        candidates: list.len(),
        features: list.iter().filter(|c| c.kind != CandidateKind::Face).count(),
        buried,
        off,
    };
    progress.advance(1);
    Ok((PointShell::new(points, nodes, sizes)?, report))
}

fn check(options: &ShellOptions) -> Result<(), ShellError> {
    let wrong = |what| Err(ShellError::Option(what));
    match options {
        o if o.points == 0 => wrong("number of points is zero"),
        o if o.points > ShellOptions::MOST => wrong("number of points is above 4194304"),
        o if o.levels == Some(0) => wrong("number of levels is zero"),
        o if !(o.probe > 0.0 && o.probe.is_finite()) => wrong("probe is not a positive length"),
        o if !o.offset.is_finite() => wrong("offset is not a number"),
        o if !(o.sharp_angle > 0.0 && o.sharp_angle < std::f64::consts::PI) => {
            wrong("sharp angle is not between 0° and 180°")
        }
        _ => Ok(()),
    }
}

/// The order of the candidates from the one nearest to the middle of their box on, and the covering radii.
fn spread(
    list: &[Candidate],
    area: f64,
    count: usize,
    progress: &dyn Progress,
) -> Result<(Vec<u32>, Vec<f64>), Cancelled> {
    let lambda = 0.5 * SIDES * (area / count as f64).sqrt();
    let places: Vec<order::PointKey> = list
        .iter()
        .map(|c| {
            let (x, n) = (c.position, c.normal * lambda);
            [x.x, x.y, x.z, n.x, n.y, n.z]
        })
        .collect();
    let weights: Vec<f64> = list.iter().map(|c| weight(c.kind)).collect();
    let (min, max) =
        list.iter().fold((list[0].position, list[0].position), |(a, b), c| (a.inf(&c.position), b.sup(&c.position)));
    let middle = (min + max) * 0.5;
    let away = |i: usize| (list[i].position - middle).norm_squared();
    let first = (1..list.len()).fold(0, |best, i| if away(i) < away(best) { i } else { best });
    order::farthest_first(&places, &weights, first as u32, count, progress)
}

/// How much more densely sharp edges are covered than faces. Corners weigh enough to be chosen before anything near them,
/// so that every one of them becomes a point where they are further apart than the points are anyhow.
fn weight(kind: CandidateKind) -> f64 {
    match kind {
        CandidateKind::Face => 1.0,
        CandidateKind::Edge => 1.5,
        CandidateKind::Corner => 3.0,
    }
}
