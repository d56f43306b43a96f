//! Holding on noisy surfaces under a load that comes and goes: nothing creeps.

mod shape_support;
mod tick_support;

use shape_support::Random;
use stiction::contact::penalty::ShellOn;
use stiction::friction::{Cone, Method, Metric};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::tick::Settings;
use tick_support::{Floor, HALF, block_tilted};

/// Ticks of a load cycle.
const CYCLE: usize = 100;

/// Creep of the part's centre and of its lower corners, in m per load cycle, the mean of cycles 10 to 20; and slipping ticks. The cube
/// is pulled at 0.6 of its limit while the normal load varies by ±20 %.
fn creep(method: Method, noise: f64, micro_slip: f64, shell_on: ShellOn, seed: u64) -> [f64; 3] {
    let mut s = Settings { shell_on, ..Settings::default() };
    s.friction.method = method;
    s.friction.micro_slip = micro_slip;
    if method == Method::Lp {
        s.friction.cone = Cone::paper(8);
    }
    let mut random = Random(seed);
    let cube = block_tilted(Vec3::repeat(HALF), 7, 0.005, |_| random.vector() * noise);
    let mut floor = Floor::with(s, cube, 21);
    let hand = |x: f64| Pose::translation(x, 0.0, HALF - 0.005);
    let pull = 0.6 * 0.5 * 0.8 * 9.6 / 2000.0;
    let mut at = Vec::new();
    let mut slips = 0.0;
    for i in 0..21 * CYCLE {
        let load = 1.92 * (std::f64::consts::TAU * i as f64 / CYCLE as f64).sin();
        let x = pull * (i as f64 / CYCLE as f64).min(1.0);
        let t = *floor.engine.tick(&hand(x), &Vec6::new(0.0, 0.0, -load, 0.0, 0.0, 0.0));
        slips += f64::from(t.sliding > 0 && i >= CYCLE);
        if i % CYCLE == 0 && i >= 10 * CYCLE {
            at.push(t.part);
        }
    }
    let moved = |p: Vec3| {
        let world = |pose: &Pose| (pose * nalgebra::Point3::from(p)).coords;
        (world(&at[10]) - world(&at[0])).norm() / 10.0
    };
    let corners = [(-HALF, -HALF), (HALF, -HALF), (-HALF, HALF), (HALF, HALF)];
    let contact = corners.iter().map(|&(x, y)| moved(Vec3::new(x, y, -HALF))).fold(0.0, f64::max);
    [moved(Vec3::zeros()), contact, slips]
}

#[test]
fn a_held_part_does_not_creep_on_noisy_normals_under_a_varying_load() {
    for shell_on in [ShellOn::Held, ShellOn::Fixed] {
        for noise in [1e-3, 1e-2] {
            for seed in 0..3 {
                let found = creep(Method::Hold, noise, 5e-6, shell_on, seed);
                assert!(found[0] <= 1e-10 && found[1] <= 1e-10, "{shell_on:?}, noise {noise}, seed {seed}: {found:?}");
            }
        }
    }
    // The same load makes a part without memory creep: the experiment can tell.
    for method in [Method::Qp(Metric::Stiffness), Method::Qp(Metric::Mass)] {
        let found = creep(method, 1e-3, 5e-6, ShellOn::Held, 0);
        assert!(found[0] > 1e-9 && found[1] > 1e-9, "{method:?}: {found:?}");
    }
}
