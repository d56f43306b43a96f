//! The hand that holds the handle: a mass that moves with it, on a spring and a damper whose other end moves as the hand intends.

/// How the handle is held.
///
/// Translation: light is what Scientific Reports srep18004, figure 3, gives for one trial of one participant; firm is an assumption within the
/// ranges commonly used (0.1 to 2 kg, 2 to 30 N s/m, 30 to 1000 N/m): damping and stiffness rise with grip force (Hasser and Cutkosky).
/// Rotation: stiffness 1 to 2 N m/rad is from memory, the inertia (0.5 kg with a radius of gyration of 45 mm) an assumption, and the damping has the
/// damping ratio 0.373 of the measured translation. All are isotropic here; a real wrist is not (Formica 2012).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SimHand {
    /// Moves as intended, whatever pushes: nothing in the loop is closed.
    Free,
    /// Two fingers.
    #[default]
    Light,
    /// The whole hand.
    Firm,
    /// Nobody: the handle alone.
    Released,
    /// As told.
    Like(Grip),
}

/// Mass, damping and stiffness of a hand, each of translation, then of rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// What moves with the handle (kg, kg m²).
    pub mass: [f64; 2],
    /// Towards the intended velocity (N s/m, N m s/rad).
    pub damping: [f64; 2],
    /// Towards the intended pose (N/m, N m/rad).
    pub stiffness: [f64; 2],
}

impl Grip {
    /// No hand.
    pub const NONE: Grip = Grip { mass: [0.0; 2], damping: [0.0; 2], stiffness: [0.0; 2] };
    /// Two fingers: see [`SimHand`].
    pub const LIGHT: Grip = Grip { mass: [0.554, 1e-3], damping: [6.45, 0.0236], stiffness: [135.0, 1.0] };
    /// The whole hand: see [`SimHand`].
    pub const FIRM: Grip = Grip { mass: [0.8, 1e-3], damping: [20.0, 0.0334], stiffness: [500.0, 2.0] };

    /// Whether all are finite and none is negative.
    pub fn is_sound(&self) -> bool {
        let all = [self.mass, self.damping, self.stiffness];
        all.iter().flatten().all(|x| x.is_finite() && *x >= 0.0)
    }
}

impl SimHand {
    /// Its values; `None` if it does not yield.
    pub fn grip(&self) -> Option<Grip> {
        match *self {
            SimHand::Free => None,
            SimHand::Light => Some(Grip::LIGHT),
            SimHand::Firm => Some(Grip::FIRM),
            SimHand::Released => Some(Grip::NONE),
            SimHand::Like(grip) => Some(grip),
        }
    }
}
