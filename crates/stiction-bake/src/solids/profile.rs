//! Outlines of the solids of revolution.

use super::{Solid, revolve};

impl Solid {
    /// The half outline (distance from the axis, z) of a solid of revolution that reaches the axis, from below.
    pub(super) fn profile(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Cylinder { radius, height, .. } => {
                let h = height / 2.0;
                vec![[0.0, -h], [*radius, -h], [*radius, h], [0.0, h]]
            }
            Self::Capsule { radius, height, rings, .. } => {
                let quarter = (0..=*rings).map(|i| {
                    let (s, c) = revolve::sin_cos(i, 4 * rings);
                    [radius * s, -height / 2.0 - radius * c]
                });
                let lower: Vec<[f64; 2]> = quarter.collect();
                let upper = lower.iter().rev().map(|&[r, z]| [r, -z]);
                let mut profile = lower.clone();
                profile.extend(upper);
                // The ends of the quarter circles are what they are meant to be, not what sine and cosine give.
                let last = profile.len() - 1;
                (profile[0][0], profile[last][0]) = (0.0, 0.0);
                profile
            }
            Self::Peg { radius, length, chamfer, .. } => {
                vec![[0.0, 0.0], [radius - chamfer, 0.0], [*radius, *chamfer], [*radius, *length], [0.0, *length]]
            }
            Self::Shaft { steps, .. } => {
                let mut profile = vec![[0.0, 0.0]];
                let mut z = 0.0;
                for [radius, length] in steps {
                    // Equal neighbours make one step.
                    if profile.last().is_some_and(|p| p[0] == *radius) {
                        profile.pop();
                    } else {
                        profile.push([*radius, z]);
                    }
                    z += length;
                    profile.push([*radius, z]);
                }
                profile.push([0.0, z]);
                profile
            }
            _ => Vec::new(),
        }
    }
}
