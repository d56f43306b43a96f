//! Figure 15 of the contact volume paper: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::quantile;
use crate::table::FigureTable;
use crate::volume_worlds::{GRAVITY, Shovels, shovels};

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let world = shovels().map_err(FigureError::Setup)?;
    let mut engine = world.engine().map_err(FigureError::Setup)?;
    let mut table =
        FigureTable::new("", &["t_s", "block_z_m", "blade_z_m", "force_left_n", "force_right_n", "step_us"]);
    let (mut way, mut blades, mut felt, mut times) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut speeds, mut jump, mut others) = (Vec::new(), 0.0_f64, 0.0_f64);
    let starts: Vec<_> = engine.bodies().iter().map(|b| b.centre).collect();
    let mut last = [engine.bodies()[Shovels::LEFT].force, engine.bodies()[Shovels::RIGHT].force];
    let ticks = world.ticks(Shovels::SECONDS);
    for i in 0..ticks {
        if i % 1000 == 0 {
            ctx.go_on()?;
        }
        let t = world.settings.period * i as f64;
        let hands = Shovels::hands(t);
        let (_, time) = timed(|| engine.tick(&hands));
        times.push(time * 1e6);
        let bodies = engine.bodies();
        let now = [bodies[Shovels::LEFT].force, bodies[Shovels::RIGHT].force];
        jump = (0..2)
            .map(|h| (now[h] - last[h]).norm())
            .fold(jump, |a, b| if b.is_finite() { a.max(b) } else { f64::INFINITY });
        last = now;
        let block = &bodies[Shovels::BLOCK];
        way.push([t, block.centre.z]);
        speeds.push(block.velocity.z);
        blades.push([t, bodies[Shovels::LEFT].pose.translation.vector.z]);
        felt.push([t, now[0].norm()]);
        others =
            (Shovels::BLOCK + 1..bodies.len()).map(|b| (bodies[b].centre - starts[b]).norm()).fold(others, f64::max);
        if i % 10 == 0 {
            table.row(&[&t, &block.centre.z, &blades[i][1], &now[0].norm(), &now[1].norm(), &times[i]]);
        }
    }
    let at = |t: f64| world.ticks(t);
    let (held, thrown) = (Shovels::HELD, Shovels::OPENED);
    let lifted = way[at(held[0])][1] - way[at(Shovels::CLOSED)][1];
    let creep = (way[at(held[0] + 1.0)][1] - way[at(held[1]) - 1][1]) / (held[1] - held[0] - 1.0);
    // The last tick in which a blade touches: from there on it flies.
    let free = (at(thrown)..ticks).find(|i| felt[*i][1] == 0.0).unwrap_or(ticks - 1);
    let rises = way[free..].iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max) - way[free][1];
    let expected = speeds[free] * speeds[free] / (2.0 * GRAVITY);
    let [median, p99] = [quantile(&times, 0.5), quantile(&times, 0.99)];
    Ok(FigureOutcome {
        measured: format!(
            "a step takes {median:.1} µs in the median and {p99:.1} µs at the 99th percentile; the block is lifted by {:.3} mm, sinks at {creep:.1e} m/s while it is held, and flies \
             {:.1} mm higher where its speed gives {:.1} mm; forces on a device change by at most {jump:.2} N in a step",
            lifted * 1e3, rises * 1e3, expected * 1e3
        ),
        why: "The blades are the devices' own bodies: what presses on the block is how deep they are in it, at the stiffness of 2 kN/m that a device renders.".into(),
        checks: vec![
            Check::at_most("time of a step, 99th percentile (µs)", p99, 100.0),
            Check::near("block lifted (m)", lifted, Shovels::LIFT, 0.02),
            Check::at_most("speed at which the held block sinks (m/s)", creep.abs(), 1e-12),
            Check::near("height of the throw over v²/2g", rises / expected, 1.0, 0.05),
            Check::at_most("largest change of the force on a device in a step (N)", jump, 5.0),
            Check::at_most("the other five blocks moved (m)", others, 1e-3),
        ],
        tables: vec![table],
        pictures: vec![Picture {
            name: "",
            svg: svg(
                "Two shovels lift and throw a block",
                &[
                    Panel::new("height", Axis::linear("time (s)"), Axis::linear("m"))
                        .with("block", Style::Line, 0, thinned(&way))
                        .with("blade", Style::Dashed, 1, thinned(&blades)),
                    Panel::new("force on the left shovel", Axis::linear("time (s)"), Axis::linear("N")).with(
                        "",
                        Style::Line,
                        0,
                        thinned(&felt),
                    ),
                ],
            ),
        }],
    })
}

fn thinned(curve: &[[f64; 2]]) -> Vec<[f64; 2]> {
    curve.iter().step_by(10).copied().collect()
}
