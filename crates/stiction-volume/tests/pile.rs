//! Piles of random convex bodies in a box: they stay in it, come to rest, and nothing is thrown out.

mod support;

use stiction::spatial::{Pose, Vec3, exp};
use stiction::trace::Flags;
use stiction_volume::{Body, Convex};
use support::{cuboid, engine, random, random_vector, settings};

/// Guards against springs of friction that are stretched anew where the area grows: bodies rocked on, at 2 cm/s and for ever, on the energy that this makes.
#[test]
fn random_bodies_come_to_rest_in_a_box() {
    for (seed, period) in [(4, 1e-3), (5, 2e-3)] {
        let mut seed = seed;
        let wall = |x: f64, y: f64| {
            let size = if x == 0.0 { [1.4, 0.2, 2.0] } else { [0.2, 1.4, 2.0] };
            Body::fixed(vec![cuboid(size)], Pose::translation(x, y, 1.0))
        };
        let mut bodies = vec![Body::fixed(vec![cuboid([1.4, 1.4, 0.2])], Pose::translation(0.0, 0.0, -0.1))];
        bodies.extend([(0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.0, -0.3)].map(|(x, y)| wall(x, y)));
        for i in 0..24 {
            let size = 0.045 + 0.015 * random(&mut seed);
            let points: Vec<Vec3> = (0..20).map(|_| random_vector(&mut seed) * size).collect();
            let turn = exp(&(random_vector(&mut seed) * 3.0));
            let at = Vec3::new(
                0.2 * f64::from(i % 2) - 0.1,
                0.2 * f64::from(i / 2 % 2) - 0.1,
                0.15 + 0.3 * f64::from(i / 4),
            );
            bodies.push(Body::new(
                vec![Convex::of_points(&points).unwrap()],
                300.0 * size.powi(3),
                Pose::from_parts(at.into(), turn),
            ));
        }
        let mut engine = engine(settings(period), bodies);
        let fallen = (0..engine.bodies().len())
            .map(|i| engine.mass_of(i).0 * 9.8 * engine.bodies()[i].centre.z.max(0.0))
            .skip(5)
            .sum::<f64>();
        let mut fastest = 0.0_f64;
        let ticks = (10.0 / period) as usize;
        for _ in 0..ticks {
            engine.tick(&[]);
            fastest = engine.bodies().iter().map(|b| b.velocity.norm()).fold(fastest, f64::max);
            assert!(!engine.flags().has(Flags::UNSOLVABLE) && !engine.flags().has(Flags::COARSE));
        }
        let inside = |p: &Vec3| p.x.abs() < 0.2 && p.y.abs() < 0.2 && p.z > 0.0 && p.z < 1.6;
        assert!(engine.bodies()[5..].iter().all(|b| inside(&b.centre)), "a body has left the box");
        // The most of a second, as it goes to and fro.
        let mut left = || {
            let one = (1.0 / period) as usize;
            (0..one).fold(0.0_f64, |most, _| {
                engine.tick(&[]);
                most.max(engine.energy()[0] / fallen)
            })
        };
        let before = left();
        for _ in 0..4 {
            left();
        }
        let after = left();
        println!(
            "period {period}: fastest {fastest:.2} m/s, {before:.1e} of the energy is left after 10 s, {after:.1e} after 15 s"
        );
        // They fall by at most 1.6 m.
        assert!(fastest < (2.0 * 9.8 * 1.7_f64).sqrt(), "{fastest}");
        // What still rocks after 10 s calms down: it is not kept going.
        assert!(
            before < 1e-7 && (after < 0.5 * before || after < 1e-15),
            "{before:e} of the energy after 10 s, {after:e} after 15 s"
        );
    }
}
