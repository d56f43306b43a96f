//! The same servos on recorded inputs: the same bits, or the first tick that differs.

use crate::convert;
use crate::session::{Session, SessionError, hash};
use std::collections::VecDeque;
use std::io::{Read, Seek};
use stiction_device::Output;
use stiction_record::{CutOff, Entry, Recording};

/// Where a replay first differs from its recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The tick.
    pub tick: u64,
    /// The part.
    pub part: u8,
    /// The wrench that was sent then (N, N m).
    pub recorded: [f64; 6],
    /// And now.
    pub replayed: [f64; 6],
    /// Whether the wrenches differ, or only the traces.
    pub in_wrench: bool,
}

/// What a replay found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Replayed {
    /// Ticks that were run again.
    pub ticks: u64,
    /// The first that differs.
    pub difference: Option<Difference>,
    /// A tick whose predecessor is missing, because the disk was too slow or broken: what comes after it cannot be run again.
    pub gap: Option<u64>,
    /// The recording was cut off.
    pub cut_off: Option<CutOff>,
}

impl Session {
    /// Runs the servos again on what a recording says went into them. Wrenches and traces must have the same bits.
    ///
    /// # Errors
    /// [`SessionError`] where the recording is of other shapes or cannot be read.
    pub fn replay<R: Read + Seek>(
        &self,
        recording: &mut Recording<R>,
        mut each: impl FnMut(u64) -> bool,
    ) -> Result<Replayed, SessionError> {
        self.same_shapes(recording)?;
        let mut servos = self.servos()?;
        let count = servos.len();
        let mut out = Replayed::default();
        // Each arm's entries come in order, but not always in turn with the other's.
        let mut waiting = vec![VecDeque::new(); count];
        let mut next = 0;
        let mut entries = recording.entries()?;
        'reading: for entry in entries.by_ref() {
            let entry = entry?;
            let Some(queue) = waiting.get_mut(usize::from(entry.part)) else { continue };
            queue.push_back(entry);
            while waiting.iter().all(|queue| !queue.is_empty()) {
                // Where each part was before this round of cycles.
                let last: Vec<_> = servos.iter().map(|s| s.output().part).collect();
                for (part, queue) in waiting.iter_mut().enumerate() {
                    let Some(entry) = queue.pop_front() else { continue };
                    if entry.tick != next {
                        out.gap = Some(entry.tick);
                        break 'reading;
                    }
                    let other = (count == 2).then(|| last[1 - part]);
                    let output = servos[part].cycle(&convert::input(&entry, other));
                    out.ticks += 1;
                    out.difference = difference(&entry, output);
                    if out.difference.is_some() {
                        break 'reading;
                    }
                }
                next += 1;
                if !each(out.ticks) {
                    break 'reading;
                }
            }
        }
        out.cut_off = entries.cut_off();
        Ok(out)
    }

    fn same_shapes<R: Read + Seek>(&self, recording: &Recording<R>) -> Result<(), SessionError> {
        let header = recording.header();
        let now = [hash(&self.world.held), hash(&self.world.fixed)];
        for (i, which) in ["held", "fixed"].into_iter().enumerate() {
            let then = header.shapes[0][i];
            if now[i] != then {
                let version = header.stiction.clone();
                return Err(SessionError::OtherShapes { which, now: now[i], then, version });
            }
        }
        Ok(())
    }
}

fn difference(entry: &Entry, output: &Output) -> Option<Difference> {
    let bits = |w: &[f64; 6]| w.map(f64::to_bits);
    let (replayed, asked): ([f64; 6], [f64; 6]) = ((*output.sent.wrench()).into(), output.asked.into());
    let in_wrench = bits(&replayed) != bits(&entry.sent) || bits(&asked) != bits(&entry.asked);
    let differs = in_wrench || output.trace.words() != entry.trace;
    let (tick, part, recorded) = (entry.tick, entry.part, entry.sent);
    differs.then_some(Difference { tick, part, recorded, replayed, in_wrench })
}
