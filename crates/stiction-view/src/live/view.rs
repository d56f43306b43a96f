//! What the loop shows of itself: plain data of a fixed size, copied out without allocating.

use super::{AreasView, Source};
use stiction::columns::Row;
use stiction::simulation::{ContactArea, HandTick, Simulation};
use stiction::spatial::{Pose, Vec3};
use stiction::trace::ContactTrace;
use stiction_device::Phase;

/// Most contacts of a lane that are shown; of more, as many spread evenly.
pub const MOST_CONTACTS: usize = 1024;

/// Shows the contacts of a tick one by one.
pub trait ShowContacts: FnOnce(&mut dyn FnMut(&ContactTrace)) {}

impl<F: FnOnce(&mut dyn FnMut(&ContactTrace))> ShowContacts for F {}

/// Most bodies of a lane that are shown.
pub const MOST_BODIES: usize = 256;

/// A contact for display.
#[derive(Clone, Copy, Debug)]
pub struct ContactView {
    /// Number of the shell point.
    pub id: u32,
    /// 0 separated, 1 stuck, 2 sliding.
    pub state: u32,
    /// Position, normal, friction force and slip in the world, then normal force, limit and depth.
    pub numbers: [f32; 15],
}

impl ContactView {
    const NONE: ContactView = ContactView { id: 0, state: 0, numbers: [0.0; 15] };

    fn of(contact: &ContactTrace) -> Self {
        let mut numbers = [0.0; 15];
        for (i, v) in [&contact.position, &contact.normal, &contact.friction, &contact.slip].into_iter().enumerate() {
            (0..3).for_each(|k| numbers[3 * i + k] = v[k] as f32);
        }
        numbers[12..].copy_from_slice(&[contact.normal_force as f32, contact.limit as f32, contact.depth as f32]);
        ContactView { id: contact.id.0 as u32, state: contact.state as u32, numbers }
    }
}

/// One lane: one engine.
#[derive(Clone, Copy, Debug)]
pub struct LaneView {
    /// What the last tick did at the hand.
    pub hand: HandTick,
    /// The last tick as a row of the engine's columns.
    pub row: Row,
    /// Phase of the safety envelope.
    pub phase: Phase,
    /// Number of ticks since the world began.
    pub ticks: u64,
    /// Number of those in which the part slid.
    pub slipped: u64,
    /// How far the fastest contact slid in them (m).
    pub slid: f64,
    /// CPU time of all of them (ns).
    pub cpu: u64,
    /// Longest tick since the last view (ns).
    pub cpu_longest: u64,
    /// How far the contact has moved along the surface since the hand came to rest (m).
    pub creep: f64,
    /// Number of bodies.
    pub body_count: u32,
    /// Where the bodies are (world from body).
    pub bodies: [Pose; MOST_BODIES],
    /// Number of `contacts` that are in use.
    pub shown: u32,
    /// Contacts of the tick; the first `shown` of them are in use.
    pub contacts: [ContactView; MOST_CONTACTS],
    /// Areas over which bodies touched in the tick.
    pub areas: AreasView,
    /// The numbers of the bodies that the first two hands hold, from 1; 0 for one that holds none.
    pub holds: [u16; 2],
}

impl LaneView {
    /// A lane in which nothing has happened.
    pub fn new(pose: Pose) -> Self {
        LaneView {
            hand: HandTick::blank(pose),
            row: Row::default(),
            phase: Phase::Off,
            ticks: 0,
            slipped: 0,
            slid: 0.0,
            cpu: 0,
            cpu_longest: 0,
            creep: 0.0,
            body_count: 0,
            bodies: [Pose::identity(); MOST_BODIES],
            shown: 0,
            contacts: [ContactView::NONE; MOST_CONTACTS],
            areas: AreasView::NONE,
            holds: [0; 2],
        }
    }

    /// Takes the contacts of the tick, which `show` shows one by one.
    pub fn take(&mut self, show: impl ShowContacts) {
        let stride = (self.hand.contacts as usize).div_ceil(MOST_CONTACTS).max(1);
        let (contacts, mut number, mut shown) = (&mut self.contacts, 0, 0);
        show(&mut |contact| {
            if number % stride == 0
                && let Some(to) = contacts.get_mut(shown)
            {
                *to = ContactView::of(contact);
                shown += 1;
            }
            number += 1;
        });
        self.shown = shown as u32;
    }

    /// Takes where the bodies of an engine are, over which areas they touch, and which of them hands hold.
    pub fn place_bodies(&mut self, simulation: &dyn Simulation) {
        self.areas.take(|each: &mut dyn FnMut(&ContactArea)| simulation.areas(each));
        let number = |hand| simulation.held_body(hand).and_then(|body| u16::try_from(body + 1).ok()).unwrap_or(0);
        self.holds = [0, 1].map(|hand| if hand < simulation.hand_count() { number(hand) } else { 0 });
        self.body_count = simulation.body_count().min(MOST_BODIES) as u32;
        for (body, to) in self.bodies.iter_mut().enumerate().take(self.body_count as usize) {
            *to = simulation.body(body);
        }
    }

    /// Where the bodies are (world from body).
    pub fn bodies(&self) -> &[Pose] {
        &self.bodies[..(self.body_count as usize).min(MOST_BODIES)]
    }

    /// The contacts that are in use.
    pub fn in_use(&self) -> &[ContactView] {
        &self.contacts[..(self.shown as usize).min(MOST_CONTACTS)]
    }
}

/// State of the loop after a cycle, for display.
#[derive(Clone, Copy, Debug)]
pub struct LoopView {
    /// Number of the world.
    pub world: u64,
    /// Number of its shapes.
    pub generation: u32,
    /// What moves the hand, if no device does.
    pub source: Source,
    /// Whether a device moves the hand.
    pub device: bool,
    /// Whether it waits.
    pub paused: bool,
    /// Ticks for each period of real time.
    pub speed: f64,
    /// Simulated time since the last reset (s).
    pub time: f64,
    /// Number of ticks since the last reset.
    pub tick: u64,
    /// The last message about the hand in force.
    pub seq: f64,
    /// The hand (world from part).
    pub hand: Pose,
    /// The number of the hand that the page moves.
    pub moved: u8,
    /// Number of deadlines that were skipped.
    pub skipped: u64,
    /// The latest start of a cycle since the last view (ns).
    pub late: u64,
    /// Cycles of the loop, ticks or not.
    pub cycles: u64,
    /// How many lanes there are.
    pub lanes: u32,
    /// The lanes.
    pub lane: [LaneView; 2],
}

impl LoopView {
    /// Before anything has happened.
    pub fn new(pose: Pose) -> Self {
        LoopView {
            world: 0,
            generation: 0,
            source: Source::Script,
            device: false,
            paused: false,
            speed: 1.0,
            time: 0.0,
            tick: 0,
            seq: 0.0,
            hand: pose,
            moved: 0,
            skipped: 0,
            late: 0,
            cycles: 0,
            lanes: 0,
            lane: [LaneView::new(pose); 2],
        }
    }

    /// The lanes that are there.
    pub fn lanes(&self) -> &[LaneView] {
        &self.lane[..(self.lanes as usize).min(2)]
    }
}

/// A hand that moves more than this in a tick does not rest (m, rad): 0.2 mm/s at 1 kHz.
const RESTS: [f64; 2] = [2e-7, 2e-6];

/// How far a part's contact creeps while the hand rests, once it was held: what friction should not let happen. What a part yields to the hand, and how deep it is pressed in, is no creep.
#[derive(Clone, Copy, Debug, Default)]
pub struct CreepMeter {
    hand: Option<Pose>,
    from: Option<Reference>,
}

/// A material point of the part in the middle of its contacts, as the hand came to rest.
#[derive(Clone, Copy, Debug)]
struct Reference {
    in_part: Vec3,
    in_world: Vec3,
    normal: Vec3,
}

impl CreepMeter {
    /// How far the contact has moved along the surface since the hand came to rest (m); 0 while it moves, or nothing touches. `slips` says whether the part slipped in the tick.
    pub fn of(&mut self, tick: &HandTick, slips: bool, show: impl ShowContacts) -> f64 {
        let hand = self.hand.replace(tick.hand);
        let rests = hand.is_some_and(|last| {
            let moved = (tick.hand.translation.vector - last.translation.vector).norm();
            moved < RESTS[0] && (tick.hand.rotation * last.rotation.inverse()).angle() < RESTS[1]
        });
        if !rests || tick.contacts == 0 {
            self.from = None;
            return 0.0;
        }
        // What still slides as the hand comes to rest has not been held yet.
        if self.from.is_none() && slips {
            return 0.0;
        }
        let from = *self.from.get_or_insert_with(|| Reference::of(&tick.body, show));
        let moved = (tick.body * nalgebra::Point3::from(from.in_part)).coords - from.in_world;
        (moved - from.normal * from.normal.dot(&moved)).norm()
    }
}

impl Reference {
    fn of(part: &Pose, show: impl ShowContacts) -> Self {
        let (mut weight, mut at, mut push) = (0.0, Vec3::zeros(), Vec3::zeros());
        show(&mut |contact| {
            weight += contact.normal_force;
            at += contact.position * contact.normal_force;
            push += contact.normal * contact.normal_force;
        });
        let in_world = if weight > 0.0 { at / weight } else { part.translation.vector };
        let normal = if push.norm() > 0.0 { push / push.norm() } else { Vec3::zeros() };
        Reference { in_part: part.inverse_transform_point(&in_world.into()).coords, in_world, normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::contact::ContactId;
    use stiction::friction::SlipState;

    fn contact(x: f64) -> ContactTrace {
        ContactTrace {
            id: ContactId(0),
            position: Vec3::new(x, 0.0, 0.0),
            normal: Vec3::z(),
            depth: 1e-4,
            normal_force: 1.0,
            friction: Vec3::zeros(),
            limit: 0.5,
            slip: Vec3::zeros(),
            remembered: Vec3::zeros(),
            work: 0.0,
            state: SlipState::Stuck,
        }
    }

    fn tick(body: Pose, hand: Pose) -> HandTick {
        HandTick { hand, contacts: 2, ..HandTick::blank(body) }
    }

    fn show(contacts: &[ContactTrace]) -> impl ShowContacts {
        |each: &mut dyn FnMut(&ContactTrace)| contacts.iter().for_each(each)
    }

    #[test]
    fn creep_is_what_moves_along_the_surface_while_the_hand_rests() {
        let mut creep = CreepMeter::default();
        let hand = Pose::translation(0.0, 0.0, -0.001);
        let mut of = |part, hand| creep.of(&tick(part, hand), false, show(&[contact(-0.01), contact(0.01)]));
        assert_eq!(of(Pose::identity(), hand), 0.0);
        assert_eq!(of(Pose::identity(), hand), 0.0, "its reference");
        // Sinking is no creep, nor is rocking about the contact; sliding is.
        assert!(of(Pose::translation(0.0, 0.0, -2e-4), hand) < 1e-15);
        let rocked = Pose::rotation(Vec3::new(0.0, 1e-3, 0.0));
        assert!(of(rocked, hand) < 1e-15);
        assert!((of(Pose::translation(3e-6, 0.0, -2e-4), hand) - 3e-6).abs() < 1e-15);
        // What it yields to the hand is no creep.
        assert_eq!(of(Pose::translation(5e-4, 0.0, 0.0), Pose::translation(1e-3, 0.0, 0.0)), 0.0);
        assert_eq!(of(Pose::translation(5e-4, 0.0, 0.0), Pose::translation(1e-3, 0.0, 0.0)), 0.0, "a new reference");
    }

    #[test]
    fn what_slides_to_a_stop_after_the_hand_has_not_crept() {
        let mut creep = CreepMeter::default();
        let mut of = |x: f64, slips| {
            let tick = tick(Pose::translation(x, 0.0, 0.0), Pose::identity());
            creep.of(&tick, slips, show(&[contact(0.0)]))
        };
        for x in [0.0, 1e-3, 1.5e-3] {
            assert_eq!(of(x, true), 0.0);
        }
        assert_eq!(of(1.6e-3, false), 0.0, "held from here on");
        assert!((of(1.7e-3, true) - 1e-4).abs() < 1e-12, "let go while the hand rested");
    }

    #[test]
    fn more_contacts_than_fit_are_spread_evenly() {
        let mut lane = LaneView::new(Pose::identity());
        let many: Vec<ContactTrace> = (0..2500).map(|i| contact(f64::from(i))).collect();
        lane.hand.contacts = many.len() as u32;
        lane.take(show(&many));
        assert_eq!(lane.shown, 834);
        assert_eq!(lane.in_use()[833].numbers[0], 2499.0);
    }
}
