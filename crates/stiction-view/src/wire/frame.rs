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
const SECOND_HAND: u8 = 8;

/// The bytes of a frame.
pub fn encode(view: &LoopView, facts: &FrameFacts) -> Vec<u8> {
    let lanes = view.lanes();
    let lists = |l: &LaneView| {
        l.in_use().len() * 68 + l.bodies().len() * 56 + l.areas.areas().len() * 64 + l.areas.corners().len() * 12
    };
    let mut out = Vec::with_capacity(120 + lanes.iter().map(|l| 1100 + lists(l)).sum::<usize>());
    let source = match view.source {
        _ if facts.playback => 2,
        _ if view.device => 3,
        Source::Script => 0,
        Source::Page => 1,
        Source::Part => 4,
        Source::Waits => 5,
        Source::Demonstration => 6,
    };
    let second = (view.moved == 1, SECOND_HAND);
    let bits = [(view.paused, PAUSED), (facts.recording, RECORDING), (facts.playback, PLAYBACK), second];
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
    out.extend([lane.phase.number(), word]);
    out.extend((lane.bodies().len() as u16).to_le_bytes());
    let (row, contacts, sentence) = (lane.row.words(), lane.in_use(), extra.sentence.as_bytes());
    let (areas, corners) = (lane.areas.areas(), lane.areas.corners());
    let sizes = [row.len(), contacts.len(), areas.len(), corners.len(), sentence.len()].map(|n| n as u32);
    [extra.ticks, extra.slipped].iter().chain(&sizes).for_each(|n| out.extend(n.to_le_bytes()));
    lane.holds.iter().for_each(|body| out.extend(body.to_le_bytes()));
    row.iter().for_each(|word| out.extend(word.to_le_bytes()));
    lane.bodies().iter().for_each(|body| put(out, &numbers(body)));
    out.extend(sentence);
    out.resize(out.len().next_multiple_of(4), 0);
    for contact in contacts {
        out.extend(contact.id.to_le_bytes());
        out.extend(contact.state.to_le_bytes());
        contact.numbers.iter().for_each(|x| out.extend(x.to_le_bytes()));
    }
    for area in areas {
        out.extend(area.id.to_le_bytes());
        area.bodies.iter().for_each(|body| out.extend(body.to_le_bytes()));
        out.extend(area.state.to_le_bytes());
        out.extend(area.corners.to_le_bytes());
        area.numbers.iter().for_each(|x| out.extend(x.to_le_bytes()));
    }
    corners.iter().flatten().for_each(|x| out.extend(x.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::columns::Row;
    use stiction::friction::SlipState;
    use stiction::simulation::ContactArea;
    use stiction::spatial::{Pose, Vec3};
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
        let lane = 124;
        assert_eq!(bytes.len(), 120 + 2 * (lane + row + 8) + 3 * 68 + 2 * 56);
        assert_eq!(bytes[120 + 89], PartMotion::Slides as u8);
        assert_eq!(bytes[120 + 100..120 + 104], (Trace::columns().len() as u32).to_le_bytes());
        assert_eq!(bytes[120 + lane..128 + lane], 1u64.to_le_bytes(), "the first column");
        assert_eq!(bytes[112 + lane + row..120 + lane + row], (row as u64 / 8).to_le_bytes(), "the last column");
        assert_eq!(&bytes[120 + lane + row..125 + lane + row], b"slide");
    }

    #[test]
    fn contact_areas_come_last_with_their_corners_behind_them() {
        let mut view = view();
        view.lanes = 1;
        let outline = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let area = ContactArea {
            bodies: [3, 4],
            id: 7,
            outline: &outline,
            normal: Vec3::z(),
            centre: Vec3::zeros(),
            normal_force: 2.0,
            friction: Vec3::zeros(),
            torsion: 0.0,
            depth: 0.5,
            state: SlipState::Sliding,
        };
        view.lane[0].areas.take(|each: &mut dyn FnMut(&ContactArea)| (0..2).for_each(|_| each(&area)));
        let bytes = encode(&view, &FrameFacts::default());
        let first = 120 + 124 + 8 * Trace::columns().len();
        assert_eq!(bytes.len(), first + 2 * 64 + 6 * 12);
        assert_eq!(bytes[first..first + 8], [7, 0, 0, 0, 3, 0, 4, 0]);
        assert_eq!(bytes[first + 8..first + 16], [2, 0, 0, 0, 3, 0, 0, 0], "it slides, and has three corners");
        assert_eq!(bytes[first + 60..first + 64], 0.5_f32.to_le_bytes(), "its depth");
        assert_eq!(bytes[first + 128 + 12..first + 128 + 16], 1.0_f32.to_le_bytes(), "x of the second corner");
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
