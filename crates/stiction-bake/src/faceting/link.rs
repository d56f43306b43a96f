//! Which faces lie beside each other: over an edge of two faces, or over a T-junction.
//!
//! At a T-junction the corners of the faces on both sides of one line differ, so that no edge has two faces. An open edge is
//! linked to the open edges that lie on its line and are walked the other way, at each of four places along it.

use crate::diagnose::Mended;
use crate::diagnose::bvh::Bvh;
use crate::diagnose::edges::Edges;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// Places along an open edge at which others are looked for.
const SAMPLES: usize = 4;
/// Two open edges are one line if they are no further apart than this share of the shorter.
const APART: f64 = 1e-3;
/// The cosine of the largest angle between two open edges on one line.
const ASKEW: f64 = 0.9999;

/// A stretch of boundary between two faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub faces: [u32; 2],
    /// The stretch, in the direction in which the first face is walked.
    pub along: Vec3,
    /// Its middle.
    pub middle: Vec3,
}

/// An open edge, in the direction in which its face is walked.
struct Rim {
    face: u32,
    from: Vec3,
    along: Vec3,
    length: f64,
}

/// All links of the faces that are no sheets.
pub(super) fn find(mended: &Mended) -> Vec<Link> {
    let mesh = &mended.mesh;
    let point = |i: u32| mesh.points[i as usize];
    let edges = Edges::new(&mesh.faces);
    let (mut links, mut rims) = (Vec::new(), Vec::new());
    for group in edges.groups() {
        let first = group[0];
        let (from, to) = if first.forward { (first.lo, first.hi) } else { (first.hi, first.lo) };
        let (from, along) = (point(from), point(to) - point(from));
        let solid = group.iter().all(|u| !mended.sheet[u.face as usize]);
        match group {
            [a, b] if solid && a.forward != b.forward => {
                links.push(Link { faces: [a.face, b.face], along, middle: from + 0.5 * along });
            }
            [a] if solid && along.norm() > 0.0 => {
                let length = along.norm();
                rims.push(Rim { face: a.face, from, along: along / length, length });
            }
            _ => {}
        }
    }
    junctions(&rims, &mut links);
    links
}

/// Adds the links over T-junctions.
fn junctions(rims: &[Rim], links: &mut Vec<Link>) {
    let boxes: Vec<Aabb> = rims
        .iter()
        .map(|r| {
            let (to, margin) = (r.from + r.length * r.along, Vec3::repeat(APART * r.length));
            Aabb { min: r.from.inf(&to) - margin, max: r.from.sup(&to) + margin }
        })
        .collect();
    let bvh = Bvh::new(&boxes, (0..rims.len() as u32).collect());
    for (i, rim) in rims.iter().enumerate() {
        let stretch = rim.along * (rim.length / SAMPLES as f64);
        for k in 0..SAMPLES {
            let place = rim.from + stretch * (k as f64 + 0.5);
            let mut best = None::<(f64, u32)>;
            bvh.near(&Aabb { min: place, max: place }, |j| {
                let other = &rims[j as usize];
                let foot = (place - other.from).dot(&other.along);
                let apart = (other.from + foot * other.along - place).norm();
                let beside = j as usize != i
                    && rim.along.dot(&other.along) < -ASKEW
                    && (0.0..=other.length).contains(&foot)
                    && apart <= APART * rim.length.min(other.length);
                if beside && best.is_none_or(|b| (apart, j) < b) {
                    best = Some((apart, j));
                }
            });
            if let Some((_, j)) = best {
                links.push(Link { faces: [rim.face, rims[j as usize].face], along: stretch, middle: place });
            }
        }
    }
}
