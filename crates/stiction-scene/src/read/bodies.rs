//! Bodies, hands and loads, as lists or in the form of two parts, which is read as such lists.

use super::hand::hand;
use super::part::part;
use super::table::Reader;
use super::{contradiction, load, volume};
use crate::EngineKind;
use crate::Hand;
use crate::document::{Data, SceneFault};
use crate::error::{Nearest, Problem};
use crate::files::FileFinder;
use crate::keys::{self, Table};
use crate::scene::{Body, SceneHand, SceneLoad};
use stiction::spatial::{Pose, Vec3, Vec6, join};
use stiction_volume::Grip;

/// What a scene consists of. Hands and loads name bodies by their number.
pub struct Layout<'a> {
    pub bodies: Vec<Body>,
    pub hands: Vec<SceneHand>,
    pub loads: Vec<SceneLoad>,
    /// The tables of the bodies and of the loads.
    pub body_tables: Vec<Reader<'a>>,
    pub load_tables: Vec<Reader<'a>>,
}

/// A body before its hand is known.
struct Placed<'a> {
    table: Reader<'a>,
    /// The table that has its pose, and the axes that this is told in.
    pose: Reader<'a>,
    frame: Frame,
    /// Whether it says anything of its pose.
    given: bool,
    /// How far a copy is from the position that is told.
    shift: Vec3,
}

impl Placed<'_> {
    /// Its pose in its own frame, with what is left out from another one.
    fn pose_or(&self, other: &Pose) -> Result<Pose, SceneFault> {
        let mut pose = self.pose.pose_or(other)?;
        if self.pose.given("position").is_some() {
            pose.translation.vector += self.shift;
        }
        Ok(pose)
    }
}

/// Whose axes a pose is told in: the world's, or those of the body of this number.
type Frame = Option<usize>;

/// Bodies, hands and loads of a scene.
pub fn layout<'a>(top: &Reader<'a>, files: &FileFinder, engine: EngineKind) -> Result<Layout<'a>, SceneFault> {
    let (placed, mut bodies) = bodies(top, files, engine)?;
    // In the form of two parts, a single table is the hand of the held part, or the load on it.
    let tables = |key: &str, item: &'static Table| match top.list(key, item) {
        Some(list) => list,
        None if top.given("body").is_none() || (key == "load" && engine == EngineKind::Volume) => vec![top.table(key)],
        None => Vec::new(),
    };
    let hand_tables = tables("hand", &keys::HANDS);
    let mut hands: Vec<SceneHand> = Vec::new();
    for table in &hand_tables {
        let frame = frame(table, &bodies)?;
        let grip = table.meant("grip", &keys::GRIPS).unwrap_or_default();
        if table.has("holds") && table.given("holds").is_none() {
            if engine != EngineKind::Volume {
                let advice = "give the name of a [[body]]".into();
                let problem = Problem::Missing { key: "holds".into(), table: "[[hand]]".into(), advice };
                return Err(SceneFault { problem, ..table.fault(String::new()) });
            }
            let axes = frame.map_or_else(Pose::identity, |b| bodies[b].world_from_body);
            let motion = hand(table, Pose::identity(), files)?.in_frame(axes);
            hands.push(SceneHand { holds: None, grip, motion });
            continue;
        }
        let holds = table.given("holds").map_or(Ok(0), |_| named(table, "holds", &bodies, |_| true))?;
        if bodies[holds].fixed || hands.iter().any(|h| h.holds == Some(holds)) {
            let why = if bodies[holds].fixed { "is fixed" } else { "is in another hand already" };
            return Err(table.fault(format!("a hand cannot hold `{}`, which {why}", bodies[holds].name)));
        }
        let body @ Placed { frame: of_pose, given, .. } = &placed[holds];
        let axes = |frame: &Frame| frame.map_or_else(Pose::identity, |b| bodies[b].world_from_body);
        let given = given.then(|| body.pose_or(&Pose::identity())).transpose()?.map(|own| axes(of_pose) * own);
        let at_rest = given.map_or_else(Pose::identity, |own| axes(&frame).inv_mul(&own));
        let motion = hand(table, at_rest, files)?.in_frame(axes(&frame));
        let first = motion.pose(0.0);
        // What the pose leaves out is as the hand has it.
        let start = match given {
            Some(_) => axes(of_pose) * body.pose_or(&axes(of_pose).inv_mul(&first))?,
            None => first,
        };
        bodies[holds].world_from_body = start;
        hands.push(SceneHand { holds: Some(holds), grip, motion });
    }
    if hands.is_empty() && engine == EngineKind::Volume {
        // A hand that holds nothing, where the first body is that it may take.
        let at = bodies.iter().find(|body| !body.fixed).map_or_else(Pose::identity, |body| body.world_from_body);
        hands.push(SceneHand { holds: None, grip: Grip::Spring, motion: Hand::resting(at) });
    }
    let load_tables = tables("load", &keys::LOADS);
    let held = hands.first().and_then(|hand| hand.holds).unwrap_or(0);
    let scene_load = |table: &Reader| {
        let on = table.given("on").map_or(Ok(held), |_| named(table, "on", &bodies, |_| true))?;
        Ok(SceneLoad { on, load: load(table) })
    };
    let loads = load_tables.iter().map(scene_load).collect::<Result<_, SceneFault>>()?;
    let body_tables = placed.iter().map(|p| p.table).collect();
    Ok(Layout { bodies, hands, loads, body_tables, load_tables })
}

/// The bodies, those that are not fixed without their poses; in the form of two parts they are `held` and `fixed`.
fn bodies<'a>(
    top: &Reader<'a>,
    files: &FileFinder,
    engine: EngineKind,
) -> Result<(Vec<Placed<'a>>, Vec<Body>), SceneFault> {
    let mut bodies: Vec<Body> = Vec::new();
    let Some(list) = top.list("body", &keys::BODY) else {
        for key in ["held", "fixed"] {
            if top.given(key).is_none() {
                let advice = "bodies are `held` and `fixed`, or a list of [[body]]".into();
                let problem = Problem::Missing { key: key.into(), table: "the scene".into(), advice };
                return Err(SceneFault { problem, ..top.fault(String::new()) });
            }
            let (table, fixed) = (top.table(key), key == "fixed");
            let world_from_body = if fixed { table.pose()? } else { Pose::identity() };
            let twist = Vec6::zeros();
            bodies.push(Body { name: key.into(), part: part(&table, files)?, world_from_body, fixed, twist });
        }
        let shift = Vec3::zeros();
        let [held, fixed, start] = ["held", "fixed", "start"].map(|key| top.table(key));
        let held = Placed { table: held, pose: start, frame: frame(&start, &bodies)?, given: start.present(), shift };
        return Ok((vec![held, Placed { table: fixed, pose: fixed, frame: None, given: true, shift }], bodies));
    };
    for (key, instead) in [
        ("held", "a [[body]] and a [[hand]] that holds it"),
        ("fixed", "a [[body]] with fixed = true"),
        ("start", "`position` and `rotation` of the [[body]]"),
    ] {
        if let Some(node) = top.given(key) {
            return Err(contradiction(node, format!("`{key}` does not go with a list of bodies: give {instead}")));
        }
    }
    let single: &[&str] = if engine == EngineKind::Volume { &["hand"] } else { &["hand", "load"] };
    for key in single.iter().copied() {
        if let Some(node) = top.given(key).filter(|n| matches!(n.data, Data::Table(_))) {
            return Err(contradiction(node, format!("with a list of bodies, `{key}` is a list too: [[{key}]]")));
        }
    }
    let mut placed = Vec::new();
    for table in list {
        let (name, fixed) = (table.word("name"), table.flag("fixed"));
        let frame = frame(&table, &bodies)?;
        let axes = frame.map_or_else(Pose::identity, |b| bodies[b].world_from_body);
        let (pose, part) = (table.pose()?, part(&table, files)?);
        let given = ["position", "rotation"].iter().any(|key| table.given(key).is_some());
        let twist = join(table.vector("velocity"), table.vector("spin"));
        for (name, shift) in volume::copies(&table, &name)? {
            if name == WORLD || bodies.iter().any(|b| b.name == name) {
                return Err(table.fault(format!("the name `{name}` is taken: give this body another")));
            }
            // One that a hand holds may get another pose from that.
            let world_from_body = axes * Pose::from_parts((pose.translation.vector + shift).into(), pose.rotation);
            bodies.push(Body { name, part: part.clone(), world_from_body, fixed, twist });
            placed.push(Placed { table, pose: table, frame, given, shift });
        }
    }
    Ok((placed, bodies))
}

const WORLD: &str = "world";

/// Whose axes poses of a table are told in.
fn frame(table: &Reader, bodies: &[Body]) -> Result<Frame, SceneFault> {
    if table.word("relative_to") == WORLD {
        return Ok(None);
    }
    named(table, "relative_to", bodies, |body| body.fixed).map(Some)
}

/// The number of the body that a key names, of those that it may name.
fn named(table: &Reader, key: &str, bodies: &[Body], may: impl Fn(&Body) -> bool) -> Result<usize, SceneFault> {
    let node = table.given(key);
    named_by(&table.word(key), key, bodies, may)
        .map_err(|problem| SceneFault { problem, at: node.map_or_else(|| table.fault(String::new()).at, |n| n.at) })
}

/// The number of the body of a name that a key gives, of those that it may name.
pub fn named_by(name: &str, key: &str, bodies: &[Body], may: impl Fn(&Body) -> bool) -> Result<usize, Problem> {
    let found = bodies.iter().position(|body| body.name == name && may(body));
    found.ok_or_else(|| {
        let possible = bodies.iter().filter(|b| may(b)).map(|b| b.name.as_str());
        let nearest = Nearest::of(name, possible.chain((key == "relative_to").then_some(WORLD)));
        Problem::UnknownWord { key: key.into(), word: name.into(), nearest }
    })
}
