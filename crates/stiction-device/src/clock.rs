//! The time of a loop: simulated time that goes as real time does, slower, in single steps or not at all.
//!
//! Ticks have a fixed length of simulated time. [`LoopClock::ticks`] says how many of them a period of real time makes; so a loop that is paused or slowed down differs from one at full speed in
//! nothing that a tick can see, and its recording replays to the same bits. A virtual clock is one whose periods are not waited for.

/// How fast simulated time goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tempo {
    /// Simulated time stands still but for [`steps`](Self::steps).
    pub paused: bool,
    /// Ticks for each period of real time, 0 to 1.
    pub speed: f64,
    /// Number of all single steps that were ever asked for.
    pub steps: u64,
}

impl Default for Tempo {
    /// Full speed.
    fn default() -> Self {
        Tempo { paused: false, speed: 1.0, steps: 0 }
    }
}

/// Most single steps in one period, so that a thousand of them do not hold it up.
const MOST_STEPS: u64 = 4;

/// Counts the ticks of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopClock {
    /// Parts of a tick that are due.
    due: f64,
    /// Single steps that were made.
    steps: u64,
}

impl LoopClock {
    /// Number of ticks to make in this period of real time. A pause makes at least `least` of them.
    pub fn ticks(&mut self, tempo: &Tempo, least: u64) -> u64 {
        if tempo.paused {
            self.due = 0.0;
            let steps = tempo.steps.saturating_sub(self.steps).min(MOST_STEPS);
            self.steps += steps;
            return steps.max(least);
        }
        self.steps = tempo.steps;
        // What is not a number stands still.
        self.due += if tempo.speed > 0.0 { tempo.speed.min(1.0) } else { 0.0 };
        let tick = self.due >= 1.0;
        self.due -= f64::from(tick);
        u64::from(tick)
    }

    /// Begins anew; single steps that were asked for before do not count.
    pub fn reset(&mut self) {
        self.due = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_follow_the_tempo() {
        let mut clock = LoopClock::default();
        let count = |clock: &mut LoopClock, tempo: Tempo| (0..100).map(|_| clock.ticks(&tempo, 0)).sum::<u64>();
        assert_eq!(count(&mut clock, Tempo::default()), 100);
        assert_eq!(count(&mut clock, Tempo { speed: 0.25, ..Tempo::default() }), 25);
        assert_eq!(count(&mut clock, Tempo { speed: f64::NAN, ..Tempo::default() }), 0);
        let paused = Tempo { paused: true, ..Tempo::default() };
        let mut clock = LoopClock::default();
        assert_eq!(count(&mut clock, paused), 0);
        assert_eq!(clock.ticks(&Tempo { steps: 6, ..paused }, 0), 4);
        assert_eq!(count(&mut clock, Tempo { steps: 6, ..paused }), 2);
        assert_eq!(clock.ticks(&Tempo { steps: 6, ..paused }, 1), 1);
        // Steps that were asked for while it ran count for nothing.
        clock.ticks(&Tempo { steps: 9, ..Tempo::default() }, 0);
        assert_eq!(clock.ticks(&Tempo { steps: 9, ..paused }, 0), 0);
    }
}
