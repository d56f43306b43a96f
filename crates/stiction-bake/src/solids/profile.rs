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
            Self::Revolution { profile, .. } => {
                let mut closed = profile.clone();
                if let (Some([first, bottom]), Some([last, top])) = (profile.first(), profile.last()) {
                    if *first > 0.0 {
                        closed.insert(0, [0.0, *bottom]);
                    }
                    if *last > 0.0 {
                        closed.push([0.0, *top]);
                    }
                }
                closed
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a closed profile goes from the bottom to the top without meeting itself or the axis on its way.
pub(super) fn check(profile: &[[f64; 2]]) -> Result<(), String> {
    if let Some([r, z]) = profile.iter().find(|[r, z]| !(*r >= 0.0 && *r < 1e9 && z.abs() < 1e9)) {
        return Err(format!(
            "the point [{r}, {z}] of its profile is not from 0 to 1e9 m off the axis and within 1e9 m"
        ));
    }
    let last = profile.len().saturating_sub(1);
    if let Some(i) = (1..last).find(|&i| !(profile[i][0] > 1e-12)) {
        return Err(format!("its profile meets the axis at z = {}, not only at its ends", profile[i][1]));
    }
    for pair in profile.windows(2) {
        if pair[1][1] < pair[0][1] {
            return Err(format!(
                "its profile goes down from z = {} to {}: give its points from the bottom to the top",
                pair[0][1], pair[1][1]
            ));
        }
        if pair[0] == pair[1] {
            return Err(format!("its profile has the point [{}, {}] twice", pair[0][0], pair[0][1]));
        }
    }
    let folds = |w: &[[f64; 2]]| w[0][1] == w[2][1] && (w[1][0] - w[0][0]) * (w[2][0] - w[1][0]) < 0.0;
    if let Some(fold) = profile.windows(3).find(|w| folds(w)) {
        return Err(format!("its profile turns back on itself at z = {}", fold[0][1]));
    }
    let (Some(first), Some(end)) = (profile.first(), profile.last()) else { return Err("its profile is empty".into()) };
    if profile.len() < 3 || !(end[1] - first[1] > 1e-12) {
        return Err("its profile has no height".into());
    }
    Ok(())
}
