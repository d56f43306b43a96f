//! The sagitta of a facet, from its creases.

use super::facet::{Crease, Facet, Facets};
use super::{FaceError, LEAST};
use rayon::prelude::*;
use stiction::spatial::Vec3;

/// Creases are on opposite sides if the vectors across them have at most this product. On an equilateral triangle it is -1/2.
const OPPOSITE: f64 = -0.3;
/// A facet wider than this many times its neighbour is not a facet of the same curved surface.
const WIDER: f64 = 3.0;
/// A facet at the end of a curved surface, with a crease on one side only, is no wider than so many times its neighbour, and its crease has at
/// least this share of the angle of the neighbour's other crease: where the surface runs into a plane it has half.
const END_WIDER: f64 = 1.5;
const END_ANGLE: f64 = 0.75;
/// Creases of a facet that run at less than this angle to each other (square of the sine) tell the same curvature.
const ASKEW: f64 = 0.1;

/// Two sides of a facet are nearly parallel if the product of the vectors across them is beyond this.
const PARALLEL: f64 = 0.9;

/// The middle of the area of a convex figure is at least this share of its width away from each of its sides: a triangle's is just that.
const LEAST_AWAY: f64 = 1.0 / 3.0;

/// A crease that bends the facet.
struct Bend {
    across: Vec3,
    angle: f64,
    curvature: f64,
    /// The largest sagitta that this crease can tell of, in its own direction (m): see [`highest`].
    highest: f64,
    /// The sagitta of a facet that has no crease on the opposite side (m).
    end: Option<f64>,
}

/// A surface over a facet of the width w leaves the crease at half of its angle t. It bends the same way all over, so at a corner on the other side it comes down at
/// twice that at most, where the corner is twice as far from the middle as the crease: then its highest point is w t/3 above the facet. On a facet that is symmetric it is w t/8.
fn highest(width: f64, angle: f64) -> f64 {
    width * angle / 3.0
}

/// The error of every facet.
pub(super) fn measure(facets: &Facets, creases: &[Vec<Crease>]) -> Vec<FaceError> {
    (0..facets.all.len()).into_par_iter().map(|f| of_facet(facets, f, creases)).collect()
}

fn of_facet(facets: &Facets, number: usize, creases: &[Vec<Crease>]) -> FaceError {
    let facet = &facets.all[number];
    let bends = bends(facets, number, creases);
    // Creases with another on the opposite side tell more than those at an end.
    let whole = bends.iter().any(|b| b.end.is_none());
    let Some(most) =
        bends.iter().filter(|b| !whole || b.end.is_none()).reduce(|a, b| if b.curvature > a.curvature { b } else { a })
    else {
        return FaceError::default();
    };
    let curvature = most.curvature;
    if let Some(sagitta) = most.end.filter(|sagitta| *sagitta >= LEAST) {
        return FaceError { sagitta, angle: most.angle, curvature };
    }
    let across = direction(most, &bends);
    let along = facet.normal.cross(&across);
    // The curvature in a direction at an angle φ to the largest one is κ cos²φ + λ sin²φ.
    let left = |b: &Bend| {
        let sine = b.across.dot(&along).powi(2);
        let cosine = b.across.dot(&across).powi(2);
        if sine < ASKEW { 0.0 } else { (b.curvature - curvature * cosine) / sine }
    };
    let other = bends.iter().map(left).fold(0.0, f64::max).min(curvature);
    // What creases at other angles tell of the direction along is no more than their own sagitta: noise on a narrow facet is not multiplied by its length.
    let limit = |keep: &dyn Fn(&Bend) -> bool| bends.iter().filter(|b| keep(b)).map(|b| b.highest).fold(0.0, f64::max);
    let limit_across = limit(&|_| true);
    let limit_along = limit(&|b| b.across.dot(&along).powi(2) >= ASKEW);
    let gap = |corner: &Vec3| {
        let from = corner - facet.middle;
        let bent = |curvature: f64, direction: &Vec3| 0.5 * curvature * from.dot(direction).powi(2);
        bent(curvature, &across).min(limit_across) + bent(other, &along).min(limit_along)
    };
    let sagitta = facet.corners.iter().map(gap).fold(0.0, f64::max);
    if !(sagitta.is_finite() && sagitta >= LEAST) {
        return FaceError::default();
    }
    let angle = bends.iter().map(|b| b.angle).fold(0.0, f64::max);
    FaceError { sagitta, angle, curvature: curvature + other }
}

/// The direction of the largest curvature. Where the facet becomes narrower, as on a cone, its two long sides are not parallel, and it is
/// the mean of the directions across them.
fn direction(most: &Bend, bends: &[Bend]) -> Vec3 {
    let most = most.across;
    let opposite = bends.iter().map(|b| b.across).reduce(|a, b| if b.dot(&most) < a.dot(&most) { b } else { a });
    match opposite {
        Some(opposite) if opposite.dot(&most) < -PARALLEL => (most - opposite).try_normalize(0.0).unwrap_or(most),
        _ => most,
    }
}

/// The angle of the crease on the far side of a facet's neighbour, where the facet is the last of a curved surface: cut off by a slot or a hole.
fn beyond(facets: &Facets, facet: &Facet, crease: &Crease, creases: &[Vec<Crease>]) -> f64 {
    let neighbour = &facets.all[crease.other as usize];
    let width = facet.width(crease.across, crease.middle);
    if width > END_WIDER * neighbour.width(crease.across_other, crease.middle) {
        return 0.0;
    }
    let far = creases[crease.other as usize].iter().filter(|c| c.across.dot(&crease.across_other) <= OPPOSITE);
    far.map(|c| c.angle).filter(|angle| crease.angle >= END_ANGLE * angle).fold(0.0, f64::max)
}

/// The creases that have another on the opposite side, or on the neighbour's.
fn bends(facets: &Facets, number: usize, creases: &[Vec<Crease>]) -> Vec<Bend> {
    let facet = &facets.all[number];
    let usable: Vec<(&Crease, f64)> = creases[number]
        .iter()
        .filter_map(|crease| {
            let width = facet.width(crease.across, crease.middle);
            let beside = facets.all[crease.other as usize].width(crease.across_other, crease.middle);
            if !(width > 0.0 && beside > 0.0 && width <= WIDER * beside) {
                return None;
            }
            // On one cylinder the angle is that of half of both facets: (w + w')/2R. Beside a wider facet, which may be a plane that the
            // surface runs into, the angle is taken as it is.
            Some((crease, crease.angle * 2.0 * width / (width + beside.min(width))))
        })
        .collect();
    let opposite = |of: &Crease| {
        let others = usable.iter().filter(|(c, _)| c.across.dot(&of.across) <= OPPOSITE);
        others.map(|(_, angle)| *angle).fold(0.0, f64::max)
    };
    usable
        .iter()
        .filter_map(|(crease, angle)| {
            // Where the surface runs into a plane, the last crease has half of the angle of the others.
            let width = facet.width(crease.across, crease.middle);
            match opposite(crease) {
                0.0 => {
                    let angle = angle.min(2.0 * beyond(facets, facet, crease, creases));
                    let curvature = angle / width;
                    (angle > 0.0).then(|| Bend {
                        across: crease.across,
                        angle,
                        curvature,
                        highest: highest(width, angle),
                        end: Some(curvature * width * width / 8.0),
                    })
                }
                opposite => {
                    let angle = angle.min(2.0 * opposite);
                    let away = crease.across.dot(&(crease.middle - facet.middle));
                    let curvature = 0.5 * angle / away.max(LEAST_AWAY * width);
                    let highest = highest(width, angle);
                    let bend = Bend { across: crease.across, angle, curvature, highest, end: None };
                    (angle > 0.0 && away > 0.0).then_some(bend)
                }
            }
        })
        .collect()
}
