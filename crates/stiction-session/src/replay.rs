//! The same servo on recorded inputs: the same bits, or the first tick that differs.

use crate::convert;
use crate::error::SessionError;
use crate::session::{Session, hash};
use std::collections::VecDeque;
use std::io::{Read, Seek};
use stiction_device::{Servo, ServoInput, ServoOutput};
use stiction_record::{CutOff, Entry, Header, Recording};

/// Where a replay first differs from its recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Number of the tick.
    pub tick: u64,
    /// The hand, from 0.
    pub hand: u8,
    /// The wrench that was sent then (N, N m).
    pub recorded: [f64; 6],
    /// The wrench of the replay (N, N m).
    pub replayed: [f64; 6],
    /// Whether the wrenches differ, or only the traces.
    pub in_wrench: bool,
}

/// Result of a replay.
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
    /// Runs the servo again on what a recording says went into it. Wrenches and rows must have the same bits. `each` sees how many cycles were run, and
    /// the servo, after every cycle, and says whether to go on.
    ///
    /// # Errors
    /// [`SessionError`] where the recording is of other shapes, of another plan, or cannot be read.
    pub fn replay<R: Read + Seek>(
        &self,
        recording: &mut Recording<R>,
        mut each: impl FnMut(u64, &Servo) -> bool,
    ) -> Result<Replayed, SessionError> {
        self.same_shapes(recording)?;
        self.same_plan(recording.header())?;
        let mut rounds = Rounds::new(self.servo()?);
        let mut entries = recording.entries()?;
        for entry in entries.by_ref() {
            rounds.take(entry?);
            if !rounds.run(PATIENCE, &mut each) {
                break;
            }
        }
        rounds.run(0, &mut each);
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

/// More entries of one arm than the recorder's ring holds, without one of the other: that one has died.
const PATIENCE: usize = 10_000;

/// Cycles of all arms. Each arm's entries come in order, but not always in turn with the other's.
struct Rounds {
    servo: Servo,
    waiting: Vec<VecDeque<Entry>>,
    dead: Vec<bool>,
    inputs: Vec<ServoInput>,
    next: u64,
    out: Replayed,
}

impl Rounds {
    fn new(servo: Servo) -> Self {
        let count = servo.ports().len();
        let (waiting, inputs) = (vec![VecDeque::new(); count], Vec::with_capacity(count));
        Rounds { servo, waiting, dead: vec![false; count], inputs, next: 0, out: Replayed::default() }
    }

    fn take(&mut self, entry: Entry) {
        if let Some(queue) = self.waiting.get_mut(usize::from(entry.hand)) {
            queue.push_back(entry);
        }
    }

    /// Runs what can be run; an arm with nothing to run while another has more than `patience` entries is dead. Returns false if the replay must end.
    fn run(&mut self, patience: usize, each: &mut impl FnMut(u64, &Servo) -> bool) -> bool {
        loop {
            if self.out.difference.is_some() || self.out.gap.is_some() {
                return false;
            }
            let longest = self.waiting.iter().map(VecDeque::len).max().unwrap_or(0);
            let behind = (0..self.waiting.len()).any(|i| self.waiting[i].is_empty() && !self.dead[i]);
            if longest == 0 || (behind && longest <= patience) {
                return true;
            }
            for (dead, queue) in self.dead.iter_mut().zip(&self.waiting) {
                *dead |= queue.is_empty();
            }
            self.round();
            if !each(self.next, &self.servo) {
                return false;
            }
        }
    }

    fn round(&mut self) {
        let entries: Vec<Option<Entry>> = self.waiting.iter_mut().map(VecDeque::pop_front).collect();
        if let Some(entry) = entries.iter().flatten().find(|entry| entry.tick != self.next) {
            self.out.gap = Some(entry.tick);
            return;
        }
        // As the loop does it for an arm that has died.
        let missing = |now, late| ServoInput::missing(now, late);
        let first = entries.iter().flatten().next().map_or(missing(0, 0), convert::input);
        let input = |entry: &Option<Entry>| entry.as_ref().map_or(missing(first.now, first.late), convert::input);
        self.inputs.clear();
        self.inputs.extend(entries.iter().map(input));
        for entry in entries.iter().flatten() {
            self.servo.expect(usize::from(entry.hand), &entry.row);
        }
        let outputs = self.servo.cycle(&self.inputs);
        self.out.ticks += entries.iter().flatten().count() as u64;
        let recorded = entries.iter().zip(outputs).filter_map(|(entry, output)| Some((entry.as_ref()?, output)));
        self.out.difference = recorded.filter_map(|(entry, output)| difference(entry, output)).next();
        self.next += 1;
    }
}

fn difference(entry: &Entry, output: &ServoOutput) -> Option<Difference> {
    let bits = |w: &[f64; 6]| w.map(f64::to_bits);
    let (replayed, asked): ([f64; 6], [f64; 6]) = ((*output.sent.wrench()).into(), output.asked.into());
    let in_wrench = bits(&replayed) != bits(&entry.sent) || bits(&asked) != bits(&entry.asked);
    let differs = in_wrench || output.row != entry.row;
    let (tick, hand, recorded) = (entry.tick, entry.hand, entry.sent);
    differs.then_some(Difference { tick, hand, recorded, replayed, in_wrench })
}
