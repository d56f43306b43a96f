//! The faces, and parts of faces, that really bound a solid made of overlapping solids.
//!
//! A soup of overlapping solids is their union: the points with winding number w > 1/2. Faces of one solid inside another
//! have w > 1/2 on both sides; distances and volumes must not see them. Derivation: at a point x inside a face f that no
//! other face meets there, the face itself adds +1/2 to w just behind it and −1/2 just before it. With faces g that
//! coincide with f at x, and s = +1 if g looks the way of f, −1 if the other way,
//!
//! ```text
//! w before f = w(all others, at x) − (1 + Σ s)/2,      w behind f = w before f + 1 + Σ s
//!
//! f is buried at x     if w before f > 1/2
//! f is a copy at x     if a coincident face with s = 1 has a lower number
//! ```
//!
//! What looks into the solid is no boundary; that takes away both of two touching walls, and leaves one of two that
//! lie over each other. Nothing else goes: a face with w ≤ 1/2 on both sides, as at the rim of a large hole, stays. There
//! is no probe beside the surface, so thin walls and narrow gaps need no care.
//!
//! 1. Segments along which others meet each face (`contact`).
//! 2. Faces that none meets, joined over edges of two faces, have one answer: asked at some of them, and at all of them
//!    should those disagree, which can only be where the mesh has holes and w is no whole number.
//! 3. Others are cut along the segments (`cut`), and every piece is asked for.
//!
//! In a closed mesh w is counted along a ray (`ray`), in one with holes it is the sum of solid angles.
//!
//! Pieces have the orientation of their faces and end exactly where the faces cross, so that integrals over them are those
//! over the union. Deviations: lengths up to ε (4·2⁻²⁴ of the largest coordinate) count as zero; solid angles are those of
//! `diagnose::winding`, good to some hundredths of a turn; faces without area are left out, as their neighbours have
//! their edges.

mod boundary;
mod contact;
mod cut;
mod ray;

pub use boundary::{Boundary, walls};

use crate::Mesh;
use crate::diagnose::Mended;
use crate::diagnose::bvh::{Bvh, join, meet};
use crate::diagnose::edges::Edges;
use crate::diagnose::intersect::Plane;
use crate::diagnose::union::Union;
use crate::diagnose::winding::Winding;
use crate::progress::{Cancelled, Progress};
use contact::{Contacts, Search};
use cut::Cut;
use rayon::prelude::*;
use std::sync::OnceLock;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// Faces between two looks at whether the user wants to stop.
const BATCH: usize = 8192;
/// How many faces of a patch are asked before all are.
const ASKED: usize = 8;

/// The boundary of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Exposed {
    /// Faces and pieces of faces, wound like the faces they are of. Pieces do not meet edge to edge.
    pub mesh: Mesh,
    /// For every face, the face of the mended mesh that it is of.
    pub origin: Vec<u32>,
    /// Solid faces of the mended mesh that are not on the boundary.
    pub buried: usize,
    /// Faces of the mended mesh of which a part is.
    pub cut: usize,
}

/// What of the solid faces of a mended mesh bounds the union of its solids; `None` if all of them do, or if they could not
/// be oriented. The same on any number of threads.
pub fn exposed(mended: &Mended, progress: &dyn Progress) -> Result<Option<Exposed>, Cancelled> {
    let origin: Vec<u32> = (0u32..).zip(&mended.sheet).filter(|(_, sheet)| !**sheet).map(|(f, _)| f).collect();
    if !mended.oriented || origin.is_empty() {
        return Ok(None);
    }
    let faces = origin.iter().map(|&f| mended.mesh.faces[f as usize]).collect();
    let mesh = Mesh { points: mended.mesh.points.clone(), faces };
    let search = Search::new(&mesh);
    progress.stage("faces inside", 2 * mesh.faces.len() as u64);
    let contacts = batches(mesh.faces.len(), progress, |f| search.of(f))?;
    let lonely = origin.iter().all(|&f| mended.body[f as usize] == mended.body[origin[0] as usize]);
    if lonely && contacts.iter().all(Contacts::is_empty) {
        progress.advance(mesh.faces.len() as u64);
        return Ok(None);
    }
    let patches = patches(&mesh, &contacts);
    if contacts.iter().all(Contacts::is_empty) && apart(&patches, &search) {
        progress.advance(mesh.faces.len() as u64);
        return Ok(None);
    }
    let flip = vec![false; mesh.faces.len()];
    let judge = Judge {
        mesh: &mesh,
        search: &search,
        contacts: &contacts,
        watertight: mended.watertight,
        flip: &flip,
        winding: OnceLock::new(),
    };
    let known = judge.patches(&patches);
    let fates = batches(mesh.faces.len(), progress, |f| match known[f as usize] {
        Some(true) => Fate::Whole,
        Some(false) => Fate::Buried,
        None => judge.fate(f),
    })?;
    let count = |wanted: &dyn Fn(&Fate) -> bool| fates.iter().filter(|f| wanted(f)).count();
    let (buried, cut) = (count(&|f| matches!(f, Fate::Buried)), count(&|f| matches!(f, Fate::Pieces(_))));
    // Needles alone are no reason for another mesh.
    if cut == 0 && buried == search.needle.iter().filter(|n| **n).count() {
        return Ok(None);
    }
    let mut out =
        Exposed { mesh: Mesh { points: mesh.points.clone(), faces: Vec::new() }, origin: Vec::new(), buried, cut };
    for ((fate, face), origin) in fates.into_iter().zip(&mesh.faces).zip(origin) {
        match fate {
            Fate::Buried => {}
            Fate::Whole => out.mesh.faces.push(*face),
            Fate::Pieces(pieces) => pieces.iter().for_each(|piece| fan(piece, &mut out.mesh)),
        }
        out.origin.resize(out.mesh.faces.len(), origin);
    }
    Ok(Some(out))
}

/// Does something for every face, telling how far it is.
fn batches<T: Send>(
    count: usize,
    progress: &dyn Progress,
    work: impl Fn(u32) -> T + Sync,
) -> Result<Vec<T>, Cancelled> {
    let mut out = Vec::with_capacity(count);
    for first in (0..count).step_by(BATCH) {
        if progress.cancelled() {
            return Err(Cancelled);
        }
        let batch = first as u32..(first + BATCH).min(count) as u32;
        let size = batch.len() as u64;
        out.par_extend(batch.into_par_iter().map(&work));
        progress.advance(size);
    }
    Ok(out)
}

/// Adds a convex polygon as triangles.
fn fan(polygon: &[Vec3], mesh: &mut Mesh) {
    let first = mesh.points.len() as u32;
    mesh.points.extend_from_slice(polygon);
    mesh.faces.extend((2..polygon.len() as u32).map(|i| [first, first + i - 1, first + i]));
}

/// Faces that nothing meets, joined over edges that just two of them have.
fn patches(mesh: &Mesh, contacts: &[Contacts]) -> Vec<Vec<u32>> {
    let mut union = Union::new(mesh.faces.len());
    let free = |f: u32| contacts[f as usize].is_empty();
    for group in Edges::new(&mesh.faces).groups().filter(|g| g.len() == 2 && g.iter().all(|u| free(u.face))) {
        union.join(group[0].face, group[1].face);
    }
    let (of, count) = union.number();
    let mut out = vec![Vec::new(); count];
    (0u32..).zip(of).filter(|(f, _)| free(*f)).for_each(|(f, patch)| out[patch as usize].push(f));
    out.retain(|patch| !patch.is_empty());
    out
}

/// Whether the boxes of patches do not meet.
fn apart(patches: &[Vec<u32>], search: &Search) -> bool {
    let bounds = |faces: &Vec<u32>| faces.iter().map(|&f| search.boxes[f as usize]).reduce(|a, b| join(&a, &b));
    let boxes: Vec<Aabb> = patches.iter().filter_map(bounds).collect();
    let tree = Bvh::new(&boxes, (0..boxes.len() as u32).collect());
    (0u32..).zip(&boxes).all(|(i, own)| {
        let mut alone = true;
        tree.near(own, |j| alone &= i == j || !meet(own, &boxes[j as usize]));
        alone
    })
}

/// What becomes of a face.
enum Fate {
    /// It is on the boundary.
    Whole,
    /// It is not.
    Buried,
    /// These pieces of it are.
    Pieces(Vec<Vec<Vec3>>),
}

/// Decides about faces.
struct Judge<'a> {
    mesh: &'a Mesh,
    search: &'a Search<'a>,
    contacts: &'a [Contacts],
    watertight: bool,
    /// All false: mended faces are wound as they should be.
    flip: &'a [bool],
    /// Made when first needed, which in a closed mesh is hardly ever.
    winding: OnceLock<Winding<'a>>,
}

impl Judge<'_> {
    /// Whether a face is on the boundary at one of its points.
    fn at(&self, f: u32, point: Vec3) -> bool {
        let partners = &self.contacts[f as usize].partners;
        let mut sides = 1.0;
        for partner in partners {
            if Plane::new(self.mesh.triangle(partner.face as usize)).depth(point) < 0.0 {
                continue;
            }
            if partner.same && partner.face < f {
                return false;
            }
            sides += if partner.same { 1.0 } else { -1.0 };
        }
        let coincident = |g: u32| g == f || partners.iter().any(|p| p.face == g);
        if self.watertight {
            let [a, b, c] = self.mesh.triangle(f as usize);
            let normal = (b - a).cross(&(c - a)).normalize();
            let length = self.search.reach;
            if let Some(before) = ray::winding(self.mesh, &self.search.bvh, point, normal, length, coincident) {
                return before <= 0;
            }
        }
        let winding = self.winding.get_or_init(|| {
            let real = (0..self.mesh.faces.len() as u32).filter(|&f| !self.search.needle[f as usize]).collect();
            Winding::new(self.mesh, self.flip, &self.search.boxes, real)
        });
        let others = winding.without(point, coincident);
        !(others - 0.5 * sides > 0.5)
    }

    /// Whether a face is on the boundary in its middle.
    fn in_middle(&self, f: u32) -> bool {
        let [a, b, c] = self.mesh.triangle(f as usize);
        self.at(f, (a + b + c) / 3.0)
    }

    /// For every face of a patch with one answer, the answer.
    fn patches(&self, patches: &[Vec<u32>]) -> Vec<Option<bool>> {
        let answers: Vec<Option<bool>> = patches
            .par_iter()
            .map(|patch| {
                let real: Vec<u32> = patch.iter().copied().filter(|&f| !self.search.needle[f as usize]).collect();
                let mut asked = real.iter().step_by(real.len().div_ceil(ASKED).max(1)).map(|&f| self.in_middle(f));
                let first = asked.next()?;
                asked.all(|answer| answer == first).then_some(first)
            })
            .collect();
        let mut out = vec![None; self.mesh.faces.len()];
        for (patch, answer) in patches.iter().zip(answers) {
            patch.iter().for_each(|&f| out[f as usize] = answer);
        }
        out
    }

    /// Decides about a face by itself.
    fn fate(&self, f: u32) -> Fate {
        if self.search.needle[f as usize] {
            return Fate::Buried;
        }
        let corners = self.mesh.triangle(f as usize);
        let x = (corners[1] - corners[0]).normalize();
        let y = Plane::new(corners).normal.cross(&x);
        let flat = |p: Vec3| [x.dot(&(p - corners[0])), y.dot(&(p - corners[0]))];
        let lift = |p: [f64; 2]| corners[0] + x * p[0] + y * p[1];
        let segments = self.contacts[f as usize].segments.iter().map(|s| s.map(flat)).collect();
        let keep = |p: [f64; 2]| self.at(f, lift(p));
        let mut cut = Cut { tolerance: self.search.epsilon, keep: &keep, pieces: Vec::new() };
        match cut.run(&corners.map(flat), segments) {
            Some(true) => Fate::Whole,
            Some(false) => Fate::Buried,
            None => Fate::Pieces(cut.pieces.iter().map(|piece| piece.iter().map(|&p| lift(p)).collect()).collect()),
        }
    }
}
