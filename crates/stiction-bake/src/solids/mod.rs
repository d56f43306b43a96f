//! Solids by parameter: watertight, outward oriented, in metres, with any tessellation.
//!
//! Every edge of a mesh made here has exactly two faces, which run through it in opposite directions, by shared
//! points. Curved surfaces are inscribed: points lie on the true surface, facets inside convex and outside concave
//! parts. Flat faces come as few triangles; [`refine`](refine()) splits them as finely as wanted.

#![forbid(unsafe_code)]

mod cable;
mod cells;
mod check;
mod contours;
mod extrude;
mod gear;
mod parts;
mod prism;
mod profile;
mod refine;
mod revolve;
mod sheet_metal;
mod thread;

pub use cable::Cable;
pub use extrude::{Planar, extrude};
pub use gear::SpurGear;
pub use refine::refine;
pub use revolve::revolve;
pub use sheet_metal::{SheetBend, SheetMetal};
pub use thread::{Bolt, BoltHead, Nut, ScrewThread};

use crate::Mesh;

/// A solid by its parameters; lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A box around the origin.
    Box {
        /// Edge lengths along x, y and z.
        size: [f64; 3],
    },
    /// A cylinder around z, centred.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its length along z.
        height: f64,
        /// Points around.
        segments: u32,
    },
    /// A capsule around z, centred: all points within a radius of a segment.
    Capsule {
        /// The radius.
        radius: f64,
        /// The segment's length; the capsule is longer by two radii.
        height: f64,
        /// Points around.
        segments: u32,
        /// Bands of facets on each half sphere.
        rings: u32,
    },
    /// A torus around z, centred.
    Torus {
        /// From the axis to the middle of the tube.
        major: f64,
        /// Radius of the tube.
        minor: f64,
        /// Points around the axis.
        segments: u32,
        /// Points around the tube.
        rings: u32,
    },
    /// A plate in the x-y plane, centred: a box by another name.
    Plate {
        /// Lengths along x and y.
        size: [f64; 2],
        /// Length along z.
        thickness: f64,
    },
    /// An L profile along z. Its inner edge is the z axis; the legs' inner faces lie in the planes y = 0 and x = 0.
    LBar {
        /// How far the legs reach along x and y from the inner edge.
        legs: [f64; 2],
        /// Thickness of both legs, towards negative x and y.
        thickness: f64,
        /// Length along z, centred.
        length: f64,
    },
    /// A prism along z over a polygon without holes: wedges, brackets, blocks with notches.
    Prism {
        /// The corners (x, y) of the polygon, in order, turning either way.
        outline: Vec<[f64; 2]>,
        /// Length along z, centred.
        length: f64,
    },
    /// Three walls that meet at right angles: the cube from −thickness to size, without the cube from 0 to size. The
    /// inner corner is the origin and the inner faces are the coordinate planes.
    Corner {
        /// How far the walls reach from the inner corner.
        size: f64,
        /// Thickness of the walls.
        thickness: f64,
    },
    /// A plate in the x-y plane with a round hole in the middle, centred.
    PlateRoundHole {
        /// Lengths along x and y.
        size: [f64; 2],
        /// Length along z.
        thickness: f64,
        /// Radius of the hole.
        radius: f64,
        /// Points around the hole.
        segments: u32,
    },
    /// A plate in the x-y plane with a rectangular hole in the middle, centred.
    PlateSquareHole {
        /// Lengths along x and y.
        size: [f64; 2],
        /// Length along z.
        thickness: f64,
        /// Lengths of the hole along x and y.
        hole: [f64; 2],
    },
    /// A round peg along z from 0 to its length, with a chamfer around its lower end.
    Peg {
        /// Radius of the peg.
        radius: f64,
        /// Length of the peg.
        length: f64,
        /// How much the chamfer takes from the radius and from the length: 45 degrees.
        chamfer: f64,
        /// Points around.
        segments: u32,
    },
    /// A round shaft along z from 0, of steps with different radii.
    Shaft {
        /// Radius and length of each step, from below.
        steps: Vec<[f64; 2]>,
        /// Points around.
        segments: u32,
    },
    /// A solid of revolution around z: spinning tops, pins, knobs.
    Revolution {
        /// Points (distance from the axis, z), from the bottom to the top; never downwards. Ends that are off the axis are closed by flat faces.
        profile: Vec<[f64; 2]>,
        /// Points around.
        segments: u32,
    },
    /// A ring around z: washers, pulleys, bores with chamfers.
    Ring {
        /// Corners (distance from the axis, z) of its section, in order, turning either way; off the axis.
        section: Vec<[f64; 2]>,
        /// Points around.
        segments: u32,
    },
    /// A plate of any outline with holes, flat or bent.
    SheetMetal(SheetMetal),
    /// A round cable, hose or rod along a path.
    Cable(Cable),
    /// A spur gear.
    Gear(SpurGear),
    /// A bolt or threaded rod with an ISO metric thread.
    Bolt(Bolt),
    /// A hexagonal nut with an ISO metric thread.
    Nut(Nut),
}

/// Parameters that no solid has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("impossible {solid}: {reason}")]
pub struct SolidError {
    /// The solid that was asked for.
    pub solid: &'static str,
    /// Which parameter is wrong, and how.
    pub reason: String,
}

impl SolidError {
    pub(crate) fn new(solid: &'static str, reason: impl Into<String>) -> Self {
        Self { solid, reason: reason.into() }
    }
}

/// More points around than this is a mistake.
const MAX_SEGMENTS: u32 = 1 << 20;

impl Solid {
    /// What it is called in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box { .. } => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
            Self::Torus { .. } => "torus",
            Self::Plate { .. } => "plate",
            Self::LBar { .. } => "L-bar",
            Self::Prism { .. } => "prism",
            Self::Corner { .. } => "corner",
            Self::PlateRoundHole { .. } => "plate with round hole",
            Self::PlateSquareHole { .. } => "plate with square hole",
            Self::Peg { .. } => "peg",
            Self::Shaft { .. } => "shaft",
            Self::Revolution { .. } => "solid of revolution",
            Self::Ring { .. } => "ring",
            Self::SheetMetal(_) => "sheet metal",
            Self::Cable(_) => "cable",
            Self::Gear(_) => "spur gear",
            Self::Bolt(_) => "bolt",
            Self::Nut(_) => "nut",
        }
    }

    /// Its surface.
    pub fn mesh(&self) -> Result<Mesh, SolidError> {
        self.check()?;
        match *self {
            Self::Box { size } => Ok(cells::block(size)),
            Self::Plate { size: [x, y], thickness } => Ok(cells::block([x, y, thickness])),
            Self::LBar { legs, thickness, length } => Ok(cells::l_bar(legs, thickness, length)),
            Self::Prism { ref outline, length } => prism::prism(outline, length),
            Self::Corner { size, thickness } => Ok(cells::corner(size, thickness)),
            Self::PlateSquareHole { size, thickness, hole } => Ok(cells::framed(size, thickness, hole)),
            Self::PlateRoundHole { size, thickness, radius, segments } => {
                let planar = extrude::rectangle_with_hole(size, radius, segments);
                Ok(extrude(&planar, -thickness / 2.0, thickness / 2.0, 1))
            }
            Self::Torus { major, minor, segments, rings } => {
                let profile = (0..rings).map(|i| {
                    let (s, c) = revolve::sin_cos(i, rings);
                    [major + minor * c, minor * s]
                });
                revolve(&profile.collect::<Vec<_>>(), true, segments)
            }
            Self::Capsule { segments, .. }
            | Self::Cylinder { segments, .. }
            | Self::Peg { segments, .. }
            | Self::Shaft { segments, .. }
            | Self::Revolution { segments, .. } => revolve(&self.profile(), false, segments),
            Self::Ring { ref section, segments } => revolve(&prism::counter_clockwise(section), true, segments),
            Self::SheetMetal(ref plate) => plate.mesh(),
            Self::Cable(ref cable) => cable.mesh(),
            Self::Gear(ref gear) => gear.mesh(),
            Self::Bolt(ref bolt) => bolt.mesh(),
            Self::Nut(ref nut) => nut.mesh(),
        }
    }
}
