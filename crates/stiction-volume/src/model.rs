//! What never changes while an engine runs: bodies, their convex parts, which of those cover each other, and which bodies do not touch.

use crate::body::{Body, BodyMotion};
use crate::error::VolumeError;
use crate::geometry::{Convex, GjkMemory, Plane, Proximity, proximity};
use std::ops::Range;
use stiction::spatial::{Mat3, Pose, Vec3};

/// Distance of two convex parts of a body, in units of the body's size, up to which they touch.
const TOUCH: f64 = 1e-6;

/// A convex part of a body.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The number of its body.
    pub body: usize,
    /// Its shape in the body's axes.
    pub convex: Convex,
    /// By face: the numbers of the parts of the same body that touch this one and reach beyond the face's plane. They may cover the face.
    pub covers: Vec<Vec<u32>>,
    /// Parts of the same body that touch this one.
    pub beside: Vec<u32>,
    /// Twice the volume by area of the surface: the thickness of a plate (m).
    pub thickness: f64,
}

/// A body with what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct ModelBody {
    /// How it moves while no device is it.
    pub motion: BodyMotion,
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the body's axes (m).
    pub centre: Vec3,
    /// Moments of inertia about the centre, in the body's axes (kg m²), and their inverse.
    pub inertia: Mat3,
    pub inverse_inertia: Mat3,
    /// The numbers of its convex parts.
    pub pieces: Range<usize>,
    /// Largest distance of a corner from the centre (m).
    pub radius: f64,
    /// Thickness of its thinnest part (m).
    pub thinnest: f64,
    /// The largest inverse mass that a force at one of its corners meets (1/kg).
    pub worst_inverse_mass: f64,
}

/// All bodies of an engine.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub bodies: Vec<ModelBody>,
    pub pieces: Vec<Piece>,
    /// Pairs of bodies, the smaller number first, that do not touch each other; sorted.
    pub apart: Vec<[usize; 2]>,
    /// Most faces that a part has.
    pub most_faces: usize,
}

impl ModelBody {
    /// Inverse of the mass (1/kg); zero for a body that never moves.
    pub fn inverse_mass(&self) -> f64 {
        if self.motion == BodyMotion::Free { 1.0 / self.mass } else { 0.0 }
    }
}

impl Model {
    pub fn new(bodies: &[Body]) -> Result<Model, VolumeError> {
        if bodies.is_empty() {
            return Err(VolumeError::NoBodies);
        }
        let mut model = Model { bodies: Vec::new(), pieces: Vec::new(), apart: Vec::new(), most_faces: 0 };
        for (number, body) in bodies.iter().enumerate() {
            let first = model.pieces.len();
            if body.pieces.is_empty() {
                return Err(VolumeError::NoPieces(number));
            }
            check(number, body)?;
            for (i, convex) in body.pieces.iter().enumerate() {
                model.pieces.push(piece(number, &body.pieces, i, convex, first));
                model.most_faces = model.most_faces.max(convex.planes().len());
            }
            model.bodies.push(model_body(number, body, first..model.pieces.len(), &model.pieces[first..])?);
        }
        Ok(model)
    }

    /// Whether two bodies may touch.
    pub fn touch(&self, a: usize, b: usize) -> bool {
        let free = |i: usize| self.bodies[i].motion == BodyMotion::Free;
        (free(a) || free(b)) && self.apart.binary_search(&[a.min(b), a.max(b)]).is_err()
    }

    /// Whether a face of a part is covered by another part of its body where the point is that lies on it (in the body's axes).
    pub fn covered(&self, piece: usize, face: usize, point: &Vec3) -> bool {
        let piece = &self.pieces[piece];
        let (Some(covers), Some(plane)) = (piece.covers.get(face), piece.convex.planes().get(face)) else {
            return false;
        };
        self.inside(covers, piece.body, point, &plane.normal)
    }

    /// Whether a way out of a part, from a point of its surface in a direction (in the body's axes), leads into another part of its body, or along its surface.
    pub fn leads_inside(&self, piece: usize, point: &Vec3, direction: &Vec3) -> bool {
        let own = &self.pieces[piece];
        self.inside(&own.beside, own.body, point, direction)
    }

    /// Whether one of some parts of a body has a step from a point in a direction inside of it, by no more than a step nearer to its surface than straight out.
    fn inside(&self, pieces: &[u32], body: usize, point: &Vec3, direction: &Vec3) -> bool {
        let step = TOUCH * self.bodies[body].radius;
        let beyond = point + direction * (10.0 * step);
        let within = |p: &Plane| p.normal.dot(&beyond) <= p.offset + 9.0 * step;
        pieces.iter().any(|i| self.pieces[*i as usize].convex.planes().iter().all(within))
    }
}

fn check(number: usize, body: &Body) -> Result<(), VolumeError> {
    let positive = |what: String, value: f64| {
        if value > 0.0 && value.is_finite() { Ok(()) } else { Err(VolumeError::NotPositive { what, value }) }
    };
    if body.motion == BodyMotion::Free {
        positive(format!("the mass of body {number}"), body.mass)?;
    }
    let pose = body.world_from_body.to_homogeneous();
    let finite = pose.iter().chain(body.twist.iter()).all(|x| x.is_finite());
    if !finite {
        return Err(VolumeError::NotFinite { what: format!("the pose or velocity of body {number}") });
    }
    Ok(())
}

fn piece(body: usize, all: &[Convex], own: usize, convex: &Convex, first: usize) -> Piece {
    let here = Pose::identity();
    let size = all.iter().map(Convex::radius).fold(0.0, f64::max);
    let touches = |other: &Convex| match proximity(convex, &here, other, &here, &mut GjkMemory::default()) {
        Proximity::Apart { distance, .. } => distance <= TOUCH * size,
        Proximity::Together { .. } => true,
    };
    let beside: Vec<usize> = (0..all.len()).filter(|i| *i != own && touches(&all[*i])).collect();
    let beyond = |plane: &Plane, other: &Convex| {
        other.points().iter().any(|p| plane.normal.dot(p) > plane.offset + TOUCH * size)
    };
    let number = |i: &usize| (first + i) as u32;
    let covers = |plane: &Plane| beside.iter().filter(|i| beyond(plane, &all[**i])).map(number).collect::<Vec<_>>();
    let area: f64 = (0..convex.planes().len()).map(|f| face_area(convex, f)).sum();
    Piece {
        body,
        covers: convex.planes().iter().map(covers).collect(),
        beside: beside.iter().map(number).collect(),
        thickness: 2.0 * convex.volume() / area,
        convex: convex.clone(),
    }
}

fn face_area(convex: &Convex, face: usize) -> f64 {
    let at = |i: u32| convex.points()[i as usize];
    let corners = convex.face(face);
    let [first, rest @ ..] = corners else { return 0.0 };
    let twice: Vec3 = rest.windows(2).map(|w| (at(w[0]) - at(*first)).cross(&(at(w[1]) - at(*first)))).sum();
    0.5 * twice.norm()
}

fn model_body(number: usize, body: &Body, pieces: Range<usize>, own: &[Piece]) -> Result<ModelBody, VolumeError> {
    let (centre, inertia) = body.mass_properties();
    let fixed = body.motion == BodyMotion::Fixed;
    let inverse_inertia = match inertia.try_inverse() {
        Some(inverse) if inverse.iter().all(|x| x.is_finite()) && inertia.cholesky().is_some() => inverse,
        _ if fixed => Mat3::zeros(),
        _ => {
            let value = inertia.symmetric_eigenvalues().min();
            return Err(VolumeError::NotPositive { what: format!("a moment of inertia of body {number}"), value });
        }
    };
    let corners = || own.iter().flat_map(|p| p.convex.points()).map(|p| p - centre);
    let radius = corners().map(|p| p.norm()).fold(0.0, f64::max);
    let worst = corners().map(|p| turning_inverse_mass(&inverse_inertia, &squares(&p))).fold(0.0, f64::max);
    Ok(ModelBody {
        motion: body.motion,
        mass: body.mass,
        centre,
        inertia,
        inverse_inertia,
        pieces,
        radius,
        thinnest: own.iter().map(|p| p.thickness).fold(f64::INFINITY, f64::min),
        worst_inverse_mass: if fixed { 0.0 } else { 1.0 / body.mass + worst },
    })
}

/// |p|² 1 − p pᵀ.
pub(crate) fn squares(p: &Vec3) -> Mat3 {
    Mat3::identity() * p.norm_squared() - p * p.transpose()
}

/// A bound of the largest eigenvalue of I⁻¹ G, where G is the mean of [`squares`] over a contact area: how much of a force there goes into rotation, as an inverse mass (1/kg).
/// Of three real numbers none is larger than their mean plus √2 times their standard deviation, and both follow from traces, which do not depend on axes.
pub(crate) fn turning_inverse_mass(inverse_inertia: &Mat3, g: &Mat3) -> f64 {
    let product = inverse_inertia * g;
    let mean = product.trace() / 3.0;
    let variance = (product * product).trace() / 3.0 - mean * mean;
    mean + (2.0 * variance.max(0.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_turning_is_above_the_largest_eigenvalue_and_near_it() {
        let mut seed = 9u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for _ in 0..1000 {
            let root = Mat3::from_fn(|_, _| random());
            let inertia = root * root.transpose() + Mat3::identity() * 0.01;
            let inverse = inertia.try_inverse().unwrap();
            let g = (0..4).map(|_| squares(&Vec3::from_fn(|_, _| random()))).sum::<Mat3>() / 4.0;
            let largest = (inverse * g).complex_eigenvalues().iter().map(|z| z.re).fold(0.0, f64::max);
            let bound = turning_inverse_mass(&inverse, &g);
            assert!(bound >= largest * (1.0 - 1e-9) && bound <= 1.6 * largest, "{bound} {largest}");
        }
    }
}
