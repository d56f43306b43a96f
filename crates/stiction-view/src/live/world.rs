//! A world for the loop: everything that changes when a scene or a setting does.

use super::lane::LiveLane;
use stiction::spatial::Pose;
use stiction_device::CycleSink;
use stiction_scene::Hand;
use stiction_session::{Session, SessionError};

/// A world of the loop: one or two lanes that share a hand.
pub struct LiveWorld {
    /// Number of the world.
    pub number: u64,
    /// Number of its shapes.
    pub generation: u32,
    /// The scene's own motion of the hand.
    pub script: Hand,
    /// The motion of its demonstration.
    pub demonstration: Hand,
    /// First pose of the hand (world from part).
    pub first: Pose,
    /// Time since the last reset (s); `None` if world and script begin anew.
    pub elapsed: Option<f64>,
    /// Whether its contacts go on from what those of the world before it remember.
    pub keeps_slip: bool,
    /// The period of a tick (ns).
    pub period: u64,
    pub(super) lanes: Vec<LiveLane>,
}

impl LiveWorld {
    /// Lanes by sessions that share a hand, with the scene's own motion of it and that of its demonstration; the first may be recorded. `elapsed` is the time since the last reset, 0 for a restart.
    ///
    /// # Errors
    /// [`SessionError`] where engine or envelope refuse their settings.
    pub fn new(
        number: u64,
        generation: u32,
        [script, demonstration]: [Hand; 2],
        sessions: &[&Session],
        mut sink: Option<Box<dyn CycleSink>>,
        elapsed: Option<f64>,
    ) -> Result<LiveWorld, SessionError> {
        let mut lanes = Vec::with_capacity(2);
        for (lane, session) in sessions.iter().enumerate().take(2) {
            lanes.push(LiveLane::new(session, number, lane, elapsed.unwrap_or(0.0), sink.take())?);
        }
        let first = sessions
            .first()
            .ok_or_else(|| SessionError::Plan { name: "lanes".into(), why: "there are none".into() })?;
        Ok(LiveWorld {
            number,
            generation,
            script,
            demonstration,
            first: first.world.scene.hand().pose(0.0),
            elapsed,
            keeps_slip: false,
            period: (1e9 / first.world.scene.rate) as u64,
            lanes,
        })
    }
}
