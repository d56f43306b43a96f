//! Figure 1: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::{Line, median, quantile};
use crate::table::FigureTable;
use std::f64::consts::TAU;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6};

const EDGE: f64 = 0.065;
/// Half the length of the corner (m).
const END: f64 = 0.15;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let scene = FigureScene {
        settings: lab::paper(0.2, 0.6),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let (places, ticks) = ctx.pick((28, 240), (8, 40));
    let mut table = FigureTable::new("", &["contacts", "seconds", "verdict"]);
    let mut measured: Vec<(f64, f64, bool)> = Vec::new();
    for place in 0..places {
        ctx.go_on()?;
        let overlap = EDGE * f64::from(place + 1) / f64::from(places);
        let z = END + 0.5 * EDGE - overlap;
        // Near the end the cube tips and never rests, so that it starts where it touches.
        let mut engine = scene.engine(lab::at(Vec3::new(0.5 * EDGE, 0.5 * EDGE, z)))?;
        let hand = lab::at(Vec3::new(0.5 * EDGE - 0.005, 0.5 * EDGE - 0.005, z));
        for _ in 0..20 {
            engine.tick(&hand, &Vec6::zeros());
        }
        for tick in 0..ticks {
            let shake = 0.004 * (TAU * f64::from(tick) / 40.0).sin();
            let hand = lab::moved(&hand, Vec3::z() * shake);
            let ((contacts, verdict), seconds) = timed(|| {
                let trace = engine.tick(&hand, &Vec6::zeros());
                (trace.contacts, trace.verdict)
            });
            table.row(&[&contacts, &seconds, &format!("{verdict:?}")]);
            measured.push((f64::from(contacts), seconds, verdict == Verdict::Holds));
        }
    }
    let between = |low: f64, high: f64| -> Vec<f64> {
        measured.iter().filter(|m| m.0 >= low && m.0 < high).map(|m| m.1).collect()
    };
    let medians: Vec<[f64; 2]> = (0..40)
        .map(|i| f64::from(i) * 10.0)
        .map(|low| (low, between(low, low + 10.0)))
        .filter(|(_, times)| times.len() >= ctx.pick(20, 5))
        .map(|(low, times)| [low + 5.0, median(&times)])
        .collect();
    let at_100 = between(90.0, 110.0);
    let (middle, p99) = (median(&at_100), quantile(&at_100, 0.99));
    let logs: Vec<[f64; 2]> = medians.iter().filter(|m| m[0] > 40.0).map(|m| [m[0].ln(), m[1].ln()]).collect();
    let exponent = Line::fit(&logs).slope;
    let dots = |holds: bool| measured.iter().filter(|m| m.2 == holds).map(|m| [m.0, m.1 * 1e6]).collect::<Vec<_>>();
    let top = 1.2 * 1e6 * quantile(&measured.iter().map(|m| m.1).collect::<Vec<_>>(), 0.995);
    let panel =
        Panel::new("time of a whole tick", Axis::from_zero("contacts"), Axis::linear("time (µs)").range(0.0, top))
            .with("static friction", Style::Dots, 0, dots(true))
            .with("sliding", Style::Dots, 1, dots(false))
            .with("median", Style::Line, 2, medians.iter().map(|m| [m[0], m[1] * 1e6]).collect())
            .high(380.0);
    Ok(FigureOutcome {
        measured: format!(
            "{:.0} µs in the median and {:.0} µs at the 99th percentile with 90 to 110 contacts; time grows as contacts to the power {exponent:.2}",
            middle * 1e6,
            p99 * 1e6
        ),
        why: "Collision walks the shell's tree and samples one field value a node; friction costs a few passes over the contacts. \
              The paper's 0.85 ms went to a general linear program solver. The highest half percent of the times is outside the picture."
            .into(),
        checks: vec![
            Check::at_most("median time at 100 contacts (s)", middle, 1e-3),
            Check::at_most("99th percentile at 100 contacts (s)", p99, 1e-3),
            Check::at_most("exponent of growth", exponent, 1.15),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Whole tick: collision and friction, cube in a corner", &[panel]) }],
    })
}
