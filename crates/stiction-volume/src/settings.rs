//! Settings of the engine.

use stiction::coupling::Coupling;
use stiction::spatial::Vec3;

/// Where contact forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactMethod {
    /// Spread over the contact area: the paper's method.
    #[default]
    Volume,
    /// At the point that is deepest: the method that the paper compares with.
    Point,
}

/// Coefficients of a contact of two convex parts before they are spread over its area; those that are `None` follow from the bodies' masses and the period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactCoefficients {
    /// Normal stiffness k_N (N/m).
    pub normal_stiffness: Option<f64>,
    /// Normal damping b_N (N s/m).
    pub normal_damping: Option<f64>,
    /// Stiffness of static friction k_S (N/m).
    pub tangential_stiffness: Option<f64>,
    /// Damping of static friction b_S (N s/m).
    pub tangential_damping: Option<f64>,
    /// Coefficient of static friction µ0.
    pub mu_static: f64,
    /// Coefficient of dynamic friction µ.
    pub mu_kinetic: f64,
}

impl Default for ContactCoefficients {
    fn default() -> Self {
        ContactCoefficients {
            normal_stiffness: None,
            normal_damping: None,
            tangential_stiffness: None,
            tangential_damping: None,
            mu_static: 0.5,
            mu_kinetic: 0.4,
        }
    }
}

/// What an engine needs besides bodies, joints and hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeSettings {
    /// Length of a step (s).
    pub period: f64,
    /// Acceleration of gravity (m/s², world).
    pub gravity: Vec3,
    /// Coefficients of all contacts.
    pub contact: ContactCoefficients,
    /// Where contact forces act.
    pub method: ContactMethod,
    /// The spring between a hand and a body that it holds without being that body. Its stiffness is also the largest normal stiffness of contacts of a body that is a device: what the
    /// device renders stably.
    pub coupling: Coupling,
    /// Damping of that spring, as a share of the critical damping of the held body.
    pub grip_damping: f64,
}

/// How a hand acts on the body that it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grip {
    /// The device is the body: its pose and velocity are the body's, and it feels the contact wrench.
    #[default]
    Device,
    /// A damped spring pulls the body to the hand.
    Spring,
}

/// A hand of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VolumeHand {
    /// The number of the body that it holds at first.
    pub holds: Option<usize>,
    /// How it acts on that body.
    pub grip: Grip,
}
