//! The triangles of one glTF primitive.

use super::accessor::Accessors;
use crate::import::Placement;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use stiction::spatial::Vec3;

/// A primitive made of triangles.
pub(super) struct Part {
    mode: Mode,
    positions: usize,
    indices: Option<usize>,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
}

impl Part {
    /// `None` for points, lines, and primitives without positions.
    pub(super) fn new(primitive: &Primitive, accessors: &Accessors) -> Result<Option<Self>, String> {
        let mode = match primitive.mode {
            Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
            Checked::Valid(_) => return Ok(None),
            Checked::Invalid => return Err("its mode is unknown".into()),
        };
        let Some(positions) = primitive.attributes.get(&Checked::Valid(Semantic::Positions)) else { return Ok(None) };
        let (positions, indices) = (positions.value(), primitive.indices.map(|i| i.value()));
        let vertices = accessors.count(positions)?;
        let corners = indices.map(|i| accessors.count(i)).transpose()?.unwrap_or(vertices);
        let triangles = if mode == Mode::Triangles { corners / 3 } else { corners.saturating_sub(2) };
        Ok(Some(Self { mode, positions, indices, vertices, triangles }))
    }

    /// Adds an instance of it. The number of all points has been checked to fit.
    pub(super) fn place(
        &self,
        accessors: &Accessors,
        placement: &Placement,
        points: &mut Vec<Vec3>,
        faces: &mut Vec<[u32; 3]>,
    ) -> Result<(), String> {
        let positions = accessors.positions(self.positions)?;
        let indices = match self.indices {
            Some(i) => accessors.indices(i)?,
            None => (0..self.vertices as u32).collect(),
        };
        if let Some(i) = indices.iter().find(|&&i| i as usize >= self.vertices) {
            let count = self.vertices;
            return Err(format!("a face refers to vertex {i} (counted from 0), but there are only {count}"));
        }
        let offset = points.len() as u32;
        points.extend(positions.iter().map(|p| placement.apply(p)));
        let mirrored = placement.mirrors();
        faces.extend((0..self.triangles).map(|t| {
            let corners = match self.mode {
                Mode::Triangles => [3 * t, 3 * t + 1, 3 * t + 2],
                Mode::TriangleFan => [0, t + 1, t + 2],
                // Every second triangle of a strip is wound the other way.
                _ => [t, t + 1 + t % 2, t + 2 - t % 2],
            };
            let mut face = corners.map(|k| offset + indices[k]);
            if mirrored {
                face.swap(1, 2);
            }
            face
        }));
        Ok(())
    }
}
