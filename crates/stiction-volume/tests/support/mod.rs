//! Bodies and engines for tests.
#![allow(dead_code)]

use stiction::coupling::Coupling;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3};
use stiction_volume::{Body, ContactCoefficients, ContactMethod, Convex, VolumeEngine, VolumeHand, VolumeSettings};

/// A box around the origin.
pub fn cuboid(size: [f64; 3]) -> Convex {
    let corner = |i: usize| Vec3::new(sign(i, 0) * size[0], sign(i, 1) * size[1], sign(i, 2) * size[2]) * 0.5;
    Convex::of_points(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

/// A box somewhere.
pub fn cuboid_at(size: [f64; 3], at: [f64; 3]) -> Convex {
    let moved: Vec<Vec3> = cuboid(size).points().iter().map(|p| p + Vec3::from(at)).collect();
    Convex::of_points(&moved).unwrap()
}

fn sign(i: usize, axis: usize) -> f64 {
    if i >> axis & 1 == 0 { -1.0 } else { 1.0 }
}

/// Settings with gravity of 9.8 m/s².
pub fn settings(period: f64) -> VolumeSettings {
    VolumeSettings {
        period,
        gravity: Vec3::new(0.0, 0.0, -9.8),
        contact: ContactCoefficients::default(),
        method: ContactMethod::Volume,
        coupling: Coupling { stiffness: 1000.0, torsion: 2.0, max_force: 40.0, max_torque: 2.0 },
        grip_damping: 1.0,
    }
}

/// A floor with its top at z = 0.
pub fn floor(size: f64) -> Body {
    Body::fixed(vec![cuboid([size, size, 0.5 * size])], Pose::translation(0.0, 0.0, -0.25 * size))
}

/// An engine without hands and joints.
pub fn engine(settings: VolumeSettings, bodies: Vec<Body>) -> VolumeEngine {
    VolumeEngine::new(settings, bodies, vec![], vec![]).unwrap()
}

/// An engine with a hand that holds a body.
pub fn held(settings: VolumeSettings, bodies: Vec<Body>, hand: VolumeHand) -> VolumeEngine {
    VolumeEngine::new(settings, bodies, vec![], vec![hand]).unwrap()
}

/// Steps for so many seconds without hands.
pub fn run(engine: &mut VolumeEngine, seconds: f64) {
    let steps = (seconds / engine.settings().period).round() as usize;
    for _ in 0..steps {
        engine.tick(&[]);
    }
}

/// A hand at a pose.
pub fn at(x: f64, y: f64, z: f64) -> HandInput {
    HandInput::at(Pose::translation(x, y, z))
}

/// Random numbers from -1 to 1.
pub fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*seed >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
}

/// A random vector in a cube.
pub fn random_vector(seed: &mut u64) -> Vec3 {
    Vec3::new(random(seed), random(seed), random(seed))
}
