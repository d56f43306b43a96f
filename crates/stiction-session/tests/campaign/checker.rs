//! Judges what is sent to a device by the limits alone: plain arrays, and nothing of the code that it judges.

use stiction::spatial::Vec6;
use stiction_device::{Alarms, DeviceState, Limits};

/// What the loop was told in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// What a read gave, if anything.
    pub state: Option<DeviceState>,
    /// Whether the write before it was refused.
    pub refused: bool,
    /// The command to stop, and the number of the command to arm.
    pub stop: bool,
    pub rearm: u32,
    /// Cycles since the engine panicked.
    pub panicked: Option<u64>,
}

/// The largest wrenches that were sent, as shares of what is allowed: force, then torque (1 is the limit).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimitShares {
    /// Share of the peak limits.
    pub peak: [f64; 2],
    /// Share of the change that is allowed in a cycle.
    pub slew: [f64; 2],
    /// Share of the thermal budget.
    pub heat: [f64; 2],
}

impl LimitShares {
    pub fn join(&mut self, other: &LimitShares) {
        let mine = [&mut self.peak, &mut self.slew, &mut self.heat];
        for (mine, other) in mine.into_iter().zip([other.peak, other.slew, other.heat]) {
            (0..2).for_each(|i| mine[i] = mine[i].max(other[i]));
        }
    }
}

/// Watches one device.
#[derive(Clone, Debug)]
pub struct Checker {
    limits: Limits,
    actuated: [bool; 6],
    period: f64,
    last: [[f64; 3]; 2],
    heat: [f64; 2],
    latched: bool,
    rearm: u32,
    sequence: Option<u64>,
    /// Cycles since the last good measurement, and since the switch was let go.
    blind: u64,
    no_hand: u64,
    pub worst: LimitShares,
    pub cycles: u64,
    pub with_force: u64,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// Distance of `w` from the segment between zero and `end`, by ternary search rather than projection.
fn distance(end: [f64; 3], w: [f64; 3]) -> f64 {
    let at = |c: f64| {
        let d = [w[0] - c * end[0], w[1] - c * end[1], w[2] - c * end[2]];
        dot(d, d)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a) < at(b) { high = b } else { low = a }
    }
    at(0.0).min(at(1.0)).min(at(0.5 * (low + high))).sqrt()
}

fn part(w: &Vec6, i: usize) -> [f64; 3] {
    [w[3 * i], w[3 * i + 1], w[3 * i + 2]]
}

impl Checker {
    /// From a moment at which `sent` was sent. What the motors have borne until then counts from here: less strict, never wrong.
    pub fn new(limits: Limits, actuated: [bool; 6], period: f64, sent: &Vec6) -> Self {
        Checker {
            limits,
            actuated,
            period,
            last: [part(sent, 0), part(sent, 1)],
            heat: [0.0; 2],
            latched: false,
            rearm: 0,
            sequence: None,
            blind: 0,
            no_hand: 0,
            worst: LimitShares::default(),
            cycles: 0,
            with_force: 0,
        }
    }

    /// What is wrong with a wrench, if anything.
    pub fn check(&mut self, sent: &Vec6, told: &Told) -> Result<(), String> {
        self.cycles += 1;
        if !sent.iter().all(|x| x.is_finite()) {
            return Err(format!("not finite: {sent:?}"));
        }
        if (0..6).any(|i| !self.actuated[i] && sent[i] != 0.0) {
            return Err(format!("pushes where the device cannot: {sent:?}"));
        }
        let limited = self.limits(sent);
        let zero = sent.iter().all(|x| *x == 0.0);
        self.with_force += u64::from(!zero);
        let must = self.must_be_zero(told);
        limited?;
        must.filter(|_| !zero).map_or(Ok(()), |why| Err(format!("{why}, but {:?} is sent", sent.as_slice())))
    }

    fn limits(&mut self, sent: &Vec6) -> Result<(), String> {
        let mut first = Ok(());
        for (i, name) in ["force", "torque"].into_iter().enumerate() {
            let w = part(sent, i);
            let [continuous, peak] = if i == 0 { self.limits.force } else { self.limits.torque };
            let size = dot(w, w).sqrt();
            let (gap, allowed) = (distance(self.last[i], w), self.limits.slew[i] * self.period);
            let capacity = (peak * peak - continuous * continuous) * self.limits.peak_seconds;
            self.heat[i] = (self.heat[i] + (size * size - continuous * continuous) * self.period).max(0.0);
            let last = std::mem::replace(&mut self.last[i], w);
            let share = |x: f64, of: f64| if of > 0.0 { x / of } else { x };
            self.worst.peak[i] = self.worst.peak[i].max(share(size, peak));
            self.worst.slew[i] = self.worst.slew[i].max(share(gap, allowed));
            self.worst.heat[i] = self.worst.heat[i].max(share(self.heat[i], capacity));
            let wrong = match () {
                () if size > peak * (1.0 + 1e-12) => format!("{name} {size} is above {peak}"),
                () if gap > allowed * (1.0 + 1e-9) => {
                    format!("{name} is {gap} from the segment, not {allowed}: {last:?} to {w:?}")
                }
                // Rounding, in parts of one cycle at the peak.
                () if self.heat[i] > capacity * (1.0 + 1e-9) + 1e-9 * peak * peak * self.period => {
                    format!("{name} has heated the motors by {}, above {capacity}", self.heat[i])
                }
                () => continue,
            };
            first = first.and(Err(wrong));
        }
        first
    }

    /// The reason for which no wrench may be sent in this cycle; `None` if one may.
    fn must_be_zero(&mut self, told: &Told) -> Option<&'static str> {
        let cycles = |seconds: f64| (seconds / self.period).ceil() as u64;
        let (fade, stale) = (cycles(self.limits.fade), cycles(self.limits.stale));
        if told.rearm != self.rearm {
            (self.rearm, self.latched) = (told.rearm, false);
        }
        let state = told.state.as_ref();
        let stopped = state.is_some_and(|s| !s.enable.estop_ok);
        let failed = state.is_some_and(|s| s.alarms.has(Alarms::FAILURE));
        let cut = state.is_some_and(|s| !s.enable.powered || s.alarms.has(Alarms::OVERSPEED));
        self.latched |= stopped || failed || told.stop;
        self.no_hand = if state.is_some_and(|s| !s.enable.hand) { self.no_hand + 1 } else { 0 };
        let good = state.filter(|s| {
            let p = &s.pose;
            let unit = (p.rotation.coords.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs() < 1e-3;
            !told.refused && unit && p.translation.vector.iter().all(|x| x.is_finite())
        });
        let fresh = good.is_some_and(|s| self.sequence != Some(s.sequence));
        self.sequence = state.map_or(self.sequence, |s| Some(s.sequence));
        self.blind = if fresh { 0 } else { self.blind + 1 };
        match () {
            () if stopped => Some("the emergency stop is pressed"),
            () if failed => Some("the device says that it is broken"),
            () if told.stop => Some("it was stopped"),
            () if cut => Some("there is no power, or over-speed"),
            () if self.latched => Some("it was stopped and not armed again"),
            () if self.no_hand > fade => Some("there is no hand"),
            () if self.blind > stale + fade + 1 => Some("there is no good measurement"),
            () if told.panicked.is_some_and(|n| n > fade) => Some("the engine has panicked"),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_device::sim::SimParams;

    /// The checker finds what it is there for.
    #[test]
    fn bad_wrenches_are_found() {
        let limits = Limits::of(&SimParams::default().caps());
        let told = Told { state: Some(DeviceState::still()), refused: false, stop: false, rearm: 0, panicked: None };
        let fresh = || Checker::new(limits, [true; 6], 1e-3, &Vec6::zeros());
        let wrong = |wrench: Vec6, told: &Told| fresh().check(&wrench, told).unwrap_err();
        let x = |f: f64| Vec6::new(f, 0.0, 0.0, 0.0, 0.0, 0.0);
        let step = limits.slew[0] * 1e-3;
        assert!(fresh().check(&x(step), &told).is_ok());
        assert!(wrong(x(f64::NAN), &told).contains("not finite"));
        assert!(wrong(x(9.0), &told).contains("above 8.5"));
        assert!(wrong(x(1.001 * step), &told).contains("segment"));
        assert!(wrong(x(0.1), &Told { stop: true, ..told }).contains("stopped"));
        assert!(wrong(x(0.1), &Told { panicked: Some(21), ..told }).contains("panicked"));
        let mut pressed = told;
        pressed.state.as_mut().unwrap().enable.estop_ok = false;
        assert!(wrong(x(0.1), &pressed).contains("emergency"));
        let mut latched = fresh();
        latched.check(&x(0.0), &pressed).unwrap();
        assert!(latched.check(&x(0.1), &told).unwrap_err().contains("not armed"));
        let mut blind = fresh();
        let last = (0..40).map(|_| blind.check(&x(0.1), &told)).collect::<Vec<_>>();
        assert!(last[20].is_ok() && last[39].as_ref().unwrap_err().contains("measurement"), "{last:?}");
        let mut hot = fresh();
        let (up, hold) = (0..20, 0..1200);
        up.for_each(|i| hot.check(&x(step * f64::from(i)), &told).unwrap());
        let mut state = told;
        let hot = hold.map(|i| {
            state.state.as_mut().unwrap().sequence = i;
            hot.check(&x(8.07), &state)
        });
        assert!(hot.last().unwrap().unwrap_err().contains("heated"));
    }
}
