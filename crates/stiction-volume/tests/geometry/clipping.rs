//! The common part of convex solids by another way: every plane's face is a large square that all other half-spaces clip (Sutherland and Hodgman, 1974). Planes come from looking at every
//! three points of a solid.

use stiction::spatial::{Pose, Vec3};

/// n·x ≤ offset.
#[derive(Clone, Copy, Debug)]
pub struct HalfSpace {
    pub normal: Vec3,
    pub offset: f64,
    /// 0 for the first solid, 1 for the second.
    pub owner: usize,
}

/// The half-spaces of the hull of at most 64 points, in their axes, each with the points on its plane as bits: planes through three points that have all others on one side.
pub fn half_spaces(points: &[Vec3]) -> Vec<(HalfSpace, u64)> {
    let size = points.iter().flat_map(|p| points.iter().map(move |q| (p - q).norm())).fold(0.0, f64::max);
    let near = 64.0 * f64::EPSILON * size;
    let mut found: Vec<(HalfSpace, u64, f64)> = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                let cross = (points[j] - points[i]).cross(&(points[k] - points[i]));
                let area = cross.norm();
                if area < 1e-15 * size * size {
                    continue;
                }
                let normal = cross / area;
                // Its own points are on it, whatever rounding says.
                let height = |m: usize| if [i, j, k].contains(&m) { 0.0 } else { normal.dot(&(points[m] - points[i])) };
                let heights: Vec<f64> = (0..points.len()).map(height).collect();
                let sign = if heights.iter().all(|h| *h <= near) {
                    1.0
                } else if heights.iter().all(|h| *h >= -near) {
                    -1.0
                } else {
                    continue;
                };
                let on = heights.iter().enumerate().filter(|(_, h)| h.abs() <= near).fold(0, |m, (i, _)| m | 1 << i);
                let plane = HalfSpace { normal: sign * normal, offset: sign * normal.dot(&points[i]), owner: 0 };
                match found.iter_mut().find(|f| f.1 == on) {
                    Some(known) if known.2 < area => *known = (plane, on, area),
                    Some(_) => {}
                    None => found.push((plane, on, area)),
                }
            }
        }
    }
    // A small triangle of a face may miss other points of it by its own rounding.
    let part = |on: u64| found.iter().any(|f| f.1 != on && f.1 & on == on);
    found.iter().filter(|f| !part(f.1)).map(|(plane, on, _)| (*plane, *on)).collect()
}

/// What a convex region is, relative to a centre that is near to it.
#[derive(Clone, Debug, Default)]
pub struct Region {
    pub volume: f64,
    /// ∫ x dV.
    pub first: Vec3,
    pub surface: f64,
    /// Sums of area vectors by owner.
    pub areas: [Vec3; 2],
    /// ½ Σ |area · m|, for the direction m that was asked for.
    pub projected: f64,
    /// 1 by the sine of the smallest angle of planes of different solids.
    pub condition: f64,
    /// Whether both solids have a face in the same plane, on the same side.
    pub shared: bool,
}

/// The planes of two solids, given in their own axes, in the world's axes about a centre.
pub fn placed(solids: [(&[HalfSpace], &Pose); 2], centre: &Vec3) -> Vec<HalfSpace> {
    let place = |(owner, (planes, pose)): (usize, (&[HalfSpace], &Pose))| {
        let away = pose.translation.vector - centre;
        let turned = planes.iter().map(|p| (pose.rotation * p.normal, p.offset)).collect::<Vec<_>>();
        turned.into_iter().map(move |(normal, offset)| HalfSpace { normal, offset: offset + normal.dot(&away), owner })
    };
    solids.into_iter().enumerate().flat_map(place).collect()
}

/// The region in all half-spaces, which reaches less than `reach` from the centre; planes nearer than `near` are the same.
pub fn region(mut planes: Vec<HalfSpace>, reach: f64, near: f64, direction: &Vec3) -> Region {
    let mut out = Region { condition: 1.0, ..Region::default() };
    let mut kept: Vec<HalfSpace> = Vec::new();
    for plane in planes.drain(..) {
        let same = |k: &HalfSpace| {
            k.owner != plane.owner
                && (k.normal - plane.normal).norm() * reach < near
                && (k.offset - plane.offset).abs() < near
        };
        if kept.iter().any(same) {
            out.shared = true;
        } else {
            kept.push(plane);
        }
    }
    // Lengths are measured from the region itself, or a small one far from the centre would be lost in rounding.
    let mut origin: Option<Vec3> = None;
    for (i, plane) in kept.iter().enumerate() {
        for other in &kept[..i] {
            let sine = plane.normal.cross(&other.normal).norm();
            if sine > 1e-12 {
                out.condition = out.condition.max(1.0 / sine);
            }
        }
        let polygon = face(&kept, i, reach);
        for j in 1..polygon.len().saturating_sub(1) {
            let [a, b, c] = [polygon[0], polygon[j], polygon[j + 1]];
            let vector = 0.5 * (b - a).cross(&(c - a));
            let from = *origin.get_or_insert(a);
            let tetrahedron = (a - from).dot(&vector) / 3.0;
            out.volume += tetrahedron;
            out.first += (a + b + c + from) * (tetrahedron / 4.0);
            out.surface += vector.norm();
            out.areas[plane.owner] += vector;
            out.projected += 0.5 * vector.dot(direction).abs();
        }
    }
    out
}

fn face(planes: &[HalfSpace], i: usize, reach: f64) -> Vec<Vec3> {
    let HalfSpace { normal, offset, .. } = planes[i];
    let least = (0..3).min_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs())).unwrap();
    let u = normal.cross(&Vec3::ith(least, 1.0)).normalize() * (2.0 * reach);
    let v = normal.cross(&u);
    let middle = normal * offset;
    let mut polygon = vec![middle - u - v, middle + u - v, middle + u + v, middle - u + v];
    for (j, plane) in planes.iter().enumerate() {
        if j == i {
            continue;
        }
        let before = std::mem::take(&mut polygon);
        let height = |p: &Vec3| plane.normal.dot(p) - plane.offset;
        for (k, p) in before.iter().enumerate() {
            let q = &before[(k + 1) % before.len()];
            let (hp, hq) = (height(p), height(q));
            if hp <= 0.0 {
                polygon.push(*p);
            }
            if (hp <= 0.0) != (hq <= 0.0) {
                polygon.push(p + (q - p) * (hp / (hp - hq)));
            }
        }
    }
    polygon
}
