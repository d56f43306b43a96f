//! Friction rules for each type of prior motion (section 4.4 of the paper) and what contacts remember.
//!
//! ```text
//!   s     displacement of the contact point along the contact plane since sticking began (m)
//!   F_cy  normal force (N)      µ, µ_D  static and kinetic coefficient      K_p  tangential stiffness (N/m)
//!
//!   (2) a contact that is made inside the friction cone      F = −F_cy [a 0 c]/|b|, [a b c] the direction of approach
//!   (3) a contact that hardly moved                          |s| ≤ µ F_cy/K_p
//!   (4) static                                               F = −K_p s
//!   (5) dynamic                                              F = −µ_D F_cy t, t the unit tangential motion
//!   (6) at the limit                                         F = −µ F_cy s/|s|
//! ```
//!
//! Deviations, each for a reason (section 8.4 of the notes). The printed sign of (2) would push along the motion. (4) to (6) take the unit tangential direction, not the tangential part of a unit
//! vector. The paper does not say since when s is counted: from tick to tick, (4) would vanish at rest. Here s is counted from where sticking began, a point of each part, which (2), (5) and (6) move such that
//! (4) gives the same force afterwards: a loaded part keeps its friction for as long as it rests. A contact that slides goes on sliding while it moves on, else µ_D < µ would make it chatter. Where (5) asks for a direction but
//! nothing moves, the contact keeps the direction of s, and its friction is at most what (4) holds.

use crate::contact::{Formation, MOST_CONTACTS, PrincipalContact};
use crate::motion::MotionType;
use stiction::spatial::{Rotation, Vec3};

/// The equation that gives the friction of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionRule {
    /// (4): static.
    #[default]
    Static,
    /// (2): static, at the moment of contact.
    Impact,
    /// (6): static, at the limit.
    Limit,
    /// (5): dynamic.
    Dynamic,
}

impl FrictionRule {
    /// All rules, by their numbers.
    pub const ALL: [FrictionRule; 4] =
        [FrictionRule::Static, FrictionRule::Impact, FrictionRule::Limit, FrictionRule::Dynamic];
    /// A word for each.
    pub const NAMES: &'static [&'static str] = &["sticking", "sticking-on-impact", "sticking-at-its-limit", "sliding"];

    /// Whether the contact sticks or slides, in a word.
    pub fn word(self) -> &'static str {
        if self == FrictionRule::Dynamic { "sliding" } else { "sticking" }
    }

    /// The name of the rule.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// What the rules ask of one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip {
    /// |s| (m).
    pub distance: f64,
    /// Whether (3) holds.
    pub small: bool,
    /// Whether the contact is new, and the direction of approach inside the friction cone.
    pub in_cone: bool,
    /// Whether the contact is new.
    pub new: bool,
}

/// What the rules ask of the formation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom {
    /// MT2: the hand's motion can be a physical one that keeps the formation.
    pub possible: bool,
    /// MT2: the formation can be kept in a pure rotation; MT3: the change can be made by one.
    pub pure_rotation: bool,
}

/// The rule for each contact of a formation.
pub fn rules(motion: MotionType, freedom: Freedom, slips: &[Slip]) -> [FrictionRule; MOST_CONTACTS] {
    use FrictionRule::{Dynamic, Impact, Limit, Static};
    let mut out = [Dynamic; MOST_CONTACTS];
    let held = |slip: &Slip| if slip.small { Static } else { Limit };
    match motion {
        MotionType::Free => {}
        MotionType::Guarded => {
            out.iter_mut().zip(slips).for_each(|(rule, slip)| *rule = if slip.in_cone { Impact } else { Dynamic })
        }
        // Case (a): no physical motion. All are static.
        MotionType::Kept if slips.iter().all(|s| s.small) || !freedom.possible => {
            out.iter_mut().zip(slips).for_each(|(rule, slip)| *rule = held(slip));
        }
        // Case (b): it must translate. Case (c): it may turn.
        MotionType::Kept | MotionType::Changed if !freedom.pure_rotation => {}
        MotionType::Kept | MotionType::Changed | MotionType::Broken => least_slip_sticks(slips, &mut out),
        MotionType::Gained => {
            if slips.iter().any(|slip| slip.new && slip.in_cone) {
                out.iter_mut().zip(slips).for_each(|(rule, slip)| *rule = if slip.new { Impact } else { held(slip) });
            }
        }
    }
    out
}

/// A pure rotation: the contact of least slip sticks, if (3) holds there, and the others slide.
fn least_slip_sticks(slips: &[Slip], out: &mut [FrictionRule]) {
    let least = slips.iter().enumerate().min_by(|(_, s), (_, t)| s.distance.total_cmp(&t.distance));
    if let Some((i, _)) = least.filter(|(_, slip)| slip.small) {
        out[i] = FrictionRule::Static;
    }
}

/// What a contact remembers of where sticking began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// The contact.
    pub contact: PrincipalContact,
    /// The point of A that sticks, in A's frame (m).
    pub on_held: Vec3,
    /// Where it stuck, in B's frame (m).
    pub on_fixed: Vec3,
    /// How A was turned then (B from A).
    pub turned: Rotation,
    /// Whether it slid in the last tick, and where to.
    pub sliding: bool,
    /// Unit direction of the last slip, in B's frame.
    pub direction: Vec3,
    /// The last normal force (N).
    pub normal_force: f64,
}

/// What the contacts of a formation remember, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grips {
    grips: [Grip; MOST_CONTACTS],
    count: usize,
}

impl Grips {
    /// What contacts remember.
    pub fn all(&self) -> &[Grip] {
        &self.grips[..self.count]
    }

    /// What contacts remember, to be changed.
    pub fn all_mut(&mut self) -> &mut [Grip] {
        &mut self.grips[..self.count]
    }

    /// The memory for the next formation: that of contacts that stay; contacts that others turned into take over their displacement; new ones begin with none.
    /// `place` gives the contact point in A's frame and in B's.
    pub fn next(
        &self,
        now: &Formation,
        turned: Rotation,
        place: impl Fn(usize) -> [Vec3; 2],
        neighbours: impl Fn(&PrincipalContact, &PrincipalContact) -> bool,
        displacement: impl Fn(&Grip) -> Vec3,
    ) -> Grips {
        let mut out = Grips { count: now.touches().len(), ..Grips::default() };
        for (i, touch) in now.touches().iter().enumerate() {
            if let Some(same) = self.all().iter().find(|g| g.contact == touch.contact) {
                out.grips[i] = *same;
                continue;
            }
            let [on_held, on_fixed] = place(i);
            let before = self.all().iter().find(|g| neighbours(&g.contact, &touch.contact));
            let s = before.map_or(Vec3::zeros(), |g| along(&displacement(g), &touch.normal));
            let blank = Grip { contact: touch.contact, on_held, on_fixed: on_fixed - s, turned, ..Grip::default() };
            out.grips[i] = before.map_or(blank, |g| Grip {
                sliding: g.sliding,
                direction: along(&g.direction, &touch.normal),
                ..blank
            });
        }
        out
    }
}

/// The part of a vector that lies in the plane with this normal.
pub fn along(v: &Vec3, normal: &Vec3) -> Vec3 {
    v - normal * v.dot(normal)
}
