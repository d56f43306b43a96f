//! Engines as a run drives them and sums them up: every one tells its tick in the terms of a [`Trace`] besides its own row.

use stiction::columns::{Column, Row};
use stiction::contact::ContactId;
use stiction::friction::{SlipState, Verdict};
use stiction::simulation::HandInput;
use stiction::spatial::{Vec6, halves, join, log};
use stiction::tick::Engine;
use stiction::trace::{ContactTrace, Trace};
use stiction_formation::contact::PrincipalContact;
use stiction_formation::{FormationEngine, FormationTick};

/// An engine that a [`Run`](crate::Run) drives.
pub trait DrivenEngine {
    /// Whether it asks for the velocities of hands; otherwise they are zero.
    const USES_VELOCITY: bool = false;

    /// One tick of a period (s) with the scene's hands, in their order. Must not allocate.
    fn drive(&mut self, hands: &[HandInput], period: f64);

    /// What the last tick did.
    fn last_trace(&self) -> &Trace;

    /// The last tick as a row of the engine's own columns.
    fn last_row(&self) -> Row;

    /// The columns of that row.
    fn row_columns(&self) -> &'static [Column];

    /// The contacts of the last tick.
    fn last_contacts(&self) -> impl Iterator<Item = ContactTrace>;
}

impl DrivenEngine for Engine {
    fn drive(&mut self, hands: &[HandInput], _period: f64) {
        if let Some(hand) = hands.first() {
            self.tick(&hand.pose, &hand.load);
        }
    }

    fn last_trace(&self) -> &Trace {
        self.trace()
    }

    fn last_row(&self) -> Row {
        self.trace().row()
    }

    fn row_columns(&self) -> &'static [Column] {
        Trace::columns()
    }

    fn last_contacts(&self) -> impl Iterator<Item = ContactTrace> {
        self.contacts()
    }
}

/// The engine of contact formations in a run.
#[derive(Clone, Debug)]
pub struct FormationDriver {
    engine: FormationEngine,
    trace: Trace,
    /// The contacts that there were so far: their places are their numbers for sums over a run.
    seen: Vec<PrincipalContact>,
}

impl FormationDriver {
    /// Most different contacts of a run that are told apart.
    pub const MOST_CONTACTS: usize = 1024;

    /// Drives an engine from where it is.
    pub fn new(engine: FormationEngine) -> FormationDriver {
        let last = engine.last();
        let trace = Trace::blank(&last.body, &last.centre);
        FormationDriver { engine, trace, seen: Vec::with_capacity(Self::MOST_CONTACTS) }
    }

    /// The engine itself.
    pub fn engine(&self) -> &FormationEngine {
        &self.engine
    }

    /// What the last tick did, with its formation.
    pub fn tick(&self) -> &FormationTick {
        self.engine.last()
    }

    fn number(&self, contact: &PrincipalContact) -> u64 {
        self.seen.iter().position(|seen| seen == contact).map_or(u64::MAX, |place| place as u64)
    }
}

impl DrivenEngine for FormationDriver {
    fn drive(&mut self, hands: &[HandInput], period: f64) {
        let Some(HandInput { pose: hand, load, .. }) = hands.first() else { return };
        let before = (self.engine.last().body, self.engine.last().centre);
        self.engine.tick(hand, load, period);
        for touch in self.engine.last().formation.touches() {
            if self.seen.len() < Self::MOST_CONTACTS && !self.seen.contains(&touch.contact) {
                self.seen.push(touch.contact);
            }
        }
        let tick = self.engine.last();
        let step = join(tick.centre - before.1, log(&(tick.body.rotation * before.0.rotation.inverse())));
        self.trace = traced(&self.engine, step);
    }

    fn last_trace(&self) -> &Trace {
        &self.trace
    }

    fn last_row(&self) -> Row {
        let mut row = Row::default();
        self.engine.last().put(&mut row);
        row
    }

    fn row_columns(&self) -> &'static [Column] {
        FormationTick::columns()
    }

    fn last_contacts(&self) -> impl Iterator<Item = ContactTrace> {
        let touches = self.engine.last().formation.touches().iter();
        let numbered = |(contact, touch): (ContactTrace, &stiction_formation::contact::Touch)| ContactTrace {
            id: ContactId(self.number(&touch.contact)),
            depth: contact.depth.max(0.0),
            ..contact
        };
        self.engine.contact_traces().zip(touches).map(numbered)
    }
}

/// A tick of contact formations in the terms of a trace: it holds while all contacts stick, and slides while one of them does. What the engine does not have, such as a residual, is zero.
fn traced(engine: &FormationEngine, step: Vec6) -> Trace {
    let tick = engine.last();
    let mut trace =
        Trace { tick: tick.tick, hand: tick.hand, part: tick.body, centre: tick.centre, ..Trace::default() };
    (trace.wrench, trace.load, trace.step, trace.flags) = (tick.wrench, tick.load, step, tick.flags);
    trace.clearance = f64::INFINITY;
    for contact in engine.contact_traces() {
        let lever = contact.position - tick.centre;
        let normal = contact.normal * contact.normal_force;
        trace.normal += join(normal, lever.cross(&normal));
        trace.friction += join(contact.friction, lever.cross(&contact.friction));
        trace.contacts += 1;
        match contact.state {
            SlipState::Stuck => trace.stuck += 1,
            SlipState::Sliding => trace.sliding += 1,
            SlipState::Separated => trace.separating += 1,
        }
        trace.limited += u32::from(contact.limit > 0.0 && contact.friction.norm() >= contact.limit * (1.0 - 1e-9));
        trace.slip = trace.slip.max(contact.slip.norm());
        trace.pressure += contact.normal_force;
        trace.limit += contact.limit;
        trace.work = [trace.work[0] + contact.work, trace.work[1].max(contact.work)];
        trace.depth = trace.depth.max(contact.depth);
        trace.clearance = trace.clearance.min(-contact.depth);
    }
    let moves = halves(&step).0.norm() > 0.0;
    trace.verdict = match (trace.stuck, trace.sliding) {
        (0, 0) => Verdict::Free,
        (_, 0) => Verdict::Holds,
        _ if moves || trace.slip > 0.0 => Verdict::Slips,
        _ => Verdict::Holds,
    };
    trace
}
