//! What is in a recording, by one look at all of it.

use crate::{CutOff, MAX_HANDS, RecordError, Recording};
use std::io::{Read, Seek};

/// A gap in a recording: ticks of a hand that are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Number of the hand, from 0.
    pub hand: u8,
    /// The last tick before it.
    pub after: u64,
    /// The first tick after it. Not larger than `after` where ticks are out of order.
    pub before: u64,
}

/// Contents of a recording: ticks, times and gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Number of entries.
    pub entries: u64,
    /// First and last tick of each hand; `None` for a hand without ticks.
    pub ticks: Vec<Option<[u64; 2]>>,
    /// The loop's clock at the first entry and the last (ns).
    pub times_ns: Option<[u64; 2]>,
    /// The first gaps, 100 at most.
    pub gaps: Vec<Gap>,
    /// Number of all gaps.
    pub gap_count: u64,
    /// Ticks that are missing in all of them.
    pub missing: u64,
    /// Where the file was cut off.
    pub cut_off: Option<CutOff>,
}

impl<R: Read + Seek> Recording<R> {
    /// Reads all of it, so that every checksum is checked.
    ///
    /// # Errors
    /// [`RecordError`] where it is damaged.
    pub fn survey(&mut self) -> Result<Survey, RecordError> {
        self.survey_while(|_| true)
    }

    /// The same, for as long as `goes_on` says after each entry, which is told how far the file was read (bytes).
    ///
    /// # Errors
    /// As [`survey`](Self::survey).
    pub fn survey_while(&mut self, mut goes_on: impl FnMut(u64) -> bool) -> Result<Survey, RecordError> {
        let mut survey = Survey::default();
        let mut ticks: [Option<[u64; 2]>; MAX_HANDS as usize] = Default::default();
        let hands = usize::from(self.header().hands);
        let mut entries = self.entries()?;
        while let Some(entry) = entries.next() {
            let entry = entry?;
            if !goes_on(entries.byte()) {
                break;
            }
            survey.entries += 1;
            let now = entry.input.now_ns;
            survey.times_ns = Some([survey.times_ns.map_or(now, |t| t[0]), now]);
            let seen = &mut ticks[usize::from(entry.hand)];
            if let Some([_, last]) = seen
                && entry.tick != last.wrapping_add(1)
            {
                survey.gap_count += 1;
                survey.missing = survey.missing.saturating_add(entry.tick.saturating_sub(*last).saturating_sub(1));
                if survey.gaps.len() < 100 {
                    survey.gaps.push(Gap { hand: entry.hand, after: *last, before: entry.tick });
                }
            }
            *seen = Some([seen.map_or(entry.tick, |t| t[0]), entry.tick]);
        }
        survey.cut_off = entries.cut_off();
        survey.ticks = ticks[..hands].to_vec();
        Ok(survey)
    }
}
