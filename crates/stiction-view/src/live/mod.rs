//! The loop whose hand is on a page.
//!
//! It is [`Periodic`](stiction_device::Periodic), as servo loops are, with the servo loop's own arms; but its time is a [`LoopClock`](stiction_device::LoopClock), so that it can be
//! paused, slowed down and stepped, and a recording of it replays to the same bits: a tick is a period of simulated time, whenever it happens. Nothing in it allocates, waits or prints. What it shall do comes through a
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
pub use run::{LiveEnds, Loop, Trash, make, start};
pub use stand::Stand;
pub use view::{ContactView, Creep, LaneView, MOST_CONTACTS, ShowContacts, View};

use stiction::spatial::Pose;
use stiction_device::Tempo;

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
    /// How fast simulated time goes.
    pub tempo: Tempo,
}

impl Wish {
    /// The scene's own motion at full speed.
    pub fn new() -> Self {
        Wish { source: Source::Script, hand: Pose::identity(), seq: 0.0, tempo: Tempo::default() }
    }
}

impl Default for Wish {
    fn default() -> Self {
        Self::new()
    }
}
