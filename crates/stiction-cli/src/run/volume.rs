//! What a run of many bodies tells of its world.

use crate::facts::{grouped, number};
use serde_json::{Map, Value, json};
use stiction_bake::diagnose::length;
use stiction_scene::{VolumeDriver, World};

/// A body slower than this is at rest (m/s).
const REST: f64 = 1e-4;

/// Lines of a page, each with its title.
pub fn lines(driver: &VolumeDriver, world: &World) -> Vec<(&'static str, String)> {
    let sums = driver.sums();
    let free = world.volume.as_ref().map_or(0, |w| w.bodies.iter().filter(|body| !body.fixed).count());
    let joints = match world.scene.joints().len() {
        0 => String::new(),
        n => format!(", {} joints", grouped(n)),
    };
    let bodies = format!("{}, {} of them free{joints}; told of below: {}", grouped(sums.bodies), grouped(free), name(driver.shown(), world));
    let speed = match sums.fastest_m_s {
        speed if speed < REST => format!("none faster than {} m/s: at rest", number(speed)),
        speed => format!("{} moves at {} m/s", name(sums.fastest, world), number(speed)),
    };
    let [first, last, most] = sums.kinetic_j;
    vec![
        ("Bodies", bodies),
        (
            "Areas",
            format!(
                "{} pairs of convex parts touch over {} m² in the end, {} pairs at most; deepest {}",
                grouped(sums.pairs as usize),
                number(sums.area_m2),
                grouped(sums.pairs_max as usize),
                length(sums.pair_depth_max_m)
            ),
        ),
        (
            "Energy",
            format!(
                "of motion {} J at first, {} J in the end, {} J at most; of weight and springs {} J, then {} J",
                number(first),
                number(last),
                number(most),
                number(sums.potential_j[0]),
                number(sums.potential_j[1])
            ),
        ),
        ("Speed", format!("in the end {speed}")),
    ]
}

/// The same for JSON.
pub fn object(driver: &VolumeDriver, world: &World) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("world".into(), json!(driver.sums()));
    out.insert("told_of".into(), json!(name(driver.shown(), world)));
    out
}

/// What the scene calls a body.
fn name(body: usize, world: &World) -> String {
    world.scene.bodies().get(body).map_or_else(String::new, |b| b.name.clone())
}
