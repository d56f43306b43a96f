//! Figure 16: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::friction::{Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6};

const EDGE: f64 = 0.042;
const WAY: f64 = 1e-3;
const SPRINGS: [f64; 3] = [1e3, 1e4, 1e5];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut settings = lab::paper(1.0, 0.6);
    settings.coupling.torsion = 2e4;
    settings.coupling.max_torque = 6e3;
    let scene = FigureScene { settings, parts: lab::corner(ctx, EDGE)?, world_from_fixed: Pose::identity() };
    let mut table = FigureTable::new("", &["method", "springs_n_per_m", "tick", "hand_mm", "part_m"]);
    let mut checks = Vec::new();
    let hand_at = |tick: usize| WAY * (tick as f64 / 100.0).min(1.0).min((300 - tick) as f64 / 100.0);
    let mut panel = Panel::new("along the edge", Axis::linear("tick"), Axis::from_zero("moved (mm)"))
        .with("hand", Style::Dashed, 6, (0..=300).map(|t| [t as f64, hand_at(t) * 1e3]).collect())
        .high(330.0);
    let ours = [
        ("lp", Method::Lp),
        ("qp mass", Method::Qp(Metric::Mass)),
        ("qp stiffness", Method::Qp(Metric::Stiffness)),
        ("hold", Method::Hold),
    ];
    let rows = ours.map(|(n, m)| (n, m, 0.0)).into_iter().chain(SPRINGS.map(|s| ("yamane", Method::Yamane, s)));
    let mut drifts = Vec::new();
    let mut creeps = Vec::new();
    for (i, (name, method, springs)) in rows.enumerate() {
        ctx.go_on()?;
        let mut settings = lab::with_method(&scene.settings, method);
        settings.friction.spring_stiffness = if springs > 0.0 { springs } else { 1e4 };
        let (mut engine, hand) = lab::pressed(&scene.with(settings), EDGE, 0.0, 0.005)?;
        let rest = engine.tick(&hand, &Vec6::zeros()).centre;
        let mut path = vec![[0.0, 0.0]];
        let (mut drift, mut at_wait): (f64, f64) = (0.0, 0.0);
        for tick in 1..=300 {
            let t = engine.tick(&lab::moved(&hand, Vec3::z() * hand_at(tick)), &Vec6::zeros());
            drift = drift.max((t.centre - rest).norm());
            let z = t.centre.z - rest.z;
            if tick == 200 {
                at_wait = z;
            }
            path.push([tick as f64, z * 1e3]);
            table.row(&[&name, &springs, &tick, &(hand_at(tick) * 1e3), &z]);
        }
        if springs == 0.0 {
            drifts.push(format!("{name} {drift:.1e} m"));
            checks.push(Check::at_most(format!("drift, {name} (m)"), drift, 1e-9));
            let label = if i == 0 { "lp, qp, hold" } else { "" };
            panel = panel.with(label, Style::Line, 0, path);
        } else {
            let k = scene.settings.coupling.stiffness;
            let expected = k / (k + springs);
            creeps.push(format!("{:.4} for {expected:.4}", at_wait / WAY));
            checks.push(Check::near(
                format!("creep with springs of {springs} N/m, share"),
                at_wait / WAY,
                expected,
                0.02,
            ));
            panel = panel.with(format!("springs, {springs} N/m"), Style::Line, i - 3, path);
        }
    }
    Ok(FigureOutcome {
        measured: format!("drift: {}; on springs the part follows by {}", drifts.join(", "), creeps.join(", ")),
        why: "With friction solved for, a load within the limits moves nothing; a spring must stretch before it pulls."
            .into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture {
            name: "",
            svg: svg("Held under a moving hand: friction against frictional springs", &[panel]),
        }],
    })
}
