//! From a mended mesh and options to a field: what is settled before the work begins, and the order of the work.

use super::bvh::Bvh;
use super::front::Front;
use super::grid::{self, GridLayout};
use super::nodes::{NONE, Nodes, for_blocks};
use super::rows::FieldRows;
use super::winding::Winding;
use super::{FieldError, FieldOptions, FieldReport, Fineness, Sign, dense, membrane, offset, store, unsigned};
use crate::diagnose::Mended;
use crate::expose::{self, Exposed};
use crate::progress::{Cancelled, Progress};
use stiction::shape::{Aabb, Dense, DistanceField, Lattice, Sparse};
use stiction::spatial::Vec3;

/// Rounds of closing holes and looking again. One is enough for most; a membrane may reach blocks not yet computed.
const ROUNDS: usize = 12;
/// Sheets with less than this part of the area are left out without asking, as stray fins are; the report says so.
const NEGLIGIBLE: f64 = 1e-3;

/// Everything settled before the work begins.
pub struct FieldPlan {
    options: FieldOptions,
    lattice: Lattice,
    part: Aabb,
    dense: bool,
    sign: Sign,
    /// Width of the widest hole, in voxels.
    gap: f32,
    /// Half the thickness of sheets, in voxels.
    thickness: f32,
    solid: Vec<[Vec3; 3]>,
    sheet: Vec<[Vec3; 3]>,
    /// What of the solid faces bounds the solid, if not all of them.
    boundary: Option<Vec<[Vec3; 3]>>,
    /// All solid faces, if they are closed and oriented.
    closed: Option<Vec<[Vec3; 3]>>,
    /// Faces that are not on the boundary, or not all of them.
    buried: usize,
}

impl FieldPlan {
    /// Checks the options against the mesh.
    pub fn new(mended: &Mended, options: &FieldOptions) -> Result<FieldPlan, FieldError> {
        let walls = expose::walls(mended);
        let select = |wanted: bool| -> Vec<[Vec3; 3]> {
            let faces = mended.mesh.triangles().zip(mended.sheet.iter().zip(&walls));
            faces.filter(|(_, (sheet, wall))| **sheet == wanted && !**wall).map(|(t, _)| t).collect()
        };
        let (mut solid, mut sheet) = (select(false), select(true));
        let thicken = options.thicken.unwrap_or(0.0);
        if thicken == 0.0 && options.thicken.is_some() {
            sheet.clear();
        }
        let box_of = |triangles: &[[Vec3; 3]], grow: f64| {
            let mut corners = triangles.iter().flatten();
            let first = *corners.next()?;
            let (min, max) = corners.fold((first, first), |(min, max), p| (min.inf(p), max.sup(p)));
            Some(Aabb { min: min.add_scalar(-grow), max: max.add_scalar(grow) })
        };
        let part = match (box_of(&solid, 0.0), box_of(&sheet, 0.5 * thicken)) {
            (Some(a), Some(b)) => Aabb { min: a.min.inf(&b.min), max: a.max.sup(&b.max) },
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => return Err(FieldError::Empty),
        };
        if !((part.max - part.min).max() > 0.0) {
            return Err(FieldError::Options("all points of the mesh coincide".into()));
        }
        let [least, most] = Sparse::BAND;
        if !(options.band >= least && options.band <= most) {
            return Err(FieldError::Options(format!("the band must be from {least} to {most} voxels")));
        }
        if !(options.offset >= 1.0 && options.offset <= options.band - 1.0) {
            let most = options.band - 1.0;
            return Err(FieldError::Options(format!("the offset surface must be from 1 to {most} voxels off")));
        }
        let padding = options.band.ceil() + 2.0;
        let lattice = grid::lattice(&part, options.fineness, padding, options.cube).map_err(FieldError::Options)?;
        let dense = grid::is_dense(&lattice, options.storage);
        let h = lattice.spacing;
        let area_of = |t: &[[Vec3; 3]]| t.iter().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum::<f64>();
        let area = area_of(&solid) + area_of(&sheet);
        if options.thicken.is_none() {
            if area_of(&sheet) > NEGLIGIBLE * area {
                let suggested = round_up(2.0 * h);
                return Err(FieldError::Sheets { faces: sheet.len(), all: mended.mesh.faces.len(), suggested });
            }
            sheet.clear();
        }
        check_memory(&part, &lattice, options, padding, area)?;
        let to_voxels = |t: &mut [Vec3; 3]| t.iter_mut().for_each(|p| *p = (*p - lattice.origin) / h);
        solid.iter_mut().chain(&mut sheet).for_each(to_voxels);
        let sign = match options.sign {
            Sign::Auto if mended.oriented => Sign::Winding,
            Sign::Auto => Sign::Offset,
            chosen => chosen,
        };
        let gap = (mended.hole / h) as f32;
        let thickness = (0.5 * thicken / h) as f32;
        let closed = (mended.watertight && sign == Sign::Winding).then(|| solid.clone());
        Ok(FieldPlan {
            options: *options,
            lattice,
            part,
            dense,
            sign,
            gap,
            thickness,
            solid,
            sheet,
            boundary: None,
            closed,
            buried: 0,
        })
    }

    /// Leaves out faces, and parts of faces, inside the union of overlapping solids.
    ///
    /// What is left of a closed mesh is closed, so its winding numbers tell the same, and more safely: where two solids
    /// touch, each of two walls in one place gives half a turn of a sign that is up to rounding. In a mesh with holes
    /// all faces are needed for the winding number, and only distances are to the boundary.
    pub fn expose(&mut self, mended: &Mended, exposed: &Exposed) {
        self.buried = exposed.buried + exposed.cut;
        let (origin, h) = (self.lattice.origin, self.lattice.spacing);
        let boundary = exposed.mesh.triangles().map(|t| t.map(|p| (p - origin) / h)).collect();
        if mended.watertight {
            self.solid = boundary;
        } else {
            self.boundary = Some(boundary);
        }
    }

    /// Whether faces inside the solid can be told: by winding numbers only.
    pub fn by_winding(&self) -> bool {
        self.sign == Sign::Winding
    }

    /// Does the work.
    pub fn run(self, progress: &dyn Progress) -> Result<(DistanceField, FieldReport), FieldError> {
        let band = self.options.band;
        let (all, sheet) = (Bvh::new(&self.solid), Bvh::new(&self.sheet));
        let boundary = self.boundary.as_ref().map(|boundary| Bvh::new(boundary));
        let solid = boundary.as_ref().unwrap_or(&all);
        let layout = GridLayout::new(&self.lattice);
        if let Some(rows) = self.rows_of_all_nodes(&layout) {
            progress.stage("distances", layout.count() as u64);
            let values = dense::closed(solid, &rows, &layout, self.lattice.spacing, progress)?;
            progress.stage("storing", 0);
            let field = DistanceField::Dense(Dense::new(self.lattice, self.part, values)?);
            let report = self.report(&field, layout.count() * grid::OWNED, 0);
            return Ok((field, report));
        }
        let mut nodes = if self.dense { Nodes::without_coarse(layout) } else { Nodes::new(layout, solid) };
        if progress.cancelled() {
            return Err(Cancelled.into());
        }
        let wanted = if self.dense {
            (0..layout.count() as u32).collect()
        } else {
            let mut first = nodes.coarse.clone();
            if !sheet.is_empty() {
                let sheets = Nodes::new(layout, &sheet).coarse;
                first.iter_mut().zip(sheets).for_each(|(a, b)| *a = a.min((b - self.thickness).abs()));
            }
            nodes.candidates(band as f32, &first, |points| self.nearness(solid, &sheet, points))
        };
        progress.stage("distances", wanted.len() as u64);
        nodes.add(wanted, solid, progress)?;
        nodes.update_coarse();
        let membrane_points = match self.sign {
            _ if self.solid.is_empty() => 0,
            Sign::Offset => self.sign_by_offset(&mut nodes, solid, progress)?,
            _ => match &self.closed {
                Some(closed) => self.sign_by_rows(&mut nodes, closed, solid, progress)?,
                None => self.sign_by_winding(&mut nodes, &all, solid, progress)?,
            },
        };
        nodes.update_coarse();
        if !self.sheet.is_empty() {
            self.thicken(&mut nodes, &sheet, progress)?;
        }
        progress.stage("storing", 0);
        let computed = nodes.values.len() * grid::OWNED;
        let field = if self.dense {
            store::dense(nodes, self.lattice, self.part)?
        } else {
            store::sparse(nodes, self.lattice, self.part, band)?
        };
        let report = self.report(&field, computed, membrane_points);
        Ok((field, report))
    }

    /// Crossings that tell all signs of a dense field, where nothing is to be closed or thickened.
    fn rows_of_all_nodes(&self, layout: &GridLayout) -> Option<FieldRows> {
        let closed = self.closed.as_ref().filter(|_| self.dense && self.sheet.is_empty())?;
        let (rows, failed) = FieldRows::new(closed, layout.nodes);
        (failed == 0).then_some(rows)
    }

    /// What was made.
    fn report(&self, field: &DistanceField, nodes: usize, membrane_points: usize) -> FieldReport {
        let (blocks, bytes) = match field {
            DistanceField::Dense(f) => (None, 4 * f.values().len()),
            DistanceField::Sparse(f) => (
                Some(f.blocks().len() / Sparse::BLOCK),
                4 * f.coarse().len() + 4 * f.slots().len() + 2 * f.blocks().len(),
            ),
        };
        FieldReport {
            sign: self.sign,
            dense: self.dense,
            cells: self.lattice.cells,
            voxel_m: self.lattice.spacing,
            band_m: (!self.dense).then_some(self.options.band * self.lattice.spacing),
            blocks,
            nodes,
            membrane_points,
            thickened_faces: self.sheet.len(),
            buried_faces: self.buried,
            bytes: bytes as u64,
        }
    }

    /// A bound from below for the magnitude of the field at points.
    fn nearness(&self, solid: &Bvh, sheet: &Bvh, points: &[[f32; 3]]) -> Vec<f32> {
        let mut near = unsigned::all(solid, points.iter().copied());
        if !sheet.is_empty() {
            let sheets = unsigned::all(sheet, points.iter().copied());
            near.iter_mut().zip(sheets).for_each(|(a, b)| *a = a.min((b - self.thickness).abs()));
        }
        near
    }

    /// Signs by counting crossings of a closed mesh; returns how many points of membranes there are.
    fn sign_by_rows(
        &self,
        nodes: &mut Nodes,
        closed: &[[Vec3; 3]],
        solid: &Bvh,
        progress: &dyn Progress,
    ) -> Result<usize, Cancelled> {
        progress.stage("inside or outside", nodes.slots.len() as u64);
        let (rows, failed) = FieldRows::new(closed, nodes.layout.nodes);
        nodes.sign_coarse_by_rows(&rows);
        nodes.sign_by_rows(0, &rows, progress)?;
        if failed == 0 {
            // Signs change at the surface only.
            return Ok(0);
        }
        self.close_holes(nodes, solid, progress, |nodes, first| nodes.sign_by_rows(first, &rows, progress))
    }

    /// Signs by winding numbers of all faces; returns how many points of membranes there are.
    fn sign_by_winding(
        &self,
        nodes: &mut Nodes,
        all: &Bvh,
        solid: &Bvh,
        progress: &dyn Progress,
    ) -> Result<usize, Cancelled> {
        progress.stage("inside or outside", nodes.slots.len() as u64);
        let winding = Winding::new(all);
        nodes.sign_coarse(all, &winding, self.gap, progress)?;
        nodes.sign(0, all, &winding, self.gap, progress)?;
        let mixed = if self.gap > 0.0 { store::mixed_slots(nodes) } else { Vec::new() };
        let first = nodes.add(mixed, solid, progress)?;
        nodes.sign(first, all, &winding, self.gap, progress)?;
        self.close_holes(nodes, solid, progress, |nodes, first| nodes.sign(first, all, &winding, self.gap, progress))
    }

    /// Signs by the offset surface.
    fn sign_by_offset(&self, nodes: &mut Nodes, solid: &Bvh, progress: &dyn Progress) -> Result<usize, Cancelled> {
        progress.stage("inside or outside", nodes.slots.len() as u64);
        offset::sign(nodes, self.options.offset as f32, progress)?;
        self.close_holes(nodes, solid, progress, |nodes, first| {
            for block in first..nodes.slots.len() {
                let sign = nodes.coarse[nodes.slots[block] as usize];
                nodes.values[block].iter_mut().for_each(|v| *v = v.copysign(sign));
            }
            Ok(())
        })
    }

    /// Closes holes by membranes until no sign jumps. `sign` gives new blocks their signs.
    fn close_holes(
        &self,
        nodes: &mut Nodes,
        solid: &Bvh,
        progress: &dyn Progress,
        sign: impl Fn(&mut Nodes, usize) -> Result<(), Cancelled>,
    ) -> Result<usize, Cancelled> {
        nodes.update_coarse();
        let mut points = membrane::jumps(nodes, 0);
        let mut count = 0;
        for _ in 0..ROUNDS {
            if points.is_empty() {
                break;
            }
            count += points.len();
            let tree = membrane::tree(&points);
            membrane::close(nodes, 0, &tree, progress)?;
            let new = if self.dense {
                Vec::new()
            } else {
                let near = |points: &[[f32; 3]]| unsigned::all(&tree, points.iter().copied());
                nodes.candidates(self.options.band as f32, &nodes.coarse, near)
            };
            let first = nodes.add(new, solid, progress)?;
            sign(nodes, first)?;
            membrane::close(nodes, first, &tree, progress)?;
            nodes.update_coarse();
            points = membrane::jumps(nodes, 0);
        }
        Ok(count)
    }

    /// Adds thickened sheets: the field becomes min(solid, distance to the sheet − half the thickness).
    fn thicken(&self, nodes: &mut Nodes, sheet: &Bvh, progress: &dyn Progress) -> Result<(), Cancelled> {
        progress.stage("sheets", nodes.slots.len() as u64);
        let layout = nodes.layout;
        for_blocks(&nodes.slots, &mut nodes.values, progress, |slots, values| {
            let mut front = Front::new();
            for (&slot, values) in slots.iter().zip(values) {
                let near = unsigned::block(sheet, &layout, layout.at(slot as usize), &mut front);
                values.iter_mut().zip(near).for_each(|(v, d)| *v = v.min(d - self.thickness));
            }
        })?;
        let sheets = Nodes::new(layout, sheet).coarse;
        for (slot, d) in sheets.into_iter().enumerate() {
            if nodes.block[slot] == NONE {
                nodes.coarse[slot] = nodes.coarse[slot].min(d - self.thickness);
            }
        }
        nodes.update_coarse();
        Ok(())
    }
}

/// Refuses a lattice that does not fit, and says which would.
fn check_memory(
    part: &Aabb,
    lattice: &Lattice,
    options: &FieldOptions,
    padding: f64,
    area: f64,
) -> Result<(), FieldError> {
    let need = |lattice: &Lattice| grid::memory(lattice, grid::is_dense(lattice, options.storage), options.band, area);
    let needed = need(lattice);
    if needed <= options.memory {
        return Ok(());
    }
    let fits = (1..=8192).map(|n| 8 * n).take_while(|&n| {
        let smaller = grid::lattice(part, Fineness::Resolution(n), padding, options.cube);
        smaller.is_ok_and(|l| need(&l) <= options.memory) || f64::from(n) < 2.0 * padding + 2.0
    });
    let fits = fits.last().unwrap_or(8);
    let spacing =
        grid::lattice(part, Fineness::Resolution(fits), padding, options.cube).map_or(lattice.spacing, |l| l.spacing);
    // Two digits, upwards; divided by a power of ten, so that no more digits are written.
    let power = 10f64.powi(1 - spacing.log10().floor() as i32);
    let voxel_fits = (spacing * power).ceil() / power;
    Err(FieldError::Memory {
        cells: lattice.cells,
        voxel: lattice.spacing,
        needed,
        available: options.memory,
        fits,
        voxel_fits,
    })
}

/// The next number with one digit that is not less: 1, 2, 5 times a power of ten.
fn round_up(x: f64) -> f64 {
    let power = 10f64.powi(x.log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|d| d * power).find(|y| *y >= x * (1.0 - 1e-9)).unwrap_or(x)
}
