//! Keys that have no effect in a scene. Every key answers when it is declared whether that can be ([`Key::always`], [`Key::only`], [`Key::unless`]); here are the rules that
//! the answers name, and the walk that finds such keys in a document.

use super::check::chosen;
use super::choices::method_word;
use super::kind::{Key, Kind, Only, Table};
use super::parts::keys_of;
use crate::EngineKind;
use crate::document::{At, Data, Node};
use crate::read::Reader;
use stiction::friction::{Cone, Method, Metric};
use stiction::spatial::Vec3;
use stiction::tick::{ContactModel, Settings};

/// Says why a key has no effect and what to do, as the rest of the sentence "… has no effect: "; `None` where it has one.
pub type IdleRule = fn(&Surroundings) -> Option<String>;

/// The pair of materials that a scene's coefficients come from.
#[derive(Clone, Copy)]
pub struct MatchedPair<'a> {
    /// Its number in the list, from 0.
    pub number: usize,
    /// Its table.
    pub node: &'a Node,
}

/// What a rule looks at.
pub struct Surroundings<'a> {
    /// The engine of the scene.
    pub engine: EngineKind,
    /// The settings of the scene, with everything that is given.
    pub settings: &'a Settings,
    /// The pair of materials that matches, if one does.
    pub pair: Option<MatchedPair<'a>>,
    /// The materials of the held and of the other part.
    pub materials: [Option<&'a str>; 2],
    /// Number of hands.
    pub hands: usize,
    /// The table that has the key.
    pub table: Reader<'a>,
    /// The name of the key.
    pub key: &'static str,
}

/// A key that is given and has no effect.
#[derive(Clone, Debug)]
pub struct IdleKey {
    /// Where it stands.
    pub at: At,
    /// Its dotted name from the top of the scene.
    pub path: String,
    /// Why it has no effect, and what to do.
    pub why: String,
    /// Whether it describes a part, and is an error only as an override.
    pub describes: bool,
}

/// The keys of a checked document that have no effect, in the order in which they stand.
pub fn idle_keys<'a>(root: &'a Node, table: &'static Table, scene: &Surroundings<'a>) -> Vec<IdleKey> {
    let mut out = Vec::new();
    walk(root, table, "", scene, &mut out);
    out
}

fn walk<'a>(node: &'a Node, table: &'static Table, path: &str, scene: &Surroundings<'a>, out: &mut Vec<IdleKey>) {
    let reader = Reader::new(Some(node), table);
    for entry in node.entries() {
        let Some(key) = keys_of(node, table).find(|key| key.name == entry.key) else { continue };
        let path = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        let here = Surroundings { table: reader, key: key.name, ..*scene };
        let why = other_engine(key, scene.engine)
            .or_else(|| foreign(key, scene.settings))
            .or_else(|| key.idle.and_then(|rule| rule(&here)));
        match why {
            Some(why) => out.push(IdleKey { at: entry.at, path, why, describes: key.describes }),
            None => inner(&entry.value, &key.kind, &path, scene, out),
        }
    }
}

/// The tables in a value.
fn inner<'a>(node: &'a Node, kind: &Kind, path: &str, scene: &Surroundings<'a>, out: &mut Vec<IdleKey>) {
    match (kind, &node.data) {
        (Kind::Table(table), Data::Table(_)) => walk(node, table, path, scene, out),
        (Kind::OneOf(tables), Data::Table(_)) => {
            if let Some(table) = chosen(node, tables) {
                walk(node, table, path, scene, out);
            }
        }
        (Kind::List(tables), Data::List(items)) => {
            for (i, item) in items.iter().enumerate() {
                inner(item, &Kind::OneOf(tables), &format!("{path}.{i}"), scene, out);
            }
        }
        (Kind::Either(a, b), _) => [a, b].into_iter().for_each(|kind| inner(node, kind, path, scene, out)),
        _ => {}
    }
}

/// Why a key has no effect that belongs to another engine.
fn other_engine(key: &Key, engine: EngineKind) -> Option<String> {
    let own = key.engine.filter(|own| *own != engine)?.word();
    let word = engine.word();
    Some(format!("the engine is \"{word}\", and it belongs to \"{own}\". Leave it out, or set engine = \"{own}\""))
}

/// Why a key has no effect that belongs to another contact model or friction method.
fn foreign(key: &Key, settings: &Settings) -> Option<String> {
    let method = method_word(settings.friction.method);
    match (key.only, settings.contact_model()) {
        (Only::Penalty, ContactModel::Hard) => Some(
            "contacts are hard here, and it belongs to penalty contacts. Leave it out, or set contact.model = \"penalty\""
                .into(),
        ),
        (Only::Penalty, ContactModel::Unilateral) => Some(
            "contacts are unilateral here, and it belongs to penalty contacts. Leave it out, or set another friction.method"
                .into(),
        ),
        (Only::Hard, ContactModel::Unilateral) => {
            Some("contacts are unilateral here, without stiffness, and it belongs to hard ones. Leave it out".into())
        }
        (Only::Unilateral, ContactModel::Hard | ContactModel::Penalty | ContactModel::Paper) => Some(
            "it belongs to unilateral contacts. Leave it out, or set contact.model = \"unilateral\", which takes the friction methods staggered, gauss-seidel and none"
                .into(),
        ),
        (Only::Hard | Only::NotPenalty, ContactModel::Penalty | ContactModel::Paper) => Some(
            "contacts are penalty contacts here, and it belongs to hard ones. Leave it out, or set contact.model = \"hard\", which takes the friction methods hold \
             and none and the disk"
                .into(),
        ),
        (Only::Method(own), _) if own != method => Some(format!(
            "the friction method is \"{method}\", and it belongs to \"{own}\". Leave it out, or set friction.method = \"{own}\""
        )),
        _ => None,
    }
}

/// The stiffness of contacts, where they have none.
pub fn without_stiffness(s: &Surroundings) -> Option<String> {
    (s.settings.contact_model() == ContactModel::Unilateral)
        .then(|| "contacts are unilateral here, without stiffness. Leave it out, or set another contact.model".into())
}

/// Nothing rubs.
pub fn frictionless(s: &Surroundings) -> Option<String> {
    (s.settings.friction.method == Method::Frictionless)
        .then(|| "the friction method is \"none\". Leave it out, or set another friction.method".into())
}

/// Coefficients of [friction], where a pair of materials has its own.
pub fn replaced_by_pair(s: &Surroundings) -> Option<String> {
    let by_pair = |pair: MatchedPair| {
        let [a, b] = s.materials.map(Option::unwrap_or_default);
        let (number, key) = (pair.number, s.key);
        format!(
            "the pair of materials \"{a}\" and \"{b}\" has its own coefficients. Leave it out and set friction.pair.{number}.{key}, or leave the pair out \
             (friction.pair = [])"
        )
    };
    frictionless(s).or_else(|| s.pair.map(by_pair))
}

/// Coefficients of a pair that does not match.
pub fn other_pair(s: &Surroundings) -> Option<String> {
    if s.engine == EngineKind::Volume {
        return None;
    }
    let matched = s.pair.filter(|pair| !s.table.is(pair.node))?;
    let number = matched.number;
    Some(format!("friction.pair.{number} is the first that matches the materials of the parts: set that one"))
}

/// Pairs of materials of which none is that of the parts.
pub fn no_pair_matches(s: &Surroundings) -> Option<String> {
    if s.engine == EngineKind::Volume || s.table.given(s.key).is_none_or(|list| list.items().is_empty()) {
        return None;
    }
    let named = |material: Option<&str>| material.map_or("no material".to_owned(), |word| format!("\"{word}\""));
    let [held, other] = s.materials.map(named);
    let unmatched = || {
        format!(
            "the parts have {held} and {other}, and no pair is of these two. Give `material` of both parts as a pair has them, or leave the pairs out"
        )
    };
    frictionless(s).or_else(|| s.pair.is_none().then(unmatched))
}

/// Pyramids, where friction is decided without.
pub fn coneless(s: &Surroundings) -> Option<String> {
    let springs = s.settings.friction.method == Method::Yamane && s.settings.friction.cone != Cone::Disk;
    let why = || "friction springs (yamane) always have the disk. Leave it out, or set another friction.method".into();
    frictionless(s).or_else(|| springs.then(why))
}

/// The direction of a pyramid's vertices, where there is no pyramid.
pub fn no_pyramid(s: &Surroundings) -> Option<String> {
    let disk = || {
        "friction has the disk here, and it turns pyramids. Leave it out, or set friction.cone = { sides = 8 }".into()
    };
    coneless(s).or_else(|| (s.settings.friction.cone == Cone::Disk).then(disk))
}

/// The budget of a solver, where nothing is solved by passes.
pub fn without_passes(s: &Surroundings) -> Option<String> {
    let penalty = s.settings.contact_model().is_penalty();
    let direct = matches!(s.settings.friction.method, Method::Yamane | Method::Frictionless);
    let word = method_word(s.settings.friction.method);
    (penalty && direct).then(|| format!("the friction method \"{word}\" makes no passes. Leave it out"))
}

/// When damping works, where there is none.
pub fn undamped(s: &Surroundings) -> Option<String> {
    (s.settings.damping == 0.0).then(|| "damping.alpha is 0. Leave it out, or raise damping.alpha".into())
}

/// The mass of a part, where nothing depends on it.
pub fn weightless(s: &Surroundings) -> Option<String> {
    if s.table.has("fixed") && s.table.flag("fixed") {
        return Some("the body is fixed. Leave it out".into());
    }
    if s.engine == EngineKind::Volume {
        return None;
    }
    let by_mass = s.settings.friction.method == Method::Qp(Metric::Mass);
    (s.hands == 1 && s.settings.gravity == Vec3::zeros() && !by_mass).then(|| {
        "nothing depends on the mass: the engine knows no inertia and there is no gravity. Leave it out, or give load.gravity = [0, 0, -9.81]".into()
    })
}

/// A slower engine, where a body may be the device.
pub fn in_the_loop(s: &Surroundings) -> Option<String> {
    (s.engine == EngineKind::Volume)
        .then(|| "the engine of contact volumes ticks with the loop. Leave it out, and set run.rate".into())
}

/// The seed of noise, where there is none.
pub fn noiseless(s: &Surroundings) -> Option<String> {
    (s.table.number("normal_noise") == 0.0).then(|| "there is no noise. Leave it out, or set normal_noise".into())
}

/// The thickness of open sheets, where there are none.
pub fn closed(s: &Surroundings) -> Option<String> {
    s.table.given("mesh").is_none().then(|| "solids have no open sheets. Leave it out, or give a mesh".into())
}

/// The time in which loads grow, where there are none but weight.
pub fn nothing_to_ramp(s: &Surroundings) -> Option<String> {
    let none = ["force", "torque", "vary"].iter().all(|key| s.table.given(key).is_none());
    none.then(|| {
        "force, torque and vary grow in this time, and none is given (gravity acts at once). Leave it out".into()
    })
}

/// A load that comes and goes, without amplitude.
pub fn without_amplitude(s: &Surroundings) -> Option<String> {
    let vary = s.table.table(s.key);
    let none = ["force", "torque"].iter().all(|key| vary.given(key).is_none());
    none.then(|| "it has neither force nor torque. Give one of them, or leave it out".into())
}

/// The axes of poses, where no pose is told.
pub fn poseless(s: &Surroundings) -> Option<String> {
    let poses = ["position", "rotation", "keyframes", "csv", "script"];
    let none = poses.iter().all(|key| s.table.given(key).is_none());
    none.then(|| "no pose is told in these axes. Leave it out, or give one".into())
}
