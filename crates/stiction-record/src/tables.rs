//! The tables of an entry, a topic each: schemas, messages and exports are made from them. The table of ticks is the engine's and is in the [`Header`].
//!
//! A change here is a change of the format: raise [`FORMAT`](crate::FORMAT).

use crate::Header;
use stiction::columns::ColumnKind::{Count, Real};
use stiction::columns::{Column, columns};

/// What went into a cycle: what the device said, what the user asked for, and when.
pub static DEVICE_COLUMNS: [Column; 30] = columns! {
    Count => "cycle", "hand", "device_time_ns", "device_sequence";
    Real => "device_x_m", "device_y_m", "device_z_m", "device_qx", "device_qy", "device_qz", "device_qw",
        "device_vx_m_s", "device_vy_m_s", "device_vz_m_s", "device_wx_rad_s", "device_wy_rad_s", "device_wz_rad_s";
    Count => "device_buttons", "device_enable", "device_alarms", "device_failed", "commands", "late_ns", "now_ns";
    Real => "given_load_fx_n", "given_load_fy_n", "given_load_fz_n", "given_load_tx_nm", "given_load_ty_nm", "given_load_tz_nm"
};

/// The wrench that the engine asked for, the one that was sent, and what the safety envelope did in between.
pub static WRENCH_COLUMNS: [Column; 14] = columns! {
    Real => "asked_fx_n", "asked_fy_n", "asked_fz_n", "asked_tx_nm", "asked_ty_nm", "asked_tz_nm",
        "sent_fx_n", "sent_fy_n", "sent_fz_n", "sent_tx_nm", "sent_ty_nm", "sent_tz_nm";
    Count => "phase", "fault"
};

/// How long things took: the engine's tick, and the whole cycle. No part of what a replay must reproduce.
pub static NOTES_COLUMNS: [Column; 2] = columns! { Count => "compute_ns", "cycle_ns" };

/// Words of an entry besides the row of its tick.
pub const OWN_WORDS: usize = DEVICE_COLUMNS.len() + WRENCH_COLUMNS.len() + NOTES_COLUMNS.len();

/// A kind of exact message: its topic, the name of its schema, and its table.
#[derive(Clone, Copy)]
pub struct ColumnTable<'a> {
    /// As in `/name`.
    pub topic: &'static str,
    /// As in `stiction.Name`.
    pub message: &'static str,
    pub columns: &'a [Column],
}

/// The exact messages, in the order in which they are written.
pub fn tables(ticks: &[Column]) -> [ColumnTable<'_>; 4] {
    let table = |topic, message, columns| ColumnTable { topic, message, columns };
    [
        table("device", "Device", &DEVICE_COLUMNS),
        table("wrench", "Wrench", &WRENCH_COLUMNS),
        table("notes", "Notes", &NOTES_COLUMNS),
        table("tick", "Tick", ticks),
    ]
}

impl Header {
    /// The columns of an entry's [`words`](crate::Entry::words): what went in, the wrenches, how long things took, and those of ticks.
    pub fn entry_columns(&self) -> Vec<Column> {
        tables(&self.columns).iter().flat_map(|table| table.columns).cloned().collect()
    }
}
