//! Random hands: no allocation, no panic, nothing that is not finite, no wrench beyond its limit, and the same bits twice.

mod support;

use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp, halves};
use stiction::trace::Flags;
use stiction_formation::verify::check;
use stiction_formation::{FormationEngine, FormationSettings, MomentModel};
use stiction_testing::alloc::{Counting, counts};
use support::{PERIOD, cube, ell, engine, on_floor, random, random_vector};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn start() -> FormationEngine {
    let settings = FormationSettings { moments: MomentModel::Area, mu_kinetic: 0.4, ..FormationSettings::default() };
    engine(settings, cube(), ell(), Pose::translation(0.0, 0.01, 0.0) * on_floor(0.08, 0.0))
}

/// A hand that goes anywhere around the L, now and then far into it, and sometimes at once.
fn hand(seed: &mut u64, from: &Pose) -> Pose {
    let way = if random(seed) > 0.98 { 0.05 } else { 0.002 };
    let at = from.translation.vector + random_vector(seed) * way;
    let at = Vec3::new(at.x.clamp(-0.03, 0.2), at.y.clamp(-0.03, 0.2), at.z.clamp(-0.12, 0.12));
    let turned = exp(&(random_vector(seed) * 0.05)) * from.rotation;
    Pose::from_parts(at.into(), Rotation::new_normalize(turned.into_inner()))
}

#[test]
fn random_hands_find_no_fault() {
    let mut one = start();
    let mut two = start();
    let mut seed = 77;
    let mut at = one.last().hand;
    let mut several = 0;
    for number in 0..20_000 {
        at = hand(&mut seed, &at);
        let before = counts();
        one.tick(&at, &Vec6::zeros(), PERIOD);
        assert_eq!(counts(), before, "tick {number} allocated");
        two.tick(&at, &Vec6::zeros(), PERIOD);
        let tick = one.last();
        assert_eq!(tick, two.last());
        let (force, torque) = halves(&tick.wrench);
        let limits = one.settings().coupling;
        assert!(tick.wrench.iter().chain(tick.body.translation.vector.iter()).all(|x| x.is_finite()));
        assert!(force.norm() <= 3.0 * limits.max_force && torque.norm() <= 12.0 * limits.max_torque, "{}", tick.wrench);
        several += usize::from(tick.formation.touches().len() > 1);
        // The proxy never is in the L.
        if number % 50 == 0 {
            let pose = one.world_from_fixed().inv_mul(&tick.proxy);
            let inside = one.solids().held.vertices.iter().map(|v| (pose * nalgebra::Point3::from(v.position)).coords);
            let deep = inside.map(|p| depth_in_ell(&p)).fold(0.0, f64::max);
            assert!(deep < 2.0 * one.epsilon(), "tick {number}: {deep}");
            let _ = check(one.solids(), &pose, &tick.formation);
        }
    }
    assert!(several > 1000, "{several}");
}

/// How deep a point is in the L of the tests (m).
fn depth_in_ell(p: &Vec3) -> f64 {
    let (leg, t) = (0.15, 0.04);
    let block = |low: [f64; 2], high: [f64; 2]| {
        (p.x - low[0]).min(high[0] - p.x).min(p.y - low[1]).min(high[1] - p.y).min(0.1 - p.z.abs())
    };
    block([-t, -t], [leg, 0.0]).max(block([-t, -t], [0.0, leg])).max(0.0)
}

#[test]
fn bad_input_changes_nothing() {
    let mut engine = start();
    let good = Pose::translation(0.0, -0.012, 0.0) * engine.last().hand;
    (0..50).for_each(|_| _ = engine.tick(&good, &Vec6::zeros(), PERIOD));
    let before = *engine.last();
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    let tick = engine.tick(&nowhere, &Vec6::zeros(), PERIOD);
    assert!(tick.flags.has(Flags::BAD_HAND) && tick.wrench == before.wrench && tick.body == before.body);
    let tick = engine.tick(&good, &(Vec6::zeros() * f64::NAN), PERIOD);
    assert!(tick.flags.has(Flags::BAD_LOAD) && tick.wrench.iter().all(|x| x.is_finite()));
    assert!(!engine.place(&nowhere) && engine.place(&good));
    assert!(
        FormationEngine::new(
            FormationSettings { mass: -1.0, ..FormationSettings::default() },
            cube(),
            ell(),
            Pose::identity(),
            good
        )
        .is_err()
    );
    let odd = FormationSettings { mu_kinetic: 0.9, ..FormationSettings::default() };
    assert_eq!(odd.check().unwrap_err().to_string(), "friction.kinetic is 0.9: it must be at most friction.static");
}
