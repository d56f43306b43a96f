//! What the loop shows of itself: plain data of a fixed size, copied out without allocating.

use super::Source;
use stiction::spatial::{Pose, Vec3};
use stiction::trace::{ContactTrace, Trace};
use stiction_device::Phase;

/// Most contacts of a lane that are shown; of more, as many spread evenly.
pub const MOST_CONTACTS: usize = 1024;

/// A contact for display.
#[derive(Clone, Copy, Debug)]
pub struct ContactView {
    /// Number of the shell point.
    pub id: u32,
    /// 0 separated, 1 stuck, 2 sliding.
    pub state: u32,
    /// Position, normal, friction force and slip in the world, then normal force, limit and depth.
    pub numbers: [f32; 15],
}

impl ContactView {
    const NONE: ContactView = ContactView { id: 0, state: 0, numbers: [0.0; 15] };

    fn of(contact: &ContactTrace) -> Self {
        let mut numbers = [0.0; 15];
        for (i, v) in [&contact.position, &contact.normal, &contact.friction, &contact.slip].into_iter().enumerate() {
            (0..3).for_each(|k| numbers[3 * i + k] = v[k] as f32);
        }
        numbers[12..].copy_from_slice(&[contact.normal_force as f32, contact.limit as f32, contact.depth as f32]);
        ContactView { id: contact.id.0 as u32, state: contact.state as u32, numbers }
    }
}

/// One lane: one engine.
#[derive(Clone, Copy, Debug)]
pub struct LaneView {
    /// The last tick.
    pub trace: Trace,
    /// The safety envelope.
    pub phase: Phase,
    /// Ticks, slipped ones and CPU time (ns) since the stand began.
    pub ticks: u64,
    /// See `ticks`.
    pub slipped: u64,
    /// See `ticks`.
    pub cpu: u64,
    /// Longest tick since the last view (ns).
    pub cpu_longest: u64,
    /// How far the part is from where it began to hold (m).
    pub creep: f64,
    /// How many of `contacts` are in use.
    pub shown: u32,
    /// The contacts.
    pub contacts: [ContactView; MOST_CONTACTS],
}

impl LaneView {
    /// A lane in which nothing has happened.
    pub fn new(trace: Trace) -> Self {
        LaneView {
            trace,
            phase: Phase::Off,
            ticks: 0,
            slipped: 0,
            cpu: 0,
            cpu_longest: 0,
            creep: 0.0,
            shown: 0,
            contacts: [ContactView::NONE; MOST_CONTACTS],
        }
    }

    /// Takes the contacts of a tick.
    pub fn take(&mut self, contacts: impl ExactSizeIterator<Item = ContactTrace>) {
        let stride = contacts.len().div_ceil(MOST_CONTACTS).max(1);
        self.shown = 0;
        for (to, contact) in self.contacts.iter_mut().zip(contacts.step_by(stride)) {
            *to = ContactView::of(&contact);
            self.shown += 1;
        }
    }

    /// The contacts that are in use.
    pub fn in_use(&self) -> &[ContactView] {
        &self.contacts[..(self.shown as usize).min(MOST_CONTACTS)]
    }
}

/// The loop at a moment.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Number of the stand, and of its shapes.
    pub stand: u64,
    /// See `stand`.
    pub generation: u32,
    /// Who moves the hand.
    pub source: Source,
    /// Whether it waits.
    pub paused: bool,
    /// Ticks for each period of real time.
    pub speed: f64,
    /// Simulated time since the last reset (s), and ticks of it.
    pub time: f64,
    /// See `time`.
    pub tick: u64,
    /// The last message about the hand in force.
    pub seq: f64,
    /// The hand (world from part).
    pub hand: Pose,
    /// Deadlines that were skipped, and the latest start of a cycle since the last view (ns).
    pub skipped: u64,
    /// See `skipped`.
    pub late: u64,
    /// Cycles of the loop, ticks or not.
    pub cycles: u64,
    /// How many lanes there are.
    pub lanes: u32,
    /// The lanes.
    pub lane: [LaneView; 2],
}

impl View {
    /// Before anything has happened.
    pub fn new(trace: Trace) -> Self {
        View {
            stand: 0,
            generation: 0,
            source: Source::Script,
            paused: false,
            speed: 1.0,
            time: 0.0,
            tick: 0,
            seq: 0.0,
            hand: trace.hand,
            skipped: 0,
            late: 0,
            cycles: 0,
            lanes: 0,
            lane: [LaneView::new(trace); 2],
        }
    }

    /// The lanes that are there.
    pub fn lanes(&self) -> &[LaneView] {
        &self.lane[..(self.lanes as usize).min(2)]
    }
}

/// Where a part began to hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Creep {
    from: Option<Vec3>,
}

impl Creep {
    /// How far the part is from there, in a tick that holds or does not.
    pub fn of(&mut self, holds: bool, at: &Vec3) -> f64 {
        if !holds {
            self.from = None;
            return 0.0;
        }
        (at - *self.from.get_or_insert(*at)).norm()
    }
}
