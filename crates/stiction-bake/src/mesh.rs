//! A triangle soup.

use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// Points and triangles; nothing is assumed about how triangles meet. Points may repeat, faces may degenerate; every
/// index is in range and every coordinate finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions in m.
    pub points: Vec<Vec3>,
    /// Indices of points, counter-clockwise seen from outside where the mesh is well oriented.
    pub faces: Vec<[u32; 3]>,
}

impl Mesh {
    /// The corners of a face.
    pub fn triangle(&self, face: usize) -> [Vec3; 3] {
        self.faces[face].map(|i| self.points[i as usize])
    }

    /// The corners of every face.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> + '_ {
        self.faces.iter().map(|face| face.map(|i| self.points[i as usize]))
    }

    /// The box around all faces, or `None` without faces.
    pub fn bounds(&self) -> Option<Aabb> {
        let mut corners = self.triangles().flatten();
        let first = corners.next()?;
        let (min, max) = corners.fold((first, first), |(min, max), p| (min.inf(&p), max.sup(&p)));
        Some(Aabb { min, max })
    }

    /// Adds another mesh: overlapping solids as one soup are their union.
    pub fn append(&mut self, other: &Mesh) {
        let offset = self.points.len() as u32;
        self.points.extend_from_slice(&other.points);
        self.faces.extend(other.faces.iter().map(|f| f.map(|i| i + offset)));
    }
}
