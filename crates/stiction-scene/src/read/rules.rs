//! The engine's settings: every row of the tables of keys puts its value in, and rules see to what belongs together.

use super::contradiction;
use super::table::Reader;
use crate::document::{Node, SceneFault};
use crate::keys::{self, Only};
use crate::scene::Part;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Cone, Method};
use stiction::tick::{ContactModel, Settings};

/// The settings of a scene; `held` is the table of the held body, `loads` are those of what acts on it.
pub fn settings(top: &Reader, held: &Reader, loads: &[Reader], parts: [&Part; 2]) -> Result<Settings, SceneFault> {
    let tables = keys::ENGINE_TABLES.map(|name| top.table(name));
    let rows: Vec<_> = tables.iter().chain([held]).chain(loads).flat_map(Reader::bound).collect();
    let mut settings = Settings::default();
    keys::apply(&mut settings, &rows);
    if let Some(pair) = matching(&top.table("friction"), parts.map(|p| p.material.as_deref())) {
        keys::apply(&mut settings, &pair.bound().collect::<Vec<_>>());
    }
    check(&settings, top)?;
    Ok(settings)
}

/// The first pair of materials that matches, in either order.
fn matching<'a>(friction: &Reader<'a>, [a, b]: [Option<&str>; 2]) -> Option<Reader<'a>> {
    let pairs = friction.list("pair", &keys::PAIR)?;
    pairs.into_iter().find(|pair| {
        let between: Vec<Option<&str>> =
            pair.given("between").map_or(&[][..], Node::items).iter().map(Node::text).collect();
        a.is_some() && b.is_some() && (between == [a, b] || between == [b, a])
    })
}

/// Whether what is given goes together.
fn check(settings: &Settings, top: &Reader) -> Result<(), SceneFault> {
    let [friction, contact] = ["friction", "contact"].map(|t| top.table(t));
    let (method, model) = (settings.friction.method, settings.contact_model());
    if let Some(node) = friction.given("cone").filter(|n| n.text().is_some() && keys::needs_pyramid(method)) {
        let word = keys::method_word(method);
        let advice =
            format!("method = \"{word}\" needs a pyramid: leave `cone` out, or give it sides, as in {{ sides = 8 }}");
        return Err(contradiction(node, advice));
    }
    let disk = settings.friction.cone == Cone::Disk;
    if model == ContactModel::Hard && !(disk && matches!(method, Method::Hold | Method::Frictionless)) {
        let key = if disk { "method" } else { "cone" };
        let why = "hard contacts are solved with the friction methods hold and none and the disk; leave contact.model out, or set it to \"penalty\"";
        // Where neither stands in the file, `model` does: nothing else selects hard contacts here.
        if let Some(node) = friction.given(key).or(contact.given("model")) {
            return Err(contradiction(node, why.into()));
        }
    }
    belonging(top, model)?;
    if let (Some(node), Some(_)) = (contact.given("modulus"), contact.given("stiffness")) {
        let why = "`modulus` is the stiffness of contacts by their area, `stiffness` that of each: only one of them can be given";
        return Err(contradiction(node, why.into()));
    }
    match contact.given("shell_on").filter(|_| model == ContactModel::Penalty && settings.shell_on == ShellOn::Both) {
        Some(node) => {
            let why = "penalty contacts have one shell: shell_on is \"held\" or \"fixed\", or contact.model \"hard\"";
            Err(contradiction(node, why.into()))
        }
        None => Ok(()),
    }
}

/// Refuses keys that belong to the other contact model.
fn belonging(top: &Reader, model: ContactModel) -> Result<(), SceneFault> {
    let (other, to, here) = match model {
        ContactModel::Hard => (Only::Penalty, "penalty", "hard"),
        ContactModel::Penalty => (Only::Hard, "hard", "penalty"),
    };
    let theirs: Vec<String> = keys::rows().filter(|(_, key)| key.only == other).map(|(path, _)| path).collect();
    for path in &theirs {
        let node = path.split_once('.').and_then(|(table, key)| top.table(table).given(key));
        if let Some(node) = node {
            let reason = format!(
                "{path} does nothing here, since the contact model is \"{here}\": {} belong to {to} contacts. Leave it out, or set contact.model = \"{to}\"",
                theirs.join(", ")
            );
            return Err(contradiction(node, reason));
        }
    }
    Ok(())
}
