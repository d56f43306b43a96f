//! Which settings to bake with, and why.

use super::Diagnosis;
use super::words::{length, number, quoted};
use serde::Serialize;

/// Voxels that a wall should be thick.
const ACROSS: f64 = 3.0;
/// Least, usual and most voxels along the longest side that are suggested.
const LEAST: f64 = 256.0;
const USUAL: f64 = 512.0;
const MOST: f64 = 1024.0;

/// Least (and usual) and most shell points that are suggested.
const LEAST_POINTS: f64 = 8000.0;
const MOST_POINTS: f64 = 32_000.0;

/// How inside is told from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignAdvice {
    /// By the winding number of the faces as they are.
    Winding,
    /// By the winding number, after faces have been turned to agree.
    WindingAfterReorienting,
    /// By the offset surface: how faces are wound does not matter, gaps narrower than two voxels close.
    Offset,
}

impl SignAdvice {
    /// The word for `--sign`. Reorienting is part of `winding` and needs no word.
    pub fn word(self) -> &'static str {
        match self {
            SignAdvice::Winding | SignAdvice::WindingAfterReorienting => "winding",
            SignAdvice::Offset => "offset",
        }
    }
}

/// Settings for the baker, each with its reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// How to tell inside from outside.
    pub sign: SignAdvice,
    /// Reason for this sign.
    pub sign_reason: String,
    /// By how much to thicken open sheets, in m; `None` if there are none.
    pub thicken_m: Option<f64>,
    /// Reason for this thickness.
    pub thicken_reason: String,
    /// Voxels along the longest side.
    pub resolution: u32,
    /// The voxel that follows, in m.
    pub voxel_m: f64,
    /// Reason for this resolution.
    pub resolution_reason: String,
    /// Points of the shell.
    pub points: u32,
    /// Reason for this number of points.
    pub points_reason: String,
}

/// Settings for a mesh with this diagnosis.
pub fn advise(d: &Diagnosis) -> Advice {
    let longest = d.size_m.iter().copied().fold(0.0, f64::max);
    let (resolution, resolution_reason) = resolution(d, longest);
    let voxel_m = longest / f64::from(resolution);
    let (sign, sign_reason) = sign(d);
    // A few voxels' worth of sheet is litter, not a part.
    let thicken_m = (d.sheet_area_m2 > 4.0 * voxel_m * voxel_m).then_some(2.0 * voxel_m);
    let thicken_reason = match thicken_m {
        None if d.sheet_faces > 0 => "the open sheets are smaller than a few voxels: no thickening".into(),
        None => "nothing to thicken: no open sheets".into(),
        Some(t) => format!(
            "open sheets have no inside, so nothing could press against them; {} is two voxels, the least the field resolves",
            length(t)
        ),
    };
    let (points, points_reason) = points(d);
    Advice {
        sign,
        sign_reason,
        thicken_m,
        thicken_reason,
        resolution,
        voxel_m,
        resolution_reason,
        points,
        points_reason,
    }
}

/// How to tell inside from outside, and why.
fn sign(d: &Diagnosis) -> (SignAdvice, String) {
    let widest = d.widest_holes.first().map_or(0.0, |h| h.width_m);
    if d.sheet_area_m2 >= d.area_m2 {
        return (SignAdvice::Offset, "the mesh has no inside: it is open sheets only".into());
    }
    if !d.mended_oriented {
        return (
            SignAdvice::Offset,
            "it cannot be settled which side of all faces is out; the offset surface does not need it".into(),
        );
    }
    let holes = match (d.mended_watertight, widest > d.voxel_m) {
        (true, _) => "the surface encloses its inside without a gap".into(),
        (_, false) if widest < 1e-3 * d.voxel_m => "its cracks have no width".into(),
        (_, false) => format!("its gaps are no wider than {}, less than a voxel", length(widest)),
        _ => format!(
            "the winding number closes its holes smoothly; within {} of the widest the sign is a guess",
            length(widest)
        ),
    };
    match d.flipped_faces {
        0 => (SignAdvice::Winding, format!("all faces are wound the right way, and {holes}")),
        n => (
            SignAdvice::WindingAfterReorienting,
            format!(
                "{} wound the wrong way and will be turned; {holes}",
                super::words::count(n, "face is", "faces are")
            ),
        ),
    }
}

/// Voxels along the longest side, and why.
fn resolution(d: &Diagnosis, longest: f64) -> (u32, String) {
    let Some(walls) = d.walls.filter(|w| w.percentile_1_m > 0.0) else {
        return (256, "no walls to go by".into());
    };
    let thin = walls.percentile_1_m;
    let need = ACROSS * longest / thin;
    let rounded = 32.0 * (need.max(LEAST) / 32.0).ceil();
    if rounded <= MOST {
        let voxels = number(thin * rounded / longest);
        let why = format!(
            "99 % of the surface belongs to walls of {} or more, which are then at least {voxels} voxels thick",
            length(thin)
        );
        return (rounded as u32, why);
    }
    let why = format!(
        "1 % of the surface is on walls or edges thinner than {}, which would need {} voxels along the longest side; {USUAL} is a \
         compromise, and what is thinner than {} will feel softer than it is",
        length(thin),
        number(need.ceil()),
        length(2.0 * longest / USUAL)
    );
    (USUAL as u32, why)
}

/// Points of the shell, and why: so many that they are half of a thin wall apart.
fn points(d: &Diagnosis) -> (u32, String) {
    let Some(walls) = d.walls.filter(|w| w.percentile_1_m > 0.0) else {
        return (LEAST_POINTS as u32, "no walls to go by".into());
    };
    let need = 4.0 * d.area_m2 / (walls.percentile_1_m * walls.percentile_1_m);
    let points = 1000.0 * (need.clamp(LEAST_POINTS, MOST_POINTS) / 1000.0).ceil();
    let apart = (d.area_m2 / points).sqrt();
    let why = match need <= MOST_POINTS {
        true => format!("they are about {} apart, half of the thinnest walls or less", length(apart)),
        false => format!(
            "a compromise: {} would be half of the thinnest walls apart, these are {}",
            number(need.ceil()),
            length(apart)
        ),
    };
    (points as u32, why)
}

impl Advice {
    /// The command that bakes a file with these settings; `unit` is the file's, or empty if it need not be said.
    pub fn command(&self, file: &str, unit: &str) -> String {
        let output = std::path::Path::new(file).with_extension("shape");
        let mut out = format!("stiction bake {} -o {}", quoted(file), quoted(&output.to_string_lossy()));
        if !unit.is_empty() {
            out += &format!(" --unit {unit}");
        }
        out += &format!(" --resolution {} --sign {}", self.resolution, self.sign.word());
        if self.points != LEAST_POINTS as u32 {
            out += &format!(" --shell {}", self.points);
        }
        if let Some(t) = self.thicken_m {
            out += &format!(" --thicken {}", length(t).replace(' ', "").replace("µ", "u"));
        }
        out
    }
}
