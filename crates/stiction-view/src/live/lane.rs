//! A lane of the loop: one engine on the hand that all lanes share.

use super::device::PageDevice;
use super::view::{Creep, LaneView};
use stiction::friction::Verdict;
use stiction::probe::Probe;
use stiction::spatial::{Pose, Vec6};
use stiction_device::handover::{Publisher, latest};
use stiction_device::{Alarms, Arm, Device, Enable, Reins, Sink, State};
use stiction_session::{Session, SessionError};

/// A question for margins on its way: the probe, and of which tick.
pub struct Asked {
    /// The stand and the lane it belongs to.
    pub stand: u64,
    /// See `stand`.
    pub lane: usize,
    /// The contact problem.
    pub probe: Probe,
}

/// An arm without a device, and what was counted of it.
pub struct LaneRun {
    arm: Arm,
    states: Publisher<State>,
    _reins: Reins,
    creep: Creep,
    moved: f64,
    ticks: u64,
    slipped: u64,
    cpu: u64,
    cpu_longest: u64,
    /// The probe, while it is here.
    pub(super) asked: Option<Box<Asked>>,
}

impl LaneRun {
    /// The lane of a session, `elapsed` seconds after the scene's loads began.
    ///
    /// # Errors
    /// [`SessionError`] where engine or envelope refuse their settings.
    pub fn new(
        session: &Session,
        stand: u64,
        lane: usize,
        elapsed: f64,
        sink: Option<Box<dyn Sink>>,
    ) -> Result<Self, SessionError> {
        let none = || SessionError::Plan { name: "arms".into(), why: "the viewer shows one hand".into() };
        let servo = session.servos()?.into_iter().next().ok_or_else(none)?;
        let (states, measured) = latest(state(0, 0, &session.world.scene.hand().pose(0.0)));
        let mut device = PageDevice::new(session.caps(0), measured);
        device.arm().map_err(|e| SessionError::Plan { name: "device".into(), why: e.to_string() })?;
        let asked = Box::new(Asked { stand, lane, probe: servo.engine().probe() });
        let loads = session.loads(0);
        let (arm, reins) = Arm::new(0, servo, Box::new(device), sink);
        Ok(LaneRun {
            arm: arm.with_loads(Box::new(move |t| loads(t + elapsed))),
            states,
            _reins: reins,
            creep: Creep::default(),
            moved: 0.0,
            ticks: 0,
            slipped: 0,
            cpu: 0,
            cpu_longest: 0,
            asked: Some(asked),
        })
    }

    /// The part (world from part).
    pub fn part(&self) -> &Pose {
        &self.arm.servo().output().part
    }

    /// One tick with the hand there.
    pub fn tick(&mut self, now: u64, tick: u64, hand: &Pose) {
        self.states.publish(&state(now, tick, hand));
        self.arm.once(now, 0, None);
        let snapshot = self.arm.snapshot();
        let trace = &snapshot.output.trace;
        let slips = trace.verdict == Verdict::Slips;
        self.moved = self.creep.of(trace, self.arm.servo().engine().contacts());
        self.ticks += 1;
        self.slipped += u64::from(slips);
        self.cpu += snapshot.compute;
        self.cpu_longest = self.cpu_longest.max(snapshot.compute);
    }

    /// Puts the tick into a view.
    pub fn show(&mut self, view: &mut LaneView) {
        let output = &self.arm.snapshot().output;
        (view.trace, view.phase) = (output.trace, output.report.phase);
        (view.ticks, view.slipped, view.cpu) = (self.ticks, self.slipped, self.cpu);
        view.cpu_longest = std::mem::take(&mut self.cpu_longest);
        view.creep = self.moved;
        view.take(output.trace.contacts, self.arm.servo().engine().contacts());
    }

    /// Copies the tick into the probe, if it is here, and gives it away.
    pub fn ask(&mut self) -> Option<Box<Asked>> {
        let mut asked = self.asked.take()?;
        self.arm.servo().engine().copy_to(&mut asked.probe);
        Some(asked)
    }
}

fn state(now: u64, tick: u64, hand: &Pose) -> State {
    State {
        time: now,
        sequence: tick,
        pose: *hand,
        twist: Vec6::zeros(),
        buttons: 0,
        enable: Enable::YES,
        alarms: Alarms::default(),
    }
}
