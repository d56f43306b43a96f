//! A cube in a 90-degree corner: floor below (z = -h), wall at its side (x = -h), both meeting along y.
//!
//! Coulomb's law here: all friction acts along y. With limits L_i the most that it can balance is Σ L_i, and it does
//! so without a torque if the pull's line passes through c = Σ L_i r_i / Σ L_i. No other friction does better, since
//! |β_y| ≤ L_i at every contact; a polygon with a vertex along y reaches L_i / cos(π/ℓ).

use stiction::contact::{Contact, ContactId, Load};
use stiction::friction::{Cone, Fit};
use stiction::spatial::{Mat6, Vec3, Vec6, join};

/// Half the edge of the cube (m).
const HALF: f64 = 0.05;
/// What each face is pressed with (N).
const PRESSED: f64 = 10.0;
/// The hand's spring (N/m, N m/rad), and all contact springs of one face together (N/m).
const COUPLING: (f64, f64) = (1e3, 10.0);
const CONTACT_STIFFNESS: f64 = 1e5;

/// The cube and what it touches.
pub struct Corner {
    contacts: Vec<Contact>,
    stiffness: Mat6,
    /// Where the pull acts.
    centre: Vec3,
    pressed: f64,
    mu: f64,
}

impl Corner {
    /// Contacts in a grid on either face; with an odd number the floor has one more.
    pub fn new(contacts: usize, mu: f64) -> Self {
        let on_floor = contacts.div_ceil(2);
        let mut stiffness = -Mat6::from_diagonal(&Vec6::from_fn(|i, _| if i < 3 { COUPLING.0 } else { COUPLING.1 }));
        let mut list = Vec::with_capacity(contacts);
        for (normal, across, count) in [(Vec3::z(), Vec3::x(), on_floor), (Vec3::x(), Vec3::z(), contacts - on_floor)] {
            let side = (count as f64).sqrt().ceil().max(1.0) as usize;
            let place = |i: usize| 0.9 * HALF * if side > 1 { 2.0 * i as f64 / (side - 1) as f64 - 1.0 } else { 0.0 };
            let spring = CONTACT_STIFFNESS / count.max(1) as f64;
            for i in 0..count {
                let point = -HALF * normal + across * place(i % side) + Vec3::y() * place(i / side);
                let j = join(normal, point.cross(&normal));
                stiffness -= j * j.transpose() * spring;
                let normal_force = PRESSED / count as f64;
                list.push(Contact {
                    id: ContactId(list.len() as u64),
                    point,
                    normal,
                    // A vertex of every polygon lies along the pull.
                    tangent: Vec3::y(),
                    gap: -normal_force / spring,
                    normal_force,
                    mu_static: mu,
                    mu_kinetic: mu,
                });
            }
        }
        let pressed = if contacts > 1 { 2.0 * PRESSED } else { PRESSED };
        let centre = list.iter().fold(Vec3::zeros(), |sum, c| sum + c.point * (c.normal_force / pressed));
        Self { contacts: list, stiffness, centre, pressed, mu }
    }

    /// The contacts.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        self.contacts.iter().copied()
    }

    /// The pull along the edge is all that the contacts' normal forces do not balance.
    pub fn load(&self, pull: f64) -> Load {
        let force = Vec3::y() * pull;
        let inertia = 4.0 * HALF * HALF / 6.0;
        Load {
            wrench: join(force, self.centre.cross(&force)),
            stiffness: self.stiffness,
            mass: Mat6::from_diagonal(&Vec6::from_fn(|i, _| if i < 3 { 1.0 } else { inertia })),
        }
    }

    /// ΣF_n (N).
    pub fn pressed(&self) -> f64 {
        self.pressed
    }

    /// Stiffness of the hand along the edge (N/m).
    pub fn coupling(&self) -> f64 {
        COUPLING.0
    }

    /// The pull at which Coulomb's law lets the cube slip (N).
    pub fn coulomb_limit(&self, cone: Cone) -> f64 {
        let factor = match cone {
            Cone::Polygon { sides, fit: Fit::Circumscribed } => 1.0 / (std::f64::consts::PI / sides as f64).cos(),
            _ => 1.0,
        };
        self.mu * self.pressed * factor
    }
}
