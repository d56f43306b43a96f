//! Prior motion: how the held part came from one formation to the next (section 4.2 of the paper).
//!
//! The text in which the detection of MT3 and MT4 is described is lost. By their names and by the friction rules that use them: MT4 is a formation with one contact more, MT3 everything else. The
//! order of the questions is MT1, MT2, MT5, MT4, MT3.

use crate::contact::Formation;
use crate::freedom::has_pure_rotation;
use crate::placed::Solids;

/// The types of prior motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionType {
    /// Nothing touches.
    #[default]
    Free,
    /// MT1: from no contact to contact.
    Guarded,
    /// MT2: the formation is kept, at rest or in a compliant motion.
    Kept,
    /// MT3: some contacts changed into others.
    Changed,
    /// MT4: a contact was gained.
    Gained,
    /// MT5: contacts broke.
    Broken,
}

impl MotionType {
    /// All types, by their numbers.
    pub const ALL: [MotionType; 6] = [
        MotionType::Free,
        MotionType::Guarded,
        MotionType::Kept,
        MotionType::Changed,
        MotionType::Gained,
        MotionType::Broken,
    ];

    /// A name for each, that of the paper first.
    pub const NAMES: &'static [&'static str] =
        &["free", "MT1-guarded", "MT2-kept", "MT3-changed", "MT4-gained", "MT5-broken"];

    /// The type of motion from one formation to the next.
    pub fn between(before: &Formation, now: &Formation) -> MotionType {
        let new = now.touches().iter().filter(|t| !before.has(&t.contact)).count();
        match (before.is_empty(), now.is_empty()) {
            (_, true) => MotionType::Free,
            (true, false) => MotionType::Guarded,
            _ if new == 0 && before.within(now) => MotionType::Kept,
            _ if new == 0 => MotionType::Broken,
            _ if new == 1 && before.within(now) => MotionType::Gained,
            _ => MotionType::Changed,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Whether one formation can change into another by a rotation alone: every contact that changed is a neighbour of one that was there, and the formation that binds less can be kept in a rotation
/// about one of its contacts.
pub fn by_rotation(solids: &Solids, before: &Formation, now: &Formation) -> bool {
    let neighbouring = |one: &Formation, two: &Formation| {
        one.touches()
            .iter()
            .all(|t| two.touches().iter().any(|u| t.contact == u.contact || t.contact.neighbours(&u.contact, solids)))
    };
    let bound = |f: &Formation| f.touches().iter().map(|t| u32::from(t.points)).sum::<u32>();
    let looser = if bound(before) < bound(now) { before } else { now };
    neighbouring(now, before) && has_pure_rotation(looser, solids.held.radius)
}

/// Keeps at most one contact that is new and no neighbour of one that went (section 3.1: only one contact is gained at a time); the others follow in later ticks.
pub fn one_at_a_time(solids: &Solids, before: &Formation, now: &Formation) -> Formation {
    let mut out = Formation::default();
    let mut gained = false;
    for touch in now.touches() {
        let gone = |l: &&crate::contact::Touch| !now.has(&l.contact) && touch.contact.neighbours(&l.contact, solids);
        let known = before.has(&touch.contact) || before.touches().iter().any(|l| gone(&l));
        if known || !gained {
            out.push(*touch);
        }
        gained |= !known;
    }
    out
}
