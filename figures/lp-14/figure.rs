//! Figure 14: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::{median, quantile};
use crate::table::FigureTable;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::ContactModel;

const EDGE: f64 = 0.036;
const ALPHA: f64 = 0.9;
/// Ticks of a jump and of the wait after it.
const MOVE: [usize; 2] = [4, 60];
const REACH: f64 = 0.008;

struct Tick {
    contacts: f64,
    seconds: f64,
    holds: bool,
    margin: f64,
    force: f64,
    /// The hand has not moved since the last tick.
    waits: bool,
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let parts = lab::corner(ctx, EDGE)?;
    let columns = ["engine", "tick", "hand_mm", "part_mm", "contacts", "verdict", "seconds", "margin", "force_n"];
    let mut table = FigureTable::new("", &columns);
    let moves = ctx.pick(12, 4);
    let (mut checks, mut words, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    for (engine, picture) in lab::ENGINES.into_iter().zip(["", "third", "ours"]) {
        let settings = lab::with_engine(&lab::paper(0.3, ALPHA), engine);
        let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
        let ticks = shake(ctx, &scene, moves, engine.0, &mut table)?;
        let judged = judge(&ticks, moves, engine);
        words.push(format!("{}: {}", engine.0, judged.words));
        checks.extend(judged.checks);
        let title = format!("Cube in a corner under a fast hand, α = 0.9: {}", engine.0);
        pictures.push(Picture { name: picture, svg: svg(&title, &judged.panels) });
    }
    Ok(FigureOutcome {
        measured: words.join(". "),
        why: "The margin stands for the force over its limit: c µ ΣF_n would be the limit only if the pull went through the middle of the \
              friction forces, but the hand pulls at the cube's centre, and friction must hold that torque too."
            .into(),
        checks,
        tables: vec![table],
        pictures,
    })
}

fn shake(
    ctx: &Context,
    scene: &FigureScene,
    moves: usize,
    name: &str,
    table: &mut FigureTable,
) -> Result<Vec<Tick>, FigureError> {
    let (mut engine, middle) = lab::pressed(scene, EDGE, 0.0, 0.005)?;
    let mut ticks: Vec<Tick> = Vec::new();
    let (mut hand_z, mut to) = (0.0, REACH);
    for _ in 0..moves {
        ctx.go_on()?;
        for i in 0..MOVE[0] + MOVE[1] {
            let waits = i >= MOVE[0];
            if !waits {
                let from = if hand_z == 0.0 && ticks.is_empty() { 0.0 } else { -to };
                let share = (i + 1) as f64 / MOVE[0] as f64;
                hand_z = if ticks.len() < MOVE[0] { to * share } else { from + (to - from) * share };
            }
            let hand = lab::moved(&middle, Vec3::z() * hand_z);
            let (verdict, seconds) = timed(|| engine.tick(&hand, &Vec6::zeros()).verdict);
            let t = *engine.trace();
            // Of the problem that was solved in this tick.
            let [margin, _] = engine.margins();
            let (contacts, force) = (f64::from(t.contacts), t.wrench[2]);
            let n = ticks.len();
            let (hand, part, verdict_word) = (hand_z * 1e3, t.centre.z * 1e3, format!("{verdict:?}"));
            table.row(&[&name, &n, &hand, &part, &t.contacts, &verdict_word, &seconds, &margin, &force]);
            ticks.push(Tick { contacts, seconds, holds: verdict == Verdict::Holds, margin, force, waits });
        }
        to = -to;
    }
    Ok(ticks)
}

/// What is said of a run.
struct Judged {
    words: String,
    checks: Vec<Check>,
    panels: [Panel; 4],
}

fn judge(ticks: &[Tick], moves: usize, (name, _, release): (&str, ContactModel, ReleaseRule)) -> Judged {
    let of = |f: &dyn Fn(&Tick) -> f64| ticks.iter().map(f).collect::<Vec<_>>();
    let restick: Vec<f64> =
        ticks.windows(2).filter(|w| !w[0].holds && w[1].holds && w[1].waits).map(|w| w[1].margin).collect();
    let phases = ticks.chunks(MOVE[0] + MOVE[1]).filter(|c| c.iter().any(|t| t.holds) && c.iter().any(|t| !t.holds));
    let phases = phases.count();
    let least = |x: Vec<f64>| x.into_iter().fold(f64::INFINITY, f64::min);
    let most = |x: Vec<f64>| x.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let margins = |holds: bool| ticks.iter().filter(|t| t.holds == holds).map(|t| t.margin).collect::<Vec<_>>();
    let times = of(&|t| t.seconds);
    let (contacts, p99) = (median(&of(&|t| t.contacts)), quantile(&times, 0.99));
    let sliding = ticks.iter().filter(|t| !t.holds).count();
    let shown = |f: &dyn Fn(&Tick) -> f64, panel: Panel| {
        let pick = |holds: bool| {
            ticks.iter().enumerate().map(|(i, t)| [i as f64, if t.holds == holds { f(t) } else { f64::NAN }]).collect()
        };
        panel
            .with("static friction", Style::Dots, 0, pick(true))
            .with("sliding", Style::Dots, 1, pick(false))
            .high(120.0)
    };
    let x = || Axis::linear("tick");
    let panels = [
        shown(&|t| t.contacts, Panel::new("contacts", x(), Axis::from_zero("contacts"))),
        shown(
            &|t| t.seconds * 1e6,
            Panel::new("time of a tick", x(), Axis::linear("time (µs)").range(0.0, 1.3e6 * p99)),
        ),
        shown(&|t| t.margin, Panel::new("ray margin", x(), Axis::from_zero("margin")))
            .mark(1.0, "limit")
            .mark(ALPHA, "α"),
        shown(&|t| t.force, Panel::new("force along the edge", x(), Axis::from_zero("force (N)"))),
    ];
    let what = |what: &str| format!("{name}: {what}");
    let mut checks = vec![
        Check::between(what("moves of the hand with both states"), phases as f64, [moves as f64, moves as f64]),
        Check::between(what("contacts, median"), contacts, [60.0, 80.0]),
        Check::at_least(what("least margin while sliding"), least(margins(false)), 1.0 - 1e-6),
        Check::at_most(what("largest margin while holding"), most(margins(true)), 1.0 + 1e-6),
        Check::at_most(what("99th percentile of time (s)"), p99, 1e-3),
        Check::at_most(what("largest margin when sticking again"), most(restick.clone()), 1.0 + 1e-6),
    ];
    if release != ReleaseRule::Paper {
        checks.push(Check::at_least(what("least margin when sticking again"), least(restick.clone()), 0.98 * ALPHA));
    }
    let words = format!(
        "{contacts:.0} contacts, {:.0} µs in the median; {sliding} of {} ticks slide; margin above {:.3} while sliding, at most {:.3} while \
         holding; sticks again at {:.3} to {:.3} of the limit",
        median(&times) * 1e6,
        ticks.len(),
        least(margins(false)),
        most(margins(true)),
        least(restick.clone()),
        most(restick)
    );
    Judged { words, checks, panels }
}
