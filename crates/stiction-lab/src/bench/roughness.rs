//! `stiction-lab bench roughness`: what of the wrench a hand feels as vibration, for every scene and every friction solver.
//!
//! The scene's own hand, smooth but for encoders that tell its place in steps: the grain of real devices, which a stiff coupling turns into
//! force. Roughness is the root mean square of the wrench between 20 and 500 Hz, where skin feels vibration best, and the largest change
//! from one tick to the next. Torques are separate.
//!
//! Holding is stick, and stick must not be felt as a buzz: over the ticks in which `hold` holds, after [`SETTLING`] of each hold, its
//! force may be no rougher than without friction in the same ticks. The window is that of `hold` for all solvers, so that they
//! are compared over the same motion of the hand.
//!
//! To judge that: `welded` is a part that does not move at all while `hold` holds. Then every step of an encoder is felt in full, k_vc times
//! the step (60 mN here); a part without friction goes after the hand, and by damping gives back a share of each step only. Friction
//! that holds ideally is as rough as `welded`, whichever engine: what is above it is the engine's own.
//!
//! [`curved`] faces are slid over with `hold` on both contact models: penalty forces, which were the default once, and hard contacts. There, the whole
//! run but its beginning counts, with these encoders and with perfect ones.

use super::check::{BenchFigure, CheckArgs};
use super::{RowPrinter, curved, run_to_end};
use clap::Args;
use serde::Serialize;
use stiction::friction::{Cone, Method, Metric, Verdict};
use stiction::spatial::{Frame, Pose, Vec3, Vec6, halves};
use stiction::tick::ContactModel;
use stiction_bake::cache::Cache;
use stiction_cli::Failure;
use stiction_cli::bars::Bars;
use stiction_cli::output::line;
use stiction_cli::words::parse_positive;
use stiction_results::Measurement;
use stiction_scene::{Band, EngineKind, Scene, Setting, World};

const ABOUT: &str = "\
The wrench on the hand, between 20 and 500 Hz (root mean square) and its largest change from one tick to the next, over the whole
scene and over the ticks in which hold holds: the same ticks for every solver.

Besides the scenes there are pin-in-bore (a pin turned in a bore of 32 facets, pressed aside with 10 N) and pin-on-cylinder (a pin slid
across a cylinder of 64 facets, pressed on it with 10 N), with hold and both contact models.

With --check: in the ticks in which hold holds, its force is no rougher than without friction; and over curved faces hard contacts
are no rougher than penalty ones.";

/// Measure how rough the wrench is with encoders of 30 µm: every scene with every friction solver
#[derive(Args)]
#[command(after_help = ABOUT)]
pub struct Roughness {
    /// Scenes, pin-in-bore and pin-on-cylinder among them [default: all]
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    scenes: Option<Vec<String>>,
    /// Step of the encoders (µm)
    #[arg(long, value_name = "UM", default_value = "30", value_parser = parse_positive)]
    encoder: f64,
    #[command(flatten)]
    judged: CheckArgs,
}

/// Roughness over some ticks.
#[derive(Clone, Copy, Debug, Serialize)]
struct Rough {
    ticks: u64,
    force_rms_n: f64,
    torque_rms_nm: f64,
    force_step_n: f64,
    torque_step_nm: f64,
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
struct Row {
    scene: String,
    friction: &'static str,
    /// The contact model; none for `welded`.
    contact: Option<&'static str>,
    encoder_um: f64,
    /// After the first [`SETTLING`]; None for `welded`.
    whole: Option<Rough>,
    /// In the ticks in which `hold` holds; None where it never does.
    holding: Option<Rough>,
}

/// Ticks at the beginning of the scene and of every hold that do not count (s): catching is felt, and shall be.
const SETTLING: f64 = 0.1;

/// `hold` first: it says in which ticks it holds.
fn methods() -> [(&'static str, Method); 5] {
    [
        ("hold", Method::Hold),
        ("qp", Method::Qp(Metric::Stiffness)),
        ("lp", Method::Lp),
        ("yamane", Method::Yamane),
        ("none", Method::Frictionless),
    ]
}

/// Force and torque of every tick, in the band and their change.
#[derive(Default)]
struct Record {
    band: Vec<[Vec3; 2]>,
    step: Vec<[f64; 2]>,
}

impl Record {
    fn of(wrenches: impl Iterator<Item = Vec6>, rate: f64) -> Record {
        let mut bands = [Band::new(rate), Band::new(rate)];
        let mut out = Record::default();
        let mut last = None;
        for wrench in wrenches {
            let (force, torque) = halves(&wrench);
            let (f, t) = halves(&(wrench - last.unwrap_or(wrench)));
            out.band.push([bands[0].add(force), bands[1].add(torque)]);
            out.step.push([f.norm(), t.norm()]);
            last = Some(wrench);
        }
        out
    }

    /// Over the ticks that `counts` has.
    fn rough(&self, counts: &[bool]) -> Option<Rough> {
        let mut sums = [0.0; 2];
        let mut steps = [0.0_f64; 2];
        let mut ticks = 0;
        for i in (0..self.band.len()).filter(|&i| counts[i]) {
            ticks += 1;
            for k in 0..2 {
                sums[k] += self.band[i][k].norm_squared();
                steps[k] = steps[k].max(self.step[i][k]);
            }
        }
        let [force_rms_n, torque_rms_nm] = sums.map(|s| (s / ticks as f64).sqrt());
        let [force_step_n, torque_step_nm] = steps;
        (ticks > 0).then_some(Rough { ticks, force_rms_n, torque_rms_nm, force_step_n, torque_step_nm })
    }
}

impl Roughness {
    /// Measures, prints and checks.
    pub fn run(&self) -> Result<(), Failure> {
        let all =
            || Scene::names_of(EngineKind::QuasiStatic).into_iter().chain(curved::NAMES.map(String::from)).collect();
        let names: Vec<String> = self.scenes.clone().unwrap_or_else(all);
        if names.is_empty() {
            return Err(Failure::Other(
                "there is no scene to measure: run this in the source tree, or name one".into(),
            ));
        }
        let bars = Bars::new(false);
        let columns = "scene friction contact encoder_um whole.force_rms_n whole.torque_rms_nm whole.force_step_n holding.ticks holding.force_rms_n holding.torque_rms_nm holding.force_step_n";
        let mut printer = RowPrinter::new(self.judged.json, columns);
        let cache = Cache::default_folder().map(Cache::new);
        let (mut figures, mut rough) = (Vec::new(), Vec::new());
        for name in &names {
            if let Some(scene) = curved::scene(name) {
                let world = scene?.build(cache.as_ref(), &bars)?;
                figures.extend(self.curved(&world, &mut printer, &bars)?);
                continue;
            }
            // Some scenes have encoders of their own.
            let set: Setting = format!("hand.encoder_step={:e}", 1e-6 * self.encoder).parse()?;
            let world = Scene::read(&Scene::find(name)?, &[set])?.build(cache.as_ref(), &bars)?;
            let rows = self.scene(&world, &bars)?;
            rows.iter().try_for_each(|row| printer.put(row))?;
            let verdict = verdict(&rows);
            if !self.judged.json {
                line(&words(&world.scene.name, &rows))?;
            }
            figures.extend(verdict);
            rough.extend(rows.iter().filter_map(|r| {
                let what = format!("{}, {}: force between 20 and 500 Hz while hold holds", r.scene, r.friction);
                Some(Measurement::new(what, 1e3 * r.holding?.force_rms_n, "mN"))
            }));
        }
        drop(bars);
        self.judged.finish("bench-roughness", &figures, rough, "a scene in which hold holds")
    }

    fn scene(&self, world: &World, bars: &Bars) -> Result<Vec<Row>, Failure> {
        let rate = world.scene.rate;
        let settling = (SETTLING * rate).ceil() as usize;
        let (mut rows, mut window, mut welded) = (Vec::new(), Vec::new(), None);
        let row = |friction, contact, whole, holding| Row {
            scene: world.scene.name.clone(),
            friction,
            contact,
            encoder_um: self.encoder,
            whole,
            holding,
        };
        for (friction, method) in methods() {
            let (ticks, contact) = ticks(world, method, bars)?;
            let record = Record::of(ticks.iter().map(|t| t.device), rate);
            if method == Method::Hold {
                window = settled(&ticks, settling);
                welded = Some(Record::of(weld(&ticks, &window, world).into_iter(), rate));
            }
            let all: Vec<bool> = (0..ticks.len()).map(|i| i >= settling).collect();
            rows.push(row(friction, Some(contact), record.rough(&all), record.rough(&window)));
        }
        if let Some(holding) = welded.and_then(|w| w.rough(&window)) {
            rows.push(row("welded", None, None, Some(holding)));
        }
        Ok(rows)
    }

    /// A curved face with hold: penalty contacts and hard ones, with perfect encoders and with these. The figures are of the force with each.
    fn curved(&self, world: &World, printer: &mut RowPrinter, bars: &Bars) -> Result<Vec<BenchFigure>, Failure> {
        let settling = (curved::SETTLING * world.scene.rate).ceil() as usize;
        let mut figures = Vec::new();
        for encoder_um in [0.0, self.encoder] {
            let mut forces = [0.0; 2];
            for (i, model) in [ContactModel::Penalty, ContactModel::Hard].into_iter().enumerate() {
                let mut world = world.clone();
                world.scene.settings.model = Some(model);
                world.scene.set_hand(world.scene.hand().clone().with_encoder(1e-6 * encoder_um, 0.0));
                let (ticks, contact) = ticks(&world, Method::Hold, bars)?;
                let record = Record::of(ticks.iter().map(|t| t.device), world.scene.rate);
                let all: Vec<bool> = (0..ticks.len()).map(|i| i >= settling).collect();
                let (whole, scene) = (record.rough(&all), world.scene.name.clone());
                forces[i] = whole.map_or(f64::NAN, |r| r.force_rms_n);
                let row = Row { scene, friction: "hold", contact: Some(contact), encoder_um, whole, holding: None };
                printer.put(&row)?;
            }
            let [before, after] = forces;
            if !self.judged.json {
                let name = &world.scene.name;
                let [before, after] = forces.map(|n| format!("{:.2} mN", 1e3 * n));
                line(&format!("{name}, encoders of {encoder_um} µm: penalty {before}, hard {after}\n"))?;
            }
            let name = format!("{}, encoders of {encoder_um} µm: force of hard over penalty", world.scene.name);
            figures.push(BenchFigure::at_most(name, 1.0, after.max(SMOOTH) / before.max(SMOOTH), " x"));
        }
        Ok(figures)
    }
}

/// What of a tick is needed.
struct Tick {
    hand: Pose,
    part: Pose,
    device: Vec6,
    holds: bool,
}

/// The ticks in which it has held for so many without a break.
fn settled(ticks: &[Tick], settling: usize) -> Vec<bool> {
    let mut held = 0;
    let count = |tick: &Tick| {
        held = if tick.holds { held + 1 } else { 0 };
        held > settling
    };
    ticks.iter().map(count).collect()
}

/// The wrench if the part stood still from the beginning of each window to its end.
fn weld(ticks: &[Tick], window: &[bool], world: &World) -> Vec<Vec6> {
    let (coupling, centre) = (world.scene.settings.coupling, world.held.mass.centre);
    let mut part = None;
    let wrench = |(tick, &counts): (&Tick, &bool)| {
        part = counts.then(|| part.unwrap_or(tick.part));
        let part = part.unwrap_or(tick.part);
        -coupling.pull(&Frame::of(&tick.hand, &centre), &Frame::of(&part, &centre)).wrench
    };
    ticks.iter().zip(window).map(wrench).collect()
}

/// The ticks of a run, and the contact model that was in force.
fn ticks(world: &World, method: Method, bars: &Bars) -> Result<(Vec<Tick>, &'static str), Failure> {
    let mut world = world.clone();
    let friction = &mut world.scene.settings.friction;
    friction.method = method;
    if method == Method::Lp && friction.cone == Cone::Disk {
        friction.cone = Cone::paper(8);
    }
    let contact = match world.scene.settings.contact_model() {
        ContactModel::Hard => "hard",
        ContactModel::Penalty => "penalty",
        ContactModel::Paper => "paper",
        ContactModel::Unilateral => "unilateral",
    };
    let mut out = Vec::new();
    run_to_end(&world, "feeling", bars, |run| {
        let t = run.step();
        out.push(Tick { hand: t.hand, part: t.part, device: t.wrench, holds: t.verdict == Verdict::Holds });
    })?;
    Ok((out, contact))
}

/// Hold and another while hold holds.
fn pair(rows: &[Row], other: &str) -> Option<(f64, f64)> {
    let of = |friction: &str| rows.iter().find(|r| r.friction == friction).and_then(|r| r.holding);
    of("hold").zip(of(other)).map(|(a, b)| (a.force_rms_n, b.force_rms_n))
}

/// Below this (N), roughness is the filter's memory of what was before: after [`SETTLING`], exp(-√2 π 20 Hz 0.1 s) = 1.4e-4 is left of a
/// step of a newton.
const SMOOTH: f64 = 1e-4;

fn verdict(rows: &[Row]) -> Option<BenchFigure> {
    let (hold, none) = pair(rows, "none")?;
    let name = format!("{}: force of hold over none while it holds", rows[0].scene);
    Some(BenchFigure::at_most(name, 1.0, hold.max(SMOOTH) / none.max(SMOOTH), " x"))
}

fn words(scene: &str, rows: &[Row]) -> String {
    match (pair(rows, "none"), pair(rows, "welded"), verdict(rows)) {
        (Some((hold, none)), Some((_, welded)), Some(figure)) => {
            let than = if figure.is_met() { "no rougher than none" } else { "ROUGHER THAN NONE" };
            let [hold, none, welded] = [hold, none, welded].map(|n| format!("{:.2} mN", 1e3 * n));
            format!("{scene}: while it holds, hold is {than}: {hold}, none {none}, welded {welded}\n")
        }
        _ => format!("{scene}: hold does not hold\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_counts_once_it_has_settled_and_only_while_it_lasts() {
        let still = Pose::identity();
        let tick = |holds| Tick { hand: still, part: still, device: Vec6::zeros(), holds };
        let holds = [true, true, true, true, false, true, true, true, false].map(tick);
        assert_eq!(settled(&holds, 2), [false, false, true, true, false, false, false, true, false]);
    }

    #[test]
    fn roughness_is_that_of_the_ticks_that_count() {
        let v = |x: f64| Vec3::new(x, 0.0, 0.0);
        let record = Record {
            band: vec![[v(3.0), v(0.1)], [v(4.0), v(0.1)], [v(100.0), v(9.0)]],
            step: vec![[1.0, 0.2], [2.0, 0.1], [50.0, 7.0]],
        };
        let rough = record.rough(&[true, true, false]).unwrap();
        assert!((rough.force_rms_n - 12.5_f64.sqrt()).abs() < 1e-12 && (rough.torque_rms_nm - 0.1).abs() < 1e-12);
        assert_eq!((rough.ticks, rough.force_step_n, rough.torque_step_nm), (2, 2.0, 0.2));
        assert!(record.rough(&[false; 3]).is_none());
    }
}
