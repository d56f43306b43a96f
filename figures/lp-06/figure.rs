//! Figure 6: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::{Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::ContactModel;

const EDGE: f64 = 0.042;
const TICKS: usize = 300;
/// How far out of its place the hand goes (m), and its way in a tick.
const OUT: f64 = 0.010;
const STRIDE: f64 = 0.001;
/// Scenes of the paper's figure that are run, of two.
const SCENES: [&str; 1] = ["cube"];

/// Engines and rules of section 4.1.
const ENGINES: [(&str, ContactModel, ReleaseRule); 5] = [
    ("paper without 4.1", ContactModel::Paper, ReleaseRule::None),
    ("paper with 4.1", ContactModel::Paper, ReleaseRule::Paper),
    ("paper with 4.1 and 5.6", ContactModel::Paper, ReleaseRule::Three),
    ("ours without", ContactModel::Penalty, ReleaseRule::None),
    ("ours", ContactModel::Penalty, ReleaseRule::Applied),
];

/// A part that is pulled out of its contacts.
struct Pulled {
    /// Ticks until nothing touches; none if something still does.
    free: f64,
    /// How far out at the end (m).
    out: f64,
    force: f64,
    path: Vec<[f64; 2]>,
    contacts: Vec<[f64; 2]>,
}

impl Pulled {
    fn words(&self) -> String {
        match self.free.is_finite() {
            true => format!("free after {} ticks", self.free),
            false => format!("stuck at {:.1} N, {:.3} mm out", self.force, self.out.abs() * 1e3),
        }
    }
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let scene = FigureScene {
        settings: lab::paper(10.0, 0.6),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let diagonal = Vec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
    let columns = ["method", "engine", "tick", "out_mm", "contacts", "separating", "force_n"];
    let mut table = FigureTable::new("", &columns);
    let methods = [("lp", Method::Lp), ("qp", Method::Qp(Metric::Stiffness)), ("hold", Method::Hold)];
    let mut checks = Vec::new();
    let mut words = Vec::new();
    let mut out = Panel::new("cube", Axis::linear("tick"), Axis::from_zero("out of the corner (mm)"));
    let mut touching = Panel::new("contacts", Axis::linear("tick"), Axis::from_zero("contacts"));
    for (i, engine) in ENGINES.into_iter().enumerate() {
        for (name, method) in methods {
            ctx.go_on()?;
            let settings = lab::with_engine(&lab::with_method(&scene.settings, method), engine);
            let (mut engine_of, hand) = lab::pressed(&scene.with(settings), EDGE, 0.0, 0.005)?;
            let pulled = pull(&mut engine_of, &hand, &diagonal, [name, engine.0], &mut table);
            words.push(format!("{name}, {}: {}", engine.0, pulled.words()));
            if method != Method::Lp {
                continue;
            }
            if engine.2 == ReleaseRule::None {
                let what = |what: &str| format!("{}: {what}", engine.0);
                checks.push(Check::at_least(what("contacts after 300 ticks"), pulled.contacts[TICKS - 1][1], 1.0));
                checks.push(Check::at_most(what("motion (mm)"), pulled.out * 1e3, 1.0));
                checks.push(Check::near(what("pull (N)"), pulled.force, 20.0, 0.1));
            } else {
                checks.push(Check::at_most(format!("{}: ticks until free", engine.0), pulled.free, 30.0));
            }
            let style = if engine.1 == ContactModel::Paper { Style::Line } else { Style::Dashed };
            let first = |points: &[[f64; 2]]| points.iter().take(60).copied().collect();
            out = out.with(engine.0, style, i, first(&pulled.path));
            touching = touching.with(engine.0, style, i, first(&pulled.contacts));
        }
    }
    checks.push(Check::at_least("scenes of the paper's figure that are run, of 2", SCENES.len() as f64, 2.0));
    Ok(FigureOutcome {
        measured: words.join("; "),
        why: "The friction of either wall has a part along the other's normal, and with µ = 10 enough of it to hold against the pull.".into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Pulled out of a corner with µ = 10, linear program", &[out, touching]) }],
    })
}

/// Holds a part that is pressed by a hand for a while, then pulls it along a direction. Any engine will do.
fn pull(
    engine: &mut stiction::tick::Engine,
    hand: &Pose,
    along: &Vec3,
    names: [&str; 2],
    table: &mut FigureTable,
) -> Pulled {
    for _ in 0..20 {
        engine.tick(hand, &Vec6::zeros());
    }
    let rest = engine.trace().centre;
    // From where it presses to the end of its way out of the part's place.
    let way = (rest - hand.translation.vector).dot(along) + OUT;
    let mut pulled = Pulled { free: f64::INFINITY, out: 0.0, force: 0.0, path: Vec::new(), contacts: Vec::new() };
    for tick in 0..TICKS {
        let by = (STRIDE * (tick + 1) as f64).min(way);
        let t = engine.tick(&lab::moved(hand, along * by), &Vec6::zeros());
        pulled.out = (t.centre - rest).dot(along);
        pulled.force = t.wrench.fixed_rows::<3>(0).norm();
        if t.contacts == 0 && pulled.free.is_infinite() {
            pulled.free = (tick + 1) as f64;
        }
        pulled.path.push([tick as f64, pulled.out * 1e3]);
        pulled.contacts.push([tick as f64, f64::from(t.contacts)]);
        table.row(&[&names[0], &names[1], &tick, &(pulled.out * 1e3), &t.contacts, &t.separating, &pulled.force]);
    }
    pulled
}
