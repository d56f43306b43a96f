//! A lane of the loop: one engine on the hands that all lanes share.

use super::MOST_HANDS;
use super::device::PageDevice;
use super::view::{CreepMeter, LaneView};
use crate::sentence::LaneInfo;
use crate::setup::{hand_motion, lane_info};
use stiction::probe::Probe;
use stiction::simulation::HandTick;
use stiction::spatial::{Pose, Vec6};
use stiction_device::handover::{Publisher, latest};
use stiction_device::{Alarms, Arm, ArmHandle, Arms, Commands, CycleSink, Device, DeviceState, Enable, Grab, Snapshot};
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

/// Where a hand or its handle is in a tick of the loop.
#[derive(Clone, Copy, Debug)]
pub struct HandMotion {
    /// Its pose (world from part).
    pub pose: Pose,
    /// Its velocity (m/s, rad/s, world).
    pub twist: Vec6,
}

impl HandMotion {
    /// At rest.
    pub fn still(pose: Pose) -> Self {
        HandMotion { pose, twist: Vec6::zeros() }
    }
}

/// One engine of the loop: a servo whose hands are moved by a page, by the scene or by simulated devices, and counts of its ticks.
pub struct LiveLane {
    arms: Arms,
    /// Measurements of the page's handles; empty if the arms have devices of their own.
    states: Vec<Publisher<DeviceState>>,
    handles: Vec<ArmHandle>,
    commands: Vec<Commands>,
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
    /// The lane of a session, `elapsed` seconds after the scene's loads began. Its devices are the page's, or the simulated ones that the session's plan names. `sinks` take the cycles of
    /// its hands, one each.
    ///
    /// # Errors
    /// [`SessionError`] where engine or envelope refuse their settings.
    pub fn new(
        session: &Session,
        world: u64,
        lane: usize,
        elapsed: f64,
        sinks: Vec<Box<dyn CycleSink>>,
    ) -> Result<Self, SessionError> {
        let none = |why: &str| SessionError::Plan { name: "arms".into(), why: why.into() };
        let servo = session.live_servo()?;
        let hands = servo.ports().len();
        if hands == 0 || hands > MOST_HANDS {
            return Err(none("the live viewer has one hand or two"));
        }
        let simulation = servo.simulation();
        let asked = simulation.probe(0).map(|probe| Box::new(MarginQuestion { world, lane, probe }));
        let (mut arms, mut handles, mut states) = (Vec::new(), Vec::new(), Vec::new());
        let mut sinks = sinks.into_iter();
        for number in 0..session.plan.arms {
            let mut device: Box<dyn Device> = match session.plan.device {
                SimWord::Page => {
                    let begin = hand_motion(&session.world.scene, number).pose(0.0);
                    let (publisher, measured) = latest(state(0, 0, &HandMotion::still(begin)));
                    states.push(publisher);
                    Box::new(PageDevice::new(session.caps(number), measured))
                }
                _ => Box::new(session.device(number, Pace::Virtual(session.period()))?),
            };
            device.arm().map_err(|e| none(&e.to_string()))?;
            let (arm, handle) = Arm::new(number, &servo, device, sinks.next());
            let loads = session.loads(number);
            arms.push(arm.with_loads(Box::new(move |t| loads(t + elapsed))));
            handles.push(handle);
        }
        Ok(LiveLane {
            commands: vec![Commands::default(); arms.len()],
            arms: Arms::new(servo, arms),
            states,
            handles,
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

    /// What the last tick did at a hand.
    pub fn hand(&self, hand: usize) -> &HandTick {
        &self.snapshot(hand).output.hand
    }

    /// Whether devices of their own move the hands.
    pub fn has_device(&self) -> bool {
        self.states.is_empty()
    }

    /// The hand that holds a body, if one does.
    pub fn holder(&self, body: usize) -> Option<usize> {
        (0..self.handles.len()).find(|hand| self.held(*hand) == Some(body))
    }

    /// The body that a hand holds, if it holds one.
    pub fn held(&self, hand: usize) -> Option<usize> {
        self.arms.servo().simulation().held_body(hand)
    }

    /// Where a body is (world from body).
    pub fn body(&self, body: usize) -> Pose {
        self.arms.servo().simulation().body(body)
    }

    /// Makes a hand take a body in the next tick, or let go of what it holds: a command, which recordings have as they have all others.
    pub fn grab(&mut self, hand: usize, body: Option<usize>) {
        if let Some((commands, handle)) = self.commands.get_mut(hand).zip(self.handles.get_mut(hand)) {
            let number = |body| u16::try_from(body).map_or(Grab::Nothing, Grab::Body);
            commands.grab = body.map_or(Grab::Nothing, number);
            handle.commands.publish(commands);
        }
    }

    /// Contacts go on from what those of a lane with other settings remember.
    pub fn go_on_from(&mut self, other: &LiveLane) {
        self.arms.go_on_from(&other.arms);
    }

    fn snapshot(&self, hand: usize) -> &Snapshot {
        self.arms.arms()[hand.min(self.handles.len() - 1)].snapshot()
    }

    /// One tick, with the handles there; counts are those of the hand that the page moves.
    pub fn tick(&mut self, now: u64, tick: u64, handles: &[HandMotion], moved: usize) {
        for (states, handle) in self.states.iter_mut().zip(handles) {
            states.publish(&state(now, tick, handle));
        }
        self.arms.once(now, 0);
        let snapshot = *self.snapshot(moved);
        let slid = self.info.slid(&snapshot.output.row);
        let slips = slid.is_some();
        let simulation = self.arms.servo().simulation();
        self.moved =
            self.creep.of(&snapshot.output.hand, slips, |each: &mut dyn FnMut(&_)| simulation.contacts(moved, each));
        self.ticks += 1;
        self.slipped += u64::from(slips);
        self.slid += slid.unwrap_or(0.0);
        self.cpu += snapshot.compute;
        self.cpu_longest = self.cpu_longest.max(snapshot.compute);
    }

    /// Puts the tick at a hand into a view.
    pub fn show(&mut self, view: &mut LaneView, hand: usize) {
        let output = &self.snapshot(hand).output;
        (view.hand, view.row, view.phase) = (output.hand, output.row, output.report.phase);
        (view.ticks, view.slipped, view.slid, view.cpu) = (self.ticks, self.slipped, self.slid, self.cpu);
        view.cpu_longest = std::mem::take(&mut self.cpu_longest);
        view.creep = self.moved;
        view.place_bodies(self.arms.servo().simulation());
        view.take(|each: &mut dyn FnMut(&_)| self.arms.servo().simulation().contacts(hand, each));
    }

    /// Copies the tick into the probe, if it is here, and gives it away.
    pub fn ask(&mut self) -> Option<Box<MarginQuestion>> {
        let mut asked = self.asked.take()?;
        self.arms.servo().simulation().copy_to(0, &mut asked.probe);
        Some(asked)
    }
}

fn state(now: u64, tick: u64, handle: &HandMotion) -> DeviceState {
    DeviceState {
        time: now,
        sequence: tick,
        pose: handle.pose,
        twist: handle.twist,
        buttons: 0,
        enable: Enable::YES,
        alarms: Alarms::default(),
    }
}
