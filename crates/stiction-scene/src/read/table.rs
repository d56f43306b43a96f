//! Values of a checked table, with the defaults of the table of keys.

use super::contradiction;
use crate::document::{At, Data, Node, SceneFault, parse_value};
use crate::error::Problem;
use crate::keys::{Choice, Key, Table, keys_of, meaning};
use nalgebra::Quaternion;
use stiction::spatial::{self, Pose, Rotation, Vec3};

/// Reads a table that has been checked, or one that is not there and so has its defaults.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    node: Option<&'a Node>,
    table: &'static Table,
}

/// A table that is not there.
static NOTHING: Node = Node { at: At::Byte(0), data: Data::Table(Vec::new()) };

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

    /// Whether it reads this table.
    pub fn is(&self, node: &Node) -> bool {
        self.node.is_some_and(|own| std::ptr::eq(own, node))
    }

    /// Whether the table may have such a key.
    pub fn has(&self, key: &str) -> bool {
        self.key(key).is_some()
    }

    /// Everything that it may have.
    fn keys(&self) -> impl Iterator<Item = &'static Key> + use<'a> {
        keys_of(self.node.unwrap_or(&NOTHING), self.table)
    }

    fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|k| k.name == name)
    }

    /// The rows that reach the engine's settings, with what stands there or the default.
    pub fn bound(&self) -> impl Iterator<Item = (&'static Key, Node)> + use<'a> {
        let reader = *self;
        self.keys().filter(|k| k.binding.is_some()).filter_map(move |k| Some((k, reader.value(k.name)?)))
    }

    /// A contradiction in this table.
    pub fn fault(&self, reason: String) -> SceneFault {
        SceneFault { at: self.node.map_or(At::Byte(0), |n| n.at), problem: Problem::Contradiction(reason) }
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

    /// What a word stands for.
    pub fn meant<T: Copy>(&self, key: &str, words: &[(Choice, T)]) -> Option<T> {
        meaning(words, &self.value(key)?)
    }

    pub fn flag(&self, key: &str) -> bool {
        self.value(key).is_some_and(|n| matches!(n.data, Data::Flag(true)))
    }

    /// So many numbers, with default or that must be there.
    pub fn numbers<const N: usize>(&self, key: &str) -> [f64; N] {
        self.value(key).and_then(|n| n.numbers()?.try_into().ok()).unwrap_or([0.0; N])
    }

    pub fn vector(&self, key: &str) -> Vec3 {
        Vec3::from(self.numbers(key))
    }

    /// A table in this one.
    pub fn table(&self, key: &str) -> Reader<'a> {
        match self.key(key).and_then(|k| k.kind.table()) {
            Some(table) => Reader { node: self.given(key), table },
            None => Reader { node: None, table: self.table },
        }
    }

    /// A list of tables in this one; `None` where it is not given, or is a single table.
    pub fn list(&self, key: &str, table: &'static Table) -> Option<Vec<Reader<'a>>> {
        let node = self.given(key).filter(|n| matches!(n.data, Data::List(_)))?;
        Some(node.items().iter().map(|item| Reader { node: Some(item), table }).collect())
    }

    /// `position` and `rotation` of this table.
    pub fn pose(&self) -> Result<Pose, SceneFault> {
        self.pose_or(&Pose::identity())
    }

    /// The same, with what is left out from another pose.
    pub fn pose_or(&self, other: &Pose) -> Result<Pose, SceneFault> {
        let position =
            if self.given("position").is_some() { self.vector("position") } else { other.translation.vector };
        let rotation = self.given("rotation").map_or(Ok(other.rotation), rotation)?;
        Ok(Pose::from_parts(position.into(), rotation))
    }
}

/// A rotation by axis and angle, or by quaternion.
pub fn rotation(node: &Node) -> Result<Rotation, SceneFault> {
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
pub fn rotation_vector(node: &Node) -> Result<Vec3, SceneFault> {
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
