//! One axis of the handle, advanced exactly.
//!
//! Symbols: x, v position and speed of the handle, x_i, v_i those that the hand intends (v_i constant over a step), e = x - x_i, M the mass
//! that moves (handle and hand), b the handle's and b_h, k_h the hand's damping and stiffness, f the actuator's force, u what was commanded,
//! τ the current's lag, p a push from outside, f_c Coulomb friction. While the handle slides in direction s:
//!
//! ```text
//! e' = v - v_i
//! M v' = f - k_h e - b v - b_h (v - v_i) + p - s f_c
//! τ f' = u - f
//! ```
//!
//! With z = (e, v, f) this is z' = A z + c, with c constant. Its solution is
//!
//! ```text
//! z(h) - z(0) = Ψ(h) z'(0),   Ψ(h) = ∫₀ʰ exp(A s) ds = h Σ (A h)ⁿ/(n + 1)!
//! ```
//!
//! because z' itself obeys z'' = A z'. From Ψ(2h) = Ψ(h) + exp(A h) Ψ(h) and exp(A h) = I + A Ψ(h) follows Ψ(2h) = 2 Ψ(h) + A Ψ(h) Ψ(h), where
//! nothing near 1 is ever added: the series is summed for a step 2²⁴ times shorter, and doubled 24 times without loss of digits. There is no
//! error of integration, so none that could feed or damp an oscillation.
//!
//! The halves, quarters, … of the step that come with it find the instants where friction changes between stick and slip: a piece in which
//! one lies is halved until it is 2⁻²⁴ of the step long. Two of them in a piece that undo each other are not noticed: with friction no piece is longer
//! than a quarter of 1/ω, ω² = k_h/M, and of τ.
//!
//! Friction: sticks while the other forces are at most f_s (the breakaway force, ≥ f_c), at exactly zero speed; slides against -s f_c. One
//! friction an axis of the device, as of joints that lie along them; a real device's joints lie elsewhere.

use stiction::spatial::Mat3;

/// The finest piece is 2^-LEVELS of a step.
const LEVELS: u32 = 24;
/// So often in one step friction may change its mind exactly; after that, at the ends of larger pieces.
const EVENTS: u32 = 8;
/// With friction a step is halved at most so often beforehand.
const COARSEST: u32 = 8;

/// What moves along an axis, and what holds it: SI units of translation or rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coefficients {
    /// M.
    pub mass: f64,
    /// b.
    pub damping: f64,
    /// b_h.
    pub hand_damping: f64,
    /// k_h.
    pub stiffness: f64,
    /// τ; 0 for none.
    pub lag: f64,
    /// f_c.
    pub friction: f64,
    /// f_s.
    pub breakaway: f64,
}

/// Whether an axis sticks or slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slip {
    Stuck,
    /// In the direction of this sign.
    Sliding(f64),
}

impl Slip {
    pub fn of(speed: f64) -> Slip {
        if speed == 0.0 { Slip::Stuck } else { Slip::Sliding(speed.signum()) }
    }
}

/// z: e, v, f.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub error: f64,
    pub speed: f64,
    pub force: f64,
}

/// What is constant over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Input {
    /// v_i.
    pub intended: f64,
    /// u.
    pub command: f64,
    /// p.
    pub push: f64,
}

/// Ψ for a step and its halves, quarters, ….
#[derive(Clone, Debug)]
pub(super) struct Flow {
    with: Coefficients,
    seconds: f64,
    /// With friction, the largest pieces are of this level.
    coarsest: u32,
    integrals: [Mat3; LEVELS as usize + 1],
}

impl Flow {
    /// For steps of `seconds`.
    pub fn new(with: Coefficients, seconds: f64) -> Flow {
        let Coefficients { mass, damping, hand_damping, stiffness, lag, .. } = with;
        let rate = if lag > 0.0 { 1.0 / lag } else { 0.0 };
        #[rustfmt::skip]
        let a = Mat3::new(
            0.0, 1.0, 0.0,
            -stiffness / mass, -(damping + hand_damping) / mass, 1.0 / mass,
            0.0, 0.0, -rate,
        );
        let finest = seconds / f64::from(1_u32 << LEVELS);
        let (mut term, mut sum) = (Mat3::identity() * finest, Mat3::identity() * finest);
        for n in 2..8 {
            term = a * term * (finest / f64::from(n));
            sum += term;
        }
        let mut integrals = [sum; LEVELS as usize + 1];
        for level in (0..LEVELS as usize).rev() {
            let half = integrals[level + 1];
            integrals[level] = half * 2.0 + a * half * half;
        }
        let fastest = (stiffness / mass).sqrt().max(rate);
        let coarsest = (0..COARSEST).find(|level| fastest * seconds <= 0.25 * f64::from(1_u32 << level));
        Flow { with, seconds, coarsest: coarsest.unwrap_or(COARSEST), integrals }
    }

    /// Whether it is for these.
    pub fn is_for(&self, with: &Coefficients, seconds: f64) -> bool {
        self.with == *with && self.seconds == seconds
    }

    /// The actuator alone: f one step later.
    pub fn lagged(&self, force: f64, command: f64) -> f64 {
        if self.with.lag > 0.0 { force + self.decay(0) * (command - force) } else { command }
    }

    /// One step. Allocates nothing.
    pub fn advance(&self, axis: &mut Axis, slip: &mut Slip, input: &Input) {
        if !(self.with.lag > 0.0) {
            axis.force = input.command;
        }
        if !(self.with.friction > 0.0) {
            *axis = self.slid(axis, input, 0.0, 0);
            return;
        }
        let (mut at, mut level, mut events) = (0_u32, self.coarsest, 0_u32);
        while at < 1 << LEVELS {
            let next = match *slip {
                Slip::Stuck => self.stuck(axis, input, level),
                Slip::Sliding(sign) => self.slid(axis, input, sign, level),
            };
            let load = self.load(&next, input);
            let event = match *slip {
                Slip::Stuck => load.abs() > self.with.breakaway,
                Slip::Sliding(sign) => next.speed * sign < 0.0,
            };
            if event && level < LEVELS && events < EVENTS {
                level += 1;
                continue;
            }
            *axis = next;
            at += 1 << (LEVELS - level);
            if event {
                events += 1;
                axis.speed = 0.0;
                let breaks = self.load(axis, input).abs() > self.with.breakaway;
                *slip = if breaks { Slip::Sliding(load.signum()) } else { Slip::Stuck };
            }
            // The largest piece that begins here.
            level = (LEVELS - at.trailing_zeros().min(LEVELS)).max(self.coarsest);
        }
    }

    /// All that pulls at the axis but friction and its own damping.
    fn load(&self, axis: &Axis, input: &Input) -> f64 {
        axis.force - self.with.stiffness * axis.error + self.with.hand_damping * input.intended + input.push
    }

    fn slid(&self, axis: &Axis, input: &Input, sign: f64, level: u32) -> Axis {
        let c = &self.with;
        let drag = (c.damping + c.hand_damping) * axis.speed + sign * c.friction;
        let e = axis.speed - input.intended;
        let v = (self.load(axis, input) - drag) / c.mass;
        let f = if c.lag > 0.0 { (input.command - axis.force) / c.lag } else { 0.0 };
        let p = &self.integrals[level as usize];
        Axis {
            error: axis.error + (p.m11 * e + p.m12 * v + p.m13 * f),
            speed: axis.speed + (p.m21 * e + p.m22 * v + p.m23 * f),
            force: axis.force + p.m33 * f,
        }
    }

    fn stuck(&self, axis: &Axis, input: &Input, level: u32) -> Axis {
        let seconds = self.seconds / f64::from(1_u32 << level);
        let f = if self.with.lag > 0.0 { self.decay(level) * (input.command - axis.force) } else { 0.0 };
        Axis { error: axis.error - input.intended * seconds, speed: 0.0, force: axis.force + f }
    }

    /// 1 - exp(-h/τ).
    fn decay(&self, level: u32) -> f64 {
        self.integrals[level as usize].m33 / self.with.lag
    }
}
