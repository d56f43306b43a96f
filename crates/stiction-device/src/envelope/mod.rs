//! The safety envelope: the last thing before any device, simulated ones too.
//!
//! A device takes only a [`SafeWrench`], and only [`Envelope::pass`] makes one. Every cycle it looks for faults ([`Fault`]), decides whether force
//! is rendered ([`Phase`]), and sends what is left of the wrench asked for after, in this order:
//!
//! 1. finite check; gain of soft start, s²(3 - 2s);
//! 2. passivity: in debt, nothing that gives more, and damping (after Hannaford and Ryu 2002; deviations in `passivity.rs`);
//! 3. clamp of force and torque, each with its direction kept, to a limit between peak and continuous by a thermal budget (`heat.rs`);
//! 4. slew: no further than s·T from the segment between zero and what was sent last, which is never longer than the target or that step (`slew.rs`);
//! 5. passivity: scaled so that no more energy comes out than is stored or given by known loads, such as a part's weight.
//!
//! All that follows the slew limit only shrinks along the wrench's own direction, which the slew rule always allows. So does a fault.
//!
//! # Faults
//!
//! "Fades" is: the last wrench shrinks along its own direction in a straight line to zero within [`Limits::fade`] (20 ms), then zero. "Cut" is: zero
//! in the very cycle. Not latched is: zero until all causes have been gone for [`Limits::settle`] (50 ms), then soft start over
//! [`Limits::soft_start`] (500 ms). Latched is: zero until [`Envelope::rearm`], then the same. Times are the defaults of [`Limits::of`].
//!
//! | Fault | Detection | Sent | Latched |
//! |---|---|---|---|
//! | emergency stop | `enable.estop_ok` is false | cut, 0 ms | yes |
//! | stopped | [`Envelope::stop`] was called | cut, 0 ms | yes |
//! | device failure | [`Alarms::FAILURE`] | cut, 0 ms | yes |
//! | no answer (panic in the loop) | `asked` is none | fades, 20 ms | yes |
//! | broken engine | 10 answers in a row not finite | fades, 20 ms from the first | yes |
//! | over-speed | above 1.5 m/s or 15 rad/s between two measurements, or [`Alarms::OVERSPEED`] | cut, 0 ms | yes; without force it only waits |
//! | no power | `enable.powered` is false | cut, 0 ms | no |
//! | no hand (dead-man) | `enable.hand` is false | fades, 20 ms | no |
//! | bad pose | not finite, beyond 1 km, or quaternion not of length 1 ± 0.001; until a good one comes | fades, 20 ms | no |
//! | pose jump | more than 20 mm or 0.2 rad a cycle | fades, 20 ms | no |
//! | clock reversed | `now`, or `time` of a new measurement, went back | fades, 20 ms | no |
//! | stale pose | no good measurement with a new `sequence` for more than 5 ms | last answers for 5 ms, then fades, 20 ms | no |
//! | missed deadline | `late`, or the gap in `now` less a period, above 5 ms or not finite | fades, 20 ms | no |
//! | bad answer | `asked` is not finite | fades, 20 ms | no |
//! | not armed | the device is being armed: [`DeviceError::Arming`] | cut, 0 ms; zero until it is back and has a good measurement | no |
//!
//! Several at once: a cut beats a fade, latched beats not latched, and the worst (first in the table) is reported. Each is counted when it begins. A
//! loop that stops altogether is for the device's own watchdog: `stale` and `late` are at most half of it.
//!
//! Not faults, but counted ([`Intervention`]): clamp, thermal derating, slew, passivity, a hot device (continuous limits at once), repeated
//! measurements, cycles later than a period.

mod heat;
mod limits;
mod passivity;
mod phase;
mod report;
mod slew;
mod watch;

use crate::device::DeviceState;
#[cfg(doc)]
use crate::device::{Alarms, DeviceError};
use heat::Heat;
use passivity::EnergyPort;
use phase::{Machine, Share};
use stiction::spatial::{Vec6, halves, join};
use watch::{Found, Motion, Watch};

pub(crate) use watch::is_good;

pub use limits::{EnvelopeError, Limits};
pub use passivity::Energy;
pub use report::{EnvelopeReport, Fault, Intervention, Phase};

/// A wrench that has been through the envelope. Only [`Envelope`] makes one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafeWrench(Vec6);

impl SafeWrench {
    /// The zero wrench, which is safe at any time.
    pub const ZERO: SafeWrench = SafeWrench(Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0));

    /// Force (N) and torque (N m) on the hand.
    pub fn wrench(&self) -> &Vec6 {
        &self.0
    }

    #[cfg(test)]
    #[allow(dead_code)]
    pub(crate) fn for_test(wrench: Vec6) -> Self {
        SafeWrench(wrench)
    }
}

/// Measurements and timing of a cycle, from which the envelope decides what is safe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// The host's or the virtual clock at the start of this cycle (ns).
    pub now: u64,
    /// The device's measurement; `None` if reading failed.
    pub state: Option<DeviceState>,
    /// How far behind its deadline this cycle is (s).
    pub late: f64,
    /// Work that known loads, such as its weight, did on the part since the last cycle, as it counts at the handle (J).
    pub load_work: f64,
    /// Whether the device is being armed: it takes no wrench then, and earlier measurements of it no longer count.
    pub arming: bool,
}

/// The safety envelope. One for each device, called once in each cycle.
#[derive(Clone, Debug)]
pub struct Envelope {
    limits: Limits,
    period: f64,
    watch: Watch,
    machine: Machine,
    port: EnergyPort,
    heat: [Heat; 2],
    /// Faults of the last cycle.
    found: Found,
    stopped: bool,
    sent: Vec6,
    report: EnvelopeReport,
}

impl Envelope {
    /// An envelope for cycles of `period` s.
    ///
    /// # Errors
    /// [`EnvelopeError`] for a limit that makes no sense.
    pub fn new(limits: Limits, period: f64) -> Result<Self, EnvelopeError> {
        limits.check(period)?;
        let heat = [limits.force, limits.torque].map(|l| Heat::new(l, limits.peak_seconds, period));
        let mut report = EnvelopeReport::new();
        report.limits = heat.map(|h| h.limit());
        Ok(Envelope {
            watch: Watch::new(),
            machine: Machine::new(&limits, period),
            port: EnergyPort::new(&limits, period),
            heat,
            found: Found::default(),
            stopped: false,
            sent: Vec6::zeros(),
            report,
            limits,
            period,
        })
    }

    /// Returns the wrench that may be sent for the one that is asked for (`None` if the engine had no answer). To be called in every cycle, and what it returns to be written.
    ///
    /// Allocates nothing and never panics, whatever comes in.
    pub fn pass(&mut self, asked: Option<&Vec6>, seen: &Observation) -> SafeWrench {
        let (mut found, motion) = self.watch.look(&self.limits, self.period, asked, seen, &mut self.report);
        found.add(Fault::Stopped, self.stopped);
        self.observe(motion, seen.load_work);
        for fault in found.since(self.found).iter() {
            self.report.began(fault);
        }
        self.found = found;
        let idle = matches!(self.machine.phase(), Phase::Off | Phase::Waiting);
        let share = self.machine.step(found, self.watch.measured());
        if idle && matches!(share, Share::Asked(_)) {
            self.port.engage();
        }
        self.sent = match (share, asked) {
            (Share::Asked(gain), Some(asked)) => self.limited(&(asked * gain), true),
            (Share::Last(share), _) => self.limited(&(self.sent * share), false),
            (Share::Asked(_), None) | (Share::Nothing, _) => Vec6::zeros(),
        };
        self.finish(share);
        SafeWrench(self.sent)
    }

    /// Stops at once, until [`rearm`](Self::rearm): the next [`pass`](Self::pass) answers zero.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Allows force again after a latched fault; whether there was one. Where its cause is still there, it latches again.
    /// Does nothing while a wrench still fades.
    pub fn rearm(&mut self) -> bool {
        let latched = self.machine.rearm();
        if latched {
            self.stopped = false;
            (self.report.phase, self.report.fault) = (self.machine.phase(), None);
        }
        latched
    }

    /// The clutch is held, so that handle and part move apart.
    pub fn clutch(&mut self) {
        self.port.clutch();
    }

    /// What it did until now.
    pub fn report(&self) -> &EnvelopeReport {
        &self.report
    }

    /// What it was made with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn observe(&mut self, motion: Motion, load_work: f64) {
        // During a soft start the hand gets that share of a load, too.
        self.port.held(&self.sent, load_work * self.report.gain);
        match motion {
            Motion::Unknown => {}
            Motion::Step(step) => self.port.moved(&step),
            Motion::Anew => self.port.lost(),
        }
        let hot = self.watch.hot();
        self.report.count(Intervention::DeviceHot, hot);
        if hot {
            self.heat.iter_mut().for_each(Heat::fill);
        }
    }

    /// Clamp, slew and passivity. `may_brake` where damping may be added.
    fn limited(&mut self, wanted: &Vec6, may_brake: bool) -> Vec6 {
        use Intervention as I;
        let peaks = [self.limits.force[1], self.limits.torque[1]];
        let (force, torque) = halves(wanted);
        let (force, force_clamped) = slew::clamp(&force, peaks[0]);
        let (torque, torque_clamped) = slew::clamp(&torque, peaks[1]);
        self.report.count(I::ForceClamped, force_clamped);
        self.report.count(I::TorqueClamped, torque_clamped);
        let wanted = join(force, torque);
        let (wanted, braked) = if may_brake { self.port.brake(&wanted) } else { (wanted, false) };
        self.report.count(I::PassivityDamped, braked);
        let (targets, last) = (halves(&wanted), halves(&self.sent));
        let mut out = [targets.0, targets.1];
        let last = [last.0, last.1];
        for (i, derates, slews) in [(0, I::ForceDerated, I::ForceSlewed), (1, I::TorqueDerated, I::TorqueSlewed)] {
            let limit = self.heat[i].limit();
            let (target, derated) = slew::clamp(&out[i], limit);
            let (near, slewed) = slew::slew(&last[i], &target, self.limits.slew[i] * self.period);
            self.report.count(derates, derated && limit < peaks[i]);
            self.report.count(slews, slewed);
            out[i] = near;
        }
        let wrench = join(out[0], out[1]);
        let share = self.port.share(&wrench);
        self.report.count(I::PassivityScaled, share < 1.0);
        wrench * share
    }

    fn finish(&mut self, share: Share) {
        if !self.sent.iter().all(|x| x.is_finite()) {
            // Nothing above makes one of finite numbers; if it ever did, this is the last line.
            self.sent = Vec6::zeros();
        }
        let (force, torque) = halves(&self.sent);
        self.heat[0].add(force.norm());
        self.heat[1].add(torque.norm());
        let report = &mut self.report;
        report.cycles = report.cycles.wrapping_add(1);
        report.phase = self.machine.phase();
        report.fault = self.machine.fault();
        report.gain = if let Share::Asked(gain) = share { gain } else { 0.0 };
        report.heat = self.heat.map(|h| h.share());
        report.limits = self.heat.map(|h| h.limit());
        report.energy = self.port.energy();
    }
}
