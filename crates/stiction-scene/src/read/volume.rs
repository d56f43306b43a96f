//! What only the engine of contact volumes takes: copies of bodies, joints, pairs of materials among many bodies.

use super::bodies::named_by;
use super::contradiction;
use super::table::Reader;
use crate::document::{Node, SceneFault};
use crate::keys;
use crate::scene::{Body, FrictionPair, VolumeOptions};
use stiction::spatial::Vec3;
use stiction_volume::{Drive, Joint, JointKind};

/// Most bodies that a table makes.
const MOST_COPIES: f64 = 1000.0;

/// Names and shifts of the bodies of a table: of one, or of a grid of copies.
pub fn copies(table: &Reader, name: &str) -> Result<Vec<(String, Vec3)>, SceneFault> {
    let grid = table.table("copies");
    if !grid.present() {
        return Ok(vec![(name.into(), Vec3::zeros())]);
    }
    let (count, step) = (grid.numbers::<3>("count"), grid.vector("step"));
    if count.iter().any(|n| n.fract() != 0.0) || count.iter().product::<f64>() > MOST_COPIES {
        let most = MOST_COPIES;
        return Err(grid.fault(format!("`count` is three whole numbers, of which the product is at most {most}")));
    }
    let [nx, ny, nz] = count.map(|n| n as usize);
    let at = |i: usize| Vec3::new((i % nx) as f64, (i / nx % ny) as f64, (i / (nx * ny)) as f64);
    Ok((0..nx * ny * nz).map(|i| (format!("{name} {}", i + 1), at(i).component_mul(&step))).collect())
}

/// How contact volumes push.
pub fn options(top: &Reader) -> VolumeOptions {
    let (contact, coupling) = (top.table("contact"), top.table("coupling"));
    VolumeOptions {
        method: contact.meant("method", &keys::CONTACT_METHODS).unwrap_or_default(),
        normal_stiffness: contact.maybe("normal_stiffness"),
        normal_damping: contact.maybe("normal_damping"),
        tangential_stiffness: contact.maybe("tangential_stiffness"),
        tangential_damping: contact.maybe("tangential_damping"),
        grip_damping: coupling.number("grip_damping"),
    }
}

/// The joints of a scene.
pub fn joints(top: &Reader, bodies: &[Body]) -> Result<Vec<Joint>, SceneFault> {
    let list = top.list("joint", &keys::JOINT).unwrap_or_default();
    list.iter().map(|table| joint(table, bodies)).collect()
}

fn joint(table: &Reader, bodies: &[Body]) -> Result<Joint, SceneFault> {
    let Some(names) = table.given("between") else { return Err(table.fault("a joint has two bodies".into())) };
    let number = |node: &Node| {
        named_by(node.text().unwrap_or_default(), "between", bodies, |_| true)
            .map_err(|problem| SceneFault { at: node.at, problem })
    };
    let numbers: Vec<usize> = names.items().iter().map(number).collect::<Result<_, _>>()?;
    let [a, b] = numbers[..] else { return Err(contradiction(names, "a joint has two bodies".into())) };
    if a == b || (bodies[a].fixed && bodies[b].fixed) {
        let why = if a == b { "one body" } else { "two fixed bodies" };
        return Err(contradiction(names, format!("this is a joint of {why}: give two, of which one may be fixed")));
    }
    let hinge = table.meant("kind", &keys::JOINT_KINDS).unwrap_or_default();
    for key in ["axis", "limits_deg", "drive"] {
        if let Some(node) = table.given(key).filter(|_| !hinge) {
            return Err(contradiction(node, format!("`{key}` is for hinges: leave it out, or set kind = \"hinge\"")));
        }
    }
    let limits = table.given("limits_deg").map(|_| table.numbers::<2>("limits_deg").map(f64::to_radians));
    if let Some(node) = table.given("limits_deg").filter(|_| limits.is_some_and(|[low, high]| low > high)) {
        return Err(contradiction(node, "the first of `limits_deg` is the smaller one".into()));
    }
    let drive = table.table("drive");
    Ok(Joint {
        bodies: [a, b],
        at: table.vector("at"),
        kind: if hinge { JointKind::Hinge(table.vector("axis").normalize()) } else { JointKind::Ball },
        stiffness: table.maybe("stiffness"),
        limits,
        drive: drive.present().then(|| self::drive(&drive)),
        collide: table.flag("collide"),
    })
}

fn drive(table: &Reader) -> Drive {
    Drive {
        stiffness: table.number("stiffness"),
        damping: table.number("damping"),
        offset: table.number("offset_deg").to_radians(),
        amplitude: table.number("amplitude_deg").to_radians(),
        frequency: table.number("frequency"),
        phase: table.number("phase"),
        speed: table.number("speed"),
        max_torque: table.maybe("max_torque").unwrap_or(f64::INFINITY),
    }
}

/// Bodies whose materials are a pair of [[friction.pair]]: for every two of them the first pair that matches.
pub fn friction_pairs(friction: &Reader, bodies: &[Body]) -> Result<Vec<FrictionPair>, SceneFault> {
    let list = friction.list("pair", &keys::PAIR).unwrap_or_default();
    let mut out: Vec<FrictionPair> = Vec::new();
    for table in &list {
        let between = table.given("between").map_or(&[][..], Node::items);
        let [a, b] = [0, 1].map(|i| between.get(i).and_then(Node::text));
        let mu_static = table.number("static");
        let mu_kinetic = table.maybe("kinetic").unwrap_or(mu_static);
        for (word, node) in [a, b].into_iter().zip(between) {
            if bodies.iter().all(|body| body.part.material.as_deref() != word) {
                let word = word.unwrap_or_default();
                let why = format!("no body has the material `{word}`: give it as `material` of a body, or leave the pair out");
                return Err(contradiction(node, why));
            }
        }
        for (i, first) in bodies.iter().enumerate() {
            for (j, second) in bodies.iter().enumerate().skip(i + 1) {
                let both = [first, second].map(|body| body.part.material.as_deref());
                let matches = both == [a, b] || both == [b, a];
                if matches && !(first.fixed && second.fixed) && !out.iter().any(|pair| pair.bodies == [i, j]) {
                    out.push(FrictionPair { bodies: [i, j], mu_static, mu_kinetic });
                }
            }
        }
    }
    Ok(out)
}
