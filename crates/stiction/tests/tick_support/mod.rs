//! Blocks with exact fields and even shells, for the tests of the haptic cycle. Made here and not by the baker, which the engine
//! must not need.
#![allow(dead_code)]

use std::sync::Arc;
use stiction::shape::{Aabb, Dense, Lattice, MassProperties, PointShell, Shape, ShellNode, ShellPoint};
use stiction::spatial::{Mat3, Pose, Vec3, Vec6};
use stiction::tick::{Engine, Settings};
use stiction::trace::Trace;

/// A block with half edges `half`, `points` × `points` shell points on each face (none on the edges), and a field of
/// spacing `h`.
pub fn block(half: Vec3, points: usize, h: f64) -> Arc<Shape> {
    block_tilted(half, points, h, |_| Vec3::zeros())
}

/// The same with normals turned a little: `tilt` is added to each.
pub fn block_tilted(half: Vec3, points: usize, h: f64, mut tilt: impl FnMut(usize) -> Vec3) -> Arc<Shape> {
    let part = Aabb { min: -half, max: half };
    let margin = 3.25 * h;
    let cells = std::array::from_fn(|a| ((2.0 * (half[a] + margin)) / h).ceil() as u32);
    let lattice = Lattice { origin: -half - Vec3::repeat(margin), spacing: h, cells };
    let [nx, ny, nz] = lattice.nodes();
    let mut values = Vec::with_capacity(nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let q = lattice.position([i, j, k]).abs() - half;
                values.push((q.sup(&Vec3::zeros()).norm() + q.max().min(0.0)) as f32);
            }
        }
    }
    let mut shell = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for i in 0..points * points {
                let along = |n: usize| (n as f64 + 0.5) / points as f64 * 2.0 - 1.0;
                let mut position = Vec3::zeros();
                position[axis] = side * half[axis];
                position[(axis + 1) % 3] = along(i % points) * half[(axis + 1) % 3];
                position[(axis + 2) % 3] = along(i / points) * half[(axis + 2) % 3];
                let mut normal = Vec3::zeros();
                normal[axis] = side;
                let normal = (normal + tilt(shell.len())).normalize();
                shell.push(ShellPoint { position, normal });
            }
        }
    }
    let size = half * 2.0;
    let volume = size.x * size.y * size.z;
    let inertia = Mat3::from_diagonal(&Vec3::new(
        volume / 12.0 * (size.y * size.y + size.z * size.z),
        volume / 12.0 * (size.x * size.x + size.z * size.z),
        volume / 12.0 * (size.x * size.x + size.y * size.y),
    ));
    Arc::new(Shape {
        field: Dense::new(lattice, part, values).unwrap().into(),
        shell: flat_shell(shell),
        allowance: None,
        convex: None,
        mass: MassProperties { volume, centre: Vec3::zeros(), inertia },
        provenance: String::new(),
    })
}

/// Two walls of a right angle along y: the planes z = 0 and x = 0, `size` long, with points on their inner faces only.
pub fn angle(size: f64, thickness: f64, points: usize, h: f64) -> Arc<Shape> {
    let distance = |p: &Vec3| {
        let slab = |p: &Vec3, a: usize, b: usize| {
            // The plate from -thickness to 0 along `a`, from -thickness to size along `b`, ±size/2 along y.
            let half = Vec3::new(0.5 * thickness, 0.5 * (size + thickness), 0.5 * size);
            let q = Vec3::new(p[a] + half.x, p[b] + thickness - half.y, p.y).abs() - half;
            q.sup(&Vec3::zeros()).norm() + q.max().min(0.0)
        };
        slab(p, 2, 0).min(slab(p, 0, 2))
    };
    let part = Aabb { min: Vec3::new(-thickness, -0.5 * size, -thickness), max: Vec3::new(size, 0.5 * size, size) };
    let margin = 3.25 * h;
    let cells = std::array::from_fn(|a| ((part.max[a] - part.min[a] + 2.0 * margin) / h).ceil() as u32);
    let lattice = Lattice { origin: part.min - Vec3::repeat(margin), spacing: h, cells };
    let [nx, ny, nz] = lattice.nodes();
    let mut values = Vec::with_capacity(nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                values.push(distance(&lattice.position([i, j, k])) as f32);
            }
        }
    }
    let mut shell = Vec::new();
    for i in 0..points * points {
        let along = |n: usize| (n as f64 + 0.5) / points as f64;
        let (s, y) = (along(i % points) * size, (along(i / points) - 0.5) * size);
        shell.push(ShellPoint { position: Vec3::new(s, y, 0.0), normal: Vec3::z() });
        shell.push(ShellPoint { position: Vec3::new(0.0, y, s), normal: Vec3::x() });
    }
    Arc::new(Shape {
        field: Dense::new(lattice, part, values).unwrap().into(),
        shell: flat_shell(shell),
        allowance: None,
        convex: None,
        mass: MassProperties { volume: 1.0, centre: Vec3::zeros(), inertia: Mat3::identity() },
        provenance: String::new(),
    })
}

/// A shell of one level: every point is looked at.
pub fn flat_shell(points: Vec<ShellPoint>) -> PointShell {
    let count = points.len() as u32;
    let nodes = (0..count).map(|point| ShellNode { point, first_child: 0, children: 0, radius: 0.0 }).collect();
    PointShell::new(points, nodes, vec![count]).unwrap()
}

/// A cube of 10 cm over a plate whose upper face is the plane z = 0, and the pose of the hand that rests on it.
pub struct Floor {
    pub engine: Engine,
    pub rest: Pose,
}

pub const HALF: f64 = 0.05;

impl Floor {
    pub fn new(settings: Settings) -> Self {
        Self::with(settings, block(Vec3::repeat(HALF), 7, 0.005), 21)
    }

    /// With another cube, and so many points along an edge of the plate.
    pub fn with(settings: Settings, cube: Arc<Shape>, plate_points: usize) -> Self {
        let plate = block(Vec3::new(0.15, 0.15, 0.02), plate_points, 0.005);
        let rest = Pose::translation(0.0, 0.0, HALF);
        let engine = Engine::new(settings, cube, plate, Pose::translation(0.0, 0.0, -0.02), rest).unwrap();
        Floor { engine, rest }
    }

    pub fn tick(&mut self, x: f64, y: f64, z: f64) -> Trace {
        let hand = Pose::from_parts((self.rest.translation.vector + Vec3::new(x, y, z)).into(), self.rest.rotation);
        *self.engine.tick(&hand, &Vec6::zeros())
    }
}
