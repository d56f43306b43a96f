//! Figures 13 and 14 of the contact volume paper: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::peers::PeerResults;
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use crate::volume_worlds::{GRAVITY, PULL, pulling, stick_slip};
use std::f64::consts::PI;
use stiction_volume::ContactMethod;

const SECONDS: f64 = 8.0;
/// What is judged begins here (s).
const JUDGED: f64 = 2.0;
/// The damper beside the spring (N s/m).
const DAMPER: f64 = 6.0;
/// Closed forms: tensions (N) and period (s).
const TENSION: [f64; 2] = [0.391, 5.881];
const CYCLE: f64 = 0.4847;
/// Share of the time at rest: 0.1603 s of a period.
const REST: f64 = 0.331;

/// Tension over time, and what is read off.
struct Pulled {
    tension: Vec<[f64; 2]>,
    least: f64,
    most: f64,
    period: f64,
    rest: f64,
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let volume = pull(0.0, ContactMethod::Volume)?;
    ctx.go_on()?;
    let point = pull(0.0, ContactMethod::Point)?;
    ctx.go_on()?;
    let damped = pull(DAMPER, ContactMethod::Volume)?;
    let share = DAMPER / (2.0 * (PULL[0] * PULL[2]).sqrt());
    let decrement = [PI * share / (1.0 - share * share).sqrt(), decrement(&damped.tension)];
    let mut table = FigureTable::new("", &["t_s", "volume_n", "point_n", "damped_n"]);
    for ((v, p), d) in volume.tension.iter().zip(&point.tension).zip(&damped.tension).step_by(5) {
        table.row(&[&v[0], &v[1], &p[1], &d[1]]);
    }
    let range = 0.03 * (TENSION[1] - TENSION[0]);
    let off = |p: &Pulled| {
        let tensions = (p.least - TENSION[0]).abs().max((p.most - TENSION[1]).abs()) / range;
        tensions.max((p.period / CYCLE - 1.0).abs() / 0.03)
    };
    let mut checks = vec![
        Check::near("volumes: period (s)", volume.period, CYCLE, 0.03),
        Check::between("volumes: least tension (N)", volume.least, [TENSION[0] - range, TENSION[0] + range]),
        Check::between("volumes: most tension (N)", volume.most, [TENSION[1] - range, TENSION[1] + range]),
        Check::between("volumes: share of time at rest", volume.rest, [REST - 0.05, REST + 0.05]),
        Check::at_least(
            "points: farthest off, in units of these tolerances",
            if off(&point).is_nan() { 1e9 } else { off(&point) },
            1.0,
        ),
        Check::near("with the damper: logarithmic decrement of half a swing", decrement[1], decrement[0], 0.1),
    ];
    let peers = PeerResults::read();
    let axis = || (Axis::linear("time (s)"), Axis::linear("tension (N)"));
    let mut ours = Panel::new("ours", axis().0, axis().1)
        .with("volumes", Style::Line, 0, thinned(&volume.tension))
        .with("points", Style::Line, 1, thinned(&point.tension));
    for (level, name) in TENSION.into_iter().zip(["closed form", ""]) {
        ours = ours.mark(level, name);
    }
    let decay =
        Panel::new("volumes, with a damper", axis().0, axis().1).with("", Style::Line, 0, thinned(&damped.tension));
    let mut panels = vec![ours, decay];
    if let Some(rows) = peers.rows("stick-slip", "ODE", "exact") {
        let curve: Vec<[f64; 2]> = rows.iter().filter(|r| r.len() == 2).map(|r| [r[0], r[1]]).collect();
        let least = curve.iter().filter(|[t, _]| *t >= JUDGED).map(|[_, f]| *f).fold(f64::INFINITY, f64::min);
        checks.push(Check::at_least("ODE, exact step, µ = 0.16: least tension (N)", least, 1.0));
        panels.push(Panel::new("ODE, which has one coefficient", axis().0, axis().1).with("", Style::Line, 2, curve));
    }
    Ok(FigureOutcome {
        measured: format!(
            "volumes: period {:.4} s, {:.3} to {:.3} N, at rest for {:.1} % of the time; points: period {:.4} s, {:.3} to {:.3} N, at rest for {:.1} %; with a \
             damper half swings shrink by {:.3} (closed form {:.3})",
            volume.period,
            volume.least,
            volume.most,
            100.0 * volume.rest,
            point.period,
            point.least,
            point.most,
            100.0 * point.rest,
            decrement[1],
            decrement[0]
        ),
        why: format!(
            "Static friction is a spring and a damper over the area, so that the tension overshoots a little and the period is a little longer. {}",
            peers.origin()
        ),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("A weight of 2 kg pulled through a spring", &panels) }],
    })
}

fn thinned(curve: &[[f64; 2]]) -> Vec<[f64; 2]> {
    curve.iter().step_by(5).copied().collect()
}

fn pull(damping: f64, method: ContactMethod) -> Result<Pulled, FigureError> {
    let world = stick_slip(damping, method).map_err(FigureError::Setup)?;
    let mut engine = world.engine().map_err(FigureError::Setup)?;
    let [stiffness, speed, _] = PULL;
    let (mut tension, mut rests) = (Vec::new(), 0);
    for i in 1..=world.ticks(SECONDS) {
        engine.tick(&[pulling(world.settings.period * (i - 1) as f64)]);
        let (t, weight) = (world.settings.period * i as f64, &engine.bodies()[1]);
        tension.push([t, stiffness * (speed * t - weight.centre.x)]);
        rests += usize::from(t >= JUDGED && weight.velocity.x.abs() < 1e-3);
    }
    let late: Vec<[f64; 2]> = tension.iter().filter(|[t, _]| *t >= JUDGED).copied().collect();
    let least = late.iter().map(|[_, f]| *f).fold(f64::INFINITY, f64::min);
    let most = late.iter().map(|[_, f]| *f).fold(f64::NEG_INFINITY, f64::max);
    let falls = falls(&late, 0.5 * (least + most));
    let period = match falls.as_slice() {
        [first, .., last] => (last - first) / (falls.len() - 1) as f64,
        _ => f64::NAN,
    };
    Ok(Pulled { least, most, period, rest: rests as f64 / late.len() as f64, tension })
}

/// Times at which a curve goes down through a level.
fn falls(curve: &[[f64; 2]], level: f64) -> Vec<f64> {
    let crosses = |pair: &[[f64; 2]]| {
        let ([t, a], [u, b]) = (pair[0], pair[1]);
        (a > level && b <= level).then(|| t + (u - t) * (a - level) / (a - b))
    };
    curve.windows(2).filter_map(crosses).collect()
}

/// Mean logarithmic decrement of the half swings of a tension about µ m g, from its first minimum on.
fn decrement(tension: &[[f64; 2]]) -> f64 {
    let middle = 0.160 * PULL[2] * GRAVITY;
    let turns: Vec<f64> = tension
        .windows(3)
        .filter(|w| (w[1][1] - w[0][1]) * (w[2][1] - w[1][1]) < 0.0)
        .map(|w| (w[1][1] - middle).abs())
        .skip_while(|swing| *swing < 0.5)
        .skip(1)
        .take(7)
        .collect();
    match turns.as_slice() {
        [first, .., last] if turns.len() == 7 => (first / last).ln() / 6.0,
        _ => f64::NAN,
    }
}
