//! Trials.
mod support;
use std::time::Instant;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction_volume::*;
use support::*;

#[test]
fn drop() {
    for method in [ContactMethod::Volume, ContactMethod::Point] {
        for tilt in [0.05, 0.1, 0.15] {
            let contact = ContactCoefficients {
                normal_stiffness: Some(1500.0),
                normal_damping: Some(1.5),
                ..ContactCoefficients::default()
            };
            let cube = Body::new(
                vec![cuboid([2.0; 3])],
                1.0,
                Pose::from_parts(Vec3::new(0., 0., 2.1).into(), stiction::spatial::exp(&Vec3::new(0., tilt, 0.))),
            );
            let mut e = engine(VolumeSettings { contact, method, ..settings(1e-2) }, vec![floor(50.0), cube]);
            let mut most = [0.0f64; 3];
            for i in 0..4000 {
                e.tick(&[]);
                let s = &e.bodies()[1];
                let l = s.spin.y * 2.0 / 3.0;
                if (1800..2000).contains(&i) {
                    most[0] = most[0].max(l.abs());
                }
                if i >= 3800 {
                    most[1] = most[1].max(l.abs());
                }
            }
            println!(
                "drop {method:?} {tilt} Ly 18-20 {:e} 38-40 {:e} z {} e {:?}",
                most[0],
                most[1],
                e.bodies()[1].centre.z,
                e.energy()
            );
        }
    }
}
#[test]
fn stick() {
    for (h, zeta) in [(1e-3, 0.0), (1e-3, 0.02)] {
        let contact = ContactCoefficients { mu_static: 0.265, mu_kinetic: 0.160, ..ContactCoefficients::default() };
        let w = Body::new(vec![cuboid([0.1, 0.1, 0.05])], 2.0, Pose::translation(0.0, 0.0, 0.025));
        let mut s = VolumeSettings { contact, ..settings(h) };
        s.coupling =
            stiction::coupling::Coupling { stiffness: 400.0, torsion: 50.0, max_force: 1000.0, max_torque: 100.0 };
        s.grip_damping = zeta;
        let mut e = held(s, vec![floor(8.0), w], VolumeHand { holds: Some(1), grip: Grip::Spring });
        let mut t = vec![];
        let (mut lo, mut hi) = (1e9f64, 0f64);
        let mut stuck = true;
        let mut slips = vec![];
        for i in 0..6000 {
            let time = i as f64 * h;
            e.tick(&[HandInput {
                twist: Vec6::new(0.0642, 0., 0., 0., 0., 0.),
                ..HandInput::at(Pose::translation(0.0642 * time, 0.0, 0.025))
            }]);
            let tension = -e.last(0).hand.wrench[0].min(0.0);
            t.push(tension);
            let v = e.bodies()[1].velocity.x;
            if stuck && v > 0.02 {
                slips.push(time);
                stuck = false;
            }
            if !stuck && v < 0.002 {
                stuck = true;
            }
            if time > 2.0 {
                lo = lo.min(tension);
                hi = hi.max(tension);
            }
        }
        println!(
            "stick h {h} zeta {zeta} tension {lo} {hi} periods {:?}",
            slips.windows(2).map(|w| w[1] - w[0]).collect::<Vec<_>>()
        );
    }
}
fn wall(rows: &[usize], h: f64, gap: f64) -> Vec<Body> {
    let mut b = vec![floor(80.0)];
    for (r, n) in rows.iter().enumerate() {
        for i in 0..*n {
            b.push(Body::new(
                vec![cuboid([2.0, 1.0, 1.0])],
                1.0,
                Pose::translation((i as f64 - 0.5 * (*n as f64 - 1.0)) * (2.0 + gap), 0.0, 0.5 + r as f64),
            ));
        }
    }
    let _ = h;
    b
}
#[test]
fn stack() {
    for method in [ContactMethod::Volume, ContactMethod::Point] {
        for (name, rows, h) in [
            ("3", vec![2, 1], 5e-3),
            ("6", vec![3, 2, 1], 5e-3),
            ("13", vec![5, 4, 3, 1], 5e-3),
            ("55", (1..=10).rev().collect(), 5e-3),
            ("col5", vec![1; 5], 5e-3),
            ("col8", vec![1; 8], 5e-3),
            ("col10", vec![1; 10], 1e-3),
            ("100 1kHz", vec![10; 10], 1e-3),
            ("100 5ms", vec![10; 10], 5e-3),
        ] {
            let b = wall(&rows, h, 0.2);
            let n = b.len();
            let mut e = engine(VolumeSettings { method, ..settings(h) }, b);
            let steps = (5.0 / h) as usize;
            let t = Instant::now();
            let mut pairs = 0;
            for _ in 0..steps {
                e.tick(&[]);
                pairs = pairs.max(e.contacts().len());
            }
            let per = t.elapsed().as_secs_f64() / steps as f64 * 1e6;
            let mut worst = 0f64;
            let mut k = 1;
            for (r, c) in rows.iter().enumerate() {
                for i in 0..*c {
                    let want = Vec3::new((i as f64 - 0.5 * (*c as f64 - 1.0)) * 2.2, 0., 0.5 + r as f64);
                    worst = worst.max((e.bodies()[k].centre - want).norm());
                    k += 1;
                }
            }
            let v = e.bodies().iter().map(|b| b.velocity.norm()).fold(0.0, f64::max);
            println!(
                "stack {method:?} {name} n {n} us/step {per:.1} us/contact {:.2} worst {worst:.4} v {v:e} pairs {pairs}",
                per / pairs as f64
            );
        }
    }
}
#[test]
fn pinch() {
    use std::f64::consts::TAU;
    let pts: Vec<Vec3> = (0..24)
        .flat_map(|i| {
            let a = TAU * i as f64 / 24.;
            (-4..=4).map(move |j| {
                let b = j as f64 / 4.0 * TAU / 4.0 * 0.98;
                let z = if j < 0 { -0.03 } else { 0.03 };
                Vec3::new(0.01 * a.cos() * b.cos(), 0.01 * a.sin() * b.cos(), z + 0.01 * b.sin())
            })
        })
        .collect();
    let cap = Convex::of_points(&pts).unwrap();
    for h in [1e-3, 2e-3] {
        let jaw = |x: f64| Body::fixed(vec![cuboid([0.02, 0.04, 0.04])], Pose::translation(x, 0., 0.));
        let squeeze = 2e-3;
        let b = vec![
            jaw(-0.02 + squeeze),
            jaw(0.02 - squeeze),
            Body::new(
                vec![cap.clone()],
                0.05,
                Pose::from_parts(Vec3::zeros().into(), stiction::spatial::exp(&Vec3::new(0.0, 0.0, 0.1))),
            ),
        ];
        let contact = ContactCoefficients { mu_static: 1.0, mu_kinetic: 1.0, ..ContactCoefficients::default() };
        let mut e = engine(VolumeSettings { contact, ..settings(h) }, b);
        for s in 0..10 {
            let z = e.bodies()[2].centre;
            run(&mut e, 1.0);
            println!(
                "pinch {h} {s} dz {:e} m/s v {:e} N {:?} z {:e}",
                (e.bodies()[2].centre - z).norm(),
                e.bodies()[2].velocity.norm(),
                e.contacts().iter().map(|c| (c.normal_force, c.state, c.moments.area)).collect::<Vec<_>>(),
                e.bodies()[2].centre.z
            );
        }
    }
}

#[test]
fn top() {
    // a cone-like top: disc and tip
    use std::f64::consts::TAU;
    for method in [ContactMethod::Volume, ContactMethod::Point] {
        let ring = |r: f64, z: f64| {
            (0..24).map(move |i| {
                let a = TAU * i as f64 / 24.;
                Vec3::new(r * a.cos(), r * a.sin(), z)
            })
        };
        let pts: Vec<Vec3> = ring(0.002, 0.0).chain(ring(0.03, 0.03)).chain(ring(0.03, 0.04)).collect();
        let stem: Vec<Vec3> = ring(0.004, 0.04).chain(ring(0.004, 0.07)).collect();
        let body = Body {
            twist: Vec6::new(0., 0., 0., 0., 0., 150.),
            ..Body::new(
                vec![Convex::of_points(&pts).unwrap(), Convex::of_points(&stem).unwrap()],
                0.05,
                Pose::from_parts(Vec3::new(0., 0., 0.002).into(), stiction::spatial::exp(&Vec3::new(0.1, 0.0, 0.0))),
            )
        };
        let contact = ContactCoefficients { mu_static: 0.3, mu_kinetic: 0.25, ..ContactCoefficients::default() };
        let mut e = engine(VolumeSettings { contact, method, ..settings(1e-3) }, vec![floor(4.0), body]);
        for s in 0..40 {
            run(&mut e, 1.0);
            let b = &e.bodies()[1];
            if s % 3 == 0 {
                println!(
                    "top {method:?} {s} z {:.4} xy {:?} v {:.2e} w {:.3e} tilt {:.3} c {}",
                    b.centre.z,
                    b.centre.xy(),
                    b.velocity.norm(),
                    b.spin.norm(),
                    (b.pose.rotation * Vec3::z()).z.acos(),
                    e.contacts().len()
                );
            }
        }
    }
}

#[test]
fn chain() {
    for n in [1, 2, 3, 5] {
        let mut bodies = vec![Body::fixed(vec![cuboid([0.05; 3])], Pose::identity())];
        let mut joints = Vec::new();
        let j = |bodies, z: f64| Joint {
            bodies,
            at: Vec3::new(0., 0., z),
            kind: JointKind::Ball,
            stiffness: None,
            limits: None,
            drive: None,
            collide: false,
        };
        for i in 0..n {
            bodies.push(Body::new(
                vec![cuboid([0.005, 0.005, 0.02])],
                1e-3,
                Pose::translation(0.0, 0.0, -0.02 * i as f64 - 0.01),
            ));
            joints.push(j([i, i + 1], -0.02 * i as f64));
        }
        let z = -0.02 * n as f64;
        bodies.push(Body::new(vec![cuboid([0.1; 3])], 1.0, Pose::translation(0.0, 0.0, z - 0.05)));
        joints.push(j([n, n + 1], z));
        let mut e = VolumeEngine::new(settings(1e-3), bodies, joints, vec![]).unwrap();
        for s in 0..3 {
            run(&mut e, 1.0);
            println!(
                "chain {n} {s} {:?} v {:e} {:?}",
                e.bodies().iter().map(|b| b.centre.z).collect::<Vec<_>>(),
                e.bodies()[n + 1].velocity.norm(),
                e.contacts().iter().map(|c| c.bodies).collect::<Vec<_>>()
            );
        }
    }
}
#[test]
fn deep() {
    for z in [0.03, 0.04, 0.049] {
        let e = VolumeEngine::new(
            settings(1e-3),
            vec![floor(1.0), Body::new(vec![cuboid([0.1; 3])], 0.5, Pose::translation(0.0, 0.0, z))],
            vec![],
            vec![],
        );
        match e {
            Err(x) => println!("deep {z} {x}"),
            Ok(mut e) => {
                e.tick(&[]);
                println!(
                    "deep {z} {:?}",
                    e.contacts().iter().map(|c| (c.depth, c.axes.n, c.moments)).collect::<Vec<_>>()
                );
            }
        }
    }
    for f in [0.25, 0.5, 0.999] {
        let contact = ContactCoefficients {
            normal_stiffness: Some(1e9),
            normal_damping: Some(5.0),
            ..ContactCoefficients::default()
        };
        let b = || {
            vec![
                floor(1.0),
                Body::new(vec![cuboid([0.1; 3])], 0.5, Pose::translation(0.0, 0.0, 0.06)),
                Body::new(vec![cuboid([0.1; 3])], 0.5, Pose::translation(0.0, 0.0, 0.17)),
            ]
        };
        let Err(VolumeError::Unstable { most, .. }) =
            VolumeEngine::new(VolumeSettings { contact, ..settings(1e-3) }, b(), vec![], vec![])
        else {
            panic!()
        };
        let contact = ContactCoefficients { normal_stiffness: Some(most * f), ..contact };
        let mut e = VolumeEngine::new(VolumeSettings { contact, ..settings(1e-3) }, b(), vec![], vec![]).unwrap();
        for s in 0..6 {
            run(&mut e, 0.5);
            println!(
                "deep k {} {s} {:?} {:?} v {:?} w {:?}",
                most * f,
                e.bodies()[1].centre,
                e.bodies()[2].centre,
                e.bodies()[2].velocity,
                e.bodies()[2].spin
            );
        }
    }
}

#[test]
fn calm() {
    for (name, rows, h) in [
        ("13", vec![5, 4, 3, 1], 5e-3),
        ("55", (1..=10).rev().collect::<Vec<usize>>(), 5e-3),
        ("col5", vec![1; 5], 5e-3),
        ("col7", vec![1; 7], 5e-3),
        ("55", (1..=10).rev().collect(), 1e-3),
    ] {
        let mut e = engine(settings(h), wall(&rows, h, 0.2));
        let mut out = vec![];
        for _ in 0..12 {
            run(&mut e, 2.0);
            let v = e.bodies().iter().map(|b| b.velocity.norm()).fold(0.0, f64::max);
            out.push(format!("{v:.1e}"));
        }
        println!(
            "calm {name} {h} {out:?} slides {}",
            e.contacts().iter().filter(|c| c.state == FrictionState::Dynamic).count()
        );
    }
}
