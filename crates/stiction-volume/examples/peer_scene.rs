//! Runs a scene of `bench/peers/volume` in our engine of contact volumes, so that `bench/peers/run-volume` sets it beside other engines.
//!
//! The scene comes as JSON on standard input (`bench/peers/volume/scenes.py` says what it is made of), samples and times go to standard output. The argument
//! says where contact forces act: `volume` or `point`. Two things differ from the other engines. A pull is a hand's spring. A body that slides along an axis is
//! a device: it moves until the contact pushes back with the load, then stands still until the load changes, since the engine has no sliders.

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::f64::consts::TAU;
use stiction::coupling::Coupling;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, exp, join};
use stiction_device::realtime::thread_time;
use stiction_volume::{
    Body, ContactCoefficients, ContactMethod, Convex, ConvexError, Grip, VolumeEngine, VolumeHand, VolumeSettings,
};

/// An engine whose jaw has pressed, and the way that it came; `None` for scenes without one.
type Pressed = Option<(Slider, Vec<Pose>)>;

#[derive(Deserialize)]
struct PeerScene {
    gravity: f64,
    friction: [f64; 2],
    bodies: Vec<PeerBody>,
    loads: Vec<Load>,
    pull: Option<Pull>,
    contact: Option<Springs>,
    dt: f64,
    seconds: f64,
    sample: f64,
    watch: Vec<usize>,
}

#[derive(Deserialize)]
struct PeerBody {
    shape: PeerShape,
    position: [f64; 3],
    quaternion: [f64; 4],
    mass: f64,
    slides: Option<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PeerShape {
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

#[derive(Deserialize)]
struct Springs {
    stiffness: f64,
    damping: f64,
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

/// Sides of a capsule as a polyhedron, and rings of each of its caps.
const SIDES: usize = 32;
const RINGS: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let method = match std::env::args().nth(1).as_deref() {
        None | Some("volume") => ContactMethod::Volume,
        Some("point") => ContactMethod::Point,
        Some(other) => return Err(format!("{other:?} is no method: give volume or point").into()),
    };
    let scene: PeerScene = serde_json::from_reader(std::io::stdin().lock())?;
    serde_json::to_writer(std::io::stdout().lock(), &scene.run(method)?)?;
    Ok(())
}

impl PeerScene {
    fn engine(
        &self,
        method: ContactMethod,
        gravity: f64,
        friction: [f64; 2],
        poses: Option<&[Pose]>,
    ) -> Result<VolumeEngine, Box<dyn Error>> {
        let mut bodies = self.bodies.iter().map(PeerBody::body).collect::<Result<Vec<_>, _>>()?;
        for (body, pose) in bodies.iter_mut().zip(poses.unwrap_or_default()) {
            body.world_from_body = *pose;
        }
        let (mut hands, mut coupling, mut grip_damping) = (Vec::new(), coupling(2000.0), 0.0);
        if let Some((body, _)) = self.slider() {
            hands.push(VolumeHand { holds: Some(body), grip: Grip::Device });
        }
        if let Some(pull) = &self.pull {
            hands.push(VolumeHand { holds: Some(pull.body), grip: Grip::Spring });
            coupling = self::coupling(pull.stiffness);
            grip_damping = pull.damping / (2.0 * (pull.stiffness * self.bodies[pull.body].mass).sqrt());
        }
        let contact = ContactCoefficients {
            normal_stiffness: self.contact.as_ref().map(|c| c.stiffness),
            normal_damping: self.contact.as_ref().map(|c| c.damping),
            mu_static: friction[0],
            mu_kinetic: friction[1],
            ..ContactCoefficients::default()
        };
        let gravity = -Vec3::z() * gravity;
        let settings = VolumeSettings { period: self.dt, gravity, contact, method, coupling, grip_damping };
        Ok(VolumeEngine::new(settings, bodies, Vec::new(), hands)?)
    }

    fn run(&self, method: ContactMethod) -> Result<Outcome, Box<dyn Error>> {
        let (mut slider, poses) = Slider::pressed(self, method)?.unzip();
        let mut engine = self.engine(method, self.gravity, self.friction, poses.as_deref())?;
        let steps = (self.seconds / self.dt).round() as usize;
        let every = ((self.sample / self.dt).round() as usize).max(1);
        let mut times = Vec::with_capacity(steps);
        let mut samples = Vec::with_capacity(steps / every);
        for step in 0..steps {
            let t = step as f64 * self.dt;
            let hand = match (&mut slider, &self.pull) {
                (Some(slider), _) => slider.hand(self, &engine, t),
                (None, Some(pull)) => self.pulled(pull, t),
                (None, None) => HandInput::unknown(),
            };
            let begun = thread_time();
            engine.tick(&[hand]);
            times.push(1e-3 * (thread_time() - begun) as f64);
            if (step + 1) % every == 0 {
                let bodies = self.watch.iter().map(|body| state(&engine, *body)).collect();
                samples.push(Sample { t: (step + 1) as f64 * self.dt, bodies });
            }
        }
        let mean_us = times.iter().sum::<f64>() / times.len() as f64;
        times.sort_by(f64::total_cmp);
        Ok(Outcome { samples, mean_us, median_us: times[times.len() / 2] })
    }

    /// The hand whose spring pulls.
    fn pulled(&self, pull: &Pull, t: f64) -> HandInput {
        let start = self.bodies[pull.body].pose();
        let ahead = Vec3::x() * pull.speed;
        let pose = Pose::from_parts((start.translation.vector + ahead * t).into(), start.rotation);
        HandInput { twist: join(ahead, Vec3::zeros()), ..HandInput::at(pose) }
    }

    /// The body that slides, and the axis along which it does.
    fn slider(&self) -> Option<(usize, Vec3)> {
        self.bodies.iter().enumerate().find_map(|(i, body)| Some((i, Vec3::from(body.slides?))))
    }
}

impl PeerBody {
    fn pose(&self) -> Pose {
        let [w, x, y, z] = self.quaternion;
        let axis = Vec3::new(x, y, z);
        let turn = axis.try_normalize(0.0).unwrap_or_default() * (2.0 * axis.norm().atan2(w));
        Pose::from_parts(Vec3::from(self.position).into(), exp(&turn))
    }

    fn body(&self) -> Result<Body, ConvexError> {
        let convex = match self.shape {
            PeerShape::Box(half) => Convex::of_points(&corners(Vec3::from(half)))?,
            PeerShape::Capsule([radius, half_length]) => Convex::of_points(&capsule(radius, half_length))?,
        };
        Ok(if self.mass > 0.0 {
            Body::new(vec![convex], self.mass, self.pose())
        } else {
            Body::fixed(vec![convex], self.pose())
        })
    }
}

/// A device that is a body which slides along an axis: it moves until the contact pushes back with its load.
struct Slider {
    body: usize,
    start: Pose,
    axis: Vec3,
    moved: f64,
    /// When its load changed last (s).
    begun: f64,
    load: f64,
}

/// How long the device moves after its load has changed (s).
const SETTLES: f64 = 1.0;
/// How far it moves for each newton that is missing, in a step (m/N).
const COMPLIANCE: f64 = 2e-5;

impl Slider {
    /// The slider of a scene, where it has pushed on the others for a while without weight or friction; and where they are then.
    fn pressed(scene: &PeerScene, method: ContactMethod) -> Result<Pressed, Box<dyn Error>> {
        let Some((body, axis)) = scene.slider() else { return Ok(None) };
        let start = scene.bodies[body].pose();
        let mut slider = Slider { body, start, axis, moved: 0.0, begun: 0.0, load: f64::NAN };
        let mut engine = scene.engine(method, 0.0, [0.0; 2], None)?;
        for step in 0..(SETTLES / scene.dt).round() as usize {
            let hand = slider.hand(scene, &engine, step as f64 * scene.dt);
            engine.tick(&[hand]);
        }
        Ok(Some((slider, engine.bodies().iter().map(|body| body.pose).collect())))
    }

    fn hand(&mut self, scene: &PeerScene, engine: &VolumeEngine, t: f64) -> HandInput {
        let acts = |load: &&Load| load.body == self.body && t >= load.from - 1e-9;
        let load: f64 = scene.loads.iter().filter(acts).map(|load| Vec3::from(load.force).dot(&self.axis)).sum();
        if load != self.load {
            // At once to where the load would be felt if force grew with distance.
            self.moved *= if self.load.is_finite() { load / self.load } else { 0.0 };
            (self.load, self.begun) = (load, t);
        } else if t < self.begun + SETTLES {
            let felt = engine.bodies()[self.body].force.dot(&self.axis);
            self.moved += COMPLIANCE * (load + felt);
        }
        let place = self.start.translation.vector + self.axis * self.moved;
        HandInput::at(Pose::from_parts(place.into(), self.start.rotation))
    }
}

fn coupling(stiffness: f64) -> Coupling {
    Coupling { stiffness, torsion: 1e-3, max_force: 1000.0, max_torque: 10.0 }
}

fn state(engine: &VolumeEngine, body: usize) -> [f64; 13] {
    let body = &engine.bodies()[body];
    let (p, q) = (body.centre, body.pose.rotation);
    let (v, w) = (body.velocity, body.spin);
    [p.x, p.y, p.z, q.w, q.i, q.j, q.k, v.x, v.y, v.z, w.x, w.y, w.z]
}

fn corners(half: Vec3) -> Vec<Vec3> {
    let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4)).component_mul(&half)).collect()
}

/// Corners of a capsule along z whose sides touch the cylinder from outside, so that the distance of its flat sides is the diameter.
fn capsule(radius: f64, half_length: f64) -> Vec<Vec3> {
    let outer = radius / (TAU / (2 * SIDES) as f64).cos();
    let ring = |r: f64, z: f64| {
        (0..SIDES).map(move |i| {
            let (sin, cos) = (TAU * (i as f64 + 0.5) / SIDES as f64).sin_cos();
            Vec3::new(r * cos, r * sin, z)
        })
    };
    let cap = |side: f64| {
        (0..RINGS).flat_map(move |i| {
            let (sin, cos) = (0.25 * TAU * i as f64 / RINGS as f64).sin_cos();
            ring(outer * cos, side * (half_length + radius * sin))
        })
    };
    let ends = [-1.0, 1.0].map(|side| Vec3::z() * (side * (half_length + radius)));
    cap(-1.0).chain(cap(1.0)).chain(ends).collect()
}
