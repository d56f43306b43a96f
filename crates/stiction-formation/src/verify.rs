//! An independent check of a formation: exhaustive distances between all elements, and a pose at which the formation is exact. It shares no code with `proximity`, `candidates`, `table` and
//! `identify`, uses no tolerance but those it is given, and allocates: for tests and studies, not for ticks.

use crate::contact::{Element, Formation, PrincipalContact};
use crate::placed::{Solids, moved};
use crate::polyhedron::Polyhedron;
use nalgebra::{DMatrix, DVector};
use stiction::spatial::{Frame, Pose, Vec3, Vec6};

/// What the check found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormationCheck {
    /// Smallest distance of the two parts (m), over all pairs of elements.
    pub parts: f64,
    /// Largest distance of the two elements of a contact (m).
    pub contacts: f64,
    /// What is left of the equations of all contacts at the nearest pose that fulfils them (m).
    pub residual: f64,
    /// How far the contact points move to get there (m).
    pub moved: f64,
    /// The smallest sine of the angle between an edge and a face there that the formation says do not lie in each other, or between two such faces.
    pub distinct: f64,
    /// The number of different directions of contact planes.
    pub directions: usize,
}

/// Checks a formation at a pose (B from A).
pub fn check(solids: &Solids, pose: &Pose, formation: &Formation) -> FormationCheck {
    let Solids { held, fixed, .. } = solids;
    let whole = |solid: &Polyhedron| -> Vec<Element> { (0..solid.faces.len() as u32).map(Element::Face).collect() };
    let mut parts = f64::INFINITY;
    for a in whole(held) {
        for b in whole(fixed) {
            parts = parts.min(distance(&shape(held, a, pose), &shape(fixed, b, &Pose::identity())));
        }
    }
    let apart = |c: &PrincipalContact| {
        let [a, b] = c.elements();
        distance(&shape(held, a, pose), &shape(fixed, b, &Pose::identity()))
    };
    let contacts = formation.touches().iter().map(|t| apart(&t.contact)).fold(0.0, f64::max);
    let exact = solve(solids, pose, formation);
    let residual = equations(solids, &exact, formation).amax();
    let went = |t: &crate::contact::Touch| {
        let on_held = moved(&pose.inverse(), &t.point);
        (moved(&exact, &on_held) - t.point).norm()
    };
    let moved = formation.touches().iter().map(went).fold(0.0, f64::max);
    let distinct = formation.touches().iter().map(|t| distinctness(solids, &exact, &t.contact)).fold(1.0, f64::min);
    let touches = formation.touches();
    let new = |i: &usize| !touches[..*i].iter().any(|t| t.normal.dot(&touches[*i].normal) > 0.9998);
    let directions = (0..touches.len()).filter(new).count();
    FormationCheck { parts, contacts, residual, moved, distinct, directions }
}

/// Convex polygons, segments or points that an element consists of, moved by a pose.
fn shape(solid: &Polyhedron, element: Element, pose: &Pose) -> Vec<Vec<Vec3>> {
    let put = |points: &[Vec3]| points.iter().map(|p| moved(pose, p)).collect();
    match element {
        Element::Face(f) => solid.faces[f as usize].pieces.iter().map(|piece| put(piece)).collect(),
        Element::Edge(e) => vec![put(&solid.ends(e))],
        Element::Vertex(v) => vec![put(&[solid.point(v)])],
    }
}

/// Distance of two elements that do not penetrate: of points from polygons both ways, and of sides from sides.
fn distance(one: &[Vec<Vec3>], two: &[Vec<Vec3>]) -> f64 {
    let mut least = f64::INFINITY;
    for p in one {
        for q in two {
            p.iter().for_each(|x| least = least.min(from_polygon(x, q)));
            q.iter().for_each(|x| least = least.min(from_polygon(x, p)));
            for s in sides(p) {
                sides(q).for_each(|t| least = least.min(between_segments(&s, &t)));
            }
        }
    }
    least
}

fn sides(polygon: &[Vec3]) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    let count = if polygon.len() == 2 { 1 } else { polygon.len() };
    (0..count).map(|i| [polygon[i], polygon[(i + 1) % polygon.len()]])
}

fn from_segment(x: &Vec3, [p, q]: &[Vec3; 2]) -> f64 {
    let d = q - p;
    let squared = d.norm_squared();
    let t = if squared > 0.0 { ((x - p).dot(&d) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (x - p - d * t).norm()
}

fn from_polygon(x: &Vec3, polygon: &[Vec3]) -> f64 {
    if polygon.len() >= 3 {
        let normal: Vec3 =
            (1..polygon.len() - 1).map(|i| (polygon[i] - polygon[0]).cross(&(polygon[i + 1] - polygon[0]))).sum();
        let inside = sides(polygon).all(|[p, q]| normal.dot(&(q - p).cross(&(x - p))) >= 0.0);
        if inside {
            return ((x - polygon[0]).dot(&normal) / normal.norm()).abs();
        }
    }
    sides(polygon).map(|s| from_segment(x, &s)).fold(f64::INFINITY, f64::min)
}

fn between_segments(s: &[Vec3; 2], t: &[Vec3; 2]) -> f64 {
    let ends = s.iter().map(|x| from_segment(x, t)).chain(t.iter().map(|x| from_segment(x, s)));
    let least = ends.fold(f64::INFINITY, f64::min);
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], s[0] - t[0]);
    let n = u.cross(&v);
    let squared = n.norm_squared();
    if squared > 1e-20 * u.norm_squared() * v.norm_squared() {
        // w + a u − b v = c n, by Cramer.
        let (a, b) = (v.cross(&w).dot(&n) / squared, u.cross(&w).dot(&n) / squared);
        if (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b) {
            return least.min(w.dot(&n).abs() / squared.sqrt());
        }
    }
    least
}

/// What the contacts ask of a pose, as distances (m): vertices of elements on planes, lines that meet.
fn equations(solids: &Solids, pose: &Pose, formation: &Formation) -> DVector<f64> {
    let Solids { held, fixed, .. } = solids;
    let inverse = pose.inverse();
    let mut out = Vec::new();
    for touch in formation.touches() {
        let ends = |solid: &Polyhedron, element: Element| -> Vec<Vec3> {
            match element {
                Element::Vertex(v) => vec![solid.point(v)],
                Element::Edge(e) => solid.ends(e).to_vec(),
                Element::Face(f) => spread_vertices(solid, f),
            }
        };
        match touch.contact.elements() {
            [Element::Edge(e), Element::Edge(k)] => {
                let ([p, q], [r, s]) = (held.ends(e).map(|x| moved(pose, &x)), fixed.ends(k));
                let n = (q - p).cross(&(s - r));
                out.push((p - r).dot(&n) / n.norm());
            }
            [a, Element::Face(g)] => {
                out.extend(ends(held, a).iter().map(|x| fixed.faces[g as usize].height(&moved(pose, x))))
            }
            [Element::Face(f), b] => {
                out.extend(ends(fixed, b).iter().map(|x| held.faces[f as usize].height(&moved(&inverse, x))))
            }
            _ => {}
        }
    }
    DVector::from_vec(out)
}

/// Three vertices of a face that are far from a line.
fn spread_vertices(solid: &Polyhedron, face: u32) -> Vec<Vec3> {
    let all: Vec<Vec3> = solid.faces[face as usize].vertices.iter().map(|v| solid.point(*v)).collect();
    let first = all[0];
    let far = |measure: &dyn Fn(&Vec3) -> f64| {
        all.iter().copied().max_by(|p, q| measure(p).total_cmp(&measure(q))).unwrap_or(first)
    };
    let second = far(&|p| (p - first).norm());
    let third = far(&|p| (p - first).cross(&(second - first)).norm());
    vec![first, second, third]
}

/// The pose nearest to a given one at which all contacts are exact: Gauss-Newton with differences, least steps.
fn solve(solids: &Solids, pose: &Pose, formation: &Formation) -> Pose {
    let centre = solids.held.centre;
    let radius = solids.held.radius;
    let at = |frame: &Frame| equations(solids, &frame.pose(&centre), formation);
    let mut frame = Frame::of(pose, &centre);
    for _ in 0..20 {
        let value = at(&frame);
        if value.is_empty() || value.amax() < 1e-13 {
            break;
        }
        let column = |i: usize| {
            // Rotations count by the radius, so that all columns are of one size.
            let scale = if i < 3 { 1.0 } else { 1.0 / radius };
            let step = 1e-7 * radius;
            let mut twist = Vec6::zeros();
            twist[i] = step * scale;
            (at(&frame.moved(&twist)) - at(&frame.moved(&-twist))) / (2.0 * step)
        };
        let columns: Vec<DVector<f64>> = (0..6).map(column).collect();
        let jacobian = DMatrix::from_columns(&columns);
        let Ok(step) = jacobian.svd(true, true).solve(&-value, 1e-6) else { break };
        let twist = Vec6::from_fn(|i, _| if i < 3 { step[i] } else { step[i] / radius });
        frame = frame.moved(&twist);
    }
    frame.pose(&centre)
}

/// How far a contact is from really being a larger one, at a pose: the smallest sine between what would have to be in one plane.
fn distinctness(solids: &Solids, pose: &Pose, contact: &PrincipalContact) -> f64 {
    let Solids { held, fixed, .. } = solids;
    let turned = |v: &Vec3| pose.rotation * v;
    let slope = |solid: &Polyhedron, element: Element, normal: &Vec3, turn: &dyn Fn(&Vec3) -> Vec3| match element {
        Element::Vertex(v) => {
            let edges = solid.vertices[v as usize]
                .edges
                .iter()
                .map(|e| turn(&solid.edges[*e as usize].direction).dot(normal).abs());
            edges.fold(1.0, f64::min)
        }
        Element::Edge(e) => solid.edges[e as usize].into.iter().map(|d| turn(d).dot(normal).abs()).fold(1.0, f64::min),
        Element::Face(_) => 1.0,
    };
    match contact.elements() {
        [Element::Edge(e), Element::Edge(k)] => {
            let n = turned(&held.edges[e as usize].direction).cross(&fixed.edges[k as usize].direction).normalize();
            slope(held, Element::Edge(e), &n, &turned).min(slope(fixed, Element::Edge(k), &n, &|v| *v))
        }
        [a, Element::Face(g)] => slope(held, a, &fixed.faces[g as usize].normal, &turned),
        [Element::Face(f), b] => slope(fixed, b, &turned(&held.faces[f as usize].normal), &|v| *v),
        _ => 1.0,
    }
}
