//! Figure 2: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, Random};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::delassus::LocalRule;
use stiction::friction::{Cone, FrictionSettings, Method};
use stiction::shape::Shape;
use stiction::spatial::{Pose, Vec3, Vec6, exp, log};
use stiction::tick::Settings;
use stiction::trace::Flags;
use stiction_bake::solids::Solid;

const HOLE: f64 = 0.010;
const PEG: f64 = 0.0101;
const THICK: f64 = 0.02;
const MUS: [f64; 4] = [0.0, 0.05, 0.5, 5.0];

/// The peg of the clearance fit, its µ, and where its hand is aside (m) as it comes to the edge and at the end.
const LOOSE: f64 = 0.0099;
const LOOSE_MUS: [f64; 3] = [0.0, 1.0, 100.0];
const ASIDE: [f64; 2] = [0.0015, 0.005];
const TICKS: usize = 700;

/// By how much the hand that follows is nearer to the axis.
const NEARER: f64 = 0.2;

/// What an insertion came to.
struct Inserted {
    /// How far the peg's tip is in at the end (mm), and the most that the hand felt downwards (N).
    depth: f64,
    force: f64,
    /// The most that the hand felt in any direction (N).
    felt: f64,
    undecided: usize,
    /// Hand and tip below the plate's top (mm), and the force on the hand (N).
    curve: Vec<[f64; 3]>,
    poses: Vec<Pose>,
}

/// The engines: the paper's, and both rivals.
fn engines(mu: f64) -> [(&'static str, Settings); 3] {
    let paper = Settings { shell_on: ShellOn::Held, ..lab::paper(mu, 0.6) };
    let rival = |method| {
        let friction = FrictionSettings { method, cone: Cone::Disk, budget: 2000, ..paper.friction };
        // Both shells: where the chamfer rests on the edge of the hole, the edge has the points.
        Settings { model: None, friction, tolerance: 1e-6, shell_on: ShellOn::Both, ..paper }
    };
    let seidel = Method::GaussSeidel(LocalRule::GraphIntersection);
    [("penalty, lp", paper), ("staggered", rival(Method::Staggered)), ("gauss-seidel", rival(seidel))]
}

/// A pose nearer to the hole's axis and to upright by a share of what it is off them.
fn nearer(pose: &Pose) -> Pose {
    let (x, turn) = (pose.translation.vector, log(&pose.rotation));
    let kept = 1.0 - NEARER;
    Pose::from_parts(Vec3::new(x.x * kept, x.y * kept, x.z).into(), exp(&(turn * kept)))
}

/// Pushes a peg by a hand.
fn insert(
    parts: &[Arc<Shape>; 2],
    settings: Settings,
    start: Pose,
    hand: impl Fn(usize) -> Pose,
) -> Result<Inserted, FigureError> {
    let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: Pose::identity() };
    let mut engine = scene.engine(start)?;
    let top = 0.5 * THICK;
    let mut out = Inserted { depth: 0.0, force: 0.0, felt: 0.0, undecided: 0, curve: Vec::new(), poses: Vec::new() };
    for tick in 0..TICKS {
        let pose = hand(tick);
        let t = engine.tick(&pose, &Vec6::zeros());
        out.depth = (top - t.part.translation.vector.z) * 1e3;
        out.force = out.force.max(t.wrench[2]);
        out.felt = out.felt.max(t.wrench.fixed_rows::<3>(0).norm());
        out.undecided += usize::from(t.flags.has(Flags::UNDECIDED));
        out.curve.push([(top - pose.translation.vector.z) * 1e3, out.depth, t.wrench[2]]);
        out.poses.push(t.part);
    }
    Ok(out)
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let peg = Solid::Peg { radius: PEG, length: 0.05, chamfer: 0.002, segments: 128 };
    let loose = Solid::Peg { radius: LOOSE, length: 0.05, chamfer: 0.002, segments: 128 };
    let plate = Solid::PlateRoundHole { size: [0.06, 0.06], thickness: THICK, radius: HOLE, segments: 128 };
    let plate = ctx.bake(&plate, 256, ctx.pick(4000, 1000), 6)?;
    let tight = [ctx.bake(&peg, 128, 2000, 6)?, Arc::clone(&plate)];
    let loose = [ctx.bake(&loose, 128, 2000, 6)?, plate];
    let start = lab::at(Vec3::z() * (0.5 * THICK + 0.001));
    let mut table = FigureTable::new("", &["fit", "hand", "engine", "mu", "tick", "hand_mm", "inserted_mm", "force_n"]);
    let mut ends =
        FigureTable::new("ends", &["fit", "hand", "engine", "mu", "inserted_mm", "down_n", "felt_n", "undecided"]);
    let mut keep = |fit: &str, hand: &str, engine: &str, mu: f64, found: &Inserted| {
        for (tick, [at, depth, force]) in found.curve.iter().enumerate() {
            table.row(&[&fit, &hand, &engine, &mu, &tick, at, depth, force]);
        }
        ends.row(&[&fit, &hand, &engine, &mu, &found.depth, &found.force, &found.felt, &found.undecided]);
    };
    let down = |tick: usize| 0.024 * (tick as f64 / 500.0).min(1.0);
    let mut refused = Vec::new();
    let mut ours = Vec::new();
    for (i, mu) in MUS.into_iter().enumerate() {
        for (name, settings) in engines(mu) {
            ctx.go_on()?;
            let found = insert(&tight, settings, start, |tick| lab::moved(&start, Vec3::z() * -down(tick)))?;
            keep("tight", "straight", name, mu, &found);
            if settings.model.is_some() { ours.push((i, found)) } else { refused.push((name, mu, found)) }
        }
    }
    let aside = |tick: usize| {
        let share = ((down(tick) - 0.007) / 0.014).clamp(0.0, 1.0);
        let x = ASIDE[0] + (ASIDE[1] - ASIDE[0]) * share;
        lab::moved(&start, Vec3::new(x, 0.0, -down(tick)))
    };
    let (mut followed, mut on_path) = (Vec::new(), Vec::new());
    let mut paths: Vec<Vec<Pose>> = Vec::new();
    for mu in LOOSE_MUS {
        for (k, (name, settings)) in engines(mu).into_iter().enumerate() {
            ctx.go_on()?;
            let begun = lab::moved(&start, Vec3::x() * ASIDE[0]);
            let led = insert(&loose, settings, begun, aside)?;
            keep("clearance", "aside", name, mu, &led);
            if mu == 0.0 {
                paths.push(led.poses);
            }
            let path = &paths[k];
            let on = insert(&loose, settings, path[0], |tick| path[tick])?;
            keep("clearance", "follows", name, mu, &on);
            let found = insert(&loose, settings, nearer(&path[0]), |tick| nearer(&path[tick]))?;
            keep("clearance", "follows nearer", name, mu, &found);
            followed.push((name, mu, found));
            on_path.push((name, mu, on));
        }
    }
    let least = least_penetration(ctx, &tight)?;
    let mut insertion = Panel::new(
        "tight peg: how far it is in",
        Axis::linear("hand below the plate's top (mm)"),
        Axis::linear("inserted (mm)"),
    );
    for (i, found) in &ours {
        let curve = found.curve.iter().map(|c| [c[0], c[1]]).collect();
        insertion = insertion.with(format!("penalty, µ = {}", MUS[*i]), Style::Line, *i, curve);
    }
    for (k, name) in ["staggered", "gauss-seidel"].into_iter().enumerate() {
        for (j, (_, _, found)) in refused.iter().filter(|r| r.0 == name).enumerate() {
            let label = if j == 0 { format!("{name}, every µ") } else { String::new() };
            insertion = insertion.with(label, Style::Dashed, 4 + k, found.curve.iter().map(|c| [c[0], c[1]]).collect());
        }
    }
    let insertion = insertion.mark(THICK * 1e3, "through the plate");
    let mut follow = Panel::new(
        "clearance fit: a hand that follows the path without friction",
        Axis::linear("tick"),
        Axis::linear("inserted (mm)"),
    );
    let penalty = on_path.iter().filter(|f| f.0.starts_with("penalty"));
    let rivals = followed.iter().filter(|f| !f.0.starts_with("penalty"));
    for (j, (name, mu, found)) in penalty.chain(rivals).enumerate() {
        let curve = found.curve.iter().enumerate().map(|(i, c)| [i as f64, c[1]]).collect();
        let style = if name.starts_with("penalty") { Style::Line } else { Style::Dashed };
        let label = if name.starts_with("penalty") || j > 6 { format!("{name}, µ = {mu}") } else { String::new() };
        follow = follow.with(label, style, j % 7, curve);
    }
    let depth = |name: &str, mu: f64| on_path.iter().find(|f| f.0 == name && f.1 == mu).map_or(f64::NAN, |f| f.2.depth);
    let most = |of: &dyn Fn(&Inserted) -> f64, some: &[(&str, f64, Inserted)]| {
        some.iter().filter(|f| !f.0.starts_with("penalty")).map(|f| of(&f.2)).fold(f64::NEG_INFINITY, f64::max)
    };
    let least_in =
        followed.iter().filter(|f| !f.0.starts_with("penalty")).map(|f| f.2.depth).fold(f64::INFINITY, f64::min);
    let (in_tight, felt) = (most(&|f| f.depth, &refused), most(&|f| f.felt, &followed));
    let reached: Vec<f64> = ours.iter().map(|(_, found)| found.depth).collect();
    let undecided: usize = refused.iter().chain(&followed).map(|f| f.2.undecided).sum();
    Ok(FigureOutcome {
        measured: format!(
            "tight: penalty {:.2}, {:.2}, {:.2} and {:.2} mm of 20 for µ = 0, 0.05, 0.5, 5; rivals at most {in_tight:.2} mm at any µ; no pose found with less penetration than {:.0} µm; clearance, by the hand that follows: \
             rivals at least {least_in:.2} mm at µ = 0, 1, 100 with at most {felt:.2} N, penalty {:.2}, {:.2} and {:.2} mm (with µ = 100 {:.2} mm where the hand is a fifth nearer to the axis, as with the rivals); {undecided} ticks of rivals ended above their residual",
            reached[0],
            reached[1],
            reached[2],
            reached[3],
            least * 1e6,
            depth("penalty, lp", 0.0),
            depth("penalty, lp", 1.0),
            depth("penalty, lp", 100.0),
            followed.iter().find(|f| f.0.starts_with("penalty") && f.1 == 100.0).map_or(f64::NAN, |f| f.2.depth),
        ),
        why: "A unilateral contact gives way by nothing: the chamfer of the tight peg rests on the edge, whatever µ is. Where there is room, the path of a part without penetration is one that a hand can follow without a contact force, and friction has nothing to act on. With penalty contact the path itself is in the \
              wall, by the depth that the force needed, and so is whoever follows it."
            .into(),
        checks: vec![
            Check::at_least("inserted without friction (mm)", reached[0], 1e3 * THICK - 0.5),
            Check::at_least("inserted with µ = 0.05 (mm)", reached[1], 1e3 * THICK - 0.5),
            Check::at_most("inserted with µ = 5 (mm)", reached[3], 0.5e3 * THICK),
            Check::at_most("inserted by a rival, any µ (mm)", in_tight, 2.5),
            Check::at_least("least penetration of any pose (µm)", least * 1e6, 50.0),
            Check::at_least("clearance, rivals, any µ: inserted (mm)", least_in, 19.5),
            Check::at_most("clearance, rivals, any µ: the hand feels (N)", felt, 1.0),
            Check::at_least("clearance, penalty, µ = 0: inserted (mm)", depth("penalty, lp", 0.0), 19.5),
            Check::at_most("clearance, penalty, µ = 100: inserted (mm)", depth("penalty, lp", 100.0), 0.5e3 * THICK),
        ],
        tables: vec![table, ends],
        pictures: vec![Picture { name: "", svg: svg("A peg through a 20 mm hole: 20.2 mm, and 19.8 mm", &[insertion, follow]) }],
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
