//! Elements against closed forms: constant strain and pure bending exactly, rigid motions without force, mass and inertia of a box, bad materials.

mod support;

use stiction::spatial::{Mat3, Vec3, join};
use stiction_fem::elastic::{
    ElasticError, ElasticModel, ElementOrder, Elements, Material, StiffnessFactor, best_rotation,
};
use stiction_fem::{StuffingSettings, TetMesh, stuff};
use support::{bar, region, unit, vector};

const CLIP: Material = Material { young: 700e6, poisson: 0.35, density: 950.0 };

fn model(mesh: &TetMesh, order: ElementOrder) -> ElasticModel {
    ElasticModel::new(Elements::new(mesh, order), CLIP).unwrap()
}

/// An ellipsoid with a slanting flat face: stuffing cuts it obliquely everywhere.
fn irregular() -> TetMesh {
    let slant = Vec3::new(0.48, 0.6, 0.64);
    let solid = |p: Vec3| (0.5 * (p.component_div(&Vec3::new(0.9, 0.6, 0.5)).norm() - 1.0)).max(slant.dot(&p) - 0.3);
    stuff(
        &region(&solid, Vec3::new(1.0, 0.7, 0.6)),
        &StuffingSettings { cell: Some(0.12), ..StuffingSettings::default() },
    )
    .unwrap()
    .mesh
}

/// Solves with displacements given on the surface, and returns those of all nodes.
fn with_given_surface(model: &ElasticModel, given: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    let nodes = model.elements().nodes();
    let outer = &model.elements().surface().nodes;
    let is_given = |node: usize| outer.binary_search(&(node as u32)).is_ok();
    let on_surface: Vec<Vec3> =
        (0..nodes.len()).map(|n| if is_given(n) { given(nodes[n]) } else { Vec3::zeros() }).collect();
    let mut right = vec![Vec3::zeros(); nodes.len()];
    model.stiffness_times(&on_surface, &mut right);
    right.iter_mut().for_each(|f| *f = -*f);
    let factor = StiffnessFactor::new(model, 1.0, 0.0, |freedom| is_given(freedom / 3)).unwrap();
    factor.solve(&mut right, &mut factor.memory(1));
    right.iter().zip(&on_surface).map(|(inner, outer)| inner + outer).collect()
}

fn worst(model: &ElasticModel, found: &[Vec3], exact: impl Fn(Vec3) -> Vec3) -> f64 {
    let nodes = model.elements().nodes();
    let size = nodes.iter().map(|p| exact(*p).norm()).fold(0.0, f64::max);
    found.iter().zip(nodes).map(|(u, p)| (u - exact(*p)).norm()).fold(0.0, f64::max) / size
}

#[test]
fn constant_strain_is_exact() {
    let slope = Mat3::new(1.0, -0.3, 0.2, 0.5, -0.7, 0.1, -0.4, 0.6, 0.3) * 1e-3;
    let exact = |p: Vec3| slope * p + Vec3::new(1e-4, 2e-4, -3e-4);
    let strain = 0.5 * (slope + slope.transpose());
    let (lambda, mu) = CLIP.lame();
    let stress = Mat3::from_diagonal_element(lambda * strain.trace()) + 2.0 * mu * strain;
    let mesh = irregular();
    for order in ElementOrder::ALL {
        let model = model(&mesh, order);
        let inner = model.elements().nodes().len() - model.elements().surface().nodes.len();
        assert!(inner > 100, "{inner} nodes inside");
        let found = with_given_surface(&model, exact);
        let error = worst(&model, &found, exact);
        println!("{}: {inner} nodes inside, error {error:.1e}", order.name());
        assert!(error < 1e-11, "{error:e}");
        for e in [0, model.elements().len() / 2, model.elements().len() - 1] {
            assert!((model.stress(e, &found) - stress).norm() < 1e-9 * stress.norm());
        }
    }
}

/// The displacements of pure bending are quadratic, and without force inside.
#[test]
fn pure_bending_is_exact_for_quadratic_elements_alone() {
    let nu = CLIP.poisson;
    let exact = |p: Vec3| {
        let bent = Vec3::new(p.x * p.z, -nu * p.y * p.z, -0.5 * p.x * p.x + 0.5 * nu * (p.y * p.y - p.z * p.z));
        1e-3 * bent
    };
    let mesh = irregular();
    let quadratic = model(&mesh, ElementOrder::Quadratic);
    let error = worst(&quadratic, &with_given_surface(&quadratic, exact), exact);
    let linear = model(&mesh, ElementOrder::Linear);
    let coarse = worst(&linear, &with_given_surface(&linear, exact), exact);
    println!("quadratic {error:.1e}, linear {coarse:.1e}");
    assert!(error < 1e-11, "{error:e}");
    assert!(coarse > 1e-4, "{coarse:e}");
}

#[test]
fn rigid_motions_need_no_force_and_stiffness_is_symmetric() {
    let mesh = irregular();
    let mut seed = 3;
    for order in ElementOrder::ALL {
        let model = model(&mesh, order);
        let n = model.elements().nodes().len();
        let times = |u: &[Vec3]| {
            let mut out = vec![Vec3::zeros(); n];
            model.stiffness_times(u, &mut out);
            out
        };
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let (u, v): (Vec<Vec3>, Vec<Vec3>) = (0..n).map(|_| (vector(&mut seed), vector(&mut seed))).unzip();
        let (ku, kv) = (times(&u), times(&v));
        let size = dot(&u, &ku);
        assert!(size > 0.0);
        assert!((dot(&u, &kv) - dot(&v, &ku)).abs() < 1e-12 * size);
        for _ in 0..5 {
            let motion = join(vector(&mut seed), vector(&mut seed));
            let rigid: Vec<Vec3> = (0..n).map(|node| model.rigid_motion(node, &motion)).collect();
            let force = times(&rigid);
            let largest = force.iter().map(Vec3::norm).fold(0.0, f64::max);
            let typical = ku.iter().map(Vec3::norm).fold(0.0, f64::max);
            assert!(largest < 1e-12 * typical, "{largest:e} of {typical:e}");
        }
    }
}

#[test]
fn mass_and_inertia_of_a_box_are_exact() {
    let size = Vec3::new(0.3, 0.2, 0.1);
    let (nodes, tetrahedra) = bar([3, 2, 2], size);
    let mesh = TetMesh::new(nodes, tetrahedra).unwrap();
    let mass = CLIP.density * size.x * size.y * size.z;
    let square = size.component_mul(&size);
    let inertia = mass / 12.0 * Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
    for order in ElementOrder::ALL {
        let model = model(&mesh, order);
        let rigid = model.rigid();
        assert!((rigid.mass / mass - 1.0).abs() < 1e-12);
        assert!((rigid.centre - 0.5 * size).norm() < 1e-13);
        assert!((rigid.inertia - Mat3::from_diagonal(&inertia)).norm() < 1e-12 * inertia.norm());
        // Mass of a velocity field that is quadratic: only quadratic elements have it exactly.
        let n = model.elements().nodes().len();
        let field: Vec<Vec3> = model.elements().nodes().iter().map(|p| Vec3::new(p.x * p.x, 0.0, 0.0)).collect();
        let mut product = vec![Vec3::zeros(); n];
        model.mass_times(&field, &mut product);
        let energy: f64 = field.iter().zip(&product).map(|(v, p)| v.dot(p)).sum();
        let exact = mass * size.x.powi(4) / 5.0;
        let error = (energy / exact - 1.0).abs();
        assert!(if order == ElementOrder::Quadratic { error < 1e-12 } else { error > 1e-3 }, "{error:e}");
    }
    let given = ElasticModel::with_total_mass(Elements::new(&mesh, ElementOrder::Linear), CLIP, 0.015).unwrap();
    assert!((given.rigid().mass - 0.015).abs() < 1e-15);
}

#[test]
fn the_best_rotation_is_found_from_anywhere_near() {
    let mut seed = 5;
    for _ in 0..500 {
        let true_turn = stiction::spatial::exp(&(1.5 * vector(&mut seed)));
        let stretch = Mat3::from_fn(|_, _| 0.2 * (unit(&mut seed) - 0.5));
        let stretch = Mat3::identity() + 0.5 * (stretch + stretch.transpose());
        let matrix = true_turn.to_rotation_matrix().into_inner() * stretch;
        let near = stiction::spatial::exp(&(0.3 * vector(&mut seed))) * true_turn;
        let found = best_rotation(&matrix, &near);
        assert!(found.angle_to(&true_turn) < 1e-7, "{}", found.angle_to(&true_turn));
    }
}

#[test]
fn bad_materials_are_refused() {
    let with = |young: f64, poisson: f64, density: f64| Material { young, poisson, density }.check();
    assert!(matches!(with(0.0, 0.3, 1.0), Err(ElasticError::NotPositive { .. })));
    assert!(matches!(with(f64::NAN, 0.3, 1.0), Err(ElasticError::NotPositive { .. })));
    assert!(matches!(with(1.0, 0.3, -1.0), Err(ElasticError::NotPositive { .. })));
    for poisson in [0.5, 0.499, 0.6, -1.0, f64::NAN] {
        let error = with(1.0, poisson, 1.0).unwrap_err();
        assert!(matches!(error, ElasticError::Poisson(_)));
    }
    assert!(with(1e6, 0.45, 1100.0).is_ok());
}
