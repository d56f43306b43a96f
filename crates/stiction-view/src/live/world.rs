//! A world for the loop: everything that changes when a scene or a setting does.

use super::lane::LiveLane;
use crate::setup::hand_motion;
use stiction::spatial::Pose;
use stiction_device::CycleSink;
use stiction_scene::{EngineKind, Hand};
use stiction_session::{Session, SessionError};

/// Most hands of a world.
pub const MOST_HANDS: usize = 2;

/// How the hands of a world move by themselves.
#[derive(Clone, Debug)]
pub struct Motions {
    /// The scene's own motion of each hand.
    pub scripts: Vec<Hand>,
    /// The motion of the first hand in the scene's demonstration.
    pub demonstration: Hand,
}

/// A world of the loop: one or two lanes that share their hands.
pub struct LiveWorld {
    /// Number of the world.
    pub number: u64,
    /// Number of its shapes.
    pub generation: u32,
    /// How the hands move by themselves.
    pub motions: Motions,
    /// First pose of each hand (world from part).
    pub first: Vec<Pose>,
    /// Whether its hands can let go of bodies and take others.
    pub many: bool,
    /// How many times as far as its handle a hand goes.
    pub stretch: f64,
    /// Time since the last reset (s); `None` if world and script begin anew.
    pub elapsed: Option<f64>,
    /// Whether its contacts go on from what those of the world before it remember.
    pub keeps_slip: bool,
    /// The period of a tick (ns).
    pub period: u64,
    pub(super) lanes: Vec<LiveLane>,
}

impl LiveWorld {
    /// Lanes by sessions that share their hands, with how these move by themselves; the first lane may be recorded, by a sink for each hand. `elapsed` is the time since the last reset, 0 for a restart.
    ///
    /// # Errors
    /// [`SessionError`] where engine or envelope refuse their settings.
    pub fn new(
        number: u64,
        generation: u32,
        motions: Motions,
        sessions: &[&Session],
        mut sinks: Vec<Box<dyn CycleSink>>,
        elapsed: Option<f64>,
    ) -> Result<LiveWorld, SessionError> {
        let mut lanes = Vec::with_capacity(2);
        for (lane, session) in sessions.iter().enumerate().take(2) {
            lanes.push(LiveLane::new(session, number, lane, elapsed.unwrap_or(0.0), std::mem::take(&mut sinks))?);
        }
        let first = sessions
            .first()
            .ok_or_else(|| SessionError::Plan { name: "lanes".into(), why: "there are none".into() })?;
        Ok(LiveWorld {
            number,
            generation,
            motions,
            first: (0..first.plan.arms).map(|arm| hand_motion(&first.world.scene, arm).pose(0.0)).collect(),
            many: first.world.scene.engine == EngineKind::Volume,
            stretch: first.plan.motion_scale,
            elapsed,
            keeps_slip: false,
            period: (1e9 / first.world.scene.rate) as u64,
            lanes,
        })
    }
}
