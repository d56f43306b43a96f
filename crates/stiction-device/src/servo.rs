//! One cycle of the servo loop: measurements of the devices go in, what may be sent to them comes out. No clock, no thread, no device in here:
//! all that a cycle depends on is its [`ServoInput`]s, so a recording of inputs replays to the same bits.

use crate::device::{Alarms, DeviceError, DeviceState, Enable};
use crate::envelope::{Envelope, EnvelopeReport, Observation, Phase, SafeWrench, is_good};
use crate::mapping::Mapping;
use crate::observer::VelocityObserver;
use std::panic::{AssertUnwindSafe, catch_unwind};
use stiction::columns::Row;
use stiction::simulation::{HandInput, HandTick, KnownLoad, Simulation};
use stiction::spatial::{Pose, Rotation, Vec6, join, log};

/// Commands of the user or the application to one arm of the loop. Plain data, handed over as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commands {
    /// Whether the clutch is pressed: the handle moves and the hand does not.
    pub clutch: bool,
    /// Whether the software emergency stop is pressed.
    pub stop: bool,
    /// Arms again after a latched fault whenever this number changes.
    pub rearm: u32,
    /// A wrench on the part about its centre, besides its weight (N, N m; world).
    pub load: Vec6,
    /// What the hand holds, with engines whose hands can let go of bodies and take others. A change is what counts: the hand acts once, in the first cycle with another value.
    pub grab: Grab,
}

/// What a hand is commanded to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grab {
    /// Nobody commands anything: it holds what it held.
    #[default]
    AsBefore,
    /// It lets go of what it holds.
    Nothing,
    /// It takes the body of this number where that is, and is tied to it there: the body does not jump.
    Body(u16),
}

impl Grab {
    /// A number for recordings.
    pub fn number(self) -> u16 {
        match self {
            Grab::AsBefore => 0,
            Grab::Nothing => 1,
            Grab::Body(body) => body.saturating_add(2),
        }
    }

    /// What that number stands for.
    pub fn of_number(number: u16) -> Grab {
        match number {
            0 => Grab::AsBefore,
            1 => Grab::Nothing,
            n => Grab::Body(n - 2),
        }
    }
}

impl Default for Commands {
    fn default() -> Self {
        Commands { clutch: false, stop: false, rearm: 0, load: Vec6::zeros(), grab: Grab::AsBefore }
    }
}

/// Everything on which a cycle of one arm depends. Equal inputs give equal outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoInput {
    /// Start of the cycle by the loop's clock (ns).
    pub now: u64,
    /// How far behind its deadline that is (ns).
    pub late: u64,
    /// The measurement that was read, or the error of reading.
    pub read: Result<DeviceState, DeviceError>,
    /// Whether the last cycle's wrench got through.
    pub wrote: Result<(), DeviceError>,
    /// Commands in force.
    pub commands: Commands,
}

impl ServoInput {
    /// The input of an arm that has no device any more.
    pub fn missing(now: u64, late: u64) -> Self {
        ServoInput { now, late, read: Err(DeviceError::Gone), wrote: Ok(()), commands: Commands::default() }
    }
}

/// Result of a cycle at one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoOutput {
    /// The engine's wrench at the handle (N, N m), in the device's axes; zero if the engine gave none.
    pub asked: Vec6,
    /// The wrench after the envelope, which is sent to the device.
    pub sent: SafeWrench,
    /// State of the hand after the engine's tick.
    pub hand: HandTick,
    /// The tick as a row of the engine's columns.
    pub row: Row,
    /// State and counts of the envelope.
    pub report: EnvelopeReport,
}

/// One hand of an engine, behind a mapping and before an envelope.
#[derive(Clone, Debug)]
pub struct Port {
    mapping: Mapping,
    envelope: Envelope,
    /// The hand (world from part) when the handle was last tied to it.
    hand: Pose,
    rearmed: u32,
    grabbed: Grab,
    /// Estimates velocities that the device does not measure.
    observer: VelocityObserver,
    /// Whether the hand holds a body.
    holds: bool,
    /// Where the bodies were in the last cycle by whose motion known loads do work (world).
    movers: Option<[Pose; 2]>,
    /// The measurement of the cycle at work, the handle if it is usable, and whether the clutch is pressed.
    state: Option<DeviceState>,
    handle: Option<Pose>,
    clutched: bool,
}

impl Port {
    /// A port whose handle will be tied to `hand` (world from part) by the first good measurement.
    pub fn new(mapping: Mapping, envelope: Envelope, hand: Pose) -> Self {
        Port {
            mapping,
            envelope,
            hand,
            rearmed: 0,
            grabbed: Grab::AsBefore,
            observer: VelocityObserver::default(),
            holds: true,
            movers: None,
            state: None,
            handle: None,
            clutched: false,
        }
    }

    /// How the handle is tied to the hand.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The safety envelope.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// The way from a measurement to the engine: commands, clutch, mapping.
    fn before_tick(&mut self, input: &ServoInput) -> HandInput {
        let Commands { clutch, stop, rearm, load, grab: _ } = input.commands;
        if rearm != self.rearmed {
            self.rearmed = rearm;
            self.envelope.rearm();
        }
        // After rearm, so that stop wins.
        if stop {
            self.envelope.stop();
        }
        // A device that takes no wrench is as good as gone, but what forbids force counts whoever says it.
        self.state = input.read.ok().filter(|state| input.wrote.is_ok() || forbids(state));
        self.handle = self.state.and_then(|s| usable(&s.pose));
        if input.read == Err(DeviceError::Arming) {
            // It may be anywhere when it comes back.
            self.mapping.untie();
        }
        self.clutched = clutch || self.state.is_some_and(|s| s.enable.clutched);
        HandInput { load, ..self.hand() }
    }

    /// The hand in the world; unknown without a measurement.
    fn hand(&mut self) -> HandInput {
        if self.clutched {
            self.mapping.untie();
            return HandInput::at(self.hand);
        }
        let Some((handle, state)) = self.handle.zip(self.state) else {
            self.observer.reset();
            return HandInput::unknown();
        };
        let velocity = self.observer.velocity(&state, &handle);
        let mut twist = Vec6::zeros();
        match self.mapping.hand(&handle) {
            Some(hand) => (self.hand, twist) = (hand, self.mapping.twist(&handle, &velocity)),
            None => self.mapping.tie(&handle, &self.hand),
        }
        HandInput { twist, ..HandInput::at(self.hand) }
    }

    /// What the hand is commanded to hold from now on; `None` unless the command is new.
    fn new_grab(&mut self, input: &ServoInput) -> Option<Option<usize>> {
        let grab = input.commands.grab;
        if grab == std::mem::replace(&mut self.grabbed, grab) {
            return None;
        }
        match grab {
            Grab::AsBefore => None,
            Grab::Nothing => Some(None),
            Grab::Body(body) => Some(Some(body.into())),
        }
    }

    /// Ties the handle to a body where that is, and tells where the hand is then.
    fn take(&mut self, body: Pose, hand: &HandInput) -> HandInput {
        self.hand = body;
        self.mapping.untie();
        let Some(handle) = self.handle.filter(|_| !self.clutched) else { return *hand };
        self.mapping.tie(&handle, &body);
        let velocity = self.state.map_or_else(Vec6::zeros, |state| self.observer.velocity(&state, &handle));
        HandInput { pose: body, twist: self.mapping.twist(&handle, &velocity), ..*hand }
    }

    /// The way from the engine to the device: mapping, envelope. An engine that is `broken` has no wrench.
    fn after_tick(&mut self, input: &ServoInput, broken: bool, output: &mut ServoOutput) {
        let felt = (!broken).then(|| match self.handle {
            _ if self.clutched => Vec6::zeros(),
            Some(handle) => self.mapping.wrench(&output.hand.wrench, &output.hand.centre, &handle),
            // For how long, the envelope knows.
            None => output.asked,
        });
        let before = self.envelope.report().phase;
        let load_work = self.load_work(&output.hand);
        if self.clutched {
            self.envelope.clutch();
        }
        let arming = input.read == Err(DeviceError::Arming);
        let seen = Observation { now: input.now, state: self.state, late: input.late as f64 * 1e-9, load_work, arming };
        output.sent = self.envelope.pass(felt.as_ref(), &seen);
        output.asked = felt.unwrap_or_default();
        output.report = *self.envelope.report();
        if output.report.phase == Phase::Ramping && before != Phase::Ramping {
            self.reindex(output);
        }
    }

    /// Force comes back from nothing: the hand is put where the part is, so that it also is nothing at first. Not at the very start,
    /// where the scene says where the hand is.
    fn reindex(&mut self, output: &ServoOutput) {
        let Some(handle) = &self.handle else { return };
        // A hand that holds nothing feels nothing that could come back.
        if !self.holds || output.report.faults.iter().all(|n| *n == 0) {
            return;
        }
        self.hand = output.hand.body;
        self.mapping.tie(handle, &self.hand);
    }

    /// Work that known loads did on the held body in this tick, as it counts at the handle (J): each by the motion of the body that moves with it.
    fn load_work(&mut self, tick: &HandTick) -> f64 {
        let now = tick.known_loads.map(|load| load.mover);
        let Some(before) = self.movers.replace(now) else { return 0.0 };
        let limits = self.envelope.report().limits;
        let centre = tick.body.inverse_transform_point(&tick.centre.into()).coords;
        let point = nalgebra::Point3::from(self.mapping.load_point(&centre));
        let work = |load: &KnownLoad, from: &Pose| {
            let (to, point) = (&load.mover, load.held_in_mover * point);
            let motion = join(to * point - from * point, log(&(to.rotation * from.rotation.inverse())));
            self.mapping.load(&load.wrench, limits).dot(&motion)
        };
        tick.known_loads.iter().zip(&before).map(|(load, from)| work(load, from)).sum()
    }
}

/// An engine with a port for each of its hands.
#[derive(Clone, Debug)]
pub struct Servo {
    simulation: Box<dyn Simulation>,
    ports: Vec<Port>,
    hands: Vec<HandInput>,
    outputs: Vec<ServoOutput>,
    /// The period of a cycle (s).
    period: f64,
    /// The engine panicked and is not to be trusted any more.
    broken: bool,
}

impl Servo {
    /// A servo with a port for each hand of the engine and this period of a cycle (s). Hands without a port are unknown to the engine.
    pub fn new(simulation: Box<dyn Simulation>, ports: Vec<Port>, period: f64) -> Self {
        let output = |(hand, port): (usize, &Port)| {
            let mut row = Row::default();
            simulation.record(hand, &mut row);
            let (hand, report) = (simulation.hand(hand), *port.envelope.report());
            ServoOutput { asked: Vec6::zeros(), sent: SafeWrench::ZERO, hand, row, report }
        };
        let outputs = ports.iter().enumerate().map(output).collect();
        let hands = vec![HandInput::unknown(); ports.len()];
        Servo { simulation, ports, hands, outputs, period, broken: false }
    }

    /// One cycle, with the input of each port; those that are missing count as arms without a device. Allocates nothing and never panics.
    pub fn cycle(&mut self, inputs: &[ServoInput]) -> &[ServoOutput] {
        let missing = ServoInput::missing(inputs.first().map_or(0, |i| i.now), 0);
        let input = |i: usize| inputs.get(i).unwrap_or(&missing);
        for (i, (port, hand)) in self.ports.iter_mut().zip(&mut self.hands).enumerate() {
            *hand = port.before_tick(input(i));
        }
        let (simulation, hands, outputs) = (&mut self.simulation, &mut self.hands, &mut self.outputs);
        if !self.broken {
            let ports = &mut self.ports;
            let tick = || {
                for (i, (port, hand)) in ports.iter_mut().zip(hands.iter_mut()).enumerate() {
                    if let Some(body) = port.new_grab(input(i))
                        && simulation.grab(i, body)
                        && let Some(body) = body
                    {
                        *hand = port.take(simulation.body(body), hand);
                    }
                    port.holds = simulation.held_body(i).is_some();
                }
                simulation.tick(hands, self.period);
                for (hand, output) in outputs.iter_mut().enumerate() {
                    output.hand = simulation.hand(hand);
                    simulation.record(hand, &mut output.row);
                }
            };
            self.broken = catch_unwind(AssertUnwindSafe(tick)).is_err();
        }
        for (i, (port, output)) in self.ports.iter_mut().zip(&mut self.outputs).enumerate() {
            port.after_tick(input(i), self.broken, output);
        }
        &self.outputs
    }

    /// The period of a cycle (s).
    pub fn period(&self) -> f64 {
        self.period
    }

    /// What the last cycle did at each port.
    pub fn outputs(&self) -> &[ServoOutput] {
        &self.outputs
    }

    /// The ports, one for each arm.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// The engine.
    pub fn simulation(&self) -> &dyn Simulation {
        &*self.simulation
    }

    /// Gives the engine the recorded row of the cycle that is replayed next, as [`Simulation::expect`] describes.
    pub fn expect(&mut self, hand: usize, recorded: &Row) {
        self.simulation.expect(hand, recorded);
    }

    /// The engine goes on from where that of another servo is: see [`Simulation::go_on_from`].
    pub fn go_on_from(&mut self, other: &Servo) {
        self.simulation.go_on_from(&*other.simulation);
    }

    /// Replaces the engine by what `change` makes of it: for tests with engines that fail.
    pub fn wrap(&mut self, change: impl FnOnce(Box<dyn Simulation>) -> Box<dyn Simulation>) {
        self.simulation = change(self.simulation.fork());
    }
}

/// Whether a device says that there must be no force now.
fn forbids(state: &DeviceState) -> bool {
    let Enable { hand, estop_ok, powered, .. } = state.enable;
    !(hand && estop_ok && powered) || state.alarms.has(Alarms::FAILURE) || state.alarms.has(Alarms::OVERSPEED)
}

/// What the engine can use of a measured pose, its quaternion made one of length 1; `None` if the envelope calls it bad.
fn usable(pose: &Pose) -> Option<Pose> {
    let good = is_good(pose);
    good.then(|| Pose::from_parts(pose.translation, Rotation::new_normalize(*pose.rotation.quaternion())))
}
