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
const PERIOD: usize = 200;
/// Stiffness (N m/rad) and limit (N m) of the coupling's torsion: the hand keeps the peg upright.
const TORSION: (f64, f64) = (2e4, 6e3);

/// How far the hand swings (m).
const SWING: f64 = 0.008;

/// Name, size of the hole over the peg's, and whether the hand goes in a circle.
const HOLES: [(&str, [f64; 2], bool); 2] = [("slot", [0.99, 1.02], false), ("square hole", [0.99, 0.99], true)];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let methods = [
        ("lp", Method::Lp),
        ("qp", Method::Qp(Metric::Stiffness)),
        ("hold", Method::Hold),
        ("springs", Method::Yamane),
    ];
    let mut table = FigureTable::new("", &["hole", "method", "tick", "sunk_um", "across_um", "contacts", "verdict"]);
    let mut panels = vec![
        Panel::new("sunk in the slot", Axis::linear("cycle"), Axis::from_zero("sunk (mm)")),
        Panel::new("sunk in the square hole", Axis::linear("cycle"), Axis::from_zero("sunk (mm)")),
        Panel::new("contacts in the slot", Axis::linear("cycle"), Axis::from_zero("contacts")).high(110.0),
    ];
    let mut checks = Vec::new();
    let mut words = Vec::new();
    for (h, (hole, size, circle)) in HOLES.into_iter().enumerate() {
        let parts = parts(ctx, size)?;
        for (i, (name, method)) in methods.into_iter().enumerate() {
            ctx.go_on()?;
            let mut settings =
                Settings { shell_on: ShellOn::Held, ..lab::with_method(&lab::paper(100.0, 0.6), method) };
            (settings.coupling.torsion, settings.coupling.max_torque) = TORSION;
            let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
            let snake = snake(&scene, ctx.pick(20, 4), circle)?;
            for (tick, t) in snake.iter().enumerate() {
                let (sunk, across) = (t.sunk * 1e6, t.across * 1e6);
                table.row(&[&hole, &name, &tick, &sunk, &across, &t.contacts, &format!("{:?}", t.verdict)]);
            }
            let ends: Vec<f64> = snake.chunks(PERIOD).filter_map(|c| c.last()).map(|t| t.sunk).collect();
            let steps: Vec<f64> = ends.windows(2).map(|w| w[1] - w[0]).collect();
            let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = steps.iter().sum::<f64>() / steps.len() as f64;
            let most = snake.iter().fold(0.0, |m: f64, t| m.max(t.sunk.abs()));
            let slips = snake.iter().filter(|t| t.verdict == Verdict::Slips).count();
            match (method, circle) {
                (Method::Yamane, _) => {
                    let what = format!("springs, {hole}: least sinking in a cycle (µm)");
                    checks.push(Check::at_least(what, least * 1e6, 1e-3));
                    let what = format!("springs, {hole}: mean sinking in a cycle (µm)");
                    checks.push(Check::at_least(what, mean * 1e6, 1e7 * 1e-4 * LENGTH));
                }
                (Method::Lp, false) => {}
                _ => checks.push(Check::at_most(format!("{name}, {hole}: motion (m)"), most, 1e-4 * LENGTH)),
            }
            words.push(format!("{name}, {hole}: {:.2} µm, {slips} ticks slip", most * 1e6));
            let every = |f: &dyn Fn(&Tick) -> f64| -> Vec<[f64; 2]> {
                snake.iter().enumerate().map(|(t, s)| [t as f64 / PERIOD as f64, f(s)]).collect()
            };
            panels[h].series.push(Series::new(name, Style::Line, i, every(&|t| t.sunk * 1e3)));
            if !circle && matches!(method, Method::Hold | Method::Yamane) {
                panels[2].series.push(Series::new(name, Style::Line, i, every(&|t| f64::from(t.contacts))));
            }
        }
    }
    Ok(FigureOutcome {
        measured: format!("most motion along the axis: {}", words.join("; ")),
        why: "In the slot the linear program lets the peg in, which is no part of the verdict but should be known. It asks whether all contacts \
              can hold at once: when the other wall is just touched, its contacts count for the rank but bear next to nothing, the program is infeasible, \
              and friction is dropped for a tick, in which the peg drops too. qp and hold let each contact bear what it can. Anchors of springs that are formed anew forget the stretch they carried."
            .into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Snake motion of a tight peg, µ = 100", &panels) }],
    })
}

fn parts(ctx: &Context, size: [f64; 2]) -> Result<[Arc<Shape>; 2], FigureError> {
    let peg = ctx.bake(&Solid::Box { size: [PEG, PEG, LENGTH] }, ctx.pick(256, 1024), 500, 4)?;
    let plate = Solid::PlateSquareHole { size: [0.06, 0.06], thickness: 0.03, hole: size.map(|s| s * PEG) };
    let plate = ctx.bake(&plate, 128, 500, 4)?;
    let side =
        |n: Vec3| lab::grid(n, n * (0.5 * PEG), [n.cross(&Vec3::z()) * (0.45 * PEG), Vec3::z() * 0.029], [7, 24]);
    let points = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()].into_iter().flat_map(side).collect();
    Ok([lab::with_points(&peg, points)?, plate])
}

struct Tick {
    sunk: f64,
    across: f64,
    contacts: u32,
    verdict: Verdict,
}

fn snake(scene: &FigureScene, cycles: usize, circle: bool) -> Result<Vec<Tick>, FigureError> {
    let start = lab::at(Vec3::z() * 0.008);
    let mut engine = scene.settled(start, &start, &Vec6::zeros())?;
    let z = engine.trace().centre.z;
    let tick = |tick: usize| {
        let phase = tick as f64 / PERIOD as f64;
        // Push and swing grow in the first quarter of a cycle.
        let grown = (4.0 * phase).min(1.0);
        let y = if circle { SWING * grown * (TAU * phase).cos() } else { 0.0 };
        let hand = Vec3::new(SWING * (TAU * phase).sin(), y, -0.005 * grown);
        let t = engine.tick(&lab::moved(&start, hand), &Vec6::zeros());
        Tick { sunk: z - t.centre.z, across: t.centre.x, contacts: t.contacts, verdict: t.verdict }
    };
    Ok((0..cycles * PERIOD).map(tick).collect())
}
