//! Units and placement of an imported mesh.

use super::ImportCause;
use stiction::spatial::{Mat3, Vec3};

/// Options of an import. A point goes through unit, up axis and placement, in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// What one unit of the file is.
    pub unit: Unit,
    /// Which axis of the file points up; it becomes z.
    pub up: UpAxis,
    /// Where the part goes, in metres. One that mirrors also turns every triangle over, so that outside stays outside.
    pub placement: Option<Placement>,
}

/// A unit of length, by its size in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit(f64);

impl Unit {
    /// 1 m.
    pub const METRE: Self = Self(1.0);
    /// 0.01 m.
    pub const CENTIMETRE: Self = Self(0.01);
    /// 0.001 m.
    pub const MILLIMETRE: Self = Self(0.001);
    /// 1e-6 m.
    pub const MICROMETRE: Self = Self(1e-6);
    /// 0.0254 m.
    pub const INCH: Self = Self(0.0254);
    /// 0.3048 m.
    pub const FOOT: Self = Self(0.3048);

    /// A unit of so many metres; `None` unless positive and finite.
    pub fn from_metres(size: f64) -> Option<Self> {
        (size > 0.0 && size.is_finite()).then_some(Self(size))
    }

    /// How many metres it is.
    pub fn metres(self) -> f64 {
        self.0
    }

    /// Its shortest name, or its number of metres: what [`FromStr`](std::str::FromStr) reads back.
    pub fn word(self) -> String {
        let known = [
            (Self::METRE, "m"),
            (Self::CENTIMETRE, "cm"),
            (Self::MILLIMETRE, "mm"),
            (Self::MICROMETRE, "um"),
            (Self::INCH, "inch"),
            (Self::FOOT, "foot"),
        ];
        known.iter().find(|k| k.0 == self).map_or_else(|| self.0.to_string(), |k| k.1.into())
    }
}

impl Default for Unit {
    fn default() -> Self {
        Self::METRE
    }
}

/// A word or number that is no unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no unit: use m, cm, mm, um, inch, foot, or the number of metres in one unit of the file")]
pub struct UnitError(String);

impl std::str::FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "m" | "metre" | "meter" => Ok(Self::METRE),
            "cm" | "centimetre" | "centimeter" => Ok(Self::CENTIMETRE),
            "mm" | "millimetre" | "millimeter" => Ok(Self::MILLIMETRE),
            "um" | "µm" | "micrometre" | "micrometer" | "micron" => Ok(Self::MICROMETRE),
            "in" | "inch" | "inches" => Ok(Self::INCH),
            "ft" | "foot" | "feet" => Ok(Self::FOOT),
            number => number.parse().ok().and_then(Self::from_metres).ok_or_else(|| UnitError(text.into())),
        }
    }
}

/// The axis of a file that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// x points up: (x, y, z) becomes (y, z, x).
    X,
    /// y points up, as in glTF and most animation tools: (x, y, z) becomes (x, −z, y).
    Y,
    /// z points up, as in CAD: nothing changes.
    #[default]
    Z,
}

/// An affine map, x ↦ A x + b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// A: rotation, scale, mirror or shear.
    pub linear: Mat3,
    /// b, in m.
    pub translation: Vec3,
}

impl Placement {
    /// Where a point goes.
    pub fn apply(&self, point: &Vec3) -> Vec3 {
        self.linear * point + self.translation
    }

    /// First `other`, then `self`.
    pub fn after(&self, other: &Self) -> Self {
        Self { linear: self.linear * other.linear, translation: self.apply(&other.translation) }
    }

    /// Whether left becomes right.
    pub fn mirrors(&self) -> bool {
        self.linear.determinant() < 0.0
    }
}

impl ImportOptions {
    pub(super) fn check(&self) -> Result<(), ImportCause> {
        let Some(p) = &self.placement else { return Ok(()) };
        if p.linear.iter().chain(p.translation.iter()).any(|x| !x.is_finite()) {
            return Err(ImportCause::Options("the placement holds a number that is not finite".into()));
        }
        let determinant = p.linear.determinant();
        if determinant == 0.0 || !determinant.is_finite() {
            return Err(ImportCause::Options("the placement flattens space: its matrix has no inverse".into()));
        }
        Ok(())
    }

    /// Everything as one map.
    pub(super) fn whole(&self) -> Placement {
        let turn = match self.up {
            UpAxis::X => Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
            UpAxis::Y => Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0),
            UpAxis::Z => Mat3::identity(),
        };
        let upright = Placement { linear: turn * self.unit.metres(), translation: Vec3::zeros() };
        self.placement.map_or(upright, |p| p.after(&upright))
    }
}
