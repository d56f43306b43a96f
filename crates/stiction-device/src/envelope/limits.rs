//! What may be sent to a device, and when a fault is one.

use crate::device::Caps;

/// What may be sent. Pairs are for force and torque, or for translation and rotation.
///
/// [`Limits::of`] suits a device; every field may be changed after it, and [`Envelope::new`](super::Envelope::new) checks them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Force that may last for ever, and at the peak (N). Zero where the device pushes nothing.
    pub force: [f64; 2],
    /// Torque likewise (N m).
    pub torque: [f64; 2],
    /// How long the peak may last from cold (s); a tenth of it is the time constant with which the limit then falls.
    pub peak_seconds: f64,
    /// Fastest change (N/s, N m/s), other than shrinking along its own direction.
    pub slew: [f64; 2],
    /// Over-speed begins here (m/s, rad/s).
    pub speed: [f64; 2],
    /// Largest acceleration that the passivity controller reckons with (m/s², rad/s²).
    pub acceleration: [f64; 2],
    /// More than this in one cycle is no motion but a bad measurement (m, rad).
    pub jump: [f64; 2],
    /// How long the gain takes from 0 to 1 (s).
    pub soft_start: f64,
    /// How long a wrench takes to fade to nothing after a fault (s).
    pub fade: f64,
    /// How long all causes must be gone before it engages again (s).
    pub settle: f64,
    /// A measurement older than this is stale (s).
    pub stale: f64,
    /// A cycle that is later than this has missed its deadline (s).
    pub late: f64,
    /// So many answers in a row that are not finite, and the engine counts as broken.
    pub bad_answers: u32,
    /// Whether the passivity controller acts. The energy is measured in any case.
    pub passivity: bool,
    /// Largest damping that it injects (N s/m, N m s/rad).
    pub damping: [f64; 2],
    /// Most energy that counts as stored in what is rendered, and may come out again (J).
    pub store: f64,
    /// Most work of known loads, such as a part's weight, that may come out too, counted since force engaged (J). Zero counts no loads at all.
    pub loads: f64,
}

impl Limits {
    /// Limits that suit a device.
    ///
    /// Forces and torques are the device's own. Over-speed is above what hands do on purpose (about 1 m/s). The store is what springs of the
    /// device's largest stiffness k hold at its peak, F²/2k and τ²/2k. Damping is k/150 s, about the ratio of what makers allow
    /// (5000 N/m with 30 N s/m, 3000 with 20, 700 with 5). Stale and late are at most half of the device's own watchdog. Known loads may do the work of the peak force
    /// over the workspace's diameter and of the peak torque over half a turn: more does not fit into the workspace.
    pub fn of(caps: &Caps) -> Self {
        let (force_too, torque_too) = (caps.actuated.0[..3].contains(&true), caps.actuated.0[3..].contains(&true));
        let force = if force_too { caps.force } else { [0.0; 2] };
        let torque = if torque_too { caps.torque } else { [0.0; 2] };
        let spring = |peak: f64, k: f64| if k > 0.0 { 0.5 * peak * peak / k } else { 0.0 };
        let patience = caps.watchdog.map_or(PATIENCE, |w| PATIENCE.min(0.5 * w));
        Limits {
            force,
            torque,
            peak_seconds: caps.peak_seconds,
            slew: [force[1] / RISE, torque[1] / RISE],
            speed: [1.5, 15.0],
            acceleration: [100.0_f64.max(force[1] / BARE[0]), 1000.0_f64.max(torque[1] / BARE[1])],
            jump: [0.02, 0.2],
            soft_start: 0.5,
            fade: 0.02,
            settle: 0.05,
            stale: patience,
            late: patience,
            bad_answers: 10,
            passivity: true,
            damping: [caps.stiffness[0] / 150.0, caps.stiffness[1] / 150.0],
            store: spring(force[1], caps.stiffness[0]) + spring(torque[1], caps.stiffness[1]),
            loads: force[1] * 2.0 * caps.workspace.1 + torque[1] * std::f64::consts::PI,
        }
    }

    /// Most energy that may come out beyond what the hand and known loads put in, with cycles of `period` s: F_max·v_max·T, force and torque together (J).
    pub fn energy_bound(&self, period: f64) -> f64 {
        (self.force[1] * self.speed[0] + self.torque[1] * self.speed[1]) * period
    }

    /// Whether they make sense.
    pub(super) fn check(&self, period: f64) -> Result<(), EnvelopeError> {
        let (positive, counted) = ("above zero and finite", "from zero to 3600 s");
        let not_negative = "at least zero and finite";
        let above = "at least the continuous one and finite";
        let far = "further than over-speed goes in a cycle and finite";
        let time = |t: f64| (0.0..=3600.0).contains(&t);
        let rows = [
            ("period", period, (1e-5..=0.1).contains(&period), "from 10 µs to 0.1 s"),
            ("continuous force", self.force[0], self.force[0] >= 0.0, not_negative),
            ("peak force", self.force[1], self.force[1] >= self.force[0], above),
            ("continuous torque", self.torque[0], self.torque[0] >= 0.0, not_negative),
            ("peak torque", self.torque[1], self.torque[1] >= self.torque[0], above),
            ("largest force", self.force[1], self.force[1] <= 1e6, "at most 1e6 N"),
            ("largest torque", self.torque[1], self.torque[1] <= 1e6, "at most 1e6 N m"),
            ("time at peak", self.peak_seconds, time(self.peak_seconds), counted),
            ("force slew", self.slew[0], self.slew[0] > 0.0 || self.force[1] == 0.0, positive),
            ("torque slew", self.slew[1], self.slew[1] > 0.0 || self.torque[1] == 0.0, positive),
            ("over-speed", self.speed[0], self.speed[0] > 0.0, positive),
            ("rotational over-speed", self.speed[1], self.speed[1] > 0.0, positive),
            ("acceleration", self.acceleration[0], self.acceleration[0] > 0.0, positive),
            ("rotational acceleration", self.acceleration[1], self.acceleration[1] > 0.0, positive),
            ("jump", self.jump[0], self.jump[0] > self.speed[0] * period, far),
            ("rotational jump", self.jump[1], self.jump[1] > self.speed[1] * period, far),
            ("soft start", self.soft_start, self.soft_start > 0.0 && time(self.soft_start), "above zero to 3600 s"),
            ("fade", self.fade, time(self.fade), counted),
            ("settle", self.settle, time(self.settle), counted),
            ("stale", self.stale, self.stale > 0.0 && time(self.stale), "above zero to 3600 s"),
            ("late", self.late, self.late > 0.0 && time(self.late), "above zero to 3600 s"),
            ("bad answers", f64::from(self.bad_answers), self.bad_answers > 0, "at least 1"),
            ("injected damping", self.damping[0], self.damping[0] >= 0.0, not_negative),
            ("injected rotational damping", self.damping[1], self.damping[1] >= 0.0, not_negative),
            ("energy store", self.store, self.store >= 0.0, not_negative),
            ("work of loads", self.loads, self.loads >= 0.0, not_negative),
        ];
        for (limit, value, good, range) in rows {
            if !good || !value.is_finite() {
                return Err(EnvelopeError { limit, value, range });
            }
        }
        Ok(())
    }
}

/// Errors from checking an envelope's limits: a limit is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the limit \"{limit}\" is {value}, but must be {range}")]
pub struct EnvelopeError {
    /// Name of the limit.
    pub limit: &'static str,
    /// The value that was given.
    pub value: f64,
    /// The range that is allowed, in words.
    pub range: &'static str,
}

/// A handle that nobody holds, lighter than most (kg, kg m²): what the peak does to it is the largest acceleration.
const BARE: [f64; 2] = [0.05, 1e-4];
/// From nothing to the peak (s).
const RISE: f64 = 0.02;
/// How long a measurement stays good, and how late a cycle may be, unless the device is less patient (s).
const PATIENCE: f64 = 0.005;
