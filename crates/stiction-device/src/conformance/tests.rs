//! The suite on simulated devices and on a fake of each kind; and broken devices, each of which must be found out.

use super::*;
use crate::handover::{Latest, Publisher, latest};
use crate::sim::{Hand, Paced, SimDevice, SimParams};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use stiction::spatial::Pose;

fn weak() -> SafeWrench {
    SafeWrench::for_test(Vec6::new(0.1, -0.2, 0.3, 0.0, 0.0, 0.0))
}

fn simulated(params: SimParams) -> SimDevice {
    SimDevice::new(params).unwrap()
}

/// A device on the caller's thread that tells others what acts.
struct Told<D> {
    device: D,
    acts: Publisher<Vec6>,
    acting: fn(&D) -> Vec6,
}

impl<D: Device> Told<D> {
    fn tell(&mut self) {
        self.acts.publish(&(self.acting)(&self.device));
    }
}

impl<D: Device> Device for Told<D> {
    fn caps(&self) -> &Caps {
        self.device.caps()
    }
    fn arm(&mut self) -> Result<(), DeviceError> {
        let armed = self.device.arm();
        self.tell();
        armed
    }
    fn read(&mut self) -> Result<State, DeviceError> {
        let state = self.device.read();
        self.tell();
        state
    }
    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        let applied = self.device.write(wrench);
        self.tell();
        applied
    }
    fn disarm(&mut self) {
        self.device.disarm();
        self.tell();
    }
}

impl<D> Drop for Told<D> {
    fn drop(&mut self) {
        // A simulated device has no motors that outlive it: for it, the rule of dropping holds by nature and is not tested here.
        self.acts.publish(&Vec6::zeros());
    }
}

fn told<D: Device + 'static>(device: D, acting: fn(&D) -> Vec6) -> Subject {
    let (acts, mut seen) = latest(Vec6::zeros());
    let acting_now = move || seen.take().0;
    Subject { device: Box::new(Told { device, acts, acting }), acting: Some(Box::new(acting_now)) }
}

/// A fake with a thread of its own that calls back once a period, as Virtuose and HDAPI do.
struct Callback {
    caps: Caps,
    armed: bool,
    run: Arc<AtomicBool>,
    thread: Option<JoinHandle<Publisher<Vec6>>>,
    states: Option<Latest<State>>,
    last: State,
    wrenches: Option<Publisher<Vec6>>,
    acts: Option<Publisher<Vec6>>,
}

impl Callback {
    fn subject() -> Subject {
        let caps = Caps { drive: Drive::VendorCallback, ..SimParams::default().caps() };
        let (acts, mut seen) = latest(Vec6::zeros());
        let device = Callback {
            caps,
            armed: false,
            run: Arc::default(),
            thread: None,
            states: None,
            last: State::still(),
            wrenches: None,
            acts: Some(acts),
        };
        let acting = move || seen.take().0;
        Subject { device: Box::new(device), acting: Some(Box::new(acting)) }
    }
}

impl Device for Callback {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.disarm();
        let mut acts = self.acts.take().ok_or(DeviceError::Gone)?;
        let mut vendor = simulated(SimParams::default());
        vendor.arm()?;
        let (mut publish, states) = latest(vendor.read()?);
        let (wrenches, mut asked) = latest(Vec6::zeros());
        self.run = Arc::new(AtomicBool::new(true));
        let run = self.run.clone();
        self.thread = Some(std::thread::spawn(move || {
            while run.load(Ordering::Acquire) {
                // The callback.
                if let Ok(state) = vendor.read() {
                    publish.publish(&state);
                }
                let _ = vendor.write(&SafeWrench::for_test(asked.take().0));
                vendor.step(1e-3);
                acts.publish(vendor.acting());
                std::thread::sleep(Duration::from_micros(50));
            }
            acts.publish(&Vec6::zeros());
            acts
        }));
        (self.states, self.wrenches, self.armed) = (Some(states), Some(wrenches), true);
        self.last = self.states.as_mut().map_or(self.last, |states| states.take().0);
        Ok(())
    }

    fn read(&mut self) -> Result<State, DeviceError> {
        if !self.armed {
            return Err(DeviceError::NotArmed);
        }
        self.last = self.states.as_mut().map_or(self.last, |states| states.take().0);
        Ok(self.last)
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        let wrenches = self.wrenches.as_mut().filter(|_| self.armed).ok_or(DeviceError::NotArmed)?;
        wrenches.publish(wrench.wrench());
        Ok(Applied::Full)
    }

    fn disarm(&mut self) {
        self.armed = false;
        self.run.store(false, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            self.acts = thread.join().ok();
        }
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        self.disarm();
    }
}

/// A fake that answers each written wrench with one state, as the Inverse3 does.
struct Reply {
    caps: Caps,
    far: SimDevice,
    reply: Option<State>,
}

impl Device for Reply {
    fn caps(&self) -> &Caps {
        &self.caps
    }
    fn arm(&mut self) -> Result<(), DeviceError> {
        self.far.arm()?;
        // A first exchange, with zero, so that there is something to read.
        self.write(&SafeWrench::ZERO).map(|_| ())
    }
    fn read(&mut self) -> Result<State, DeviceError> {
        self.reply.ok_or(DeviceError::NotArmed)
    }
    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        let applied = self.far.write(wrench)?;
        self.far.step(1e-3);
        self.reply = Some(self.far.read()?);
        Ok(applied)
    }
    fn disarm(&mut self) {
        self.far.disarm();
        self.reply = None;
    }
}

/// A fake that only tells poses, as a SpaceMouse does.
struct Mouse {
    caps: Caps,
    sim: Paced,
}

impl Device for Mouse {
    fn caps(&self) -> &Caps {
        &self.caps
    }
    fn arm(&mut self) -> Result<(), DeviceError> {
        self.sim.arm()
    }
    fn read(&mut self) -> Result<State, DeviceError> {
        self.sim.read()
    }
    fn write(&mut self, _: &SafeWrench) -> Result<Applied, DeviceError> {
        self.sim.write(&SafeWrench::ZERO).map(|_| Applied::Inhibited)
    }
    fn disarm(&mut self) {
        self.sim.disarm();
    }
}

#[test]
fn simulated_devices_conform() {
    let usual = SimParams::default;
    let held = [Hand::Free, Hand::Light, Hand::Firm, Hand::Released].map(|hand| SimParams { hand, ..usual() });
    let others = [SimParams::ideal(), SimParams::falcon_like(), SimParams::touch_like()];
    for params in held.into_iter().chain(others) {
        for wrench in [SafeWrench::ZERO, weak(), SafeWrench::for_test(Vec6::repeat(1e5))] {
            let make = || told(Paced::new(simulated(params.clone()), 1e-3), |paced| *paced.device.acting());
            assert_eq!(check(&Setup { wrench, ..Setup::default() }, make), [], "{params:?}");
        }
    }
}

#[test]
fn vendor_callback_device_conforms() {
    let setup = Setup { pause: Duration::from_micros(200), cycles: 100, wrench: weak() };
    assert_eq!(check(&setup, Callback::subject), []);
}

#[test]
fn request_reply_device_conforms() {
    let make = || {
        let caps = Caps { drive: Drive::RequestReply, ..SimParams::falcon_like().caps() };
        let reply = Reply { caps, far: simulated(SimParams::falcon_like()), reply: None };
        told(reply, |reply| *reply.far.acting())
    };
    assert_eq!(check(&Setup { wrench: weak(), ..Setup::default() }, make), []);
}

#[test]
fn input_only_device_conforms() {
    let make = || {
        let mut caps = Caps { drive: Drive::InputOnly, actuated: Dofs::NONE, ..SimParams::default().caps() };
        (caps.force, caps.torque) = ([0.0; 2], [0.0; 2]);
        let sim = Paced::new(simulated(SimParams::default()), 1e-3);
        told(Mouse { caps, sim }, |mouse| *mouse.sim.device.acting())
    };
    assert_eq!(check(&Setup { wrench: weak(), ..Setup::default() }, make), []);
}

/// A device that breaks one rule.
struct Broken {
    rule: &'static str,
    sim: Paced,
    caps: Caps,
    armed: bool,
    arms: usize,
    reads: u64,
    acts: Publisher<Vec6>,
}

impl Broken {
    fn subject(rule: &'static str) -> Subject {
        let (acts, mut seen) = latest(Vec6::zeros());
        let mut caps = SimParams::default().caps();
        if rule == rules::CAPS {
            caps.force = [2.0, 1.0];
        }
        let sim = Paced::new(simulated(SimParams::ideal()), 1e-3);
        let device = Broken { rule, sim, caps, armed: false, arms: 0, reads: 0, acts };
        Subject { device: Box::new(device), acting: Some(Box::new(move || seen.take().0)) }
    }

    fn tell(&mut self) {
        self.acts.publish(self.sim.device.acting());
    }
}

impl Device for Broken {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.arms += 1;
        if self.rule == rules::ARMS && self.arms > 1 {
            return Err(DeviceError::Busy);
        }
        self.armed = true;
        let armed = self.sim.arm();
        self.tell();
        if self.rule == rules::ARMS_QUIETLY {
            self.acts.publish(&Vec6::repeat(1.0));
        }
        if self.rule == rules::CAPS_STAY {
            self.caps.name.push('!');
        }
        armed
    }

    fn read(&mut self) -> Result<State, DeviceError> {
        if !self.armed && self.rule == rules::NOT_ARMED {
            return Ok(State::still());
        }
        let mut state = self.sim.read()?;
        self.tell();
        self.reads += 1;
        let n = self.reads;
        match self.rule {
            rules::ANSWERS if n == 50 => return Err(DeviceError::Timeout),
            rules::SEQUENCE => state.sequence = 1_000_000 - n,
            rules::FRESH => state = State::still(),
            rules::SAME => state.sequence = n / 2,
            rules::TIME if n == 50 => state.time = 0,
            rules::FINITE => state.twist[5] = f64::NAN,
            rules::UNIT => {
                let q = state.pose.rotation.into_inner() * 1.001;
                state.pose = Pose::from_parts(state.pose.translation, stiction::spatial::Rotation::new_unchecked(q));
            }
            _ => {}
        }
        Ok(state)
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        let applied = self.sim.write(wrench)?;
        self.tell();
        if self.rule == rules::APPLIED {
            return Ok(Applied::Saturated(wrench.wrench() * 2.0));
        }
        Ok(applied)
    }

    fn disarm(&mut self) {
        self.armed = false;
        self.sim.disarm();
        if self.rule != rules::DISARMS || self.arms == 0 {
            self.tell();
        }
    }
}

impl Drop for Broken {
    fn drop(&mut self) {
        if self.rule != rules::DROPS {
            self.disarm();
        }
    }
}

#[test]
fn every_broken_rule_is_found() {
    use rules::*;
    let setup = Setup { wrench: weak(), ..Setup::default() };
    assert_eq!(check(&setup, || Broken::subject("none")), []);
    for rule in [
        CAPS,
        CAPS_STAY,
        NOT_ARMED,
        ARMS,
        ARMS_QUIETLY,
        ANSWERS,
        SEQUENCE,
        FRESH,
        SAME,
        TIME,
        FINITE,
        UNIT,
        APPLIED,
        DISARMS,
        DROPS,
    ] {
        let found = check(&setup, || Broken::subject(rule));
        assert!(found.iter().any(|violation| violation.rule == rule), "{rule}: {found:?}");
    }
}
