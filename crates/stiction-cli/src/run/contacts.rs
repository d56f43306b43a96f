//! The contacts of a tick as a table, a line each. SI units, world axes.

use std::io::{self, Write};
use stiction::friction::SlipState;
use stiction::tick::Engine;

const COLUMNS: &str = "point,x,y,z,normal_x,normal_y,normal_z,depth,normal_force,friction_x,friction_y,friction_z,\
                       limit,slip_x,slip_y,slip_z,work,state";

/// Writes the contacts of an engine's last tick.
pub fn write(out: &mut dyn Write, engine: &Engine) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")?;
    for c in engine.contacts() {
        write!(out, "{}", c.id.0)?;
        let mut reals = |values: &[f64]| values.iter().try_for_each(|x| write!(out, ",{x:?}"));
        reals(c.position.as_slice())?;
        reals(c.normal.as_slice())?;
        reals(&[c.depth, c.normal_force])?;
        reals(c.friction.as_slice())?;
        reals(&[c.limit])?;
        reals(c.slip.as_slice())?;
        reals(&[c.work])?;
        let state = match c.state {
            SlipState::Separated => "separated",
            SlipState::Stuck => "stuck",
            SlipState::Sliding => "sliding",
        };
        writeln!(out, ",{state}")?;
    }
    Ok(())
}
