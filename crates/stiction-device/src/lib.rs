//! Haptic devices, the safety envelope before them, and the servo loop.
//!
//! ```text
//! device.read ─▶ mapping ─▶ engine.tick ─▶ mapping ─▶ envelope.pass ─▶ device.write
//!   State        clutch       Trace        handle       SafeWrench
//! ```
//!
//! [`Device`] is the seam: what a backend must do. It takes a [`SafeWrench`], which only the [`Envelope`] can make: there is no way to a
//! motor around it.

pub mod conformance;
pub mod device;
pub mod envelope;
pub mod sim;
pub mod slot;

pub use device::{Alarms, Applied, Caps, Device, DeviceError, Drive, Enable, State};
pub use envelope::{Envelope, Limits, SafeWrench};
