//! From a document to a scene: the keys are checked by the table first, then what belongs together is.

mod hand;
mod part;
mod rules;
mod table;

use crate::document::{Fault, Node};
use crate::error::Problem;
use crate::keys;
use crate::{Loads, Scene};
use std::path::Path;
use stiction::spatial::{Pose, join};
use table::Reader;

/// The scene of a document.
pub fn scene(root: &Node, origin: &Path) -> Result<Scene, Fault> {
    keys::check(root, &keys::ROOT)?;
    let top = Reader::new(Some(root), &keys::ROOT);
    let folder = origin.parent().unwrap_or(Path::new("")).to_path_buf();
    let (held, fixed) = (part::part(&top.table("held"), &folder)?, part::part(&top.table("fixed"), &folder)?);
    let world_from_fixed = top.table("fixed").pose()?;
    let (start, hand) = (top.table("start"), top.table("hand"));
    let frame = |t: &Reader| if t.word("relative_to") == "fixed" { world_from_fixed } else { Pose::identity() };
    let given = if start.present() { Some(frame(&start) * start.pose()?) } else { None };
    let at_rest = given.map_or_else(Pose::identity, |pose| frame(&hand).inv_mul(&pose));
    let hand = hand::hand(&hand, at_rest, &folder)?.in_frame(frame(&hand));
    let first = hand.pose(0.0);
    // What [start] leaves out is as the hand has it.
    let start = if start.present() { frame(&start) * start.pose_or(&frame(&start).inv_mul(&first))? } else { first };
    let run = top.table("run");
    let moving = if hand.seconds() > 0.0 { hand.seconds() } else { 1.0 };
    let named = origin.file_stem().filter(|s| *s != "scene").or_else(|| folder.file_name());
    let name = top.text("name").or_else(|| named.map(|n| n.to_string_lossy().into_owned()));
    Ok(Scene {
        name: name.unwrap_or_else(|| "scene".into()),
        description: top.text("description").unwrap_or_default(),
        settings: rules::settings(&top, &held, &fixed)?,
        rate: run.number("rate"),
        seconds: run.maybe("seconds").unwrap_or(moving),
        load: loads(&top.table("load")),
        held,
        fixed,
        world_from_fixed,
        start,
        hand,
        folder,
    })
}

fn loads(load: &Reader) -> Loads {
    let vary = load.table("vary");
    let mut loads = Loads {
        steady: join(load.vector("force"), load.vector("torque")),
        ramp_seconds: load.number("ramp_seconds"),
        ..Loads::default()
    };
    if vary.present() {
        loads.varying = join(vary.vector("force"), vary.vector("torque"));
        loads.period = vary.number("period");
        loads.phase = vary.number("phase_deg").to_radians();
    }
    loads
}

/// A contradiction at a node.
fn contradiction(node: &Node, reason: String) -> Fault {
    Fault { at: node.at, problem: Problem::Contradiction(reason) }
}
