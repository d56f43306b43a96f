//! Figure 17: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, Outcome, Picture};
use crate::lab::{self, Scene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::Table;
use std::f64::consts::TAU;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::Settings;
use stiction_bake::solids::Solid;

const PEG: f64 = 0.020;
const LENGTH: f64 = 0.06;
const PERIOD: usize = 200;

pub fn run(ctx: &Context) -> Result<Outcome, FigureError> {
    let peg = ctx.bake(&Solid::Box { size: [PEG, PEG, LENGTH] }, 64, 500, 4)?;
    let plate = Solid::PlateSquareHole { size: [0.06, 0.06], thickness: 0.03, hole: [0.99 * PEG, 1.02 * PEG] };
    let plate = ctx.bake(&plate, 128, 500, 4)?;
    let side = |n: Vec3| lab::grid(n, n * (0.5 * PEG), [n.cross(&Vec3::z()) * (0.45 * PEG), Vec3::z() * 0.029], [7, 24]);
    let points = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()].into_iter().flat_map(side).collect();
    let parts = [lab::with_points(&peg, points)?, plate];
    let cycles = ctx.pick(20, 4);
    let start = lab::at(Vec3::z() * 0.008);
    let hand = lab::moved(&start, Vec3::z() * -0.005);
    let methods = [("lp", Method::Lp), ("qp", Method::Qp(Metric::Stiffness)), ("hold", Method::Hold), ("springs", Method::Yamane)];
    let mut table = Table::new("", &["method", "tick", "sunk_um", "across_um", "contacts", "verdict"]);
    let mut panels = [
        Panel::new("along the axis", Axis::linear("cycle"), Axis::from_zero("sunk (mm)")),
        Panel::new("across", Axis::linear("cycle"), Axis::from_zero("moved (µm)")).high(110.0),
        Panel::new("contacts", Axis::linear("cycle"), Axis::from_zero("contacts")).high(110.0),
    ];
    let mut checks = Vec::new();
    let mut words = Vec::new();
    for (i, (name, method)) in methods.into_iter().enumerate() {
        ctx.go_on()?;
        let settings = Settings { shell_on: ShellOn::Held, ..lab::with_method(&lab::paper(100.0, 0.6), method) };
        let scene = Scene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
        let mut engine = scene.settled(start, &start, &Vec6::zeros())?;
        let z0 = engine.trace().centre.z;
        let mut sunk = Vec::new();
        let mut series = [Vec::new(), Vec::new(), Vec::new()];
        for tick in 0..cycles * PERIOD {
            let phase = tick as f64 / PERIOD as f64;
            // The push grows in the first quarter of a cycle.
            let push = lab::moved(&start, (hand.translation.vector - start.translation.vector) * (4.0 * phase).min(1.0));
            let t = engine.tick(&lab::moved(&push, Vec3::x() * 0.008 * (TAU * phase).sin()), &Vec6::zeros());
            let depth = z0 - t.centre.z;
            table.row(&[&name, &tick, &(depth * 1e6), &(t.centre.x * 1e6), &t.contacts, &format!("{:?}", t.verdict)]);
            series[0].push([phase, depth * 1e3]);
            series[1].push([phase, t.centre.x * 1e6]);
            series[2].push([phase, f64::from(t.contacts)]);
            if (tick + 1) % PERIOD == 0 {
                sunk.push(depth);
            }
        }
        let most = series[0].iter().fold(0.0, |m: f64, p| m.max(p[1].abs())) * 1e-3;
        if method == Method::Yamane {
            let steps: Vec<f64> = sunk.windows(2).map(|w| w[1] - w[0]).collect();
            let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = steps.iter().sum::<f64>() / steps.len() as f64;
            words.push(format!("on springs it sinks {:.0} µm a cycle, {:.0} at least", mean * 1e6, least * 1e6));
            checks.push(Check::at_least("springs: least sinking in a cycle (µm)", least * 1e6, 1e-3));
            checks.push(Check::at_least("springs: mean sinking in a cycle (µm)", mean * 1e6, 1e7 * 1e-4 * LENGTH));
        } else {
            words.push(format!("{name} {:.2e} m", most));
            checks.push(Check::at_most(format!("{name}: largest motion along the axis (m)"), most, 1e-4 * LENGTH));
        }
        let all = i == 0 || method == Method::Yamane;
        for (panel, points) in panels.iter_mut().zip(series).take(if all { 3 } else { 1 }) {
            panel.series.push(crate::plot::Series::new(name, Style::Line, i, points));
        }
    }
    Ok(Outcome {
        measured: format!("motion along the axis: {}", words.join(", ")),
        why: "A contact that comes back finds friction at its limit at once, whereas an anchor that is formed anew forgets the stretch it carried.".into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Snake motion of a tight peg, µ = 100", &panels) }],
    })
}
