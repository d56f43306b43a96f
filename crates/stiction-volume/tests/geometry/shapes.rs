//! Points of convex solids.

use crate::random::Random;
use stiction::spatial::Vec3;
use stiction_volume::Convex;

pub fn cuboid(half: [f64; 3]) -> Vec<Vec3> {
    (0..8).map(|i| Vec3::from_fn(|axis, _| if i >> axis & 1 == 0 { -half[axis] } else { half[axis] })).collect()
}

/// A prism around z over a regular polygon.
pub fn prism(n: usize, radius: f64, half: f64) -> Vec<Vec3> {
    let at = |i: usize| (std::f64::consts::TAU * (i / 2) as f64 / n as f64).sin_cos();
    (0..2 * n).map(|i| Vec3::new(radius * at(i).1, radius * at(i).0, if i % 2 == 0 { -half } else { half })).collect()
}

pub fn octahedron() -> Vec<Vec3> {
    (0..6).map(|i| Vec3::from_fn(|axis, _| if axis == i % 3 { 1.0 - 2.0 * (i / 3) as f64 } else { 0.0 })).collect()
}

/// Points whose hull is a solid of a random kind, between 0.1 and 2 in size.
pub fn any(random: &mut Random) -> Vec<Vec3> {
    let mut points = match random.below(5) {
        0 => cuboid([random.between(0.1, 1.0), random.between(0.1, 1.0), random.between(0.1, 1.0)]),
        1 => {
            let n = 3 + random.below(6);
            prism(n, random.between(0.1, 1.0), random.between(0.1, 1.0))
        }
        2 => octahedron(),
        _ => {
            let n = 4 + random.below(9);
            (0..n).map(|_| random.ball()).collect()
        }
    };
    // Not about the origin of its axes.
    let shift = random.ball() * random.pick(&[0.0, 1.0]);
    points.iter_mut().for_each(|p| *p += shift);
    points
}

/// Such points, and their hull. Random points that are nearly flat are left out.
pub fn any_convex(random: &mut Random) -> (Vec<Vec3>, Convex) {
    loop {
        let points = any(random);
        if let Ok(convex) = Convex::of_points(&points)
            && convex.volume() > 1e-3 * convex.radius().powi(3)
        {
            return (points, convex);
        }
    }
}
