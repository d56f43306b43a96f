//! Figure 18: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::industry::{self, BEHIND, IndustrialScene, PASSAGE};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use std::f64::consts::TAU;
use stiction::contact::budget::Budget;
use stiction::friction::{Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction::tick::Settings;

/// Room on each side (m): an interference.
const ROOM: f64 = -0.3e-3;
/// Contact stiffness (N/m) and the hand's largest force (N).
const STIFF: f64 = 1e6;
const FORCE: f64 = 60.0;
/// Stiffness of the soft springs (N/m), a third of the usual one.
const SOFT: f64 = 3.3e3;
/// From where to where the hand goes, over the lands' middle (m), its speed (m/s), and how long it stays (s).
const WAY: [f64; 2] = [-0.060, 0.060];
const SPEED: f64 = 0.15;
const STAY: f64 = 2.0;
/// By how much the hand turns the motor about its axis, to and fro (rad): 2.1 N m, less than friction bears.
const TURN: f64 = 3.0 * std::f64::consts::PI / 180.0;
/// Above the lands' middle by this, nothing of the yoke touches them (m).
const IN: f64 = 0.020;
const PERIOD: f64 = 1e-3;
/// The furthest that a point goes beyond the proven clearance in a solve (m): a tenth of the guide plates.
const STEP: f64 = 0.5e-3;

struct Pushed {
    name: String,
    /// Height of the axis over the lands' middle in the end (m).
    end: f64,
    /// Largest force of the hand until it was in (N).
    force: f64,
    path: Vec<[f64; 2]>,
    pulls: Vec<[f64; 2]>,
}

impl Pushed {
    fn is_in(&self) -> bool {
        self.end > IN
    }
}

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let tight = ctx.starter_motor(ROOM, 0.8)?;
    let roomy = ctx.starter_motor(0.4e-3, 0.8)?;
    let qp = Method::Qp(Metric::Stiffness);
    let cases = [
        (&tight, "lp", Method::Lp, 0.8),
        (&tight, "qp", qp, 0.8),
        (&tight, "hold", Method::Hold, 0.8),
        (&tight, "springs", Method::Yamane, 0.8),
        (&tight, "springs", Method::Yamane, 1000.0),
        (&tight, "soft springs", Method::Yamane, 1000.0),
        (&tight, "lp", Method::Lp, 0.0),
        (&tight, "none", Method::Frictionless, 0.0),
        (&roomy, "lp, 0.4 mm of clearance", Method::Lp, 0.8),
    ];
    let mut table = FigureTable::new("", &["case", "tick", "hand_mm", "motor_mm", "force_n", "contacts", "depth_um"]);
    let mut pushed = Vec::new();
    for (motor, name, method, mu) in cases {
        ctx.go_on()?;
        pushed.push(push(motor, format!("{name}, µ = {mu}"), method, mu, &mut table)?);
    }
    let springs = &pushed[3..5];
    let blocked = &pushed[..3];
    let mut checks: Vec<Check> = blocked
        .iter()
        .map(|p| Check::at_most(format!("{}: height over the lands' middle (mm)", p.name), p.end * 1e3, 0.0))
        .collect();
    let inside =
        |p: &Pushed| Check::at_least(format!("{}: height over the lands' middle (mm)", p.name), p.end * 1e3, IN * 1e3);
    checks.extend(pushed[3..5].iter().chain(&pushed[6..8]).map(inside));
    checks.extend(
        springs
            .iter()
            .map(|p| Check::at_most(format!("{}: largest force until it is in (N)", p.name), p.force, 0.99 * FORCE)),
    );
    let words: Vec<String> = pushed
        .iter()
        .map(|p| format!("{}: {}, {:.1} N", p.name, if p.is_in() { "in" } else { "not in" }, p.force))
        .collect();
    let passing: Vec<&str> = pushed[6..8].iter().filter(|p| p.is_in()).map(|p| p.name.as_str()).collect();
    let panel = |title: &str, axis: Axis, f: &dyn Fn(&Pushed) -> Vec<[f64; 2]>| {
        let all = pushed.iter().enumerate();
        all.fold(Panel::new(title, Axis::linear("tick"), axis).high(240.0), |panel, (i, p)| {
            panel.with(p.name.clone(), Style::Line, i % 7, f(p))
        })
    };
    let panels = [
        panel("the motor's axis over the lands", Axis::linear("height (mm)"), &|p| p.path.clone()).mark(IN * 1e3, "in"),
        panel("what the hand feels", Axis::from_zero("force (N)"), &|p| p.pulls.clone()),
    ];
    Ok(FigureOutcome {
        measured: words.join("; "),
        why: format!(
            "The passage has no clearance: it takes 0.3 mm less than the yoke on each side. Without friction these pass: {}. With clearance friction does not block a hand that goes straight. \
             Where lp lets the motor in, its program was infeasible and friction was dropped: on a round yoke it lets nothing move while it holds, and must hold what pushes across and turns, too. \
             A spring holds a force F at a stretch of F/Σk_f, 5.8 mm for 58 N and 18 mm for the soft ones, whatever µ is; where the turning hand takes points out of contact, their stretch is forgotten.",
            passing.join(", ")
        ),
        checks,
        tables: vec![table],
        pictures: vec![Picture {
            name: "",
            svg: svg("The starter motor pushed into a passage that is 0.6 mm too narrow", &panels),
        }],
    })
}

fn push(
    motor: &IndustrialScene,
    name: String,
    method: Method,
    mu: f64,
    table: &mut FigureTable,
) -> Result<Pushed, FigureError> {
    let mut settings =
        Settings { mu_static: mu, mu_kinetic: mu, ..industry::with_method(&motor.scene.settings, method) };
    settings.budget = Budget { stiffness: STIFF, ..settings.budget };
    settings.coupling.max_force = FORCE;
    if name.starts_with("soft") {
        settings.friction.spring_stiffness = SOFT;
    }
    // By default it would be the depth at which a contact bears that force, 60 µm, which is less than the hand goes in a tick.
    settings.step_bound = Some(STEP);
    let at = |height: f64, turn: f64| {
        let pose = industry::posed(motor, Vec3::new(BEHIND, 0.0, PASSAGE + height));
        Pose::from_parts(pose.translation, exp(&(Vec3::x() * turn)) * pose.rotation)
    };
    let mut engine = motor.scene.with(settings).engine(at(WAY[0], 0.0))?;
    let ticks = (((WAY[1] - WAY[0]) / SPEED + STAY) / PERIOD) as usize;
    let mut out = Pushed { name, end: WAY[0], force: 0.0, path: vec![], pulls: vec![] };
    // The centre of mass is not the origin, but in the plane of the hand's way.
    for tick in 0..ticks {
        let s = tick as f64 * PERIOD;
        let height = (WAY[0] + SPEED * s).min(WAY[1]);
        let t = *engine.tick(&at(height, TURN * (TAU * 5.0 * s).sin()), &Vec6::zeros());
        out.end = t.part.translation.z - PASSAGE;
        let force = t.wrench.fixed_rows::<3>(0).norm();
        if !out.is_in() {
            out.force = out.force.max(force);
        }
        table.row(&[
            &out.name.replace(',', ""),
            &tick,
            &(height * 1e3),
            &(out.end * 1e3),
            &force,
            &t.contacts,
            &(t.depth * 1e6),
        ]);
        out.path.push([tick as f64, out.end * 1e3]);
        out.pulls.push([tick as f64, force]);
    }
    Ok(out)
}
