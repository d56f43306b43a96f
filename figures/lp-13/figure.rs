//! Figure 13: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome};
use crate::industry::{BLACK, ContactSums, RED, View, draw_force, sheet};
use crate::lab::{self, FigureScene};
use crate::render::{Eye, soft};
use crate::table::FigureTable;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction_bake::solids::Solid;

const EDGE: f64 = 0.042;
const WAY: f64 = 0.004;
const TICKS: usize = 600;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let scene = FigureScene {
        settings: lab::paper(2.0, 0.0),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let (mut engine, middle) = lab::pressed(&scene, EDGE, 0.0, 0.005)?;
    let mut table = FigureTable::new("", &["tick", "hand_mm", "part_nm", "contacts", "verdict"]);
    let from = engine.trace().centre.z;
    let (mut moved, mut held) = (0.0_f64, 0);
    let mut hand = middle;
    for tick in 0..TICKS {
        let up = WAY * ((tick + 1) as f64 / 300.0).min(1.0);
        hand = lab::moved(&middle, Vec3::z() * up);
        let t = *engine.tick(&hand, &Vec6::zeros());
        moved = moved.max((t.centre.z - from).abs());
        held += usize::from(t.verdict == Verdict::Holds);
        table.row(&[&tick, &(up * 1e3), &((t.centre.z - from) * 1e9), &t.contacts, &format!("{:?}", t.verdict)]);
    }
    let sums = ContactSums::of(&engine);
    let wrong =
        |e: stiction_bake::solids::SolidError| FigureError::Part { part: "corner".into(), reason: e.to_string() };
    let walls = Solid::LBar { legs: [0.2, 0.2], thickness: 0.02, length: 0.3 }.mesh().map_err(wrong)?;
    let cube = soft(&Solid::Box { size: [EDGE; 3] }.mesh().map_err(wrong)?);
    let view = |from: [f64; 3], angle: f64, caption: &'static str| {
        let eye = Eye { from: Vec3::from(from), to: Vec3::new(0.045, 0.045, 0.005), angle };
        let mut view = View::new(ctx, [700, 560], eye, caption);
        soft(&walls).draw(&mut view.canvas, &Pose::identity(), [0.88, 0.66, 0.10], 1.0);
        cube.draw(&mut view.canvas, &engine.trace().part, [0.12, 0.55, 0.18], 1.0);
        cube.draw_edges(&mut view.canvas, &hand, BLACK, 2.0);
        let out = engine.trace().centre + Vec3::new(0.5, 0.5, 0.0) * EDGE;
        draw_force(&mut view.canvas, out, sums.force(), 0.005, 7.0, RED);
        view
    };
    let views = vec![
        view([0.42, 0.26, 0.22], 0.42, "total contact force (red), hand (black)"),
        view([0.16, 0.50, 0.10], 0.40, "another view"),
    ];
    Ok(FigureOutcome {
        measured: format!(
            "{} contacts; the cube moves by {moved:.1e} m along the edge, and holds in {held} of {TICKS} ticks",
            engine.trace().contacts
        ),
        why: "The force is tilted along the edge by friction, which bears all of the pull.".into(),
        checks: vec![
            Check::at_most("motion along the edge (m)", moved, 1e-9),
            Check::between("ticks that hold", held as f64, [TICKS as f64; 2]),
        ],
        tables: vec![table],
        pictures: vec![sheet("", "A cube held against a corner, µ = 2", &[views])],
    })
}
