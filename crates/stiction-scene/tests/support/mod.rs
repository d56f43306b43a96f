//! What the long tests share: worlds of the scenes by name, baked once, and random numbers.
#![allow(dead_code)]

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use stiction::friction::{Cone, Method};
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_scene::{Scene, Setting, World};

/// One at a time: two threads that bake the same shape would write the same draft of the cache's file.
static BAKING: Mutex<()> = Mutex::new(());

/// Coarser shapes for the scenes whose own are for users and studies; they do the same.
pub fn coarse(name: &str) -> &'static [&'static str] {
    match name {
        "starter-motor" => &["fixed.resolution=320", "fixed.cube=false"],
        "window-motor" => &["held.resolution=112", "held.cube=false", "fixed.resolution=448", "fixed.points=12000"],
        _ => &[],
    }
}

/// The world of a scene; its shapes are baked once for all tests and profiles.
pub fn world(name: &str, set: &[&str]) -> World {
    let set: Vec<Setting> = coarse(name).iter().chain(set).map(|s| s.parse().unwrap()).collect();
    let scene = Scene::read(&Scene::find(name).unwrap(), &set).unwrap_or_else(|e| panic!("{e}"));
    let cache = Cache::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("shapes"));
    let _one = BAKING.lock().unwrap_or_else(PoisonError::into_inner);
    scene.build(Some(&cache), &Silent).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The world with another friction solver; the linear program, which needs a polygon, on the paper's octagon.
pub fn with_method(world: &World, method: Method) -> World {
    let mut world = world.clone();
    let friction = &mut world.scene.settings.friction;
    friction.method = method;
    if method == Method::Lp && friction.cone == Cone::Disk {
        friction.cone = Cone::paper(8);
    }
    world
}

/// `STICTION_STUDY`, where it is set.
pub fn study() -> Option<u64> {
    std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).filter(|n| *n > 0)
}

/// Numbers that look random: S. Vigna's splitmix64.
pub struct Random(pub u64);

impl Random {
    /// A whole number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between -1 and 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
}
