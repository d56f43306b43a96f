//! Figure 10: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome};
use crate::industry::{
    self, BLACK, CONTACT_COLUMNS, ContactSums, IndustrialMeshes, IndustrialScene, MOTOR, RED, View, contact_rows,
    draw_force, sheet,
};
use crate::registry::lp_11::{PRESS, SEAT, hand};
use crate::render::Eye;
use crate::table::FigureTable;
use stiction::friction::Method;
use stiction::spatial::{Vec3, Vec6};
use stiction::tick::Engine;

const PULL: f64 = 0.0024;
/// The hand's way down in the picture over what it is.
const DRAWN: f64 = 8.0;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let motor = ctx.window_motor(0.5)?;
    let meshes = IndustrialMeshes::new(&motor)?;
    let mut table = FigureTable::new("", &CONTACT_COLUMNS);
    let (held, free) = (pulled(&motor, Method::Lp)?, pulled(&motor, Method::Frictionless)?);
    let mut tilts = Vec::new();
    for (case, engine) in [("lp", &held), ("none", &free)] {
        contact_rows(&mut table, case, engine);
        tilts.push(ContactSums::of(engine).tilt().to_degrees());
    }
    let view = |engine: &Engine, from: [f64; 3], angle: f64, caption: &'static str, shows_hand: bool| {
        let eye = Eye { from: Vec3::from(from), to: Vec3::new(-0.055, 0.012, 0.002), angle };
        let mut view = View::new(ctx, [700, 560], eye, caption);
        // Without the outer sheet, the sides, the latch and the speaker.
        let near = |m: Vec3| m.y < 0.055 && m.x > -0.16;
        meshes.draw_fixed(&mut view.canvas, 1.0, &near, &|_| true);
        meshes.held.draw(&mut view.canvas, &engine.trace().part, MOTOR, 1.0);
        let sums = ContactSums::of(engine);
        if shows_hand {
            let at = Vec3::from(SEAT) + Vec3::new(0.0, -PRESS, -PULL * DRAWN);
            meshes.held.draw_edges(&mut view.canvas, &industry::posed(&motor, at), BLACK, 1.3);
        }
        // From the back of the gearbox on, so that the whole of it is seen.
        draw_force(
            &mut view.canvas,
            Vec3::new(SEAT[0], 0.036, engine.trace().part.translation.z),
            sums.force(),
            0.0065,
            8.0,
            RED,
        );
        view
    };
    let rows = vec![
        vec![
            view(&held, [-0.42, 0.40, 0.20], 0.50, "(a) with friction", false),
            view(&held, [-0.46, 0.16, -0.06], 0.46, "(b) the same from the side, with the hand (black)", true),
        ],
        vec![view(&free, [-0.46, 0.16, -0.06], 0.46, "(c) without friction", true)],
    ];
    // The press is that of hand and contacts in series.
    let s = &motor.scene.settings;
    let give = s.budget.stiffness / (s.budget.stiffness + s.coupling.stiffness);
    let wanted = (PULL / (PRESS * give)).atan().to_degrees();
    Ok(FigureOutcome {
        measured: format!(
            "tilted by {:.2}° with friction ({wanted:.2}° holds all of the pull), by {:.3}° without",
            tilts[0], tilts[1]
        ),
        why: "As figure 8, with the shell on the fixed part and the field on the held one.".into(),
        checks: vec![
            Check::between("tilt of the contact force with friction (°)", tilts[0], [wanted - 1.0, wanted + 1.0]),
            Check::at_most("tilt without friction (°)", tilts[1], 0.5),
        ],
        tables: vec![table],
        pictures: vec![sheet("", "The window motor held by static friction in the car door", &rows)],
    })
}

fn pulled(motor: &IndustrialScene, method: Method) -> Result<Engine, FigureError> {
    let scene = motor.scene.with(industry::with_method(&motor.scene.settings, method));
    let mut engine = scene.settled(industry::posed(motor, Vec3::from(SEAT)), &hand(motor, 0.0), &Vec6::zeros())?;
    for tick in 0..400 {
        let share = (f64::from(tick + 1) / 300.0).min(1.0);
        engine.tick(&hand(motor, PULL * share), &Vec6::zeros());
    }
    Ok(engine)
}
