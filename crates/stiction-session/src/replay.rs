//! The same servos on recorded inputs: the same bits, or the first tick that differs.

use crate::convert;
use crate::session::{Session, SessionError, hash};
use std::io::{Read, Seek};
use stiction::spatial::Pose;
use stiction_device::{Servo, pair};
use stiction_record::{CutOff, Header, Recording};

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
    /// [`SessionError`] where the recording is of other shapes, of another plan, or cannot be read.
    pub fn replay<R: Read + Seek>(
        &self,
        recording: &mut Recording<R>,
        mut each: impl FnMut(u64) -> bool,
    ) -> Result<Replayed, SessionError> {
        self.same_shapes(recording)?;
        self.same_plan(recording.header())?;
        let mut servos = self.servos()?;
        let count = servos.len();
        let mut next = vec![0; count];
        let mut out = Replayed::default();
        // Where each part is seen in this round of cycles, and its number.
        let (mut seen, mut round) = (None, None);
        let mut entries = recording.entries()?;
        for entry in entries.by_ref() {
            let entry = entry?;
            let part = usize::from(entry.part);
            if part >= count || entry.tick != next[part] {
                out.gap = Some(entry.tick);
                break;
            }
            if round.replace(entry.tick) != Some(entry.tick) {
                // An arm that is behind has died.
                seen = pair(&servos, next.iter().all(|n| *n == entry.tick));
            }
            next[part] += 1;
            out.ticks += 1;
            let other = seen.map(|seen| seen[1 - part]);
            let output = servos[part].cycle(&convert::input(&entry, other));
            let bits = |w: &[f64; 6]| w.map(f64::to_bits);
            let replayed: [f64; 6] = (*output.sent.wrench()).into();
            let asked: [f64; 6] = output.asked.into();
            let in_wrench = bits(&replayed) != bits(&entry.sent) || bits(&asked) != bits(&entry.asked);
            if in_wrench || output.trace.words() != entry.trace {
                let recorded = entry.sent;
                out.difference = Some(Difference { tick: entry.tick, part: entry.part, recorded, replayed, in_wrench });
                break;
            }
            if !each(out.ticks) {
                break;
            }
        }
        out.cut_off = entries.cut_off();
        Ok(out)
    }

    /// Another version may well give the same bits; another plan cannot.
    fn same_plan(&self, recorded: &Header) -> Result<(), SessionError> {
        let now = Header { stiction: recorded.stiction.clone(), ..self.header("", 0) };
        recorded.difference(&now).map_or(Ok(()), |why| Err(why.into()))
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

/// Where each of two parts is to be seen by the other's hand, as the loop does it.
fn pair(servos: &[Servo], alive: bool) -> Option<[Pose; 2]> {
    let [first, second] = servos else { return None };
    let outputs = [first.output(), second.output()];
    let couplings = [first, second].map(|s| &s.engine().settings().coupling);
    Some(if alive { pair::seen(outputs, couplings) } else { outputs.map(|o| o.part) })
}
