//! Figures 1 to 4 of the contact volume paper: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use crate::volume_worlds::{VolumeWorld, cuboid};
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, exp, join};
use stiction_volume::{Body, ContactMethod};

const EDGE: f64 = 2.0;
/// Tilt to either side (rad), and depth of the cube's middle in the floor (m).
const TILT: f64 = 0.02;
const DEPTH: f64 = 0.05;
const MU: f64 = 0.4;
const METHODS: [(ContactMethod, &str); 2] =
    [(ContactMethod::Volume, "over the area"), (ContactMethod::Point, "at the deepest point")];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut table = FigureTable::new("", &["method", "tilt_rad", "force_n", "place_m"]);
    let mut panel =
        Panel::new("where the normal force acts", Axis::linear("tilt (mrad)"), Axis::linear("along the face (m)"));
    let (mut steps, mut torques) = (Vec::new(), Vec::new());
    for (number, (method, name)) in METHODS.into_iter().enumerate() {
        ctx.go_on()?;
        let coarse = rock(method, 1e-3)?;
        let fine = rock(method, 0.25e-3)?;
        for [tilt, force, place] in &coarse {
            table.row(&[&name, tilt, force, place]);
        }
        panel = panel.with(name, Style::Line, number, coarse.iter().map(|[t, _, x]| [t * 1e3, *x]).collect());
        steps.push([largest_step(&coarse), largest_step(&fine)]);
        torques.push(turn(method)?);
    }
    let [[volume, volume_fine], [point, point_fine]] = [steps[0], steps[1]];
    let [force, torque] = torques[0];
    let closed = MU * force * EDGE * (2.0_f64.sqrt() + 1.0_f64.asinh()) / 6.0;
    let at_point = torques[1][1].abs();
    Ok(FigureOutcome {
        measured: format!(
            "a rocking cube's normal force moves by at most {:.1} mm in a step over areas ({:.1} mm with steps four times shorter) and by {point:.3} m \
             ({point_fine:.3} m) at points; a turning cube feels {torque:.4} N m of friction (closed form {closed:.4}), at a point {at_point:.2e} N m",
            volume * 1e3, volume_fine * 1e3
        ),
        why: "The motion is given, so that what is seen is the forces alone. Springs alone act on a device against the floor: the normal force is even over the face, to the \
              pressure that the tilt adds."
            .into(),
        checks: vec![
            Check::at_least("areas: largest step of the place over that with steps four times shorter", volume / volume_fine, 3.0),
            Check::near("points: largest step of the place over that with steps four times shorter", point / point_fine, 1.0, 0.1),
            Check::at_least("points: largest step of the place (m)", point_fine, 0.95 * EDGE),
            Check::near("areas: torque of friction over the closed form", torque / closed, 1.0, 0.02),
            Check::at_most("points: torque of friction over the closed form", at_point / closed, 0.01),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("A cube that rocks on a floor", &[panel]) }],
    })
}

/// A cube that is a device.
fn world(method: ContactMethod, depth: f64) -> Result<VolumeWorld, FigureError> {
    let mut world = VolumeWorld::on_floor(20.0, 0.001, method).map_err(FigureError::Setup)?;
    world.settings.contact.mu_static = MU;
    world.settings.contact.mu_kinetic = MU;
    let cube = cuboid(0.5 * EDGE, 0.5 * EDGE, 0.5 * EDGE).map_err(FigureError::Setup)?;
    world.device(Body::new(vec![cube], 1.0, Pose::translation(0.0, 0.0, 0.5 * EDGE - depth)));
    Ok(world)
}

/// Tilt, normal force and where it acts along the face, for tilts that go once from one side to the other.
fn rock(method: ContactMethod, step: f64) -> Result<Vec<[f64; 3]>, FigureError> {
    let mut engine = world(method, 0.0)?.engine().map_err(FigureError::Setup)?;
    let count = (2.0 * TILT / step).round() as usize;
    let mut rows = Vec::with_capacity(count);
    // Half a step off, so that no tilt is level: there the deepest point of a face is any.
    for i in 0..count {
        let tilt = -TILT + step * (i as f64 + 0.5);
        let place = Vec3::z() * (0.5 * EDGE - DEPTH);
        engine.tick(&[HandInput::at(Pose::from_parts(place.into(), exp(&(Vec3::y() * tilt))))]);
        let cube = &engine.bodies()[1];
        rows.push([tilt, cube.force.z, -cube.torque.y / cube.force.z]);
    }
    Ok(rows)
}

fn largest_step(rows: &[[f64; 3]]) -> f64 {
    rows.windows(2).map(|pair| (pair[1][2] - pair[0][2]).abs()).fold(0.0, f64::max)
}

/// Normal force on a cube that turns about the vertical axis, and the torque of friction against it.
fn turn(method: ContactMethod) -> Result<[f64; 2], FigureError> {
    let mut engine = world(method, 0.0)?.engine().map_err(FigureError::Setup)?;
    let place = Vec3::z() * (0.5 * EDGE - 1e-3);
    for i in 0..1000 {
        let pose = Pose::from_parts(place.into(), exp(&(Vec3::z() * (1e-3 * f64::from(i)))));
        engine.tick(&[HandInput { twist: join(Vec3::zeros(), Vec3::z()), ..HandInput::at(pose) }]);
    }
    let cube = &engine.bodies()[1];
    Ok([cube.force.z, -cube.torque.z])
}
