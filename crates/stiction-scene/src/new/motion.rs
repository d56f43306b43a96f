//! How the hand of a new scene moves: down on the fixed part, or to a goal.

use super::descent::{Descent, posed_bounds};
use super::text::{place, rounded, shown};
use super::{NewSceneOptions, PartFacts};
use crate::SceneError;
use stiction::coupling::Coupling;
use stiction::shape::Aabb;
use stiction::spatial::{Pose, Vec3};
use stiction_bake::diagnose::length;

/// How hard the held part is pressed on the fixed one (N).
const PRESS: f64 = 10.0;
/// The share of what friction holds that the part is pulled sideways with.
const PULL: f64 = 0.6;

/// The hand's motion, and what it does in words.
pub struct NewMotion {
    /// Poses at times (s).
    pub frames: Vec<(f64, Pose)>,
    /// A sentence about it, for the scene's comment.
    pub story: String,
    /// What the scene shows, in a line.
    pub description: &'static str,
    /// Sentences about what was guessed, for the user.
    pub notes: Vec<String>,
}

/// The motion of the hand that holds a part.
///
/// # Errors
/// [`SceneError::NothingBelow`] where a start was given from which the part does not come down on the fixed one.
pub fn motion(
    held: &PartFacts,
    fixed: &PartFacts,
    options: &NewSceneOptions,
    coupling: &Coupling,
    mu: f64,
) -> Result<NewMotion, SceneError> {
    let gap = 0.1 * held.size().min(fixed.size()).max(1e-4);
    if let Some(goal) = options.goal {
        let above = || {
            let higher = (fixed.bounds.max.z - posed_bounds(&held.mesh, &goal).min.z).max(0.0) + gap;
            raised(goal.translation.vector, &goal, higher)
        };
        return Ok(to_goal(options.start.unwrap_or_else(above), goal, options.start.is_some(), coupling));
    }
    let mut notes = Vec::new();
    let (start, touch) = match options.start {
        Some(start) => {
            let touch = Descent::new(&held.mesh, &fixed.mesh, &start).below();
            let touch = touch.filter(|touch| touch.origin.z <= start.translation.z);
            (start, touch.ok_or(SceneError::NothingBelow)?)
        }
        None => {
            let middle = |b: &Aabb| (b.min + b.max) * 0.5;
            let over = middle(&fixed.bounds) - middle(&held.bounds);
            let over = Pose::translation(over.x, over.y, 0.0);
            let touch = Descent::new(&held.mesh, &fixed.mesh, &over).near().ok_or(SceneError::NothingBelow)?;
            let beside = (touch.origin - over.translation.vector).xy().norm();
            if beside > 0.0 {
                notes.push(format!(
                    "Centre over centre the parts do not meet squarely, so the held one comes down {} beside that. Another place: --start; into each \
                     other: --goal.",
                    length(beside)
                ));
            }
            (raised(touch.origin, &over, gap), touch)
        }
    };
    let (press, side) = (PRESS / coupling.stiffness, PULL * mu.max(0.1));
    let down = Vec3::new(start.translation.x, start.translation.y, touch.origin.z - press);
    let aside = down + Vec3::new(side * press, 0.0, 0.0);
    let at = |position: Vec3| Pose::from_parts(position.into(), start.rotation);
    let pull = shown(rounded(side * PRESS));
    let held_by = if mu >= 0.1 { ", less than friction holds" } else { "" };
    Ok(NewMotion {
        frames: vec![(0.0, start), (1.5, at(down)), (2.5, at(aside)), (4.0, at(aside))],
        story: format!(
            "The held part comes down on the fixed one, touches it first about {} m, presses there with about {} N, and is pulled along x with about {pull} \
             N{held_by}.",
            place(&touch.at),
            shown(PRESS),
        ),
        description: "One part pressed on another and pulled sideways",
        notes,
    })
}

/// A pose so much higher than a place.
fn raised(place: Vec3, pose: &Pose, higher: f64) -> Pose {
    Pose::from_parts((place + Vec3::new(0.0, 0.0, higher)).into(), pose.rotation)
}

fn to_goal(start: Pose, goal: Pose, start_given: bool, coupling: &Coupling) -> NewMotion {
    let from = if start_given { "from its start" } else { "from straight above" };
    NewMotion {
        frames: vec![(0.0, start), (2.5, goal), (4.0, goal)],
        story: format!(
            "The hand carries the held part {from} to the goal, where its origin would be at {} m, and stays there. What is in the way holds the part back: it \
             presses with {} N for each millimetre, up to max_force.",
            place(&goal.translation.vector),
            shown(1e-3 * coupling.stiffness)
        ),
        description: "One part carried to its goal against another",
        notes: Vec::new(),
    }
}
