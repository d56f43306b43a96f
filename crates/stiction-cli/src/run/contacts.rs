//! The contacts of a tick as a table, a line each. SI units, world axes.

use super::sink::{self, TableFormat};
use std::io::{self, Write};
use stiction::columns::ColumnKind::{Choice, Count, Real};
use stiction::columns::{Column, Row, Words, columns};
use stiction::friction::SlipState;
use stiction::trace::ContactTrace;

static COLUMNS: [Column; 18] = columns! {
    Count => "point";
    Real => "x_m", "y_m", "z_m", "normal_x", "normal_y", "normal_z", "depth_m", "normal_force_n",
        "friction_fx_n", "friction_fy_n", "friction_fz_n", "limit_n", "slip_x_m", "slip_y_m", "slip_z_m", "work_j";
    Choice(Words::Known(SlipState::WORDS)) => "state"
};

/// Writes the contacts of a tick.
pub fn write(out: &mut dyn Write, contacts: impl Iterator<Item = ContactTrace>) -> io::Result<()> {
    let mut sink = sink::open(TableFormat::Csv, out, &COLUMNS, &[])?;
    for c in contacts {
        let mut row = Row::default();
        row.put(c.id.0);
        let mut reals = |values: &[f64]| values.iter().for_each(|x| row.put_real(*x));
        reals(c.position.as_slice());
        reals(c.normal.as_slice());
        reals(&[c.depth, c.normal_force]);
        reals(c.friction.as_slice());
        reals(&[c.limit]);
        reals(c.slip.as_slice());
        reals(&[c.work]);
        row.put(c.state as u64);
        sink.put(row.words())?;
    }
    sink.finish()
}
