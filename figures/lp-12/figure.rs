//! Figure 12: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::Line;
use crate::table::FigureTable;
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Method, Verdict};
use stiction::shape::Shape;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::{Damping, Settings};
use stiction_bake::solids::Solid;

const PEG: f64 = 0.020;
const HOLE: f64 = 0.0198;
/// Growth of the push a tick (N).
const INCREMENT: f64 = 0.02;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let parts = parts(ctx)?;
    let axes = [
        ("along T_u", Method::Lp, Vec3::z(), 2f64.sqrt()),
        ("at 45°", Method::Lp, Vec3::new(1.0, 1.0, 1.0), 1.0),
        ("disk", Method::Hold, Vec3::z(), 1.0),
    ];
    let mus: Vec<f64> = (0..=ctx.pick(10, 3)).map(|i| f64::from(i) * ctx.pick(0.1, 0.3)).collect();
    let mut table = FigureTable::new("", &["cone", "mu", "force_n", "pressure_n"]);
    let mut panel =
        Panel::new("least force that moves the peg", Axis::from_zero("µ"), Axis::from_zero("force (N)")).high(360.0);
    let mut checks = Vec::new();
    let mut words = Vec::new();
    for (i, (name, method, axis, c)) in axes.into_iter().enumerate() {
        let mut points = Vec::new();
        let mut pressure = 0.0;
        for mu in &mus {
            ctx.go_on()?;
            let settings = Settings {
                shell_on: ShellOn::Held,
                tangent_axis: axis,
                damped: Damping::Sliding,
                ..lab::with_method(&lab::paper(*mu, 0.6), method)
            };
            let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
            let (force, pressed) = slips_at(&scene)?;
            pressure = pressed;
            table.row(&[&name, mu, &force, &pressed]);
            points.push([*mu, force]);
        }
        let line = Line::fit(&points);
        let ratio = line.slope / pressure;
        words.push(format!("{name}: {:.3} ΣF_n µ (c = {c:.3}), R² {:.6}", ratio, line.r2));
        checks.push(Check::at_least(format!("R², {name}"), line.r2, 0.999));
        checks.push(Check::near(format!("slope over ΣF_n, {name}"), ratio, c, 0.03));
        checks.push(Check::between(format!("the line at µ = 0 (N), {name}"), line.intercept, [-0.05, 0.05]));
        checks.push(Check::at_most(format!("force without friction (N), {name}"), points[0][1].abs(), 0.05));
        let last = mus[mus.len() - 1];
        panel = panel.with("", Style::Dashed, i, vec![[0.0, 0.0], [last, c * pressure * last]]).with(
            format!("{name}: {ratio:.3} ΣF_n µ"),
            Style::Dots,
            i,
            points,
        );
    }
    Ok(FigureOutcome {
        measured: words.join("; "),
        why: "Dashed: c µ ΣF_n. The paper's own polygon (13) is circumscribed about Coulomb's disk, so that friction along its vertices is 41 % too large.".into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Peg 1 % larger than the hole: insertion force against µ", &[panel]) }],
    })
}

/// The peg, with a grid of 4 × 168 points on its sides, and the plate with the hole.
fn parts(ctx: &Context) -> Result<[Arc<Shape>; 2], FigureError> {
    let peg = ctx.bake(&Solid::Box { size: [PEG, PEG, 0.06] }, ctx.pick(256, 1024), 500, 4)?;
    let plate = Solid::PlateSquareHole { size: [0.06, 0.06], thickness: 0.03, hole: [HOLE, HOLE] };
    let plate = ctx.bake(&plate, 128, 500, 4)?;
    let side =
        |n: Vec3| lab::grid(n, n * (0.5 * PEG), [n.cross(&Vec3::z()) * (0.45 * PEG), Vec3::z() * 0.029], [7, 24]);
    let points = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()].into_iter().flat_map(side).collect();
    Ok([lab::with_points(&peg, points)?, plate])
}

/// The push at which the peg first slips, and ΣF_n.
fn slips_at(scene: &FigureScene) -> Result<(f64, f64), FigureError> {
    let start = Pose::identity();
    let mut engine = scene.settled(start, &start, &Vec6::zeros())?;
    let stiffness = scene.settings.coupling.stiffness;
    for tick in 0..2400 {
        let push = INCREMENT * f64::from(tick);
        let before = engine.trace().centre.z;
        let t = engine.tick(&lab::moved(&start, -Vec3::z() * (push / stiffness)), &Vec6::zeros());
        // A slip of a micrometre in a tick is a slip whatever the verdict's name.
        if t.verdict == Verdict::Slips || (tick > 0 && before - t.centre.z > 1e-6) {
            return Ok(((push - 0.5 * INCREMENT).max(0.0), t.pressure));
        }
    }
    Err(FigureError::Setup("the peg never slipped".into()))
}
