//! The common part of two convex polyhedra.
//!
//! Source: section 4.3 of the paper: the half-spaces of both polyhedra, and from them vertices and faces by way of the dual hull; see [`Cell`] for the dual and for coincident planes.
//!
//! Deviations:
//! * The dual hull is not begun with nothing but with the hull of the smaller polyhedron, which is known, in its axes. So coordinates are as small as they can be, a cube in a wide floor keeps its
//!   digits, and no common point is needed; the paper takes one from GJK, on which the accuracy of its dual depends.
//! * Planes of the larger polyhedron that cannot cut the bounding box of the smaller one are left out. The others come in the order of their distance from its centre: the first ones cut away most.
//! * Faces where both polyhedra have the same plane belong to the smaller one; to the first of two that are equal in size.

use super::cell::{Cell, Cut, CutResult, NONE};
use super::convex::Convex;
use crate::buffer::Buffer;
use stiction::spatial::{Mat3, Pose, Vec3};

/// Rounding of the distance of a point from a plane, in units of the lengths that it is computed from.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Which of two polyhedra a face belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The first.
    A,
    /// The second.
    B,
}

/// A face of the common part of two polyhedra.
#[derive(Clone, Copy, Debug)]
pub struct IntersectionFace<'a> {
    /// The polyhedron whose face this is a part of.
    pub owner: Owner,
    /// The number of that face.
    pub face: u32,
    /// Unit vector out of the common part, in the world.
    pub normal: Vec3,
    /// The area (m²).
    pub area: f64,
    /// Numbers of at least three vertices, counter-clockwise from outside.
    pub corners: &'a [u32],
}

#[derive(Clone, Copy, Debug)]
struct FaceRecord {
    owner: Owner,
    face: u32,
    normal: Vec3,
    area: f64,
    corners: [u32; 2],
}

/// A plane of the larger polyhedron that may cut the smaller one.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    cut: Cut,
    /// How far the centre of the smaller polyhedron is beyond the plane (m).
    beyond: f64,
    face: u32,
}

/// The common part of two convex polyhedra, and the memory to find it.
#[derive(Clone, Debug)]
pub struct IntersectionWorkspace {
    cell: Cell,
    candidates: Buffer<Candidate>,
    /// The face of the larger polyhedron for every plane that became a face.
    added: Buffer<u32>,
    /// By vertex of the cell: its number among the vertices.
    numbers: Buffer<u32>,
    vertices: Buffer<Vec3>,
    corners: Buffer<u32>,
    faces: Buffer<FaceRecord>,
    volume: f64,
    centroid: Vec3,
}

impl IntersectionWorkspace {
    /// Memory for two polyhedra that have at most so many faces together.
    pub fn new(most_planes: usize) -> Self {
        let vertices = 2 * most_planes;
        IntersectionWorkspace {
            cell: Cell::new(most_planes),
            candidates: Buffer::with_capacity(most_planes),
            added: Buffer::with_capacity(most_planes),
            numbers: Buffer::with_capacity(vertices),
            vertices: Buffer::with_capacity(vertices),
            corners: Buffer::with_capacity(6 * most_planes),
            faces: Buffer::with_capacity(most_planes),
            volume: 0.0,
            centroid: Vec3::zeros(),
        }
    }

    /// Finds the common part of two polyhedra. Returns false if it has no interior, that is, none that is thicker than rounding errors, or if the polyhedra have more faces than there is memory for;
    /// there are no vertices and faces then. Allocates nothing.
    pub fn intersect(&mut self, a: &Convex, world_from_a: &Pose, b: &Convex, world_from_b: &Pose) -> bool {
        self.clear();
        if a.planes().len() + b.planes().len() > self.candidates.capacity() {
            return false;
        }
        let found = if a.radius() <= b.radius() {
            self.cut(a, world_from_a, Owner::A, b, world_from_b, Owner::B)
        } else {
            self.cut(b, world_from_b, Owner::B, a, world_from_a, Owner::A)
        };
        if !found {
            self.clear();
        }
        found
    }

    /// The vertices of the common part, in the world (m). Some may coincide.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The number of faces of the common part.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// A face of the common part.
    ///
    /// # Panics
    /// If there is no such face.
    pub fn face(&self, face: usize) -> IntersectionFace<'_> {
        self.shown(&self.faces[face])
    }

    /// The faces of the common part.
    pub fn faces(&self) -> impl Iterator<Item = IntersectionFace<'_>> {
        self.faces.iter().map(|record| self.shown(record))
    }

    /// The volume of the common part (m³).
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The centre of the volume of the common part, in the world (m).
    pub fn centroid(&self) -> Vec3 {
        self.centroid
    }

    fn shown(&self, record: &FaceRecord) -> IntersectionFace<'_> {
        let &FaceRecord { owner, face, normal, area, corners: [from, to] } = record;
        IntersectionFace { owner, face, normal, area, corners: &self.corners[from as usize..to as usize] }
    }

    fn clear(&mut self) {
        self.vertices.clear();
        self.corners.clear();
        self.faces.clear();
        self.volume = 0.0;
        self.centroid = Vec3::zeros();
    }

    /// Cuts the small polyhedron with the planes of the large one.
    fn cut(
        &mut self,
        small: &Convex,
        world_from_small: &Pose,
        small_owner: Owner,
        large: &Convex,
        world_from_large: &Pose,
        large_owner: Owner,
    ) -> bool {
        let small_rotation = world_from_small.rotation.to_rotation_matrix().into_inner();
        let large_rotation = world_from_large.rotation.to_rotation_matrix().into_inner();
        let rotation = small_rotation.tr_mul(&large_rotation);
        let shift = small_rotation.tr_mul(&(world_from_large.translation.vector - world_from_small.translation.vector));
        if !self.choose(small, large, &rotation, &shift) || !self.cell.start(small.graph(), small.points()) {
            return false;
        }
        self.added.clear();
        let mut rounding = ROUNDING * small.radius();
        for candidate in self.candidates.iter() {
            match self.cell.cut(&candidate.cut) {
                CutResult::Unchanged => {}
                CutResult::Smaller => self.added.push(candidate.face),
                CutResult::Empty => return false,
            }
            rounding = rounding.max(candidate.cut.tolerance);
        }
        self.show(small, &small_rotation, small_owner, large, &large_rotation, large_owner, rounding);
        let area: f64 = self.faces.iter().map(|f| f.area).sum();
        let origin = world_from_small.translation.vector;
        self.vertices.iter_mut().for_each(|v| *v = small_rotation * *v + origin);
        self.centroid = small_rotation * self.centroid + origin;
        // A film has half of the area on either side: its thickness is 2 V / area.
        self.volume > rounding * area
    }

    /// Lists the planes of the large polyhedron that may cut the small one, in the axes of the small one, those first that cut most. Returns false if one of them leaves nothing.
    fn choose(&mut self, small: &Convex, large: &Convex, rotation: &Mat3, shift: &Vec3) -> bool {
        let (centre, half) = (small.centre(), 0.5 * (small.upper() - small.lower()));
        let extent = small.radius() + centre.amax();
        self.candidates.clear();
        for (face, plane) in large.planes().iter().enumerate() {
            let normal = rotation * plane.normal;
            let away = normal.dot(shift);
            let offset = plane.offset + away;
            let tolerance = ROUNDING * (plane.offset.abs() + away.abs() + extent);
            let beyond = normal.dot(&centre) - offset;
            let reach = normal.abs().dot(&half);
            if beyond > reach {
                return false;
            }
            if beyond + reach > tolerance {
                let cut = Cut { normal, offset, tolerance };
                self.candidates.push(Candidate { cut, beyond, face: face as u32 });
            }
        }
        self.candidates.sort_unstable_by(|a, b| b.beyond.total_cmp(&a.beyond).then(a.face.cmp(&b.face)));
        true
    }

    /// Lists vertices, in the axes of the small polyhedron, and faces, and sums volume and centroid.
    #[allow(clippy::too_many_arguments)]
    fn show(
        &mut self,
        small: &Convex,
        small_rotation: &Mat3,
        small_owner: Owner,
        large: &Convex,
        large_rotation: &Mat3,
        large_owner: Owner,
        rounding: f64,
    ) {
        let (graph, points) = (self.cell.graph(), self.cell.points());
        self.numbers.clear();
        let mut mean = Vec3::zeros();
        for point in points {
            let there = point.x.is_finite();
            self.numbers.push(if there { self.vertices.len() as u32 } else { NONE });
            if there {
                self.vertices.push(*point);
                mean += point;
            }
        }
        mean /= self.vertices.len().max(1) as f64;
        let (mut sixfold, mut first) = (0.0, Vec3::zeros());
        for f in 0..graph.first.len() {
            let start = self.corners.len();
            for v in graph.corners(f as u32) {
                let new = |c: &u32| (self.vertices[*c as usize] - points[v as usize]).amax() > rounding;
                if self.corners[start..].last().is_none_or(new) {
                    self.corners.push(self.numbers[v as usize]);
                }
            }
            let ends = &self.corners[start..];
            if let [from, .., to] = ends
                && (self.vertices[*from as usize] - self.vertices[*to as usize]).amax() <= rounding
            {
                self.corners.pop();
            }
            let corners = &self.corners[start..];
            if corners.len() < 3 {
                self.corners.truncate(start);
                continue;
            }
            let (owner, face, normal) = match self.added.get(f.wrapping_sub(small.planes().len())) {
                Some(face) => (large_owner, *face, large_rotation * large.planes()[*face as usize].normal),
                None => (small_owner, f as u32, small_rotation * small.planes()[f].normal),
            };
            let across = if owner == small_owner { small.planes()[f].normal } else { small_rotation.tr_mul(&normal) };
            let at = |j: usize| self.vertices[corners[j] as usize] - mean;
            let (from, mut doubled) = (at(0), Vec3::zeros());
            // Height over the middle times area, each along the plane's own normal: that of corners, as in a triple product, has few digits where the part is a needle.
            let height = across.dot(&from);
            for j in 1..corners.len() - 1 {
                let (p, q) = (at(j), at(j + 1));
                let cross = (p - from).cross(&(q - from));
                let det = height * across.dot(&cross);
                doubled += cross;
                sixfold += det;
                first += (from + p + q) * det;
            }
            let corners = [start as u32, self.corners.len() as u32];
            self.faces.push(FaceRecord { owner, face, normal, area: 0.5 * doubled.norm(), corners });
        }
        self.volume = sixfold / 6.0;
        self.centroid = if sixfold > 0.0 { mean + first / (4.0 * sixfold) } else { mean };
    }
}
