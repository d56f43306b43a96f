//! Figure 16 of the contact volume paper: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use crate::volume_worlds::VolumeWorld;
use std::f64::consts::TAU;
use stiction::spatial::{Pose, Vec3, exp, join};
use stiction_volume::{Body, ContactMethod, Convex};

const SECONDS: f64 = 60.0;
const SIDES: usize = 24;
/// Radius and height of the rings, from the tip up (m).
const PROFILE: [[f64; 2]; 3] = [[0.002, 0.0], [0.03, 0.03], [0.003, 0.05]];
const MASS: f64 = 0.05;
const SPIN: f64 = 100.0;
const LEAN: f64 = 0.05;
const MU: f64 = 0.3;

/// Rows of time, angular velocity, tilt and speed.
type Rows = Vec<[f64; 4]>;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut table = FigureTable::new("", &["method", "t_s", "spin_rad_s", "tilt_rad", "speed_m_s"]);
    let mut spins = Panel::new("angular velocity", Axis::linear("time (s)"), Axis::log("rad/s")).mark(1e-3, "at rest");
    let mut tilts = Panel::new("tilt of its axis", Axis::linear("time (s)"), Axis::linear("rad"));
    let mut ends = Vec::new();
    let mut first = 0.0_f64;
    for (number, (method, name)) in
        [(ContactMethod::Volume, "areas"), (ContactMethod::Point, "points")].into_iter().enumerate()
    {
        let rows = spin(ctx, method)?;
        for [t, spin, tilt, speed] in &rows {
            table.row(&[&name, t, spin, tilt, speed]);
        }
        spins = spins.with(name, Style::Line, number, rows.iter().map(|r| [r[0], r[1]]).collect());
        tilts = tilts.with(name, Style::Line, number, rows.iter().map(|r| [r[0], r[2]]).collect());
        if method == ContactMethod::Volume {
            first = rows.iter().filter(|r| r[0] <= 0.5).map(|r| r[2]).fold(0.0, f64::max);
        }
        ends.push(rows[rows.len() - 1]);
    }
    let [volume, point] = [ends[0], ends[1]];
    Ok(FigureOutcome {
        measured: format!(
            "after {SECONDS} s the top turns at {:.2e} rad/s and moves at {:.2e} m/s over areas, at points at {:.3} rad/s",
            volume[1], volume[3], point[1]
        ),
        why: "Over areas friction has a torque about the normal, which a point has not.".into(),
        checks: vec![
            Check::at_most("areas: largest tilt in the first half second (rad)", first, 0.5),
            Check::at_least("areas: tilt at the end, where it lies (rad)", volume[2], 0.7),
            Check::at_most("areas: angular velocity at the end (rad/s)", volume[1], 1e-3),
            Check::at_most("areas: speed at the end (m/s)", volume[3], 1e-5),
            Check::at_least("points: angular velocity at the end (rad/s)", point[1], 0.05),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("A spinning top", &[spins, tilts]) }],
    })
}

/// The top's run, a row every 50 ms.
fn spin(ctx: &Context, method: ContactMethod) -> Result<Rows, FigureError> {
    let mut world = VolumeWorld::on_floor(2.0, 0.001, method).map_err(FigureError::Setup)?;
    world.settings.contact.mu_static = MU;
    world.settings.contact.mu_kinetic = MU;
    let ring = |[radius, height]: [f64; 2]| {
        (0..SIDES).map(move |i| {
            let (sin, cos) = (TAU * i as f64 / SIDES as f64).sin_cos();
            Vec3::new(radius * cos, radius * sin, height)
        })
    };
    let corners: Vec<Vec3> = PROFILE.into_iter().flat_map(ring).collect();
    let top = Convex::of_points(&corners).map_err(|e| FigureError::Setup(e.to_string()))?;
    // The lowest point of the tip's rim touches.
    let pose = Pose::from_parts((Vec3::z() * (PROFILE[0][0] * LEAN.sin())).into(), exp(&(Vec3::x() * LEAN)));
    let mut body = Body::new(vec![top], MASS, pose);
    body.twist = join(Vec3::zeros(), pose.rotation * Vec3::z() * SPIN);
    world.bodies.push(body);
    let mut engine = world.engine().map_err(FigureError::Setup)?;
    let mut rows = Vec::new();
    for i in 1..=world.ticks(ctx.pick(SECONDS, 2.0)) {
        if i % 1000 == 0 {
            ctx.go_on()?;
        }
        engine.tick(&[]);
        if i % 50 == 0 {
            let top = &engine.bodies()[1];
            let tilt = (top.pose.rotation * Vec3::z()).z.clamp(-1.0, 1.0).acos();
            rows.push([1e-3 * i as f64, top.spin.norm(), tilt, top.velocity.norm()]);
        }
    }
    Ok(rows)
}
