//! The same servos on recorded inputs: the same bits, or the first tick that differs.

use crate::convert;
use crate::session::{Session, SessionError, hash};
use std::collections::VecDeque;
use std::io::{Read, Seek};
use stiction::friction::Verdict;
use stiction::spatial::Pose;
use stiction_device::{Output, Servo, pair};
use stiction_record::{CutOff, Entry, Header, Recording};

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
    /// Runs the servos again on what a recording says went into them. Wrenches and traces must have the same bits. `each` sees how many ticks were run, and
    /// the servos, after every entry, and says whether to go on.
    ///
    /// # Errors
    /// [`SessionError`] where the recording is of other shapes, of another plan, or cannot be read.
    pub fn replay<R: Read + Seek>(
        &self,
        recording: &mut Recording<R>,
        mut each: impl FnMut(u64, &[Servo]) -> bool,
    ) -> Result<Replayed, SessionError> {
        self.same_shapes(recording)?;
        self.same_plan(recording.header())?;
        let knows_rolling = recording.header().format >= ROLLING_SINCE;
        let mut rounds = Rounds::new(self.servos()?, knows_rolling);
        let mut entries = recording.entries()?;
        for entry in entries.by_ref() {
            rounds.take(entry?);
            if !rounds.run(PATIENCE) || !each(rounds.out.ticks, &rounds.servos) {
                break;
            }
        }
        rounds.run(0);
        rounds.out.cut_off = entries.cut_off();
        Ok(rounds.out)
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

/// Format of the first recordings that tell a part that rolls from one that holds.
const ROLLING_SINCE: u32 = 2;
/// More entries of one arm than the recorder's ring holds, without one of the other: that one has died.
const PATIENCE: usize = 10_000;

/// Cycles of all arms in turn. Each arm's entries come in order, but not always in turn with the other's.
struct Rounds {
    servos: Vec<Servo>,
    waiting: Vec<VecDeque<Entry>>,
    dead: Vec<bool>,
    next: u64,
    /// The recording tells a part that rolls from one that holds.
    knows_rolling: bool,
    out: Replayed,
}

impl Rounds {
    fn new(servos: Vec<Servo>, knows_rolling: bool) -> Self {
        let count = servos.len();
        let waiting = vec![VecDeque::new(); count];
        Rounds { servos, waiting, dead: vec![false; count], next: 0, knows_rolling, out: Replayed::default() }
    }

    fn take(&mut self, entry: Entry) {
        if let Some(queue) = self.waiting.get_mut(usize::from(entry.part)) {
            queue.push_back(entry);
        }
    }

    /// Runs what can be run; an arm with nothing to run while another has more than `patience` entries is dead. False where it must end.
    fn run(&mut self, patience: usize) -> bool {
        loop {
            if self.out.difference.is_some() || self.out.gap.is_some() {
                return false;
            }
            let longest = self.waiting.iter().map(VecDeque::len).max().unwrap_or(0);
            let behind = (0..self.waiting.len()).any(|i| self.waiting[i].is_empty() && !self.dead[i]);
            if longest == 0 || (behind && longest <= patience) {
                return true;
            }
            // An arm that dies was still alive as its last round began.
            let alive = !self.dead.contains(&true);
            for (dead, queue) in self.dead.iter_mut().zip(&self.waiting) {
                *dead |= queue.is_empty();
            }
            self.round(alive);
        }
    }

    fn round(&mut self, alive: bool) {
        let seen = pair(&self.servos, alive);
        for part in 0..self.servos.len() {
            let Some(entry) = self.waiting[part].pop_front() else { continue };
            if entry.tick != self.next {
                self.out.gap = Some(entry.tick);
                return;
            }
            let other = seen.map(|seen| seen[1 - part]);
            self.out.ticks += 1;
            let output = self.servos[part].cycle(&convert::input(&entry, other));
            self.out.difference = difference(&entry, output, self.knows_rolling);
            if self.out.difference.is_some() {
                return;
            }
        }
        self.next += 1;
    }
}

fn difference(entry: &Entry, output: &Output, knows_rolling: bool) -> Option<Difference> {
    let bits = |w: &[f64; 6]| w.map(f64::to_bits);
    let (replayed, asked): ([f64; 6], [f64; 6]) = ((*output.sent.wrench()).into(), output.asked.into());
    let in_wrench = bits(&replayed) != bits(&entry.sent) || bits(&asked) != bits(&entry.asked);
    let mut trace = output.trace;
    if trace.verdict == Verdict::Rolls && !knows_rolling {
        trace.verdict = Verdict::Holds;
    }
    let differs = in_wrench || trace.words() != entry.trace;
    let (tick, part, recorded) = (entry.tick, entry.part, entry.sent);
    differs.then_some(Difference { tick, part, recorded, replayed, in_wrench })
}

/// Where each of two parts is to be seen by the other's hand, as the loop does it.
fn pair(servos: &[Servo], alive: bool) -> Option<[Pose; 2]> {
    let [first, second] = servos else { return None };
    let outputs = [first.output(), second.output()];
    let couplings = [first, second].map(|s| &s.engine().settings().coupling);
    Some(if alive { pair::seen(outputs, couplings) } else { outputs.map(|o| o.part) })
}
