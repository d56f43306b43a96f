//! What a part does, in a word: the one source of badge, bands, sentence, path and gauge.
//!
//! The word says what moves. A tick slides where its verdict is that friction cannot hold the part *and* a contact slides faster than [`SLOWEST`]; a part that stays although some of
//! its contacts are at their limit, and give way by nanometres, holds. A part may slide in one tick and be held in the next, a hundred times a second; so a word stands for what the last moments were: that
//! the part slides is said at once, any other change once it has lasted for [`STEADY`] of simulated time, or for [`SEEN`] of real time where that passes sooner (slow motion, single steps).

use crate::sentence::LaneInfo;
use stiction::friction::{Method, Verdict};
use stiction::trace::Trace;

/// How long another word than "slides" must have lasted before it is said (s, simulated).
pub const STEADY: f64 = 0.1;
/// The same in real time (s).
pub const SEEN: f64 = 0.25;
/// Time over which the speed of sliding is averaged (s).
const AVERAGED: f64 = 0.1;
/// Slower than so many radii in a second a part is not said to slide: in an hour it would not have gone by a third of its size.
pub const SLOWEST: f64 = 1e-4;

stiction::named! {
    /// What a part does, in a word.
    pub enum PartMotion {
        /// Nothing touches it, or no contact can carry friction.
        Free = "free",
        /// Friction holds it.
        Holds = "holds",
        /// It rolls on its contacts or turns about them, and none of them slides.
        Rolls = "rolls",
        /// Friction cannot hold it, and it moves.
        Slides = "slides",
        /// The solver ran out of work.
        Undecided = "undecided",
        /// It touches, and there is no friction that could hold it.
        Frictionless = "no friction",
    }
}

impl PartMotion {
    /// What the part of a lane does in a tick.
    pub fn of(lane: &LaneInfo, trace: &Trace) -> Self {
        let moves = lane.way(trace) * lane.rate > SLOWEST * lane.radius;
        match trace.verdict {
            _ if trace.contacts == 0 => PartMotion::Free,
            _ if lane.method == Method::Frictionless => PartMotion::Frictionless,
            Verdict::Free => PartMotion::Free,
            Verdict::Slips if moves => PartMotion::Slides,
            Verdict::Holds | Verdict::Slips => PartMotion::Holds,
            Verdict::Rolls => PartMotion::Rolls,
            Verdict::Undecided => PartMotion::Undecided,
        }
    }
}

/// What happened in some ticks of a lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneSpan {
    /// What the part does in the last of them.
    pub last: PartMotion,
    /// Whether it slid in any of them.
    pub slid: bool,
    /// How far the fastest contact slid in all of them (m).
    pub way: f64,
    /// Their simulated time (s).
    pub simulated: f64,
    /// Real time since the ticks before them (s).
    pub real: f64,
}

/// The word of a lane, and how fast its part slides.
#[derive(Clone, Copy, Debug)]
pub struct SteadyMotion {
    /// What the part does.
    pub word: PartMotion,
    /// How fast the fastest contact slides (m/s); 0 unless the part slides.
    pub speed: f64,
    /// What it may do instead, and how long it has so far (s, simulated and real).
    other: (PartMotion, f64, f64),
}

impl SteadyMotion {
    /// The word of a lane that begins with this.
    pub fn new(word: PartMotion) -> Self {
        SteadyMotion { word, speed: 0.0, other: (word, 0.0, 0.0) }
    }

    /// Takes some more ticks, or real time without a tick.
    pub fn take(&mut self, span: &LaneSpan) {
        if span.slid {
            (self.word, self.other) = (PartMotion::Slides, (PartMotion::Slides, 0.0, 0.0));
        }
        if span.last == self.word || span.last != self.other.0 {
            self.other = (span.last, 0.0, 0.0);
        } else {
            (self.other.1, self.other.2) = (self.other.1 + span.simulated, self.other.2 + span.real);
            if self.other.1 >= STEADY || self.other.2 >= SEEN {
                self.word = span.last;
            }
        }
        let weight = 1.0 - libm::exp(-span.simulated / AVERAGED);
        let now = if span.simulated > 0.0 { span.way / span.simulated } else { self.speed };
        self.speed = match self.word {
            PartMotion::Slides if self.speed > 0.0 => self.speed + weight * (now - self.speed),
            PartMotion::Slides => now,
            _ => 0.0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PartMotion::{Free, Frictionless, Holds, Slides};
    use std::sync::{Arc, LazyLock};
    use stiction::spatial::{Pose, Vec3};
    use stiction_scene::EngineKind;

    static LANE: LazyLock<LaneInfo> = LazyLock::new(|| LaneInfo {
        engine: EngineKind::QuasiStatic,
        namer: None,
        bodies: Arc::default(),
        method: Method::Hold,
        mu: [0.5, 0.4],
        radius: 0.05,
        rate: 1000.0,
    });

    fn tick(verdict: Verdict, slip: f64) -> Trace {
        let blank = Trace::blank(&Pose::identity(), &Vec3::zeros());
        Trace { verdict, contacts: 9, slip, ..blank }
    }

    fn span(last: PartMotion, seconds: f64) -> LaneSpan {
        LaneSpan { last, slid: last == Slides, way: 1e-3 * seconds, simulated: seconds, real: 0.011 }
    }

    #[test]
    fn the_word_says_what_moves() {
        let of = |verdict, slip| PartMotion::of(&LANE, &tick(verdict, slip));
        assert_eq!(of(Verdict::Slips, 1e-6), Slides);
        assert_eq!(of(Verdict::Slips, 0.0), Holds, "contacts at their limit do not move a part");
        assert_eq!(of(Verdict::Slips, 4e-10), Holds, "nor do those that give way by 400 nm/s");
        assert_eq!(of(Verdict::Holds, 0.0), Holds);
        assert_eq!(of(Verdict::Free, 1e-6), Free);
    }

    #[test]
    fn where_no_slip_is_told_the_step_of_the_part_counts() {
        let step = stiction::spatial::Vec6::new(0.0, 0.0, -3e-7, 0.0, 0.0, 0.0);
        let penalty = Trace { step, ..tick(Verdict::Slips, 0.0) };
        assert_eq!((PartMotion::of(&LANE, &penalty), LANE.way(&penalty)), (Slides, 3e-7));
    }

    #[test]
    fn without_friction_nothing_ever_holds() {
        for verdict in [Verdict::Holds, Verdict::Slips, Verdict::Rolls, Verdict::Undecided, Verdict::Free] {
            for slip in [0.0, 1e-6] {
                let lane = LaneInfo { method: Method::Frictionless, ..LANE.clone() };
                let word = PartMotion::of(&lane, &tick(verdict, slip));
                assert_eq!(word, Frictionless, "{verdict:?}");
            }
        }
    }

    #[test]
    fn stick_and_slip_in_turns_is_sliding_without_flicker() {
        let mut steady = SteadyMotion::new(Holds);
        let mut changes = 0;
        for i in 0..300 {
            let before = steady.word;
            steady.take(&span(if i % 3 == 0 { Slides } else { Holds }, 0.011));
            changes += u32::from(before != steady.word);
        }
        assert_eq!((steady.word, changes), (Slides, 1));
        assert!((steady.speed - 1e-3).abs() < 1e-9, "{}", steady.speed);
        for _ in 0..12 {
            steady.take(&span(Holds, 0.011));
        }
        assert_eq!((steady.word, steady.speed), (Holds, 0.0), "held for a tenth of a second");
    }

    #[test]
    fn a_slip_is_said_at_once_and_a_touch_that_comes_and_goes_is_not() {
        let mut steady = SteadyMotion::new(Free);
        for i in 0..100 {
            steady.take(&span(if i % 2 == 0 { Holds } else { Free }, 0.011));
            assert_eq!(steady.word, Free);
        }
        steady.take(&span(Slides, 0.001));
        assert_eq!(steady.word, Slides);
    }

    #[test]
    fn in_slow_motion_real_time_counts() {
        let mut steady = SteadyMotion::new(Slides);
        for _ in 0..25 {
            steady.take(&span(Holds, 0.0));
        }
        assert_eq!(steady.word, Holds);
    }
}
