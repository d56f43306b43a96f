//! A whole recording as least and largest values of what the page plots, so that plots are complete when it opens and stay sharp when they are enlarged.
//!
//! Every tick is kept, as long as memory allows; of longer recordings neighbours are joined, and again. What pages ask for is joined once more, to as many rows as their plots have pixels.

use stiction::friction::Verdict;
use stiction::simulation::HandTick;
use stiction::trace::Trace;
use stiction_volume::VolumeTick;

/// What is surveyed, by the names of the page's plots; `PROTOCOL.md` has the same list.
pub const SURVEYED: [&str; 15] = [
    "fx",
    "fy",
    "fz",
    "f",
    "tx",
    "ty",
    "tz",
    "touching",
    "stuck",
    "sliding",
    "margin",
    "creep",
    "kinetic",
    "potential",
    "band",
];
/// Columns of a survey.
const COLUMNS: usize = SURVEYED.len();
/// Most spans that are kept: 31 MB, four minutes of every tick at 1 kHz.
const MOST_SPANS: usize = 1 << 18;
/// Most rows of an answer.
pub const MOST_ROWS: usize = 1 << 16;

/// Least and largest values of all columns over some ticks; not numbers where there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    least: [f32; COLUMNS],
    largest: [f32; COLUMNS],
}

impl Span {
    fn of(values: [f32; COLUMNS]) -> Self {
        Span { least: values, largest: values }
    }

    /// Both together. `min` and `max` of floats leave out what is not a number.
    fn joined(&self, other: &Span) -> Span {
        Span {
            least: std::array::from_fn(|i| self.least[i].min(other.least[i])),
            largest: std::array::from_fn(|i| self.largest[i].max(other.largest[i])),
        }
    }
}

/// The survey of a recording.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Period of a tick (s).
    period: f64,
    /// Ticks of a span, and those so far.
    stride: u64,
    ticks: u64,
    spans: Vec<Span>,
    most: usize,
}

impl Survey {
    /// An empty survey of ticks at a rate (Hz).
    pub fn new(rate: f64) -> Self {
        Survey { period: 1.0 / rate, stride: 1, ticks: 0, spans: Vec::new(), most: MOST_SPANS }
    }

    /// Adds the next tick.
    pub fn add(&mut self, values: [f32; COLUMNS]) {
        let span = Span::of(values);
        match self.spans.last_mut().filter(|_| !self.ticks.is_multiple_of(self.stride)) {
            Some(last) => *last = last.joined(&span),
            None => self.spans.push(span),
        }
        self.ticks += 1;
        // Whole spans only, so that the next tick begins a new one.
        if self.spans.len() == self.most && self.ticks.is_multiple_of(self.stride) {
            self.spans = self.spans.chunks(2).map(|two| two.iter().skip(1).fold(two[0], |a, b| a.joined(b))).collect();
            self.stride *= 2;
        }
    }

    /// The stretch between two moments (s) in at most so many rows, as the body of `/api/survey`: u32 rows, u32 columns, f64 time of the first row's first tick, f64 time from one row to
    /// the next, then for each row f32 × 2 a column: least and largest value.
    pub fn rows(&self, from: f64, to: f64, rows: usize) -> Vec<u8> {
        let each = self.stride as f64 * self.period;
        // The first tick ends one period after the start.
        let place = |time: f64| ((time - self.period) / each).floor().clamp(0.0, self.spans.len() as f64) as usize;
        let (first, last) = (place(from), (place(to) + 1).min(self.spans.len()));
        let wanted = self.spans.get(first..last).unwrap_or(&[]);
        let join = wanted.len().div_ceil(rows.clamp(1, MOST_ROWS)).max(1);
        let count = wanted.len().div_ceil(join);
        let mut out = Vec::with_capacity(24 + count * COLUMNS * 8);
        out.extend((count as u32).to_le_bytes());
        out.extend((COLUMNS as u32).to_le_bytes());
        out.extend((self.period + first as f64 * each).to_le_bytes());
        out.extend((join as f64 * each).to_le_bytes());
        for some in wanted.chunks(join) {
            let span = some.iter().skip(1).fold(some[0], |a, b| a.joined(b));
            for (least, largest) in span.least.iter().zip(&span.largest) {
                out.extend(least.to_le_bytes());
                out.extend(largest.to_le_bytes());
            }
        }
        out
    }
}

/// What is surveyed of a tick beyond what every engine tells; not numbers where the engine does not tell it.
#[derive(Clone, Copy, Debug)]
pub struct SurveyedTick {
    /// Contacts that stick, and that slide.
    pub states: [f64; 2],
    /// Share of its static value that µ must have to hold the part.
    pub margin: f64,
    /// How far the contact has moved along the surface since the hand came to rest (m).
    pub creep: f64,
    /// Kinetic and potential energy (J).
    pub energy: [f64; 2],
    /// The band behind the plots: 0 free, 1 stick, 3 slip, 2 undecided, so that the largest of several is what the page shows of them.
    pub band: f64,
}

impl SurveyedTick {
    /// A tick of an engine that tells verdicts; `None` for a row that is none.
    pub fn of_trace(trace: Option<&Trace>, margin: f64, creep: f64) -> Self {
        let states = trace.map_or([f64::NAN; 2], |t| [f64::from(t.stuck), f64::from(t.sliding)]);
        let band = trace.map_or(0.0, |t| band(t.verdict, t.contacts));
        SurveyedTick { states, margin, creep, energy: [f64::NAN; 2], band }
    }

    /// A tick of the engine of contact volumes.
    pub fn of_volume(tick: &VolumeTick) -> Self {
        let [stuck, sliding] = tick.held_states;
        let band = if sliding > 0 { 3.0 } else { f64::from(u32::from(stuck > 0)) };
        let (states, energy) = ([stuck, sliding].map(f64::from), [tick.kinetic, tick.potential]);
        SurveyedTick { states, margin: f64::NAN, creep: f64::NAN, energy, band }
    }
}

/// The surveyed values of a tick: its wrench on the hand, contacts, and what is known beside.
pub fn values(tick: &HandTick, told: &SurveyedTick) -> [f32; COLUMNS] {
    let [fx, fy, fz, tx, ty, tz] = tick.wrench.into();
    let f = (fx * fx + fy * fy + fz * fz).sqrt();
    let SurveyedTick { states: [stuck, sliding], margin, creep, energy: [kinetic, potential], band } = *told;
    let contacts = f64::from(tick.contacts);
    [fx, fy, fz, f, tx, ty, tz, contacts, stuck, sliding, margin, creep, kinetic, potential, band].map(|x| x as f32)
}

fn band(verdict: Verdict, contacts: u32) -> f64 {
    match verdict {
        Verdict::Slips => 3.0,
        Verdict::Undecided if contacts > 0 => 2.0,
        Verdict::Holds | Verdict::Rolls => 1.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f32) -> [f32; COLUMNS] {
        let mut values = [f32::NAN; COLUMNS];
        (values[0], values[14]) = (x, 1.0);
        values
    }

    /// Rows, time of the first, time between, and least and largest of the first column.
    fn read(bytes: &[u8]) -> (usize, f64, f64, Vec<(f32, f32)>) {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let f64_at = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let f32_at = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let (rows, columns) = (u32_at(0), u32_at(4));
        assert_eq!((columns, bytes.len()), (COLUMNS, 24 + rows * COLUMNS * 8));
        let first = (0..rows).map(|r| (f32_at(24 + r * COLUMNS * 8), f32_at(28 + r * COLUMNS * 8))).collect();
        (rows, f64_at(8), f64_at(16), first)
    }

    #[test]
    fn a_single_tick_that_jumps_is_seen_at_any_scale() {
        let mut survey = Survey::new(1000.0);
        (0..10_000).for_each(|i| survey.add(row(if i == 6543 { 100.0 } else { 1.0 })));
        for rows in [1, 10, 333, 5000, 10_000] {
            let (count, _, _, found) = read(&survey.rows(0.0, 10.0, rows));
            assert!(count <= rows, "{count} of {rows}");
            assert_eq!(found.iter().filter(|(_, most)| *most == 100.0).count(), 1, "{rows} rows");
        }
        let (count, from, each, found) = read(&survey.rows(6.54, 6.55, 100));
        assert!((10..=12).contains(&count) && (each - 0.001).abs() < 1e-12, "every tick of it: {count}, {each}");
        let at = found.iter().position(|(_, most)| *most == 100.0).unwrap();
        assert!((from + at as f64 * each - 6.544).abs() < 1e-9, "tick 6544, counted from one, ends there");
        assert_eq!(found[at], (100.0, 100.0));
    }

    #[test]
    fn a_long_recording_keeps_its_extremes_in_less_memory() {
        let mut survey = Survey::new(1000.0);
        survey.most = 64;
        (0..10_007).for_each(|i| survey.add(row(i as f32)));
        assert!(survey.spans.len() <= 64 && survey.stride >= 128);
        let (_, _, _, found) = read(&survey.rows(0.0, 1e9, 1000));
        assert_eq!((found[0].0, found.last().unwrap().1), (0.0, 10_006.0));
        assert!(found.windows(2).all(|w| w[0].1 + 1.0 == w[1].0), "no tick is left out or counted twice");
    }

    #[test]
    fn an_empty_or_odd_stretch_is_no_error() {
        assert_eq!(read(&Survey::new(1000.0).rows(0.0, 1.0, 10)).0, 0);
        let mut survey = Survey::new(1000.0);
        (0..100).for_each(|i| survey.add(row(i as f32)));
        for (from, to) in [(5.0, 6.0), (0.05, 0.01), (-1.0, -0.5), (f64::NAN, f64::NAN), (0.0, f64::INFINITY)] {
            read(&survey.rows(from, to, 0));
        }
    }
}
