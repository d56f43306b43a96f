//! What hard contacts get where nothing is set. The rule in one paragraph:
//!
//! Each contact bears the coupling's largest force, or its largest torque on a lever of half the held part's smallest side, within 20 µm or a
//! twentieth of the thinnest wall, whichever is less: that makes its stiffness. A solve takes points into account that are nearer than a fiftieth of a voxel, 2 to 20 µm, and no step is longer than 0.4 of the thinnest
//! wall, or 2 mm, beyond what is known to be free.
//! Facets of hollow surfaces and inner edges are allowed for by what baking measured, and everything by a hundred-thousandth of the parts' size. Slip memory ε
//! is twice the largest elastic depth, which is also the most that a released part springs back. The work of a tick is limited to a number that ends no
//! reasonable tick; live sessions measure a smaller one.

use super::Settings;
use crate::coupling::Coupling;
use crate::shape::Shape;
use crate::spatial::Vec3;

/// Largest elastic depth of a contact (m), and how often the thinnest wall is thicker than it at least.
const ELASTIC_DEPTH: f64 = 20e-6;
const DEPTHS_OF_WALL: f64 = 20.0;
/// Depth that contacts ignore everywhere, as a share of the parts' size: coordinates and poses are told to five or six digits, and parts that fit
/// exactly would else be clamped by their rounding.
const COORDINATES: f64 = 1e-5;
/// ε as a multiple of the largest elastic depth of a contact.
pub(super) const ELASTIC: f64 = 2.0;
/// Least ε (m).
pub(super) const LEAST_MICRO_SLIP: f64 = 1e-8;
/// The share of a voxel that a solve reaches at least, so that what the field makes of one edge is in the problem or not as a whole; and in m, at least and at most.
const REACH_OF_VOXEL: f64 = 0.02;
const REACH: [f64; 2] = [2e-6, 20e-6];
/// Longest step of a solve as a share of the thinnest wall, and in m.
const LEAP: f64 = 0.4;
const LONGEST_LEAP: f64 = 2e-3;
/// Shortest lever that bears a torque (m).
const LEAST_LEVER: f64 = 0.5e-4;

/// What the defaults of contacts depend on in a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartMeasures {
    /// Edge lengths of its bounding box (m).
    pub size: Vec3,
    /// Its thinnest wall (m), or a voxel where that is more.
    pub thinnest_wall: f64,
    /// The edge of a voxel of its distance field (m).
    pub voxel: f64,
    /// The largest depth that contacts are allowed for its facets and inner edges (m).
    pub allowance: f64,
}

impl PartMeasures {
    /// Measures a baked part. Takes some milliseconds, most of them for the thinnest wall.
    pub fn of(shape: &Shape) -> Self {
        let on_points = shape.shell.allowances().iter().map(|a| f64::from(*a)).fold(0.0, f64::max);
        PartMeasures {
            size: size(shape),
            thinnest_wall: shape.thinnest_wall(),
            voxel: shape.field.lattice().spacing,
            allowance: shape.allowance.as_ref().map_or(0.0, |lattice| lattice.largest()).max(on_points),
        }
    }
}

/// Edge lengths of a part's bounding box (m).
pub(super) fn size(shape: &Shape) -> Vec3 {
    shape.field.part().max - shape.field.part().min
}

/// What the hard contacts of two parts get where nothing is set: see the module's rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactDefaults {
    /// The thinnest wall of both parts (m).
    pub thinnest_wall: f64,
    /// The largest force that a contact must bear (N).
    pub force: f64,
    /// Depth of a contact under that force (m).
    pub elastic_depth: f64,
    /// Stiffness of a contact (N/m).
    pub stiffness: f64,
    /// How far a solve reaches for points that do not touch yet (m), at least; where ε is longer, further.
    pub reach: f64,
    /// Furthest that a solve takes a point beyond the proven clearance (m).
    pub longest_step: f64,
    /// The largest depth that contacts are allowed at facets of hollow surfaces and at inner edges (m), of either part.
    pub faceting_allowance: f64,
    /// The depth that contacts are allowed everywhere, for the rounding of coordinates (m).
    pub rounding_allowance: f64,
    /// ε at most: the longest slip that a contact remembers (m). It follows the load, and is less under less.
    pub micro_slip: f64,
    /// The furthest that a part springs back when it is released (m).
    pub spring_back: f64,
    /// The most work of a tick, in units of one field sample.
    pub work: u64,
}

impl ContactDefaults {
    /// The defaults for a held and a fixed part under a coupling.
    pub fn new(coupling: &Coupling, held: &PartMeasures, fixed: &PartMeasures) -> Self {
        let wall = held.thinnest_wall.min(fixed.thinnest_wall);
        let force = force(coupling, &held.size);
        let elastic_depth = elastic_depth(wall);
        let micro_slip = (ELASTIC * elastic_depth).max(LEAST_MICRO_SLIP);
        ContactDefaults {
            thinnest_wall: wall,
            force,
            elastic_depth,
            stiffness: force / elastic_depth,
            reach: least_reach([held.voxel, fixed.voxel]),
            longest_step: longest_step(wall),
            faceting_allowance: held.allowance.max(fixed.allowance),
            rounding_allowance: rounding(&held.size, &fixed.size),
            micro_slip,
            spring_back: micro_slip,
            work: Settings::WORK,
        }
    }
}

/// The largest force that a contact must bear (N): a lever as short as the held part is slim bears the largest torque.
pub(super) fn force(coupling: &Coupling, held_size: &Vec3) -> f64 {
    let lever = (0.5 * held_size.min()).max(LEAST_LEVER);
    coupling.max_force.max(coupling.max_torque / lever)
}

/// Depth of a contact under its largest force (m).
pub(super) fn elastic_depth(wall: f64) -> f64 {
    (wall / DEPTHS_OF_WALL).min(ELASTIC_DEPTH)
}

/// Depth that contacts ignore everywhere (m).
pub(super) fn rounding(held_size: &Vec3, fixed_size: &Vec3) -> f64 {
    COORDINATES * held_size.max().max(fixed_size.max())
}

/// How far a solve reaches for points that do not touch yet, at least (m).
pub(super) fn least_reach(voxels: [f64; 2]) -> f64 {
    (REACH_OF_VOXEL * voxels[0].max(voxels[1])).clamp(REACH[0], REACH[1])
}

/// Furthest that a solve takes a point beyond the proven clearance (m).
pub(super) fn longest_step(wall: f64) -> f64 {
    (LEAP * wall).min(LONGEST_LEAP)
}
