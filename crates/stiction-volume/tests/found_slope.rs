//! Found by the comparison with other engines: a cube that friction holds on a slope never comes to rest.
//!
//! It is set on a slope of tan 0.45 with µ0 = µ = 0.5 (Coulomb: it holds), with default coefficients, so that it sinks into the floor by its first millimetre and slips a little. From then on it rocks
//! and slides on at 28 mm/s for ever (at 5 ms: 120 mm/s; at 0.2 ms: 6 mm/s, so as the period). So it does at tan 0.4, and with µ0 = 0.6. At tan 0.35 it trembles at 1 mm/s without going anywhere, at 0.3 it rests. A lower body
//! (0.2 × 0.2 × 0.1 m) rests at tan 0.45. With a tenth of the stiffness and the same damper (k = 1e4 N/m, b = 75 N s/m) it comes to rest, too: the default damper is too weak for what rocking and
//! sliding do to each other. ODE and rapier hold the cube by default; MuJoCo creeps at 4.5 mm/s, PyBullet at 0.17 mm/s.

use stiction::spatial::{Pose, Vec3, exp};
use stiction_volume::{Body, VolumeEngine};

mod support;

/// Where the cube is along the slope after some seconds (m).
fn slid(engine: &mut VolumeEngine, seconds: f64) -> f64 {
    support::run(engine, seconds);
    engine.bodies()[1].centre.norm()
}

#[test]
#[ignore = "found: a cube on a slope below the friction limit rocks and slides on for ever"]
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
