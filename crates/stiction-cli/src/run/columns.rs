//! The columns of a recorded run: the same in CSV and in Parquet. SI units; wrenches act on the held part about its centre.

use stiction::spatial::{Pose, Vec6};
use stiction::trace::{Flags, Trace};

/// What is in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Real,
    /// A count.
    Whole,
    /// A word, or words with spaces between them.
    Words,
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A real number.
    Real(f64),
    /// A count.
    Whole(u64),
    /// A word.
    Word(&'static str),
    /// What was noticed.
    Flags(Flags),
}

/// Every column in order.
pub const COLUMNS: [(&str, Kind); COUNT] = {
    use Kind::{Real, Whole, Words};
    [
        ("t", Real),
        ("tick", Whole),
        ("hand_x", Real),
        ("hand_y", Real),
        ("hand_z", Real),
        ("hand_qx", Real),
        ("hand_qy", Real),
        ("hand_qz", Real),
        ("hand_qw", Real),
        ("part_x", Real),
        ("part_y", Real),
        ("part_z", Real),
        ("part_qx", Real),
        ("part_qy", Real),
        ("part_qz", Real),
        ("part_qw", Real),
        ("centre_x", Real),
        ("centre_y", Real),
        ("centre_z", Real),
        ("device_fx", Real),
        ("device_fy", Real),
        ("device_fz", Real),
        ("device_tx", Real),
        ("device_ty", Real),
        ("device_tz", Real),
        ("load_fx", Real),
        ("load_fy", Real),
        ("load_fz", Real),
        ("load_tx", Real),
        ("load_ty", Real),
        ("load_tz", Real),
        ("normal_fx", Real),
        ("normal_fy", Real),
        ("normal_fz", Real),
        ("normal_tx", Real),
        ("normal_ty", Real),
        ("normal_tz", Real),
        ("friction_fx", Real),
        ("friction_fy", Real),
        ("friction_fz", Real),
        ("friction_tx", Real),
        ("friction_ty", Real),
        ("friction_tz", Real),
        ("contacts", Whole),
        ("stuck", Whole),
        ("sliding", Whole),
        ("separating", Whole),
        ("at_limit", Whole),
        ("pressure", Real),
        ("limit", Real),
        ("slip", Real),
        ("depth", Real),
        ("clearance", Real),
        ("residual", Real),
        ("verdict", Words),
        ("substeps", Whole),
        ("samples", Whole),
        ("iterations", Whole),
        ("passes", Whole),
        ("rank", Whole),
        ("flags", Words),
    ]
};

const COUNT: usize = 61;

/// Gives the cells of a tick at time `t` (s), in the order of [`COLUMNS`].
pub fn cells(t: f64, trace: &Trace, mut put: impl FnMut(Cell)) {
    put(Cell::Real(t));
    put(Cell::Whole(trace.tick));
    let mut reals = |values: &[f64]| values.iter().for_each(|x| put(Cell::Real(*x)));
    reals(&pose(&trace.hand));
    reals(&pose(&trace.part));
    reals(trace.centre.as_slice());
    for wrench in [&trace.device, &trace.load, &trace.normal, &trace.friction] {
        reals(Vec6::as_slice(wrench));
    }
    let whole = |n: u32| Cell::Whole(u64::from(n));
    [trace.contacts, trace.stuck, trace.sliding, trace.separating, trace.limited]
        .into_iter()
        .for_each(|n| put(whole(n)));
    for x in [trace.pressure, trace.limit, trace.slip, trace.depth, trace.clearance, trace.residual] {
        put(Cell::Real(x));
    }
    put(Cell::Word(trace.verdict.word()));
    let counts = [trace.substeps, trace.samples, trace.iterations, trace.passes, u32::from(trace.rank)];
    counts.into_iter().for_each(|n| put(whole(n)));
    put(Cell::Flags(trace.flags));
}

/// x, y, z, qx, qy, qz, qw.
fn pose(pose: &Pose) -> [f64; 7] {
    let (p, q) = (&pose.translation.vector, pose.rotation.quaternion());
    [p.x, p.y, p.z, q.i, q.j, q.k, q.w]
}
