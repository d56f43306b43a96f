//! The time that a tick spends in each of its stages, for benchmarks. The engine has no clock of its own and calls none unless it is given one.

/// A stage of a tick with hard contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The walk of the shells through the other part's field, with its samples.
    Walk,
    /// Building the contacts of the points that the walk reports.
    Contacts,
    /// Newton's method.
    Solve,
    /// The look at where the step ends, with its walk, which is the walk of the next solve too.
    Ahead,
    /// All the rest of the cycle: coupling, geometric stiffness, what contacts remember, the trace.
    Rest,
}

impl Stage {
    /// All stages with their names, in the order of [`StageTimes::nanoseconds`].
    pub const ALL: [(Stage, &'static str); 5] = [
        (Stage::Walk, "walk"),
        (Stage::Contacts, "contacts"),
        (Stage::Solve, "solve"),
        (Stage::Ahead, "ahead"),
        (Stage::Rest, "rest"),
    ];
}

/// Sums of the time in each stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageTimes {
    /// What a clock showed of each stage (ns), in the order of [`Stage::ALL`].
    pub nanoseconds: [u64; Stage::ALL.len()],
}

/// Tells the time of the stages apart, where there is a clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch {
    clock: Option<fn() -> u64>,
    since: u64,
    pub times: StageTimes,
}

impl Stopwatch {
    /// With a clock that counts nanoseconds, or without one.
    pub fn new(clock: Option<fn() -> u64>) -> Self {
        Stopwatch { clock, ..Stopwatch::default() }
    }

    /// Begins a tick.
    #[inline(always)]
    pub fn begin(&mut self) {
        if let Some(clock) = self.clock {
            self.since = clock();
        }
    }

    /// A stage has ended: the time since the last one ended was its own.
    #[inline(always)]
    pub fn end(&mut self, stage: Stage) {
        if let Some(clock) = self.clock {
            let now = clock();
            self.times.nanoseconds[stage as usize] += now.saturating_sub(self.since);
            self.since = now;
        }
    }
}
