//! How far from slipping: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, HALF};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Method, Verdict};
use stiction::spatial::{Vec3, Vec6, join};
use stiction::tick::{Damping, Settings};

const MU: f64 = 0.5;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let settings = Settings {
        shell_on: ShellOn::Held,
        damped: Damping::Sliding,
        ..lab::with_method(&lab::paper(MU, 0.6), Method::Hold)
    };
    let scene = FigureScene { settings, parts: lab::cube_on_plate(ctx, 0.0, 1)?, world_from_fixed: lab::plate_pose() };
    let hand = lab::at(Vec3::z() * (HALF - 0.005));
    let mut engine = scene.settled(lab::at(Vec3::z() * HALF), &hand, &Vec6::zeros())?;
    let mut table = FigureTable::new("", &["tick", "pull_n", "closed_form", "ray", "robust", "verdict"]);
    let (mut closed, mut ray, mut robust) = (Vec::new(), Vec::new(), Vec::new());
    let (mut slipped, mut above) = (f64::INFINITY, f64::INFINITY);
    let (mut off_ray, mut off_robust): (f64, f64) = (0.0, 0.0);
    let increment = ctx.pick(0.02, 0.2);
    let stiffness = scene.settings.coupling.stiffness;
    for tick in 0..2000 {
        ctx.go_on()?;
        let pull = increment * f64::from(tick);
        // What pulls in this tick, before the part moves; the hand itself holds it back by next to nothing.
        let force = pull - stiffness * engine.trace().centre.x;
        let sideways = Vec3::x() * pull;
        let t = *engine.tick(&hand, &join(sideways, (Vec3::z() * -HALF).cross(&sideways)));
        let [r, b] = engine.margins();
        let expected = force / (MU * t.pressure);
        table.row(&[&tick, &pull, &expected, &r, &b, &format!("{:?}", t.verdict)]);
        closed.push([pull, expected]);
        ray.push([pull, r]);
        robust.push([pull, b]);
        if r > 1.0 && above.is_infinite() {
            above = f64::from(tick);
        }
        if t.verdict == Verdict::Slips {
            slipped = f64::from(tick);
            break;
        }
        if expected > 0.2 {
            off_ray = off_ray.max((r / expected - 1.0).abs());
            off_robust = off_robust.max((b / expected - 1.0).abs());
        }
    }
    let limit = MU * engine.trace().pressure;
    let panel = Panel::new(
        "factor on all friction limits that would just hold",
        Axis::from_zero("pull (N)"),
        Axis::from_zero("margin"),
    )
    .with("closed form", Style::Dashed, 6, closed)
    .with("ray margin", Style::Line, 0, ray)
    .with("robust margin", Style::Line, 1, robust)
    .mark(1.0, "slips")
    .high(330.0);
    Ok(FigureOutcome {
        measured: format!(
            "ray margin off by at most {:.2e}, robust margin by {:.2e}; first slip in tick {slipped}, first ray margin above 1 in tick {above}; µ ΣF_n = {limit:.3} N",
            off_ray, off_robust
        ),
        why: "Computed on demand from the tick's own contact problem, by ray shooting and by bisection.".into(),
        checks: vec![
            Check::at_most("ray margin off the closed form, share", off_ray, 5e-3),
            Check::at_most("robust margin off the closed form, share", off_robust, 1e-2),
            Check::between("ticks between margin above 1 and slip", slipped - above, [-1.0, 1.0]),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("A cube pulled until it slips", &[panel]) }],
    })
}
