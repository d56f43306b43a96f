//! Facets, which are faces joined as far as they lie in one plane, and the creases between them.

use super::HollowEdge;
use super::link::Link;
use crate::Mesh;
use crate::diagnose::weld::is_needle;
use std::collections::BTreeMap;
use stiction::spatial::Vec3;

/// Faces whose normals differ by less than this are in one plane (rad): 0.3°.
const FLAT: f64 = 0.3 * std::f64::consts::PI / 180.0;
/// Creases of a larger angle than this are edges of the part (rad): 40°.
const SHARP: f64 = 40.0 * std::f64::consts::PI / 180.0;
/// Two facets are halves of a warped one if the angle between them is at most this share of their sharpest crease.
const WARP: f64 = 0.25;
/// Facets of more corners than this are told by their outermost ones.
const MOST_CORNERS: usize = 64;
/// Directions in which the outermost corners are looked for.
const DIRECTIONS: usize = 32;
/// The facet of a face that has none.
const NONE: u32 = u32::MAX;

/// Faces in one plane.
pub(super) struct Facet {
    /// The unit normal.
    pub normal: Vec3,
    /// The middle of the area.
    pub middle: Vec3,
    /// The area (m²).
    pub area: f64,
    /// All corners, or the outermost.
    pub corners: Vec<Vec3>,
}

/// A smooth concave crease, as seen from one of its two facets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crease {
    /// The facet on the other side.
    pub other: u32,
    /// The unit vector across the crease, in the facet's plane and out of the facet.
    pub across: Vec3,
    /// The same for the facet on the other side.
    pub across_other: Vec3,
    /// A point on the crease, in its middle.
    pub middle: Vec3,
    /// The angle between the facets (rad).
    pub angle: f64,
}

/// The facets of a mesh.
pub(super) struct Facets {
    /// For every face its facet, or [`NONE`].
    pub of: Vec<u32>,
    pub all: Vec<Facet>,
}

impl Facets {
    /// Joins faces over links, from the largest face on. A face joins if its normal is that of the first face of the facet to
    /// within 0.3°, or if its corners lie in the plane to within `tolerance`, which is the rounding of coordinates. So facets are
    /// flat, and a finely divided bore does not become one. Faces without area join any facet.
    pub fn new(mesh: &Mesh, sheet: &[bool], links: &[Link], tolerance: f64) -> Self {
        let count = mesh.faces.len();
        let needle: Vec<bool> = mesh.triangles().map(is_needle).collect();
        let crosses: Vec<Vec3> = mesh.triangles().map(|[a, b, c]| (b - a).cross(&(c - a))).collect();
        let sizes: Vec<f64> = crosses.iter().map(|c| c.norm()).collect();
        let neighbours = Neighbours::new(count, links);
        let mut order: Vec<u32> = (0..count as u32).filter(|&f| !needle[f as usize] && !sheet[f as usize]).collect();
        order.sort_by(|&a, &b| sizes[b as usize].total_cmp(&sizes[a as usize]).then(a.cmp(&b)));
        let mut out = Facets { of: vec![NONE; count], all: Vec::new() };
        let mut faces = Vec::new();
        for seed in order {
            if out.of[seed as usize] != NONE || !(sizes[seed as usize] > 0.0) {
                continue;
            }
            let (normal, corner) = (crosses[seed as usize] / sizes[seed as usize], mesh.triangle(seed as usize)[0]);
            let joins = |f: usize| {
                let along = crosses[f].dot(&normal);
                let turned = crosses[f].cross(&normal).norm();
                let near = |p: Vec3| (p - corner).dot(&normal).abs() <= tolerance;
                needle[f]
                    || (along > 0.0 && turned <= FLAT * along)
                    || (along > 0.9 * sizes[f] && mesh.triangle(f).into_iter().all(near))
            };
            let number = out.all.len() as u32;
            faces.clear();
            faces.push(seed);
            out.of[seed as usize] = number;
            let mut next = 0;
            while next < faces.len() {
                for &other in neighbours.of(faces[next]) {
                    if out.of[other as usize] == NONE && joins(other as usize) {
                        out.of[other as usize] = number;
                        faces.push(other);
                    }
                }
                next += 1;
            }
            out.all.push(Facet::new(mesh, &faces, &crosses, normal));
        }
        out
    }

    /// The same facets, with pairs of them joined that are halves of one slightly warped quadrilateral: each is one triangle, and the crease between
    /// them is at most a quarter as sharp as the sharpest smooth concave crease of either. The flattest creases go first, and no facet is joined twice.
    pub fn paired(self, mesh: &Mesh, links: &[Link]) -> Self {
        let borders = self.borders(links);
        let mut sharpest = vec![0.0f64; self.all.len()];
        for border in borders.iter().filter(|b| b.bends()) {
            border.facets.iter().for_each(|&f| sharpest[f as usize] = sharpest[f as usize].max(border.angle));
        }
        let mut faces = vec![0u32; self.all.len()];
        self.of.iter().filter(|f| **f != NONE).for_each(|&f| faces[f as usize] += 1);
        let triangles = |b: &Border| b.facets.iter().all(|&f| faces[f as usize] == 1);
        let flat = |b: &&Border| {
            triangles(b) && b.angle <= WARP * sharpest[b.facets[0] as usize].min(sharpest[b.facets[1] as usize])
        };
        let mut pairs: Vec<&Border> = borders.iter().filter(flat).collect();
        pairs.sort_by(|a, b| a.angle.total_cmp(&b.angle).then(a.facets.cmp(&b.facets)));
        if pairs.is_empty() {
            return self;
        }
        let mut partner = vec![NONE; self.all.len()];
        for &&Border { facets: [a, b], .. } in &pairs {
            if partner[a as usize] == NONE && partner[b as usize] == NONE {
                (partner[a as usize], partner[b as usize]) = (b, a);
            }
        }
        // The lower number of a pair is the pair's.
        let join = |f: u32| if f == NONE { NONE } else { f.min(partner[f as usize]) };
        let of: Vec<u32> = self.of.iter().map(|&f| join(f)).collect();
        let mut faces = vec![Vec::new(); self.all.len()];
        for (face, &facet) in (0u32..).zip(&of).filter(|(_, f)| **f != NONE) {
            faces[facet as usize].push(face);
        }
        let crosses: Vec<Vec3> = mesh.triangles().map(|[a, b, c]| (b - a).cross(&(c - a))).collect();
        let mut all = self.all;
        for (f, facet) in all.iter_mut().enumerate() {
            if partner[f] != NONE && !faces[f].is_empty() {
                *facet = Facet::new(mesh, &faces[f], &crosses, facet.normal);
            }
        }
        Facets { of, all }
    }

    /// The smooth concave creases of every facet, in the order of the other facet's number.
    pub fn creases(&self, links: &[Link]) -> Vec<Vec<Crease>> {
        let mut creases = vec![Vec::new(); self.all.len()];
        for Border { facets: [a, b], across: [across, across_other], middle, angle, .. } in
            self.borders(links).into_iter().filter(Border::bends)
        {
            creases[a as usize].push(Crease { other: b, across, across_other, middle, angle });
            creases[b as usize].push(Crease { other: a, across: across_other, across_other: across, middle, angle });
        }
        creases
    }

    /// For every facet the facets that it meets at smooth creases, hollow or not, and by how much the surface turns there: the crease's angle times its length (rad m), negative where the
    /// surface bulges.
    pub fn turning(&self, links: &[Link]) -> Vec<Vec<(u32, f64)>> {
        let mut out = vec![Vec::new(); self.all.len()];
        for border in self.borders(links).into_iter().filter(|b| b.angle <= SHARP && (b.concave || b.convex)) {
            let turning = border.angle * border.length * if border.concave { 1.0 } else { -1.0 };
            let [a, b] = border.facets;
            out[a as usize].push((b, turning));
            out[b as usize].push((a, turning));
        }
        out
    }

    /// The stretches of sharp edges at which facets look towards each other.
    pub fn hollow_edges(&self, links: &[Link]) -> Vec<HollowEdge> {
        let edge = |link: &Link| {
            let [a, b] = link.faces.map(|f| self.of[f as usize]);
            if a == b || a == NONE || b == NONE {
                return None;
            }
            let [n, o] = [a, b].map(|f| self.all[f as usize].normal);
            let across = link.along.cross(&n);
            let angle = libm::atan2(n.cross(&o).norm(), n.dot(&o));
            let half = 0.5 * link.along;
            let ends = [link.middle - half, link.middle + half];
            (o.dot(&across) < 0.0 && angle > SHARP).then_some(HollowEdge { ends, angle })
        };
        links.iter().filter_map(edge).collect()
    }

    /// Everywhere that two facets meet, in the order of their numbers.
    fn borders(&self, links: &[Link]) -> Vec<Border> {
        // For each pair of facets, the lower first: the sum of the stretches between them, of their lengths, and of their middles by length.
        let mut between: BTreeMap<[u32; 2], (Vec3, f64, Vec3)> = BTreeMap::new();
        for link in links {
            let [a, b] = link.faces.map(|f| self.of[f as usize]);
            if a != b && a != NONE && b != NONE {
                let sum = between.entry([a.min(b), a.max(b)]).or_insert((Vec3::zeros(), 0.0, Vec3::zeros()));
                let length = link.along.norm();
                sum.0 += if a < b { link.along } else { -link.along };
                sum.1 += length;
                sum.2 += link.middle * length;
            }
        }
        let border = |(facets, (along, length, middle)): ([u32; 2], (Vec3, f64, Vec3))| {
            let [n, o] = facets.map(|f| self.all[f as usize].normal);
            let along = along.try_normalize(0.1 * length)?;
            let across = [along.cross(&n).try_normalize(0.5)?, o.cross(&along).try_normalize(0.5)?];
            let angle = libm::atan2(n.cross(&o).norm(), n.dot(&o));
            let concave = o.dot(&across[0]) < 0.0 && n.dot(&across[1]) < 0.0;
            let convex = o.dot(&across[0]) > 0.0 && n.dot(&across[1]) > 0.0;
            Some(Border { facets, across, middle: middle / length, length, angle, concave, convex })
        };
        between.into_iter().filter_map(border).collect()
    }
}

/// Where two facets meet.
struct Border {
    facets: [u32; 2],
    /// Across the border, out of each facet and in its plane.
    across: [Vec3; 2],
    middle: Vec3,
    length: f64,
    angle: f64,
    concave: bool,
    convex: bool,
}

impl Border {
    /// Whether it is a smooth concave crease.
    fn bends(&self) -> bool {
        self.concave && (FLAT..=SHARP).contains(&self.angle)
    }
}

impl Facet {
    fn new(mesh: &Mesh, faces: &[u32], crosses: &[Vec3], first: Vec3) -> Self {
        let (mut sum, mut weight, mut middle) = (Vec3::zeros(), 0.0, Vec3::zeros());
        for &f in faces {
            let [a, b, c] = mesh.triangle(f as usize);
            let size = crosses[f as usize].norm();
            sum += crosses[f as usize];
            weight += size;
            middle += (a + b + c) * (size / 3.0);
        }
        let normal = sum.try_normalize(0.0).unwrap_or(first);
        let mut numbers: Vec<u32> = faces.iter().flat_map(|&f| mesh.faces[f as usize]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut corners: Vec<Vec3> = numbers.iter().map(|&i| mesh.points[i as usize]).collect();
        if corners.len() > MOST_CORNERS {
            corners = outermost(&corners, normal);
        }
        Facet { normal, middle: middle / weight, area: 0.5 * weight, corners }
    }

    /// How far the facet reaches from a crease (m).
    pub fn width(&self, across: Vec3, middle: Vec3) -> f64 {
        self.corners.iter().map(|c| across.dot(&(middle - c))).fold(0.0, f64::max)
    }
}

/// The outermost points in directions all around, in a plane.
fn outermost(points: &[Vec3], normal: Vec3) -> Vec<Vec3> {
    let helper = if normal.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
    let u = normal.cross(&helper);
    let v = normal.cross(&u);
    let farthest = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / DIRECTIONS as f64;
        let direction = u * libm::cos(angle) + v * libm::sin(angle);
        let reach = |p: &Vec3| p.dot(&direction);
        points.iter().copied().reduce(|best, p| if reach(&p) > reach(&best) { p } else { best })
    };
    (0..DIRECTIONS).filter_map(farthest).collect()
}

/// The faces beside each face.
struct Neighbours {
    starts: Vec<u32>,
    faces: Vec<u32>,
}

impl Neighbours {
    fn new(count: usize, links: &[Link]) -> Self {
        let mut starts = vec![0u32; count + 1];
        for link in links {
            link.faces.iter().for_each(|&f| starts[f as usize + 1] += 1);
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut faces = vec![0; 2 * links.len()];
        for link in links {
            for (me, other) in [(link.faces[0], link.faces[1]), (link.faces[1], link.faces[0])] {
                faces[next[me as usize] as usize] = other;
                next[me as usize] += 1;
            }
        }
        Neighbours { starts, faces }
    }

    fn of(&self, face: u32) -> &[u32] {
        &self.faces[self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize]
    }
}
