//! Detection against brute force over all vertices, triangles and edges; signs, edges, fields; random detection that finds what it missed; no allocation.

mod support;

use stiction::shape::{Aabb, Dense, DistanceField, Lattice};
use stiction::spatial::{Pose, Vec3, exp};
use stiction_fem::contact::{
    CollisionSurface, ExactDetection, MovingSurface, Proximity, ProximityList, StochasticDetection,
    closest_on_segments, closest_on_triangle, detect_field,
};
use stiction_fem::{BoundarySurface, StuffingSettings, TetMesh, stuff};
use stiction_testing::alloc::{Counting, allocations_of};
use support::{bar, region, unit, vector};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn surface_of(mesh: &TetMesh) -> CollisionSurface {
    let surface = BoundarySurface::of(mesh);
    let rest: Vec<Vec3> = surface.nodes.iter().map(|&n| mesh.nodes()[n as usize]).collect();
    let places = (0..rest.len() as u32).collect();
    CollisionSurface::new(rest, &surface.triangles, places)
}

fn block(cubes: [usize; 3], size: Vec3) -> CollisionSurface {
    let (nodes, tetrahedra) = bar(cubes, size);
    surface_of(&TetMesh::new(nodes.iter().map(|p| p - 0.5 * size).collect(), tetrahedra).unwrap())
}

fn ball() -> CollisionSurface {
    let solid = |p: Vec3| p.norm() - 1.0;
    surface_of(
        &stuff(&region(&solid, Vec3::repeat(1.0)), &StuffingSettings { cell: Some(0.3), ..Default::default() })
            .unwrap()
            .mesh,
    )
}

fn at(surface: &CollisionSurface, pose: &Pose) -> MovingSurface {
    let mut moving = MovingSurface::new(surface.clone());
    let rest = surface.rest().to_vec();
    moving.positions_mut().iter_mut().zip(rest).for_each(|(x, p)| *x = pose.rotation * p + pose.translation.vector);
    moving
}

fn detect(one: &MovingSurface, two: &MovingSurface, reach: f64, most: usize) -> Vec<Proximity> {
    let mut list = ProximityList::with_capacity(most);
    ExactDetection::new(one, two).detect([0, 1], [one, two], reach, &mut list);
    list.sort();
    list.all().to_vec()
}

#[test]
fn nearest_points_are_nearest() {
    let mut seed = 1;
    for _ in 0..2000 {
        let triangle = [0; 3].map(|_| vector(&mut seed));
        let p = 2.0 * vector(&mut seed);
        let at = |w: &[f64; 3]| (0..3).map(|k| w[k] * triangle[k]).sum::<Vec3>();
        let weights = closest_on_triangle(&p, &triangle);
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && weights.iter().all(|w| *w >= 0.0));
        let found = (at(&weights) - p).norm();
        for _ in 0..20 {
            let (a, b) = (unit(&mut seed), unit(&mut seed));
            let (a, b) = if a + b > 1.0 { (1.0 - a, 1.0 - b) } else { (a, b) };
            assert!((at(&[1.0 - a - b, a, b]) - p).norm() > found - 1e-12);
        }
        let (u, v) = ([vector(&mut seed), vector(&mut seed)], [vector(&mut seed), vector(&mut seed)]);
        if let Some([s, t]) = closest_on_segments(&u, &v) {
            let apart = u[0] + s * (u[1] - u[0]) - v[0] - t * (v[1] - v[0]);
            assert!(apart.dot(&(u[1] - u[0])).abs() < 1e-9 && apart.dot(&(v[1] - v[0])).abs() < 1e-9);
        }
    }
}

/// Every vertex within reach has a contact at its true distance, and no other has.
#[test]
fn vertices_are_found_as_by_brute_force() {
    let mut seed = 2;
    let (one, two) = (ball(), block([3, 4, 2], Vec3::new(1.2, 1.6, 0.8)));
    let mut found = 0;
    for _ in 0..60 {
        let a = at(&one, &Pose::from_parts((1.4 * vector(&mut seed)).into(), exp(&vector(&mut seed))));
        let b = at(&two, &Pose::from_parts(Vec3::zeros().into(), exp(&(2.0 * vector(&mut seed)))));
        let reach = 0.15;
        let contacts = detect(&a, &b, reach, 10_000);
        for (first, other, kind) in [(&a, &b, 0), (&b, &a, 1)] {
            for (vertex, p) in first.positions().iter().enumerate() {
                let distance = other
                    .surface()
                    .triangles()
                    .iter()
                    .map(|t| {
                        let corners = t.map(|v| other.positions()[v as usize]);
                        let w = closest_on_triangle(p, &corners);
                        ((0..3).map(|k| w[k] * corners[k]).sum::<Vec3>() - p).norm()
                    })
                    .fold(f64::INFINITY, f64::min);
                let own = contacts.iter().find(|c| c.id.0 >> 62 == kind && c.id.0 >> 23 & 0x7f_ffff == vertex as u64);
                match own {
                    Some(contact) => {
                        found += 1;
                        assert!((contact.gap.abs() - distance).abs() < 1e-12 && distance < reach);
                        let [p, q] = contact.contact.sides.map(|s| s.point);
                        let normal = contact.contact.frame.row(0).transpose();
                        assert!(((p - q).dot(&normal) - contact.gap).abs() < 1e-12);
                    }
                    // Left out: farther than reach, or a neighbour stands out further: it is much nearer, or deeper.
                    None => assert!(
                        distance > reach - 1e-12
                            || has_inside(other, p)
                            || stands_behind(first, other, vertex, distance)
                    ),
                }
            }
        }
    }
    println!("{found} contacts");
    assert!(found > 300);
}

/// Whether a neighbour of a vertex is nearer to the other surface, by more than a tenth of how far it is away.
fn stands_behind(own: &MovingSurface, other: &MovingSurface, vertex: usize, distance: f64) -> bool {
    let at = own.positions()[vertex];
    own.surface().triangles().iter().filter(|t| t.contains(&(vertex as u32))).flatten().any(|&w| {
        let far = own.positions()[w as usize] - at;
        // Along the way, near the vertex: the distance itself falls.
        let p = at + 1e-3 * far;
        let nearest = other
            .surface()
            .triangles()
            .iter()
            .map(|t| {
                let corners = t.map(|v| other.positions()[v as usize]);
                let weights = closest_on_triangle(&p, &corners);
                ((0..3).map(|k| weights[k] * corners[k]).sum::<Vec3>() - p).norm()
            })
            .fold(f64::INFINITY, f64::min);
        (distance - nearest) > 0.2 * 1e-3 * far.norm()
    })
}

/// Whether a point is inside of a closed surface, by the sum of solid angles.
fn has_inside(surface: &MovingSurface, p: &Vec3) -> bool {
    let angle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| surface.positions()[v as usize] - p);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        let numerator = a.dot(&b.cross(&c));
        2.0 * numerator.atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y)
    };
    let sum: f64 = surface.surface().triangles().iter().map(angle).sum();
    sum.abs() > 2.0 * std::f64::consts::PI
}

#[test]
fn gaps_have_the_right_sign_and_normals_point_into_the_first_body() {
    let plate = block([4, 4, 1], Vec3::new(1.0, 1.0, 0.2));
    let cube = block([2, 2, 2], Vec3::new(0.4, 0.4, 0.4));
    for gap in [1e-3, -1e-3, -0.02] {
        let above = at(&cube, &Pose::translation(0.03, 0.01, 0.3 + gap));
        let contacts = detect(&above, &at(&plate, &Pose::identity()), 0.05, 1000);
        // The nine vertices of the cube's face, and vertices of the plate below it.
        let by_cube: Vec<&Proximity> = contacts.iter().filter(|c| c.id.0 >> 62 == 0).collect();
        assert_eq!(by_cube.len(), 9);
        for contact in &contacts {
            assert!((contact.gap - gap).abs() < 1e-12, "{contact:?}");
            assert!((contact.contact.frame.row(0).transpose() - Vec3::z()).norm() < 1e-9, "{contact:?}");
        }
        // The other way round, normals turn.
        let turned = detect(&at(&plate, &Pose::identity()), &above, 0.05, 1000);
        assert_eq!(turned.len(), contacts.len());
        assert!(turned.iter().all(|c| (c.contact.frame.row(0).transpose() + Vec3::z()).norm() < 1e-9));
    }
}

#[test]
fn crossed_edges_are_found_with_their_sign() {
    let bar = block([3, 1, 1], Vec3::new(2.0, 0.4, 0.4));
    let corner_up = exp(&(std::f64::consts::FRAC_PI_4 * Vec3::x()));
    let half = 0.2 * 2f64.sqrt();
    for gap in [0.01, -0.01] {
        let below = at(&bar, &Pose::from_parts(Vec3::zeros().into(), corner_up));
        let across = exp(&(std::f64::consts::FRAC_PI_2 * Vec3::z())) * corner_up;
        let above = at(&bar, &Pose::from_parts(Vec3::new(0.1, 0.07, 2.0 * half + gap).into(), across));
        let contacts = detect(&above, &below, 0.03, 1000);
        let edges: Vec<&Proximity> = contacts.iter().filter(|c| c.id.0 >> 62 == 2).collect();
        assert_eq!(edges.len(), 1, "{contacts:?}");
        assert!((edges[0].gap - gap).abs() < 1e-12);
        assert!((edges[0].contact.frame.row(0).transpose() - Vec3::z()).norm() < 1e-9);
        assert!((edges[0].contact.sides[0].point - edges[0].contact.sides[1].point - gap * Vec3::z()).norm() < 1e-12);
    }
    // Edges are twelve, diagonals of faces are none.
    assert_eq!(bar.sharp_edges(), 4 * 3 + 8);
}

#[test]
fn a_full_list_keeps_the_smallest_gaps() {
    let plate = block([4, 4, 1], Vec3::new(1.0, 1.0, 0.2));
    let cube = block([4, 4, 4], Vec3::new(0.4, 0.4, 0.4));
    let tilted = Pose::from_parts(Vec3::new(0.03, 0.01, 0.31).into(), exp(&Vec3::new(0.05, 0.08, 0.0)));
    let (above, below) = (at(&cube, &tilted), at(&plate, &Pose::identity()));
    let all = detect(&above, &below, 0.05, 1000);
    let mut gaps: Vec<f64> = all.iter().map(|c| c.gap).collect();
    gaps.sort_by(f64::total_cmp);
    let few = detect(&above, &below, 0.05, 7);
    let mut kept: Vec<f64> = few.iter().map(|c| c.gap).collect();
    kept.sort_by(f64::total_cmp);
    assert_eq!(kept, gaps[..7]);
}

#[test]
fn fields_give_distance_and_normal() {
    let lattice = Lattice { origin: Vec3::repeat(-0.5), spacing: 0.02, cells: [50, 50, 50] };
    let values: Vec<f32> = (0..51 * 51 * 51)
        .map(|n| {
            (lattice.origin + 0.02 * Vec3::new((n % 51) as f64, (n / 51 % 51) as f64, (n / 2601) as f64)).norm() as f32
                - 0.3
        })
        .collect();
    let part = Aabb { min: Vec3::repeat(-0.3), max: Vec3::repeat(0.3) };
    let field = DistanceField::Dense(Dense::new(lattice, part, values).unwrap());
    let cube = block([2, 2, 2], Vec3::new(0.4, 0.4, 0.4));
    let surface = at(&cube, &Pose::translation(0.0, 0.0, 0.5 - 0.004));
    let world_from_field = Pose::from_parts(Vec3::zeros().into(), exp(&Vec3::new(0.3, 0.2, 0.9)));
    let mut list = ProximityList::with_capacity(100);
    detect_field([3, 4], &surface, &field, &world_from_field, 0.02, &mut list);
    assert_eq!(list.all().len(), 1);
    let contact = list.all()[0];
    assert!((contact.gap + 0.004).abs() < 5e-4, "{}", contact.gap);
    assert!((contact.contact.frame.row(0).transpose() - Vec3::z()).norm() < 0.02);
    assert_eq!((contact.contact.sides[0].body, contact.contact.sides[1].body), (3, 4));
}

/// A ball that rolls over a plate: how many of the ten shortest distances random detection has, and how long it needs for the nearest one after a jump.
#[test]
fn random_detection_finds_what_it_missed() {
    let (one, two) = (ball(), block([10, 10, 1], Vec3::new(4.0, 4.0, 0.4)));
    let run = |seed: u64| {
        let mut random = StochasticDetection::new(20, 40, seed);
        let (mut missed, mut steps_after_jump, mut traces) = (0, Vec::new(), Vec::new());
        let mut waiting: Option<u32> = None;
        for step in 0..600 {
            let t = f64::from(step) * 1e-3;
            // A jump to another place every hundred steps.
            let jump = f64::from(step / 100);
            let pose = Pose::from_parts(
                Vec3::new((3.0 * jump).sin() + t, (2.0 * jump).cos(), 1.18).into(),
                exp(&Vec3::new(jump, t, 0.3 * jump)),
            );
            let (a, b) = (at(&one, &pose), at(&two, &Pose::identity()));
            if step % 100 == 0 {
                waiting = Some(0);
            }
            let mut list = ProximityList::with_capacity(20);
            random.detect([0, 1], [&a, &b], 0.1, &mut list);
            list.sort();
            let exact = detect(&a, &b, 0.1, 10_000);
            let least = |all: &[Proximity]| all.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            let has = exact.is_empty() || (least(list.all()) - least(&exact)).abs() < 1e-9;
            missed += u32::from(!has);
            if let Some(steps) = waiting {
                if has {
                    steps_after_jump.push(steps);
                    waiting = None;
                } else {
                    waiting = Some(steps + 1);
                }
            }
            traces.push(list.all().iter().map(|c| c.gap).sum::<f64>());
        }
        (missed, steps_after_jump, traces)
    };
    let (missed, after, traces) = run(7);
    println!("the nearest contact is missed in {missed} of 600 steps; after a jump it is found in {after:?} steps");
    assert_eq!(after.len(), 6);
    assert!(missed < 60, "{missed}");
    assert!(after.iter().all(|steps| *steps < 20), "{after:?}");
    assert_eq!(run(7).2, traces, "the same seed, the same bits");
}

#[test]
fn detection_allocates_nothing() {
    let (one, two) = (ball(), block([6, 6, 1], Vec3::new(2.0, 2.0, 0.4)));
    let mut list = ProximityList::with_capacity(50);
    let (a, b) = (at(&one, &Pose::translation(0.0, 0.0, 1.19)), at(&two, &Pose::identity()));
    let mut exact = ExactDetection::new(&a, &b);
    let mut random = StochasticDetection::new(20, 40, 3);
    let count = allocations_of(|| {
        for _ in 0..5 {
            list.clear();
            exact.detect([0, 1], [&a, &b], 0.2, &mut list);
            random.detect([0, 1], [&a, &b], 0.2, &mut list);
            list.sort();
        }
    });
    assert_eq!(count, 0);
    assert!(!list.all().is_empty());
    // Deep in each other, where most boxes meet.
    let (a, b) = (at(&one, &Pose::translation(0.0, 0.0, 0.1)), at(&two, &Pose::identity()));
    list.clear();
    assert_eq!(allocations_of(|| exact.detect([0, 1], [&a, &b], 3.0, &mut list)), 0);
}
