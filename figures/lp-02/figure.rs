//! Figure 2: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, Random};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::shape::Shape;
use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction::tick::Settings;
use stiction_bake::solids::Solid;

const HOLE: f64 = 0.010;
const PEG: f64 = 0.0101;
const THICK: f64 = 0.02;
const MUS: [f64; 4] = [0.0, 0.05, 0.5, 5.0];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let peg = Solid::Peg { radius: PEG, length: 0.05, chamfer: 0.002, segments: 128 };
    let plate = Solid::PlateRoundHole { size: [0.06, 0.06], thickness: THICK, radius: HOLE, segments: 128 };
    let parts = [ctx.bake(&peg, 128, 2000, 6)?, ctx.bake(&plate, 256, 500, 4)?];
    let mut table = FigureTable::new("", &["mu", "tick", "hand_mm", "inserted_mm", "force_n", "depth_um", "contacts"]);
    let mut depths = Vec::new();
    let mut forces = Vec::new();
    let mut sink = Vec::new();
    let mut most = [0.0f64; 4];
    for (i, mu) in MUS.into_iter().enumerate() {
        ctx.go_on()?;
        let settings = Settings { shell_on: ShellOn::Held, ..lab::paper(mu, 0.6) };
        let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
        let top = 0.5 * THICK;
        let start = lab::at(Vec3::z() * (top + 0.001));
        let mut engine = scene.engine(start)?;
        let (mut depth, mut force) = (Vec::new(), Vec::new());
        for tick in 0..700 {
            let down = 0.024 * (f64::from(tick) / 500.0).min(1.0);
            let t = engine.tick(&lab::moved(&start, Vec3::z() * -down), &Vec6::zeros());
            let inserted = (top - t.part.translation.vector.z) * 1e3;
            let hand = (down - 0.001) * 1e3;
            table.row(&[&mu, &tick, &hand, &inserted, &t.wrench[2], &(t.depth * 1e6), &t.contacts]);
            depth.push([hand, inserted]);
            force.push([hand, t.wrench[2]]);
            sink.push(t.depth);
            most[i] = most[i].max(t.wrench[2]);
        }
        depths.push(depth);
        forces.push(force);
    }
    let least = least_penetration(ctx, &parts)?;
    let reached: Vec<f64> = depths.iter().map(|d| d[d.len() - 1][1]).collect();
    let mut insertion = Panel::new(
        "how far the peg is in",
        Axis::linear("hand below the plate's top (mm)"),
        Axis::linear("inserted (mm)"),
    );
    let mut pull =
        Panel::new("what the hand feels", Axis::linear("hand below the plate's top (mm)"), Axis::linear("force (N)"));
    for (i, mu) in MUS.iter().enumerate() {
        insertion = insertion.with(format!("µ = {mu}"), Style::Line, i, depths[i].clone());
        pull = pull.with(format!("µ = {mu}"), Style::Line, i, forces[i].clone());
    }
    let insertion = insertion.mark(THICK * 1e3, "through the plate");
    Ok(FigureOutcome {
        measured: format!(
            "inserted {:.2}, {:.2}, {:.2} and {:.2} mm of 20 for µ = 0, 0.05, 0.5, 5, with at most {:.1}, {:.1}, {:.1}, {:.1} N; \
             no pose found with less penetration than {:.0} µm",
            reached[0], reached[1], reached[2], reached[3], most[0], most[1], most[2], most[3], least * 1e6
        ),
        why: "Shown is our penalty contact; what a constraint-based method does is shown only by the rigid criterion, since none is built \
              here. The wall gives way by the interference, 100 µm a side."
            .into(),
        checks: vec![
            Check::at_least("inserted without friction (mm)", reached[0], 1e3 * THICK - 0.5),
            Check::at_least("inserted with µ = 0.05 (mm)", reached[1], 1e3 * THICK - 0.5),
            Check::at_most("inserted with µ = 5 (mm)", reached[3], 0.5e3 * THICK),
            Check::at_least("least penetration of any pose (µm)", least * 1e6, 50.0),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("A 20.2 mm peg pushed through a 20 mm hole", &[insertion, pull]) }],
    })
}

/// The least, over poses of the peg half way in the hole, of the deepest of its points.
fn least_penetration(ctx: &Context, [peg, plate]: &[Arc<Shape>; 2]) -> Result<f64, FigureError> {
    let deepest = |p: &[f64; 5]| {
        let turn = exp(&Vec3::new(p[3], p[4], 0.0));
        let pose = Pose::from_parts(Vec3::new(p[0], p[1], p[2]).into(), turn);
        let depth = |x: Vec3| -plate.field.distance(pose.rotation * x + pose.translation.vector);
        peg.shell.points().iter().map(|x| depth(x.position)).fold(f64::NEG_INFINITY, f64::max)
    };
    let mut random = Random(7);
    let mut best = f64::INFINITY;
    for _ in 0..ctx.pick(24, 3) {
        ctx.go_on()?;
        let mut pose = [0.0; 5].map(|_: f64| random.signed());
        for (x, reach) in pose.iter_mut().zip([3e-4, 3e-4, 5e-3, 0.03, 0.03]) {
            *x *= reach;
        }
        pose[2] -= 0.005;
        let mut depth = deepest(&pose);
        let mut reach = 1.0;
        for _ in 0..ctx.pick(400, 60) {
            let mut next = pose;
            for (x, size) in next.iter_mut().zip([1e-4, 1e-4, 1e-3, 5e-3, 5e-3]) {
                *x += random.normal() * size * reach;
            }
            // The tip stays within the plate.
            next[2] = next[2].clamp(-0.008, 0.0);
            let d = deepest(&next);
            if d < depth {
                (pose, depth, reach) = (next, d, (reach * 1.5f64).min(1.0));
            } else {
                reach = (reach * 0.97).max(1e-4);
            }
        }
        best = best.min(depth);
    }
    Ok(best)
}
