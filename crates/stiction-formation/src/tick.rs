//! What a tick of the engine did, as plain data.

use crate::contact::{ContactKind, Formation, MOST_CONTACTS, PrincipalContact, Touch};
use crate::friction::FrictionRule;
use crate::motion::MotionType;
use std::sync::LazyLock;
use stiction::columns::{Column, ColumnKind, Row, Words, columns};
use stiction::friction::Verdict;
use stiction::simulation::{HAND_COLUMNS, HandTick, KnownLoad};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::trace::{Flags, Trace};

/// Force of one contact. Vectors are in the fixed part's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// The equation that gave its friction.
    pub rule: FrictionRule,
    /// Normal force F_cy (N).
    pub normal_force: f64,
    /// Friction on the held part (N).
    pub friction: Vec3,
    /// Torsional friction about the normal (N m); zero in the paper's model.
    pub torsion: f64,
    /// Where the normal force acts (m).
    pub point: Vec3,
    /// Work of friction in the tick (J).
    pub work: f64,
    /// Displacement s since sticking began (m).
    pub displacement: Vec3,
}

/// One tick of a [`FormationEngine`](crate::FormationEngine).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormationTick {
    /// Its number, from 0; `u64::MAX` before the first.
    pub tick: u64,
    /// The hand's pose that went in (world from part).
    pub hand: Pose,
    /// Where the part is shown: that of the proxy, or where it sticks (world from part).
    pub body: Pose,
    /// The proxy's pose, at which the formation was identified (world from part).
    pub proxy: Pose,
    /// The part's centre where it is shown (m, world).
    pub centre: Vec3,
    /// Haptic force and moment: contacts, weight and load (N, N m about the centre, world). Equations (7) to (9).
    pub wrench: Vec6,
    /// Weight and load (N, N m).
    pub load: Vec6,
    /// Type of the prior motion.
    pub motion: MotionType,
    /// The formation.
    pub formation: Formation,
    /// The force of each of its contacts.
    pub forces: [ContactForce; MOST_CONTACTS],
    /// What was noticed.
    pub flags: Flags,
}

impl FormationTick {
    /// Before the first tick.
    pub fn blank(pose: &Pose, centre: &Vec3) -> FormationTick {
        FormationTick {
            tick: u64::MAX,
            hand: *pose,
            body: *pose,
            proxy: *pose,
            centre: *centre,
            wrench: Vec6::zeros(),
            load: Vec6::zeros(),
            motion: MotionType::Free,
            formation: Formation::default(),
            forces: [ContactForce::default(); MOST_CONTACTS],
            flags: Flags::default(),
        }
    }

    /// The contacts with their forces.
    pub fn contacts(&self) -> impl Iterator<Item = (&Touch, &ContactForce)> {
        self.formation.touches().iter().zip(&self.forces)
    }

    /// The contacts by name, with the rule of their friction. For reports: it allocates.
    pub fn named(&self) -> Vec<(PrincipalContact, FrictionRule)> {
        self.contacts().map(|(touch, force)| (touch.contact, force.rule)).collect()
    }

    /// The tick as every engine tells it.
    pub fn hand_tick(&self) -> HandTick {
        let known = KnownLoad { wrench: self.load, mover: self.body, held_in_mover: Pose::identity() };
        HandTick {
            tick: self.tick,
            hand: self.hand,
            body: self.body,
            centre: self.centre,
            wrench: self.wrench,
            load: self.load,
            contacts: self.formation.touches().len() as u32,
            flags: self.flags,
            known_loads: [known, KnownLoad::default()],
        }
    }

    /// The columns of a tick's row: those of every engine, then [`OWN_COLUMNS`].
    pub fn columns() -> &'static [Column] {
        &COLUMNS
    }

    /// Adds the words of the tick to an empty row.
    pub fn put(&self, row: &mut Row) {
        self.hand_tick().put(row);
        row.put(self.motion as u64);
        let total = |of: &dyn Fn(&ContactForce) -> f64| self.contacts().map(|(_, f)| of(f)).sum::<f64>();
        row.put_real(total(&|f| f.normal_force));
        row.put_real(total(&|f| f.friction.norm()));
        row.put_real(total(&|f| f.work));
        row.put_real(self.contacts().map(|(t, _)| t.gap).fold(f64::INFINITY, f64::min));
        for i in 0..MOST_CONTACTS {
            match self.formation.touches().get(i) {
                Some(Touch { contact, .. }) => {
                    row.put(contact.kind as u64 + 1);
                    row.put(u64::from(contact.a));
                    row.put(u64::from(contact.b));
                    row.put(self.forces[i].rule as u64);
                }
                None => (0..4).for_each(|_| row.put(0)),
            }
        }
    }
}

/// Words of a contact's kind in a row; the first is for no contact.
const KINDS: &[&str] = &["none", "face-face", "edge-face", "face-edge", "vertex-face", "face-vertex", "edge-edge"];

/// Columns of this engine beyond those that every engine has: the type of the prior motion, sums over contacts, and for each contact its kind, the numbers of its elements and its friction.
pub const OWN_COLUMNS: [Column; 5 + 4 * MOST_CONTACTS] = {
    use ColumnKind::{Choice, Count, Real};
    macro_rules! contact {
        ($($kind:literal, $held:literal, $fixed:literal, $friction:literal);+) => {
            columns! {
                Choice(Words::Known(MotionType::NAMES)) => "motion";
                Real => "normal_force_n", "friction_n", "friction_work_j", "gap_m";
                $(Choice(Words::Known(KINDS)) => $kind;
                Count => $held, $fixed;
                Choice(Words::Known(FrictionRule::NAMES)) => $friction);+
            }
        };
    }
    contact!(
        "contact1_kind", "contact1_held", "contact1_fixed", "contact1_friction";
        "contact2_kind", "contact2_held", "contact2_fixed", "contact2_friction";
        "contact3_kind", "contact3_held", "contact3_fixed", "contact3_friction";
        "contact4_kind", "contact4_held", "contact4_fixed", "contact4_friction";
        "contact5_kind", "contact5_held", "contact5_fixed", "contact5_friction";
        "contact6_kind", "contact6_held", "contact6_fixed", "contact6_friction";
        "contact7_kind", "contact7_held", "contact7_fixed", "contact7_friction";
        "contact8_kind", "contact8_held", "contact8_fixed", "contact8_friction"
    )
};

static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| HAND_COLUMNS.into_iter().chain(OWN_COLUMNS).collect());

/// The formation of a row, with the friction of each contact; `None` if the row is not of this engine.
pub fn formation_of(columns: &[Column], row: &Row) -> Option<Vec<(PrincipalContact, FrictionRule)>> {
    let start = columns.iter().position(|c| c.name == "contact1_kind")?;
    contacts_from(start, row).map(Iterator::collect)
}

/// A row of this engine in the terms of a trace: what part, hand and wrench are, and whether contacts stick or slide. What the row does not have is zero. `None` if the row is too short.
/// Allocates nothing.
pub fn trace_of_row(row: &Row) -> Option<Trace> {
    let hand = HandTick::take(&mut row.words().iter().copied())?;
    let own = row.words().get(HAND_COLUMNS.len()..)?;
    let real = |i: usize| own.get(i).map(|word| f64::from_bits(*word));
    let (normal, friction, work) = (real(1)?, real(2)?, real(3)?);
    let contacts = || contacts_from(HAND_COLUMNS.len() + 5, row);
    let count = |of: &dyn Fn(FrictionRule) -> bool| Some(contacts()?.filter(|(_, rule)| of(*rule)).count() as u32);
    let sliding = count(&|rule| rule == FrictionRule::Dynamic)?;
    let stuck = hand.contacts.saturating_sub(sliding);
    let verdict = match (stuck, sliding) {
        _ if !(normal > 0.0) => Verdict::Free,
        (_, 0) => Verdict::Holds,
        _ => Verdict::Slips,
    };
    Some(Trace {
        tick: hand.tick,
        hand: hand.hand,
        part: hand.body,
        centre: hand.centre,
        wrench: hand.wrench,
        load: hand.load,
        verdict,
        contacts: hand.contacts,
        stuck,
        sliding,
        limited: count(&|rule| matches!(rule, FrictionRule::Dynamic | FrictionRule::Limit))?,
        slip: if sliding > 0 && friction > 0.0 { work.abs() / friction } else { 0.0 },
        pressure: normal,
        work: [work, 0.0],
        flags: hand.flags,
        ..Trace::default()
    })
}

/// The contacts of a row whose words for them begin at a place.
fn contacts_from(start: usize, row: &Row) -> Option<impl Iterator<Item = (PrincipalContact, FrictionRule)>> {
    let words = row.words().get(start..start + 4 * MOST_CONTACTS)?;
    let contacts = words.chunks_exact(4).map_while(|w| {
        let kind = *ContactKind::ALL.get(usize::try_from(w[0].checked_sub(1)?).ok()?)?;
        let contact = PrincipalContact { kind, a: w[1] as u32, b: w[2] as u32 };
        Some((contact, *FrictionRule::ALL.get(usize::try_from(w[3]).ok()?)?))
    });
    Some(contacts)
}
