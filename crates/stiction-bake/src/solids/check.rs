//! Which parameters describe a solid.

use super::{MAX_SEGMENTS, Solid, SolidError, prism, profile};

type Named<T> = Vec<(&'static str, T)>;

impl Solid {
    /// Whether the parameters describe a solid.
    pub(super) fn check(&self) -> Result<(), SolidError> {
        let wrong = |reason: String| Err(SolidError::new(self.name(), reason));
        let (lengths, counts): (Named<f64>, Named<u32>) = match *self {
            Self::Box { size: [x, y, z] } => (vec![("x", x), ("y", y), ("z", z)], vec![]),
            Self::Plate { size: [x, y], thickness } => (vec![("x", x), ("y", y), ("thickness", thickness)], vec![]),
            Self::Cylinder { radius, height, segments } => {
                (vec![("radius", radius), ("height", height)], vec![("segments", segments)])
            }
            Self::Capsule { radius, height, segments, rings } => (
                vec![("radius", radius), ("height", height)],
                vec![("segments", segments), ("rings + 2", rings.saturating_add(2))],
            ),
            Self::Torus { major, minor, segments, rings } => {
                (vec![("major", major), ("minor", minor)], vec![("segments", segments), ("rings", rings)])
            }
            Self::LBar { legs: [x, y], thickness, length } => {
                (vec![("leg x", x), ("leg y", y), ("thickness", thickness), ("length", length)], vec![])
            }
            Self::Prism { length, .. } => (vec![("length", length)], vec![]),
            Self::Corner { size, thickness } => (vec![("size", size), ("thickness", thickness)], vec![]),
            Self::PlateRoundHole { size: [x, y], thickness, radius, segments } => {
                (vec![("x", x), ("y", y), ("thickness", thickness), ("radius", radius)], vec![("segments", segments)])
            }
            Self::PlateSquareHole { size: [x, y], thickness, hole: [u, v] } => {
                (vec![("x", x), ("y", y), ("thickness", thickness), ("hole x", u), ("hole y", v)], vec![])
            }
            Self::Peg { radius, length, chamfer, segments } => {
                (vec![("radius", radius), ("length", length), ("chamfer", chamfer)], vec![("segments", segments)])
            }
            Self::Shaft { ref steps, segments } => (
                steps.iter().flat_map(|&[r, l]| [("radius", r), ("length", l)]).collect(),
                vec![("segments", segments)],
            ),
            Self::Revolution { segments, .. } => (vec![], vec![("segments", segments)]),
            Self::Ring { segments, .. } => (vec![], vec![("segments", segments)]),
            Self::SheetMetal(ref plate) => return plate.check(),
            Self::Cable(ref cable) => return cable.check(),
            Self::Gear(ref gear) => return gear.check(),
            Self::Bolt(ref bolt) => return bolt.check(),
            Self::Nut(ref nut) => return nut.check(),
        };
        for (name, value) in lengths {
            if !(value > 1e-12 && value < 1e9) {
                return wrong(format!("{name} is {value} m, not between 1e-12 and 1e9"));
            }
        }
        for (name, value) in counts {
            if !(3..=MAX_SEGMENTS).contains(&value) {
                return wrong(format!("{name} is {value}, not from 3 to {MAX_SEGMENTS}"));
            }
        }
        match *self {
            Self::Torus { major, minor, .. } if minor >= major => wrong("the tube is thicker than the ring".into()),
            Self::PlateRoundHole { size: [x, y], radius, .. } if 2.0 * radius >= x.min(y) => {
                wrong(format!("a hole of radius {radius} does not fit in {x} × {y}"))
            }
            Self::PlateSquareHole { size: [x, y], hole: [u, v], .. } if u >= x || v >= y => {
                wrong(format!("a hole of {u} × {v} does not fit in {x} × {y}"))
            }
            Self::Peg { radius, length, chamfer, .. } if chamfer >= radius || chamfer >= length => {
                wrong(format!("a chamfer of {chamfer} leaves nothing"))
            }
            Self::Prism { ref outline, .. } => prism::check(outline).or_else(wrong),
            Self::Ring { ref section, .. } if section.iter().any(|p| !(p[0] > 1e-12)) => {
                wrong("its section meets the axis".into())
            }
            Self::Ring { ref section, .. } => prism::check(section).or_else(wrong),
            Self::Revolution { .. } => profile::check(&self.profile()).or_else(wrong),
            Self::Shaft { ref steps, .. } if steps.is_empty() => wrong("it has no steps".into()),
            _ => Ok(()),
        }
    }
}
