//! Scenes as a user runs them: what is printed, what is written, what is refused.

mod bad;
mod bench;
mod new;
#[path = "../place/mod.rs"]
mod place;
mod trace;
mod way;

use place::{Place, stderr};

/// A small cube on a plate: pressed, then pulled until it slips. Bakes in no time.
const SCENE: &str = r#"
name = "small"
description = "a test"
run = { seconds = 0.4, rate = 500 }
held = { solid = "box", size = [0.02, 0.02, 0.02], mass = 0.1, resolution = 16, points = 200, material = "steel" }
fixed = { solid = "plate", size = [0.1, 0.1], thickness = 0.02, resolution = 32, points = 50, position = [0, 0, -0.01], material = "brass" }

[friction]
static = 0.5
kinetic = 0.4
[[friction.pair]]
between = ["steel", "brass"]
static = 0.3
kinetic = 0.2

[hand]
keyframes = [{ t = 0, position = [0, 0, 0.0101] }, { t = 0.1, position = [0, 0, 0.008] }, { t = 0.4, position = [0.004, 0, 0.008] }]
"#;

/// A folder with the scene in it.
fn place() -> Place {
    let place = Place::new();
    place.write("small.toml", SCENE);
    place
}
