//! What a tick of the engine did at a hand, as plain data.

use std::sync::LazyLock;
use stiction::columns::{Column, ColumnKind, Row, columns};
use stiction::simulation::{HAND_COLUMNS, HandTick};
use stiction::spatial::Pose;

/// One tick of a [`VolumeEngine`](crate::VolumeEngine) at one hand: what every engine tells, then what the whole world does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeTick {
    /// What every engine tells of a hand.
    pub hand: HandTick,
    /// The number of the body that the hand holds, from 1; 0 while it holds none.
    pub holds: u64,
    /// Pairs of convex parts of the held body that touch: those that stick, then those that slide.
    pub held_states: [u32; 2],
    /// Normal forces on the held body, summed up (N).
    pub normal_force: f64,
    /// Friction forces on the held body, summed up (N).
    pub friction: f64,
    /// Area over which the held body touches others (m²).
    pub area: f64,
    /// Largest depth of the held body in others (m).
    pub depth: f64,
    /// Pairs of convex parts in the whole world that touch.
    pub pairs: u32,
    /// Kinetic energy of all free bodies (J).
    pub kinetic: f64,
    /// Energy of weight and springs: contacts, friction and joints (J).
    pub potential: f64,
    /// A hash of the state of all bodies.
    pub world: u64,
}

impl VolumeTick {
    /// Before the first tick.
    pub fn blank(pose: &Pose) -> VolumeTick {
        VolumeTick {
            hand: HandTick::blank(*pose),
            holds: 0,
            held_states: [0; 2],
            normal_force: 0.0,
            friction: 0.0,
            area: 0.0,
            depth: 0.0,
            pairs: 0,
            kinetic: 0.0,
            potential: 0.0,
            world: 0,
        }
    }

    /// The columns of a tick's row: those of every engine, then [`OWN_COLUMNS`].
    pub fn columns() -> &'static [Column] {
        &COLUMNS
    }

    /// Adds the words of the tick to an empty row.
    pub fn put(&self, row: &mut Row) {
        self.hand.put(row);
        row.put(self.holds);
        self.held_states.iter().for_each(|n| row.put(u64::from(*n)));
        [self.normal_force, self.friction, self.area, self.depth].iter().for_each(|x| row.put_real(*x));
        row.put(u64::from(self.pairs));
        [self.kinetic, self.potential].iter().for_each(|x| row.put_real(*x));
        row.put(self.world);
    }

    /// Reads the tick of a row; `None` if the row is too short.
    pub fn take(row: &Row) -> Option<VolumeTick> {
        let mut words = row.words().iter().copied();
        let hand = HandTick::take(&mut words)?;
        let holds = words.next()?;
        let held_states = [words.next()? as u32, words.next()? as u32];
        let mut real = || words.next().map(f64::from_bits);
        let (normal_force, friction, area, depth) = (real()?, real()?, real()?, real()?);
        let pairs = words.next()? as u32;
        let mut real = || words.next().map(f64::from_bits);
        let (kinetic, potential) = (real()?, real()?);
        let world = words.next()?;
        Some(VolumeTick {
            hand,
            holds,
            held_states,
            normal_force,
            friction,
            area,
            depth,
            pairs,
            kinetic,
            potential,
            world,
        })
    }
}

/// Columns of this engine beyond those that every engine has.
pub const OWN_COLUMNS: [Column; 11] = {
    use ColumnKind::{Count, Real};
    columns! {
        Count => "holds", "stuck", "sliding";
        Real => "normal_force_n", "friction_n", "area_m2", "depth_m";
        Count => "pairs";
        Real => "kinetic_j", "potential_j";
        Count => "world_hash"
    }
};

static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| HAND_COLUMNS.into_iter().chain(OWN_COLUMNS).collect());
