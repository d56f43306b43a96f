//! Figure 9: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::industry::{self, ContactSums};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::{median, quantile};
use crate::table::FigureTable;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6, exp, log};

/// How far the hand is beyond the pads (m), by how much it turns (rad), and ticks of that.
pub const PRESS: f64 = 0.005;
const TURN: f64 = 4.0 * std::f64::consts::PI / 180.0;
const TICKS: usize = 250;
/// Room on each side of the passage, as in the scene (m).
pub const ROOM: f64 = 0.4e-3;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let motor = ctx.starter_motor(ROOM, 0.3)?;
    let hand = |turn: f64| {
        let pose = industry::posed(&motor, Vec3::new(PRESS, 0.0, 0.0));
        Pose::from_parts(pose.translation, exp(&(Vec3::x() * turn)) * pose.rotation)
    };
    let start = industry::posed(&motor, Vec3::zeros());
    let mut engine = motor.scene.settled(start, &hand(0.0), &Vec6::zeros())?;
    let mut table = FigureTable::new(
        "",
        &["tick", "hand_deg", "part_deg", "contacts", "seconds", "force_n", "torque_nm", "coupling_n", "verdict"],
    );
    let (mut contacts, mut times, mut forces, mut torques) = (vec![], vec![], vec![], vec![]);
    let (mut held, mut slid, mut off) = (0, 0, vec![]);
    let origin = engine.trace().part.rotation;
    for tick in 0..4 * TICKS {
        if tick % 200 == 0 {
            ctx.go_on()?;
        }
        let share = (tick % TICKS + 1) as f64 / TICKS as f64;
        let x = TURN * if (tick / TICKS).is_multiple_of(2) { share } else { 1.0 - share };
        let (verdict, seconds) = timed(|| engine.tick(&hand(x), &Vec6::zeros()).verdict);
        let (t, sums) = (*engine.trace(), ContactSums::of(&engine));
        let coupling = t.wrench.fixed_rows::<3>(0).norm();
        let (force, torque) = (sums.force().norm(), sums.torque.norm());
        let at = log(&(t.part.rotation * origin.inverse())).x.to_degrees();
        table.row(&[
            &tick,
            &x.to_degrees(),
            &at,
            &t.contacts,
            &seconds,
            &force,
            &torque,
            &coupling,
            &format!("{verdict:?}"),
        ]);
        let x = tick as f64;
        contacts.push([x, f64::from(t.contacts)]);
        times.push([x, seconds * 1e6]);
        forces.push([x, force]);
        torques.push([x, torque]);
        match verdict {
            Verdict::Holds => {
                held += 1;
                off.push((force / coupling - 1.0).abs());
            }
            _ => slid += 1,
        }
    }
    let y = |points: &[[f64; 2]]| points.iter().map(|p| p[1]).collect::<Vec<f64>>();
    let (count, time, p99) = (median(&y(&contacts)), median(&y(&times)), quantile(&y(&times), 0.99));
    let panel = |title: &str, axis: &str, points: Vec<[f64; 2]>, colour: usize| {
        Panel::new(title, Axis::linear("tick"), Axis::from_zero(axis)).with("", Style::Line, colour, points).high(120.0)
    };
    let panels = [
        panel("contacts", "contacts", contacts, 0).mark(50.0, "paper, about"),
        panel("time of a tick", "time (µs)", times, 1).mark(760.0, "paper, friction"),
        panel("contact force", "|force| (N)", forces, 2),
        panel("contact torque", "|torque| (N m)", torques, 3),
    ];
    Ok(FigureOutcome {
        measured: format!(
            "{count:.0} contacts and {time:.0} µs a tick in the median, {p99:.0} µs in the 99th percentile (paper: about 50, 760 µs for the friction); held in {held} ticks, slid in {slid}"
        ),
        why: "Two flat pads: all contacts have one normal, so that the linear program leaves the part free to settle on them.".into(),
        checks: vec![
            Check::between("contacts, median", count, [40.0, 60.0]),
            Check::at_most("time of a tick, median (s)", time * 1e-6, 0.76e-3),
            Check::at_most("time of a tick, 99th percentile (s)", p99 * 1e-6, 1e-3),
            Check::at_least("ticks that hold", f64::from(held), 20.0),
            Check::at_least("ticks that slide", f64::from(slid), 20.0),
            Check::at_most("contact force off the coupling's in ticks that hold, share", quantile(&off, 1.0), 0.1),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("The starter motor slides on the engine, linear program with 8 sides", &panels) }],
    })
}
