//! The engine's settings: every row of the tables of keys puts its value in, and rules see to what belongs together.

use super::contradiction;
use super::table::Reader;
use crate::document::{Node, SceneFault};
use crate::keys::{self, MatchedPair};
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Cone, Method};
use stiction::tick::{ContactModel, Settings};

/// The settings of a scene, and the pair of materials that its coefficients come from; `held` is the table of the held body, `loads` are those of what acts on it.
pub fn settings<'a>(
    top: &Reader<'a>,
    held: &Reader,
    loads: &[Reader],
    materials: [Option<&str>; 2],
) -> Result<(Settings, Option<MatchedPair<'a>>), SceneFault> {
    let tables = keys::ENGINE_TABLES.map(|name| top.table(name));
    let rows: Vec<_> = tables.iter().chain([held]).chain(loads).flat_map(Reader::bound).collect();
    let mut settings = Settings::default();
    keys::apply(&mut settings, &rows);
    let pair = matching(&top.table("friction"), materials);
    if let Some(pair) = pair {
        keys::apply(&mut settings, &Reader::new(Some(pair.node), &keys::PAIR).bound().collect::<Vec<_>>());
    }
    check(&settings, top)?;
    Ok((settings, pair))
}

/// The first pair of materials that matches, in either order.
fn matching<'a>(friction: &Reader<'a>, [a, b]: [Option<&str>; 2]) -> Option<MatchedPair<'a>> {
    let pairs = friction.given("pair").map_or(&[][..], Node::items);
    let matches = |node: &&Node| {
        let between: Vec<Option<&str>> =
            node.get("between").map_or(&[][..], Node::items).iter().map(Node::text).collect();
        a.is_some() && b.is_some() && (between == [a, b] || between == [b, a])
    };
    let (number, node) = pairs.iter().enumerate().find(|(_, node)| matches(node))?;
    Some(MatchedPair { number, node })
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
    let unilateral = method.is_unilateral();
    if unilateral != (model == ContactModel::Unilateral) && (unilateral || method != Method::Frictionless) {
        let why = "unilateral contacts go with the friction methods staggered, gauss-seidel and none, and these two with unilateral contacts; leave contact.model out";
        if let Some(node) = contact.given("model").or(friction.given("method")) {
            return Err(contradiction(node, why.into()));
        }
    }
    if let (Method::GaussSeidel(_), false, Some(node)) = (method, disk, friction.given("cone")) {
        let why = "method = \"gauss-seidel\" has the disk itself: leave `cone` out";
        return Err(contradiction(node, why.into()));
    }
    if let (Some(node), Some(_)) = (contact.given("modulus"), contact.given("stiffness")) {
        let why = "`modulus` is the stiffness of contacts by their area, `stiffness` that of each: only one of them can be given";
        return Err(contradiction(node, why.into()));
    }
    match contact.given("shell_on").filter(|_| model.is_penalty() && settings.shell_on == ShellOn::Both) {
        Some(node) => {
            let why = "penalty contacts have one shell: shell_on is \"held\" or \"fixed\", or contact.model \"hard\"";
            Err(contradiction(node, why.into()))
        }
        None => Ok(()),
    }
}
