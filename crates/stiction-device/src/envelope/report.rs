//! What the envelope did, as plain data: to be published in every cycle.

use super::passivity::Energy;
use stiction::named;

named! {
    /// What the envelope is doing.
    pub enum Phase {
        /// No good measurement yet: nothing is sent.
        Off = "off",
        /// Soft start: the gain goes from 0 to 1.
        Ramping = "ramping",
        /// All that is allowed is sent.
        Running = "running",
        /// After a fault: the last wrench shrinks along its own direction.
        Fading = "fading",
        /// Nothing is sent until all causes have been gone for a while.
        Waiting = "waiting",
        /// Nothing is sent until [`rearm`](super::Envelope::rearm).
        Latched = "latched",
    }
}

impl Phase {
    /// Its number in recordings and frames, in the order above.
    pub fn number(self) -> u8 {
        self as u8
    }
}

named! {
    /// A cause for which the envelope takes force away, the worst first. The table of [`envelope`](super) says what each one does.
    #[derive(PartialOrd, Ord)]
    pub enum Fault {
        /// The device's emergency stop is pressed.
        EmergencyStop = "emergency stop",
        /// [`stop`](super::Envelope::stop) was called.
        Stopped = "stopped",
        /// The device says that it is broken.
        DeviceFailure = "device failure",
        /// The engine panicked and gave no wrench.
        NoAnswer = "no answer",
        /// Many answers in a row were not finite.
        BrokenEngine = "broken engine",
        /// The handle is too fast.
        OverSpeed = "over-speed",
        /// The motors have no power.
        Unpowered = "no power",
        /// The dead-man switch says that there is no hand.
        NoHand = "no hand",
        /// The measured pose or twist is not finite, or no pose.
        BadPose = "bad pose",
        /// The pose went further in a cycle than anything can.
        Jump = "pose jump",
        /// A clock went back: the device's or the host's.
        ClockReversed = "clock reversed",
        /// No new measurement for too long.
        Stale = "stale pose",
        /// The cycle was much too late.
        MissedDeadline = "missed deadline",
        /// An answer was not finite.
        BadAnswer = "bad answer",
        /// The device is being armed, or could not be armed.
        NotArmed = "not armed",
    }
}

impl Fault {
    /// Whether force stays away until [`rearm`](super::Envelope::rearm).
    pub const fn latches(self) -> bool {
        self as usize <= Fault::OverSpeed as usize
    }

    /// Whether zero is sent in the very cycle, without fading.
    pub const fn cuts(self) -> bool {
        matches!(
            self,
            Fault::EmergencyStop
                | Fault::Stopped
                | Fault::DeviceFailure
                | Fault::OverSpeed
                | Fault::Unpowered
                | Fault::NotArmed
        )
    }
}

named! {
    /// What changes a wrench, or is worth counting, without being a fault.
    pub enum Intervention {
        /// The force asked for was beyond its peak limit.
        ForceClamped = "force clamped",
        /// The torque likewise.
        TorqueClamped = "torque clamped",
        /// The force was shortened because the motors have been working: the thermal budget.
        ForceDerated = "force derated",
        /// The torque likewise.
        TorqueDerated = "torque derated",
        /// The force changed more slowly than asked for.
        ForceSlewed = "force slewed",
        /// The torque likewise.
        TorqueSlewed = "torque slewed",
        /// The passivity controller scaled the wrench down.
        PassivityScaled = "passivity scaled",
        /// The passivity controller was in debt and braked.
        PassivityDamped = "passivity damped",
        /// The device says that it is hot.
        DeviceHot = "device hot",
        /// The device had no new measurement.
        MeasurementRepeated = "measurement repeated",
        /// The cycle was later than a whole period.
        CycleLate = "cycle late",
    }
}

/// State of the envelope, and counts of its faults and interventions since it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvelopeReport {
    /// Phase of the envelope.
    pub phase: Phase,
    /// The worst fault since force was taken away; `None` while force may be sent.
    pub fault: Option<Fault>,
    /// How often each fault began, in the order of [`Fault::ALL`].
    pub faults: [u64; Fault::ALL.len()],
    /// In how many cycles each intervention was needed, in the order of [`Intervention::ALL`].
    pub interventions: [u64; Intervention::ALL.len()],
    /// Cycles until now.
    pub cycles: u64,
    /// Gain of soft start, 0 to 1.
    pub gain: f64,
    /// Shares of the thermal budgets that are used, force and torque, 0 to 1.
    pub heat: [f64; 2],
    /// Limits in force (N, N m): between continuous and peak.
    pub limits: [f64; 2],
    /// Energies at the port.
    pub energy: Energy,
}

impl EnvelopeReport {
    pub(super) fn new() -> Self {
        EnvelopeReport {
            phase: Phase::Off,
            fault: None,
            faults: [0; Fault::ALL.len()],
            interventions: [0; Intervention::ALL.len()],
            cycles: 0,
            gain: 0.0,
            heat: [0.0; 2],
            limits: [0.0; 2],
            energy: Energy::default(),
        }
    }

    /// How often this fault began.
    pub fn faults_of(&self, fault: Fault) -> u64 {
        self.faults[fault as usize]
    }

    /// In how many cycles this was needed.
    pub fn interventions_of(&self, what: Intervention) -> u64 {
        self.interventions[what as usize]
    }

    pub(super) fn count(&mut self, what: Intervention, happened: bool) {
        let count = &mut self.interventions[what as usize];
        *count = count.wrapping_add(u64::from(happened));
    }

    pub(super) fn began(&mut self, fault: Fault) {
        let count = &mut self.faults[fault as usize];
        *count = count.wrapping_add(1);
    }
}
