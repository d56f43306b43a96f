//! What the tests share: sessions with shapes baked once, and a study's size.
#![allow(dead_code)]

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_device::{Device, Servo, ServoInput, ServoOutput};
use stiction_scene::Scene;
use stiction_session::{Pace, Plan, SceneDevice, Session};

/// One at a time: two threads that bake the same shape would write the same draft of the cache's file.
static BAKING: Mutex<()> = Mutex::new(());

/// Where baked shapes are kept for all tests.
pub fn cache() -> Cache {
    Cache::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("shapes"))
}

/// A small box that is pressed on a plate, pulled until it slides, turned and lifted: quick to bake and to tick.
pub const SMALL: &str = r#"
name = "small"
run = { seconds = 1.4, rate = 1000 }
held = { solid = "box", size = [0.02, 0.02, 0.02], mass = 0.1, resolution = 24, points = 60 }
fixed = { solid = "plate", size = [0.08, 0.08], thickness = 0.01, resolution = 24, points = 400, position = [0, 0, -0.005] }
coupling = { stiffness = 2000, torsion = 5, max_torque = 0.5 }
contact = { model = "penalty", stiffness = 50000, shell_on = "fixed" }
friction = { method = "hold", static = 0.4, kinetic = 0.3 }
load = { gravity = [0, 0, -9.81] }

[hand]
from = { position = [0.0, 0.0, 0.0102] }
script = [
    { move = [0.0, 0.0, -0.008], seconds = 0.4 },
    { move = [0.006, 0.002, 0.0], seconds = 0.4 },
    { turn = { axis = [0, 0, 1], angle_deg = 10 }, seconds = 0.3 },
    { move = [0.0, 0.0, 0.010], seconds = 0.3 },
]
"#;

/// A slab in the hand that is the device itself: it is pressed on a floor, pushes a block along, and is lifted.
pub const SLAB: &str = r#"
name = "slab"
engine = "volume"
run = { seconds = 1.6, rate = 1000 }
coupling = { stiffness = 2000, torsion = 5, max_torque = 0.5 }
friction = { static = 0.4, kinetic = 0.3 }
load = { gravity = [0, 0, -9.81] }

[[body]]
name = "floor"
fixed = true
solid = "box"
size = [0.4, 0.4, 0.02]
position = [0, 0, -0.01]

[[body]]
name = "slab"
solid = "box"
size = [0.03, 0.03, 0.02]
mass = 0.1

[[body]]
name = "block"
solid = "box"
size = [0.03, 0.03, 0.03]
mass = 0.1
position = [0.036, 0, 0.015]

[[hand]]
holds = "slab"
from = { position = [0.0, 0.0, 0.0102] }
script = [
    { move = [0.0, 0.0, -0.003], seconds = 0.4 },
    { move = [0.02, 0.002, 0.0], seconds = 0.5 },
    { turn = { axis = [0, 0, 1], angle_deg = 10 }, seconds = 0.3 },
    { move = [0.0, 0.0, 0.010], seconds = 0.4 },
]
"#;

/// The plan of a scene by name, or of [`SMALL`] or [`SLAB`].
pub fn plan(name: &str, set: &[&str]) -> Plan {
    let set = set.iter().map(|s| s.parse().unwrap()).collect();
    match name {
        "small" => Plan::of_text(Path::new("small/scene.toml"), SMALL.into(), set),
        "slab" => Plan::of_text(Path::new("slab/scene.toml"), SLAB.into(), set),
        _ => Plan::of(&Scene::find(name).unwrap(), set).unwrap(),
    }
}

/// A session of a plan.
pub fn session(plan: Plan) -> Session {
    let _one = BAKING.lock().unwrap_or_else(PoisonError::into_inner);
    Session::new(plan, Some(&cache()), &Silent).unwrap_or_else(|e| panic!("{e}"))
}

/// `STICTION_STUDY`, where it is set.
pub fn study() -> Option<u64> {
    std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).filter(|n| *n > 0)
}

/// A servo and its device on the virtual clock, with every input in reach.
#[derive(Clone)]
pub struct Rig {
    pub servo: Servo,
    pub device: SceneDevice,
    pub input: ServoInput,
    period: u64,
}

impl Rig {
    /// Armed, before the first cycle.
    pub fn new(session: &Session) -> Rig {
        let mut device = session.device(0, Pace::Virtual(session.period())).unwrap();
        device.arm().unwrap();
        Rig::of(session.servo().unwrap(), device, session.period())
    }

    /// Of these.
    pub fn of(servo: Servo, device: SceneDevice, period: f64) -> Rig {
        let read = Err(stiction_device::DeviceError::NotArmed);
        let input = ServoInput { read, ..ServoInput::missing(0, 0) };
        Rig { servo, device, input, period: (period * 1e9) as u64 }
    }

    /// One cycle; `edit` may change what goes in. Commands stay until they are changed.
    pub fn step(&mut self, edit: impl FnOnce(&mut ServoInput)) -> ServoOutput {
        let Rig { servo, device, input, period } = self;
        input.now += *period;
        input.late = 0;
        input.read = device.read();
        edit(input);
        let output = servo.cycle(&[*input])[0];
        input.wrote = device.write(&output.sent).map(|_| ());
        output
    }

    /// So many cycles, undisturbed.
    pub fn run(&mut self, cycles: u64) -> ServoOutput {
        (0..cycles).map(|_| self.step(|_| ())).last().unwrap()
    }
}
