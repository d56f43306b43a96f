//! Settings of the engine.

use stiction::coupling::Coupling;
use stiction::spatial::Vec3;

/// How moments of line and plane contacts are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MomentModel {
    /// One force at the centroid of the contact region, as in the paper: no torsional friction, and no stiffness against tilting on a face.
    #[default]
    Paper,
    /// Pressure and friction spread over the contact region.
    Area,
}

/// Settings of a [`FormationEngine`](crate::FormationEngine).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormationSettings {
    /// Stiffness K of contacts (1), by which the hand also pulls the proxy, with torsion and limits. A device limits it.
    pub coupling: Coupling,
    /// Tangential stiffness K_p (N/m) of (3) and (4); by default K.
    pub tangential: Option<f64>,
    /// ε (m): contacts are felt from this distance; by default a four-hundredth of the held part's radius.
    pub epsilon: Option<f64>,
    /// µ.
    pub mu_static: f64,
    /// µ_D.
    pub mu_kinetic: f64,
    /// How moments are computed.
    pub moments: MomentModel,
    /// Time in which a change of the formation is interpolated (s).
    pub interpolation: f64,
    /// Mass of the held part (kg).
    pub mass: f64,
    /// Gravity (m/s², world).
    pub gravity: Vec3,
}

impl Default for FormationSettings {
    fn default() -> Self {
        let coupling = Coupling { stiffness: 2000.0, torsion: 20.0, max_force: 40.0, max_torque: 4.0 };
        FormationSettings {
            coupling,
            tangential: None,
            epsilon: None,
            mu_static: 0.5,
            mu_kinetic: 0.5,
            moments: MomentModel::Paper,
            interpolation: 0.02,
            mass: 1.0,
            gravity: Vec3::zeros(),
        }
    }
}

/// Errors from settings that no engine can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}: it must be {wanted}")]
pub struct FormationSettingsError {
    /// The name of the setting.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// What it must be.
    pub wanted: &'static str,
}

impl FormationSettings {
    /// Whether the settings make sense.
    ///
    /// # Errors
    /// [`FormationSettingsError`] for the first that does not.
    pub fn check(&self) -> Result<(), FormationSettingsError> {
        let c = &self.coupling;
        let positive = [
            ("coupling.stiffness", c.stiffness),
            ("coupling.torsion", c.torsion),
            ("coupling.max_force", c.max_force),
            ("coupling.max_torque", c.max_torque),
            ("formation.tangential", self.tangential.unwrap_or(1.0)),
            ("formation.epsilon", self.epsilon.unwrap_or(1.0)),
            ("formation.interpolation", self.interpolation),
            ("mass", self.mass),
        ];
        let wrong = |(name, value): (&'static str, f64), wanted| Err(FormationSettingsError { name, value, wanted });
        if let Some(bad) = positive.into_iter().find(|(_, x)| !(*x > 0.0 && x.is_finite())) {
            return wrong(bad, "positive and finite");
        }
        let coefficients = [("friction.static", self.mu_static), ("friction.kinetic", self.mu_kinetic)];
        if let Some(bad) = coefficients.into_iter().find(|(_, x)| !(*x >= 0.0 && x.is_finite())) {
            return wrong(bad, "at least zero and finite");
        }
        if self.mu_kinetic > self.mu_static {
            return wrong(coefficients[1], "at most friction.static");
        }
        match self.gravity.iter().find(|x| !x.is_finite()) {
            Some(x) => wrong(("gravity", *x), "finite"),
            None => Ok(()),
        }
    }
}
