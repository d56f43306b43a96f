//! Figure 11: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::industry::{self, ContactSums, IndustrialScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::{median, quantile};
use crate::table::FigureTable;
use std::f64::consts::TAU;
use stiction::contact::budget::Budget;
use stiction::friction::{Method, Metric, Verdict};
use stiction::spatial::{Pose, Vec3, Vec6, exp};

/// Where the motor sits (m), and how far the hand is beyond it.
pub const SEAT: [f64; 3] = [-0.0750, 0.0035, 0.0];
pub const PRESS: f64 = 0.006;
const DOWN: f64 = 0.002;
/// How far the hand rocks (rad).
const ROCK: f64 = 0.6 * std::f64::consts::PI / 180.0;
const TICKS: usize = 1500;
/// Share of the largest depth from which on a contact counts in full: all but none.
const FULL: f64 = 1e-3;

struct Pulled {
    contacts: Vec<f64>,
    times: Vec<f64>,
    /// Coupling, normal and friction force (N).
    forces: [Vec<f64>; 3],
    /// How far the centre went along the panel (m).
    moved: f64,
    holds: f64,
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let motor = ctx.window_motor(0.5)?;
    let mut table = FigureTable::new(
        "",
        &["method", "tick", "contacts", "seconds", "coupling_n", "normal_n", "friction_n", "moved_mm", "verdict"],
    );
    let methods = [("lp", Method::Lp), ("qp", Method::Qp(Metric::Stiffness)), ("hold", Method::Hold)];
    let mut pulled = Vec::new();
    for (name, method) in methods {
        ctx.go_on()?;
        pulled.push(pull(&motor, name, method, &mut table)?);
    }
    let lp = &pulled[0];
    let steps = |force: &[f64]| force.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
    let largest = lp.forces[0].iter().copied().fold(0.0, f64::max);
    let (coupling, normal) = (steps(&lp.forces[0]), steps(&lp.forces[1]));
    let (count, time, p99) = (median(&lp.contacts), median(&lp.times), quantile(&lp.times, 0.99));
    let points = |values: &[f64], scale: f64| values.iter().enumerate().map(|(i, x)| [i as f64, x * scale]).collect();
    let x = || Axis::linear("tick");
    let panels = [
        Panel::new("contacts", x(), Axis::from_zero("contacts"))
            .with("", Style::Line, 0, points(&lp.contacts, 1.0))
            .mark(55.0, "paper, about")
            .high(120.0),
        Panel::new("time of a tick", x(), Axis::from_zero("time (µs)"))
            .with("", Style::Line, 1, points(&lp.times, 1e6))
            .mark(860.0, "paper, friction")
            .high(120.0),
        Panel::new("forces", x(), Axis::from_zero("force (N)"))
            .with("coupling", Style::Line, 0, points(&lp.forces[0], 1.0))
            .with("normal", Style::Line, 1, points(&lp.forces[1], 1.0))
            .with("friction", Style::Line, 2, points(&lp.forces[2], 1.0)),
    ];
    let others: Vec<String> = methods[1..]
        .iter()
        .zip(&pulled[1..])
        .map(|((name, _), p)| format!("{name} {:.1} µm, holds in {:.1} % of the ticks", p.moved * 1e6, p.holds * 1e2))
        .collect();
    Ok(FigureOutcome {
        measured: format!(
            "{count:.0} contacts and {time:.1e} s a tick in the median; from tick to tick the coupling's force changes by {coupling:.3} N at most, the normal force by {normal:.3} N; \
             the motor moves by {:.1} µm along the panel and holds in {:.1} % of the ticks ({})",
            lp.moved * 1e6,
            lp.holds * 1e2,
            others.join("; ")
        ),
        why: "Friction answers within the tick, so that what the hand feels is its own spring.".into(),
        checks: vec![
            Check::between("contacts, median", count, [45.0, 65.0]),
            Check::at_most("time of a tick, median (s)", time, 0.86e-3),
            Check::at_most("time of a tick, 99th percentile (s)", p99, 1e-3),
            Check::at_most(
                "largest change of the coupling's force in a tick, share of the force",
                coupling / largest,
                0.02,
            ),
            Check::at_least("largest change of the normal force over that of the coupling's", normal / coupling, 1.0),
            Check::at_most("motion along the panel, share of the hand's way", lp.moved / DOWN, 0.05),
            Check::at_least("share of ticks in static friction", lp.holds, 0.99),
        ],
        tables: vec![table],
        pictures: vec![Picture {
            name: "",
            svg: svg("The window motor is pulled sideways, linear program with 8 sides", &panels),
        }],
    })
}

/// The hand that presses the motor on its seat, and is lower by some (m).
pub fn hand(motor: &IndustrialScene, down: f64) -> Pose {
    let [x, y, z] = SEAT;
    industry::posed(motor, Vec3::new(x, y - PRESS, z - down))
}

fn pull(motor: &IndustrialScene, name: &str, method: Method, table: &mut FigureTable) -> Result<Pulled, FigureError> {
    let settings = industry::with_method(&motor.scene.settings, method);
    let budget = Budget { blend: FULL, ..settings.budget };
    let scene = motor.scene.with(stiction::tick::Settings { budget, ..settings });
    let start = industry::posed(motor, Vec3::from(SEAT));
    let mut engine = scene.settled(start, &hand(motor, 0.0), &Vec6::zeros())?;
    (0..50).for_each(|_| _ = engine.tick(&hand(motor, 0.0), &Vec6::zeros()));
    let from = engine.trace().centre;
    let mut out = Pulled { contacts: vec![], times: vec![], forces: [vec![], vec![], vec![]], moved: 0.0, holds: 0.0 };
    for tick in 0..TICKS {
        let s = tick as f64 * 1e-3;
        let at = hand(motor, DOWN * (s / 0.5).min(1.0));
        let at = Pose::from_parts(at.translation, exp(&(Vec3::x() * ROCK * (TAU * 2.0 * s).sin())) * at.rotation);
        let (verdict, seconds) = timed(|| engine.tick(&at, &Vec6::zeros()).verdict);
        let (t, sums) = (*engine.trace(), ContactSums::of(&engine));
        let off = t.centre - from;
        let moved = off.xz().norm();
        let forces = [t.wrench.fixed_rows::<3>(0).norm(), sums.normal.norm(), sums.friction.norm()];
        let [a, b, c] = forces;
        let word = format!("{verdict:?}");
        table.row(&[&name, &tick, &t.contacts, &seconds, &a, &b, &c, &(moved * 1e3), &word]);
        out.contacts.push(f64::from(t.contacts));
        out.times.push(seconds);
        (0..3).for_each(|k| out.forces[k].push(forces[k]));
        out.moved = out.moved.max(moved);
        out.holds += f64::from(u8::from(verdict == Verdict::Holds)) / TICKS as f64;
    }
    Ok(out)
}
