//! The state machine: when force is rendered, fades, and comes back.
//!
//! ```text
//! Off ──▶ Ramping ──▶ Running          Ramping, Running ──fault──▶ Fading ──▶ Waiting or Latched
//!            ▲                                            (cut) ────────────▶ Waiting or Latched
//!            └── Waiting, all clear for `settle`           Latched ──rearm──▶ Waiting
//! ```

use super::limits::Limits;
use super::report::{Fault, Phase};
use super::watch::Found;

/// Phase and timers, in cycles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    phase: Phase,
    fault: Option<Fault>,
    ramp_cycles: u32,
    fade_cycles: u32,
    settle_cycles: u32,
    /// Into the ramp.
    ramped: u32,
    /// Left of the fade.
    left: u32,
    /// Without any fault.
    clear: u32,
}

/// The wrench that a phase sends, as a share of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Share {
    /// A share of the wrench that the engine asks for, 0 to 1.
    Asked(f64),
    /// A share of the wrench that was sent last, 0 to 1.
    Last(f64),
    /// No wrench at all.
    Nothing,
}

impl Machine {
    pub fn new(limits: &Limits, period: f64) -> Self {
        // Rounding must not make 20 ms of 1 ms cycles 21.
        let cycles = |seconds: f64| ((seconds / period - 1e-6).ceil() as u32).max(1);
        Machine {
            phase: Phase::Off,
            fault: None,
            ramp_cycles: cycles(limits.soft_start),
            fade_cycles: cycles(limits.fade),
            settle_cycles: cycles(limits.settle),
            ramped: 0,
            left: 0,
            clear: 0,
        }
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Takes the latch away, if that is the phase; whether it was.
    pub fn rearm(&mut self) -> bool {
        let latched = self.phase == Phase::Latched;
        if latched {
            (self.phase, self.fault, self.clear) = (Phase::Waiting, None, 0);
        }
        latched
    }

    /// One cycle.
    pub fn step(&mut self, found: Found, measured: bool) -> Share {
        let idle = matches!(self.phase, Phase::Off | Phase::Waiting);
        // A handle that moves fast without force is no accident: it only has to slow down first.
        let fast = idle && found.has(Fault::OverSpeed);
        let found = if fast { found.without(Fault::OverSpeed) } else { found };
        if let Some(worst) = found.iter().next() {
            self.fault = Some(self.fault.map_or(worst, |old| old.min(worst)));
            self.clear = 0;
            self.phase = match self.phase {
                Phase::Ramping | Phase::Running | Phase::Fading if found.iter().any(Fault::cuts) => self.rest(),
                Phase::Ramping | Phase::Running => {
                    self.left = self.fade_cycles;
                    Phase::Fading
                }
                Phase::Fading => Phase::Fading,
                Phase::Off | Phase::Waiting | Phase::Latched => self.rest(),
            };
        } else if fast {
            self.clear = 0;
        } else {
            self.clear = self.clear.saturating_add(1);
            match self.phase {
                Phase::Off if measured => self.engage(),
                Phase::Waiting if measured && self.clear >= self.settle_cycles => self.engage(),
                Phase::Off | Phase::Running | Phase::Fading | Phase::Waiting | Phase::Latched => {}
                Phase::Ramping => self.ramped = self.ramped.saturating_add(1),
            }
        }
        self.share()
    }

    fn engage(&mut self) {
        (self.phase, self.fault, self.ramped) = (Phase::Ramping, None, 1);
    }

    /// Where a fault ends.
    fn rest(&self) -> Phase {
        if self.fault.is_some_and(Fault::latches) { Phase::Latched } else { Phase::Waiting }
    }

    fn share(&mut self) -> Share {
        match self.phase {
            Phase::Ramping => {
                if self.ramped >= self.ramp_cycles {
                    self.phase = Phase::Running;
                }
                let s = (f64::from(self.ramped) / f64::from(self.ramp_cycles)).min(1.0);
                Share::Asked(s * s * (3.0 - 2.0 * s))
            }
            Phase::Running => Share::Asked(1.0),
            Phase::Fading => {
                // Of what is left: a straight line to zero.
                let share = f64::from(self.left.saturating_sub(1)) / f64::from(self.left.max(1));
                self.left = self.left.saturating_sub(1);
                if self.left > 0 {
                    return Share::Last(share);
                }
                self.phase = self.rest();
                Share::Nothing
            }
            Phase::Off | Phase::Waiting | Phase::Latched => Share::Nothing,
        }
    }
}
