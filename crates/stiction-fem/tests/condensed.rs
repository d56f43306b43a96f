//! Condensed compliance and W against the whole model: finite differences, a bordered dense system, bodies of all nodes; symmetric to the bit, positive semidefinite, and made without allocation.

mod support;

use nalgebra::{DMatrix, DVector};
use stiction::spatial::{Frame, Mat3, Pose, Vec3, exp, halves, join};
use stiction_fem::TetMesh;
use stiction_fem::condensed::{
    BodyResponse, Compliance, ComplianceOf, ContactPoint, DelassusAssembly, MOST_BYTES, RigidState, Side,
};
use stiction_fem::elastic::{
    DynamicBody, DynamicSettings, ElasticError, ElasticModel, ElementOrder, Elements, Material, StiffnessFactor,
};
use stiction_testing::alloc::{Counting, allocations_of};
use stiction_testing::splitmix64;
use support::{bar, unit, vector};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CLIP: Material = Material { young: 700e6, poisson: 0.35, density: 950.0 };
const PERIOD: f64 = 1e-3;

fn model(order: ElementOrder) -> ElasticModel {
    let (nodes, tetrahedra) = bar([5, 2, 1], Vec3::new(0.03, 0.01, 0.004));
    ElasticModel::new(Elements::new(&TetMesh::new(nodes, tetrahedra).unwrap(), order), CLIP).unwrap()
}

/// The nodes at the start of the bar.
fn grip(model: &ElasticModel) -> Vec<u32> {
    let nodes = model.elements().nodes();
    (0..nodes.len() as u32).filter(|&n| nodes[n as usize].x < 1e-9).collect()
}

fn surface_compliance(model: &ElasticModel, of: &ComplianceOf) -> Compliance {
    Compliance::new(model, of, &model.elements().surface().nodes, MOST_BYTES).unwrap()
}

/// A body of the tests: a model, its compliance, its motion.
struct Part {
    model: ElasticModel,
    compliance: Compliance,
    state: RigidState,
    of: ComplianceOf,
}

impl Part {
    fn new(order: ElementOrder, held: bool, pose: Pose) -> Part {
        let model = model(order);
        let of = if held { ComplianceOf::Held(grip(&model)) } else { ComplianceOf::Free };
        let compliance = surface_compliance(&model, &of);
        let state = RigidState::at_rest(*model.rigid(), &pose);
        Part { model, compliance, state, of }
    }

    fn response(&self) -> BodyResponse<'_> {
        BodyResponse {
            rotation: self.state.frame.rotation,
            centre: self.state.frame.centre,
            inverse_mass: 1.0 / self.state.mass.mass,
            inverse_inertia: self.state.inverse_inertia(),
            compliance: Some(&self.compliance),
            share: 1.0,
        }
    }

    /// A random point of the surface.
    fn side(&self, body: usize, seed: &mut u64) -> Side {
        let surface = self.model.elements().surface();
        let triangle = surface.triangles[splitmix64(seed) as usize % surface.triangles.len()];
        let (a, b) = (unit(seed), unit(seed));
        let (a, b) = if a + b > 1.0 { (1.0 - a, 1.0 - b) } else { (a, b) };
        let weights = [1.0 - a - b, a, b];
        let local: Vec3 = (0..3)
            .map(|k| weights[k] * self.model.elements().nodes()[surface.nodes[triangle[k] as usize] as usize])
            .sum();
        let pose = self.state.pose();
        let nodes = triangle.map(|v| self.compliance.place_of(surface.nodes[v as usize]).unwrap() as u32);
        Side { body, point: pose.rotation * local + pose.translation.vector, nodes, weights }
    }

    /// Where the point of a contact goes in a step by a force on another one: the whole model, every node, and the rigid body stepped.
    fn moves(&self, seen: &Side, pushed: &Side, force: &Vec3) -> Vec3 {
        let mut pushed_state = self.state;
        let arm = pushed.point - self.state.frame.centre;
        pushed_state.push(&(join(*force, arm.cross(force)) * PERIOD));
        pushed_state.advance(PERIOD);
        let material = |frame: &Frame| {
            let local = self.state.frame.rotation.inverse() * (seen.point - self.state.frame.centre);
            frame.rotation * local + frame.centre
        };
        let mut still = self.state;
        still.advance(PERIOD);
        let rigid = material(&pushed_state.frame) - material(&still.frame);
        // All nodes.
        let turn = self.state.frame.rotation;
        let mut u = vec![Vec3::zeros(); self.model.elements().nodes().len()];
        for k in 0..3 {
            u[self.compliance.nodes()[pushed.nodes[k] as usize] as usize] +=
                pushed.weights[k] * (turn.inverse() * force);
        }
        let solved = match &self.of {
            ComplianceOf::Held(held) => {
                let factor =
                    StiffnessFactor::new(&self.model, 1.0, 0.0, |freedom| held.contains(&((freedom / 3) as u32)))
                        .unwrap();
                factor.solve(&mut u, &mut factor.memory(1));
                u
            }
            _ => bordered(&self.model, &u),
        };
        let bent: Vec3 =
            (0..3).map(|k| seen.weights[k] * solved[self.compliance.nodes()[seen.nodes[k] as usize] as usize]).sum();
        rigid + turn * bent
    }
}

/// K u + M Φ a = f with Φᵀ M u = 0, as one dense system: no choice of held freedoms.
fn bordered(model: &ElasticModel, force: &[Vec3]) -> Vec<Vec3> {
    let n = force.len();
    let mut system = DMatrix::zeros(3 * n + 6, 3 * n + 6);
    let mut product = vec![Vec3::zeros(); n];
    for column in 0..3 * n {
        let mut u = vec![Vec3::zeros(); n];
        u[column / 3][column % 3] = 1.0;
        model.stiffness_times(&u, &mut product);
        for row in 0..3 * n {
            system[(row, column)] = product[row / 3][row % 3];
        }
    }
    // Scaled, so that the border is of the size of K.
    let scale = system.amax() / model.rigid().mass * n as f64;
    for k in 0..6 {
        let motion =
            if k < 3 { join(Vec3::ith(k, 1.0), Vec3::zeros()) } else { join(Vec3::zeros(), Vec3::ith(k - 3, 100.0)) };
        let rigid: Vec<Vec3> = (0..n).map(|node| model.rigid_motion(node, &motion)).collect();
        model.mass_times(&rigid, &mut product);
        for row in 0..3 * n {
            system[(row, 3 * n + k)] = scale * product[row / 3][row % 3];
            system[(3 * n + k, row)] = scale * product[row / 3][row % 3];
        }
    }
    let mut right = DVector::zeros(3 * n + 6);
    (0..3 * n).for_each(|row| right[row] = force[row / 3][row % 3]);
    let solution = system.lu().solve(&right).unwrap();
    (0..n).map(|node| Vec3::new(solution[3 * node], solution[3 * node + 1], solution[3 * node + 2])).collect()
}

fn frame(seed: &mut u64) -> Mat3 {
    exp(&(3.0 * vector(seed))).to_rotation_matrix().into_inner()
}

fn pose(seed: &mut u64) -> Pose {
    Pose::from_parts(vector(seed).into(), exp(&(2.0 * vector(seed))))
}

fn matrix(bodies: &[BodyResponse], contacts: &[ContactPoint]) -> DMatrix<f64> {
    let mut w = DMatrix::zeros(3 * contacts.len(), 3 * contacts.len());
    let left = DelassusAssembly::with_capacity(contacts.len()).assemble(bodies, contacts, PERIOD, |i, j, block| {
        for a in 0..3 {
            for b in 0..3 {
                w[(3 * i + a, 3 * j + b)] += block[(a, b)];
            }
        }
    });
    assert_eq!(left, 0);
    w
}

/// Contacts between two deformable bodies and against a body that stands.
fn contacts(parts: &[Part; 2], count: usize, seed: &mut u64) -> Vec<ContactPoint> {
    let one = |k: usize, seed: &mut u64| {
        let first = parts[k % 2].side(k % 2, seed);
        let second = match k % 3 {
            0 => Side { body: 2, point: first.point, nodes: [0; 3], weights: [0.0; 3] },
            _ => parts[(k + 1) % 2].side((k + 1) % 2, seed),
        };
        ContactPoint { sides: [first, second], frame: frame(seed) }
    };
    (0..count).map(|k| one(k, seed)).collect()
}

#[test]
fn w_is_what_finite_differences_of_the_whole_model_give() {
    let mut seed = 11;
    for order in ElementOrder::ALL {
        let parts = [Part::new(order, true, pose(&mut seed)), Part::new(order, false, pose(&mut seed))];
        let points = contacts(&parts, 6, &mut seed);
        let bodies = [parts[0].response(), parts[1].response(), BodyResponse::fixed()];
        let w = matrix(&bodies, &points);
        let mut differences = DMatrix::zeros(w.nrows(), w.ncols());
        // Both ways, so that the rotation of the rigid bodies is linear but for its third order.
        let small = 1e-4;
        for column in 0..w.ncols() {
            let direction = points[column / 3].frame.row(column % 3).transpose() * small;
            for (i, seen) in points.iter().enumerate() {
                let mut moved = Vec3::zeros();
                for (s, side) in seen.sides.iter().enumerate() {
                    for (t, pushed) in points[column / 3].sides.iter().enumerate() {
                        if side.body == pushed.body && side.body < 2 {
                            let (sign, force_sign) = (if s == 0 { 1.0 } else { -1.0 }, if t == 0 { 1.0 } else { -1.0 });
                            let by = |f: Vec3| parts[side.body].moves(side, pushed, &f);
                            moved += 0.5 * sign * (by(force_sign * direction) - by(-force_sign * direction));
                        }
                    }
                }
                let told = seen.frame * moved / small;
                (0..3).for_each(|a| differences[(3 * i + a, column)] = told[a]);
            }
        }
        let error = (&w - &differences).amax() / w.amax();
        println!("{}: W and finite differences differ by {error:.1e}", order.name());
        assert!(error < 1e-6, "{error:e}");
    }
}

#[test]
fn w_is_symmetric_and_positive_semidefinite() {
    let mut seed = 4;
    let parts = [
        Part::new(ElementOrder::Quadratic, true, pose(&mut seed)),
        Part::new(ElementOrder::Linear, false, pose(&mut seed)),
    ];
    let bodies = [parts[0].response(), parts[1].response(), BodyResponse::fixed()];
    let mut worst = 0.0f64;
    for trial in 0..200 {
        let mut points = contacts(&parts, 2 + trial % 20, &mut seed);
        // Redundant ones: the same contact again.
        if trial % 3 == 0 {
            points.push(points[0]);
        }
        let w = matrix(&bodies, &points);
        assert_eq!(w, w.transpose());
        let values = w.symmetric_eigenvalues();
        worst = worst.min(values.min() / values.max());
    }
    println!("smallest eigenvalue {worst:.1e} of the largest");
    assert!(worst > -1e-12, "{worst:e}");
}

#[test]
fn w_does_not_depend_on_where_the_world_is() {
    let mut seed = 8;
    let turn = pose(&mut seed);
    let start = [pose(&mut seed), pose(&mut seed)];
    let parts = |world: &Pose| {
        [
            Part::new(ElementOrder::Linear, true, world * start[0]),
            Part::new(ElementOrder::Linear, false, world * start[1]),
        ]
    };
    let (here, there) = (parts(&Pose::identity()), parts(&turn));
    let mut same = 99;
    let points = contacts(&here, 7, &mut same);
    let turned: Vec<ContactPoint> = points
        .iter()
        .map(|c| ContactPoint {
            sides: c.sides.map(|s| Side { point: (turn * nalgebra::Point3::from(s.point)).coords, ..s }),
            frame: c.frame * turn.rotation.inverse().to_rotation_matrix().into_inner(),
        })
        .collect();
    let bodies = |parts: &[Part; 2], points: &[ContactPoint]| {
        matrix(&[parts[0].response(), parts[1].response(), BodyResponse::fixed()], points)
    };
    let (one, two) = (bodies(&here, &points), bodies(&there, &turned));
    assert!((&one - &two).amax() < 1e-11 * one.amax());
}

/// The other reading of the paper: all nodes with inertia, and no rigid body beside them.
#[test]
fn dynamic_compliance_is_what_one_step_of_all_nodes_gives() {
    let settings = DynamicSettings { period: PERIOD, mass_damping: 2.0, stiffness_damping: 1e-4 };
    let turn = Pose::from_parts(Vec3::zeros().into(), exp(&Vec3::new(0.3, 0.9, -0.5)));
    let model = model(ElementOrder::Quadratic);
    let compliance = surface_compliance(&model, &ComplianceOf::Dynamic(settings));
    let mut seed = 2;
    for _ in 0..5 {
        let (i, j) = (
            splitmix64(&mut seed) as usize % compliance.nodes().len(),
            splitmix64(&mut seed) as usize % compliance.nodes().len(),
        );
        let force = vector(&mut seed);
        let step = |push: bool| {
            let mut body = DynamicBody::new(model.clone(), settings, &turn).unwrap();
            let at = compliance.nodes()[j] as usize;
            body.step(|node| if push && node == at { force } else { Vec3::zeros() });
            body.positions()[compliance.nodes()[i] as usize]
        };
        let moved = step(true) - step(false);
        let told = turn.rotation * (compliance.block(i, j) * (turn.rotation.inverse() * force));
        let scale = compliance.block(j, j).norm() * force.norm();
        assert!((moved - told).norm() < 1e-9 * scale, "{moved} {told}");
    }
}

/// A free body pulled along its length by a load that lasts: what all nodes with inertia come to, in the frame that moves along, is the free compliance.
#[test]
fn free_compliance_is_what_an_accelerated_body_comes_to() {
    let model = model(ElementOrder::Quadratic);
    let settings = DynamicSettings { period: 1e-4, mass_damping: 0.0, stiffness_damping: 2e-4 };
    let mut body = DynamicBody::new(model.clone(), settings, &Pose::identity()).unwrap();
    let nodes = model.elements().nodes();
    // Symmetric to the middle, so that nothing turns.
    let pulled: Vec<usize> = (0..nodes.len()).filter(|&n| nodes[n].x < 1e-9).collect();
    let centre = model.rigid().centre;
    let load = Vec3::new(-1e-2, 0.0, 0.0);
    let pushed: Vec<Vec3> = (0..nodes.len()).map(|n| if pulled.contains(&n) { load } else { Vec3::zeros() }).collect();
    let moment: Vec3 = nodes.iter().zip(&pushed).map(|(p, f)| (p - centre).cross(f)).sum();
    assert!(moment.norm() < 1e-12, "{moment}");
    (0..300).for_each(|_| body.step(|node| pushed[node]));
    let all: Vec<u32> = (0..nodes.len() as u32).collect();
    let compliance = Compliance::new(&model, &ComplianceOf::Free, &all, MOST_BYTES).unwrap();
    // In mean axes: an unsymmetric mesh has turned a little.
    let back = body.rotation().inverse();
    let arm = |i: usize| nodes[i] - centre;
    let mut found: Vec<Vec3> =
        (0..nodes.len()).map(|i| back * (body.positions()[i] - body.centre()) - arm(i)).collect();
    let mut product = vec![Vec3::zeros(); nodes.len()];
    model.mass_times(&found, &mut product);
    let turning: Vec3 = (0..nodes.len()).map(|i| arm(i).cross(&product[i])).sum();
    let turn = model.rigid().inertia.try_inverse().unwrap() * turning;
    (0..nodes.len()).for_each(|i| found[i] -= turn.cross(&arm(i)));
    let mut largest = 0.0f64;
    let mut worst = 0.0f64;
    for i in 0..nodes.len() {
        let told: Vec3 = pulled.iter().map(|&j| compliance.block(i, j) * load).sum();
        largest = largest.max(told.norm());
        worst = worst.max((told - found[i]).norm());
    }
    println!("largest {largest:.3e} m, worst difference {worst:.1e} m");
    assert!(worst < 1e-4 * largest, "{worst:e} of {largest:e}");
}

#[test]
fn weight_bends_no_free_body_and_condensing_is_exact_with_damping() {
    let model = model(ElementOrder::Quadratic);
    let n = model.elements().nodes().len();
    let all: Vec<u32> = (0..n as u32).collect();
    let free = Compliance::new(&model, &ComplianceOf::Free, &all, MOST_BYTES).unwrap();
    let mut weight = vec![Vec3::zeros(); n];
    let mut seed = 6;
    let acceleration = join(9.81 * vector(&mut seed), 100.0 * vector(&mut seed));
    let field: Vec<Vec3> = (0..n).map(|node| model.rigid_motion(node, &acceleration)).collect();
    model.mass_times(&field, &mut weight);
    let bent = |c: &Compliance, f: &[Vec3]| -> Vec<Vec3> {
        (0..n).map(|i| (0..n).map(|j| c.block(i, j) * f[j]).sum()).collect()
    };
    let size: f64 = weight.iter().map(Vec3::norm).sum::<f64>() * free.block(0, 0).norm();
    assert!(bent(&free, &weight).iter().all(|u| u.norm() < 1e-9 * size));
    // K u (1 + b) = f + b K u' on all nodes, and on the surface alone.
    let held = grip(&model);
    let compliance = surface_compliance(&model, &ComplianceOf::Held(held.clone()));
    let b = 0.7;
    let factor = StiffnessFactor::new(&model, 1.0 + b, 0.0, |freedom| held.contains(&((freedom / 3) as u32))).unwrap();
    let mut memory = factor.memory(1);
    let surface = compliance.nodes().to_vec();
    let (mut whole, mut condensed) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); surface.len()]);
    for _ in 0..5 {
        let force: Vec<Vec3> = surface.iter().map(|_| vector(&mut seed)).collect();
        let mut right = vec![Vec3::zeros(); n];
        model.stiffness_times(&whole, &mut right);
        right.iter_mut().for_each(|f| *f *= b);
        surface.iter().zip(&force).for_each(|(&node, f)| right[node as usize] += f);
        factor.solve(&mut right, &mut memory);
        whole = right;
        for i in 0..surface.len() {
            let elastic: Vec3 = (0..surface.len()).map(|j| compliance.block(i, j) * force[j]).sum();
            condensed[i] = (elastic + b * condensed[i]) / (1.0 + b);
        }
        let largest = condensed.iter().map(Vec3::norm).fold(0.0, f64::max);
        for (i, &node) in surface.iter().enumerate() {
            assert!((condensed[i] - whole[node as usize]).norm() < 1e-10 * largest);
        }
    }
}

#[test]
fn free_rigid_motion_keeps_both_momenta() {
    let mut state = RigidState::at_rest(*model(ElementOrder::Linear).rigid(), &Pose::identity());
    state.set_twist(&join(Vec3::new(0.1, 0.2, -0.3), Vec3::new(3.0, 20.0, 1.0)));
    let (momentum, turning, energy) = (state.momentum, state.angular_momentum, state.kinetic_energy());
    let start = state.frame.centre;
    (0..1000).for_each(|_| state.advance(1e-3));
    assert_eq!((state.momentum, state.angular_momentum), (momentum, turning));
    assert!((state.frame.centre - start - Vec3::new(0.1, 0.2, -0.3)).norm() < 1e-12);
    let drift = state.kinetic_energy() / energy - 1.0;
    println!("energy drifts by {drift:.1e} in a second of an unstable spin");
    // Second order in the step: a spin of 20 rad/s turns by 0.02 rad in one.
    assert!(drift.abs() < 1e-3, "{drift:e}");
    let (_, spin) = halves(&state.twist());
    assert!(spin.norm() < 30.0);
}

#[test]
fn making_w_allocates_nothing_and_leaves_out_what_is_too_much() {
    let mut seed = 21;
    let parts = [
        Part::new(ElementOrder::Linear, true, pose(&mut seed)),
        Part::new(ElementOrder::Linear, false, pose(&mut seed)),
    ];
    let bodies = [parts[0].response(), parts[1].response(), BodyResponse::fixed()];
    let points = contacts(&parts, 12, &mut seed);
    let mut assembly = DelassusAssembly::with_capacity(10);
    let mut sum = 0.0;
    let mut left = 0;
    let count =
        allocations_of(|| left = assembly.assemble(&bodies, &points, PERIOD, |_, _, block| sum += block[(0, 0)]));
    assert_eq!((count, left), (0, 2));
    assert!(sum.is_finite());
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    let model = model(ElementOrder::Linear);
    let of = |support: &ComplianceOf, nodes: &[u32], bytes: usize| {
        Compliance::new(&model, support, nodes, bytes).unwrap_err()
    };
    let all: Vec<u32> = model.elements().surface().nodes.clone();
    let ElasticError::TooLarge { works, .. } = of(&ComplianceOf::Free, &all, 20_000) else { panic!() };
    assert!(Compliance::new(&model, &ComplianceOf::Free, &all[..works], 20_000).is_ok());
    assert!(matches!(of(&ComplianceOf::Held(vec![]), &all, MOST_BYTES), ElasticError::NotHeld { nodes: 0 }));
    assert!(matches!(of(&ComplianceOf::Held(vec![0, 1]), &all, MOST_BYTES), ElasticError::NotHeld { nodes: 2 }));
    assert!(matches!(
        of(&ComplianceOf::Held(vec![0, 1, 9999]), &all, MOST_BYTES),
        ElasticError::NoSuchNode { node: 9999, .. }
    ));
    assert!(matches!(of(&ComplianceOf::Free, &[9999], MOST_BYTES), ElasticError::NoSuchNode { .. }));
}
