//! A scene, its devices and a recording wired together: what the program, the viewer and bindings use.
//!
//! [`Plan`] is all that a session depends on, as text, so that a recording can carry it; [`Session`] is a plan with its shapes baked. From it come
//! the [arms](Session::arms) of a servo loop with simulated devices, or with [others](Session::attached), the [`Header`](stiction_record::Header) of a recording, and
//! [`replay`](Session::replay), which runs the same servos on recorded inputs and demands the same bits.
#![forbid(unsafe_code)]

mod calibrate;
mod capabilities;
mod carry;
mod convert;
mod device;
#[cfg(doctest)]
mod documents;
mod engines;
mod error;
mod plan;
mod replay;
mod session;
mod slow_engine;
mod summed_engine;
mod wrench_checker;

pub use calibrate::Calibration;
pub use carry::Carry;
pub use convert::{RecordSink, columns_in_words, entry};
pub use device::{Pace, SceneDevice};
pub use error::SessionError;
pub use plan::{HandWord, Plan, SimWord};
pub use replay::{Difference, Replayed};
pub use session::Session;
pub use slow_engine::SlowEngine;
pub use summed_engine::SummedEngine;
pub use wrench_checker::WrenchChecker;
