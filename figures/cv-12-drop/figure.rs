//! Figures 11 and 12 of the contact volume paper: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::peers::PeerResults;
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use crate::volume_worlds::dropped_cube;
use stiction_volume::ContactMethod;

const TILTS: [f64; 7] = [0.05, 0.07, 0.08, 0.1, 0.12, 0.13, 0.15];
/// The tilt whose curve is drawn.
const SHOWN: f64 = 0.1;
/// m a²/6 (kg m²), about any axis.
const INERTIA: f64 = 2.0 / 3.0;

/// What became of a cube.
struct Dropped {
    /// Time and angular momentum about y.
    curve: Vec<[f64; 2]>,
    /// Largest angular momentum between 38 and 40 s.
    last: f64,
    /// Height at the end, where it lies flat.
    height: Option<f64>,
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut table = FigureTable::new("", &["method", "tilt_rad", "last_momentum_kg_m2_s", "height_m"]);
    let mut panel = Panel::new(
        "angular momentum about the axis of the tilt, tilt 0.1 rad",
        Axis::linear("time (s)"),
        Axis::linear("kg m²/s"),
    );
    let mut checks = Vec::new();
    let mut worst = [0.0_f64, f64::INFINITY];
    let mut off = 0.0_f64;
    for (number, (method, name)) in
        [(ContactMethod::Volume, "volumes"), (ContactMethod::Point, "points")].into_iter().enumerate()
    {
        for tilt in TILTS.into_iter().skip(ctx.pick(0, 3)) {
            ctx.go_on()?;
            let dropped = drop(tilt, method)?;
            table.row(&[&name, &tilt, &dropped.last, &dropped.height.unwrap_or(f64::NAN)]);
            if method == ContactMethod::Volume {
                worst[0] = worst[0].max(dropped.last);
                off = dropped.height.map_or(off, |h| off.max((h - (1.0 - 9.8 / 1500.0)).abs()));
            } else {
                worst[1] = worst[1].min(dropped.last);
            }
            if tilt == SHOWN {
                panel = panel.with(name, Style::Line, number, dropped.curve);
            }
        }
    }
    checks.push(Check::at_most(
        "volumes: largest angular momentum in 38-40 s of seven tilts (kg m²/s)",
        worst[0],
        0.001,
    ));
    checks.push(Check::at_least("points: least of seven tilts of the same (kg m²/s)", worst[1], 0.05));
    checks.push(Check::at_most("volumes: height at rest off 0.99347 m (m)", off, 1e-5));
    let peers = PeerResults::read();
    if let Some(rows) = peers.rows("cube-drop", "ODE", "exact step, the paper's") {
        let curve: Vec<[f64; 2]> = rows.iter().filter(|r| r.len() == 2).map(|r| [r[0], r[1]]).collect();
        let last = curve.iter().filter(|[t, _]| *t >= 38.0).map(|[_, l]| l.abs()).fold(0.0, f64::max);
        checks.push(Check::at_most(
            "ODE, exact step, the paper's spring and damper: the same, tilt 0.1 rad",
            last,
            0.001,
        ));
        panel = panel.with("ODE", Style::Dashed, 2, curve);
    }
    Ok(FigureOutcome {
        measured: format!(
            "between 38 and 40 s at most {:.2e} kg m²/s over seven tilts with volumes, at least {:.3} with points; at rest {:.1e} m off the height mg/k gives",
            worst[0], worst[1], off
        ),
        why: format!(
            "The damping ratio is 0.019, so that bouncing and rocking take half a minute to die. {}",
            peers.origin()
        ),
        checks,
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("A cube of 2 m falls", &[panel]) }],
    })
}

fn drop(tilt: f64, method: ContactMethod) -> Result<Dropped, FigureError> {
    let world = dropped_cube(tilt, method).map_err(FigureError::Setup)?;
    let mut engine = world.engine().map_err(FigureError::Setup)?;
    let mut curve = Vec::new();
    for i in 1..=world.ticks(40.0) {
        engine.tick(&[]);
        curve.push([world.settings.period * i as f64, INERTIA * engine.bodies()[1].spin.y]);
    }
    let cube = engine.bodies()[1].pose;
    let flat = (cube.rotation.inverse() * stiction::spatial::Vec3::z()).amax() > 1.0 - 1e-6;
    let last = curve.iter().filter(|[t, _]| *t >= 38.0).map(|[_, l]| l.abs()).fold(0.0, f64::max);
    Ok(Dropped { curve, last, height: flat.then_some(cube.translation.vector.z) })
}
