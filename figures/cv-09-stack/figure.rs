//! Figures 9 and 10 of the contact volume paper: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::peers::PeerResults;
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::median;
use crate::table::FigureTable;
use crate::volume_worlds::{GRAVITY, column, moved, walls};
use stiction_volume::ContactMethod;

const COUNTS: [usize; 6] = [3, 6, 10, 13, 30, 100];
const PERIOD: f64 = 0.005;
const SECONDS: f64 = 5.0;
/// What counts as standing (m, m/s), and as collapsed (m).
const STANDS: [f64; 2] = [0.1, 0.05];
const COLLAPSED: f64 = 0.5;
/// Stiffness of the columns' contacts (N/m), their disturbance (m/s), and how long they must stand (s).
const STIFFNESS: f64 = 4000.0;
const DISTURBANCE: f64 = 1e-4;
const WATCHED: f64 = 30.0;

/// A wall's run.
struct Built {
    /// Time of a step, the median (µs).
    time: f64,
    stands: bool,
    /// When a block had left its place (s).
    collapsed: Option<f64>,
    /// Farthest that a block went (m), and the fastest of the last second (m/s).
    worst: [f64; 2],
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut table = FigureTable::new(
        "",
        &["blocks", "method", "step_us", "stands", "collapsed_s", "farthest_m", "fastest_at_the_end_m_s"],
    );
    let counts = ctx.pick(&COUNTS[..], &COUNTS[..4]);
    let methods = [(ContactMethod::Volume, "volumes"), (ContactMethod::Point, "points")];
    let (mut times, mut built) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for (number, (method, name)) in methods.into_iter().enumerate() {
        for count in counts {
            ctx.go_on()?;
            let wall = build(*count, method)?;
            let collapsed = wall.collapsed.unwrap_or(f64::NAN);
            table.row(&[count, &name, &wall.time, &u8::from(wall.stands), &collapsed, &wall.worst[0], &wall.worst[1]]);
            times[number].push([*count as f64, wall.time]);
            built[number].push(wall);
        }
    }
    let stood = built[0].iter().filter(|wall| wall.stands).count();
    let fell = [0, 1, 3].iter().filter(|i| built[1][**i].collapsed.is_some()).count();
    let block = |i: usize| times[0][i][1] / times[0][i][0];
    let mut checks = vec![
        Check::at_least("volumes: walls that stand", stood as f64, counts.len() as f64),
        Check::at_least("points: walls of 3, 6 and 13 that collapse within 5 s", fell as f64, 3.0),
        Check::at_most("volumes: time of a block among 13 over that among 3", block(3) / block(0), 1.5),
    ];
    if let Some(hundred) = times[0].get(5) {
        checks.push(Check::at_most("volumes: time of a block among 100 over that among 3", block(5) / block(0), 1.5));
        checks.push(Check::at_most("volumes: time of a step with 100 blocks (µs)", hundred[1], 1000.0));
    }
    let predicted = tallest(STIFFNESS / 12.0);
    let measured = stands_up_to(ctx, predicted)?;
    checks.push(Check::between(
        "blocks of the tallest column that stands",
        measured as f64,
        [predicted as f64 - 1.0, predicted as f64 + 1.0],
    ));
    let mut panel = Panel::new("time of a step of 5 ms", Axis::log("blocks"), Axis::log("time of a step (µs)"))
        .with("volumes", Style::Marked, 0, times[0].clone())
        .with("points", Style::Marked, 1, times[1].clone());
    let peers = PeerResults::read();
    let shown = [
        ("ODE", "exact", "ODE, exact"),
        ("ODE", "quick", "ODE, quick"),
        ("rapier", "", "rapier"),
        ("MuJoCo", "", "MuJoCo"),
    ];
    for (i, (engine, setting, name)) in shown.into_iter().enumerate() {
        let Some(rows) = peers.rows("blocks", engine, setting) else { continue };
        let curve: Vec<[f64; 2]> = rows.iter().filter(|row| row.len() > 1).map(|row| [row[0], row[1]]).collect();
        let of = |count: f64| curve.iter().find(|p| p[0] == count).map(|p| p[1] / count);
        if let (true, Some(few), Some(many)) = (i == 0, of(3.0), of(13.0)) {
            checks.push(Check::at_least(
                "ODE's exact step: time of a block among 13 over that among 3",
                many / few,
                4.0,
            ));
        }
        panel = panel.with(name, Style::Marked, i + 2, curve);
    }
    let farthest = built[1].iter().map(|wall| wall.worst[0]).fold(0.0, f64::max);
    let hundred = tallest_stiff();
    Ok(FigureOutcome {
        measured: format!(
            "{stood} of {} walls stand with volumes; with points {fell} of 3 walls collapse within 5 s (no block goes farther than {farthest:.3} m, but none come to \
             rest); a column of {measured} blocks stands, predicted {predicted}",
            counts.len()
        ),
        why: format!(
            "The stiffest contacts that a step of 5 ms allows for such blocks, 2 m/h² between two of them, let a column of {hundred} blocks stand at most: 100 blocks are therefore \
             ten walls. {}",
            peers.origin()
        ),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Walls of blocks", &[panel]) }],
    })
}

fn build(count: usize, method: ContactMethod) -> Result<Built, FigureError> {
    let world = walls(count, PERIOD, method).map_err(FigureError::Setup)?;
    let mut engine = world.engine().map_err(FigureError::Setup)?;
    let (mut times, mut worst, mut collapsed) = (Vec::new(), [0.0_f64; 2], None);
    let ticks = world.ticks(SECONDS);
    for i in 1..=ticks {
        times.push(timed(|| engine.tick(&[])).1 * 1e6);
        let [far, fast] = moved(&world, &engine);
        worst[0] = worst[0].max(far);
        if i + world.ticks(1.0) > ticks {
            worst[1] = worst[1].max(fast);
        }
        if far > COLLAPSED && collapsed.is_none() {
            collapsed = Some(PERIOD * i as f64);
        }
    }
    let stands = worst[0] <= STANDS[0] && worst[1] <= STANDS[1];
    Ok(Built { time: median(&times), stands, collapsed, worst })
}

/// The most blocks of 1 m whose column is stable on contacts of a stiffness against tilting.
fn tallest(turning: f64) -> usize {
    (1..200).take_while(|n| stable(*n, turning / GRAVITY)).last().unwrap_or(0)
}

/// The same with the stiffest contacts that a step of 5 ms allows: h² k Λ = 4 with Λ = 2/m.
fn tallest_stiff() -> usize {
    tallest(2.0 / (PERIOD * PERIOD) / 12.0)
}

/// Whether k_θ T − m g h D is positive definite: all pivots of its elimination are. `ratio` is k_θ/(m g h).
fn stable(count: usize, ratio: f64) -> bool {
    let mut pivot = f64::INFINITY;
    (1..=count).all(|j| {
        let springs = if j == count { 1.0 } else { 2.0 };
        pivot = springs * ratio - ((count - j) as f64 + 0.5) - ratio * ratio / pivot;
        pivot > 0.0
    })
}

/// The tallest column that stands, looked for around the predicted one.
fn stands_up_to(ctx: &Context, predicted: usize) -> Result<usize, FigureError> {
    let mut tallest = 0;
    for count in predicted.saturating_sub(3).max(1)..=predicted + 4 {
        ctx.go_on()?;
        let world = column(count, STIFFNESS, DISTURBANCE).map_err(FigureError::Setup)?;
        let mut engine = world.engine().map_err(FigureError::Setup)?;
        let stands = (0..world.ticks(ctx.pick(WATCHED, 1.0))).all(|_| {
            engine.tick(&[]);
            moved(&world, &engine)[0] <= STANDS[0]
        });
        if !stands {
            break;
        }
        tallest = count;
    }
    Ok(tallest)
}
