//! Haptic devices, the safety envelope before them, and the servo loop.
//!
//! ```text
//! device.read ─▶ mapping ─▶ engine.tick ─▶ mapping ─▶ envelope.pass ─▶ device.write
//!   DeviceState  clutch       Trace        handle       SafeWrench
//! ```
//!
//! [`Device`] is the seam: what a backend must do. It takes a [`SafeWrench`], which only the [`Envelope`] can make: there is no way to a
//! motor around it. [`Servo`] is one cycle as a function of its [`ServoInput`], so that recordings replay; [`servo_loop`] calls it on a thread at
//! absolute deadlines, or on a virtual clock.

mod arming;
pub mod clock;
pub mod conformance;
pub mod device;
pub mod envelope;
pub mod exchange;
pub mod failing;
pub mod handover;
pub mod histogram;
pub mod mapping;
pub mod observer;
pub mod periodic;
pub mod realtime;
pub mod servo;
pub mod servo_loop;
pub mod sim;
mod vendor_calls;

pub use clock::{LoopClock, Tempo};
pub use device::{Alarms, Applied, Call, Caps, Device, DeviceError, DeviceState, Dofs, Drive, Enable};
pub use envelope::{
    Envelope, EnvelopeError, EnvelopeReport, Fault, Intervention, Limits, Observation, Phase, SafeWrench,
};
pub use failing::FailingSimulation;
pub use mapping::Mapping;
pub use periodic::{Periodic, PeriodicThread, Stats};
pub use observer::VelocityObserver;
pub use servo::{Commands, Grab, Port, Servo, ServoInput, ServoOutput};
pub use servo_loop::{Arm, ArmHandle, Arms, CycleSink, Running, Snapshot};
