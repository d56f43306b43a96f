//! What a tick of the engine did at a hand, as plain data.

use crate::world::StepReport;
use std::sync::LazyLock;
use stiction::columns::{Column, ColumnKind, Row, columns};
use stiction::simulation::{HAND_COLUMNS, HandTick};
use stiction::spatial::Pose;

/// One tick of a [`DeformableEngine`](crate::DeformableEngine) at one hand: what every engine tells, then what the solver and the bodies did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeformableTick {
    /// What every engine tells of a hand.
    pub hand: HandTick,
    /// What the step did in the whole world.
    pub step: StepReport,
    /// The largest deformation of the held body (m).
    pub deformation: f64,
    /// Kinetic energy of all bodies (J).
    pub kinetic: f64,
}

impl DeformableTick {
    /// Before the first tick.
    pub fn blank(pose: &Pose) -> DeformableTick {
        DeformableTick { hand: HandTick::blank(*pose), step: StepReport::default(), deformation: 0.0, kinetic: 0.0 }
    }

    /// The columns of a tick's row: those of every engine, then [`OWN_COLUMNS`].
    pub fn columns() -> &'static [Column] {
        &COLUMNS
    }

    /// Adds the words of the tick to an empty row.
    pub fn put(&self, row: &mut Row) {
        self.hand.put(row);
        let StepReport { contacts, active, dropped, residual, solved, iterations, depth, turned } = self.step;
        [contacts as u64, active as u64, dropped as u64, u64::from(iterations), u64::from(solved)]
            .into_iter()
            .for_each(|n| row.put(n));
        [residual, depth, turned, self.deformation, self.kinetic].into_iter().for_each(|x| row.put_real(x));
    }

    /// Reads the tick of a row; `None` if the row is too short.
    pub fn take(row: &Row) -> Option<DeformableTick> {
        let mut words = row.words().iter().copied();
        let hand = HandTick::take(&mut words)?;
        let (contacts, active, dropped) = (words.next()? as usize, words.next()? as usize, words.next()? as usize);
        let (iterations, solved) = (words.next()? as u32, words.next()? != 0);
        let mut real = || words.next().map(f64::from_bits);
        let (residual, depth, turned) = (real()?, real()?, real()?);
        let (deformation, kinetic) = (real()?, real()?);
        let step = StepReport { contacts, active, dropped, residual, solved, iterations, depth, turned };
        Some(DeformableTick { hand, step, deformation, kinetic })
    }
}

/// Columns of this engine beyond those that every engine has.
pub const OWN_COLUMNS: [Column; 10] = {
    use ColumnKind::{Count, Real};
    columns! {
        Count => "near", "active", "dropped", "iterations", "solved";
        Real => "residual", "depth_m", "turned_rad", "deformation_m", "kinetic_j"
    }
};

static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| HAND_COLUMNS.into_iter().chain(OWN_COLUMNS).collect());
