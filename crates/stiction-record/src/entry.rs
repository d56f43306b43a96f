//! What one tick leaves in a recording, as plain data.

use crate::fields::WORDS;
use stiction::trace::Trace;

/// What went into a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// When the device measured (ns), by its clock or the host's.
    pub time: u64,
    /// Counts measurements: the same number again is the same measurement again.
    pub sequence: u64,
    /// Handle in the device's axes: x, y, z (m), qx, qy, qz, qw.
    pub pose: [f64; 7],
    /// Its velocity (m/s, rad/s).
    pub twist: [f64; 6],
    /// One bit a button.
    pub buttons: u32,
    /// Whether force may be rendered, one bit a reason.
    pub enable: u8,
    /// What the device complains of.
    pub alarms: u32,
    /// 0, or why the device could not be read.
    pub failed: u8,
    /// How late the tick began (ns).
    pub late_ns: u64,
    /// The loop's clock as the tick began (ns).
    pub now_ns: u64,
    /// Load on the part besides its weight (N, N m).
    pub load: [f64; 6],
    /// What the user asked of the loop in this tick, one bit each.
    pub commands: u32,
}

/// How long things took. No part of what a replay must reproduce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The engine's tick (ns).
    pub compute_ns: u64,
    /// The whole cycle, device and all (ns).
    pub cycle_ns: u64,
}

/// One tick of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its number. Each part's numbers go up by one; where they do not, ticks are missing.
    pub tick: u64,
    /// Which part and device, from 0.
    pub part: u8,
    /// What went in.
    pub input: Input,
    /// The wrench that the engine asked for (N, N m).
    pub asked: [f64; 6],
    /// The wrench that was sent, after the safety envelope (N, N m).
    pub sent: [f64; 6],
    /// The envelope's phase.
    pub phase: u8,
    /// What the envelope found wrong.
    pub fault: u32,
    /// [`Trace::words`].
    pub trace: [u64; Trace::WORDS],
    /// How long things took.
    pub notes: Notes,
}

impl Default for Entry {
    fn default() -> Self {
        Entry {
            tick: 0,
            part: 0,
            input: Input { pose: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], ..Input::default() },
            asked: [0.0; 6],
            sent: [0.0; 6],
            phase: 0,
            fault: 0,
            trace: [0; Trace::WORDS],
            notes: Notes::default(),
        }
    }
}

impl Entry {
    /// The number of 64-bit words of [`words`](Self::words).
    pub const WORDS: usize = WORDS;

    /// All of it in a fixed order, which is that of [`columns`](crate::columns) with some words in two columns. Equal entries give equal
    /// bits, and not-a-numbers count.
    pub fn words(&self) -> [u64; WORDS] {
        let mut out = [0; WORDS];
        let mut to = out.iter_mut();
        let mut put = |word: u64| {
            if let Some(to) = to.next() {
                *to = word;
            }
        };
        let i = &self.input;
        [self.tick, u64::from(self.part), i.time, i.sequence].into_iter().for_each(&mut put);
        i.pose.iter().chain(&i.twist).for_each(|x| put(x.to_bits()));
        let bits = [i.buttons, u32::from(i.enable), i.alarms, u32::from(i.failed), i.commands];
        bits.into_iter().for_each(|n| put(u64::from(n)));
        [i.late_ns, i.now_ns].into_iter().for_each(&mut put);
        i.load.iter().chain(&self.asked).chain(&self.sent).for_each(|x| put(x.to_bits()));
        [u64::from(self.phase), u64::from(self.fault)].into_iter().for_each(&mut put);
        [self.notes.compute_ns, self.notes.cycle_ns].into_iter().for_each(&mut put);
        self.trace.into_iter().for_each(&mut put);
        out
    }

    /// The entry of those words; none where a number is too large for its field.
    pub fn from_words(words: &[u64; WORDS]) -> Option<Entry> {
        let mut from = words.iter().copied();
        let mut word = || from.next().unwrap_or_default();
        let (tick, part) = (word(), u8::try_from(word()).ok()?);
        let (time, sequence) = (word(), word());
        let pose = reals(&mut word);
        let twist = reals(&mut word);
        let buttons = u32::try_from(word()).ok()?;
        let enable = u8::try_from(word()).ok()?;
        let alarms = u32::try_from(word()).ok()?;
        let failed = u8::try_from(word()).ok()?;
        let commands = u32::try_from(word()).ok()?;
        let (late_ns, now_ns) = (word(), word());
        let load = reals(&mut word);
        let input =
            Input { time, sequence, pose, twist, buttons, enable, alarms, failed, late_ns, now_ns, load, commands };
        let (asked, sent) = (reals(&mut word), reals(&mut word));
        let phase = u8::try_from(word()).ok()?;
        let fault = u32::try_from(word()).ok()?;
        let notes = Notes { compute_ns: word(), cycle_ns: word() };
        let trace = std::array::from_fn(|_| word());
        Some(Entry { tick, part, input, asked, sent, phase, fault, trace, notes })
    }
}

fn reals<const N: usize>(word: &mut impl FnMut() -> u64) -> [f64; N] {
    std::array::from_fn(|_| f64::from_bits(word()))
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
