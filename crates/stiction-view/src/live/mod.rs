//! The loop whose hand is on a page.
//!
//! It is [`Periodic`](stiction_device::Periodic), as servo loops are, with the servo loop's own arms; but its time is a [`LoopClock`](stiction_device::LoopClock), so that it can be
//! paused, slowed down and stepped, and a recording of it replays to the same bits: a tick is a period of simulated time, whenever it happens. Nothing in it allocates, waits or prints. What it shall do comes through a
//! triple buffer ([`LoopCommands`]); worlds ([`LiveWorld`]) and probes come and go in boxes through rings, made and dropped outside; what it does leaves through
//! a triple buffer ([`LoopView`]) every [`EVERY`] ticks, however many pages look.

mod areas;
mod device;
mod follow;
mod lane;
mod run;
mod tie;
mod view;
mod world;

pub use areas::{AreaView, AreasView, MOST_AREAS, MOST_CORNERS};
pub use follow::Follower;
pub use lane::{HandMotion, LiveLane, MarginQuestion};
pub use run::{Loop, LoopChannels, Retired, make, start};
pub use view::{ContactView, CreepMeter, LaneView, LoopView, MOST_BODIES, MOST_CONTACTS, ShowContacts};
pub use world::{LiveWorld, MOST_HANDS, Motions};

use stiction::spatial::Pose;
use stiction_device::Tempo;

/// Ticks from one view to the next.
pub const EVERY: u64 = 4;
/// Cycles from one question for margins to the next.
pub const PROBE_EVERY: u64 = 64;

/// What moves the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The scene's own motion.
    Script,
    /// The pose that a page asks for.
    Page,
    /// Nobody: the hand follows the part, so that the coupling pulls at nothing.
    Part,
    /// Nobody yet: the hand rests where the scene begins until a page asks for something.
    Waits,
    /// The scene's demonstration, forth and back without end.
    Demonstration,
}

/// Commands to the loop. Plain data, handed over as a whole.
#[derive(Clone, Copy, Debug)]
pub struct LoopCommands {
    /// What moves the hand.
    pub source: Source,
    /// Pose of the hand that the page asks for (world from part).
    pub hand: Pose,
    /// Number of the page's message that asked for this pose.
    pub seq: f64,
    /// The body that the hand was last asked to take.
    pub grab: GrabCommand,
    /// Pace of simulated time: speed, pause and single steps.
    pub tempo: Tempo,
}

/// A request to take a body or to let go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrabCommand {
    /// Number of requests so far.
    pub count: u32,
    /// The number of the body; `None` to let go.
    pub body: Option<usize>,
}

impl LoopCommands {
    /// A hand that waits, at full speed.
    pub fn new() -> Self {
        LoopCommands {
            source: Source::Waits,
            hand: Pose::identity(),
            seq: 0.0,
            grab: GrabCommand::default(),
            tempo: Tempo::default(),
        }
    }
}

impl Default for LoopCommands {
    fn default() -> Self {
        Self::new()
    }
}
