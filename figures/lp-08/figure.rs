//! Figure 8: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome};
use crate::industry::{
    self, BLACK, BLUE, CONTACT_COLUMNS, ContactSums, IndustrialMeshes, IndustrialScene, MOTOR, RED, View, contact_rows,
    draw_force, sheet,
};
use crate::render::{Canvas, Eye, Vertex};
use crate::table::FigureTable;
use stiction::friction::Method;
use stiction::spatial::{Vec3, Vec6};
use stiction::tick::Engine;

const PRESS: f64 = 0.001;
const PULL: f64 = 0.35e-3;
const SECTION: f64 = -0.195;
/// The hand's way in the picture over what it is.
const DRAWN: f64 = 20.0;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let motor = ctx.starter_motor(0.4e-3, 0.5)?;
    let meshes = IndustrialMeshes::new(&motor)?;
    let eye = |from: [f64; 3], to: [f64; 3], angle: f64| Eye { from: Vec3::from(from), to: Vec3::from(to), angle };
    let shell = &motor.scene.parts[0].shell;
    let seat = industry::posed(&motor, Vec3::zeros());
    let mut points = View::new(
        ctx,
        [700, 560],
        eye([-0.36, 0.30, 0.20], [-0.065, 0.0, 0.022], 0.46),
        "the motor's shell: 8,517 points in 8 levels",
    );
    meshes.held.draw(&mut points.canvas, &seat, [0.80, 0.80, 0.78], 1.0);
    for p in shell.points() {
        let at = seat.rotation * (p.position + p.normal * 2e-4) + seat.translation.vector;
        points.canvas.dot(at, BLUE, 2.6);
    }
    let mut slice = View::new(
        ctx,
        [700, 560],
        eye([-0.66, 0.46, 0.30], [-0.19, -0.035, -0.01], 0.62),
        "a slice of the bay's field: green inside, blue outside",
    );
    meshes.draw_fixed(&mut slice.canvas, 1.0, &|_| true, &|p| p.x > SECTION);
    field(&mut slice.canvas, &motor);
    let mut table = FigureTable::new("", &CONTACT_COLUMNS);
    let mut tilts = Vec::new();
    let mut views = Vec::new();
    let cases = [
        ("with friction: the contact force has a part along the pads", Method::Lp),
        ("without friction: it is normal to them", Method::Frictionless),
    ];
    for (caption, method) in cases {
        ctx.go_on()?;
        let engine = pulled(&motor, method)?;
        let sums = ContactSums::of(&engine);
        let tilt = sums.tilt().to_degrees();
        let case = if method == Method::Lp { "lp" } else { "none" };
        contact_rows(&mut table, case, &engine);
        tilts.push(tilt);
        let mut view = View::new(ctx, [700, 520], eye([-0.10, 0.46, 0.10], [-0.055, 0.0, 0.015], 0.52), caption);
        let part = engine.trace().part;
        let plate = |m: Vec3| m.x > 0.0 && m.x < 0.012 && m.y.hypot(m.z) < 0.062;
        meshes.draw_fixed(&mut view.canvas, 0.35, &plate, &|p| p.y.hypot(p.z) < 0.1);
        meshes.held.draw(&mut view.canvas, &part, MOTOR, 1.0);
        let hand = Vec3::new(PRESS, 0.0, PULL) * DRAWN;
        meshes.held.draw_edges(&mut view.canvas, &industry::posed(&motor, hand), BLACK, 1.0);
        // In the middle between the pads, on the side of the eye.
        draw_force(&mut view.canvas, Vec3::new(0.0, 0.058, 0.0), sums.force(), 0.05, 7.0, RED);
        views.push(view);
    }
    let wanted = (PULL / PRESS).atan().to_degrees();
    let cells = motor.scene.parts[1].field.lattice().cells;
    let [n, levels] = [shell.points().len(), shell.levels().len()];
    Ok(FigureOutcome {
        measured: format!(
            "tilted by {:.2}° with friction ({wanted:.2}° holds all of the pull), by {:.3}° without",
            tilts[0], tilts[1]
        ),
        why: "Static friction bears what pulls along the pads; without it the motor follows the hand.".into(),
        checks: vec![
            Check::between("tilt of the contact force with friction (°)", tilts[0], [wanted - 1.0, wanted + 1.0]),
            Check::at_most("tilt without friction (°)", tilts[1], 0.1),
            Check::between("points of the shell", n as f64, [8517.0; 2]),
            Check::between("levels of the shell", levels as f64, [8.0; 2]),
            Check::at_least(
                "least cells of the field along an axis",
                f64::from(cells.into_iter().min().unwrap_or(0)),
                1024.0,
            ),
        ],
        tables: vec![table],
        pictures: vec![sheet(
            "",
            "The starter motor's shell, the engine bay's field, and static friction",
            &[vec![points, slice], views],
        )],
    })
}

/// The motor on the pads after the pull.
fn pulled(motor: &IndustrialScene, method: Method) -> Result<Engine, FigureError> {
    let scene = motor.scene.with(industry::with_method(&motor.scene.settings, method));
    let press = industry::posed(motor, Vec3::new(PRESS, 0.0, 0.0));
    let hand = industry::posed(motor, Vec3::new(PRESS, 0.0, PULL));
    let mut engine = scene.settled(industry::posed(motor, Vec3::zeros()), &press, &Vec6::zeros())?;
    for tick in 0..300 {
        let share = (f64::from(tick + 1) / 200.0).min(1.0);
        engine.tick(&press.lerp_slerp(&hand, share), &Vec6::zeros());
    }
    Ok(engine)
}

/// Draws the field in the plane of the section.
fn field(canvas: &mut Canvas, motor: &IndustrialScene) {
    const STEP: f64 = 1.2e-3;
    let field = &motor.scene.parts[1].field;
    let place = |i: i32, j: i32| Vec3::new(SECTION, -0.215 + STEP * f64::from(i), -0.235 + STEP * f64::from(j));
    let colour = |p: Vec3| {
        let d = field.distance(p);
        let far = (d.abs() / 0.03).min(1.0) as f32;
        if d < 0.0 {
            [0.05, 0.55 - 0.35 * far, 0.10]
        } else {
            [0.40 - 0.32 * far, 0.58 - 0.40 * far, 0.95 - 0.30 * far]
        }
    };
    for i in 0..320 {
        for j in 0..370 {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(u, v)| place(i + u, j + v));
            let shade = colour((corners[0] + corners[2]) * 0.5);
            let vertex = |p: Vec3| Vertex { at: p, normal: Vec3::zeros(), colour: shade };
            canvas.triangle([vertex(corners[0]), vertex(corners[1]), vertex(corners[2])], 1.0);
            canvas.triangle([vertex(corners[0]), vertex(corners[2]), vertex(corners[3])], 1.0);
        }
    }
}
