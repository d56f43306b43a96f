//! Between the loop's cycles and a recording's entries, to the bit.

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use stiction::columns::{Column, ColumnKind, Words};
use stiction::spatial::{Pose, Vec6};
use stiction_device::{
    Alarms, Commands, CycleSink, DeviceError, DeviceState, Enable, Fault, Grab, Phase, ServoInput, Snapshot,
};
use stiction_record::{Entry, Feed, Notes};

/// Puts every cycle into a recording. Wait-free; what the recorder is too slow for is dropped and counted.
pub struct RecordSink {
    feed: Feed,
    /// Waits for room instead: on a virtual clock nobody is in a hurry.
    patient: bool,
}

impl RecordSink {
    /// For one arm of a loop; `patient` on a virtual clock.
    pub fn new(feed: Feed, patient: bool) -> Self {
        RecordSink { feed, patient }
    }
}

impl CycleSink for RecordSink {
    fn put(&mut self, snapshot: &Snapshot) {
        while self.patient && !self.feed.has_room() && !self.feed.closed() {
            std::thread::yield_now();
        }
        self.feed.push(&entry(snapshot));
    }
}

/// A cycle as an entry.
pub fn entry(snapshot: &Snapshot) -> Entry {
    let Snapshot { arm, cycle, input, output, .. } = snapshot;
    let state = input.read.unwrap_or_else(|_| DeviceState::still());
    let (q, at) = (state.pose.rotation.quaternion(), state.pose.translation.vector);
    let mut pose = [at.x, at.y, at.z, q.i, q.j, q.k, q.w];
    if input.read.is_err() {
        pose = [0.0; 7];
    }
    let e = state.enable;
    let bits = [e.hand, e.estop_ok, e.powered, e.clutched];
    let commands = &input.commands;
    Entry {
        tick: *cycle,
        hand: *arm,
        input: stiction_record::EntryInput {
            time: state.time,
            sequence: state.sequence,
            pose,
            twist: state.twist.into(),
            buttons: state.buttons,
            enable: bits.iter().enumerate().map(|(i, on)| u8::from(*on) << i).sum(),
            alarms: state.alarms.0,
            failed: code(input.read.err()) | code(input.wrote.err()) << 4,
            late_ns: input.late,
            now_ns: input.now,
            load: commands.load.into(),
            commands: commands_word(commands),
        },
        asked: output.asked.into(),
        sent: (*output.sent.wrench()).into(),
        phase: output.report.phase.number(),
        fault: output.report.fault.map_or(0, fault),
        row: output.row,
        notes: Notes { compute_ns: snapshot.compute, cycle_ns: snapshot.duration },
    }
}

/// What went into a recorded cycle.
pub(crate) fn input(entry: &Entry) -> ServoInput {
    let i = &entry.input;
    let [x, y, z, qi, qj, qk, qw] = i.pose;
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(qw, qi, qj, qk));
    let on = |bit: u32| i.enable >> bit & 1 == 1;
    let state = DeviceState {
        time: i.time,
        sequence: i.sequence,
        pose: Pose::from_parts(Translation3::new(x, y, z), rotation),
        twist: Vec6::from(i.twist),
        buttons: i.buttons,
        enable: Enable { hand: on(0), estop_ok: on(1), powered: on(2), clutched: on(3) },
        alarms: Alarms(i.alarms),
    };
    ServoInput {
        now: i.now_ns,
        late: i.late_ns,
        read: error(i.failed & 15).map_or(Ok(state), Err),
        wrote: error(i.failed >> 4).map_or(Ok(()), Err),
        commands: Commands {
            clutch: i.commands & 1 == 1,
            stop: i.commands >> 1 & 1 == 1,
            rearm: i.commands >> 2 & REARMS,
            load: Vec6::from(i.load),
            grab: Grab::of_number((i.commands >> 16) as u16),
        },
    }
}

/// The bits of the counter of rearming that a recording has: a change is what counts.
const REARMS: u32 = (1 << 14) - 1;

/// Clutch and stop, the counter of rearming, and what the hand is to hold, each in its bits. Recordings by programs whose hands could not let go have nothing in the last ones.
fn commands_word(commands: &Commands) -> u32 {
    let Commands { clutch, stop, rearm, grab, .. } = commands;
    u32::from(*clutch) | u32::from(*stop) << 1 | (rearm & REARMS) << 2 | u32::from(grab.number()) << 16
}

/// Errors by number; what number a vendor gave is not kept, and changes nothing.
const ERRORS: [DeviceError; 8] = [
    DeviceError::Gone,
    DeviceError::Timeout,
    DeviceError::Garbled,
    DeviceError::NotArmed,
    DeviceError::Stopped,
    DeviceError::Busy,
    DeviceError::Vendor(0),
    DeviceError::Arming,
];

fn code(error: Option<DeviceError>) -> u8 {
    let Some(error) = error else { return 0 };
    let vendor = |e: &DeviceError| matches!((e, error), (DeviceError::Vendor(_), DeviceError::Vendor(_)));
    ERRORS.iter().position(|e| *e == error || vendor(e)).map_or(1, |i| i as u8 + 1)
}

fn error(code: u8) -> Option<DeviceError> {
    (code > 0).then(|| ERRORS[(usize::from(code) - 1).min(ERRORS.len() - 1)])
}

/// 1 and up, in the order of [`Fault::ALL`].
fn fault(fault: Fault) -> u32 {
    Fault::ALL.iter().position(|f| *f == fault).map_or(0, |i| i as u32 + 1)
}

/// The columns of an entry with words for the numbers and bits that the file has: the envelope's phase and fault, and what the device was enabled by. For tables.
pub fn columns_in_words(columns: Vec<Column>) -> Vec<Column> {
    let owned = |words: &[&str]| Words::Read(words.iter().map(|word| word.to_string()).collect());
    let with_words = |mut column: Column| {
        column.kind = match &*column.name {
            "phase" => ColumnKind::Choice(Words::Known(Phase::NAMES)),
            "fault" => ColumnKind::Choice(owned(&[&["none"], Fault::NAMES].concat())),
            "device_enable" => ColumnKind::Flags(Words::Known(&["hand", "estop-ok", "powered", "clutched"])),
            _ => return column,
        };
        column
    };
    columns.into_iter().map(with_words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_words_for_phases_and_faults() {
        let columns = columns_in_words(stiction_record::Header::default().entry_columns());
        let told = |name: &str, word: u64| {
            columns[stiction::columns::position(&columns, name).unwrap()].value(word).to_string()
        };
        assert_eq!((told("phase", 2), told("fault", 0)), ("running".into(), "none".into()));
        for f in Fault::ALL {
            assert_eq!(told("fault", fault(f).into()), f.name());
        }
        for phase in Phase::ALL {
            assert_eq!(told("phase", phase.number().into()), phase.name());
        }
        assert_eq!(told("device_enable", 0b101), "hand powered");
    }

    #[test]
    fn every_command_survives_a_recording() {
        for grab in [Grab::AsBefore, Grab::Nothing, Grab::Body(0), Grab::Body(1000)] {
            let commands = Commands { clutch: true, stop: false, rearm: 77, grab, ..Commands::default() };
            let entry = Entry { input: stiction_record::EntryInput { commands: commands_word(&commands), ..Entry::default().input }, ..Entry::default() };
            assert_eq!(input(&entry).commands, commands);
        }
    }

    #[test]
    fn every_error_survives_a_recording() {
        for e in ERRORS {
            assert_eq!(error(code(Some(e))), Some(e));
        }
        assert_eq!((code(None), error(0)), (0, None));
        assert_eq!(error(code(Some(DeviceError::Vendor(42)))), Some(DeviceError::Vendor(0)));
    }
}
