//! What one tick leaves in a recording, as plain data.

use crate::tables::OWN_WORDS;
use stiction::columns::Row;

/// Input of a tick: the device's measurement, the clock, loads and commands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntryInput {
    /// When the device measured (ns), by its clock or the host's.
    pub time: u64,
    /// Counts measurements: the same number again is the same measurement again.
    pub sequence: u64,
    /// Handle in the device's axes: x, y, z (m), qx, qy, qz, qw.
    pub pose: [f64; 7],
    /// Velocity of the handle (m/s, rad/s).
    pub twist: [f64; 6],
    /// One bit a button.
    pub buttons: u32,
    /// Whether force may be rendered, one bit a reason.
    pub enable: u8,
    /// Alarms of the device, one bit each.
    pub alarms: u32,
    /// 0, or the code of the error of reading the device.
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

/// CPU times of a tick. A replay need not reproduce them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// CPU time of the engine's tick (ns).
    pub compute_ns: u64,
    /// CPU time of the whole cycle, with reading and writing the device (ns).
    pub cycle_ns: u64,
}

/// One cycle of one hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Number of the tick. Each hand's numbers go up by one; where they do not, ticks are missing.
    pub tick: u64,
    /// Which hand and device, from 0.
    pub hand: u8,
    /// Input of the tick.
    pub input: EntryInput,
    /// The wrench that the engine asked for (N, N m).
    pub asked: [f64; 6],
    /// The wrench that was sent, after the safety envelope (N, N m).
    pub sent: [f64; 6],
    /// The envelope's phase.
    pub phase: u8,
    /// What the envelope found wrong.
    pub fault: u32,
    /// The row of the tick, a word for each of the [header's columns](crate::Header::columns).
    pub row: Row,
    /// CPU times of the tick.
    pub notes: Notes,
}

impl Default for Entry {
    fn default() -> Self {
        Entry {
            tick: 0,
            hand: 0,
            input: EntryInput { pose: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], ..EntryInput::default() },
            asked: [0.0; 6],
            sent: [0.0; 6],
            phase: 0,
            fault: 0,
            row: Row::default(),
            notes: Notes::default(),
        }
    }
}

impl Entry {
    /// The entry as words, one for each of the [entry's columns](crate::Header::entry_columns). Equal entries give equal bits, and not-a-numbers count.
    pub fn words(&self) -> Vec<u64> {
        let mut out = Vec::with_capacity(OWN_WORDS + self.row.words().len());
        let mut put = |word: u64| out.push(word);
        let i = &self.input;
        [self.tick, u64::from(self.hand), i.time, i.sequence].into_iter().for_each(&mut put);
        i.pose.iter().chain(&i.twist).for_each(|x| put(x.to_bits()));
        let bits = [i.buttons, u32::from(i.enable), i.alarms, u32::from(i.failed), i.commands];
        bits.into_iter().for_each(|n| put(u64::from(n)));
        [i.late_ns, i.now_ns].into_iter().for_each(&mut put);
        i.load.iter().chain(&self.asked).chain(&self.sent).for_each(|x| put(x.to_bits()));
        [u64::from(self.phase), u64::from(self.fault)].into_iter().for_each(&mut put);
        [self.notes.compute_ns, self.notes.cycle_ns].into_iter().for_each(&mut put);
        out.extend_from_slice(self.row.words());
        out
    }

    /// The entry of those [`words`](Self::words); `None` if a number is too large for its field, or they are too few or too many.
    pub fn from_words(words: &[u64]) -> Option<Entry> {
        let (own, row) = words.split_at_checked(OWN_WORDS)?;
        let row = Row::of(row)?;
        let mut from = own.iter().copied();
        let mut word = || from.next().unwrap_or_default();
        let (tick, hand) = (word(), u8::try_from(word()).ok()?);
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
        let input = EntryInput {
            time,
            sequence,
            pose,
            twist,
            buttons,
            enable,
            alarms,
            failed,
            late_ns,
            now_ns,
            load,
            commands,
        };
        let (asked, sent) = (reals(&mut word), reals(&mut word));
        let phase = u8::try_from(word()).ok()?;
        let fault = u32::try_from(word()).ok()?;
        let notes = Notes { compute_ns: word(), cycle_ns: word() };
        Some(Entry { tick, hand, input, asked, sent, phase, fault, row, notes })
    }
}

fn reals<const N: usize>(word: &mut impl FnMut() -> u64) -> [f64; N] {
    std::array::from_fn(|_| f64::from_bits(word()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every word is another number, so that two that changed places would be found.
    #[test]
    fn words_come_back_under_their_names() {
        let columns = crate::Header::default().entry_columns();
        let words: Vec<u64> = (0..columns.len() as u64).map(|i| if i < 44 { 100 + i } else { u64::MAX - i }).collect();
        let entry = Entry::from_words(&words).unwrap();
        assert_eq!(entry.words(), words);
        let word = |name: &str| words[stiction::columns::position(&columns, name).unwrap()];
        let expected = [
            ("cycle", entry.tick),
            ("hand", entry.hand.into()),
            ("device_sequence", entry.input.sequence),
            ("device_z_m", entry.input.pose[2].to_bits()),
            ("device_qw", entry.input.pose[6].to_bits()),
            ("device_wz_rad_s", entry.input.twist[5].to_bits()),
            ("device_enable", entry.input.enable.into()),
            ("device_failed", entry.input.failed.into()),
            ("commands", entry.input.commands.into()),
            ("late_ns", entry.input.late_ns),
            ("now_ns", entry.input.now_ns),
            ("given_load_tz_nm", entry.input.load[5].to_bits()),
            ("asked_fy_n", entry.asked[1].to_bits()),
            ("sent_tx_nm", entry.sent[3].to_bits()),
            ("phase", entry.phase.into()),
            ("fault", entry.fault.into()),
            ("compute_ns", entry.notes.compute_ns),
            ("cycle_ns", entry.notes.cycle_ns),
            ("tick", entry.row.words()[0]),
        ];
        for (name, value) in expected {
            assert_eq!(word(name), value, "{name}");
        }
        let mut large = words.clone();
        large[1] = 256;
        assert!(Entry::from_words(&large).is_none(), "a hand's number has eight bits");
        assert!(Entry::from_words(&words[..OWN_WORDS - 1]).is_none(), "too few words");
    }
}
