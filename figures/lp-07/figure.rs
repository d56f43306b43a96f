//! Figure 7: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, HALF};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::penalty::ShellOn;
use stiction::friction::Method;
use stiction::spatial::{Vec3, Vec6};
use stiction::tick::Settings;

const ALPHAS: [f64; 4] = [0.0, 0.3, 0.6, 0.9];
const JUMP: f64 = 0.005;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let parts = lab::cube_on_plate(ctx, 0.0, 1)?;
    let mut table = FigureTable::new("", &["alpha", "tick", "left_m"]);
    let mut worst: f64 = 0.0;
    let mut at_once = f64::NAN;
    let mut panels = [
        Panel::new("way of the cube", Axis::linear("tick"), Axis::from_zero("moved (mm)")).mark(JUMP * 1e3, "hand"),
        Panel::new("distance left", Axis::linear("tick"), Axis::log("share of the jump").range(1e-7, 1.5)),
    ];
    for (i, alpha) in ALPHAS.into_iter().enumerate() {
        ctx.go_on()?;
        let settings = Settings {
            shell_on: ShellOn::Held,
            step_bound: Some(0.02),
            ..lab::with_method(&lab::paper(0.0, alpha), Method::Frictionless)
        };
        let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: lab::plate_pose() };
        let hand = lab::at(Vec3::z() * (HALF - 0.005));
        let mut engine = scene.settled(lab::at(Vec3::z() * HALF), &hand, &Vec6::zeros())?;
        let target = lab::moved(&hand, Vec3::x() * JUMP);
        let goal = engine.trace().centre.x + JUMP;
        let mut left = vec![JUMP];
        for tick in 0..40 {
            let x = engine.tick(&target, &Vec6::zeros()).centre.x;
            left.push(goal - x);
            table.row(&[&alpha, &tick, &(goal - x)]);
        }
        if alpha == 0.0 {
            at_once = (left[1] / JUMP).abs();
        } else {
            let ratios = left.windows(2).take_while(|w| w[1] > 1e-6 * JUMP).map(|w| (w[1] / w[0] - alpha).abs());
            worst = ratios.fold(worst, f64::max);
        }
        let label = format!("α = {alpha}");
        let points = |f: &dyn Fn(f64) -> f64| left.iter().enumerate().map(|(t, l)| [t as f64, f(*l)]).collect();
        panels[0].series.push(crate::plot::Series::new(label.clone(), Style::Step, i, points(&|l| (JUMP - l) * 1e3)));
        panels[1].series.push(crate::plot::Series::new(label, Style::Marked, i, points(&|l| l / JUMP)));
    }
    Ok(FigureOutcome {
        measured: format!(
            "ratio of the distances left off α by at most {worst:.1e}; with α = 0, {at_once:.1e} of the jump left after one tick"
        ),
        why: "The step to equilibrium is solved for and (1 - α) of it taken, nothing else acts along the plate.".into(),
        checks: vec![
            Check::at_most("ratio of distances left, off α", worst, 1e-6),
            Check::at_most("left after one tick with α = 0, share", at_once, 1e-6),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Static damping: the hand jumps 5 mm to the side", &panels) }],
    })
}
