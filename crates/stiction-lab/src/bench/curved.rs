//! Sliding over curved faces: what `stiction-lab bench roughness` measures before and after hard contacts.
//!
//! Both are baked as `stiction new` would have it. The hand has a steady speed, which no keyframe or script has, and a constant load presses the parts together.
//! On true cylinders the wrench would be constant or change by less than 1 Hz: what is felt between 20 and 500 Hz is of facets and of the engine.

use std::path::Path;
use stiction::spatial::{Pose, Vec3, exp};
use stiction_cli::Failure;
use stiction_scene::{Hand, Scene};

/// The scenes that are there.
pub const NAMES: [&str; 2] = ["pin-in-bore", "pin-on-cylinder"];
/// The beginning that does not count (s): the load grows and the part comes to its wall.
pub const SETTLING: f64 = 0.5;
/// Time of a run (s).
const SECONDS: f64 = 4.0;
/// Frames of the hand's path a second.
const FRAMES: f64 = 100.0;

/// One of them by its name.
pub fn scene(name: &str) -> Option<Result<Scene, Failure>> {
    match name {
        "pin-in-bore" => Some(pin_in_bore()),
        "pin-on-cylinder" => Some(pin_on_cylinder()),
        _ => None,
    }
}

/// A pin of 8 mm in a bore that is 0.1 mm wider, both with 32 facets, pressed aside with 10 N through its middle and turned by 1 rad/s.
fn pin_in_bore() -> Result<Scene, Failure> {
    let parts = "held = { solid = \"cylinder\", radius = 0.004, height = 0.04, segments = 32, mass = 0.001, resolution = 256, points = 4000 }
         fixed = { solid = \"plate-round-hole\", size = [0.03, 0.03], thickness = 0.02, radius = 0.00405, segments = 32, resolution = 256, points = 4000 }
         load = { force = [10.0, 0.0, 0.0], ramp_seconds = 0.1 }";
    made("pin-in-bore", parts, |t| Pose::from_parts(Vec3::zeros().into(), exp(&(Vec3::z() * t))))
}

/// A pin of 6 mm slid across a cylinder of 40 mm, parallel to it, by 4 mm/s, with 10 N towards its axis when at its top. The hand is always
/// where the pin touches without force.
fn pin_on_cylinder() -> Result<Scene, Failure> {
    let parts = "held = { solid = \"cylinder\", radius = 0.003, height = 0.02, segments = 48, mass = 0.001, resolution = 256, points = 4000 }
         fixed = { solid = \"cylinder\", radius = 0.02, height = 0.04, segments = 64, resolution = 256, points = 4000 }
         load = { force = [-10.0, 0.0, 0.0], ramp_seconds = 0.1 }";
    made("pin-on-cylinder", parts, |t| {
        let y = 0.004 * (t - 0.5 * SECONDS);
        Pose::translation((0.023_f64.powi(2) - y * y).sqrt(), y, 0.0)
    })
}

fn made(name: &str, parts: &str, hand: impl Fn(f64) -> Pose) -> Result<Scene, Failure> {
    let text = format!(
        "name = \"{name}\"
         run = {{ rate = 1000, seconds = {SECONDS} }}
         {parts}
         friction = {{ method = \"hold\", static = 0.2, kinetic = 0.2 }}
         hand = {{ keyframes = [{{ t = 0.0, position = [0.0, 0.0, 0.0] }}] }}"
    );
    let mut scene = Scene::parse(&text, Path::new("curved.toml"), &[])?;
    let frames = (0..=(SECONDS * FRAMES) as u32).map(|i| f64::from(i) / FRAMES);
    scene.set_hand(Hand::recorded(&frames.map(|t| (t, hand(t))).collect::<Vec<_>>()));
    scene.set_start(hand(0.0));
    Ok(scene)
}
