//! Parts and scenes that several figures share.

use crate::figure::{Context, FigureError};
use std::collections::HashMap;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};
use stiction::contact::budget::Budget;
use stiction::contact::penalty::ShellOn;
use stiction::contact::separating::ReleaseRule;
use stiction::coupling::Coupling;
use stiction::friction::{self, Cone, Method};
use stiction::shape::{PointShell, Shape, ShellNode, ShellPoint};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::{ContactModel, Damping, Engine, Settings};
use stiction_bake::field::Fineness;
use stiction_bake::solids::Solid;
use stiction_bake::{BakeOptions, bake};

/// Shapes baked before, by what they were baked from.
#[derive(Default)]
pub struct BakedParts(Mutex<HashMap<String, Arc<Shape>>>);

impl Context<'_> {
    /// The shape of a solid, with so many voxels along its longest side (a quarter of them in a quick run) and so many points.
    pub fn bake(&self, solid: &Solid, voxels: u32, points: usize, levels: usize) -> Result<Arc<Shape>, FigureError> {
        let mut options = BakeOptions { shell_points: points, shell_levels: Some(levels), ..BakeOptions::default() };
        options.field.fineness = Fineness::Resolution(if self.quick { (voxels / 4).max(32) } else { voxels });
        let key = format!("{solid:?} {}", options.line());
        if let Some(shape) = self.parts.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(shape));
        }
        let wrong = |reason: String| FigureError::Part { part: solid.name().into(), reason };
        let mesh = solid.mesh().map_err(|e| wrong(e.to_string()))?;
        let baked = bake(&mesh, &options, String::new(), self.progress);
        self.go_on()?;
        let shape = Arc::new(baked.map_err(|e| wrong(e.to_string()))?.shape);
        self.parts.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&shape));
        Ok(shape)
    }
}

/// A shape with other points: one level, every one looked at.
pub fn with_points(shape: &Shape, points: Vec<ShellPoint>) -> Result<Arc<Shape>, FigureError> {
    let count = points.len() as u32;
    let nodes = (0..count).map(|point| ShellNode { point, first_child: 0, children: 0, radius: 0.0 }).collect();
    let wrong = |e: stiction::shape::ShapeError| FigureError::Part { part: "shell".into(), reason: e.to_string() };
    let shell = PointShell::new(points, nodes, vec![count]).map_err(wrong)?;
    Ok(Arc::new(Shape { shell, ..shape.clone() }))
}

/// Points in a grid on a face: its middle, two directions with half lengths, and how many along each.
pub fn grid(normal: Vec3, middle: Vec3, along: [Vec3; 2], counts: [usize; 2]) -> Vec<ShellPoint> {
    let place = |i: usize, n: usize| if n > 1 { 2.0 * i as f64 / (n - 1) as f64 - 1.0 } else { 0.0 };
    let each = |k: usize| {
        let (i, j) = (k % counts[0], k / counts[0]);
        ShellPoint { position: middle + along[0] * place(i, counts[0]) + along[1] * place(j, counts[1]), normal }
    };
    (0..counts[0] * counts[1]).map(each).collect()
}

/// Half the edge of the cube on the plate (m).
pub const HALF: f64 = 0.05;

/// A cube of 10 cm with 7 × 7 points under it, normals off by a Gaussian of `noise` (rad), and a plate whose top is z = 0.
pub fn cube_on_plate(ctx: &Context, noise: f64, seed: u64) -> Result<[Arc<Shape>; 2], FigureError> {
    let cube = ctx.bake(&Solid::Box { size: [2.0 * HALF; 3] }, 64, 500, 4)?;
    let plate = ctx.bake(&Solid::Box { size: [0.3, 0.3, 0.1] }, 128, 500, 4)?;
    let mut random = Random(seed);
    let side = 0.9 * HALF;
    let mut points = grid(-Vec3::z(), -Vec3::z() * HALF, [Vec3::x() * side, Vec3::y() * side], [7, 7]);
    for p in &mut points {
        let tilted = p.normal + Vec3::new(random.normal(), random.normal(), 0.0) * noise;
        p.normal = tilted / tilted.norm();
    }
    Ok([with_points(&cube, points)?, plate])
}

/// Where the plate is, so that its top is z = 0.
pub fn plate_pose() -> Pose {
    at(Vec3::new(0.0, 0.0, -0.05))
}

/// The paper's corner: two walls of 30 × 20 cm that meet in the z axis, 7,772 points in 8 levels; and a cube of a given edge (m)
/// with 256 voxels along it. The corner is relieved: see [`relieved`].
pub fn corner(ctx: &Context, edge: f64) -> Result<[Arc<Shape>; 2], FigureError> {
    let walls = Solid::LBar { legs: [0.2, 0.2], thickness: 0.02, length: 0.3 };
    // As fine in a quick run: the engine tells by the field which points lie on edges.
    let walls = ctx.bake(&walls, ctx.pick(256, 1024), 7772, 8)?;
    Ok([ctx.bake(&Solid::Box { size: [edge; 3] }, 256, 200, 4)?, relieved(&walls)?])
}

/// The corner with the points within 2.5 mm of its inner edge sunk by 1 mm, as workshops relieve a corner: the engine takes the normals of
/// such points from the cube's field, where they turn by a right angle within a voxel.
fn relieved(walls: &Shape) -> Result<Arc<Shape>, FigureError> {
    let shell = &walls.shell;
    let mut points = shell.points().to_vec();
    for p in points.iter_mut().filter(|p| p.position.x.abs() < 2.5e-3 && p.position.y.abs() < 2.5e-3) {
        p.position -= Vec3::new(1e-3, 1e-3, 0.0);
    }
    let reach = |n: &ShellNode| ShellNode { radius: if n.children > 0 { n.radius + 2e-3 } else { 0.0 }, ..*n };
    let allowances = shell.allowances().to_vec();
    let shell = PointShell::new(points, shell.nodes().iter().map(reach).collect(), shell.levels().to_vec())
        .and_then(|shell| shell.with_allowances(allowances));
    let wrong = |e: stiction::shape::ShapeError| FigureError::Part { part: "corner".into(), reason: e.to_string() };
    Ok(Arc::new(Shape { shell: shell.map_err(wrong)?, ..walls.clone() }))
}

/// As in the paper: the linear program with a 4-gon, T_u along the edge of the corner, every colliding tick damped.
pub fn paper(mu: f64, alpha: f64) -> Settings {
    Settings {
        coupling: Coupling { stiffness: 2000.0, torsion: 20.0, max_force: 60.0, max_torque: 6.0 },
        model: Some(ContactModel::Penalty),
        budget: Budget { stiffness: 50_000.0, blend: 0.25 },
        mu_static: mu,
        mu_kinetic: mu,
        friction: friction::FrictionSettings {
            method: Method::Lp,
            cone: Cone::paper(4),
            ..friction::FrictionSettings::default()
        },
        shell_on: ShellOn::Fixed,
        tangent_axis: Vec3::z(),
        damping: alpha,
        damped: Damping::Colliding,
        // The paper bounds no step; a quarter of the corner's walls is never reached.
        step_bound: Some(0.005),
        ..Settings::default()
    }
}

/// The engines that figures of the friction paper are run with, by name: contacts and section 4.1 as printed, the same with the third condition of section 5.6, and ours.
pub const ENGINES: [(&str, ContactModel, ReleaseRule); 3] = [
    ("paper", ContactModel::Paper, ReleaseRule::Paper),
    ("paper with 5.6", ContactModel::Paper, ReleaseRule::Three),
    ("ours", ContactModel::Penalty, ReleaseRule::Applied),
];

/// The same settings with the contacts and the rule of one of [`ENGINES`].
pub fn with_engine(settings: &Settings, (_, model, release): (&str, ContactModel, ReleaseRule)) -> Settings {
    Settings { model: Some(model), release, ..*settings }
}

/// The same settings with another friction solver: disks but for the linear program.
pub fn with_method(settings: &Settings, method: Method) -> Settings {
    let cone = if method == Method::Lp { Cone::paper(4) } else { Cone::Disk };
    Settings { friction: friction::FrictionSettings { method, cone, ..settings.friction }, ..*settings }
}

/// A pose without rotation.
pub fn at(position: Vec3) -> Pose {
    Pose::translation(position.x, position.y, position.z)
}

/// Two parts, how they meet, and where the fixed one is.
#[derive(Clone)]
pub struct FigureScene {
    /// How the engine works.
    pub settings: Settings,
    /// Held and fixed.
    pub parts: [Arc<Shape>; 2],
    /// World from the fixed part.
    pub world_from_fixed: Pose,
}

impl FigureScene {
    /// An engine with the part at a pose.
    pub fn engine(&self, start: Pose) -> Result<Engine, FigureError> {
        let [held, fixed] = self.parts.clone();
        Ok(Engine::new(self.settings, held, fixed, self.world_from_fixed, start)?)
    }

    /// The same with other settings.
    pub fn with(&self, settings: Settings) -> Self {
        FigureScene { settings, ..self.clone() }
    }

    /// An engine with the part where it comes to rest without friction, so that experiments start from equilibrium: undamped, and
    /// where that goes round in a circle, damped more and more.
    pub fn settled(&self, start: Pose, hand: &Pose, load: &Vec6) -> Result<Engine, FigureError> {
        let mut pose = start;
        let mut left = f64::INFINITY;
        for damping in [0.0, 0.6, 0.9, 0.98] {
            let settings =
                Settings { damping, damped: Damping::Colliding, ..with_method(&self.settings, Method::Frictionless) };
            let mut engine = self.with(settings).engine(pose)?;
            for _ in 0..400 {
                left = engine.tick(hand, load).step.norm() / (1.0 - damping);
                if left < 1e-15 {
                    break;
                }
            }
            pose = engine.trace().part;
            if left < 1e-9 {
                return self.engine(pose);
            }
        }
        Err(FigureError::Setup(format!("the part did not come to rest: {left:.1e} left to go")))
    }
}

/// A cube in the paper's corner, its centre at height z, pressed on both walls by a hand that is `press` (m) inside either.
pub fn pressed(scene: &FigureScene, edge: f64, z: f64, press: f64) -> Result<(Engine, Pose), FigureError> {
    let hand = at(Vec3::new(0.5 * edge - press, 0.5 * edge - press, z));
    let start = at(Vec3::new(0.5 * edge, 0.5 * edge, z));
    Ok((scene.settled(start, &hand, &Vec6::zeros())?, hand))
}

/// A pose moved in world axes.
pub fn moved(pose: &Pose, by: Vec3) -> Pose {
    Pose::from_parts((pose.translation.vector + by).into(), pose.rotation)
}

/// Random numbers with a seed: xorshift, and Box and Muller's normals.
pub struct Random(pub u64);

impl Random {
    /// From 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        // A zero state would stay zero.
        let mut x = self.0 ^ 0x9e37_79b9_7f4a_7c15;
        x = if x == 0 { 1 } else { x };
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0 = x ^ 0x9e37_79b9_7f4a_7c15;
        (x >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Mean 0, deviation 1.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (2.0 * PI * self.unit()).cos()
    }

    /// From -1 to below 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
}
