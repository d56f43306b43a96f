//! From a document to a scene: the keys are checked by the table first, then what belongs together is.

mod bodies;
mod hand;
mod part;
mod roles;
mod rules;
mod table;
mod volume;

pub use table::Reader;

use crate::document::{Node, SceneFault};
use crate::engine_kind::ENGINES;
use crate::error::Problem;
use crate::files::{FileContents, FileFinder};
use crate::keys::{self, IdleKey, Surroundings};
use crate::scene::FormationOptions;
use crate::{EngineKind, Scene, TimedLoad};
use std::path::Path;
use std::sync::Arc;
use stiction::spatial::join;

/// The scene of a document, and the keys in it that have no effect.
pub fn scene(root: &Node, origin: &Path, contents: &Arc<FileContents>) -> Result<(Scene, Vec<IdleKey>), SceneFault> {
    keys::check(root, &keys::ROOT)?;
    let top = Reader::new(Some(root), &keys::ROOT);
    let folder = origin.parent().unwrap_or(Path::new("")).to_path_buf();
    let files = FileFinder::new(&folder, contents);
    let engine = top.meant("engine", &ENGINES).unwrap_or_default();
    let layout = bodies::layout(&top, &files, engine)?;
    let roles = roles::roles(engine, &layout, &top)?;
    let materials = match engine {
        // Every two of its bodies have coefficients of their own.
        EngineKind::Volume => [None; 2],
        _ => roles.map(|body| layout.bodies[body].part.material.as_deref()),
    };
    let (settings, pair) = rules::settings(&top, &layout.body_tables[roles[0]], &layout.load_tables, materials)?;
    let hands = layout.hands.len();
    let surroundings = Surroundings { engine, settings: &settings, pair, materials, hands, table: top, key: "" };
    let idle = keys::idle_keys(root, &keys::ROOT, &surroundings);
    let run = top.table("run");
    let longest = layout.hands.iter().map(|h| h.motion.seconds()).fold(0.0, f64::max);
    let moving = if longest > 0.0 { longest } else { 1.0 };
    let named = origin.file_stem().filter(|s| *s != "scene").or_else(|| folder.file_name());
    let name = top.text("name").or_else(|| named.map(|n| n.to_string_lossy().into_owned()));
    let demonstration = hand::demonstration(&top.table("demonstration"), &layout.hands[0].motion)?;
    let scene = Scene {
        name: name.unwrap_or_else(|| "scene".into()),
        description: top.text("description").unwrap_or_default(),
        engine,
        settings,
        formation: formation(&top.table("formation")),
        volume: volume::options(&top),
        joints: volume::joints(&top, &layout.bodies)?,
        friction_pairs: match engine {
            EngineKind::Volume => volume::friction_pairs(&top.table("friction"), &layout.bodies)?,
            _ => Vec::new(),
        },
        rate: run.number("rate"),
        engine_rate: engine_rate(&run)?,
        seconds: run.maybe("seconds").unwrap_or(moving),
        bodies: layout.bodies,
        hands: layout.hands,
        loads: layout.loads,
        demonstration,
        roles,
        files: files.into_found(),
        folder,
    };
    Ok((scene, idle))
}

/// The rate of an engine that is slower than the loop.
fn engine_rate(run: &Reader) -> Result<Option<f64>, SceneFault> {
    let Some(engine) = run.maybe("engine_rate") else { return Ok(None) };
    let rate = run.number("rate");
    if engine > rate {
        let why = format!(
            "run.engine_rate is {engine} Hz, above run.rate of {rate} Hz: an engine ticks at most as often as its loop"
        );
        return Err(run.fault(why));
    }
    Ok((engine < rate).then_some(engine))
}

/// How contact formations push.
fn formation(table: &Reader) -> FormationOptions {
    FormationOptions {
        epsilon: table.maybe("epsilon"),
        tangential: table.maybe("tangential"),
        moments: table.meant("moments", &keys::MOMENTS).unwrap_or_default(),
        interpolation: table.number("interpolation"),
    }
}

/// The load of a table.
fn load(table: &Reader) -> TimedLoad {
    let vary = table.table("vary");
    let mut load = TimedLoad {
        steady: join(table.vector("force"), table.vector("torque")),
        ramp_seconds: table.number("ramp_seconds"),
        ..TimedLoad::default()
    };
    if vary.present() {
        load.varying = join(vary.vector("force"), vary.vector("torque"));
        load.period = vary.number("period");
        load.phase = vary.number("phase_deg").to_radians();
    }
    load
}

/// A contradiction at a node.
pub fn contradiction(node: &Node, reason: String) -> SceneFault {
    SceneFault { at: node.at, problem: Problem::Contradiction(reason) }
}
