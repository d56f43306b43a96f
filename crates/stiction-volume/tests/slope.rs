//! Guards against springs whose stiffness by area rises while they are pressed: a cube that friction holds on a slope rocked and walked down at 28 mm/s, at any period. Found by the comparison with other engines, of
//! which ODE and rapier hold it by default.
//!
//! Its centre is so high that the upper edge of its lower face lifts off (tan 0.45 > 1/3), so that the area of contact changes while it rocks.

use stiction::spatial::{Pose, Vec3, exp};
use stiction_volume::{Body, VolumeEngine};

mod support;

/// Where the cube is along the slope after some seconds (m).
fn slid(engine: &mut VolumeEngine, seconds: f64) -> f64 {
    support::run(engine, seconds);
    engine.bodies()[1].centre.norm()
}

#[test]
fn a_cube_on_a_slope_below_the_friction_limit_comes_to_rest() {
    let mut settings = support::settings(0.001);
    (settings.contact.mu_static, settings.contact.mu_kinetic) = (0.5, 0.5);
    let turn = exp(&(Vec3::y() * 0.45_f64.atan()));
    let put = |z: f64| Pose::from_parts((turn * Vec3::new(0.0, 0.0, z)).into(), turn);
    let floor = Body::fixed(vec![support::cuboid([16.0, 4.0, 1.0])], put(-0.5));
    let cube = Body::new(vec![support::cuboid([0.2; 3])], 1.0, put(0.1));
    let mut engine = support::engine(settings, vec![floor, cube]);
    let before = slid(&mut engine, 5.0);
    let after = slid(&mut engine, 5.0);
    assert!((after - before).abs() < 1e-6, "it slides on by {} m in 5 s", after - before);
}
