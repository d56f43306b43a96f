//! Settings of an engine, their ranges, and the errors from building one.

use crate::contact::budget::Budget;
use crate::contact::penalty::ShellOn;
use crate::contact::separating::ReleaseRule;
use crate::coupling::Coupling;
use crate::delassus::ConeError;
use crate::friction::{self, Cone, Method, SolverError};
use crate::spatial::Vec3;

/// Which ticks static damping slows down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damping {
    /// Those in which a contact slides.
    Sliding,
    /// Every colliding one, as in the paper: a held part creeps.
    Colliding,
}

/// How contacts push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactModel {
    /// Hard, unilateral contacts, solved together with friction: see [`hard`](crate::hard). For the disk with [`Method::Hold`] or without friction.
    Hard,
    /// Rigid, unilateral contacts by the methods of other schools, [`Method::Staggered`] and [`Method::GaussSeidel`], or without friction: see [`delassus`](crate::delassus).
    Unilateral,
    /// Soft penalty forces, computed before the step: see [`contact`](crate::contact). For every method.
    Penalty,
    /// Penalty forces as the friction paper prints them, with what it prints wrong: the shell's normals everywhere, no contact fades where shell and field
    /// disagree, and the stiffness of its equations (2)-(3). [`Settings::paper`] has the settings that go with it.
    Paper,
}

impl ContactModel {
    /// Whether contacts push by penalty forces, computed before the step.
    pub fn is_penalty(self) -> bool {
        matches!(self, ContactModel::Penalty | ContactModel::Paper)
    }
}

/// How an [`Engine`](super::Engine) works. All lengths in m, forces in N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The spring between hand and part.
    pub coupling: Coupling,
    /// The contact model; by default hard contacts where the friction method allows them, else penalty forces.
    pub model: Option<ContactModel>,
    /// Stiffness of a hard contact (N/m); by default from the parts and the coupling.
    pub stiffness: Option<f64>,
    /// Instead of that, stiffness by area (N/m³): a hard contact is as stiff as the area that its shell point stands for. Then forces of parts that are
    /// deep in each other are those of an elastic foundation, on however many points, but single points are soft.
    pub modulus: Option<f64>,
    /// Depth that hard contacts ignore everywhere (m); by default the faceting error of the part that carries the field, at each place.
    pub allowance: Option<f64>,
    /// The longest slip that a hard contact remembers (m); by default from the elastic depth of the contacts.
    pub micro_slip: Option<f64>,
    /// Stiffness of penalty contacts and how they share it.
    pub budget: Budget,
    /// Friction coefficients of the pair of materials.
    pub mu_static: f64,
    /// At most `mu_static`.
    pub mu_kinetic: f64,
    /// The friction solver. Its `points_move` follows from `shell_on`.
    pub friction: friction::FrictionSettings,
    /// The residual to which unilateral contacts are solved: see [`verify::residual`](crate::delassus::verify::residual). A tick that misses it has the flag [`UNDECIDED`](crate::trace::Flags::UNDECIDED).
    pub tolerance: f64,
    /// Which part carries the point shell.
    pub shell_on: ShellOn,
    /// T_u of every contact is this direction of the shell's part, projected: matters for polygons only.
    pub tangent_axis: Vec3,
    /// Which contacts lose their friction because they are about to come apart.
    pub release: ReleaseRule,
    /// α: the share of a step that damping takes away, 0 to below 1.
    pub damping: f64,
    /// When it does.
    pub damped: Damping,
    /// Mass of the held part (kg): its weight, and the mass metric.
    pub mass: f64,
    /// Gravity (m/s²).
    pub gravity: Vec3,
    /// Most field samples of a collision walk.
    pub max_samples: usize,
    /// Most work of a tick with hard contacts, in units of one field sample of a collision walk: see [`Work`](super::Work). Points that are left out
    /// for it are represented by coarser ones, and the tick has the flag [`COARSE`](crate::trace::Flags::COARSE).
    pub work: u64,
    /// Most solves in a tick.
    pub substeps: u32,
    /// The furthest that a point may go beyond the proven clearance in a solve (m); by default, a quarter of the thinnest wall or, if
    /// that is less, the depth at which the contact bears the coupling's largest force.
    pub step_bound: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            coupling: Coupling { stiffness: 2000.0, torsion: 20.0, max_force: 40.0, max_torque: 4.0 },
            model: None,
            stiffness: None,
            modulus: None,
            allowance: None,
            micro_slip: None,
            budget: Budget { stiffness: 50_000.0, blend: 0.25 },
            mu_static: 0.5,
            mu_kinetic: 0.5,
            friction: friction::FrictionSettings::default(),
            tolerance: 1e-6,
            shell_on: ShellOn::Both,
            tangent_axis: Vec3::x(),
            release: ReleaseRule::Applied,
            damping: 0.6,
            damped: Damping::Sliding,
            mass: 1.0,
            gravity: Vec3::zeros(),
            max_samples: usize::MAX,
            work: Settings::WORK,
            substeps: 4,
            step_bound: None,
        }
    }
}

impl Settings {
    /// The work that a tick is limited to by default (units): that of some tenths of a second, so that it ends no tick of a reasonable scene early, but every tick ends.
    pub const WORK: u64 = 10_000_000;

    /// The engine of the friction paper: its contact model, section 4.1 as printed, the linear program with its pyramid of 8 sides, and α in every colliding tick.
    pub fn paper() -> Settings {
        Settings {
            model: Some(ContactModel::Paper),
            friction: friction::FrictionSettings { method: Method::Lp, cone: Cone::paper(8), ..Default::default() },
            release: ReleaseRule::Paper,
            damped: Damping::Colliding,
            ..Settings::default()
        }
    }

    /// The contact model in force.
    pub fn contact_model(&self) -> ContactModel {
        let fits =
            matches!(self.friction.method, Method::Hold | Method::Frictionless) && self.friction.cone == Cone::Disk;
        self.model.unwrap_or(match self.friction.method {
            method if method.is_unilateral() => ContactModel::Unilateral,
            _ if fits => ContactModel::Hard,
            _ => ContactModel::Penalty,
        })
    }
}

/// Errors from building an engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A setting is out of its range.
    #[error("{setting} is {value}, but must be {range}")]
    BadSetting {
        /// Its name.
        setting: &'static str,
        /// What was given.
        value: f64,
        /// What is possible.
        range: &'static str,
    },
    /// The friction solver cannot work so.
    #[error(transparent)]
    Friction(#[from] SolverError),
    /// The part that should carry the shell has no points.
    #[error("the shell of the {part} part has no points")]
    EmptyShell {
        /// "held" or "fixed".
        part: &'static str,
    },
    /// Contacts on a sparse field could not bear what the coupling can push with: parts would pass through each other.
    #[error(
        "the sparse field tells depths apart down to {known} m only, where contacts bear {bears} N, but the coupling pushes with up to {force} N: bake it with a wider band or dense, or raise the contact stiffness, or lower the coupling's maximum force"
    )]
    ShallowField {
        /// Half the width of its band (m).
        known: f64,
        /// The coupling's maximum force (N).
        force: f64,
        /// What contacts can bear (N).
        bears: f64,
    },
    /// The friction method and the contact model do not go together.
    #[error("{what}")]
    Unsuited {
        /// What does not go, and with what.
        what: &'static str,
    },
    /// A problem of unilateral contacts cannot be made.
    #[error(transparent)]
    Unilateral(#[from] ConeError),
    /// A pose is not finite.
    #[error("the {what} pose is not finite")]
    BadPose {
        /// Which one.
        what: &'static str,
    },
}
/// Checks that every setting is in its range.
pub(super) fn check(s: &Settings) -> Result<(), EngineError> {
    let positive = "above zero and finite";
    let rows = [
        ("coupling stiffness", s.coupling.stiffness, s.coupling.stiffness > 0.0, positive),
        ("coupling torsion", s.coupling.torsion, s.coupling.torsion > 0.0, positive),
        ("coupling maximum force", s.coupling.max_force, s.coupling.max_force > 0.0, positive),
        ("coupling maximum torque", s.coupling.max_torque, s.coupling.max_torque > 0.0, positive),
        ("contact stiffness", s.budget.stiffness, s.budget.stiffness > 0.0, positive),
        ("contact blend", s.budget.blend, s.budget.blend > 0.0 && s.budget.blend <= 1.0, "above 0 and at most 1"),
        ("static friction coefficient", s.mu_static, s.mu_static >= 0.0, "at least zero and finite"),
        (
            "kinetic friction coefficient",
            s.mu_kinetic,
            s.mu_kinetic >= 0.0 && s.mu_kinetic <= s.mu_static,
            "between zero and the static one",
        ),
        ("damping", s.damping, (0.0..1.0).contains(&s.damping), "at least 0 and below 1"),
        ("mass", s.mass, s.mass > 0.0, positive),
        ("gravity", s.gravity.norm(), true, "finite"),
        ("tangent axis", s.tangent_axis.norm(), s.tangent_axis.norm() > 0.0, "a direction"),
        ("substeps", f64::from(s.substeps), s.substeps > 0, "at least 1"),
        ("contact modulus", s.modulus.unwrap_or(1.0), s.modulus.is_none_or(|m| m > 0.0), positive),
        (
            "contact modulus",
            s.modulus.unwrap_or(0.0),
            s.modulus.is_none() || s.stiffness.is_none() && s.contact_model() == ContactModel::Hard,
            "given for hard contacts and without a contact stiffness",
        ),
        ("tolerance", s.tolerance, s.tolerance > 0.0, positive),
        ("step bound", s.step_bound.unwrap_or(1.0), s.step_bound.is_none_or(|b| b > 0.0), positive),
    ];
    for (setting, value, good, range) in rows {
        if !good || !value.is_finite() {
            return Err(EngineError::BadSetting { setting, value, range });
        }
    }
    let unilateral = s.friction.method.is_unilateral();
    let what = match s.contact_model() {
        ContactModel::Unilateral if !(unilateral || s.friction.method == Method::Frictionless) => {
            "unilateral contacts go with the friction methods staggered, gauss-seidel and none"
        }
        ContactModel::Unilateral
            if matches!(s.friction.method, Method::GaussSeidel(_)) && s.friction.cone != Cone::Disk =>
        {
            "gauss-seidel has the disk itself, and no pyramid"
        }
        ContactModel::Hard | ContactModel::Penalty if unilateral => {
            "staggered and gauss-seidel find normal forces, too, and go with unilateral contacts"
        }
        _ => return Ok(()),
    };
    Err(EngineError::Unsuited { what })
}
