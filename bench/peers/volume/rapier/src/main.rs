//! Runs a scene of `bench/peers/volume/scenes.py` in rapier and prints samples and times as JSON. The scene comes as JSON on standard input, with the
//! settings of the solver beside it, as `outside.py` writes it.

use rapier3d_f64::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::Read;

#[derive(Deserialize)]
struct Job {
    scene: Scene,
    settings: SolverSettings,
}

#[derive(Deserialize)]
struct Scene {
    gravity: f64,
    friction: [f64; 2],
    bodies: Vec<Body>,
    loads: Vec<Load>,
    pull: Option<Pull>,
    dt: f64,
    seconds: f64,
    sample: f64,
    watch: Vec<usize>,
}

#[derive(Deserialize)]
struct Body {
    shape: Shape,
    position: [f64; 3],
    quaternion: [f64; 4],
    mass: f64,
    slides: Option<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    Box([f64; 3]),
    Capsule([f64; 2]),
}

#[derive(Deserialize)]
struct Load {
    body: usize,
    force: [f64; 3],
    from: f64,
}

#[derive(Deserialize)]
struct Pull {
    body: usize,
    stiffness: f64,
    damping: f64,
    speed: f64,
}

/// What of rapier's defaults is changed.
#[derive(Deserialize)]
#[serde(default)]
struct SolverSettings {
    iterations: usize,
    /// One friction constraint for each contact point instead of rapier's simplified ones.
    coulomb: bool,
    /// Natural frequency of contacts (Hz), where it is changed.
    frequency: Option<f64>,
    /// Length that rapier takes for a typical one (m): its tolerances are shares of it.
    length: f64,
}

impl Default for SolverSettings {
    fn default() -> Self {
        SolverSettings { iterations: 4, coulomb: false, frequency: None, length: 1.0 }
    }
}

#[derive(Serialize)]
struct Outcome {
    samples: Vec<Sample>,
    mean_us: f64,
    median_us: f64,
}

#[derive(Serialize)]
struct Sample {
    t: f64,
    bodies: Vec<[f64; 13]>,
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a job on standard input");
    let job: Job = serde_json::from_str(&text).expect("a scene with settings as JSON");
    println!("{}", serde_json::to_string(&run(&job)).expect("numbers as JSON"));
}

fn run(Job { scene, settings }: &Job) -> Outcome {
    let mut world = PhysicsWorld { gravity: Vector::new(0.0, 0.0, -scene.gravity), ..PhysicsWorld::default() };
    let parameters = &mut world.integration_parameters;
    parameters.dt = scene.dt;
    parameters.num_solver_iterations = settings.iterations;
    parameters.length_unit = settings.length;
    if settings.coulomb {
        parameters.friction_model = FrictionModel::Coulomb;
    }
    if let Some(frequency) = settings.frequency {
        parameters.contact_softness.natural_frequency = frequency;
        parameters.static_contact_softness.natural_frequency = frequency;
    }
    let handles: Vec<RigidBodyHandle> = scene.bodies.iter().map(|body| insert(&mut world, body, scene)).collect();
    let steps = (scene.seconds / scene.dt).round() as usize;
    let every = ((scene.sample / scene.dt).round() as usize).max(1);
    let (mut samples, mut times) = (Vec::new(), Vec::with_capacity(steps));
    for step in 0..steps {
        let t = step as f64 * scene.dt;
        for handle in &handles {
            world.bodies[*handle].reset_forces(false);
        }
        for load in scene.loads.iter().filter(|load| t >= load.from - 1e-9) {
            world.bodies[handles[load.body]].add_force(Vector::from(load.force), true);
        }
        if let Some(pull) = &scene.pull {
            let body = &mut world.bodies[handles[pull.body]];
            let stretch = pull.speed * t - (body.translation().x - scene.bodies[pull.body].position[0]);
            let force = pull.stiffness * stretch + pull.damping * (pull.speed - body.linvel().x);
            body.add_force(Vector::new(force, 0.0, 0.0), true);
        }
        let begin = processor_time();
        world.step();
        times.push(processor_time() - begin);
        if (step + 1) % every == 0 {
            let bodies = scene.watch.iter().map(|i| state(&world.bodies[handles[*i]])).collect();
            samples.push(Sample { t: (step + 1) as f64 * scene.dt, bodies });
        }
    }
    let mean_us = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    Outcome { samples, mean_us, median_us: times[times.len() / 2] }
}

fn insert(world: &mut PhysicsWorld, body: &Body, scene: &Scene) -> RigidBodyHandle {
    let [w, x, y, z] = body.quaternion;
    let pose = Pose::from_parts(Vector::from(body.position), Rotation::from_xyzw(x, y, z, w));
    let collider = match body.shape {
        Shape::Box([x, y, z]) => ColliderBuilder::cuboid(x, y, z),
        Shape::Capsule([radius, half_length]) => ColliderBuilder::capsule_z(half_length, radius),
    };
    let mut builder = if body.mass > 0.0 { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
    if let Some(axis) = body.slides {
        let free = [LockedAxes::TRANSLATION_LOCKED_X, LockedAxes::TRANSLATION_LOCKED_Y, LockedAxes::TRANSLATION_LOCKED_Z];
        let along = axis.iter().position(|x| *x != 0.0).expect("an axis along which a body slides");
        builder = builder.locked_axes(LockedAxes::all() - free[along]).gravity_scale(0.0);
    }
    let collider = collider.friction(scene.friction[1]).mass(body.mass);
    world.insert(builder.pose(pose).can_sleep(false), collider).0
}

fn state(body: &RigidBody) -> [f64; 13] {
    let (p, q, v, w) = (body.translation(), body.rotation(), body.linvel(), body.angvel());
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

/// Processor time of this thread (µs).
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    1e6 * time.tv_sec as f64 + 1e-3 * time.tv_nsec as f64
}
