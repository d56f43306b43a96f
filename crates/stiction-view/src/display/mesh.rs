//! The triangles of a part as a page gets them.

use super::{Bounds, decimate, put_count, put_floats};
use stiction::shape::Aabb;
use stiction_bake::diagnose::mend;
use stiction_bake::progress::Cancelled;
use stiction_bake::{Mesh, Progress};
use stiction_scene::{Geometry, Part, SceneError};

/// More triangles than this are decimated before mending, which would take seconds.
const MENDED_WHOLE: usize = 500_000;

/// The surface of a part in its own axes.
pub(super) struct Surface {
    mesh: Mesh,
    /// Its box.
    pub bounds: Bounds,
}

impl Surface {
    /// Makes or reads the surface just as it was for baking. A part without triangles gets the box of its field.
    pub fn of(name: &'static str, part: &Part, field: &Aabb) -> Result<Surface, SceneError> {
        let made = part.geometry.faces().map_err(|source| SceneError::Solid { part: name, source })?;
        let mesh = match &part.geometry {
            Geometry::Mesh { file, import } => {
                file.mesh(import).map_err(|source| SceneError::Mesh { part: name, source })?.mesh
            }
            _ => made.unwrap_or_default(),
        };
        let around = mesh.bounds().unwrap_or(*field);
        Ok(Surface { mesh, bounds: [around.min.into(), around.max.into()] })
    }

    /// The surface of a body as it is.
    pub fn of_mesh(mesh: &Mesh) -> Surface {
        let around = mesh.bounds().map_or_else(Bounds::default, |b| [b.min.into(), b.max.into()]);
        Surface { mesh: mesh.clone(), bounds: around }
    }

    /// Its bytes, with at most so many triangles. It is mended as for baking, so that faces are wound alike and shading is right: nothing
    /// is moved or left out but repetitions. Sheets stay, though nothing touches them where they are not thickened.
    pub fn encoded(&self, budget: usize, progress: &dyn Progress) -> Result<Vec<u8>, Cancelled> {
        let before = self.mesh.faces.len();
        let mended = if before > MENDED_WHOLE {
            mend(&decimate::decimate(&self.mesh, budget, progress)?)
        } else {
            mend(&self.mesh)
        };
        Ok(encode(&decimate::decimate(&mended.mesh, budget, progress)?, before))
    }
}

/// u32 vertices, u32 triangles, u32 triangles before decimation, f32 × 3 a vertex, u32 × 3 a triangle.
fn encode(mesh: &Mesh, before: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(12 + 12 * (mesh.points.len() + mesh.faces.len()));
    put_count(&mut out, mesh.points.len());
    put_count(&mut out, mesh.faces.len());
    put_count(&mut out, before);
    put_floats(&mut out, mesh.points.iter().flat_map(|p| [p.x, p.y, p.z]));
    mesh.faces.iter().flatten().for_each(|i| out.extend(i.to_le_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_bake::Silent;
    use stiction_bake::solids::Solid;

    #[test]
    fn a_huge_mesh_is_decimated_before_it_is_mended_and_comes_out_whole() {
        let mut mesh = Solid::Torus { major: 0.05, minor: 0.02, segments: 900, rings: 300 }.mesh().unwrap();
        assert!(mesh.faces.len() > MENDED_WHOLE);
        // Inside out, which mending puts right.
        mesh.faces.iter_mut().for_each(|f| f.swap(0, 1));
        let before = mesh.faces.len();
        let bytes = Surface { mesh, bounds: Bounds::default() }.encoded(20_000, &Silent).unwrap();
        let count = |i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap()) as usize;
        let float = |i: usize| f64::from(f32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap()));
        let (vertices, triangles) = (count(0), count(1));
        assert!(count(2) == before && triangles <= 20_000 && triangles > 15_000);
        let point = |i: usize| nalgebra::Vector3::from_fn(|a, _| float(3 + 3 * i + a));
        let face = |i: usize| [0, 1, 2].map(|k| point(count(3 + 3 * vertices + 3 * i + k)));
        let volume: f64 = (0..triangles).map(face).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        let exact = 2.0 * std::f64::consts::PI.powi(2) * 0.05 * 0.02 * 0.02;
        assert!((volume / exact - 1.0).abs() < 0.01, "{volume} m³, not {exact}");
    }
}
