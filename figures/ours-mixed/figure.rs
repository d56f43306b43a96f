//! Some contacts stick while others slide: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Method, Metric, SlipState, Verdict};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::{Damping, Settings};
use stiction_bake::solids::Solid;

const EDGE: f64 = 0.042;
const TICKS: usize = 300;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let cube = ctx.bake(&Solid::Box { size: [EDGE; 3] }, 64, 200, 4)?;
    let walls = ctx.bake(&Solid::LBar { legs: [0.2, 0.2], thickness: 0.02, length: 0.3 }, 128, 500, 4)?;
    let face =
        |n: Vec3, u: Vec3| lab::grid(-n, n * (-0.5 * EDGE), [u * (0.45 * EDGE), Vec3::z() * (0.45 * EDGE)], [7, 7]);
    let points = [face(Vec3::x(), Vec3::y()), face(Vec3::y(), Vec3::x())].concat();
    let parts = [lab::with_points(&cube, points)?, walls];
    let methods = [("hold", Method::Hold), ("qp", Method::Qp(Metric::Stiffness)), ("lp", Method::Lp)];
    let mut table = FigureTable::new("", &["method", "tick", "push_n", "stuck", "sliding", "friction_n"]);
    let mut panels = Vec::new();
    let mut checks = Vec::new();
    let mut words = Vec::new();
    for (name, method) in methods {
        ctx.go_on()?;
        let settings = Settings {
            shell_on: ShellOn::Held,
            damped: Damping::Sliding,
            ..lab::with_method(&lab::paper(0.3, 0.6), method)
        };
        let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
        let hand = lab::at(Vec3::new(0.5 * EDGE - 0.001, 0.5 * EDGE - 0.005, 0.0));
        let mut engine = scene.settled(lab::at(Vec3::new(0.5 * EDGE, 0.5 * EDGE, 0.0)), &hand, &Vec6::zeros())?;
        let (mut mixed, mut off_limit, mut off_slip): (usize, f64, f64) = (0, 0.0, 0.0);
        let (mut stuck, mut sliding) = (Vec::new(), Vec::new());
        for tick in 0..TICKS {
            let push = 0.010 * tick as f64 / TICKS as f64;
            let t = *engine.tick(&lab::moved(&hand, Vec3::x() * -push), &Vec6::zeros());
            table.row(&[&name, &tick, &t.wrench[0], &t.stuck, &t.sliding, &t.friction.fixed_rows::<3>(0).norm()]);
            stuck.push([push * 2e3, f64::from(t.stuck)]);
            sliding.push([push * 2e3, f64::from(t.sliding)]);
            let bears = |c: &stiction::trace::ContactTrace| c.state == SlipState::Stuck && c.friction.norm() > 0.0;
            let both = engine.contacts().filter(bears).count() >= 10 && t.sliding >= 10;
            if !both || t.verdict != Verdict::Slips {
                continue;
            }
            mixed += 1;
            for c in engine.contacts().filter(|c| c.state == SlipState::Sliding) {
                off_limit = off_limit.max((c.friction.norm() / c.limit - 1.0).abs());
                off_slip = off_slip.max(1.0 + c.friction.dot(&c.slip) / (c.friction.norm() * c.slip.norm()));
            }
        }
        let share = mixed as f64 / TICKS as f64;
        words.push(format!("{name}: both in {:.0} % of the ticks", share * 100.0));
        if method == Method::Lp {
            checks.push(Check::at_most("lp: ticks with both", mixed as f64, 0.0));
        } else {
            checks.push(Check::at_least(format!("{name}: share of ticks with both"), share, 0.5));
            checks.push(Check::at_most(format!("{name}: friction off its limit, share"), off_limit, 1e-6));
            checks.push(Check::at_most(format!("{name}: 1 - cosine between friction and -slip"), off_slip, 1e-3));
        }
        let panel =
            Panel::new(name, Axis::linear("push towards the wall (N)"), Axis::linear("contacts").range(0.0, 100.0));
        panels.push(panel.with("stuck", Style::Step, 0, stuck).with("sliding", Style::Step, 1, sliding).high(130.0));
    }
    Ok(FigureOutcome {
        measured: words.join("; "),
        why: "Each contact has its own limit in the quadratic program, and the optimum in the stiffness metric is Coulomb's law contact by contact.".into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Cube on a floor pushed against a wall: who sticks, who slides", &panels) }],
    })
}
