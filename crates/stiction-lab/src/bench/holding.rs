//! `stiction-lab bench holding`: how fast a part creeps that Coulomb's law says must stand still.
//!
//! The experiment of `bench/peers/holding.json`, which `bench/peers/run-holding` runs with other engines: a cube lies on a plate and is
//! pulled sideways, at its centre, with 0.9 of what friction can hold at the smallest normal force. A second to settle, one in
//! which the pull grows, one to wait; then the creep along the pull is measured, of the part's centre and of the middle of its
//! lower face, where it touches.
//!
//! In Stiction a hand holds the part through a spring, the usual coupling of 2 kN/m here. The hand pulls by it and goes along with the part,
//! so that the pull stays the same however far the part creeps; weight and normal force are loads. The points are on the plate.
//!
//! Control: afterwards the pull is 1.1 of what friction holds at the largest normal force, and the part must slip.

use super::{RowPrinter, check};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::path::Path;
use stiction::friction::{Cone, FrictionSettings, Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6, join};
use stiction::tick::Engine;
use stiction_bake::{Progress, Silent};
use stiction_cli::bars::Bars;
use stiction_cli::clock::Times;
use stiction_cli::{Failure, stop};
use stiction_results::Measurement;
use stiction_scene::{Scene, World};

/// Measure how fast a part creeps that friction must hold
///
/// A 10 cm cube on a plate, pulled with 0.9 of what friction can hold, under a constant normal force and under one that goes up
/// and down by a fifth every second. Coulomb's law says that it stands still; springs and regularised friction let it creep.
#[derive(Args)]
pub struct Holding {
    /// Measure 5 s instead of 60
    #[arg(long)]
    quick: bool,
    /// One JSON object per line instead of the table
    #[arg(long)]
    json: bool,
}

/// The experiment, shared with the peers.
const EXPERIMENT: &str = include_str!("../../../../bench/peers/holding.json");

#[derive(Clone, Copy, Debug, Deserialize)]
struct Experiment {
    edge_m: f64,
    mass_kg: f64,
    gravity_m_per_s2: f64,
    friction: f64,
    mean_load_n: f64,
    pull_of_limit: f64,
    control_of_limit: f64,
    varying_amplitude: f64,
    varying_period_s: f64,
    settle_s: f64,
    ramp_s: f64,
    wait_s: f64,
    measure_s: f64,
    quick_s: f64,
    step_s: f64,
}

/// A line of the table.
#[derive(Debug, Serialize)]
struct Row {
    system: &'static str,
    version: &'static str,
    setting: &'static str,
    load: &'static str,
    part_um_per_s: f64,
    contact_um_per_s: f64,
    seconds: f64,
    dt: f64,
    cpu_us_per_step: f64,
    contacts: u32,
    /// How far the contact gave way when the pull came (µm).
    gave_way_um: f64,
    control_slips: bool,
}

/// Of the coupling (N/m).
const STIFFNESS: f64 = 2000.0;
/// Stiffness of the frictional springs of the comparison with Yamane's way (N/m).
const SPRINGS: f64 = 1e5;
/// Ticks of the control: before the part is off the plate.
const CONTROL: u64 = 100;

fn settings() -> [(&'static str, FrictionSettings); 5] {
    let of = |method| FrictionSettings { method, ..FrictionSettings::default() };
    [
        ("hold", of(Method::Hold)),
        ("qp, stiffness metric", of(Method::Qp(Metric::Stiffness))),
        ("qp, mass metric", of(Method::Qp(Metric::Mass))),
        ("lp, 8-gon", FrictionSettings { cone: Cone::paper(8), ..of(Method::Lp) }),
        ("yamane, 1e5 N/m", FrictionSettings { spring_stiffness: SPRINGS, ..of(Method::Yamane) }),
    ]
}

impl Holding {
    /// Measures and prints.
    pub fn run(&self) -> Result<(), Failure> {
        let experiment: Experiment = serde_json::from_str(EXPERIMENT)?;
        let seconds = if self.quick { experiment.quick_s } else { experiment.measure_s };
        let world = experiment.world()?;
        let bars = Bars::new(false);
        let columns = "setting load part_um_per_s contact_um_per_s gave_way_um contacts cpu_us_per_step control_slips";
        let mut printer = RowPrinter::new(self.json, columns);
        let mut kept = Vec::new();
        for (setting, friction) in settings() {
            for (load, amplitude) in [("constant", 0.0), ("varying", experiment.varying_amplitude)] {
                let mut world = world.clone();
                world.scene.settings.friction = friction;
                let trial = Trial { experiment, amplitude, seconds, engine: world.engine()?, tick: 0 };
                bars.stage(setting, trial.ticks());
                let row = trial.measure(setting, load, &bars);
                bars.stage("", 0);
                let row = row.ok_or(Failure::stopped("stopped"))?;
                printer.put(&row)?;
                let what = |what: &str| format!("{setting}, {load} load: {what}");
                kept.push(Measurement::new(what("creep of the part's centre"), row.part_um_per_s, "µm/s"));
                kept.push(Measurement::new(what("creep of the contact"), row.contact_um_per_s, "µm/s"));
            }
        }
        Ok(check::keep("bench-holding", &[], kept)?)
    }
}

impl Experiment {
    /// The cube on a plate.
    fn world(&self) -> Result<World, Failure> {
        let Experiment { edge_m, mass_kg, gravity_m_per_s2, friction, step_s, .. } = *self;
        let text = format!(
            "name = \"holding\"
             run = {{ rate = {rate:?}, seconds = 1.0 }}
             held = {{ solid = \"box\", size = [{edge_m:?}, {edge_m:?}, {edge_m:?}], mass = {mass_kg:?}, resolution = 128, points = 200 }}
             fixed = {{ solid = \"plate\", size = [{side:?}, {side:?}], thickness = {thickness:?}, resolution = 32, points = 2350, position = [0.0, 0.0, {low:?}] }}
             contact = {{ shell_on = \"fixed\", tangent_axis = [1, 0, 0] }}
             coupling = {{ stiffness = {STIFFNESS:?}, torsion = 20.0, max_force = 40.0, max_torque = 4.0 }}
             friction = {{ method = \"hold\", static = {friction:?}, kinetic = {friction:?} }}
             load = {{ gravity = [0.0, 0.0, {down:?}] }}
             hand = {{ keyframes = [{{ t = 0.0, position = [0.0, 0.0, {height:?}] }}, {{ t = 1.0, position = [0.0, 0.0, {height:?}] }}] }}",
            rate = 1.0 / step_s,
            side = 3.0 * edge_m,
            thickness = 0.5 * edge_m,
            low = -0.25 * edge_m,
            down = -gravity_m_per_s2,
            height = 0.5 * edge_m,
        );
        Ok(Scene::parse(&text, Path::new("holding.toml"), &[])?.build(None, &Silent)?)
    }
}

/// One row under way.
struct Trial {
    experiment: Experiment,
    amplitude: f64,
    seconds: f64,
    engine: Engine,
    tick: u64,
}

impl Trial {
    fn before(&self) -> u64 {
        let e = &self.experiment;
        ((e.settle_s + e.ramp_s + e.wait_s) / e.step_s).round() as u64
    }

    fn ticks(&self) -> u64 {
        self.before() + (self.seconds / self.experiment.step_s).round() as u64
    }

    /// Runs all of it; `None` where the user stopped it.
    fn measure(mut self, setting: &'static str, load: &'static str, bars: &Bars) -> Option<Row> {
        let e = self.experiment;
        let limit = e.friction * e.mean_load_n;
        let pull = e.pull_of_limit * limit * (1.0 - self.amplitude);
        let settle = (e.settle_s / e.step_s).round() as u64;
        self.advance(settle, pull, bars)?;
        let unpulled = self.places();
        self.advance(self.before() - settle, pull, bars)?;
        let begin = self.places();
        let times = self.advance(self.ticks() - self.before(), pull, bars)?;
        let end = self.places();
        let contacts = self.engine.trace().contacts;
        self.advance(CONTROL, e.control_of_limit * limit * (1.0 + self.amplitude), bars)?;
        let speed = |i: usize| (end[i] - begin[i]) * 1e6 / self.seconds;
        Some(Row {
            system: "Stiction",
            version: env!("CARGO_PKG_VERSION"),
            setting,
            load,
            part_um_per_s: speed(0),
            contact_um_per_s: speed(1),
            seconds: self.seconds,
            dt: e.step_s,
            cpu_us_per_step: times.mean(),
            contacts,
            gave_way_um: (begin[1] - unpulled[1]) * 1e6,
            control_slips: self.places()[0] - end[0] > 1e-3,
        })
    }

    /// So many ticks with a pull; how long they took.
    fn advance(&mut self, ticks: u64, pull: f64, bars: &Bars) -> Option<Times> {
        let e = self.experiment;
        let mut times = Times::new();
        for n in 0..ticks {
            let t = self.tick as f64 * e.step_s;
            let normal = e.mean_load_n * (1.0 + self.amplitude * (TAU * t / e.varying_period_s).sin());
            let ramp = ((t - e.settle_s) / e.ramp_s).clamp(0.0, 1.0);
            let up = e.mass_kg * e.gravity_m_per_s2 - normal;
            let load: Vec6 = join(Vec3::new(0.0, 0.0, up), Vec3::zeros());
            let at = self.engine.trace().part.translation.vector + Vec3::x() * (pull * ramp / STIFFNESS);
            let hand = Pose::translation(at.x, at.y, at.z);
            let engine = &mut self.engine;
            times.time(|| {
                engine.tick(&hand, &load);
            });
            self.tick += 1;
            if n % 1000 == 999 {
                bars.advance(1000);
                if stop::asked() {
                    return None;
                }
            }
        }
        Some(times)
    }

    /// Along the pull: the centre, and the mean of the four lower corners.
    fn places(&self) -> [f64; 2] {
        let trace = self.engine.trace();
        let low = trace.part.rotation * Vec3::new(0.0, 0.0, -0.5 * self.experiment.edge_m);
        [trace.centre.x, trace.part.translation.vector.x + low.x]
    }
}
