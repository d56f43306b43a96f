//! The engine's settings.

use super::table::Reader;
use super::{contradiction, part};
use crate::document::{Fault, Node};
use crate::keys;
use crate::scene::{Mass, Part};
use stiction::contact::budget::Budget;
use stiction::contact::penalty::ShellOn;
use stiction::coupling::Coupling;
use stiction::friction::{self, Cone, Fit, Method, Metric};
use stiction::tick::{Damping, Settings};

/// Coupling, contact, friction, damping, mass and gravity.
pub fn settings(top: &Reader, held: &Part, fixed: &Part) -> Result<Settings, Fault> {
    let [coupling, contact, damping] = ["coupling", "contact", "damping"].map(|t| top.table(t));
    let friction = top.table("friction");
    let (mu_static, mu_kinetic) = coefficients(&friction, held, fixed)?;
    part::same_once(&top.table("held"), "mass", "density")?;
    Ok(Settings {
        coupling: Coupling {
            stiffness: coupling.number("stiffness"),
            torsion: coupling.number("torsion"),
            max_force: coupling.number("max_force"),
            max_torque: coupling.number("max_torque"),
        },
        budget: Budget { stiffness: contact.number("stiffness"), blend: contact.number("blend") },
        mu_static,
        mu_kinetic,
        friction: solver(&friction)?,
        shell_on: if contact.word("shell_on") == "fixed" { ShellOn::Fixed } else { ShellOn::Held },
        tangent_axis: contact.vector("tangent_axis"),
        release: contact.flag("release"),
        damping: damping.number("alpha"),
        damped: if damping.word("when") == "colliding" { Damping::Colliding } else { Damping::Sliding },
        mass: if let Mass::Total(kg) = held.mass { kg } else { 1.0 },
        gravity: top.table("load").vector("gravity"),
        max_samples: contact.whole("max_samples").and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX),
        substeps: contact.count("substeps"),
        step_bound: contact.maybe("step_bound"),
    })
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
        micro_slip: friction.number("micro_slip"),
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
