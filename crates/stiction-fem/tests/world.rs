//! Whole steps: bodies that rest, slide, stick and fall, what a missed detection does, and that the order of bodies does not matter.

mod support;

use std::sync::Arc;
use stiction::columns::Row;
use stiction::simulation::{HandInput, Simulation};
use stiction::spatial::{Pose, Vec3, Vec6, join};
use stiction_fem::condensed::{Compliance, ComplianceOf, MOST_BYTES};
use stiction_fem::contact::CollisionSurface;
use stiction_fem::elastic::{ElasticModel, ElementOrder, Elements, Material, RigidMass};
use stiction_fem::world::{BodyKind, DeformableWorld, GripCoupling, HandMotion, WorldBody, WorldSettings};
use stiction_fem::{BoundarySurface, DeformableEngine, DeformableTick, TetMesh};
use stiction_testing::alloc::{Counting, allocations_of};
use support::bar;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RUBBER: Material = Material { young: 2e6, poisson: 0.45, density: 1100.0 };
const G: f64 = 9.81;

fn block(cubes: [usize; 3], size: Vec3) -> TetMesh {
    let (nodes, tetrahedra) = bar(cubes, size);
    TetMesh::new(nodes.iter().map(|p| p - 0.5 * size).collect(), tetrahedra).unwrap()
}

fn collision(mesh: &TetMesh, place: impl Fn(u32) -> u32) -> CollisionSurface {
    let surface = BoundarySurface::of(mesh);
    let rest = surface.nodes.iter().map(|&n| mesh.nodes()[n as usize]).collect();
    CollisionSurface::new(rest, &surface.triangles, surface.nodes.iter().map(|&n| place(n)).collect())
}

/// A cube of 20 mm that deforms, or does not.
fn cube(deforms: bool, pose: Pose) -> WorldBody {
    let mesh = block([3, 3, 3], Vec3::repeat(0.02));
    let model = ElasticModel::new(Elements::new(&mesh, ElementOrder::Quadratic), RUBBER).unwrap();
    if !deforms {
        return WorldBody { surface: collision(&mesh, |n| n), kind: BodyKind::Rigid(*model.rigid()), pose };
    }
    let touching = BoundarySurface::of(&mesh).nodes;
    let compliance = Compliance::new(&model, &ComplianceOf::Free, &touching, MOST_BYTES).unwrap();
    let surface = collision(&mesh, |n| compliance.place_of(n).unwrap() as u32);
    WorldBody { surface, kind: BodyKind::Deformable(Arc::new(compliance)), pose }
}

/// A plate whose upper face is at z = 0.
fn plate() -> WorldBody {
    let mesh = block([7, 7, 1], Vec3::new(0.3, 0.3, 0.02));
    WorldBody { surface: collision(&mesh, |n| n), kind: BodyKind::Fixed, pose: Pose::translation(0.0, 0.0, -0.01) }
}

fn settings(friction: f64) -> WorldSettings {
    WorldSettings {
        period: 1e-3,
        gravity: Vec3::new(0.0, 0.0, -G),
        reach: 2e-3,
        capacity: 60,
        friction,
        relaxation: 3e-3,
        recovery: 0.1,
        solver: Default::default(),
    }
}

fn mass(world: &DeformableWorld, body: usize) -> RigidMass {
    world.state(body).mass
}

fn lift(world: &DeformableWorld) -> Vec3 {
    world
        .contacts()
        .map(|(c, f)| c.contact.frame.transpose() * f * if c.contact.sides[0].body == 0 { 1.0 } else { -1.0 })
        .sum()
}

#[test]
fn a_cube_rests_and_the_plate_carries_its_weight() {
    for deforms in [false, true] {
        let start = Pose::translation(0.003, -0.002, 0.0105);
        let mut world = DeformableWorld::new(settings(0.3), vec![cube(deforms, start), plate()], &[]).unwrap();
        (0..600).for_each(|_| world.step(&[]));
        let weight = mass(&world, 0).mass * G;
        let force = lift(&world);
        let report = *world.report();
        println!("deforms {deforms}: {report:?}, force {force:?} of {weight:.6}");
        assert!(report.solved);
        assert!((force.z / weight - 1.0).abs() < 1e-3, "{force:?} {weight}");
        assert!(force.xy().norm() < 1e-3 * weight);
        assert!(report.depth < 1e-7, "{}", report.depth);
        assert!(world.kinetic_energy() < 1e-9);
        let squeezed = 0.01 - world.state(0).frame.centre.z;
        assert!((-1e-9..1e-4).contains(&squeezed), "{squeezed:e}");
        assert!(if deforms { squeezed > 1e-7 } else { squeezed.abs() < 1e-9 }, "{squeezed:e}");
    }
}

#[test]
fn a_sliding_cube_stops_where_coulomb_says() {
    for deforms in [false, true] {
        let (speed, mu) = (0.4, 0.3);
        let mut world =
            DeformableWorld::new(settings(mu), vec![cube(deforms, Pose::translation(-0.04, 0.0, 0.01)), plate()], &[])
                .unwrap();
        (0..50).for_each(|_| world.step(&[]));
        let start = world.state(0).frame.centre;
        world.state_mut(0).set_twist(&join(Vec3::new(speed, 0.0, 0.0), Vec3::zeros()));
        (0..400).for_each(|_| world.step(&[]));
        let slid = world.state(0).frame.centre - start;
        let law = speed * speed / (2.0 * mu * G);
        println!("deforms {deforms}: slid {:.5} m, law {law:.5} m", slid.x);
        assert!((slid.x / law - 1.0).abs() < 0.02, "{slid:?} {law}");
        assert!(slid.y.abs() < 0.01 * law && world.kinetic_energy() < 1e-8);
    }
}

#[test]
fn a_cube_that_sticks_does_not_creep() {
    let grip = GripCoupling { body: 0, stiffness: 500.0, damping: 2.0, angular_stiffness: 0.5, angular_damping: 1e-3 };
    let mut world =
        DeformableWorld::new(settings(0.5), vec![cube(true, Pose::translation(0.0, 0.0, 0.01)), plate()], &[grip])
            .unwrap();
    let weight = mass(&world, 0).mass * G;
    // Pressed down by 1 N and drawn aside by less than friction holds.
    let goal = |aside: f64| HandMotion {
        pose: Pose::translation(aside / 500.0, 0.0, 0.01 - 1.0 / 500.0),
        twist: Vec6::zeros(),
        load: Vec6::zeros(),
    };
    for step in 0..300 {
        world.step(&[goal(0.3 * f64::from(step.min(200)) / 200.0)]);
    }
    let before = world.state(0).frame.centre;
    (0..1000).for_each(|_| world.step(&[goal(0.3)]));
    let drift = (world.state(0).frame.centre - before).norm();
    println!("drift {drift:.1e} m in a second, weight {weight:.3} N, {:?}", world.report());
    assert!(drift < 1e-9, "{drift:e}");
    assert!(world.grip_wrench(0)[0] > 0.25);
}

/// A fall and an impact: mechanical energy never exceeds what it began with.
#[test]
fn an_impact_makes_no_energy() {
    let tilted = Pose::from_parts(Vec3::new(0.0, 0.0, 0.03).into(), stiction::spatial::exp(&Vec3::new(0.3, 0.5, 0.1)));
    for deforms in [false, true] {
        let mut world = DeformableWorld::new(settings(0.4), vec![cube(deforms, tilted), plate()], &[]).unwrap();
        let heavy = mass(&world, 0).mass;
        let first = heavy * G * world.state(0).frame.centre.z;
        let mut most = 0.0f64;
        for _ in 0..800 {
            world.step(&[]);
            most = most.max(world.kinetic_energy() + heavy * G * world.state(0).frame.centre.z);
        }
        println!("deforms {deforms}: at most {:.6} of the energy at the start, {:?}", most / first, world.report());
        assert!(most < first * 1.001, "{most} {first}");
        assert!(world.state(0).frame.centre.z > 0.0099 && world.state(0).frame.centre.z < 0.02);
    }
}

/// Section 3.2: contacts that detection missed for some steps are found again, and the overlap goes.
#[test]
fn a_missed_detection_is_made_good() {
    let grip = GripCoupling { body: 0, stiffness: 500.0, damping: 2.0, angular_stiffness: 0.5, angular_damping: 1e-3 };
    let mut world =
        DeformableWorld::new(settings(0.5), vec![cube(true, Pose::translation(0.0, 0.0, 0.01)), plate()], &[grip])
            .unwrap();
    let hand = [HandMotion { pose: Pose::translation(0.0, 0.0, 0.008), twist: Vec6::zeros(), load: Vec6::zeros() }];
    (0..200).for_each(|_| world.step(&hand));
    (0..5).for_each(|_| world.step_with(&hand, false));
    world.step(&hand);
    let deep = world.report().depth;
    let (mut steps, mut fastest) = (0, 0.0f64);
    while world.report().depth > 1e-6 && steps < 100 {
        world.step(&hand);
        steps += 1;
        fastest = fastest.max(world.state(0).twist().norm());
    }
    (0..300).for_each(|_| world.step(&hand));
    println!("{deep:.1e} m deep after five steps without detection, made good in {steps} steps; fastest {fastest:.3}");
    // Taken back at 0.1 m/s.
    assert!(deep > 1e-5 && steps < 15 && fastest < 0.2, "{deep:e} {steps} {fastest}");
    assert!(world.report().depth < 1e-7 && world.kinetic_energy() < 1e-9);
}

#[test]
fn motion_does_not_depend_on_the_order_of_bodies() {
    let tilted = Pose::from_parts(Vec3::new(0.0, 0.0, 0.016).into(), stiction::spatial::exp(&Vec3::new(0.1, 0.2, 0.1)));
    let run = |swapped: bool| {
        let mut bodies = vec![cube(true, tilted), plate()];
        if swapped {
            bodies.reverse();
        }
        let mut tight = settings(0.4);
        tight.solver.sweeps.limits.tolerance = 1e-10;
        let mut world = DeformableWorld::new(tight, bodies, &[]).unwrap();
        (0..60).for_each(|_| world.step(&[]));
        world.state(usize::from(swapped)).frame.centre
    };
    let (one, two) = (run(false), run(true));
    assert!((one - two).norm() < 1e-6, "{one} {two}");
}

#[test]
fn steps_allocate_nothing_and_repeat_to_the_bit() {
    let world = || {
        let bodies = vec![cube(true, Pose::translation(0.0, 0.0, 0.0101)), plate()];
        DeformableWorld::new(settings(0.4), bodies, &[]).unwrap()
    };
    let (mut one, mut two) = (world(), world());
    assert_eq!(allocations_of(|| (0..30).for_each(|_| one.step(&[]))), 0);
    assert!(one.report().contacts > 0);
    (0..30).for_each(|_| two.step(&[]));
    assert_eq!(one.vertices(0), two.vertices(0));
}

/// Behind the seam: hands with the wrench that they feel, rows that read back, forks that go on alike, and no allocation.
#[test]
fn the_engine_keeps_the_contract_of_the_seam() {
    let grip = GripCoupling { body: 0, stiffness: 500.0, damping: 2.0, angular_stiffness: 0.5, angular_damping: 1e-3 };
    let bodies = vec![cube(true, Pose::translation(0.0, 0.0, 0.0101)), plate()];
    let mut engine = DeformableEngine::new(DeformableWorld::new(settings(0.4), bodies, &[grip]).unwrap());
    let hand = [HandInput::at(Pose::translation(0.0, 0.0, 0.006))];
    (0..300).for_each(|_| engine.tick(&hand, 1e-3));
    let mut fork = engine.fork();
    assert_eq!(allocations_of(|| (0..10).for_each(|_| engine.tick(&hand, 1e-3))), 0);
    (0..10).for_each(|_| fork.tick(&hand, 1e-3));
    assert_eq!(fork.surface(0), engine.surface(0));
    assert!(engine.surface(1).is_none() && engine.hand_count() == 1 && engine.body_count() == 2);
    // 500 N/m over 4 mm press; the hand is pushed back, up.
    let felt = engine.hand(0).wrench;
    assert!((felt[2] - 2.0).abs() < 0.05, "{felt}");
    let mut row = Row::default();
    engine.record(0, &mut row);
    assert_eq!(row.words().len(), engine.columns().len());
    assert_eq!(DeformableTick::take(&row).unwrap(), *engine.last(0));
    let (mut count, mut sum) = (0, 0.0);
    engine.contacts(0, &mut |c| {
        count += 1;
        sum += c.normal_force * c.normal.z;
    });
    assert!(count >= 16 && (sum - 2.0).abs() < 0.2, "{count} {sum}");
    engine.tick(&[HandInput::unknown()], 1e-3);
    assert!(engine.hand(0).flags.0 & stiction::trace::Flags::BAD_HAND.0 != 0);
    assert!(engine.place(0, &Pose::translation(0.0, 0.0, 0.1)));
    assert!(!engine.place(0, &Pose::translation(f64::NAN, 0.0, 0.1)));
    engine.tick(&[HandInput::at(Pose::translation(0.0, 0.0, 0.1))], 1e-3);
    assert_eq!(engine.hand(0).contacts, 0);
}

#[test]
fn bad_worlds_are_refused_and_bad_hands_do_nothing() {
    let bodies = || vec![cube(false, Pose::translation(0.0, 0.0, 0.02)), plate()];
    let grip = GripCoupling { body: 1, stiffness: 1.0, damping: 0.0, angular_stiffness: 0.0, angular_damping: 0.0 };
    assert!(DeformableWorld::new(settings(0.4), bodies(), &[grip]).is_err());
    assert!(DeformableWorld::new(settings(-0.1), bodies(), &[]).is_err());
    assert!(DeformableWorld::new(WorldSettings { period: 0.0, ..settings(0.1) }, bodies(), &[]).is_err());
    let held = GripCoupling { body: 0, stiffness: 1e3, damping: 1.0, angular_stiffness: 1.0, angular_damping: 0.1 };
    let mut world = DeformableWorld::new(settings(0.4), bodies(), &[held]).unwrap();
    let nowhere = HandMotion { pose: Pose::translation(f64::NAN, 0.0, 0.0), twist: Vec6::zeros(), load: Vec6::zeros() };
    (0..20).for_each(|_| world.step(&[nowhere]));
    assert!(world.vertices(0).iter().all(|p| p.iter().all(|x| x.is_finite())));
    assert_eq!(world.grip_wrench(0), Vec6::zeros());
}
