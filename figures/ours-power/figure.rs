//! Friction never pushes: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use std::f64::consts::TAU;
use stiction::contact::{ContactProblem, Load};
use stiction::friction::{self, FrictionSolver, Method, Metric, SlipState};
use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction::tick::{Damping, Engine, Settings};

const EDGE: f64 = 0.042;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let base = Settings { damped: Damping::Sliding, ..lab::paper(0.3, 0.6) };
    let scene = FigureScene { settings: base, parts: lab::corner(ctx, EDGE)?, world_from_fixed: Pose::identity() };
    let methods = [
        ("qp mass", Method::Qp(Metric::Mass)),
        ("qp stiffness", Method::Qp(Metric::Stiffness)),
        ("hold", Method::Hold),
    ];
    let mut table = FigureTable::new("", &["method", "angle_deg", "contacts"]);
    let mut panel = Panel::new(
        "angle between friction and slip at sliding contacts",
        Axis::linear("angle (degrees; 180 opposes)").range(0.0, 181.0),
        Axis::log("share of sliding contacts"),
    )
    .high(330.0);
    let mut checks = Vec::new();
    let mut words = Vec::new();
    for (i, (name, method)) in methods.into_iter().enumerate() {
        ctx.go_on()?;
        let (mut engine, hand) = lab::pressed(&scene.with(lab::with_method(&base, method)), EDGE, 0.0, 0.005)?;
        let (mut sliding, mut positive) = (0usize, 0usize);
        let mut symmetric = Symmetric::new(method)?;
        let mut bins = [0usize; 36];
        for tick in 0..ctx.pick(1200, 160) {
            let phase = TAU * f64::from(tick) / 80.0;
            let turn =
                exp(&(Vec3::new(0.12, 0.0, 0.0) * (0.7 * phase).sin()
                    + Vec3::new(0.0, 0.12, 0.0) * (1.3 * phase).sin()));
            let place = hand.translation.vector + Vec3::z() * (0.004 * phase.sin());
            engine.tick(&Pose::from_parts(place.into(), turn), &Vec6::zeros());
            symmetric.add(&engine)?;
            for c in
                engine.contacts().filter(|c| c.state == SlipState::Sliding && c.limit > 0.0 && c.slip.norm() > 1e-9)
            {
                sliding += 1;
                positive += usize::from(c.work > 1e-6 * c.limit * c.slip.norm());
                if c.friction.norm() > 1e-3 * c.limit {
                    let cosine = c.friction.dot(&c.slip) / (c.friction.norm() * c.slip.norm());
                    bins[((cosine.clamp(-1.0, 1.0).acos().to_degrees() / 5.0) as usize).min(35)] += 1;
                }
            }
        }
        let share = positive as f64 / sliding as f64;
        let even = symmetric.positive as f64 / symmetric.sliding as f64;
        words.push(format!("{name} {:.2} % of {sliding} ({:.2} % with K made symmetric)", share * 100.0, even * 100.0));
        checks.push(match method {
            Method::Qp(Metric::Mass) => Check::at_least("mass metric: share with positive work", share, 0.02),
            Method::Hold => Check::at_most("hold: share with positive work", share, 0.0),
            _ => Check::at_most(format!("{name}, symmetric K: share with positive work"), even, 0.0),
        });
        let mut points = Vec::new();
        for (b, count) in bins.into_iter().enumerate() {
            table.row(&[&name, &(5 * b), &count]);
            points.push([5.0 * b as f64 + 2.5, count as f64 / sliding as f64]);
        }
        panel = panel.with(name, Style::Marked, i, points);
    }
    Ok(FigureOutcome {
        measured: format!("sliding contacts at which friction pushes: {}", words.join("; ")),
        why: "Angles below 90 degrees are positive work. A motion that stops the centre need not stop any contact."
            .into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture {
            name: "",
            svg: svg("Work of friction in the mass and the stiffness metric", &[panel]),
        }],
    })
}

/// The same problems with the symmetric part of K, solved without memory.
struct Symmetric {
    solver: FrictionSolver,
    problem: ContactProblem,
    sliding: usize,
    positive: usize,
}

impl Symmetric {
    fn new(method: Method) -> Result<Self, FigureError> {
        let solver = FrictionSolver::new(friction::FrictionSettings { method, ..Default::default() }, 8000)?;
        Ok(Symmetric { solver, problem: ContactProblem::with_capacity(8000), sliding: 0, positive: 0 })
    }

    fn add(&mut self, engine: &Engine) -> Result<(), FigureError> {
        let load = engine.problem().load();
        let stiffness = (load.stiffness + load.stiffness.transpose()) * 0.5;
        self.problem.rebuild(&Load { stiffness, ..*load }, engine.problem().contacts().iter().copied())?;
        self.solver.reset();
        for c in self.solver.solve(&self.problem)?.contacts() {
            let slip = c.slip[0].hypot(c.slip[1]);
            if c.state == SlipState::Sliding && c.limit > 0.0 && slip > 1e-9 {
                self.sliding += 1;
                self.positive += usize::from(c.power > 1e-6 * c.limit * slip);
            }
        }
        Ok(())
    }
}
