//! Figure 6: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::{Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::Settings;

const EDGE: f64 = 0.042;
const TICKS: usize = 300;

struct Pulled {
    /// Ticks until nothing touches; none if something still does.
    free: f64,
    /// How far out at the end (m).
    out: f64,
    force: f64,
    path: Vec<[f64; 2]>,
    contacts: Vec<[f64; 2]>,
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let scene = FigureScene {
        settings: lab::paper(10.0, 0.6),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let mut table = FigureTable::new("", &["method", "release", "tick", "out_mm", "contacts", "separating", "force_n"]);
    let methods = [("lp", Method::Lp), ("qp", Method::Qp(Metric::Stiffness)), ("hold", Method::Hold)];
    let mut results = Vec::new();
    for (name, method) in methods {
        for release in [ReleaseRule::Applied, ReleaseRule::None] {
            ctx.go_on()?;
            let settings = Settings { release, ..lab::with_method(&scene.settings, method) };
            results.push((name, release, pull(&scene.with(settings), name, &mut table)?));
        }
    }
    let (with, without) = (&results[0].2, &results[1].2);
    let words = |p: &Pulled| match p.free.is_finite() {
        true => format!("free after {} ticks", p.free),
        false => format!("stuck at {:.1} N, {:.3} mm out", p.force, p.out.abs() * 1e3),
    };
    let others = results[2..]
        .iter()
        .map(|(n, r, p)| format!("{n} {} {}", if *r == ReleaseRule::None { "without" } else { "with" }, words(p)));
    let others = others.collect::<Vec<_>>().join(", ");
    let shown = |f: &dyn Fn(&Pulled) -> Vec<[f64; 2]>, panel: Panel| {
        panel.with("with section 4.1", Style::Line, 0, f(with)).with("without", Style::Line, 1, f(without))
    };
    let first = |points: &Vec<[f64; 2]>| points.iter().take(60).copied().collect();
    let out =
        shown(&|p| first(&p.path), Panel::new("cube", Axis::linear("tick"), Axis::from_zero("out of the corner (mm)")));
    let touching =
        shown(&|p| first(&p.contacts), Panel::new("contacts", Axis::linear("tick"), Axis::from_zero("contacts")));
    Ok(FigureOutcome {
        measured: format!("with section 4.1: {}; without: {}; of the others: {others}", words(with), words(without)),
        why: "The friction of either wall has a part along the other's normal, and with µ = 10 enough of it to hold against the pull. \
              The rule is the paper's with the third condition of its section 5.6."
            .into(),
        checks: vec![
            Check::at_most("ticks until free with section 4.1", with.free, 30.0),
            Check::at_least("contacts without it after 300 ticks", without.contacts[TICKS - 1][1], 1.0),
            Check::at_most("motion without it (mm)", without.out * 1e3, 1.0),
            Check::near("pull without it (N)", without.force, 20.0, 0.1),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Pulled out of a corner with µ = 10, linear program", &[out, touching]) }],
    })
}

fn pull(scene: &FigureScene, name: &str, table: &mut FigureTable) -> Result<Pulled, FigureError> {
    let (mut engine, hand) = lab::pressed(scene, EDGE, 0.0, 0.005)?;
    for _ in 0..20 {
        engine.tick(&hand, &Vec6::zeros());
    }
    let diagonal = Vec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
    let rest = engine.trace().centre;
    // From where it presses to 10 mm out of the part's place.
    let way = (rest - hand.translation.vector).dot(&diagonal) + 0.010;
    let mut pulled = Pulled { free: f64::INFINITY, out: 0.0, force: 0.0, path: Vec::new(), contacts: Vec::new() };
    for tick in 0..TICKS {
        let by = (0.001 * (tick + 1) as f64).min(way);
        let t = engine.tick(&lab::moved(&hand, diagonal * by), &Vec6::zeros());
        pulled.out = (t.centre - rest).dot(&diagonal);
        pulled.force = t.wrench.fixed_rows::<3>(0).norm();
        if t.contacts == 0 && pulled.free.is_infinite() {
            pulled.free = (tick + 1) as f64;
        }
        pulled.path.push([tick as f64, pulled.out * 1e3]);
        pulled.contacts.push([tick as f64, f64::from(t.contacts)]);
        let release = format!("{:?}", scene.settings.release);
        table.row(&[&name, &release, &tick, &(pulled.out * 1e3), &t.contacts, &t.separating, &pulled.force]);
    }
    Ok(pulled)
}
