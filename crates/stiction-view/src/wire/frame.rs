//! Frames: the loop at a moment, as bytes.

use super::numbers;
use crate::live::{LaneView, LoopView, Source};
use crate::verdict::PartMotion;
use stiction::spatial::Vec6;

/// Values of a frame that are computed from views: rates, margins and sentences.
#[derive(Clone, Debug, Default)]
pub struct FrameFacts {
    /// Cycles of the loop in a second (Hz).
    pub rate: f64,
    /// Whether a recording is being written.
    pub recording: bool,
    /// Whether the frame shows a recording.
    pub playback: bool,
    /// Latest start of a cycle since the last frame (s).
    pub late: f64,
    /// Of each lane: margin, sentence, ticks and slipped ones since the last frame, mean CPU time (s).
    pub lanes: Vec<LaneExtra>,
}

/// What a frame says of a lane besides its view.
#[derive(Clone, Debug)]
pub struct LaneExtra {
    /// What the part does, in a word; `None` if its engine does not tell.
    pub word: Option<PartMotion>,
    /// How fast the fastest contact slides (m/s).
    pub speed: f64,
    /// The motion that would begin, or has begun, where friction does not suffice (m, rad; about the part's centre, of no particular length).
    pub weakest: Vec6,
    /// Share of its static value that µ must have to hold the part; NaN if that is unknown.
    pub margin: f64,
    /// A sentence that says what the part does.
    pub sentence: String,
    /// Number of ticks since the last frame.
    pub ticks: u32,
    /// Number of those ticks in which the part slipped.
    pub slipped: u32,
    /// Mean CPU time of a tick since the last frame (s).
    pub cpu_mean: f64,
    /// Longest CPU time of a tick since the last frame (s).
    pub cpu_longest: f64,
}

impl Default for LaneExtra {
    fn default() -> Self {
        LaneExtra {
            word: None,
            speed: 0.0,
            weakest: Vec6::zeros(),
            margin: f64::NAN,
            sentence: String::new(),
            ticks: 0,
            slipped: 0,
            cpu_mean: f64::NAN,
            cpu_longest: f64::NAN,
        }
    }
}

/// The number of the word of a lane whose engine does not tell.
const NO_WORD: u8 = 255;

const PAUSED: u8 = 1;
const RECORDING: u8 = 2;
const PLAYBACK: u8 = 4;

/// The bytes of a frame.
pub fn encode(view: &LoopView, facts: &FrameFacts) -> Vec<u8> {
    let lanes = view.lanes();
    let contacts: usize = lanes.iter().map(|l| l.in_use().len()).sum();
    let mut out = Vec::with_capacity(120 + lanes.len() * 1100 + contacts * 68);
    let source = match view.source {
        _ if facts.playback => 2,
        _ if view.device => 3,
        Source::Script => 0,
        Source::Page => 1,
        Source::Part => 4,
        Source::Waits => 5,
        Source::Demonstration => 6,
    };
    let bits = [(view.paused, PAUSED), (facts.recording, RECORDING), (facts.playback, PLAYBACK)];
    let bits = bits.iter().map(|(on, bit)| if *on { *bit } else { 0 }).sum();
    out.extend([1, lanes.len() as u8, source, bits]);
    out.extend(view.generation.to_le_bytes());
    put(&mut out, &[view.time, view.tick as f64, view.seq, view.speed, facts.rate, view.skipped as f64, facts.late]);
    put(&mut out, &numbers(&view.hand));
    let nothing = LaneExtra::default();
    for (i, lane) in lanes.iter().enumerate() {
        put_lane(&mut out, lane, facts.lanes.get(i).unwrap_or(&nothing));
    }
    out
}

/// The same frame at another pace: where a recording stands still, only this changes.
pub fn patch(frame: &mut [u8], paused: bool, speed: f64) {
    if let Some(bits) = frame.get_mut(3) {
        *bits = *bits & !PAUSED | if paused { PAUSED } else { 0 };
    }
    if let Some(place) = frame.get_mut(32..40) {
        place.copy_from_slice(&speed.to_le_bytes());
    }
}

fn put(out: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|x| out.extend(x.to_le_bytes()));
}

fn put_lane(out: &mut Vec<u8>, lane: &LaneView, extra: &LaneExtra) {
    put(out, &[extra.margin, lane.creep, extra.cpu_mean, extra.cpu_longest, extra.speed]);
    put(out, extra.weakest.as_slice());
    let word = extra.word.map_or(NO_WORD, |word| word as u8);
    out.extend([lane.phase.number(), lane.bodies().len() as u8, word, 0]);
    let (row, contacts, sentence) = (lane.row.words(), lane.in_use(), extra.sentence.as_bytes());
    let counts = [extra.ticks, extra.slipped, row.len() as u32, contacts.len() as u32, sentence.len() as u32];
    counts.iter().for_each(|n| out.extend(n.to_le_bytes()));
    row.iter().for_each(|word| out.extend(word.to_le_bytes()));
    lane.bodies().iter().for_each(|body| put(out, &numbers(body)));
    out.extend(sentence);
    out.resize(out.len().next_multiple_of(4), 0);
    for contact in contacts {
        out.extend(contact.id.to_le_bytes());
        out.extend(contact.state.to_le_bytes());
        contact.numbers.iter().for_each(|x| out.extend(x.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::columns::Row;
    use stiction::spatial::Pose;
    use stiction::trace::Trace;

    /// A view of two lanes whose ticks have a word for each column of `Trace`.
    fn view() -> LoopView {
        let mut view = LoopView::new(Pose::identity());
        view.lanes = 2;
        let words: Vec<u64> = (1..=Trace::columns().len() as u64).collect();
        for lane in &mut view.lane {
            lane.row = Row::of(&words).unwrap();
        }
        view
    }

    #[test]
    fn a_frame_is_as_long_as_the_protocol_says() {
        let mut view = view();
        (view.lane[0].shown, view.lane[1].shown) = (3, 0);
        view.lane[1].body_count = 2;
        let extra = LaneExtra { sentence: "slide".into(), word: Some(PartMotion::Slides), ..LaneExtra::default() };
        let facts = FrameFacts { lanes: vec![extra.clone(), extra], ..FrameFacts::default() };
        let bytes = encode(&view, &facts);
        let row = 8 * Trace::columns().len();
        let lane = 112;
        assert_eq!(bytes.len(), 120 + 2 * (lane + row + 8) + 3 * 68 + 2 * 56);
        assert_eq!(bytes[120 + 90], PartMotion::Slides as u8);
        assert_eq!(bytes[120 + 100..120 + 104], (Trace::columns().len() as u32).to_le_bytes());
        assert_eq!(bytes[120 + lane..128 + lane], 1u64.to_le_bytes(), "the first column");
        assert_eq!(bytes[112 + lane + row..120 + lane + row], (row as u64 / 8).to_le_bytes(), "the last column");
        assert_eq!(&bytes[120 + lane + row..125 + lane + row], b"slide");
    }

    #[test]
    fn a_patch_changes_pause_and_speed_only() {
        let mut view = view();
        let before = encode(&view, &FrameFacts::default());
        (view.paused, view.speed) = (true, 0.25);
        let wanted = encode(&view, &FrameFacts::default());
        let mut patched = before;
        patch(&mut patched, true, 0.25);
        assert_eq!(patched, wanted);
        patch(&mut [], true, 1.0);
    }
}
