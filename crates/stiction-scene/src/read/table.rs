//! Values of a checked table, with the defaults of the table of keys.

use super::contradiction;
use crate::document::{Data, Fault, Node, parse_value};
use crate::keys::{Key, Kind, Table, solid_keys};
use nalgebra::Quaternion;
use stiction::spatial::{self, Pose, Rotation, Vec3};

/// Reads a table that has been checked, or one that is not there and so has its defaults.
pub struct Reader<'a> {
    node: Option<&'a Node>,
    table: &'static Table,
}

impl<'a> Reader<'a> {
    pub fn new(node: Option<&'a Node>, table: &'static Table) -> Self {
        Reader { node, table }
    }

    /// Whether the table is there.
    pub fn present(&self) -> bool {
        self.node.is_some()
    }

    /// What stands in the file.
    pub fn given(&self, key: &str) -> Option<&'a Node> {
        self.node.and_then(|n| n.get(key))
    }

    fn key(&self, name: &str) -> Option<&'static Key> {
        let solid = self.given("solid").and_then(Node::text);
        let more = if self.table.part { solid_keys(solid) } else { &[] };
        self.table.keys.iter().chain(more).find(|k| k.name == name)
    }

    /// What stands there, or the default.
    pub fn value(&self, key: &str) -> Option<Node> {
        self.given(key).cloned().or_else(|| self.key(key).and_then(|k| parse_value(k.default)))
    }

    /// A number without default.
    pub fn maybe(&self, key: &str) -> Option<f64> {
        self.value(key)?.number()
    }

    /// A number with default, or one that must be there; the check has seen to it.
    pub fn number(&self, key: &str) -> f64 {
        self.maybe(key).unwrap_or(f64::NAN)
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> Option<u64> {
        self.value(key)?.whole().and_then(|n| u64::try_from(n).ok())
    }

    /// A small whole number with default, or one that must be there.
    pub fn count(&self, key: &str) -> u32 {
        self.whole(key).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
    }

    pub fn text(&self, key: &str) -> Option<String> {
        self.value(key)?.text().map(str::to_string)
    }

    /// A word with default.
    pub fn word(&self, key: &str) -> String {
        self.text(key).unwrap_or_default()
    }

    pub fn flag(&self, key: &str) -> bool {
        self.value(key).is_some_and(|n| matches!(n.data, Data::Flag(true)))
    }

    /// So many numbers.
    pub fn numbers<const N: usize>(&self, key: &str) -> Option<[f64; N]> {
        self.value(key)?.numbers()?.try_into().ok()
    }

    pub fn vector(&self, key: &str) -> Vec3 {
        self.numbers(key).map_or_else(Vec3::zeros, Vec3::from)
    }

    /// A table in this one.
    pub fn table(&self, key: &str) -> Reader<'a> {
        match self.key(key).map(|k| k.kind) {
            Some(Kind::Table(table)) => Reader { node: self.given(key), table },
            _ => Reader { node: None, table: self.table },
        }
    }

    /// `position` and `rotation` of this table.
    pub fn pose(&self) -> Result<Pose, Fault> {
        self.pose_or(&Pose::identity())
    }

    /// The same, with what is left out from another pose.
    pub fn pose_or(&self, other: &Pose) -> Result<Pose, Fault> {
        let position =
            if self.given("position").is_some() { self.vector("position") } else { other.translation.vector };
        let rotation = self.given("rotation").map_or(Ok(other.rotation), rotation)?;
        Ok(Pose::from_parts(position.into(), rotation))
    }
}

/// A rotation by axis and angle, or by quaternion.
pub fn rotation(node: &Node) -> Result<Rotation, Fault> {
    let number = |key: &str| node.get(key).and_then(Node::number).unwrap_or(f64::NAN);
    if let Some(axis) = node.get("axis").and_then(Node::numbers) {
        let axis = Vec3::from_row_slice(&axis);
        let turns = libm::fmod(number("angle_deg"), 360.0);
        return Ok(spatial::exp(&(axis / axis.norm() * turns.to_radians())));
    }
    unit(Quaternion::new(number("qw"), number("qx"), number("qy"), number("qz")))
        .map_err(|reason| contradiction(node, reason))
}

/// The rotation vector (rad) of a turn: by axis and angle of any length, by quaternion of at most π, and right-handed about (qx, qy, qz) as written
/// where that is half a turn.
pub fn rotation_vector(node: &Node) -> Result<Vec3, Fault> {
    let number = |key: &str| node.get(key).and_then(Node::number).unwrap_or(f64::NAN);
    if let Some(axis) = node.get("axis").and_then(Node::numbers) {
        let axis = Vec3::from_row_slice(&axis);
        return Ok(axis / axis.norm() * number("angle_deg").to_radians());
    }
    let turn = spatial::log(&rotation(node)?);
    let written = Vec3::new(number("qx"), number("qy"), number("qz"));
    Ok(if number("qw").abs() < 1e-9 && turn.dot(&written) < 0.0 { -turn } else { turn })
}

/// How far from 1 the length of a quaternion may be.
const UNIT: f64 = 1e-3;

/// The rotation of a quaternion that is nearly of length 1.
pub fn unit(q: Quaternion<f64>) -> Result<Rotation, String> {
    let length = q.norm();
    if (length - 1.0).abs() <= UNIT {
        Ok(Rotation::new_normalize(q))
    } else {
        Err(format!("the quaternion has length {length}, but must have 1 (to {UNIT}): divide its numbers by that"))
    }
}
