//! The friction limit by direction: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene, HALF};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use std::f64::consts::{PI, TAU};
use stiction::contact::penalty::ShellOn;
use stiction::contact::{Contact, ContactProblem, Load};
use stiction::friction::{self, Cone, Fit, FrictionSolver, Method, Metric, Verdict};
use stiction::spatial::{Vec3, Vec6, join};
use stiction::tick::Settings;

const DIRECTIONS: usize = 72;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let settings = Settings { shell_on: ShellOn::Held, tangent_axis: Vec3::x(), ..lab::paper(0.5, 0.0) };
    let scene = FigureScene { settings, parts: lab::cube_on_plate(ctx, 0.0, 1)?, world_from_fixed: lab::plate_pose() };
    let hand = lab::at(Vec3::z() * (HALF - 0.005));
    let mut engine = scene.settled(lab::at(Vec3::z() * HALF), &hand, &Vec6::zeros())?;
    engine.tick(&hand, &Vec6::zeros());
    let contacts: Vec<Contact> = engine.problem().contacts().to_vec();
    let load = *engine.problem().load();
    let limit: f64 = contacts.iter().map(|c| c.mu_static * c.normal_force).sum();
    let middle = contacts.iter().map(|c| c.point * (c.mu_static * c.normal_force)).sum::<Vec3>() / limit;
    let cones = [4, 8, 16].into_iter().flat_map(|sides| {
        [Fit::Circumscribed, Fit::Inscribed].map(|fit| {
            (
                format!("{sides}-gon {}", if fit == Fit::Inscribed { "inside" } else { "about" }),
                Cone::Polygon { sides, fit },
            )
        })
    });
    let cones: Vec<_> = std::iter::once(("disk".to_owned(), Cone::Disk)).chain(cones).collect();
    let mut table = FigureTable::new("", &["cone", "direction_deg", "limit_over_mu_fn", "closed_form"]);
    let mut panel = Panel::new(
        "limit by direction of the pull",
        Axis::linear("direction from T_u (degrees)").range(0.0, 360.0),
        Axis::linear("limit / (µ ΣF_n)"),
    )
    .high(360.0);
    let (mut worst, mut wrong): (f64, usize) = (0.0, 0);
    let mut extremes = Vec::new();
    for (i, (name, cone)) in cones.into_iter().enumerate() {
        ctx.go_on()?;
        let method = if cone == Cone::Disk { Method::Qp(Metric::Stiffness) } else { Method::Lp };
        let mut solver =
            FrictionSolver::new(friction::FrictionSettings { method, cone, ..Default::default() }, contacts.len())?;
        let mut problem = ContactProblem::with_capacity(contacts.len());
        let mut points = Vec::new();
        for d in 0..=DIRECTIONS {
            let angle = TAU * d as f64 / DIRECTIONS as f64;
            let pull = |share: f64| {
                let force = Vec3::new(angle.cos(), angle.sin(), 0.0) * (limit * share);
                Load { wrench: join(force, middle.cross(&force)), ..load }
            };
            problem.rebuild(&pull(1.0), contacts.iter().copied())?;
            let found = 1.0 / solver.ray_margin(&problem)?;
            let expected = closed_form(cone, angle);
            worst = worst.max((found / expected - 1.0).abs());
            for (share, verdict) in [(0.999, Verdict::Holds), (1.001, Verdict::Slips)] {
                problem.rebuild(&pull(share * expected), contacts.iter().copied())?;
                solver.reset();
                wrong += usize::from(solver.solve(&problem)?.verdict != verdict);
            }
            table.row(&[&name, &angle.to_degrees(), &found, &expected]);
            points.push([angle.to_degrees(), found]);
        }
        let values = |f: fn(f64, f64) -> f64, from: f64| points.iter().map(|p| p[1]).fold(from, f);
        extremes.push(format!("{name} {:.4}-{:.4}", values(f64::min, f64::INFINITY), values(f64::max, 0.0)));
        panel = panel.with(name, Style::Line, i, points);
    }
    Ok(FigureOutcome {
        measured: format!(
            "off the closed form by at most {worst:.1e}; {wrong} wrong verdicts beside the limit; limit / (µ ΣF_n): {}",
            extremes.join("; ")
        ),
        why: "The support function of a Minkowski sum of equal, equally turned polygons is that of one of them.".into(),
        checks: vec![
            Check::at_most("limit off the closed form, share", worst, 1e-6),
            Check::at_most("wrong verdicts at 0.999 and 1.001 of the limit", wrong as f64, 0.0),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Friction limit by direction: disk and polygons", &[panel]) }],
    })
}

fn closed_form(cone: Cone, angle: f64) -> f64 {
    let Cone::Polygon { sides, fit } = cone else { return 1.0 };
    let step = PI / sides as f64;
    let most = (0..sides).map(|j| (angle - (2 * j + 1) as f64 * step).cos()).fold(f64::NEG_INFINITY, f64::max);
    if fit == Fit::Inscribed { step.cos() / most } else { 1.0 / most }
}
