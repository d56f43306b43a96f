//! Meshes, arrows and wireframes for a canvas.

use super::canvas::{Canvas, Colour, Vertex};
use std::collections::HashMap;
use stiction::spatial::{Pose, Vec3};
use stiction_bake::Mesh;

/// Faces that meet at less than this are one smooth surface (rad).
const CREASE: f64 = 0.6;

/// A mesh with the normal of the smooth surface at each corner of each face.
pub struct SmoothMesh {
    triangles: Vec<[(Vec3, Vec3); 3]>,
    /// Edges at which faces meet at more than [`CREASE`].
    edges: Vec<[Vec3; 2]>,
}

/// The smooth surface that a mesh was made of.
pub fn soft(mesh: &Mesh) -> SmoothMesh {
    let normal = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|i| mesh.points[i as usize]);
        (b - a).cross(&(c - a))
    };
    let normals: Vec<Vec3> = mesh.faces.iter().map(normal).collect();
    let units: Vec<Vec3> = normals.iter().map(|n| n / n.norm().max(1e-300)).collect();
    // Parts of a union share points by place only.
    let place = |i: u32| mesh.points[i as usize].map(|x| (x * 1e9).round() as i64);
    let key = |i: u32| -> [i64; 3] { place(i).into() };
    let mut around: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    let mut sides: HashMap<[[i64; 3]; 2], Vec<usize>> = HashMap::new();
    for (f, face) in mesh.faces.iter().enumerate() {
        for k in 0..3 {
            around.entry(key(face[k])).or_default().push(f);
            let (a, b) = (key(face[k]), key(face[(k + 1) % 3]));
            sides.entry([a.min(b), a.max(b)]).or_default().push(f);
        }
    }
    let corner = |f: usize, i: u32| {
        let close = around[&key(i)].iter().filter(|g| units[**g].dot(&units[f]) > CREASE.cos());
        // By area, so that slivers count little.
        let sum: Vec3 = close.map(|g| normals[*g]).sum();
        (mesh.points[i as usize], sum / sum.norm().max(1e-300))
    };
    let triangles = mesh.faces.iter().enumerate().map(|(f, face)| face.map(|i| corner(f, i))).collect();
    let mut edges = Vec::new();
    for face in &mesh.faces {
        for k in 0..3 {
            let (a, b) = (key(face[k]), key(face[(k + 1) % 3]));
            let faces = &sides[&[a.min(b), a.max(b)]];
            let sharp = faces.len() != 2 || units[faces[0]].dot(&units[faces[1]]) < CREASE.cos();
            if sharp && a < b {
                edges.push([mesh.points[face[k] as usize], mesh.points[face[(k + 1) % 3] as usize]]);
            }
        }
    }
    SmoothMesh { triangles, edges }
}

impl SmoothMesh {
    /// Draws it at a pose.
    pub fn draw(&self, canvas: &mut Canvas, world_from_part: &Pose, colour: Colour, opacity: f32) {
        self.draw_where(canvas, world_from_part, colour, opacity, &|_| true);
    }

    /// Draws what of it, at a pose, is at places of the world that are to be seen.
    pub fn draw_where(
        &self,
        canvas: &mut Canvas,
        world_from_part: &Pose,
        colour: Colour,
        opacity: f32,
        seen: &dyn Fn(Vec3) -> bool,
    ) {
        for triangle in &self.triangles {
            let corner = |&(p, n): &(Vec3, Vec3)| Vertex {
                at: world_from_part.rotation * p + world_from_part.translation.vector,
                normal: world_from_part.rotation * n,
                colour,
            };
            canvas.triangle_where([corner(&triangle[0]), corner(&triangle[1]), corner(&triangle[2])], opacity, seen);
        }
    }

    /// Draws its sharp edges at a pose, as a wire frame that is seen through other parts.
    pub fn draw_edges(&self, canvas: &mut Canvas, world_from_part: &Pose, colour: Colour, pixels: f64) {
        for edge in &self.edges {
            let [a, b] = edge.map(|p| world_from_part.rotation * p + world_from_part.translation.vector);
            canvas.line_at(a, b, colour, pixels, 0.7);
        }
    }
}

/// Draws a mesh where it is.
pub fn surface(canvas: &mut Canvas, mesh: &Mesh, colour: Colour, opacity: f32) {
    soft(mesh).draw(canvas, &Pose::identity(), colour, if opacity >= 0.5 { 1.0 } else { opacity });
}

/// Draws an arrow from a point along a vector, as wide as told (m).
pub fn arrow(canvas: &mut Canvas, from: Vec3, along: Vec3, width: f64, colour: Colour) {
    const AROUND: usize = 16;
    let length = along.norm();
    if !(length > 0.0 && width > 0.0) {
        return;
    }
    let way = along / length;
    let least = (0..3).fold(0, |best, k| if way[k].abs() < way[best].abs() { k } else { best });
    let u = way.cross(&Vec3::from_fn(|k, _| f64::from(u8::from(k == least)))).normalize();
    let v = way.cross(&u);
    let head = (3.2 * width).min(0.6 * length);
    let ring = |at: f64, r: f64, i: usize| {
        let turn = std::f64::consts::TAU * i as f64 / AROUND as f64;
        from + way * at + (u * turn.cos() + v * turn.sin()) * r
    };
    // Radius at the begin, at the neck, at the head's foot, and at the tip.
    let profile = [(0.0, 0.5 * width), (length - head, 0.5 * width), (length - head, 1.25 * width), (length, 0.0)];
    for pair in profile.windows(2) {
        for i in 0..AROUND {
            let [(z0, r0), (z1, r1)] = [pair[0], pair[1]];
            let quad = [ring(z0, r0, i), ring(z0, r0, i + 1), ring(z1, r1, i + 1), ring(z1, r1, i)];
            let out = |p: Vec3| {
                let off = p - from;
                let radial = off - way * way.dot(&off);
                radial.try_normalize(0.0).unwrap_or(way)
            };
            let vertex = |p: Vec3| Vertex { at: p, normal: out(p), colour };
            canvas.triangle([vertex(quad[0]), vertex(quad[1]), vertex(quad[2])], 0.99);
            canvas.triangle([vertex(quad[0]), vertex(quad[2]), vertex(quad[3])], 0.99);
        }
    }
}
