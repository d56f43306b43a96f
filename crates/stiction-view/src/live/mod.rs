//! The loop whose hand is on a page.
//!
//! One thread at absolute deadlines, as in `stiction_device::servo_loop`; but time is its own, so that it can be paused, slowed down and stepped, and a recording of it
//! replays to the same bits: a tick is a period of simulated time, whenever it happens. Nothing in it allocates, waits or prints. What it shall do comes through a
//! triple buffer ([`Wish`]); worlds ([`Stand`]) and probes come and go in boxes through rings, made and dropped outside; what it does leaves through
//! a triple buffer ([`View`]) every [`EVERY`] ticks, however many pages look.

mod device;
mod follow;
mod lane;
mod run;
mod stand;
mod view;

pub use follow::Follower;
pub use lane::{Asked, LaneRun};
pub use run::{Live, LiveEnds, Loop, Trash, make, start};
pub use stand::Stand;
pub use view::{ContactView, Creep, LaneView, MOST_CONTACTS, View};

use stiction::spatial::Pose;

/// Ticks from one view to the next.
pub const EVERY: u64 = 4;
/// Cycles from one question for margins to the next.
pub const PROBE_EVERY: u64 = 64;

/// Who moves the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The scene's own motion.
    Script,
    /// A page.
    Page,
    /// Nobody: the hand follows the part, so that the coupling pulls at nothing.
    Part,
}

/// What the loop shall do. Plain data, handed over whole.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Who moves the hand.
    pub source: Source,
    /// Where the page wants it (world from part).
    pub hand: Pose,
    /// Number of the message that said so.
    pub seq: f64,
    /// No ticks but [`steps`](Self::steps).
    pub paused: bool,
    /// Ticks for each period of real time, up to 1.
    pub speed: f64,
    /// All ticks ever asked for by single steps.
    pub steps: u64,
}

impl Wish {
    /// The scene's own motion at full speed.
    pub fn new() -> Self {
        Wish { source: Source::Script, hand: Pose::identity(), seq: 0.0, paused: false, speed: 1.0, steps: 0 }
    }
}

impl Default for Wish {
    fn default() -> Self {
        Self::new()
    }
}
