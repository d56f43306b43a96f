//! Figure 16: see this folder's `README.md`.

use crate::check::Check;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::table::FigureTable;
use stiction::contact::separating::ReleaseRule;
use stiction::friction::{Method, Metric};
use stiction::spatial::{Mat6, Pose, Vec3, Vec6, exp, join, log};
use stiction::tick::{ContactModel, Engine, Settings};

const EDGE: f64 = 0.042;
const WAY: f64 = 1e-3;
const SPRINGS: [f64; 3] = [1e3, 1e4, 1e5];
/// Torsions of the coupling (N m/rad): its own, and one with which the part hardly turns.
const TORSIONS: [f64; 2] = [20.0, 2e4];
/// How far the hand turns about the edge (rad).
const TURN: f64 = 5e-3;

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let scene = FigureScene {
        settings: lab::paper(1.0, 0.6),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let mut table = FigureTable::new("", &["torsion", "method", "springs_n_per_m", "tick", "hand_mm", "part_m"]);
    let mut checks = Vec::new();
    let (mut drifts, mut creeps, mut panels) = (Vec::new(), Vec::new(), Vec::new());
    for torsion in TORSIONS {
        let name = if torsion == TORSIONS[0] { "own torsion" } else { "stiff torsion" };
        let mut panel =
            Panel::new(format!("along the edge, {name}"), Axis::linear("tick"), Axis::from_zero("moved (mm)"))
                .with("hand", Style::Dashed, 6, (0..=300).map(|t| [t as f64, hand_at(t) * 1e3]).collect())
                .high(240.0);
        for (i, (method, settings)) in methods(&scene.settings).into_iter().enumerate() {
            ctx.go_on()?;
            let (mut engine, hand) = lab::pressed(&scene.with(twisted(settings, torsion)), EDGE, 0.0, 0.005)?;
            let held = follow(&mut engine, &hand, |tick, z| {
                table.row(&[&torsion, &method, &0.0, &tick, &(hand_at(tick) * 1e3), &z]);
            });
            drifts.push(format!("{method}, {name}, {:.1e} m", held.drift));
            checks.push(Check::at_most(format!("drift, {method}, {name} (m)"), held.drift, 1e-9));
            panel = panel.with(if i == 0 { "lp, qp, hold" } else { "" }, Style::Line, 0, held.path);
        }
        for (i, springs) in SPRINGS.into_iter().enumerate() {
            ctx.go_on()?;
            let mut settings = twisted(lab::with_method(&scene.settings, Method::Yamane), torsion);
            settings.friction.spring_stiffness = springs;
            let (mut engine, hand) = lab::pressed(&scene.with(settings), EDGE, 0.0, 0.005)?;
            let stiffness = settings.coupling.stiffness;
            engine.tick(&hand, &Vec6::zeros());
            let (expected, share) = match torsion == TORSIONS[0] {
                true => (linear_creep(&engine, springs, stiffness), 0.05),
                false => (stiffness / (stiffness + springs), 0.02),
            };
            let held = follow(&mut engine, &hand, |tick, z| {
                table.row(&[&torsion, &"yamane", &springs, &tick, &(hand_at(tick) * 1e3), &z]);
            });
            let found = held.at_wait / WAY;
            creeps.push(format!("{found:.4} for {expected:.4} ({name})"));
            let what = format!("creep with springs of {springs} N/m, {name}, share");
            checks.push(Check::near(what, found, expected, share));
            panel = panel.with(format!("springs, {springs} N/m"), Style::Line, i + 1, held.path);
        }
        panels.push(panel);
    }
    let mut turns = Vec::new();
    for (name, settings) in methods(&scene.settings) {
        ctx.go_on()?;
        let free = turn(&scene.with(twisted(settings, TORSIONS[0])))?;
        turns.push(format!("{name}, {:.2e} rad and {:.2} µm", free.turned, free.slip * 1e6));
        checks.push(Check::at_least(format!("turn of the part about the edge, {name} (rad)"), free.turned, 1e-5));
        // By the mass metric the centre moves as little as it can, and contacts slip.
        if settings.friction.method == Method::Hold {
            checks.push(Check::at_most(
                format!("largest slip over the largest way, {name}"),
                free.slip / free.way,
                0.01,
            ));
        }
    }
    Ok(FigureOutcome {
        measured: format!(
            "drift: {}; on springs the part follows by {}. The hand turned by {TURN} rad about the edge; the part turned, and its contacts slipped, by: {}",
            drifts.join(", "),
            creeps.join(", "),
            turns.join("; ")
        ),
        why: "With friction solved for, a load within the limits moves nothing that friction can hold; a spring must stretch before it pulls. What two walls leave free is the turn about the corner's edge: \
              every contact moves along its normal there, against the contacts' stiffness. With hold, in the metric of sym(K), the part goes that way; qp stiffness has K itself, which is not symmetric, in its balance, and is a little off. The paper's program calls the part static all the same \
              and moves it by the least of its mass metric, about an axis between edge and centre, in which every contact slips: the definition of static friction in its section 4 allows that."
            .into(),
        checks,
        tables: vec![table],
        pictures: vec![Picture {
            name: "",
            svg: svg("Held under a moving hand: friction against frictional springs", &panels),
        }],
    })
}

/// The friction methods without springs, by name.
fn methods(base: &Settings) -> Vec<(String, Settings)> {
    let lp = lab::ENGINES.map(|engine| (format!("lp {}", engine.0), lab::with_engine(base, engine)));
    let others = [
        ("qp mass", Method::Qp(Metric::Mass)),
        ("qp stiffness", Method::Qp(Metric::Stiffness)),
        ("hold", Method::Hold),
    ];
    let ours = ("ours", ContactModel::Penalty, ReleaseRule::Applied);
    let of = |(name, method)| (format!("{name} ours"), lab::with_engine(&lab::with_method(base, method), ours));
    lp.into_iter().chain(others.map(of)).collect()
}

/// The settings with another torsion, whose limit is far.
fn twisted(settings: Settings, torsion: f64) -> Settings {
    let mut s = settings;
    (s.coupling.torsion, s.coupling.max_torque) = (torsion, 0.3 * torsion);
    s
}

/// The hand along the edge (m).
fn hand_at(tick: usize) -> f64 {
    WAY * (tick as f64 / 100.0).min(1.0).min((300 - tick) as f64 / 100.0)
}

/// A part under the hand that goes along the edge and back.
struct Followed {
    /// The farthest that its centre was from its place (m).
    drift: f64,
    /// Where it was along the edge when the hand had waited (m).
    at_wait: f64,
    path: Vec<[f64; 2]>,
}

fn follow(engine: &mut Engine, hand: &Pose, mut each: impl FnMut(usize, f64)) -> Followed {
    let rest = engine.tick(hand, &Vec6::zeros()).centre;
    let mut held = Followed { drift: 0.0, at_wait: 0.0, path: vec![[0.0, 0.0]] };
    for tick in 1..=300 {
        let t = engine.tick(&lab::moved(hand, Vec3::z() * hand_at(tick)), &Vec6::zeros());
        held.drift = held.drift.max((t.centre - rest).norm());
        let z = t.centre.z - rest.z;
        if tick == 200 {
            held.at_wait = z;
        }
        held.path.push([tick as f64, z * 1e3]);
        each(tick, z);
    }
    held
}

/// The share of the hand's way along the edge that a part on springs follows, from the contacts as they are.
fn linear_creep(engine: &Engine, springs: f64, stiffness: f64) -> f64 {
    let contacts = engine.problem().contacts();
    let each = springs / contacts.iter().filter(|c| !c.is_separated()).count() as f64;
    let mut all: Mat6 = -engine.problem().load().stiffness;
    for c in contacts.iter().filter(|c| !c.is_separated()) {
        for t in [c.tangent, c.normal.cross(&c.tangent)] {
            let g = join(t, c.point.cross(&t));
            all += g * g.transpose() * each;
        }
    }
    let pull = join(Vec3::z() * stiffness, Vec3::zeros());
    all.lu().solve(&pull).map_or(f64::NAN, |q| q[2])
}

/// What a turn of the hand about the corner's edge does to a held part.
struct FreeTurn {
    /// How far the part turns about the edge (rad).
    turned: f64,
    /// The largest slip of a contact, and the farthest that one went (m).
    slip: f64,
    way: f64,
}

fn turn(scene: &FigureScene) -> Result<FreeTurn, FigureError> {
    let (mut engine, hand) = lab::pressed(scene, EDGE, 0.0, 0.005)?;
    engine.tick(&hand, &Vec6::zeros());
    let before = engine.trace().part;
    for tick in 1..=400 {
        let share = (f64::from(tick) / 100.0).min(1.0);
        let about = Pose::from_parts(Vec3::zeros().into(), exp(&(Vec3::z() * (TURN * share))));
        engine.tick(&(about * hand), &Vec6::zeros());
    }
    let after = engine.trace().part;
    let moved = after * before.inverse();
    let turned = log(&moved.rotation);
    let (mut slip, mut farthest): (f64, f64) = (0.0, 0.0);
    for c in engine.contacts().filter(|c| c.normal_force > 0.0) {
        let way = moved.rotation * c.position + moved.translation.vector - c.position;
        let along = way - c.normal * c.normal.dot(&way);
        (slip, farthest) = (slip.max(along.norm()), farthest.max(way.norm()));
    }
    Ok(FreeTurn { turned: turned.z.abs(), slip, way: farthest })
}
