//! What a frame says of a lane besides its view: counts since the last frame, the word, margin and sentence.

use crate::live::{ContactView, LaneView};
use crate::sentence::{LaneInfo, margin, sentence};
use crate::verdict::{LaneSpan, PartMotion, SEEN, STEADY, SteadyMotion};
use crate::volume_words;
use crate::wire::LaneExtra;
use stiction::friction::{Method, SlipState};
use stiction::probe::Margins;
use stiction::spatial::{Vec3, Vec6, halves};
use stiction::trace::Trace;
use stiction_formation::FormationTick;
use stiction_formation::naming::PointContact;
use stiction_formation::tick::formation_of;
use stiction_formation::words::some_formation_words;
use stiction_scene::EngineKind;
use stiction_volume::VolumeTick;

/// Counts of a lane at its last frame, and the words that it had there.
#[derive(Clone, Debug, Default)]
pub struct LaneReport {
    ticks: u64,
    slipped: u64,
    slid: f64,
    cpu: u64,
    motion: Option<SteadyMotion>,
    touches: TouchWords,
}

impl LaneReport {
    /// Number of the lane's ticks at its last frame.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// What the next frame says of the lane, `real` seconds after the last one. Words, margin and sentence are left out where its engine has none.
    pub fn next(
        &mut self,
        info: Option<&LaneInfo>,
        lane: &LaneView,
        margins: Option<&Margins>,
        real: f64,
    ) -> LaneExtra {
        let ticks = lane.ticks.saturating_sub(self.ticks);
        let slipped = lane.slipped.saturating_sub(self.slipped);
        let (way, cpu) = (lane.slid - self.slid, lane.cpu.saturating_sub(self.cpu) as f64 * 1e-9);
        (self.ticks, self.slipped, self.slid, self.cpu) = (lane.ticks, lane.slipped, lane.slid, lane.cpu);
        let cpu_mean = if ticks > 0 { cpu / ticks as f64 } else { f64::NAN };
        let counted = LaneExtra { ticks: ticks as u32, slipped: slipped as u32, cpu_mean, ..LaneExtra::default() };
        if let Some((info, tick)) = info.and_then(|info| Some((info, info.volume(&lane.row)?))) {
            return self.of_volume(info, lane, &tick, real, counted);
        }
        let Some((info, trace)) = info.and_then(|info| Some((info, info.trace(&lane.row)?))) else { return counted };
        let last = PartMotion::of(info, &trace);
        let motion = self.motion.get_or_insert(SteadyMotion::new(last));
        let span = LaneSpan { last, slid: slipped > 0, way, simulated: ticks as f64 / info.rate, real };
        motion.take(&span);
        let touches = self.touches.next(motion.word, &span, || touching(info, lane));
        LaneExtra {
            word: Some(motion.word),
            speed: motion.speed,
            margin: if trace.contacts == 0 { f64::NAN } else { margin(info, margins) },
            weakest: weakest(motion.word, &trace, margins),
            sentence: format!("{}{touches}", sentence(info, motion, &trace, lane.creep, margins)),
            ..counted
        }
    }
}

impl LaneReport {
    /// The same for the engine of contact volumes, `real` seconds after the last frame. A hand that holds nothing has no word.
    fn of_volume(
        &mut self,
        info: &LaneInfo,
        lane: &LaneView,
        tick: &VolumeTick,
        real: f64,
        counted: LaneExtra,
    ) -> LaneExtra {
        let last = volume_words::motion(tick);
        match last {
            None => self.motion = None,
            Some(last) => {
                let slid = last == PartMotion::Slides;
                let simulated = f64::from(counted.ticks) / info.rate;
                let span = LaneSpan { last, slid, way: 0.0, simulated, real };
                self.motion.get_or_insert(SteadyMotion::new(last)).take(&span);
            }
        }
        let word = self.motion.map(|motion| motion.word);
        LaneExtra { word, sentence: volume_words::sentence(info, word, tick, lane), ..counted }
    }
}

/// What touches, in words that go with the word of the part. That a part slides is said a moment longer than it does ([`STEADY`], [`SEEN`]), and so is what it slid on: when
/// it stops, both change in the same frame.
#[derive(Clone, Debug, Default)]
struct TouchWords {
    said: String,
    /// How long the part has not slid although that is said (s, simulated and real).
    waiting: Option<[f64; 2]>,
}

impl TouchWords {
    /// The words after some more ticks, after which the part has a word; `now` says what touches in the last of them.
    fn next(&mut self, word: PartMotion, span: &LaneSpan, now: impl FnOnce() -> String) -> &str {
        let waits = word == PartMotion::Slides && span.last != PartMotion::Slides;
        let passed = |[simulated, real]: [f64; 2]| [simulated + span.simulated, real + span.real];
        self.waiting = waits.then(|| self.waiting.map_or([0.0; 2], passed));
        // A part that sticks and slides in turns may be seen sticking for long: what it touches is not to be older than a moment.
        if self.waiting.is_none_or(|[simulated, real]| simulated >= STEADY || real >= SEEN) {
            self.said = now();
        }
        &self.said
    }
}

/// Contacts that a sentence tells; of more, their number is told.
const TOLD: usize = 3;

/// What touches what, as the rest of a sentence; empty if nothing does, or the contacts have no names.
fn touching(info: &LaneInfo, lane: &LaneView) -> String {
    let contacts = match (info.engine, &info.namer) {
        (EngineKind::Formation, _) => formation_of(FormationTick::columns(), &lane.row).unwrap_or_default(),
        (EngineKind::QuasiStatic, None) | (EngineKind::Volume, _) => Vec::new(),
        (EngineKind::QuasiStatic, Some(namer)) => {
            let vector = |n: &[f32]| Vec3::new(n[0].into(), n[1].into(), n[2].into());
            let touching = lane.in_use().iter().filter(|c| c.state != SlipState::Separated as u32);
            let point = |c: &ContactView| PointContact {
                position: vector(&c.numbers[..3]),
                normal: vector(&c.numbers[3..6]),
                sliding: c.state == SlipState::Sliding as u32,
            };
            let named = namer.names(&lane.hand.body, touching.map(point));
            named.iter().map(|n| (n.contact, n.rule())).collect()
        }
    };
    let frictionless = info.engine == EngineKind::QuasiStatic && info.method == Method::Frictionless;
    if contacts.is_empty() {
        String::new()
    } else {
        format!(". Touches: {}", some_formation_words(&contacts, TOLD, frictionless))
    }
}

/// The motion that would begin, or has begun: zero for a part that nothing moves or holds.
fn weakest(word: PartMotion, trace: &Trace, margins: Option<&Margins>) -> Vec6 {
    let known = margins.map_or(Vec6::zeros(), |m| m.weakest);
    match word {
        PartMotion::Slides if halves(&known) == Default::default() => trace.step,
        PartMotion::Slides | PartMotion::Holds => known,
        _ => Vec6::zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PartMotion::{Holds, Slides};

    fn span(last: PartMotion, slid: bool) -> LaneSpan {
        LaneSpan { last, slid, way: 0.0, simulated: 0.011, real: 0.011 }
    }

    #[test]
    fn when_a_part_stops_its_word_and_those_of_its_contacts_change_in_the_same_frame() {
        let (mut motion, mut touches) = (SteadyMotion::new(Holds), TouchWords::default());
        let mut said = Vec::new();
        // It slides, and stops between two frames.
        for (last, slid) in [(Slides, true), (Slides, true), (Holds, true)].into_iter().chain([(Holds, false); 20]) {
            let span = span(last, slid);
            motion.take(&span);
            let now = if last == Slides { "sliding" } else { "sticking" };
            said.push((motion.word, touches.next(motion.word, &span, || now.into()).to_owned()));
        }
        for (word, touches) in &said {
            assert_eq!(touches, if *word == Slides { "sliding" } else { "sticking" }, "{said:?}");
        }
        assert_eq!(said.last().map(|(word, _)| *word), Some(Holds), "{said:?}");
    }

    #[test]
    fn what_touches_is_not_older_than_a_moment_however_long_a_part_sticks_and_slides_in_turns() {
        let mut touches = TouchWords::default();
        touches.next(Slides, &span(Slides, true), || "an edge".into());
        let said: Vec<String> =
            (0..20).map(|_| touches.next(Slides, &span(Holds, true), || "a face".into()).to_owned()).collect();
        assert_eq!([said[0].as_str(), said[19].as_str()], ["an edge", "a face"], "{said:?}");
    }
}
