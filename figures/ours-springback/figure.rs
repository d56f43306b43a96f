//! How far a slid part comes back: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, HALF};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::penalty::ShellOn;
use stiction::friction::Method;
use stiction::spatial::{Vec3, Vec6};
use stiction::tick::{Damping, Engine, Settings};

const MICRO_SLIPS: [f64; 5] = [1e-7, 3e-7, 1e-6, 3e-6, 1e-5];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut table = FigureTable::new("", &["micro_slip_m", "slid_m", "back_m", "back_centre_m"]);
    let (mut points, mut centre) = (Vec::new(), Vec::new());
    let (mut worst, mut slid_least): (f64, f64) = (0.0, f64::INFINITY);
    let parts = lab::cube_on_plate(ctx, 0.0, 1)?;
    for micro_slip in MICRO_SLIPS {
        ctx.go_on()?;
        let mut settings = Settings {
            shell_on: ShellOn::Held,
            damped: Damping::Sliding,
            ..lab::with_method(&lab::paper(0.5, 0.6), Method::Hold)
        };
        settings.friction.micro_slip = micro_slip;
        let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: lab::plate_pose() };
        let hand = lab::at(Vec3::z() * (HALF - 0.005));
        let mut engine = scene.settled(lab::at(Vec3::z() * HALF), &hand, &Vec6::zeros())?;
        let start = along(&engine, &scene);
        for tick in 0..500 {
            let x = 0.004 * (f64::from(tick) / 400.0).min(1.0);
            engine.tick(&lab::moved(&hand, Vec3::x() * x), &Vec6::zeros());
        }
        let (far, far_centre) = (along(&engine, &scene), engine.trace().centre.x);
        let released = lab::moved(&hand, Vec3::x() * far_centre);
        for _ in 0..200 {
            engine.tick(&released, &Vec6::zeros());
        }
        let back = far - along(&engine, &scene);
        let back_centre = far_centre - engine.trace().centre.x;
        table.row(&[&micro_slip, &(far - start), &back, &back_centre]);
        points.push([micro_slip * 1e6, back.abs() * 1e6]);
        centre.push([micro_slip * 1e6, back_centre.abs() * 1e6]);
        worst = worst.max(back.abs() / micro_slip);
        slid_least = slid_least.min(far - start);
    }
    let line = |c: f64| MICRO_SLIPS.map(|m| [m * 1e6, c * m * 1e6]).to_vec();
    let panel = Panel::new("come back after a slide", Axis::log("micro-slip ε (µm)"), Axis::log("back (µm)"))
        .with("ε", Style::Dashed, 6, line(1.0))
        .with("contacts", Style::Marked, 0, points)
        .with("centre (tilt)", Style::Marked, 1, centre)
        .high(330.0);
    Ok(FigureOutcome {
        measured: format!("contacts come back by at most {worst:.3} ε after slides of at least {:.2} mm", slid_least * 1e3),
        why: "In sliding the remembered slip trails the motion with length ε; released, the part goes back until it is used up. The centre tilts back elastically besides.".into(),
        checks: vec![
            Check::at_most("came back, in ε", worst, 1.5),
            Check::at_least("slid before (m)", slid_least, 1e-3),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Spring-back of hold after a slide", &[panel]) }],
    })
}

/// Mean place of the contact points along the pull.
fn along(engine: &Engine, scene: &FigureScene) -> f64 {
    let part = &engine.trace().part;
    let points = scene.parts[0].shell.points();
    points.iter().map(|p| (part.rotation * p.position + part.translation.vector).x).sum::<f64>() / points.len() as f64
}
