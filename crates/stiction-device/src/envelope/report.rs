//! What the envelope did, as plain data: to be published in every cycle.

use super::passivity::Energy;

/// What the envelope is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No good measurement yet: nothing is sent.
    Off,
    /// Soft start: the gain goes from 0 to 1.
    Ramping,
    /// All that is allowed is sent.
    Running,
    /// After a fault: the last wrench shrinks along its own direction.
    Fading,
    /// Nothing is sent until all causes have been gone for a while.
    Waiting,
    /// Nothing is sent until [`rearm`](super::Envelope::rearm).
    Latched,
}

impl Phase {
    /// Its number in recordings and frames, in the order above.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// A cause for which the envelope takes force away, the worst first. The table of [`envelope`](super) says what each one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The device's emergency stop is pressed.
    EmergencyStop,
    /// [`stop`](super::Envelope::stop) was called.
    Stopped,
    /// The device says that it is broken.
    DeviceFailure,
    /// The engine panicked and gave no wrench.
    NoAnswer,
    /// Many answers in a row were not finite.
    BrokenEngine,
    /// The handle is too fast.
    OverSpeed,
    /// The motors have no power.
    Unpowered,
    /// The dead-man switch says that there is no hand.
    NoHand,
    /// The measured pose or twist is not finite, or no pose.
    BadPose,
    /// The pose went further in a cycle than anything can.
    Jump,
    /// A clock went back: the device's or the host's.
    ClockReversed,
    /// No new measurement for too long.
    Stale,
    /// The cycle was much too late.
    MissedDeadline,
    /// An answer was not finite.
    BadAnswer,
    /// The device is being armed, or could not be armed.
    NotArmed,
}

impl Fault {
    /// All faults, the worst first.
    pub const ALL: [Fault; 15] = [
        Fault::EmergencyStop,
        Fault::Stopped,
        Fault::DeviceFailure,
        Fault::NoAnswer,
        Fault::BrokenEngine,
        Fault::OverSpeed,
        Fault::Unpowered,
        Fault::NoHand,
        Fault::BadPose,
        Fault::Jump,
        Fault::ClockReversed,
        Fault::Stale,
        Fault::MissedDeadline,
        Fault::BadAnswer,
        Fault::NotArmed,
    ];

    /// Name of the fault, for display.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::EmergencyStop => "emergency stop",
            Fault::Stopped => "stopped",
            Fault::DeviceFailure => "device failure",
            Fault::NoAnswer => "no answer",
            Fault::BrokenEngine => "broken engine",
            Fault::OverSpeed => "over-speed",
            Fault::Unpowered => "no power",
            Fault::NoHand => "no hand",
            Fault::BadPose => "bad pose",
            Fault::Jump => "pose jump",
            Fault::ClockReversed => "clock reversed",
            Fault::Stale => "stale pose",
            Fault::MissedDeadline => "missed deadline",
            Fault::BadAnswer => "bad answer",
            Fault::NotArmed => "not armed",
        }
    }

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

/// What changes a wrench, or is worth counting, without being a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intervention {
    /// The force asked for was beyond its peak limit.
    ForceClamped,
    /// The torque likewise.
    TorqueClamped,
    /// The force was shortened because the motors have been working: the thermal budget.
    ForceDerated,
    /// The torque likewise.
    TorqueDerated,
    /// The force changed more slowly than asked for.
    ForceSlewed,
    /// The torque likewise.
    TorqueSlewed,
    /// The passivity controller scaled the wrench down.
    PassivityScaled,
    /// The passivity controller was in debt and braked.
    PassivityDamped,
    /// The device says that it is hot.
    DeviceHot,
    /// The device had no new measurement.
    MeasurementRepeated,
    /// The cycle was later than a whole period.
    CycleLate,
}

impl Intervention {
    /// All interventions, in the order of their declaration.
    pub const ALL: [Intervention; 11] = [
        Intervention::ForceClamped,
        Intervention::TorqueClamped,
        Intervention::ForceDerated,
        Intervention::TorqueDerated,
        Intervention::ForceSlewed,
        Intervention::TorqueSlewed,
        Intervention::PassivityScaled,
        Intervention::PassivityDamped,
        Intervention::DeviceHot,
        Intervention::MeasurementRepeated,
        Intervention::CycleLate,
    ];

    /// Name of the intervention, for display.
    pub const fn name(self) -> &'static str {
        match self {
            Intervention::ForceClamped => "force clamped",
            Intervention::TorqueClamped => "torque clamped",
            Intervention::ForceDerated => "force derated",
            Intervention::TorqueDerated => "torque derated",
            Intervention::ForceSlewed => "force slewed",
            Intervention::TorqueSlewed => "torque slewed",
            Intervention::PassivityScaled => "passivity scaled",
            Intervention::PassivityDamped => "passivity damped",
            Intervention::DeviceHot => "device hot",
            Intervention::MeasurementRepeated => "measurement repeated",
            Intervention::CycleLate => "cycle late",
        }
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
    pub interventions: [u64; 11],
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
            interventions: [0; 11],
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
