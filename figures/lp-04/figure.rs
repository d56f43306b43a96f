//! Figure 4: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome};
use crate::industry::{self, ContactSums, IndustrialMeshes, MOTOR, View, draw_contact_forces, sheet};
use crate::render::Eye;
use crate::table::FigureTable;
use std::f64::consts::PI;
use stiction::spatial::{Pose, Vec3, Vec6, exp};

const MU: f64 = 0.8;
/// Length of a force in the picture (m/N).
const SCALE: f64 = 0.06;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let motor = ctx.starter_motor(0.4e-3, MU)?;
    let start = industry::posed(&motor, Vec3::zeros());
    let press = industry::posed(&motor, Vec3::new(0.006, 0.0, 0.0));
    let mut engine = motor.scene.settled(start, &press, &Vec6::zeros())?;
    let pulled = industry::posed(&motor, Vec3::new(0.006, 0.0, -0.003));
    let hand = Pose::from_parts(pulled.translation, exp(&Vec3::new(0.004, 0.0, 0.0)) * pulled.rotation);
    for tick in 0..200 {
        let share = f64::from(tick + 1) / 150.0;
        engine.tick(&press.lerp_slerp(&hand, share.min(1.0)), &Vec6::zeros());
    }
    let (t, sums) = (*engine.trace(), ContactSums::of(&engine));
    let coupling = t.wrench.fixed_rows::<3>(0).into_owned();
    // What the hand feels is the reaction to what it gives, which the contacts balance.
    let off = (sums.force() - coupling).norm() / coupling.norm();
    let mut table = FigureTable::new("", &["contact", "x_m", "y_m", "z_m", "normal_n", "friction_n"]);
    let mut most = 0.0_f64;
    for (i, c) in engine.contacts().enumerate() {
        let p = c.position;
        table.row(&[&i, &p.x, &p.y, &p.z, &c.normal_force, &c.friction.norm()]);
        if c.normal_force > 0.0 {
            most = most.max(c.friction.norm() / (MU * c.normal_force / (PI / 8.0).cos()));
        }
    }
    let meshes = IndustrialMeshes::new(&motor)?;
    let part = t.part;
    let everywhere = |_: Vec3| true;
    let eye = |from: [f64; 3], to: [f64; 3], angle: f64| Eye { from: Vec3::from(from), to: Vec3::from(to), angle };
    let mut whole = View::new(
        ctx,
        [1000, 700],
        eye([0.20, 0.85, 0.34], [-0.19, -0.03, -0.01], 0.50),
        "the motor (highlighted) in its seat; frame rail and cables are left out",
    );
    meshes.draw_fixed(&mut whole.canvas, 1.0, &|m| m.y < 0.045 || m.z > 0.11 || m.x < -0.39, &everywhere);
    meshes.held.draw(&mut whole.canvas, &part, MOTOR, 1.0);
    let close = |from: [f64; 3], to: [f64; 3], angle: f64, caption: &'static str| {
        let mut view = View::new(ctx, [660, 460], eye(from, to, angle), caption);
        let plate = |m: Vec3| m.x > 0.0 && m.x < 0.012 && m.y.hypot(m.z) < 0.062;
        meshes.draw_fixed(&mut view.canvas, 0.30, &plate, &|p| p.y.hypot(p.z) < 0.1);
        meshes.held.draw(&mut view.canvas, &part, MOTOR, 1.0);
        draw_contact_forces(&mut view.canvas, &engine, SCALE, 2.4);
        view
    };
    let front = close(
        [0.26, 0.26, 0.12],
        [0.0, 0.0, 0.004],
        0.44,
        "forces of single contacts: normal (red), friction (orange)",
    );
    let side = close([0.10, 0.36, -0.12], [-0.01, 0.0, 0.0], 0.42, "the same from the side and below");
    Ok(FigureOutcome {
        measured: format!(
            "{} contacts, normal forces of {:.2} N and friction of {:.2} N in sum; off the coupling's force by {:.2e} of it; friction at most {most:.4} of its limit",
            t.contacts,
            sums.normal.norm(),
            sums.friction.norm(),
            off
        ),
        why: "The forces are those of the linear program, which takes any that hold: neighbours can differ.".into(),
        checks: vec![
            Check::at_least("contacts", f64::from(t.contacts), 20.0),
            Check::at_most("sum of the forces off the coupling's, share", off, 0.01),
            Check::at_most("friction over its limit", most, 1.0 + 1e-9),
        ],
        tables: vec![table],
        pictures: vec![sheet("", "A starter motor assembled into an engine bay", &[vec![whole], vec![front, side]])],
    })
}
