//! `stiction-lab bench wall`: where the sampled wall goes unstable, beside the passivity bound.

use super::RowPrinter;
use super::check::{BenchFigure, CheckArgs};
use clap::Args;
use serde_json::json;
use stiction::friction::Method;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::Engine;
use stiction_bake::Progress;
use stiction_bake::cache::Cache;
use stiction_cli::bars::Bars;
use stiction_cli::{Failure, stop};
use stiction_device::sim::SimParams;
use stiction_device::sim::wall::{WallParams, WallReport, passivity_bound, wall_edge, wall_edge_through, wall_wrench};
use stiction_device::{DeviceState, Envelope, EnvelopeError, Limits, Observation, SafeWrench};
use stiction_scene::{Scene, World};

/// Find where a sampled wall goes unstable, beside the passivity bound 2b/T
///
/// A handle that nobody holds leans on a wall: no delay, encoder steps or friction, no static damping. Its stiffness is
/// searched for the edge where a small oscillation grows. Three walls: a bare spring; the same through the safety envelope (passivity
/// control off, since it is there to hide this edge); and the engine, a cube on a plate by its coupling, through the envelope.
#[derive(Args)]
pub struct Wall {
    #[command(flatten)]
    judged: CheckArgs,
}

/// Mass (kg), damping (N s/m) and period (s) of each case.
const CASES: [[f64; 3]; 5] =
    [[0.1, 0.5, 1e-3], [0.1, 0.1, 1e-3], [0.3, 2.0, 1e-3], [0.1, 0.5, 2.5e-4], [0.1, 0.5, 1e-4]];
/// How far an edge may be from the bound.
const TOLERANCE: f64 = 0.05;
/// Contacts of the engine's wall (N/m): stiff, so that the coupling is what is felt.
const CONTACT: f64 = 1e6;

impl Wall {
    /// Measures and prints.
    pub fn run(&self) -> Result<(), Failure> {
        let bars = Bars::new(self.judged.json);
        let source = Scene::find("plate-cube")?;
        let set = [
            "fixed.points=300".into(),
            "held.resolution=32".into(),
            format!("contact.stiffness={CONTACT}"),
            "coupling.max_force=1000".into(),
            "friction.method=none".into(),
        ];
        let set = set.iter().map(|s| s.parse()).collect::<Result<Vec<_>, _>>()?;
        let mut world = Scene::read(&source, &set)?.build(Cache::default_folder().map(Cache::new).as_ref(), &bars)?;
        let settings = &mut world.scene.settings;
        settings.friction.method = Method::Frictionless;
        settings.damping = 0.0;
        settings.mass = 1e-9;
        bars.stage("walls", 3 * CASES.len() as u64);
        let mut rows = Vec::new();
        for [mass, damping, period] in CASES {
            let params = WallParams { mass, damping, period, load: 1.0, settle: 0.0 };
            for kind in ["bare", "envelope", "engine"] {
                if stop::asked() {
                    return Err(Failure::stopped("stopped"));
                }
                rows.push((kind, params, measure(kind, &params, &world)?));
                bars.advance(1);
            }
        }
        drop(bars);
        self.print(&rows)?;
        let figures: Vec<BenchFigure> = rows
            .iter()
            .map(|(kind, p, r)| {
                let name = format!(
                    "{kind}, {} kg, {} N s/m, {} Hz: |edge/bound - 1|",
                    p.mass,
                    p.damping,
                    (1.0 / p.period).round()
                );
                BenchFigure::at_most(name, 100.0 * TOLERANCE, 100.0 * (r.ratio - 1.0).abs(), "%")
            })
            .collect();
        self.judged.finish("bench-wall", &figures, [], "a wall")
    }

    fn print(&self, rows: &[(&str, WallParams, WallReport)]) -> Result<(), Failure> {
        let columns = "wall mass_kg damping_n_s_m rate_hz edge_n_m bound_n_m ratio exact_n_m";
        let mut printer = RowPrinter::new(self.judged.json, columns);
        for (kind, p, r) in rows {
            let rate = (1.0 / p.period).round();
            printer.put(&json!({
                "wall": kind, "mass_kg": p.mass, "damping_n_s_m": p.damping, "rate_hz": rate, "edge_n_m": r.edge,
                "bound_n_m": r.bound, "ratio": r.ratio, "exact_n_m": r.exact,
            }))?;
        }
        Ok(())
    }
}

fn measure(kind: &str, params: &WallParams, world: &World) -> Result<WallReport, Failure> {
    if kind == "bare" {
        return Ok(wall_edge(params)?);
    }
    // Longer than the soft start.
    let params = WallParams { settle: 0.6, ..*params };
    let period = params.period;
    if kind == "envelope" {
        open(period)?;
        return Ok(wall_edge_through(&params, |k| {
            let mut passage = Passage::new(period);
            move |state: &DeviceState| passage.send(&wall_wrench(k, state), state)
        })?);
    }
    let contact = contact_stiffness(world)?;
    let bound = passivity_bound(params.damping, period);
    if !(4.0 * bound < 0.5 * contact) {
        return Err(Failure::Other(format!("contacts of {contact} N/m are too soft for a wall of {bound} N/m")));
    }
    Ok(wall_edge_through(&params, |felt| {
        // Coupling and contacts in series are felt as `felt`.
        let mut engine = engine(world, felt * contact / (contact - felt)).ok();
        let mut passage = Passage::new(period);
        move |state: &DeviceState| {
            let wrench = engine.as_mut().map_or_else(Vec6::zeros, |engine| {
                let hand = lifted(world, state.pose.translation.z);
                engine.tick(&hand, &Vec6::zeros()).wrench
            });
            // The wall is along z; the handle must not be pushed elsewhere.
            passage.send(&Vec6::new(0.0, 0.0, wrench[2], 0.0, 0.0, 0.0), state)
        }
    })?)
}

fn open(period: f64) -> Result<Envelope, EnvelopeError> {
    let limits = Limits { passivity: false, ..Limits::of(&SimParams::ideal().caps()) };
    Envelope::new(limits, period)
}

/// An envelope and its clock.
struct Passage {
    envelope: Option<Envelope>,
    period: u64,
    now: u64,
}

impl Passage {
    fn new(period: f64) -> Self {
        Passage { envelope: open(period).ok(), period: (1e9 * period) as u64, now: 0 }
    }

    fn send(&mut self, wrench: &Vec6, state: &DeviceState) -> SafeWrench {
        self.now += self.period;
        let seen = Observation { now: self.now, state: Some(*state), late: 0.0, load_work: 0.0, arming: false };
        self.envelope.as_mut().map_or(SafeWrench::ZERO, |e| e.pass(Some(wrench), &seen))
    }
}

/// The cube with its lower face at a height (m).
fn lifted(world: &World, height: f64) -> Pose {
    let low = world.held.shell.points().iter().map(|p| p.position.z).fold(f64::INFINITY, f64::min);
    Pose::translation(0.0, 0.0, height - low)
}

fn engine(world: &World, coupling: f64) -> Result<Engine, Failure> {
    let mut world = world.clone();
    world.scene.settings.coupling.stiffness = coupling;
    world.scene.set_start(lifted(&world, 1e-3));
    Ok(world.engine()?)
}

/// What the contacts of the cube on the plate have in common (N/m), from the force under a known coupling at two depths.
fn contact_stiffness(world: &World) -> Result<f64, Failure> {
    let coupling = 1e4;
    let mut engine = engine(world, coupling)?;
    let mut force = |depth: f64| {
        let hand = lifted(world, -depth);
        (0..50).for_each(|_| {
            engine.tick(&hand, &Vec6::zeros());
        });
        engine.trace().wrench.fixed_rows::<3>(0).dot(&Vec3::z())
    };
    let felt = (force(1e-3) - force(5e-4)) / 5e-4;
    Ok(felt * coupling / (coupling - felt))
}
