//! The stability of frictional springs: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use std::f64::consts::TAU;
use stiction::friction::{Method, SpringForm, Verdict};
use stiction::spatial::{Mat6, Pose, Vec3, Vec6, join};
use stiction::tick::{Engine, Settings};

const EDGE: f64 = 0.042;
const ALPHAS: [f64; 3] = [0.0, 0.6, 0.9];
/// Stiffnesses: from 10² N/m, so many to a decade, for so many decades.
const FIRST: i32 = 2;
const TO_A_DECADE: i32 = 4;
const DECADES: i32 = 10;
/// Way of the hand (m), and how often that a step may be without being called shaking.
const WAY: f64 = 1e-4;
const SHAKING: f64 = 2.0;
/// A swinging hand: way (m) and period (ticks).
const SWING: (f64, usize) = (5e-3, 200);

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let scene = FigureScene {
        settings: lab::with_method(&lab::paper(1.0, 0.0), Method::Yamane),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let springs: Vec<f64> = (0..=DECADES * TO_A_DECADE)
        .map(|i| 10f64.powf(f64::from(FIRST) + f64::from(i) / f64::from(TO_A_DECADE)))
        .collect();
    let columns = ["form", "alpha", "springs_n_per_m", "step_over_hand", "without_balance"];
    let mut table = FigureTable::new("", &columns);
    let (mut checks, mut words) = (Vec::new(), Vec::new());
    let mut sticking = Panel::new(
        "sticking: largest step over the hand's way",
        Axis::log("springs (N/m)"),
        Axis::log("ways of the hand"),
    )
    .mark(SHAKING, "shaking");
    let mut slipping = Panel::new(
        "slipping, implicit: largest step over that of the hand",
        Axis::log("springs (N/m)"),
        Axis::log("steps of the hand"),
    );
    let mut lost =
        Panel::new("slipping, implicit: ticks without balance", Axis::log("springs (N/m)"), Axis::from_zero("share"));
    for (i, alpha) in ALPHAS.into_iter().enumerate() {
        for form in [SpringForm::Explicit, SpringForm::Implicit] {
            let name = if form == SpringForm::Explicit { "explicit" } else { "implicit" };
            let mut points = Vec::new();
            for &k in &springs {
                ctx.go_on()?;
                let step = shaken(&scene.with(sprung(&scene.settings, form, k, alpha)))?;
                table.row(&[&name, &alpha, &k, &step, &0.0]);
                points.push([k, step]);
            }
            let limit = points.iter().take_while(|p| p[1] < SHAKING).last().map_or(0.0, |p| p[0]);
            match form {
                SpringForm::Explicit => {
                    let derived = derived_limit(&scene.with(sprung(&scene.settings, form, 1.0, alpha)), alpha)?;
                    words.push(format!("explicit, α = {alpha}: {limit:.0} N/m, derived {derived:.0}"));
                    let step = 10f64.powf(1.0 / f64::from(TO_A_DECADE));
                    checks.push(Check::between(
                        format!("limit over the derived one, explicit, α = {alpha}"),
                        limit / derived,
                        [1.0 / step, 1.0],
                    ));
                }
                SpringForm::Implicit => {
                    words.push(format!("implicit, α = {alpha}: {limit:.0e} N/m or more"));
                    checks.push(Check::at_least(
                        format!("limit, implicit, sticking, α = {alpha} (N/m)"),
                        limit,
                        0.99e12,
                    ));
                }
            }
            let style = if form == SpringForm::Explicit { Style::Marked } else { Style::Dashed };
            let points = points;
            sticking = sticking.with(format!("{name}, α = {alpha}"), style, i, points);
        }
        let (mut steps, mut shares) = (Vec::new(), Vec::new());
        for &k in &springs {
            ctx.go_on()?;
            let settings =
                Settings { mu_static: 0.3, mu_kinetic: 0.3, ..sprung(&scene.settings, SpringForm::Implicit, k, alpha) };
            let [step, share] = swing(&scene.with(settings))?;
            table.row(&[&"implicit and slipping", &alpha, &k, &step, &share]);
            steps.push([k, step]);
            shares.push([k, share]);
        }
        let limit = steps.iter().zip(&shares).find(|(step, share)| step[1] > 10.0 || share[1] > 0.0);
        let found = limit.map_or(f64::INFINITY, |(step, _)| step[0]);
        words.push(format!("implicit and slipping, α = {alpha}: {found:.0e} N/m"));
        checks.push(Check::at_most(format!("limit, implicit, slipping, α = {alpha} (N/m)"), found, 1e12));
        slipping = slipping.with(format!("α = {alpha}"), Style::Marked, i, steps);
        lost = lost.with(format!("α = {alpha}"), Style::Marked, i, shares);
    }
    Ok(FigureOutcome {
        measured: words.join("; "),
        why: "An explicit spring pulls with the stretch of the last tick: where it is stiffer than all else that holds the part, it throws it further back than it came, until the friction limit bounds the throw. Implicit springs pull with the stretch at the end of the tick. While they stick no stiffness is too much; while they slip, each tick has to find who slips, and \
              from 1e8 N/m on Newton's method, which has no line search, does not in a few ticks of a hundred. Such a tick is told as undecided; the motion stays as smooth as before. Limits of friction are those before the step in either form.".into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Frictional springs: explicit and implicit", &[sticking, slipping, lost]) }],
    })
}

/// Settings with springs.
fn sprung(settings: &Settings, form: SpringForm, stiffness: f64, alpha: f64) -> Settings {
    let mut s = Settings { damping: alpha, ..*settings };
    (s.friction.spring_form, s.friction.spring_stiffness) = (form, stiffness);
    s
}

/// The largest step in a tick after the hand has moved a little, over its way.
fn shaken(scene: &FigureScene) -> Result<f64, FigureError> {
    let (mut engine, hand) = lab::pressed(scene, EDGE, 0.0, 0.005)?;
    let target = lab::moved(&hand, Vec3::z() * WAY);
    let steps = (0..600).map(|_| engine.tick(&target, &Vec6::zeros()).step.fixed_rows::<3>(0).norm());
    Ok(steps.fold(0.0, f64::max) / WAY)
}

/// The largest step of a part under a swinging hand over that of the hand, and the share of ticks without balance.
fn swing(scene: &FigureScene) -> Result<[f64; 2], FigureError> {
    let (mut engine, hand) = lab::pressed(scene, EDGE, 0.0, 0.005)?;
    let (way, period) = SWING;
    let at = |tick: usize| lab::moved(&hand, Vec3::z() * (way * (TAU * tick as f64 / period as f64).sin()));
    let (mut largest, mut lost) = (0.0f64, 0);
    for tick in 0..3 * period {
        let t = engine.tick(&at(tick), &Vec6::zeros());
        if tick >= period {
            largest = largest.max(t.step.fixed_rows::<3>(0).norm());
            lost += usize::from(t.verdict == Verdict::Undecided);
        }
    }
    Ok([largest / (way * TAU / period as f64), lost as f64 / (2 * period) as f64])
}

/// The largest Σ k_f with which explicit springs are stable, from the contacts at rest.
fn derived_limit(scene: &FigureScene, alpha: f64) -> Result<f64, FigureError> {
    let (mut engine, hand) = lab::pressed(scene, EDGE, 0.0, 0.005)?;
    engine.tick(&hand, &Vec6::zeros());
    Ok((1.0 + alpha) / (1.0 - alpha) / largest_eigenvalue(&engine))
}

/// λ_max(A⁻¹ G Gᵀ/k) of the contacts of the last tick.
fn largest_eigenvalue(engine: &Engine) -> f64 {
    let contacts: Vec<_> = engine.problem().contacts().iter().filter(|c| !c.is_separated()).collect();
    let mut gram = Mat6::zeros();
    for c in &contacts {
        for t in [c.tangent, c.normal.cross(&c.tangent)] {
            let g = join(t, c.point.cross(&t));
            gram += g * g.transpose() / contacts.len() as f64;
        }
    }
    let a: Mat6 = -engine.problem().load().stiffness;
    a.lu().solve(&gram).map_or(f64::NAN, |m| m.complex_eigenvalues().iter().map(|x| x.re).fold(0.0, f64::max))
}
