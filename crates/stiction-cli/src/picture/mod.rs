//! Pictures of a baked shape: slices of its field, its shell over the surface, the spacing of its points.
//!
//! The same shape gives the same bytes on any number of threads.

mod contour;
pub mod sheet;
mod shell;
mod slices;
mod spacing;
pub mod units;
pub mod view;

use std::path::{Path, PathBuf};
use stiction::shape::{Aabb, PointShell, Shape};
use stiction::spatial::Vec3;
use stiction_bake::file::{FileError, write_whole};
use stiction_bake::{Mesh, Progress};

/// What is drawn.
pub struct PictureSubject<'a> {
    /// Signed distance anywhere in space.
    pub distance: &'a (dyn Fn(Vec3) -> f64 + Sync),
    /// The tight box of the surface.
    pub part: Aabb,
    /// Edge of a voxel in m.
    pub voxel: f64,
    /// The points.
    pub shell: &'a PointShell,
    /// The mesh the shape came from; without it the zero surface of the field is drawn.
    pub mesh: Option<&'a Mesh>,
}

/// Draws a shape into `slices.svg`, `shell.svg` and `spacing.svg` of a directory, which is made if need be.
pub fn draw(
    dir: &Path,
    shape: &Shape,
    mesh: Option<&Mesh>,
    progress: &dyn Progress,
) -> Result<Vec<PathBuf>, FileError> {
    let distance = |p: Vec3| shape.field.distance(p);
    let voxel = shape.field.lattice().spacing;
    let subject = PictureSubject { distance: &distance, part: *shape.field.part(), voxel, shell: &shape.shell, mesh };
    draw_subject(dir, &subject, progress)
}

/// The same for a field of any kind.
pub fn draw_subject(dir: &Path, subject: &PictureSubject, progress: &dyn Progress) -> Result<Vec<PathBuf>, FileError> {
    std::fs::create_dir_all(dir).map_err(|e| FileError::new(dir, format!("cannot make a folder for pictures: {e}")))?;
    let pictures = [
        ("slices.svg", slices::draw(subject)),
        ("shell.svg", shell::draw(subject)),
        ("spacing.svg", spacing::draw(subject)),
    ];
    let write = |(name, svg): (&str, String)| {
        let path = dir.join(name);
        write_whole(&path, progress, |writer| writer.write_all(svg.as_bytes()))?;
        Ok(path)
    };
    pictures.into_iter().map(write).collect()
}

/// All rows of a raster, worked out by all cores.
fn in_rows<T: Send>(height: usize, row: impl Fn(usize) -> Vec<T> + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
    let row = &row;
    std::thread::scope(|scope| {
        let part = |t: usize| height * t / threads..height * (t + 1) / threads;
        let workers: Vec<_> =
            (0..threads).map(|t| scope.spawn(move || part(t).flat_map(row).collect::<Vec<T>>())).collect();
        // A worker only fails by panicking, which goes on here.
        workers.into_iter().flat_map(|w| w.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    })
}

#[cfg(test)]
mod tests;
