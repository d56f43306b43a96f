//! The suite on simulated devices and on a fake of each kind; and broken devices, each of which must be found out.

use super::*;
use crate::exchange::Exchange;
use crate::handover::{Publisher, latest};
use crate::sim::{CallbackDevice, PacedDevice, RequestReplyDevice, SimDevice, SimHand, SimParams};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
    fn read(&mut self) -> Result<DeviceState, DeviceError> {
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

/// A fake that only tells poses, as a SpaceMouse does.
struct Mouse {
    caps: Caps,
    sim: PacedDevice,
}

impl Device for Mouse {
    fn caps(&self) -> &Caps {
        &self.caps
    }
    fn arm(&mut self) -> Result<(), DeviceError> {
        self.sim.arm()
    }
    fn read(&mut self) -> Result<DeviceState, DeviceError> {
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
    let held =
        [SimHand::Free, SimHand::Light, SimHand::Firm, SimHand::Released].map(|hand| SimParams { hand, ..usual() });
    let others = [SimParams::ideal(), SimParams::falcon_like(), SimParams::touch_like()];
    for params in held.into_iter().chain(others) {
        for wrench in [SafeWrench::ZERO, weak(), SafeWrench::for_test(Vec6::repeat(1e5))] {
            let make = || told(PacedDevice::new(simulated(params.clone()), 1e-3), |paced| *paced.device.acting());
            assert_eq!(check(&Setup { wrench, ..Setup::default() }, make), [], "{params:?}");
        }
    }
}

fn paced(params: SimParams) -> PacedDevice {
    PacedDevice::new(simulated(params), 1e-3)
}

#[test]
fn a_device_whose_vendor_calls_conforms() {
    let calls = Arc::new(AtomicU64::new(0));
    let make = || {
        let counted = Arc::clone(&calls);
        let mut device = CallbackDevice::new(paced(SimParams::default()), 1e-3);
        device.on_call(Arc::new(move || _ = counted.fetch_add(1, Ordering::Relaxed)));
        told(device, |called| *called.device.device.acting())
    };
    let setup = Setup { pause: Duration::from_micros(200), cycles: 100, wrench: weak() };
    assert_eq!(check(&setup, make), []);
    let calls = calls.load(Ordering::Relaxed);
    assert!(calls > 10, "{calls} calls");
}

#[test]
fn a_device_that_answers_requests_conforms() {
    let replying = |takes| {
        told(RequestReplyDevice::new(paced(SimParams::falcon_like()), takes), |reply| *reply.device.device.acting())
    };
    assert_eq!(check(&Setup { wrench: weak(), ..Setup::default() }, || replying(Duration::ZERO)), []);
    // As the loop sees it, on a thread of its own.
    let apart = || {
        let Subject { device, acting } = replying(Duration::from_micros(300));
        Subject { device: Box::new(Exchange::new(device)), acting }
    };
    let setup = Setup { pause: Duration::from_millis(5), cycles: 50, wrench: weak() };
    assert_eq!(check(&setup, apart), []);
}

#[test]
fn input_only_device_conforms() {
    let make = || {
        let mut caps = Caps { drive: Drive::InputOnly, actuated: Dofs::NONE, ..SimParams::default().caps() };
        (caps.force, caps.torque) = ([0.0; 2], [0.0; 2]);
        let sim = PacedDevice::new(simulated(SimParams::default()), 1e-3);
        told(Mouse { caps, sim }, |mouse| *mouse.sim.device.acting())
    };
    assert_eq!(check(&Setup { wrench: weak(), ..Setup::default() }, make), []);
}

/// A device that breaks one rule.
struct Broken {
    rule: &'static str,
    sim: PacedDevice,
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
        let sim = PacedDevice::new(simulated(SimParams::ideal()), 1e-3);
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

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        if !self.armed && self.rule == rules::NOT_ARMED {
            return Ok(DeviceState::still());
        }
        let mut state = self.sim.read()?;
        self.tell();
        self.reads += 1;
        let n = self.reads;
        match self.rule {
            rules::ANSWERS if n == 50 => return Err(DeviceError::Timeout),
            rules::SEQUENCE => state.sequence = 1_000_000 - n,
            rules::FRESH => state = DeviceState::still(),
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
