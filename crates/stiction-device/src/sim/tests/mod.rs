//! The simulated device against closed forms, and what the tests share.

mod chain;
mod faults;
mod motion;
mod wall;

use super::*;
use stiction::spatial::{Rotation, Vec3, exp, log};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_parts(Vec3::new(x, y, z).into(), Rotation::identity())
}

fn along(i: usize, value: f64) -> Vec6 {
    Vec6::from_fn(|k, _| if k == i { value } else { 0.0 })
}

fn armed(params: SimParams) -> SimDevice {
    let mut device = SimDevice::new(params).unwrap();
    device.arm().unwrap();
    device
}

fn safe(wrench: Vec6) -> SafeWrench {
    SafeWrench::for_test(wrench)
}

/// Position along an axis, or the component of the rotation vector.
fn coordinate(device: &SimDevice, i: usize) -> f64 {
    if i < 3 { device.pose().translation.vector[i] } else { log(&device.pose().rotation)[i - 3] }
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}: off by {}", a - b);
}

fn with(handle: Handle, hand: SimHand) -> SimParams {
    SimParams { handle, hand, ..SimParams::ideal() }
}

const PLAIN: Handle = Handle { mass: [0.1, 1e-4], damping: [0.5, 5e-4], friction: [0.0; 2], breakaway: 1.0 };
