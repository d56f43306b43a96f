//! The solids and their parameters.

use crate::Failure;
use crate::sizes::{parse_length, parse_thickness};
use crate::words::parse_positive;
use clap::{Args, Subcommand, ValueEnum};
use stiction_bake::solids::{Bolt, BoltHead, Nut, ScrewThread, Solid, SpurGear};

/// Lengths separated by commas.
#[derive(Clone, Debug)]
pub struct Lengths(Vec<f64>);

fn parse_lengths(word: &str) -> Result<Lengths, String> {
    word.split(',').map(parse_length).collect::<Result<_, _>>().map(Lengths)
}

/// Reads exactly this many lengths.
fn exactly<const N: usize>(word: &str) -> Result<[f64; N], String> {
    let lengths = parse_lengths(word)?.0;
    let found = lengths.len();
    lengths.try_into().map_err(|_| format!("expected {N} lengths separated by commas, but there are {found}"))
}

/// The screw thread of a bolt or a nut.
#[derive(Args, Clone, Debug)]
pub struct ThreadArgs {
    /// Nominal diameter: 12mm for M12
    #[arg(long, default_value = "12mm", value_parser = parse_length)]
    diameter: f64,
    /// Distance of neighbouring crests along z; by default that of ISO's coarse series, 1.75mm for M12
    #[arg(long, value_parser = parse_length)]
    pitch: Option<f64>,
    /// Distance from ISO's basic profile along the radius, inwards for a bolt, outwards for a nut; by default a twentieth of the pitch
    #[arg(long, value_parser = parse_thickness)]
    clearance: Option<f64>,
    /// Length along z in which the thread rises from nothing at each end; by default one pitch
    #[arg(long, value_parser = parse_length)]
    lead_in: Option<f64>,
    /// Facets per turn
    #[arg(long, default_value_t = 96)]
    segments: u32,
}

impl ThreadArgs {
    fn thread(&self) -> Result<ScrewThread, Failure> {
        let pitch = self.pitch.or_else(|| ScrewThread::coarse_pitch(self.diameter)).ok_or_else(|| {
            Failure::Usage(format!("ISO's coarse series has no diameter of {} m: give --pitch as well", self.diameter))
        })?;
        let usual = ScrewThread::metric(self.diameter, pitch);
        Ok(ScrewThread {
            clearance: self.clearance.unwrap_or(usual.clearance),
            lead_in: self.lead_in.unwrap_or(usual.lead_in),
            segments: self.segments,
            ..usual
        })
    }
}

/// The head of a bolt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HeadWord {
    /// A hexagonal prism
    Hexagon,
    /// A cylinder
    Cylinder,
    /// No head: a threaded rod
    None,
}

/// A kind of solid.
#[derive(Subcommand)]
pub enum SolidKind {
    /// A box around the origin
    Box {
        /// Edges along x, y and z
        #[arg(long, value_name = "X,Y,Z", default_value = "40mm,30mm,20mm", value_parser = exactly::<3>)]
        size: [f64; 3],
    },
    /// A cylinder around z, centred
    Cylinder {
        /// Its radius
        #[arg(long, default_value = "10mm", value_parser = parse_length)]
        radius: f64,
        /// Its length along z
        #[arg(long, default_value = "40mm", value_parser = parse_length)]
        height: f64,
        /// Points around
        #[arg(long, default_value_t = 96)]
        segments: u32,
    },
    /// A capsule around z, centred
    Capsule {
        /// Its radius
        #[arg(long, default_value = "10mm", value_parser = parse_length)]
        radius: f64,
        /// Length of its straight part; the whole is longer by two radii
        #[arg(long, default_value = "30mm", value_parser = parse_length)]
        height: f64,
        /// Points around
        #[arg(long, default_value_t = 96)]
        segments: u32,
        /// Bands of facets on each end
        #[arg(long, default_value_t = 24)]
        rings: u32,
    },
    /// A torus around z, centred
    Torus {
        /// From the axis to the middle of the tube
        #[arg(long, default_value = "20mm", value_parser = parse_length)]
        major: f64,
        /// Radius of the tube
        #[arg(long, default_value = "6mm", value_parser = parse_length)]
        minor: f64,
        /// Points around the axis
        #[arg(long, default_value_t = 128)]
        segments: u32,
        /// Points around the tube
        #[arg(long, default_value_t = 48)]
        rings: u32,
    },
    /// A plate in the x-y plane, centred
    Plate {
        /// Lengths along x and y
        #[arg(long, value_name = "X,Y", default_value = "100mm,100mm", value_parser = exactly::<2>)]
        size: [f64; 2],
        /// Length along z
        #[arg(long, default_value = "5mm", value_parser = parse_length)]
        thickness: f64,
    },
    /// A bar with an L profile along z; its inner edge is the z axis
    LBar {
        /// How far the legs reach along x and y
        #[arg(long, value_name = "X,Y", default_value = "40mm,40mm", value_parser = exactly::<2>)]
        legs: [f64; 2],
        /// Thickness of both legs
        #[arg(long, default_value = "5mm", value_parser = parse_length)]
        thickness: f64,
        /// Length along z
        #[arg(long, default_value = "100mm", value_parser = parse_length)]
        length: f64,
    },
    /// Three walls that meet at right angles; the inner corner is the origin
    Corner {
        /// How far the walls reach
        #[arg(long, default_value = "50mm", value_parser = parse_length)]
        size: f64,
        /// Thickness of the walls
        #[arg(long, default_value = "5mm", value_parser = parse_length)]
        thickness: f64,
    },
    /// A plate with a round hole in the middle
    PlateRoundHole {
        /// Lengths along x and y
        #[arg(long, value_name = "X,Y", default_value = "60mm,60mm", value_parser = exactly::<2>)]
        size: [f64; 2],
        /// Length along z
        #[arg(long, default_value = "20mm", value_parser = parse_length)]
        thickness: f64,
        /// Radius of the hole
        #[arg(long, default_value = "10.05mm", value_parser = parse_length)]
        radius: f64,
        /// Points around the hole
        #[arg(long, default_value_t = 96)]
        segments: u32,
    },
    /// A plate with a rectangular hole in the middle
    PlateSquareHole {
        /// Lengths along x and y
        #[arg(long, value_name = "X,Y", default_value = "60mm,60mm", value_parser = exactly::<2>)]
        size: [f64; 2],
        /// Length along z
        #[arg(long, default_value = "20mm", value_parser = parse_length)]
        thickness: f64,
        /// Lengths of the hole along x and y
        #[arg(long, value_name = "X,Y", default_value = "20.1mm,20.1mm", value_parser = exactly::<2>)]
        hole: [f64; 2],
    },
    /// A round peg along z with a chamfer around its lower end
    Peg {
        /// Its radius
        #[arg(long, default_value = "10mm", value_parser = parse_length)]
        radius: f64,
        /// Its length
        #[arg(long, default_value = "50mm", value_parser = parse_length)]
        length: f64,
        /// What the chamfer takes from radius and length
        #[arg(long, default_value = "1mm", value_parser = parse_thickness)]
        chamfer: f64,
        /// Points around
        #[arg(long, default_value_t = 96)]
        segments: u32,
    },
    /// A round shaft along z, of steps with different radii
    Shaft {
        /// Radius and length of each step, from below
        #[arg(long, value_name = "R,L,R,L,...", default_value = "5mm,20mm,8mm,30mm,6mm,15mm", value_parser = parse_lengths)]
        steps: Lengths,
        /// Points around
        #[arg(long, default_value_t = 96)]
        segments: u32,
    },
    /// A spur gear around z with involute teeth
    Gear {
        /// Pitch diameter by teeth
        #[arg(long, default_value = "1mm", value_parser = parse_length)]
        module: f64,
        /// Number of teeth
        #[arg(long, default_value_t = 24)]
        teeth: u32,
        /// Length along z
        #[arg(long, default_value = "8mm", value_parser = parse_length)]
        width: f64,
        /// Radius of the bore; 0 for none
        #[arg(long, default_value = "3mm", value_parser = parse_thickness)]
        bore: f64,
        /// Pressure angle in degrees
        #[arg(long, value_name = "DEGREES", default_value_t = 20.0, value_parser = parse_positive)]
        pressure_angle: f64,
        /// Pieces of each flank
        #[arg(long, default_value_t = 12)]
        flank_pieces: u32,
        /// Layers of the walls along z
        #[arg(long, default_value_t = 8)]
        layers: u32,
    },
    /// A bolt with an ISO metric thread along z from 0 to its length, its head above; a nut at the same pose is on its thread
    Bolt {
        #[command(flatten)]
        thread: ThreadArgs,
        /// Length of the thread along z, without the head
        #[arg(long, default_value = "40mm", value_parser = parse_length)]
        length: f64,
        /// Its head
        #[arg(long, value_enum, default_value_t = HeadWord::Hexagon)]
        head: HeadWord,
        /// Width of a hexagon across flats, or diameter of a cylinder; by default 1.5 diameters of the thread
        #[arg(long, value_parser = parse_length)]
        head_width: Option<f64>,
        /// Length of the head along z; by default 0.65 diameters of the thread
        #[arg(long, value_parser = parse_length)]
        head_height: Option<f64>,
    },
    /// A hexagonal nut with an ISO metric thread along z from 0 to its height; at the same pose as a bolt it is on its thread
    Nut {
        #[command(flatten)]
        thread: ThreadArgs,
        /// Width across flats; by default 1.5 diameters of the thread
        #[arg(long, value_parser = parse_length)]
        width: Option<f64>,
        /// Length along z; by default 0.9 diameters of the thread
        #[arg(long, value_parser = parse_length)]
        height: Option<f64>,
    },
}

impl SolidKind {
    /// The solid.
    pub fn solid(&self) -> Result<Solid, Failure> {
        Ok(match *self {
            SolidKind::Box { size } => Solid::Box { size },
            SolidKind::Cylinder { radius, height, segments } => Solid::Cylinder { radius, height, segments },
            SolidKind::Capsule { radius, height, segments, rings } => {
                Solid::Capsule { radius, height, segments, rings }
            }
            SolidKind::Torus { major, minor, segments, rings } => Solid::Torus { major, minor, segments, rings },
            SolidKind::Plate { size, thickness } => Solid::Plate { size, thickness },
            SolidKind::LBar { legs, thickness, length } => Solid::LBar { legs, thickness, length },
            SolidKind::Corner { size, thickness } => Solid::Corner { size, thickness },
            SolidKind::PlateRoundHole { size, thickness, radius, segments } => {
                Solid::PlateRoundHole { size, thickness, radius, segments }
            }
            SolidKind::PlateSquareHole { size, thickness, hole } => Solid::PlateSquareHole { size, thickness, hole },
            SolidKind::Peg { radius, length, chamfer, segments } => Solid::Peg { radius, length, chamfer, segments },
            SolidKind::Shaft { ref steps, segments } => {
                if steps.0.len() % 2 != 0 {
                    return Err(Failure::Usage("--steps wants pairs: radius and length of each step".into()));
                }
                Solid::Shaft { steps: steps.0.chunks_exact(2).map(|s| [s[0], s[1]]).collect(), segments }
            }
            SolidKind::Gear { module, teeth, width, bore, pressure_angle, flank_pieces, layers } => {
                Solid::Gear(SpurGear {
                    bore,
                    pressure_angle: pressure_angle.to_radians(),
                    flank_pieces,
                    layers,
                    rings: 3,
                    ..SpurGear::standard(module, teeth, width)
                })
            }
            SolidKind::Bolt { ref thread, length, head, head_width, head_height } => {
                let thread = thread.thread()?;
                if head == HeadWord::None && (head_width.is_some() || head_height.is_some()) {
                    return Err(Failure::Usage("--head none has no --head-width and no --head-height".into()));
                }
                let width = head_width.unwrap_or(1.5 * thread.diameter);
                let height = head_height.unwrap_or(0.65 * thread.diameter);
                let head = match head {
                    HeadWord::Hexagon => BoltHead::Hexagon { width, height },
                    HeadWord::Cylinder => BoltHead::Cylinder { width, height },
                    HeadWord::None => BoltHead::None,
                };
                Solid::Bolt(Bolt { thread, length, head })
            }
            SolidKind::Nut { ref thread, width, height } => {
                let thread = thread.thread()?;
                let width = width.unwrap_or(1.5 * thread.diameter);
                let height = height.unwrap_or(0.9 * thread.diameter);
                Solid::Nut(Nut { thread, width, height })
            }
        })
    }
}
