//! Figure 12: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::Line;
use crate::table::FigureTable;
use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::Method;
use stiction::shape::Shape;
use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction::tick::{ContactModel, Settings};
use stiction_bake::solids::Solid;

const PEG: f64 = 0.020;
const HOLE: f64 = 0.0198;
const THICK: f64 = 0.03;
/// Width of the lead-in's end, its length, and the length of all (m).
const TIP: f64 = 0.0197;
const LEAD: f64 = 0.03;
const LENGTH: f64 = 0.08;
/// How far in counts as inserted (m): the lead-in is through. And the ticks that it may take.
const IN: f64 = THICK + LEAD;
const TICKS: usize = 20_000;
/// The most that the hand goes in a tick (m): 0.2 m/s.
const STRIDE: f64 = 2e-4;
/// Width of the interval that the least force is found to (N), and the largest force.
const INTERVAL: f64 = 0.02;
const MOST: f64 = 30.0;

/// How friction is decided in a series, and what its slope should be over ΣF_n; none where it is told only.
struct Series {
    name: &'static str,
    settings: Settings,
    slope: Option<f64>,
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let parts = parts(ctx)?;
    let mus: Vec<f64> = (0..=ctx.pick(10, 3)).map(|i| f64::from(i) * ctx.pick(0.1, 0.3)).collect();
    let mut table = FigureTable::new("", &["series", "mu", "force_n", "pressure_n"]);
    let mut panel =
        Panel::new("least force that inserts the peg", Axis::from_zero("µ"), Axis::from_zero("force (N)")).high(360.0);
    let (mut checks, mut words) = (Vec::new(), Vec::new());
    for (i, Series { name, settings, slope }) in series().into_iter().enumerate() {
        let mut points = Vec::new();
        let mut pressure = 0.0;
        for mu in &mus {
            ctx.go_on()?;
            let settings = Settings { mu_static: *mu, mu_kinetic: *mu, ..settings };
            let scene = FigureScene { settings, parts: parts.clone(), world_from_fixed: turned() };
            let (force, pressed) = least_force(&scene)?;
            pressure = pressed;
            table.row(&[&name, mu, &force, &pressed]);
            points.push([*mu, force]);
        }
        let line = Line::fit(&points);
        let ratio = line.slope / pressure;
        let wedge = 0.5 * (PEG - TIP) / LEAD * pressure;
        words.push(format!("{name}: {:.3} N + {ratio:.3} ΣF_n µ, R² {:.6}", line.intercept, line.r2));
        checks.push(Check::at_least(format!("R², {name}"), line.r2, 0.999));
        checks.push(Check::between(format!("the line at µ = 0 (N), {name}"), line.intercept, [-0.05, 0.05 + wedge]));
        checks.push(Check::at_most(format!("force without friction (N), {name}"), points[0][1], 0.05 + wedge));
        if let Some(c) = slope {
            checks.push(Check::near(format!("slope over ΣF_n, {name}"), ratio, c, 0.03));
            let last = mus[mus.len() - 1];
            panel = panel.with("", Style::Dashed, i, vec![[0.0, 0.0], [last, c * pressure * last]]);
        }
        panel = panel.with(format!("{name}: {ratio:.3}"), Style::Marked, i, points);
    }
    Ok(FigureOutcome {
        measured: words.join("; "),
        why: "Dashed: c µ ΣF_n; numbers: slope over ΣF_n. The paper's own polygon (13) is circumscribed about Coulomb's disk, so that friction along its vertices is 41 % too large. \
              Section 4.1 bends the line: a shell that is not symmetric leaves a small force across the peg, one wall's points are told to rise along it, and since the displacement is almost all along the push they \
              lose their friction, with the condition of section 5.6 too. Without the rule the line is straight, and the slope is the polygon's.".into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Peg 1 % larger than the hole: insertion force against µ", &[panel]) }],
    })
}

fn series() -> Vec<Series> {
    let of = |method, axis| Settings {
        shell_on: ShellOn::Held,
        tangent_axis: axis,
        ..lab::with_method(&lab::paper(0.0, 0.6), method)
    };
    let lp = |engine: (&'static str, _, ReleaseRule)| Series {
        name: engine.0,
        settings: lab::with_engine(&of(Method::Lp, Vec3::z()), engine),
        slope: (engine.2 != ReleaseRule::Paper).then_some(2f64.sqrt()),
    };
    let across = Series { name: "ours at 45°", settings: of(Method::Lp, Vec3::new(1.0, 1.0, 1.0)), slope: Some(1.0) };
    let disk = Series { name: "ours with the disk (hold)", settings: of(Method::Hold, Vec3::z()), slope: Some(1.0) };
    let without = ("paper without 4.1", ContactModel::Paper, ReleaseRule::None);
    std::iter::once(without).chain(lab::ENGINES).map(lp).chain([across, disk]).collect()
}

/// The peg with its nested shell, and the plate with the hole, its upper face at z = 0.
fn parts(ctx: &Context) -> Result<[Arc<Shape>; 2], FigureError> {
    // A solid of revolution of four segments is a square one, its corners on the axes.
    let corner = |width: f64| width * 0.5f64.sqrt();
    let profile = vec![[corner(TIP), 0.0], [corner(PEG), LEAD], [corner(PEG), LENGTH]];
    let peg = ctx.bake(&Solid::Revolution { profile, segments: 4 }, ctx.pick(256, 1024), 672, 6)?;
    let plate = Solid::PlateSquareHole { size: [0.06, 0.06], thickness: THICK, hole: [HOLE, HOLE] };
    // As fine in a quick run: a coarse field has a step at the rim that no force overcomes.
    Ok([peg, ctx.bake(&plate, ctx.pick(128, 512), 500, 4)?])
}

/// The plate, with the sides of its hole along those of the peg.
fn turned() -> Pose {
    Pose::from_parts(Vec3::zeros().into(), exp(&(Vec3::z() * FRAC_PI_4)))
}

/// The least force that inserts the peg, and ΣF_n with it in.
fn least_force(scene: &FigureScene) -> Result<(f64, f64), FigureError> {
    let (mut low, mut high) = (0.0, MOST);
    let (inserted, pressure) = push(scene, high)?;
    if !inserted {
        return Err(FigureError::Setup(format!("{MOST} N do not insert the peg")));
    }
    while high - low > INTERVAL {
        let middle = 0.5 * (low + high);
        if push(scene, middle)?.0 { high = middle } else { low = middle }
    }
    Ok((0.5 * (low + high), pressure))
}

/// Whether a hand that never pulls with more than a force inserts the peg, and ΣF_n when it is in.
fn push(scene: &FigureScene, force: f64) -> Result<(bool, f64), FigureError> {
    // The plate's middle is the origin; the peg's is the end of its lead-in.
    let start = lab::at(Vec3::z() * (0.5 * THICK + 0.0005));
    let mut engine = scene.engine(start)?;
    let ahead = force / scene.settings.coupling.stiffness;
    let (mut still, mut hand) = (0, start.translation.vector.z);
    for _ in 0..TICKS {
        let z = engine.trace().part.translation.vector.z;
        hand = (hand - STRIDE).max(z - ahead);
        let t = engine.tick(&lab::at(Vec3::z() * hand), &Vec6::zeros());
        let at = t.part.translation.vector.z;
        if 0.5 * THICK - at >= IN {
            return Ok((true, t.pressure));
        }
        // A hundred ticks of the full force without motion: it will not go on.
        still = if z - at < 1e-9 && hand - z + ahead < 1e-9 { still + 1 } else { 0 };
        if still > 100 {
            break;
        }
    }
    Ok((false, f64::NAN))
}
