//! Bodies whose deformation has inertia: free fall, momentum, energy, turned worlds, mass counted once, and steps without allocation.

mod support;

use stiction::spatial::{Pose, Vec3, exp};
use stiction_fem::TetMesh;
use stiction_fem::elastic::{
    DynamicBody, DynamicSettings, ElasticModel, ElementOrder, Elements, Material, StiffnessFactor,
};
use stiction_testing::alloc::{Counting, allocations_of};
use support::{bar, vector};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SOFT: Material = Material { young: 5e5, poisson: 0.35, density: 1100.0 };
const PERIOD: f64 = 1e-3;
const SETTINGS: DynamicSettings = DynamicSettings { period: PERIOD, mass_damping: 0.0, stiffness_damping: 0.0 };

fn model(order: ElementOrder) -> ElasticModel {
    let (nodes, tetrahedra) = bar([8, 2, 2], Vec3::new(0.08, 0.02, 0.02));
    ElasticModel::new(Elements::new(&TetMesh::new(nodes, tetrahedra).unwrap(), order), SOFT).unwrap()
}

fn body(order: ElementOrder, pose: &Pose) -> DynamicBody {
    DynamicBody::new(model(order), SETTINGS, pose).unwrap()
}

/// Forces of a uniform acceleration: M a.
fn weight(model: &ElasticModel, acceleration: Vec3) -> Vec<Vec3> {
    let n = model.elements().nodes().len();
    let mut force = vec![Vec3::zeros(); n];
    model.mass_times(&vec![acceleration; n], &mut force);
    force
}

fn tilted() -> Pose {
    Pose::from_parts(Vec3::new(0.3, -0.2, 0.5).into(), exp(&Vec3::new(0.4, -0.8, 0.3)))
}

#[test]
fn free_fall_is_that_of_the_integrator_and_bends_nothing() {
    let g = Vec3::new(0.0, 0.0, -9.81);
    for order in ElementOrder::ALL {
        let mut body = body(order, &tilted());
        let force = weight(body.model(), g);
        let start = body.centre();
        let steps = 300;
        (0..steps).for_each(|_| body.step(|node| force[node]));
        // Implicit Euler: v = n Δt g, x = Δt² g n (n+1)/2.
        let fallen = g * PERIOD * PERIOD * (steps * (steps + 1) / 2) as f64;
        assert!((body.centre() - start - fallen).norm() < 1e-9 * fallen.norm());
        let (momentum, turning) = body.momenta();
        let exact = body.model().rigid().mass * g * PERIOD * steps as f64;
        assert!((momentum - exact).norm() < 1e-9 * exact.norm());
        assert!((turning - body.centre().cross(&exact)).norm() < 1e-8 * exact.norm());
        let (kinetic, elastic) = body.energies();
        assert!(elastic < 1e-12 * kinetic, "{elastic:e} of {kinetic:e}");
    }
}

/// (30) as printed adds the compliance of the rigid body to C. With C from (27), which holds M/Δt², a load moves the body twice as far; C alone, or the rigid body alone, moves it once.
#[test]
fn mass_counts_once_and_twice_as_printed() {
    let model = model(ElementOrder::Linear);
    let n = model.elements().nodes().len();
    let mass = model.rigid().mass;
    let factor = StiffnessFactor::new(&model, 1.0, 1.0 / (PERIOD * PERIOD), |_| false).unwrap();
    let acceleration = Vec3::new(0.0, 0.0, -9.81);
    let mut moved = weight(&model, acceleration);
    factor.solve(&mut moved, &mut factor.memory(1));
    let exact = PERIOD * PERIOD * acceleration;
    let by_c = moved.iter().sum::<Vec3>() / n as f64;
    let by_rigid = PERIOD * PERIOD / mass * (mass * acceleration);
    let printed = by_c + by_rigid;
    println!(
        "C alone {:.6}, A alone {:.6}, (30) as printed {:.6} of free fall",
        by_c.z / exact.z,
        by_rigid.z / exact.z,
        printed.z / exact.z
    );
    assert!((by_c - exact).norm() < 1e-9 * exact.norm());
    assert!((printed - 2.0 * exact).norm() < 1e-9 * exact.norm());
}

#[test]
fn a_turned_world_has_turned_motion() {
    let turn = exp(&Vec3::new(1.1, -0.4, 0.7));
    let pose = Pose::from_parts((turn * Vec3::new(0.1, 0.2, 0.3)).into(), turn);
    let straight = Pose::translation(0.1, 0.2, 0.3);
    let (mut one, mut two) = (body(ElementOrder::Quadratic, &straight), body(ElementOrder::Quadratic, &pose));
    let last = one.positions().len() - 1;
    let load = Vec3::new(0.02, -0.03, 0.05);
    for _ in 0..100 {
        one.step(|node| if node == last { load } else { Vec3::zeros() });
        two.step(|node| if node == last { turn * load } else { Vec3::zeros() });
    }
    for (a, b) in one.positions().iter().zip(two.positions()) {
        assert!((turn * a - b).norm() < 1e-10);
    }
}

/// Nothing acts from outside: momentum stays, and the energy of a vibration never grows (implicit Euler takes some in every step).
#[test]
fn vibrations_keep_momentum_and_lose_energy() {
    for order in ElementOrder::ALL {
        let mut body = body(order, &tilted());
        let (pose, centre) = (tilted(), body.model().rigid().centre);
        let rest = body.model().elements().nodes().to_vec();
        body.set(|node| {
            let p = rest[node] - centre;
            let bent = Vec3::new(0.0, 0.0, 3.0 * p.x * p.x);
            (pose.rotation * (rest[node] + bent) + pose.translation.vector, Vec3::new(0.1, 0.0, 0.2))
        });
        let (before, _) = body.momenta();
        let mut last = f64::INFINITY;
        let first: f64 = body.energies().1;
        for step in 0..500 {
            body.step(|_| Vec3::zeros());
            let (kinetic, elastic) = body.energies();
            // Where the energy of the vibration is spent, that of the translation stays, but for rounding.
            assert!(
                kinetic + elastic < last * (1.0 + 1e-10),
                "{}: step {step}: {} after {last}",
                order.name(),
                kinetic + elastic
            );
            last = kinetic + elastic;
        }
        let (after, _) = body.momenta();
        let drift = (after - before).norm() / before.norm();
        println!("{}: momentum drifts by {drift:.1e} in 500 steps", order.name());
        // Rounding of the solutions, whose matrix has a condition number of about 1e6, times 500.
        assert!(drift < 1e-7, "{drift:e}");
        let (_, elastic) = body.energies();
        assert!(elastic < 0.05 * first, "{elastic:e} of {first:e}");
    }
}

/// A free spin keeps its angular momentum to second order: what implicit Euler takes (ω² Δt² per step: the velocity turns within a step) its elastic forces, which act at the new positions, give back.
#[test]
fn a_spin_keeps_its_angular_momentum() {
    for order in ElementOrder::ALL {
        let mut body = body(order, &Pose::identity());
        let centre = body.model().rigid().centre;
        let rest = body.model().elements().nodes().to_vec();
        let spin = Vec3::new(0.0, 0.0, 4.0);
        body.set(|node| (rest[node], spin.cross(&(rest[node] - centre))));
        let about_centre = |body: &DynamicBody| {
            let (momentum, turning) = body.momenta();
            turning - body.centre().cross(&momentum)
        };
        let before = about_centre(&body);
        (0..250).for_each(|_| body.step(|_| Vec3::zeros()));
        let lost = 1.0 - about_centre(&body).norm() / before.norm();
        let turned = body.rotation().angle();
        println!("{}: lost {lost:.1e} of the angular momentum, turned {turned:.6} rad of 1", order.name());
        assert!(lost.abs() < 1e-6, "{lost:e}");
        assert!((turned - 1.0).abs() < 1e-3, "{turned}");
    }
}

#[test]
fn a_step_allocates_nothing() {
    let mut seed = 1;
    let mut body = body(ElementOrder::Quadratic, &tilted());
    let load = vector(&mut seed);
    assert_eq!(
        allocations_of(|| (0..3).for_each(|_| body.step(|node| if node == 5 { load } else { Vec3::zeros() }))),
        0
    );
}
