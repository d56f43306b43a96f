//! Figure 3: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome};
use crate::industry::{BLACK, BLUE, RED, View, sheet};
use crate::render::{Eye, Vertex};
use crate::table::FigureTable;
use std::f64::consts::PI;
use stiction::spatial::Vec3;

const SIDES: usize = 8;
const MU: f64 = 0.8;

/// θ_j of (13).
fn theta(j: usize) -> f64 {
    (2 * j + 1) as f64 * PI / SIDES as f64
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let mut table = FigureTable::new("", &["corner", "beta_u", "beta_v", "off"]);
    let (mut worst, mut touch) = (0.0_f64, 0.0_f64);
    let mut corners = Vec::new();
    for i in 0..SIDES {
        // Where lines i - 1 and i meet, by Cramer's rule, for µ F_n = 1.
        let (a, b) = (theta((i + SIDES - 1) % SIDES), theta(i));
        let det = a.cos() * b.sin() - a.sin() * b.cos();
        let corner = [(b.sin() - a.sin()) / det, (a.cos() - b.cos()) / det];
        let phi = 2.0 * PI * i as f64 / SIDES as f64;
        let reach = 1.0 / (PI / SIDES as f64).cos();
        let off = (corner[0] - reach * phi.cos()).hypot(corner[1] - reach * phi.sin());
        worst = worst.max(off);
        let (next, at) = (theta(i), [theta(i).cos(), theta(i).sin()]);
        touch = touch.max((at[0] * next.cos() + at[1] * next.sin() - 1.0).abs());
        table.row(&[&i, &corner[0], &corner[1], &off]);
        corners.push(corner);
    }
    let eye = Eye { from: Vec3::new(1.2, -3.4, 2.3), to: Vec3::new(0.12, 0.0, 0.52), angle: 0.52 };
    let mut view = View::new(
        ctx,
        [1100, 760],
        eye,
        "F_n points up; the pyramid is what friction may reach for each normal force up to the one shown",
    );
    let at = |c: [f64; 2]| Vec3::new(MU * c[0], MU * c[1], 1.0);
    let canvas = &mut view.canvas;
    let flat = [[-0.9, -0.6], [1.3, -0.6], [1.3, 1.2], [-0.9, 1.2]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let ground = |p: Vec3| Vertex { at: p, normal: Vec3::z(), colour: [0.72, 0.72, 0.70] };
    canvas.triangle([ground(flat[0]), ground(flat[1]), ground(flat[2])], 1.0);
    canvas.triangle([ground(flat[0]), ground(flat[2]), ground(flat[3])], 1.0);
    for i in 0..SIDES {
        let (a, b) = (at(corners[i]), at(corners[(i + 1) % SIDES]));
        let normal = a.cross(&b).normalize();
        let side = |p: Vec3| Vertex { at: p, normal, colour: [0.35, 0.55, 0.85] };
        canvas.triangle([side(Vec3::zeros()), side(a), side(b)], 0.45);
        canvas.line(Vec3::zeros(), a, BLUE, 1.6);
        canvas.line(a, b, BLUE, 3.2);
    }
    let circle = |k: usize| {
        let turn = 2.0 * PI * k as f64 / 180.0;
        Vec3::new(MU * turn.cos(), MU * turn.sin(), 1.0)
    };
    for k in 0..180 {
        canvas.line(circle(k), circle(k + 1), RED, 2.4);
        if k % 15 == 0 {
            canvas.line(Vec3::zeros(), circle(k), [0.9, 0.45, 0.42], 0.7);
        }
    }
    for (way, length) in [(Vec3::x(), 1.15), (Vec3::y(), 1.1), (Vec3::z(), 1.28)] {
        crate::render::arrow(canvas, Vec3::zeros(), way * length, 0.018, BLACK);
    }
    let words = [
        (Vec3::new(1.2, 0.0, 0.02), "T_u".to_string()),
        (Vec3::new(0.0, 1.18, 0.0), "T_v".into()),
        (Vec3::new(0.03, 0.0, 1.29), "F_n".into()),
        (
            at([theta(7).cos(), theta(7).sin()]) + Vec3::new(0.14, 0.0, 0.0),
            "β_u cos 15π/8 + β_v sin 15π/8 = µ |F_n|".into(),
        ),
        (
            at([theta(5).cos(), theta(5).sin()]) + Vec3::new(-0.95, -0.3, -0.02),
            "β_u cos 11π/8 + β_v sin 11π/8 = µ |F_n|".into(),
        ),
    ];
    let labels = words.into_iter().filter_map(|(p, w)| view.canvas.pixel(p).map(|pixel| (pixel, w)));
    view.labels = labels.collect();
    Ok(FigureOutcome {
        measured: format!("corners off by {worst:.1e}, lines off the circle by {touch:.1e}, of µ F_n"),
        why: "The polygon is around the circle: friction is overestimated by up to 1/cos(π/8), 8.2 %. The paper's text has the factor upside down, its equation (17) has it right.".into(),
        checks: vec![
            Check::at_most("corners of (13) off those of (14)-(18), share of µ F_n", worst, 1e-12),
            Check::at_most("lines off the circle, share of µ F_n", touch, 1e-12),
        ],
        tables: vec![table],
        pictures: vec![sheet("", "Friction pyramid with 8 sides around Coulomb's cone (red)", &[vec![view]])],
    })
}
