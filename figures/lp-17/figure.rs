//! Figure 17: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Series, Style, svg};
use crate::table::FigureTable;
use std::f64::consts::TAU;
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Method, Metric, Verdict};
use stiction::shape::Shape;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::Settings;
use stiction_bake::solids::Solid;

const PEG: f64 = 0.020;
const LENGTH: f64 = 0.06;
const THICK: f64 = 0.03;
const PERIOD: usize = 200;
/// Stiffness (N m/rad) and limit (N m) of the coupling's torsion: the hand keeps the peg upright.
const TORSION: (f64, f64) = (2e4, 6e3);
/// Forces of the hand: down, and to the side at most (N).
const PUSH: f64 = 10.0;
const SWING: f64 = 16.0;
/// Stiffness of the couplings (N/m); the one that is drawn comes first.
const COUPLINGS: [f64; 3] = [2000.0, 500.0, 8000.0];
/// How far the peg goes until it is through (m), and the most cycles that springs are given for it.
const THROUGH: f64 = 0.5 * THICK;
const MOST_CYCLES: usize = 200;

/// Name, size of the hole over the peg's, and whether the hand goes in a circle.
const MOTIONS: [(&str, [f64; 2], bool); 3] = [
    ("left and right in a square hole", [0.99, 0.99], false),
    ("circle in a square hole", [0.99, 0.99], true),
    ("left and right in a slot", [0.99, 1.02], false),
];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let columns = ["motion", "method", "coupling_n_per_m", "cycle", "sunk_um", "contacts", "slips"];
    let mut table = FigureTable::new("", &columns);
    let (mut panels, mut checks, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for (motion, size, circle) in MOTIONS {
        let parts = parts(ctx, size)?;
        let mut panel = Panel::new(format!("sunk: {motion}"), Axis::linear("cycle"), Axis::from_zero("sunk (mm)"));
        for (i, (name, settings)) in methods().into_iter().enumerate() {
            let springs = settings.friction.method == Method::Yamane;
            for coupling in COUPLINGS {
                ctx.go_on()?;
                let mut settings = settings;
                settings.coupling.stiffness = coupling;
                (settings.coupling.torsion, settings.coupling.max_torque) = TORSION;
                let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
                let cycles = if springs { ctx.pick(MOST_CYCLES, 20) } else { ctx.pick(20, 2) };
                let snake = snake(&scene, cycles, circle)?;
                for (cycle, ticks) in snake.chunks(PERIOD).enumerate() {
                    let slips = ticks.iter().filter(|t| t.verdict == Verdict::Slips).count();
                    let last = ticks[ticks.len() - 1];
                    table.row(&[&motion, &name, &coupling, &cycle, &(last.sunk * 1e6), &last.contacts, &slips]);
                }
                let most = snake.iter().fold(0.0, |m: f64, t| m.max(t.sunk.abs()));
                let cycles = snake.len() as f64 / PERIOD as f64;
                let what = format!("{name}, {motion}, {coupling} N/m");
                if springs {
                    words.push(format!("{what}: {:.2} mm in {cycles:.1} cycles", most * 1e3));
                    checks.push(Check::at_least(format!("{what}: sunk (mm)"), most * 1e3, THROUGH * 1e3));
                } else {
                    words.push(format!("{what}: {:.2} µm", most * 1e6));
                    checks.push(Check::at_most(format!("{what}: motion (m)"), most, 1e-4 * LENGTH));
                }
                if coupling == COUPLINGS[0] {
                    let path = snake.iter().enumerate().map(|(t, s)| [t as f64 / PERIOD as f64, s.sunk * 1e3]);
                    panel.series.push(Series::new(&name, Style::Line, i, path.take(20 * PERIOD).collect()));
                }
            }
        }
        panels.push(panel);
    }
    Ok(FigureOutcome {
        measured: format!("most motion along the axis: {}", words.join("; ")),
        why: "Anchors of springs that are formed anew forget the stretch that they carried. Left and right in a square hole the front and the back wall keep theirs. \
              The linear program asks whether all contacts can hold at once: when the other wall of a slot is just touched, its contacts count for the rank but bear next to nothing, the program is infeasible, \
              and friction is dropped for a tick, in which the peg drops too: a weakness of the method as it is published. qp and hold let each contact bear what it can."
            .into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Snake motion of a tight peg, µ = 100", &panels) }],
    })
}

/// The friction methods, by name.
fn methods() -> Vec<(String, Settings)> {
    let base = Settings { shell_on: ShellOn::Held, ..lab::paper(100.0, 0.6) };
    let lp = lab::ENGINES.map(|engine| (format!("lp {}", engine.0), lab::with_engine(&base, engine)));
    let others = [("qp", Method::Qp(Metric::Stiffness)), ("hold", Method::Hold), ("springs", Method::Yamane)];
    lp.into_iter().chain(others.map(|(name, method)| (name.to_owned(), lab::with_method(&base, method)))).collect()
}

fn parts(ctx: &Context, size: [f64; 2]) -> Result<[Arc<Shape>; 2], FigureError> {
    let peg = ctx.bake(&Solid::Box { size: [PEG, PEG, LENGTH] }, ctx.pick(256, 1024), 500, 4)?;
    let plate = Solid::PlateSquareHole { size: [0.06, 0.06], thickness: THICK, hole: size.map(|s| s * PEG) };
    let plate = ctx.bake(&plate, 128, 500, 4)?;
    let side =
        |n: Vec3| lab::grid(n, n * (0.5 * PEG), [n.cross(&Vec3::z()) * (0.45 * PEG), Vec3::z() * 0.029], [7, 24]);
    let points = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()].into_iter().flat_map(side).collect();
    Ok([lab::with_points(&peg, points)?, plate])
}

#[derive(Clone, Copy)]
struct Tick {
    sunk: f64,
    contacts: u32,
    verdict: Verdict,
}

/// The peg under a hand that pushes and swings, for so many cycles or until it is through.
fn snake(scene: &FigureScene, cycles: usize, circle: bool) -> Result<Vec<Tick>, FigureError> {
    let start = lab::at(Vec3::z() * (0.5 * LENGTH));
    let mut engine = scene.settled(start, &start, &Vec6::zeros())?;
    let rest = engine.trace().centre.z;
    let [push, swing] = [PUSH, SWING].map(|force| force / scene.settings.coupling.stiffness);
    let mut ticks = Vec::new();
    for tick in 0..cycles * PERIOD {
        let phase = tick as f64 / PERIOD as f64;
        // Push and swing grow in the first quarter of a cycle.
        let grown = (4.0 * phase).min(1.0);
        let y = if circle { swing * grown * (TAU * phase).cos() } else { 0.0 };
        let z = engine.trace().centre.z - push * grown;
        let t = engine.tick(&lab::at(Vec3::new(swing * (TAU * phase).sin(), y, z)), &Vec6::zeros());
        ticks.push(Tick { sunk: rest - t.centre.z, contacts: t.contacts, verdict: t.verdict });
        if rest - t.centre.z >= THROUGH {
            break;
        }
    }
    Ok(ticks)
}
