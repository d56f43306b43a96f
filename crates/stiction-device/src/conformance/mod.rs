//! What every device must do, checked on any of them: simulated, fake or real.
//!
//! The wrench that is written should be a weak one: where the device is real, it acts.

use crate::device::{Applied, Caps, Device, DeviceError, DeviceState, Dofs, Drive};
use crate::envelope::SafeWrench;
use std::time::Duration;
use stiction::spatial::Vec6;

#[cfg(test)]
mod tests;

/// A device to check.
pub struct Subject {
    /// The device, not armed yet.
    pub device: Box<dyn Device>,
    /// What acts on its handle at this moment, where a test can know; also after the device was dropped.
    pub acting: Option<Box<dyn FnMut() -> Vec6>>,
}

/// Settings of a conformance check.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Number of cycles.
    pub cycles: usize,
    /// How long to wait between two of them; for devices with a thread or a clock of their own.
    pub pause: Duration,
    /// The wrench that is written in each cycle.
    pub wrench: SafeWrench,
}

impl Default for Setup {
    /// 200 cycles at once, with no force.
    fn default() -> Self {
        Setup { cycles: 200, pause: Duration::ZERO, wrench: SafeWrench::ZERO }
    }
}

/// A rule that a device broke.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// What was seen instead.
    pub seen: String,
}

/// The rules of [`check`].
pub mod rules {
    /// Values are finite, not negative, in order, and agree with each other.
    pub const CAPS: &str = "what it tells of itself makes sense";
    /// [`crate::Device::caps`] gives the same again later.
    pub const CAPS_STAY: &str = "what it tells of itself never changes";
    /// [`crate::DeviceError::NotArmed`] before arming and after disarming.
    pub const NOT_ARMED: &str = "without arming, neither read nor write succeeds";
    /// It can be armed.
    pub const ARMS: &str = "it can be armed, again after disarming, while it is armed, and on another thread";
    /// No force until the first write.
    pub const ARMS_QUIETLY: &str = "arming leaves no force";
    /// A healthy device answers.
    pub const ANSWERS: &str = "armed, it reads and writes without errors";
    /// A sequence never falls.
    pub const SEQUENCE: &str = "sequence numbers do not fall";
    /// New measurements come.
    pub const FRESH: &str = "new measurements come when wrenches are written";
    /// The same number, the same measurement.
    pub const SAME: &str = "the same sequence number is the same measurement";
    /// Time does not run backwards.
    pub const TIME: &str = "time does not run backwards";
    /// Poses and twists are numbers.
    pub const FINITE: &str = "poses and velocities are finite";
    /// Quaternions have length 1 within 1e-9.
    pub const UNIT: &str = "quaternions have length 1";
    /// No more than was asked for, nothing along axes that it cannot push.
    pub const APPLIED: &str = "it renders no more than it was asked for, and tells the truth about its axes";
    /// Force ends with [`crate::Device::disarm`], also the second time.
    pub const DISARMS: &str = "disarmed, there is no force";
    /// Force ends with the device.
    pub const DROPS: &str = "dropped, there is no force";
}

struct Report<'a> {
    found: Vec<Violation>,
    setup: &'a Setup,
}

/// Checks a device by all [`rules`]. `make` gives the same kind of device each time; the old one is dropped before.
pub fn check(setup: &Setup, mut make: impl FnMut() -> Subject) -> Vec<Violation> {
    let mut report = Report { found: Vec::new(), setup };
    let mut subject = make();
    let caps = subject.device.caps().clone();
    for seen in insane(&caps) {
        report.broken(rules::CAPS, seen);
    }
    report.unarmed(&mut subject);
    subject.device.disarm();
    report.unarmed(&mut subject);
    // A life and another, the second time armed while it is armed.
    for again in [false, true] {
        for _ in 0..1 + usize::from(again) {
            // The second time on another thread, as the loop does after a device was lost.
            let device = &mut subject.device;
            let armed = if again { std::thread::scope(|s| s.spawn(|| device.arm()).join()) } else { Ok(device.arm()) };
            if let Err(error) = armed.unwrap_or(Err(DeviceError::Gone)) {
                report.broken(rules::ARMS, format!("{error:?}"));
                return report.found;
            }
            report.quiet(rules::ARMS_QUIETLY, &mut subject);
        }
        report.cycles(&mut subject, &caps);
        subject.device.disarm();
        report.pause();
        report.quiet(rules::DISARMS, &mut subject);
        report.unarmed(&mut subject);
        subject.device.disarm();
        report.pause();
        report.quiet(rules::DISARMS, &mut subject);
    }
    report.expect(*subject.device.caps() == caps, rules::CAPS_STAY, || format!("{:?}", subject.device.caps()));
    drop(subject);
    // Dropped while force acts.
    let mut subject = make();
    if subject.device.arm().is_ok() {
        report.cycles(&mut subject, &caps);
        drop(subject.device);
        report.pause();
        if let Some(mut acting) = subject.acting {
            let acts = acting();
            report.expect(acts == Vec6::zeros(), rules::DROPS, || format!("{acts:?} acts"));
        }
    }
    report.found
}

impl Report<'_> {
    /// Each rule once.
    fn broken(&mut self, rule: &'static str, seen: String) {
        if !self.found.iter().any(|violation| violation.rule == rule) {
            self.found.push(Violation { rule, seen });
        }
    }

    fn expect(&mut self, kept: bool, rule: &'static str, seen: impl FnOnce() -> String) {
        if !kept {
            self.broken(rule, seen());
        }
    }

    fn pause(&self) {
        if !self.setup.pause.is_zero() {
            std::thread::sleep(self.setup.pause);
        }
    }

    fn quiet(&mut self, rule: &'static str, subject: &mut Subject) {
        if let Some(acting) = &mut subject.acting {
            let acts = acting();
            self.expect(acts == Vec6::zeros(), rule, || format!("{acts:?} acts"));
        }
    }

    fn unarmed(&mut self, subject: &mut Subject) {
        let read = subject.device.read();
        self.expect(read == Err(DeviceError::NotArmed), rules::NOT_ARMED, || format!("read: {read:?}"));
        let wrench = self.setup.wrench;
        let written = subject.device.write(&wrench);
        self.expect(written == Err(DeviceError::NotArmed), rules::NOT_ARMED, || format!("write: {written:?}"));
    }

    fn cycles(&mut self, subject: &mut Subject, caps: &Caps) {
        let wrench = self.setup.wrench;
        let mut states: [Option<DeviceState>; 2] = [None, None];
        for _ in 0..self.setup.cycles {
            match subject.device.read() {
                Ok(state) => {
                    self.state(&state, states[1].as_ref());
                    states = [states[0].or(Some(state)), Some(state)];
                }
                Err(error) => self.broken(rules::ANSWERS, format!("read: {error:?}")),
            }
            match subject.device.write(&wrench) {
                Ok(applied) => self.applied(&applied, &wrench, caps),
                Err(error) => self.broken(rules::ANSWERS, format!("write: {error:?}")),
            }
            self.pause();
        }
        if let [Some(first), Some(last)] = states {
            let fresh = self.setup.cycles < 2 || last.sequence > first.sequence;
            self.expect(fresh, rules::FRESH, || format!("{} cycles, one measurement", self.setup.cycles));
        }
    }

    fn state(&mut self, state: &DeviceState, last: Option<&DeviceState>) {
        let (position, q) = (&state.pose.translation.vector, state.pose.rotation.coords);
        let finite = position.iter().chain(q.iter()).chain(state.twist.iter()).all(|x| x.is_finite());
        self.expect(finite, rules::FINITE, || format!("{state:?}"));
        self.expect((q.norm() - 1.0).abs() <= 1e-9, rules::UNIT, || format!("{q:?}"));
        let Some(last) = last else { return };
        let (was, is) = (last.sequence, state.sequence);
        self.expect(is >= was, rules::SEQUENCE, || format!("{is} after {was}"));
        self.expect(state.time >= last.time, rules::TIME, || format!("{} ns after {}", state.time, last.time));
        self.expect(is != was || state == last, rules::SAME, || format!("{state:?} after {last:?}"));
    }

    fn applied(&mut self, applied: &Applied, wrench: &SafeWrench, caps: &Caps) {
        let asked = wrench.wrench();
        let can = caps.actuated.of(asked);
        let truth = match applied {
            // Not finite: neither comparison holds.
            Applied::Saturated(done) => (0..6).all(|i| done[i] * asked[i] >= 0.0 && done[i].abs() <= can[i].abs()),
            Applied::Full => can == *asked,
            Applied::Inhibited => true,
        };
        self.expect(truth, rules::APPLIED, || format!("{applied:?} of {asked:?}, {:?}", caps.actuated));
    }
}

/// What is wrong with capabilities.
fn insane(caps: &Caps) -> Vec<String> {
    let good = |x: &f64| x.is_finite() && *x >= 0.0;
    let (centre, radius) = &caps.workspace;
    let all = [caps.force, caps.torque, caps.stiffness, caps.damping, caps.resolution, [caps.peak_seconds; 2]];
    let pushes = |half: std::ops::Range<usize>| caps.actuated.0[half].iter().any(|on| *on);
    let checks = [
        (!caps.name.is_empty(), "no name"),
        (all.iter().flatten().all(good), "a value that is negative or not finite"),
        (!(caps.force[0] > caps.force[1]), "more force for ever than at most"),
        (!(caps.torque[0] > caps.torque[1]), "more torque for ever than at most"),
        (pushes(0..3) == (caps.force[1] > 0.0), "force without axes that push, or the reverse"),
        (pushes(3..6) == (caps.torque[1] > 0.0), "torque without axes that push, or the reverse"),
        (caps.rate[0] > 0.0 && caps.rate[0] <= caps.rate[1] && caps.rate[1].is_finite(), "no range of rates"),
        (caps.watchdog.is_none_or(|w| w > 0.0 && w.is_finite()), "a watchdog that is not positive"),
        (centre.iter().all(|x| x.is_finite()) && *radius > 0.0 && radius.is_finite(), "no workspace"),
        (caps.sensed != Dofs::NONE, "it senses nothing"),
        ((caps.drive == Drive::InputOnly) == (caps.actuated == Dofs::NONE), "input only, but with force"),
    ];
    checks.iter().filter(|check| !check.0).map(|check| check.1.to_string()).collect()
}
