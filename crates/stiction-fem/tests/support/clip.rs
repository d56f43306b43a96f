//! The clip and the pipe of the tests and examples, by parameters that the paper does not give.
#![allow(dead_code)]

use std::sync::Arc;
use std::time::Instant;
use stiction::spatial::{Pose, Vec3};
use stiction_fem::condensed::{Compliance, ComplianceOf, MOST_BYTES};
use stiction_fem::contact::CollisionSurface;
use stiction_fem::elastic::{ElasticModel, ElementOrder, Elements, Material};
use stiction_fem::world::{BodyKind, GripCoupling, WorldBody, WorldSettings};
use stiction_fem::{BoundarySurface, SolidRegion, StuffingSettings, TetMesh, stuff};

pub const POLYETHYLENE: Material = Material { young: 700e6, poisson: 0.35, density: 950.0 };
pub const INNER: f64 = 5e-3;
pub const WALL: f64 = 2e-3;
pub const WIDTH: f64 = 6e-3;
/// Half of the opening (rad).
pub const OPENING: f64 = 50.0 * std::f64::consts::PI / 180.0;
pub const PIPE: f64 = 4.9e-3;

/// Distance to the ring, its ends rounded: the arc's tube of rectangular section.
pub fn clip(p: Vec3) -> f64 {
    let middle = INNER + 0.5 * WALL;
    let across = p.y.abs() - 0.5 * WIDTH;
    // The opening is around -z.
    let angle = p.x.abs().atan2(-p.z);
    let along = if angle > OPENING {
        ((p.x * p.x + p.z * p.z).sqrt() - middle).abs() - 0.5 * WALL
    } else {
        let end = Vec3::new(middle * OPENING.sin(), 0.0, -middle * OPENING.cos());
        (Vec3::new(p.x.abs(), 0.0, p.z) - end).norm() - 0.5 * WALL
    };
    let (a, b) = (along.max(0.0), across.max(0.0));
    along.max(across).min(0.0) + (a * a + b * b).sqrt()
}

/// A cylinder along y as a closed surface.
pub fn pipe() -> CollisionSurface {
    let (around, half) = (96, 8e-3);
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for k in 0..around {
        let angle = std::f64::consts::TAU * k as f64 / around as f64;
        let (x, z) = (PIPE * angle.cos(), PIPE * angle.sin());
        points.extend([Vec3::new(x, -half, z), Vec3::new(x, half, z)]);
        let (a, b) = (2 * k as u32, 2 * ((k as u32 + 1) % around as u32));
        triangles.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
    }
    points.extend([Vec3::new(0.0, -half, 0.0), Vec3::new(0.0, half, 0.0)]);
    for k in 0..around as u32 {
        let (a, b) = (2 * k, 2 * ((k + 1) % around as u32));
        triangles.extend([[2 * around as u32, a, b], [2 * around as u32 + 1, b + 1, a + 1]]);
    }
    let places = (0..points.len() as u32).collect();
    CollisionSurface::new(points, &triangles, places)
}

pub fn made(cells_through_wall: f64) -> (TetMesh, ElasticModel) {
    let reach = Vec3::new(INNER + WALL, 0.5 * WIDTH, INNER + WALL);
    let settings = StuffingSettings {
        cell: Some(WALL / cells_through_wall),
        cells_through_wall: 0.9 * cells_through_wall,
        sharpen: true,
    };
    let mesh = stuff(&SolidRegion { distance: &clip, lower: -reach, upper: reach }, &settings).unwrap().mesh;
    let elements = Elements::new(&mesh, ElementOrder::Quadratic);
    let model = ElasticModel::with_total_mass(elements, POLYETHYLENE, 0.015).unwrap();
    (mesh, model)
}

/// Opposite of the opening.
pub fn grip(model: &ElasticModel) -> Vec<u32> {
    let nodes = model.elements().nodes();
    (0..nodes.len() as u32).filter(|&n| nodes[n as usize].z > INNER + 0.25 * WALL).collect()
}

/// The clip's compliance and the surface that can touch the pipe.
pub fn clip_body(mesh: &TetMesh, model: &ElasticModel) -> (Arc<Compliance>, CollisionSurface) {
    let boundary = BoundarySurface::of(mesh);
    // What can touch the pipe: the inner side, the ends, and what is near them.
    let near = |n: u32| {
        let p = mesh.nodes()[n as usize];
        (p.x * p.x + p.z * p.z).sqrt() < INNER + 0.3 * WALL || (p.z < 0.0 && p.x.abs().atan2(-p.z) < OPENING + 0.05)
    };
    let triangles: Vec<[u32; 3]> = boundary
        .triangles
        .iter()
        .map(|t| t.map(|v| boundary.nodes[v as usize]))
        .filter(|t| t.iter().all(|&n| near(n)))
        .collect();
    let mut touching: Vec<u32> = triangles.iter().flatten().copied().collect();
    touching.sort_unstable();
    touching.dedup();
    let begin = Instant::now();
    let compliance = Arc::new(Compliance::new(model, &ComplianceOf::Held(grip(model)), &touching, MOST_BYTES).unwrap());
    println!(
        "{} tetrahedra of ten nodes, {} nodes, {} can touch, compliance {:.1} MB in {:.1?}, asymmetry {:.1e}",
        mesh.tetrahedra().len(),
        model.elements().nodes().len(),
        touching.len(),
        compliance.bytes() as f64 / 1e6,
        begin.elapsed(),
        compliance.asymmetry()
    );
    let vertex = |n: u32| touching.binary_search(&n).unwrap() as u32;
    let own: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(vertex)).collect();
    let rest: Vec<Vec3> = touching.iter().map(|&n| mesh.nodes()[n as usize]).collect();
    let surface = CollisionSurface::new(rest, &own, (0..touching.len() as u32).collect());
    (compliance, surface)
}

/// Steps of the scene.
pub fn clip_settings(period: f64, friction: f64, capacity: usize, reach: f64) -> WorldSettings {
    let mut solver = stiction::delassus::ConeNewtonSettings::default();
    solver.sweeps.limits = stiction::delassus::SolveLimits { tolerance: 1e-6, passes: 500 };
    WorldSettings { period, gravity: Vec3::zeros(), reach, capacity, friction, relaxation: 2e-3, recovery: 0.1, solver }
}

/// The clip above the pipe.
pub fn clip_and_pipe(compliance: &Arc<Compliance>, surface: &CollisionSurface) -> Vec<WorldBody> {
    let start = Pose::translation(0.0, 0.0, 12e-3);
    vec![
        WorldBody { surface: surface.clone(), kind: BodyKind::Deformable(Arc::clone(compliance)), pose: start },
        WorldBody { surface: pipe(), kind: BodyKind::Fixed, pose: Pose::identity() },
    ]
}

/// The hand on the clip.
pub const HAND: GripCoupling =
    GripCoupling { body: 0, stiffness: 8e3, damping: 5.0, angular_stiffness: 5.0, angular_damping: 5e-3 };
