//! A lane of the loop: one engine on the hand that all lanes share.

use super::device::PageDevice;
use super::view::{CreepMeter, LaneView};
use crate::sentence::LaneInfo;
use crate::setup::lane_info;
use stiction::probe::Probe;
use stiction::simulation::HandTick;
use stiction::spatial::{Pose, Vec6};
use stiction_device::handover::{Publisher, latest};
use stiction_device::{Alarms, Arm, ArmHandle, Arms, CycleSink, Device, DeviceState, Enable, Snapshot};
use stiction_session::{Pace, Session, SessionError, SimWord};

/// A question for the margins thread: the contact problem of a tick, and the lane that asks.
pub struct MarginQuestion {
    /// Number of the world that it belongs to.
    pub world: u64,
    /// Number of the lane that it belongs to.
    pub lane: usize,
    /// The contact problem.
    pub probe: Probe,
}

/// One engine of the loop: a servo whose hand is moved by a page or by a simulated device, and counts of its ticks.
pub struct LiveLane {
    arms: Arms,
    /// Measurements of the page's handle; `None` if the arms have devices of their own.
    states: Option<Publisher<DeviceState>>,
    _handle: ArmHandle,
    info: LaneInfo,
    creep: CreepMeter,
    moved: f64,
    ticks: u64,
    slipped: u64,
    slid: f64,
    cpu: u64,
    cpu_longest: u64,
    /// The probe, while it is here and the engine has margins.
    pub(super) asked: Option<Box<MarginQuestion>>,
}

impl LiveLane {
    /// The lane of a session, `elapsed` seconds after the scene's loads began. Its device is the page, or the simulated one that the session's plan names.
    ///
    /// # Errors
    /// [`SessionError`] where engine or envelope refuse their settings.
    pub fn new(
        session: &Session,
        world: u64,
        lane: usize,
        elapsed: f64,
        sink: Option<Box<dyn CycleSink>>,
    ) -> Result<Self, SessionError> {
        let none = |why: &str| SessionError::Plan { name: "arms".into(), why: why.into() };
        let servo = session.live_servo()?;
        if servo.ports().len() != 1 {
            return Err(none("the live viewer has one hand"));
        }
        let (mut device, states): (Box<dyn Device>, _) = match session.plan.device {
            SimWord::Page => {
                let (states, measured) = latest(state(0, 0, &session.world.scene.hand().pose(0.0)));
                (Box::new(PageDevice::new(session.caps(0), measured)), Some(states))
            }
            _ => (Box::new(session.device(0, Pace::Virtual(session.period()))?), None),
        };
        device.arm().map_err(|e| none(&e.to_string()))?;
        let simulation = servo.simulation();
        let asked = simulation.probe(0).map(|probe| Box::new(MarginQuestion { world, lane, probe }));
        let (arm, handle) = Arm::new(0, &servo, device, sink);
        let loads = session.loads(0);
        let arm = arm.with_loads(Box::new(move |t| loads(t + elapsed)));
        Ok(LiveLane {
            arms: Arms::new(servo, vec![arm]),
            states,
            _handle: handle,
            info: lane_info(session),
            creep: CreepMeter::default(),
            moved: 0.0,
            ticks: 0,
            slipped: 0,
            slid: 0.0,
            cpu: 0,
            cpu_longest: 0,
            asked,
        })
    }

    /// What the last tick did at the hand.
    pub fn hand(&self) -> &HandTick {
        &self.snapshot().output.hand
    }

    /// Whether a device of its own moves the hand.
    pub fn has_device(&self) -> bool {
        self.states.is_none()
    }

    /// Contacts go on from what those of a lane with other settings remember.
    pub fn go_on_from(&mut self, other: &LiveLane) {
        self.arms.go_on_from(&other.arms);
    }

    fn snapshot(&self) -> &Snapshot {
        self.arms.arms()[0].snapshot()
    }

    /// One tick, with the page's hand there.
    pub fn tick(&mut self, now: u64, tick: u64, hand: &Pose) {
        if let Some(states) = &mut self.states {
            states.publish(&state(now, tick, hand));
        }
        self.arms.once(now, 0);
        let snapshot = *self.snapshot();
        let slid = self.info.slid(&snapshot.output.row);
        let slips = slid.is_some();
        let simulation = self.arms.servo().simulation();
        self.moved =
            self.creep.of(&snapshot.output.hand, slips, |each: &mut dyn FnMut(&_)| simulation.contacts(0, each));
        self.ticks += 1;
        self.slipped += u64::from(slips);
        self.slid += slid.unwrap_or(0.0);
        self.cpu += snapshot.compute;
        self.cpu_longest = self.cpu_longest.max(snapshot.compute);
    }

    /// Puts the tick into a view.
    pub fn show(&mut self, view: &mut LaneView) {
        let output = &self.snapshot().output;
        (view.hand, view.row, view.phase) = (output.hand, output.row, output.report.phase);
        (view.ticks, view.slipped, view.slid, view.cpu) = (self.ticks, self.slipped, self.slid, self.cpu);
        view.cpu_longest = std::mem::take(&mut self.cpu_longest);
        view.creep = self.moved;
        view.place_bodies(self.arms.servo().simulation());
        view.take(|each: &mut dyn FnMut(&_)| self.arms.servo().simulation().contacts(0, each));
    }

    /// Copies the tick into the probe, if it is here, and gives it away.
    pub fn ask(&mut self) -> Option<Box<MarginQuestion>> {
        let mut asked = self.asked.take()?;
        self.arms.servo().simulation().copy_to(0, &mut asked.probe);
        Some(asked)
    }
}

fn state(now: u64, tick: u64, hand: &Pose) -> DeviceState {
    DeviceState {
        time: now,
        sequence: tick,
        pose: *hand,
        twist: Vec6::zeros(),
        buttons: 0,
        enable: Enable::YES,
        alarms: Alarms::default(),
    }
}
