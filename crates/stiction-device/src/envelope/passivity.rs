//! Passivity observer and controller at the port between device and hand.
//!
//! After Hannaford and Ryu, *Time-Domain Passivity Control of Haptic Interfaces*, 2002. Symbols: w_k the wrench sent in cycle k and held until
//! the next (zero-order hold), s_k = (x_k - x_(k-1), log(R_k R_(k-1)ᵀ)) the step of the handle, W_k the work that known loads did on the part in that
//! step (its weight; with two hands also the push of the other hand's part, by the motion of that one), L = W_k as the forecast of W_(k+1), C the credit, that is, energy received and not given back, C < 0 a debt.
//!
//! ```text
//! C ← min(C - w_(k-1)·s_k + W_k, store)                exact for a hold: the work done on the hand, and the work done by the loads
//! w ← w·(max(C, 0) + L)/(w·s)    where w·s > max(C, 0) + L   s = s_k: the step to come is reckoned as the last
//! w ← w - σ (b v, b_r ω),  σ ≤ 1   where C < 0          damping pays the debt back
//! w ← w·(E - D)/worst(w)         where D = -C > 0 and worst(w) > E - D
//! worst(w) = min(w·s + (|f| a + |τ| a_r) T², (|f| v_max + |τ| ω_max) T),   E = (F_max v_max + τ_max ω_max) T
//! ```
//!
//! **Why loads count.** A part that sinks gives its potential energy to the hand, and a passive scene may do that. Its energy balance has two ports: what coupling, contacts and
//! friction store and dissipate is what the hand and the loads put in, -Σ w·s + Σ W ≥ 0. Without W a weight that is held at rest looks like a source of energy whenever the hand
//! yields by a micrometre, and the controller takes the whole weight away for that cycle. In the air w·s = W in every cycle, so that C stays as it is.
//!
//! **Bound.** Let G_k = Σ w·s be the energy that the hand has got, P_k = Σ W that of the loads, both since force engaged, and C_0 ≤ 0. The cap on C only lowers it, so
//! G_k ≤ P_k - C_k. Take a cycle that gives, g_k = w·s > 0; a cycle that does not give leaves G no larger.
//!
//! - Without debt, g_k ≤ E by the limits of force and speed: C_k ≥ W_k - E.
//! - With debt D ≤ E, the last line above leaves g_k ≤ E - D: C_k = W_k - D - g_k ≥ W_k - E.
//! - With debt D > E, which only a load can make that is lifted without being felt, worst(w) ≤ 0 for what is sent: no such cycle gives.
//!
//! So G_k ≤ P_k - W_k + E = P_(k-1) + E, and by induction
//!
//! ```text
//! G_k ≤ E + max_(j < k) P_j        for any environment, and any motion within `speed` and `acceleration`
//! ```
//!
//! Without loads that is the bound E. A constant weight has P = weight · (how far the part has sunk): its work over a closed way is zero, so going round and round
//! gains nothing, and one way down gains what the same weight in the hand would give. P is what the engine says of its part; so that an engine that lets its part
//! sink for ever does not pay for everything, P is capped by [`Limits::loads`], the peak wrench over the whole workspace, which no true load exceeds between two uses of the
//! clutch. That makes the bound E + `loads` whatever the engine does, counted since force engaged or the clutch was held. A load counts only as far as the device can
//! render it, and times the gain of the soft start. The proof asks nothing of W but that it is counted once, so it holds for such loads, too.
//!
//! **Way back.** So that a debt near E does not forbid the damping that pays it, answers have only 0.8 E, and beyond 0.7 E nothing but damping is sent,
//! and that only while the handle goes on in about the direction that it had. It pays b v² T a cycle: 0.8 E within 50 ms from
//! v = (16 E/b)^½ on, 0.12 m/s for 12 N, 1.5 m/s, 1 ms and 20 N s/m, if E is that of force alone.
//!
//! Deviations: the original series element damps whenever the observed energy is negative, which is after the fact and divides by v; here the
//! wrench is scaled beforehand, so that damping has only the error of the prediction to pay, and is capped. The credit is capped too: a spring
//! cannot rightly give back more than it can store, and a long history of received energy must not pay for a later instability. It is dropped when
//! force engages anew. One scalar for all six degrees: a passive environment moves energy between rotation and translation (a lever), so each
//! alone would be braked without cause. Where a measurement comes only every n cycles, w is the mean of those sent, C is less what they are reckoned
//! to have given since, and the bound is that of n cycles.

use super::limits::Limits;
use stiction::spatial::{Vec6, halves, join};

/// Damping aims at this many times the debt: the handle may slow down within the cycle, and a debt that only halves never ends.
const OVERPAY: f64 = 2.0;
/// Share of E that answers have.
const ANSWERS: f64 = 0.8;
/// Share of E beyond which a debt is deep.
const DEEP: f64 = 0.7;

/// The port's energy.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnergyPort {
    limits: Limits,
    period: f64,
    /// E.
    bound: f64,
    /// C.
    credit: f64,
    /// Given less received, of all time.
    net: f64,
    most: f64,
    most_debt: f64,
    /// Reckoned step of a cycle.
    step: Vec6,
    /// L: reckoned work of the known loads in a cycle.
    load: f64,
    /// Work of the known loads since the last measurement.
    fallen: f64,
    /// P: work of the known loads since force engaged.
    loads: f64,
    /// The last two steps were in about one direction.
    steady: bool,
    /// Sent since the last measurement, and in how many cycles.
    sum: Vec6,
    cycles: f64,
}

/// Energies at the port, measured whether the controller acts or not (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Given to the hand less received from it, since the envelope was made.
    pub delivered: f64,
    /// The most that `delivered` ever was.
    pub most_delivered: f64,
    /// Given beyond what is in the store, the work of known loads being in it too; at least zero.
    pub debt: f64,
    /// The most that `debt` ever was at the end of a cycle that gave energy.
    pub most_debt: f64,
    /// Work of the known loads since force engaged: that of a part's weight, as it counts at the handle.
    pub loads: f64,
    /// What may still be given.
    pub store: f64,
}

impl EnergyPort {
    pub fn new(limits: &Limits, period: f64) -> Self {
        EnergyPort {
            limits: *limits,
            period,
            bound: limits.energy_bound(period),
            credit: 0.0,
            net: 0.0,
            most: 0.0,
            most_debt: 0.0,
            step: Vec6::zeros(),
            load: 0.0,
            fallen: 0.0,
            loads: 0.0,
            steady: false,
            sum: Vec6::zeros(),
            cycles: 0.0,
        }
    }

    /// This was held during the cycle that is over, and known loads did this work on the part.
    pub fn held(&mut self, sent: &Vec6, load_work: f64) {
        self.sum += sent;
        self.cycles += 1.0;
        if self.limits.loads > 0.0 && load_work.is_finite() {
            let counted = load_work.min(self.limits.loads - self.loads);
            self.loads += counted;
            self.fallen += counted;
        }
    }

    /// The handle has moved by this since the last measurement.
    pub fn moved(&mut self, step: &Vec6) {
        let cycles = self.cycles.max(1.0);
        let work = self.sum.dot(step) / cycles;
        self.net += work;
        if work > 0.0 {
            self.most_debt = self.most_debt.max(work - self.credit - self.fallen.max(0.0));
        }
        self.credit = (self.credit - work + self.fallen).min(self.limits.store);
        self.most = self.most.max(self.net);
        self.steady = self.step.dot(step) > 0.0;
        self.step = step / cycles;
        self.load = self.fallen / cycles;
        self.clear();
    }

    fn clear(&mut self) {
        (self.sum, self.cycles, self.fallen) = (Vec6::zeros(), 0.0, 0.0);
    }

    /// Where the handle is now tells nothing about how it moved.
    pub fn lost(&mut self) {
        self.step = Vec6::zeros();
        (self.steady, self.load) = (false, 0.0);
        self.clear();
    }

    /// Force engages anew: this drops what was stored, and what loads owe beyond the bound, since their work is counted from here on.
    pub fn engage(&mut self) {
        self.credit = self.credit.min(0.0);
        if self.limits.loads > 0.0 {
            self.credit = self.credit.max(-self.bound);
        }
        self.loads = 0.0;
    }

    /// The handle is cut loose from the part: the work of loads is counted from here on.
    pub fn clutch(&mut self) {
        self.loads = 0.0;
    }

    /// In debt: nothing that would give more, and damping that pays back.
    pub fn brake(&self, wanted: &Vec6) -> (Vec6, bool) {
        let credit = self.reckoned_credit();
        if !self.limits.passivity || credit >= 0.0 {
            return (*wanted, false);
        }
        let deep = self.is_deep(credit);
        if deep && !self.steady {
            return (Vec6::zeros(), true);
        }
        let reckoned = wanted.dot(&self.step);
        let kept = match () {
            () if deep => Vec6::zeros(),
            () if reckoned <= self.load.max(0.0) => *wanted,
            // What a load gives, it may give.
            () if self.load > 0.0 => wanted * (self.load / reckoned),
            () => Vec6::zeros(),
        };
        let owed = -OVERPAY * credit + kept.dot(&self.step) - self.load;
        let (translation, rotation) = halves(&(self.step / self.period));
        let drag = join(translation * self.limits.damping[0], rotation * self.limits.damping[1]);
        let pays = drag.dot(&self.step);
        if owed > 0.0 && pays > 0.0 { (kept - drag * (owed / pays).min(1.0), true) } else { (kept, false) }
    }

    fn is_deep(&self, credit: f64) -> bool {
        -credit > DEEP * self.bound
    }

    /// The credit, less what was reckoned to be given since it was measured.
    fn reckoned_credit(&self) -> f64 {
        self.credit - (self.sum.dot(&self.step) - self.load * self.cycles).max(0.0)
    }

    /// The share of a wrench that may be sent.
    pub fn share(&self, wrench: &Vec6) -> f64 {
        if !self.limits.passivity {
            return 1.0;
        }
        let credit = self.reckoned_credit();
        let reckoned = wrench.dot(&self.step);
        let stored = credit.max(0.0) + self.load;
        let share = if reckoned > 0.0 && reckoned > stored { stored.max(0.0) / reckoned } else { 1.0 };
        if credit >= 0.0 {
            return share;
        }
        let (force, torque) = halves(wrench);
        let (f, t) = (force.norm(), torque.norm());
        let [a, a_r] = self.limits.acceleration;
        let swerve = reckoned + (f * a + t * a_r) * self.period * self.period;
        let worst = swerve.min((f * self.limits.speed[0] + t * self.limits.speed[1]) * self.period);
        let left = (self.bound * if self.is_deep(credit) { 1.0 } else { ANSWERS } + credit).max(0.0);
        if worst > left { share.min(left / worst) } else { share }
    }

    pub fn energy(&self) -> Energy {
        Energy {
            delivered: self.net,
            most_delivered: self.most,
            debt: (-self.credit).max(0.0),
            most_debt: self.most_debt.max(0.0),
            loads: self.loads,
            store: self.credit.max(0.0),
        }
    }
}
