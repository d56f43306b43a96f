//! Every word of an entry: its message, name, unit and kind. Schemas, encoding and columns all follow this table.
//!
//! A change here is a change of the format: raise [`FORMAT`](crate::FORMAT).

use stiction::trace::Trace;

/// How 64 bits are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Double,
    /// A whole number.
    Fixed64,
    /// A whole number below 2³².
    Fixed32,
    /// Two of them: the lower half, and the upper half by this name.
    Halves(&'static str),
}

/// One word.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
}

/// The exact messages, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Device,
    Wrench,
    Notes,
    Trace,
}

impl Topic {
    pub const ALL: [Topic; 4] = [Topic::Device, Topic::Wrench, Topic::Notes, Topic::Trace];

    /// As in `/name`, and of columns.
    pub fn name(self) -> &'static str {
        ["device", "wrench", "notes", "trace"][self as usize]
    }

    /// The name of its message.
    pub fn message(self) -> &'static str {
        ["Device", "Wrench", "Notes", "Trace"][self as usize]
    }

    pub fn fields(self) -> &'static [Field] {
        [DEVICE, WRENCH, NOTES, TRACE][self as usize]
    }
}

/// Words of an entry.
pub const WORDS: usize = DEVICE.len() + WRENCH.len() + NOTES.len() + TRACE.len();

const fn real(name: &'static str) -> Field {
    Field { name, kind: Kind::Double }
}

const fn long(name: &'static str) -> Field {
    Field { name, kind: Kind::Fixed64 }
}

const fn short(name: &'static str) -> Field {
    Field { name, kind: Kind::Fixed32 }
}

const fn halves(low: &'static str, high: &'static str) -> Field {
    Field { name: low, kind: Kind::Halves(high) }
}

const DEVICE: &[Field] = &[
    long("tick"),
    short("part"),
    long("time_ns"),
    long("sequence"),
    real("x_m"),
    real("y_m"),
    real("z_m"),
    real("qx"),
    real("qy"),
    real("qz"),
    real("qw"),
    real("vx_m_s"),
    real("vy_m_s"),
    real("vz_m_s"),
    real("wx_rad_s"),
    real("wy_rad_s"),
    real("wz_rad_s"),
    short("buttons"),
    short("enable"),
    short("alarms"),
    short("failed"),
    short("commands"),
    long("late_ns"),
    long("now_ns"),
    real("load_fx_n"),
    real("load_fy_n"),
    real("load_fz_n"),
    real("load_tx_nm"),
    real("load_ty_nm"),
    real("load_tz_nm"),
];

const WRENCH: &[Field] = &[
    real("asked_fx_n"),
    real("asked_fy_n"),
    real("asked_fz_n"),
    real("asked_tx_nm"),
    real("asked_ty_nm"),
    real("asked_tz_nm"),
    real("sent_fx_n"),
    real("sent_fy_n"),
    real("sent_fz_n"),
    real("sent_tx_nm"),
    real("sent_ty_nm"),
    real("sent_tz_nm"),
    short("phase"),
    short("fault"),
];

const NOTES: &[Field] = &[long("compute_ns"), long("cycle_ns")];

/// In the order of [`Trace::words`].
const TRACE: &[Field] = &[
    long("tick"),
    real("hand_x_m"),
    real("hand_y_m"),
    real("hand_z_m"),
    real("hand_qw"),
    real("hand_qx"),
    real("hand_qy"),
    real("hand_qz"),
    real("part_x_m"),
    real("part_y_m"),
    real("part_z_m"),
    real("part_qw"),
    real("part_qx"),
    real("part_qy"),
    real("part_qz"),
    real("centre_x_m"),
    real("centre_y_m"),
    real("centre_z_m"),
    real("device_fx_n"),
    real("device_fy_n"),
    real("device_fz_n"),
    real("device_tx_nm"),
    real("device_ty_nm"),
    real("device_tz_nm"),
    real("load_fx_n"),
    real("load_fy_n"),
    real("load_fz_n"),
    real("load_tx_nm"),
    real("load_ty_nm"),
    real("load_tz_nm"),
    real("normal_fx_n"),
    real("normal_fy_n"),
    real("normal_fz_n"),
    real("normal_tx_nm"),
    real("normal_ty_nm"),
    real("normal_tz_nm"),
    real("friction_fx_n"),
    real("friction_fy_n"),
    real("friction_fz_n"),
    real("friction_tx_nm"),
    real("friction_ty_nm"),
    real("friction_tz_nm"),
    real("residual"),
    real("pressure_n"),
    real("limit_n"),
    real("work_j"),
    real("work_largest_j"),
    real("depth_m"),
    real("clearance_m"),
    halves("verdict_rank", "flags"),
    halves("contacts", "stuck"),
    halves("sliding", "separating"),
    halves("substeps", "samples"),
    halves("levels", "iterations"),
    long("limited_passes"),
];

const _: () = assert!(TRACE.len() == Trace::WORDS, "Trace::words changed: name the new words and raise FORMAT");
