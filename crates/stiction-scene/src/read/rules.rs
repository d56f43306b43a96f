//! The engine's settings.

use super::contradiction;
use super::table::Reader;
use crate::document::{Fault, Node};
use crate::keys;
use crate::scene::{Mass, Part};
use stiction::contact::budget::Budget;
use stiction::contact::penalty::ShellOn;
use stiction::coupling::Coupling;
use stiction::friction::{self, Cone, Fit, Method, Metric};
use stiction::tick::{ContactModel, Damping, Settings};

/// Coupling, contact, friction, damping, mass and gravity.
pub fn settings(top: &Reader, held: &Part, fixed: &Part) -> Result<Settings, Fault> {
    let [coupling, contact, damping] = ["coupling", "contact", "damping"].map(|t| top.table(t));
    let friction = top.table("friction");
    let (mu_static, mu_kinetic) = coefficients(&friction, held, fixed)?;
    let defaults = Settings::default();
    let mut settings = Settings {
        coupling: Coupling {
            stiffness: coupling.number("stiffness"),
            torsion: coupling.number("torsion"),
            max_force: coupling.number("max_force"),
            max_torque: coupling.number("max_torque"),
        },
        model: match contact.word("model").as_str() {
            "hard" => Some(ContactModel::Hard),
            "penalty" => Some(ContactModel::Penalty),
            _ => None,
        },
        mu_static,
        mu_kinetic,
        friction: solver(&friction)?,
        tangent_axis: contact.vector("tangent_axis"),
        mass: if let Mass::Total(kg) = held.mass { kg } else { 1.0 },
        gravity: top.table("load").vector("gravity"),
        max_samples: contact.whole("max_samples").and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX),
        ..defaults
    };
    let model = settings.contact_model();
    if model == ContactModel::Hard {
        hard(&settings, &friction, &contact, &damping)?;
        (settings.stiffness, settings.allowance) = (contact.maybe("stiffness"), contact.maybe("allowance"));
        settings.modulus = contact.maybe("modulus");
        if let (Some(node), Some(_)) = (contact.given("modulus"), contact.given("stiffness")) {
            let why = "`modulus` is the stiffness of contacts by their area, `stiffness` that of each: only one of them can be given";
            return Err(contradiction(node, why.into()));
        }
        settings.micro_slip = friction.maybe("micro_slip");
        settings.work = contact.whole("work").unwrap_or(defaults.work);
    } else {
        for key in ["allowance", "modulus", "work"] {
            if let Some(node) = contact.given(key) {
                return Err(belongs(node, &format!("contact.{key}"), "hard", "penalty"));
            }
        }
        let budget = defaults.budget;
        settings.budget = Budget {
            stiffness: contact.maybe("stiffness").unwrap_or(budget.stiffness),
            blend: contact.maybe("blend").unwrap_or(budget.blend),
        };
        settings.release = contact.given("release").is_none() || contact.flag("release");
        settings.damping = damping.maybe("alpha").unwrap_or(defaults.damping);
        settings.damped = if damping.word("when") == "colliding" { Damping::Colliding } else { Damping::Sliding };
        settings.substeps = contact.given("substeps").map_or(defaults.substeps, |_| contact.count("substeps"));
        settings.step_bound = contact.maybe("step_bound");
    }
    settings.shell_on = match (contact.word("shell_on").as_str(), model) {
        ("fixed", _) => ShellOn::Fixed,
        ("held", _) => ShellOn::Held,
        _ => ShellOn::Both,
    };
    if let (ContactModel::Penalty, Some(node)) = (model, contact.given("shell_on").filter(|n| n.text() == Some("both")))
    {
        let why = "penalty contacts have one shell: shell_on is \"held\" or \"fixed\", or contact.model \"hard\"";
        return Err(contradiction(node, why.into()));
    }
    Ok(settings)
}

/// Whether everything that is given belongs to hard contacts.
fn hard(settings: &Settings, friction: &Reader, contact: &Reader, damping: &Reader) -> Result<(), Fault> {
    let disk = settings.friction.cone == Cone::Disk;
    if !disk || !matches!(settings.friction.method, Method::Hold | Method::Frictionless) {
        let key = if disk { "method" } else { "cone" };
        let why = "hard contacts are solved with the friction methods hold and none and the disk; leave contact.model out, or set it to \"penalty\"";
        // Where neither stands in the file, `model` does: nothing else selects hard contacts here.
        if let Some(node) = friction.given(key).or(contact.given("model")) {
            return Err(contradiction(node, why.into()));
        }
    }
    let penalty =
        ["blend", "release", "substeps", "step_bound"].map(|key| (contact.given(key), format!("contact.{key}")));
    let damped = ["alpha", "when"].map(|key| (damping.given(key), format!("damping.{key}")));
    match penalty.into_iter().chain(damped).find_map(|(node, key)| node.map(|node| (node, key))) {
        Some((node, key)) => Err(belongs(node, &key, "penalty", "hard")),
        None => Ok(()),
    }
}

fn belongs(node: &Node, key: &str, to: &str, model: &str) -> Fault {
    let others = if to == "penalty" {
        "blend, release, substeps, step_bound and [damping] belong to penalty contacts"
    } else {
        "allowance, modulus and work belong to hard contacts"
    };
    contradiction(
        node,
        format!(
            "{key} does nothing here, since the contact model is \"{model}\": {others}. Leave it out, or set contact.model = \"{to}\""
        ),
    )
}

fn solver(friction: &Reader) -> Result<friction::Settings, Fault> {
    let metric = if friction.word("metric") == "mass" { Metric::Mass } else { Metric::Stiffness };
    let method = match friction.word("method").as_str() {
        "qp" => Method::Qp(metric),
        "lp" => Method::Lp,
        "yamane" => Method::Yamane,
        "none" => Method::Frictionless,
        _ => Method::Hold,
    };
    let cone = match friction.given("cone") {
        None if method == Method::Lp => Cone::paper(8),
        None => Cone::Disk,
        Some(node) if node.text().is_some() => {
            if method == Method::Lp {
                let advice = "method = \"lp\" needs a pyramid: leave `cone` out, or give it sides, as in { sides = 8 }";
                return Err(contradiction(node, advice.into()));
            }
            Cone::Disk
        }
        Some(node) => {
            let polygon = Reader::new(Some(node), &keys::POLYGON);
            let fit = if polygon.word("fit") == "inscribed" { Fit::Inscribed } else { Fit::Circumscribed };
            Cone::Polygon { sides: polygon.count("sides") as usize, fit }
        }
    };
    Ok(friction::Settings {
        method,
        cone,
        micro_slip: friction.maybe("micro_slip").unwrap_or(friction::Settings::default().micro_slip),
        budget: friction.count("budget"),
        spring_stiffness: friction.number("spring_stiffness"),
        warm_start: true,
        ..friction::Settings::default()
    })
}

/// µ_s and µ_k of the first pair of materials that matches, in either order, or the general ones.
fn coefficients(friction: &Reader, held: &Part, fixed: &Part) -> Result<(f64, f64), Fault> {
    let general = pair_of(friction)?;
    let mut found = None;
    for node in friction.given("pair").map_or(&[][..], Node::items) {
        let pair = Reader::new(Some(node), &keys::PAIR);
        let between: Vec<&str> =
            node.get("between").map_or(&[][..], Node::items).iter().filter_map(Node::text).collect();
        let coefficients = pair_of(&pair)?;
        let [a, b] = [&held.material, &fixed.material].map(|m| m.as_deref());
        let matches =
            |x: Option<&str>, y: Option<&str>| between.len() == 2 && x == Some(between[0]) && y == Some(between[1]);
        if found.is_none() && (matches(a, b) || matches(b, a)) {
            found = Some(coefficients);
        }
    }
    Ok(found.unwrap_or(general))
}

fn pair_of(table: &Reader) -> Result<(f64, f64), Fault> {
    let fixed = table.number("static");
    let kinetic = table.maybe("kinetic").unwrap_or(fixed);
    match table.given("kinetic") {
        Some(node) if kinetic > fixed => Err(contradiction(
            node,
            format!(
                "`kinetic` is {kinetic}, but must be at most `static`, which is {fixed}: sliding cannot hold better than sticking"
            ),
        )),
        _ => Ok((fixed, kinetic)),
    }
}
