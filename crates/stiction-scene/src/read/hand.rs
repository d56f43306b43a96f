//! The hand's motion.

use super::table::{Reader, rotation, rotation_vector, unit};
use super::{contradiction, part};
use crate::Demonstration;
use crate::document::{Data, Node, SceneFault};
use crate::error::Problem;
use crate::files::FileFinder;
use crate::hand::{Hand, Move};
use nalgebra::Quaternion;
use stiction::spatial::{Pose, Vec3};

/// The hand of a table; without a motion it stays at `start`.
pub fn hand(table: &Reader, start: Pose, files: &FileFinder) -> Result<Hand, SceneFault> {
    if let (Some(from), None) = (table.given("from"), table.given("script")) {
        return Err(contradiction(from, "`from` is where a script begins, but there is no `script`".into()));
    }
    let hand = if let Some(node) = table.given("keyframes") {
        keyframes(node, start)?
    } else if let Some(node) = table.given("csv") {
        recording(node, files)?
    } else if let Some(node) = table.given("script") {
        let from = table.table("from");
        let from = if from.present() { from.pose_or(&start)? } else { start };
        Hand::script(from, &movements(node)?)
    } else {
        Hand::resting(start)
    };
    Ok(hand.with_encoder(table.number("encoder_step"), table.number("encoder_step_rad")))
}

/// What the viewer shows of a scene whose first hand moves like this.
pub fn demonstration(table: &Reader, hand: &Hand) -> Result<Demonstration, SceneFault> {
    let motion = table.given("script").map_or(Ok(hand.clone()), |node| Ok(hand.scripted(&movements(node)?)))?;
    Ok(Demonstration { text: table.text("text").unwrap_or_default(), motion })
}

fn movements(list: &Node) -> Result<Vec<Move>, SceneFault> {
    list.items().iter().map(movement).collect()
}

fn vector(node: &Node, key: &str) -> Option<Vec3> {
    node.get(key).and_then(Node::numbers).map(|v| Vec3::from_row_slice(&v))
}

fn number(node: &Node, key: &str) -> f64 {
    node.get(key).and_then(Node::number).unwrap_or(0.0)
}

fn keyframes(list: &Node, start: Pose) -> Result<Hand, SceneFault> {
    let mut frames: Vec<(f64, Pose)> = Vec::new();
    for node in list.items() {
        let t = number(node, "t");
        let (before, last) = frames.last().copied().unwrap_or((f64::NEG_INFINITY, start));
        if t <= before {
            let at = node.get("t").unwrap_or(node);
            return Err(contradiction(
                at,
                format!("`t` is {t} s, but the keyframe before is at {before} s: times must increase"),
            ));
        }
        let position = vector(node, "position").unwrap_or(last.translation.vector);
        let turned = node.get("rotation").map_or(Ok(last.rotation), rotation)?;
        frames.push((t, Pose::from_parts(position.into(), turned)));
    }
    if frames.is_empty() {
        return Err(contradiction(
            list,
            "`keyframes` is empty: give at least one, as in { t = 0, position = [0, 0, 0] }".into(),
        ));
    }
    Ok(Hand::keyframes(&frames))
}

fn movement(node: &Node) -> Result<Move, SceneFault> {
    let seconds = number(node, "seconds");
    match (vector(node, "move"), node.get("turn")) {
        (None, None) => {}
        (shift, turn) if matches!(node.get("steady").map(|n| &n.data), Some(Data::Flag(true))) => {
            let turn = turn.map(rotation_vector).transpose()?.unwrap_or_default();
            return Ok(Move::Steady(shift.unwrap_or_default(), turn, seconds));
        }
        (Some(shift), None) => return Ok(Move::Shift(shift, seconds)),
        (None, Some(turn)) => return Ok(Move::Turn(rotation_vector(turn)?, seconds)),
        (Some(shift), Some(turn)) => return Ok(Move::ShiftTurn(shift, rotation_vector(turn)?, seconds)),
    }
    if let Some(amplitude) = vector(node, "shake") {
        return Ok(Move::Shake(amplitude, number(node, "period"), seconds));
    }
    if let Some(shift) = vector(node, "jump") {
        return Ok(Move::Jump(shift));
    }
    Ok(Move::Wait(number(node, "wait")))
}

const HEADER: [&str; 8] = ["t", "x", "y", "z", "qx", "qy", "qz", "qw"];

fn recording(node: &Node, files: &FileFinder) -> Result<Hand, SceneFault> {
    let file = part::file(node, files)?;
    let wrong = |cause: String| SceneFault { at: node.at, problem: Problem::File { path: file.path.clone(), cause } };
    let bytes = file.read().map_err(|e| wrong(format!("cannot be read: {e}")))?;
    let text =
        std::str::from_utf8(&bytes).map_err(|e| wrong(format!("cannot be read: it is no text in UTF-8, {e}")))?;
    let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.trim_start().starts_with('#'));
    let header: Vec<&str> = lines.next().map(|(_, l)| l.split(',').map(str::trim).collect()).unwrap_or_default();
    if header != HEADER {
        return Err(wrong(format!("its first line must be the header {}", HEADER.join(","))));
    }
    let mut frames: Vec<(f64, Pose)> = Vec::new();
    for (i, line) in lines {
        let row = row(line).map_err(|cause| wrong(format!("line {}: {cause}", i + 1)))?;
        if frames.last().is_some_and(|before| row.0 <= before.0) {
            return Err(wrong(format!(
                "line {}: t is {} s, not after the line before: times must increase",
                i + 1,
                row.0
            )));
        }
        frames.push(row);
    }
    if frames.is_empty() {
        return Err(wrong("it has no rows below the header".into()));
    }
    Ok(Hand::recorded(&frames))
}

fn row(line: &str) -> Result<(f64, Pose), String> {
    let read = |cell: &str| {
        let x = cell.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        x.ok_or_else(|| format!("`{}` is no finite number", cell.trim()))
    };
    let cells = line.split(',').map(read).collect::<Result<Vec<f64>, _>>()?;
    let &[t, x, y, z, qx, qy, qz, qw] = cells.as_slice() else {
        return Err(format!("{} numbers instead of {}", cells.len(), HEADER.len()));
    };
    if t < 0.0 {
        return Err(format!("t is {t} s, but must not be negative"));
    }
    Ok((t, Pose::from_parts(Vec3::new(x, y, z).into(), unit(Quaternion::new(qw, qx, qy, qz))?)))
}
