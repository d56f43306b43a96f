//! The simulator's own test: a released handle on a sampled wall goes unstable where theory says.
//!
//! **Bound.** A wall F = -K x, sampled with period T and held between, is passive on a handle with damping b where K ≤ 2b/T (J. E. Colgate and
//! G. G. Schenkel 1997; without encoder steps and friction, J. J. Abbott and A. M. Okamura 2005): moving at v, the held force leaks
//! ½ K (v T)² a period, and the damper takes b v² T. That is enough for any hand.
//!
//! **Edge.** What one handle does can be told exactly. Between samples m v' = -b v - K x_k. With q = bT/m and p = exp(-q):
//!
//! ```text
//! x' = x + (T/q)(1 - p) v - K x (T/b)(1 - (1 - p)/q)
//! v' = p v - K x (1 - p)/b
//! ```
//!
//! a 2 × 2 matrix with trace 1 + p - K(T/b)(1 - (1-p)/q) and determinant p + K(T/b)((1-p)/q - p). Both eigenvalues are in the unit circle (Jury) where the
//! determinant is below 1 and 1 + trace + determinant above 0 (the third condition, 1 - trace + determinant = K(T/b)(1-p) > 0, always holds):
//!
//! ```text
//! K < K₁ = (b/T) q(1 - p)/(1 - p - qp)                 a pair of complex eigenvalues leaves: an oscillation grows
//! K < K₂ = (b/T) 2(1 + p)/(1 + p - 2(1 - p)/q)         one leaves at -1: it changes its side with every sample
//! ```
//!
//! For small q, K₁ = (2b/T)(1 + q/6 + q²/36 + …), and K₂ ≈ (b/T) 24/q² is far away: the edge is above the bound by q/6, that is, within 5 % for
//! q = bT/m < 0.28. For large q, K₂ → 2b/T again, from above. In between the edge is at most 2.05 times the bound (q ≈ 3.7). So passivity is sufficient for all,
//! and for a bare handle that is not very light nearly necessary: with b = 0.5 N s/m and T = 1 ms, for all m > 1.8 g.
//!
//! **Experiment.** The wall pushes only, so a load leans on the handle: it rests at the depth load/K, where the wall is linear around it. It is kicked by a
//! hundredth of that depth. The edge is where the oscillation neither grows nor decays, by bisection over K.

use super::{Handle, SimDevice, SimError, SimHand, SimParams};
use crate::device::{Device, DeviceState};
use crate::envelope::SafeWrench;
use stiction::spatial::{Pose, Vec3, Vec6};

/// A handle, a sampling period and a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallParams {
    /// m (kg).
    pub mass: f64,
    /// b (N s/m).
    pub damping: f64,
    /// T (s).
    pub period: f64,
    /// What leans on the wall (N).
    pub load: f64,
    /// How long the handle is held still on the wall before it is let go (s), for what starts softly.
    pub settle: f64,
}

impl Default for WallParams {
    /// The handle of [`SimParams::default`], 0.1 kg and 0.5 N s/m, at 1 kHz under 1 N.
    fn default() -> Self {
        let usual = SimParams::default().handle;
        WallParams { mass: usual.mass[0], damping: usual.damping[0], period: 1e-3, load: 1.0, settle: 0.0 }
    }
}

/// Where a wall goes unstable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallReport {
    /// Where the simulated one does (N/m).
    pub edge: f64,
    /// 2b/T (N/m).
    pub bound: f64,
    /// Edge over bound.
    pub ratio: f64,
    /// Where the eigenvalues leave the unit circle: min(K₁, K₂) (N/m).
    pub exact: f64,
}

/// Largest K for which all samplings are passive: 2b/T (N/m).
pub fn passivity_bound(damping: f64, period: f64) -> f64 {
    2.0 * damping / period
}

/// Largest K for which the sampled wall and the handle are stable: min(K₁, K₂) (N/m).
pub fn exact_edge(mass: f64, damping: f64, period: f64) -> f64 {
    let q = damping * period / mass;
    // 1 - p; 1 - p - qp and (1 + p) - 2(1 - p)/q cancel for small q, so that there their series are taken.
    let fall = -libm::expm1(-q);
    let p = 1.0 - fall;
    let series = q * q * (1.0 / 2.0 - q * (1.0 / 3.0 - q * (1.0 / 8.0 - q * (1.0 / 30.0 - q / 144.0))));
    let first = if q < 1e-2 { series } else { fall - q * p };
    let second = if q < 1e-2 { q * q * (1.0 / 6.0 - q * (1.0 / 12.0 - q / 40.0)) } else { 1.0 + p - 2.0 * fall / q };
    let unit = damping / period;
    (unit * (q * fall / first)).min(unit * (2.0 * (1.0 + p) / second))
}

/// The wall: it pushes up (+Z) where the handle is below z = 0.
pub fn wall_wrench(stiffness: f64, state: &DeviceState) -> Vec6 {
    let depth = (-state.pose.translation.vector.z).max(0.0);
    Vec6::new(0.0, 0.0, stiffness * depth, 0.0, 0.0, 0.0)
}

/// The edge of the bare wall, with nothing between wall and motors.
///
/// # Errors
/// [`SimError::Value`] where a value is out of its range.
pub fn wall_edge(params: &WallParams) -> Result<WallReport, SimError> {
    search(params, &mut |stiffness| {
        move |device: &mut SimDevice, state: &DeviceState| {
            device.render(&wall_wrench(stiffness, state));
        }
    })
}

/// The edge of what `make` renders for a stiffness: as a rule [`wall_wrench`] through an [`crate::Envelope`], new for each.
///
/// The envelope's control of passivity must be off: it is there to hide this edge, and the wall, loaded from the start, owes it the energy of its spring.
/// [`WallParams::settle`] must be longer than its soft start.
///
/// # Errors
/// [`SimError::Value`] where a value is out of its range.
pub fn wall_edge_through<R: FnMut(&DeviceState) -> SafeWrench>(
    params: &WallParams,
    mut make: impl FnMut(f64) -> R,
) -> Result<WallReport, SimError> {
    search(params, &mut |stiffness| {
        let mut render = make(stiffness);
        move |device: &mut SimDevice, state: &DeviceState| {
            // Armed, and without faults: it cannot fail.
            let _ = device.write(&render(state));
        }
    })
}

fn search<C: FnMut(&mut SimDevice, &DeviceState)>(
    params: &WallParams,
    make: &mut impl FnMut(f64) -> C,
) -> Result<WallReport, SimError> {
    let all = [params.damping, params.period, params.load];
    if !all.iter().all(|x| x.is_finite() && *x > 0.0) || !(0.0..=1e3).contains(&params.settle) {
        return Err(SimError::Value("damping, period, load and settle", "finite and positive"));
    }
    let bound = passivity_bound(params.damping, params.period);
    let (mut low, mut high) = (0.25 * bound, 4.0 * bound);
    for _ in 0..18 {
        let middle = 0.5 * (low + high);
        if grows(params, middle, &mut make(middle))? {
            high = middle;
        } else {
            low = middle;
        }
    }
    let edge = 0.5 * (low + high);
    let exact = exact_edge(params.mass, params.damping, params.period);
    Ok(WallReport { edge, bound, ratio: edge / bound, exact })
}

/// Whether a small oscillation on the wall grows.
fn grows(
    params: &WallParams,
    stiffness: f64,
    cycle: &mut impl FnMut(&mut SimDevice, &DeviceState),
) -> Result<bool, SimError> {
    let ideal = SimParams::ideal();
    let handle = Handle {
        mass: [params.mass, ideal.handle.mass[1]],
        damping: [params.damping, ideal.handle.damping[1]],
        ..ideal.handle
    };
    let mut device = SimDevice::new(SimParams { handle, hand: SimHand::Released, ..ideal })?;
    let depth = params.load / stiffness;
    let rest = Pose::from_parts(Vec3::new(0.0, 0.0, -depth).into(), stiction::spatial::Rotation::identity());
    device.push(&Vec6::new(0.0, 0.0, -params.load, 0.0, 0.0, 0.0));
    let _ = device.arm();
    device.place(&rest);
    for _ in 0..libm::ceil(params.settle / params.period) as u64 {
        let state = device.measured;
        cycle(&mut device, &state);
        device.step(params.period);
        device.place(&rest);
    }
    let frequency = (stiffness / params.mass).sqrt();
    device.kick(&Vec6::new(0.0, 0.0, 0.01 * depth * frequency, 0.0, 0.0, 0.0));
    // One percent beside K₁ the amplitude changes by a fifth in so many periods of 1/(1 - p).
    let ticks = (40.0 / -libm::expm1(-params.damping * params.period / params.mass)).clamp(4e3, 4e5);
    let mut first = None;
    let mut last = 0.0;
    for block in 0..16 {
        let mut largest = 0.0_f64;
        for _ in 0..(ticks / 16.0) as usize {
            let state = device.measured;
            cycle(&mut device, &state);
            device.step(params.period);
            largest = largest.max((device.pose().translation.vector.z + depth).abs());
        }
        // The first block has what fades at once.
        if block > 0 {
            let first = *first.get_or_insert(largest);
            last = largest / first;
        }
        // Clear enough, and before it leaves the wall or drowns in rounding.
        if largest > 0.5 * depth || last > 4.0 {
            return Ok(true);
        }
        if largest < 1e-6 * depth || (block > 1 && last < 0.25) {
            return Ok(false);
        }
    }
    Ok(last > 1.0)
}
