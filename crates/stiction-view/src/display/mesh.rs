//! The triangles of a part as a page gets them.

use super::{Bounds, decimate, put_count, put_floats};
use stiction::shape::Aabb;
use stiction_bake::diagnose::mend;
use stiction_bake::progress::Cancelled;
use stiction_bake::{Mesh, Progress, import};
use stiction_scene::{Geometry, Part, SceneError};

/// The surface of a part in its own axes.
pub(super) struct Surface {
    /// Mended as for baking, so that faces are wound alike and shading is right: nothing is moved or left out but repetitions.
    mesh: Mesh,
    /// Triangles before mending.
    before: usize,
    /// Its box.
    pub bounds: Bounds,
}

impl Surface {
    /// Makes or reads the surface just as it was for baking. A part without triangles gets the box of its field.
    pub fn of(name: &'static str, part: &Part, field: &Aabb) -> Result<Surface, SceneError> {
        let mesh = match &part.geometry {
            Geometry::Solid(solid) => solid.mesh().map_err(|source| SceneError::Solid { part: name, source })?,
            Geometry::Mesh { path, import } => {
                import::read(path, import).map_err(|source| SceneError::Mesh { part: name, source })?.mesh
            }
        };
        let around = mesh.bounds().unwrap_or(*field);
        let bounds = [around.min.into(), around.max.into()];
        Ok(Surface { before: mesh.faces.len(), mesh: mend(&mesh).mesh, bounds })
    }

    /// Its bytes, with at most so many triangles.
    pub fn encoded(&self, budget: usize, progress: &dyn Progress) -> Result<Vec<u8>, Cancelled> {
        if self.mesh.faces.len() <= budget {
            return Ok(encode(&self.mesh, self.before));
        }
        Ok(encode(&decimate::decimate(&self.mesh, budget, progress)?, self.before))
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
