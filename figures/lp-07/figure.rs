//! Figure 7: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, HALF};
use crate::plot::{Axis, Panel, Series, Style, svg};
use crate::table::FigureTable;
use std::f64::consts::PI;
use stiction::contact::penalty::ShellOn;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::{Cone, Method};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::Settings;

const ALPHAS: [f64; 4] = [0.0, 0.3, 0.6, 0.9];
const JUMP: f64 = 0.005;
const MU: f64 = 0.3;
/// Way of the sliding hand in a tick, and in all (m).
const STRIDE: f64 = 1e-4;
const WAY: f64 = 0.02;
/// Way of the hand that is drawn (mm).
const SHOWN: f64 = 6.0;
/// Scenes of the paper's figure that are run, of two.
const SCENES: [&str; 1] = ["cube"];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let parts = lab::cube_on_plate(ctx, 0.0, 1)?;
    let mut jumps = Jumps::default();
    let mut panels = vec![
        Panel::new("no friction, the hand jumps", Axis::linear("tick"), Axis::from_zero("moved (mm)"))
            .mark(JUMP * 1e3, "hand"),
        Panel::new("distance left", Axis::linear("tick"), Axis::log("share of the jump").range(1e-7, 1.5)),
    ];
    let mut table = FigureTable::new("", &["alpha", "tick", "left_m"]);
    for (i, alpha) in ALPHAS.into_iter().enumerate() {
        ctx.go_on()?;
        let settings = lab::with_method(&settings(0.0, alpha), Method::Frictionless);
        let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: lab::plate_pose() };
        let left = jump(&scene)?;
        jumps.judge(alpha, &left);
        left.iter().enumerate().for_each(|(tick, left)| table.row(&[&alpha, &tick, left]));
        let points = |f: &dyn Fn(f64) -> f64| left.iter().enumerate().map(|(t, l)| [t as f64, f(*l)]).collect();
        let label = format!("α = {alpha}");
        panels[0].series.push(Series::new(label.clone(), Style::Step, i, points(&|l| (JUMP - l) * 1e3)));
        panels[1].series.push(Series::new(label, Style::Marked, i, points(&|l| l / JUMP)));
    }
    let mut checks = vec![
        Check::at_most("ratio of distances left, off α", jumps.worst, 1e-6),
        Check::at_most("left after one tick with α = 0, share", jumps.at_once, 1e-6),
    ];
    let mut paths = FigureTable::new("path", &["engine", "alpha", "tick", "hand_mm", "part_mm"]);
    let mut words = Vec::new();
    for (engine, model, release) in lab::ENGINES {
        let mut panel =
            Panel::new(format!("µ = {MU}, {engine}"), Axis::linear("hand (mm)"), Axis::from_zero("cube (mm)"));
        let mut largest = Vec::new();
        for (i, alpha) in ALPHAS.into_iter().enumerate() {
            ctx.go_on()?;
            let settings = lab::with_engine(&settings(MU, alpha), (engine, model, release));
            let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: lab::plate_pose() };
            let path = slide(&scene, &resting(), -Vec3::x())?;
            for (tick, [hand, part]) in path.way.iter().enumerate() {
                paths.row(&[&engine, &alpha, &tick, hand, part]);
            }
            let stretch = MU * path.pressure / (PI / 8.0).cos() / scene.settings.coupling.stiffness;
            let found = path.largest / (1.0 - alpha);
            let what = format!("largest step over (1 - α), of the stretch e₀: {engine}, α = {alpha}");
            checks.push(match release {
                // A part that keeps up with the hand never holds.
                ReleaseRule::Paper => {
                    Check::at_most(what, found / stretch, (1.001 * STRIDE / (1.0 - alpha) / stretch).max(0.6))
                }
                _ => Check::between(what, found / stretch, [0.97, 1.03 * (stretch + STRIDE) / stretch]),
            });
            largest.push(format!("{:.0}", path.largest * 1e6));
            let shown = path.way.into_iter().take_while(|[hand, _]| *hand <= SHOWN).collect();
            panel = panel.with(format!("α = {alpha}"), Style::Line, i, shown);
        }
        words.push(format!("{engine} {} µm", largest.join(", ")));
        panels.push(panel);
    }
    checks.push(Check::at_least("scenes of the paper's figure that are run, of 2", SCENES.len() as f64, 2.0));
    Ok(FigureOutcome {
        measured: format!(
            "ratio of the distances left off α by at most {:.1e}; with α = 0, {:.1e} of the jump left after one tick; largest step of the sliding cube for α = 0, 0.3, 0.6, 0.9: {}",
            jumps.worst,
            jumps.at_once,
            words.join("; ")
        ),
        why: "The step to equilibrium is solved for and (1 - α) of it taken. Under friction the linear program is infeasible for a single tick at a time: after (1 - α) of the way the cube holds again, so \
              that it goes by jerks, which α makes smaller. As printed, section 4.1 takes the friction of half of the points away before the cube slips."
            .into(),
        checks,
        tables: vec![table, paths],
        pictures: vec![Picture { name: "", svg: svg("Static damping", &panels) }],
    })
}

fn settings(mu: f64, alpha: f64) -> Settings {
    let mut s = Settings { shell_on: ShellOn::Held, step_bound: Some(0.02), ..lab::paper(mu, alpha) };
    s.friction.cone = Cone::paper(8);
    s.tangent_axis = Vec3::x();
    s
}

/// Where the cube lies.
fn resting() -> Pose {
    lab::at(Vec3::z() * HALF)
}

/// What is left of the hand's jump, tick by tick (m).
fn jump(scene: &FigureScene) -> Result<Vec<f64>, FigureError> {
    let hand = lab::moved(&resting(), Vec3::z() * -0.005);
    let mut engine = scene.settled(resting(), &hand, &Vec6::zeros())?;
    let goal = engine.trace().centre.x + JUMP;
    let target = lab::moved(&hand, Vec3::x() * JUMP);
    let after = (0..40).map(|_| goal - engine.tick(&target, &Vec6::zeros()).centre.x);
    Ok(std::iter::once(JUMP).chain(after).collect())
}

/// How far the jumps are off what α says.
#[derive(Default)]
struct Jumps {
    worst: f64,
    at_once: f64,
}

impl Jumps {
    fn judge(&mut self, alpha: f64, left: &[f64]) {
        if alpha == 0.0 {
            self.at_once = (left[1] / JUMP).abs();
        } else {
            let ratios = left.windows(2).take_while(|w| w[1] > 1e-6 * JUMP).map(|w| (w[1] / w[0] - alpha).abs());
            self.worst = ratios.fold(self.worst, f64::max);
        }
    }
}

/// A part that slides after the hand.
struct Slide {
    /// Hand and part along the way (mm), tick by tick.
    way: Vec<[f64; 2]>,
    /// The longest step along it (m).
    largest: f64,
    /// ΣF_n at the beginning (N).
    pressure: f64,
}

/// The hand presses a part that rests at a pose down by 5 mm and goes along a direction. Any scene will do.
fn slide(scene: &FigureScene, rest: &Pose, along: Vec3) -> Result<Slide, FigureError> {
    let hand = lab::moved(rest, Vec3::z() * -0.005);
    let mut engine = scene.settled(*rest, &hand, &Vec6::zeros())?;
    let pressure = engine.tick(&hand, &Vec6::zeros()).pressure;
    let begin = engine.trace().centre;
    let mut slide = Slide { way: Vec::new(), largest: 0.0, pressure };
    let mut before = 0.0;
    for tick in 0..=(WAY / STRIDE).round() as usize {
        let by = STRIDE * tick as f64;
        let t = engine.tick(&lab::moved(&hand, along * by), &Vec6::zeros());
        let part = (t.centre - begin).dot(&along);
        slide.largest = slide.largest.max(part - before);
        before = part;
        slide.way.push([by * 1e3, part * 1e3]);
    }
    Ok(slide)
}
