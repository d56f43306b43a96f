//! After construction nothing allocates: rebuilding a problem, solving it, committing the step, asking for margins,
//! sampling distances, walking a shell.
//!
//! A global allocator counts what the test's own thread asks for. Every method and cone, 1 to 1000 contacts, contact
//! sets that change from tick to tick.

mod shape_support;
mod tick_support;

use stiction::collide::{Pose, Query, Traversal};
use stiction::contact::{Contact, ContactId, ContactProblem, Load};
use stiction::delassus::{
    ConeProblem, Delassus, DenseOperator, GaussSeidel, GaussSeidelSettings, LocalRule, RigidOperator, SolveLimits,
    Staggered, StaggeredSettings, UnilateralContact,
};
use stiction::friction::{Cone, Fit, FrictionSettings, FrictionSolver, Method, Metric, SolverError};
use stiction::shape::{DistanceField, Sample};
use stiction::spatial::{Mat6, Vec3, Vec6, join};
use stiction_testing::alloc::{Counting, counts};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Contact `i` of a cube among three walls, as it is in some tick.
fn contact(i: usize, tick: usize) -> Contact {
    let axes = [Vec3::z(), Vec3::x(), Vec3::y()];
    let (normal, tangent) = (axes[i % 3], axes[(i + 1) % 3]);
    let place = |n: usize| 0.1 * ((n % 97) as f64 / 96.0 - 0.5);
    let point = -0.05 * normal + tangent * place(i * 31 + 5) + axes[(i + 2) % 3] * place(i * 57 + tick);
    let tilt = 1e-3 * ((i * 13 + tick * 7) % 11) as f64 / 11.0;
    let normal = (normal + tangent * tilt).normalize();
    let tangent = (tangent - normal * normal.dot(&tangent)).normalize();
    Contact {
        id: ContactId(i as u64),
        point,
        normal,
        tangent,
        gap: if i % 10 == 9 { 1e-6 } else { -1e-5 },
        normal_force: 0.5 + (i % 7) as f64,
        mu_static: 0.5,
        mu_kinetic: 0.4,
    }
}

/// Which contacts are there in a tick: some leave, some enter, and every third tick the order is reversed.
fn contacts_of(tick: usize, count: usize) -> impl Iterator<Item = Contact> {
    (0..count).filter_map(move |j| {
        let i = if tick % 3 == 2 { count - 1 - j } else { j };
        (!(i + 3 * tick).is_multiple_of(8) || count == 1).then(|| contact(i, tick))
    })
}

fn load_of(tick: usize, count: usize) -> Load {
    let pull = 0.3 * count as f64 * [0.2, 1.0, 3.0, 8.0][tick % 4];
    Load {
        wrench: Vec6::new(0.6, -0.3, 0.2, 0.01, 0.02, -0.01) * pull,
        stiffness: -Mat6::from_diagonal(&join(Vec3::repeat(2e4), Vec3::repeat(50.0))),
        mass: Mat6::from_diagonal(&join(Vec3::repeat(1.0), Vec3::repeat(2e-3))),
    }
}

#[test]
fn ticks_do_not_allocate() {
    let inscribed = Cone::Polygon { sides: 7, fit: Fit::Inscribed };
    let methods = [Method::Lp, Method::Qp(Metric::Mass), Method::Qp(Metric::Stiffness), Method::Hold, Method::Yamane];
    for method in methods {
        for cone in [Cone::paper(4), Cone::paper(8), inscribed, Cone::Disk] {
            if method == Method::Lp && cone == Cone::Disk {
                continue;
            }
            for (count, warm_start) in
                [(1, true), (2, true), (5, false), (16, true), (98, true), (333, false), (1000, true)]
            {
                let settings = FrictionSettings { method, cone, warm_start, ..FrictionSettings::default() };
                let mut problem = ContactProblem::with_capacity(count);
                let mut solver = FrictionSolver::new(settings, count).unwrap();
                let before = counts().allocations;
                let result = run(&mut problem, &mut solver, count);
                let found = counts().allocations - before;
                assert!(result.is_ok(), "{method:?}, {cone:?}, {count} contacts: {result:?}");
                assert_eq!(found, 0, "{method:?}, {cone:?}, {count} contacts");
            }
        }
    }
}

fn run(problem: &mut ContactProblem, solver: &mut FrictionSolver, count: usize) -> Result<(), SolverError> {
    for tick in 0..8 {
        problem.rebuild(&load_of(tick, count), contacts_of(tick, count)).unwrap();
        let step = solver.solve(problem)?.step;
        if tick % 4 == 1 {
            solver.ray_margin(problem)?;
            solver.robust_margin(problem)?;
        }
        solver.commit(problem, &step)?;
        if tick == 5 {
            solver.reset();
        }
    }
    Ok(())
}

/// What a friction solver for a number of contacts asks of the allocator (bytes).
fn bytes_of(method: Method, cone: Cone, contacts: usize) -> u64 {
    let before = counts().bytes;
    let solver =
        FrictionSolver::new(FrictionSettings { method, cone, ..FrictionSettings::default() }, contacts).unwrap();
    let bytes = counts().bytes - before;
    drop(solver);
    bytes
}

/// All methods had the memory of all others once: only `hold` keeps slips apart and solves on facets, and only `lp` and `qp` for polygons have nothing else.
#[test]
fn a_friction_solver_makes_memory_for_its_own_method_only() {
    let contacts = 1000;
    let pair = (contacts * 2 * size_of::<f64>()) as u64;
    let square = Cone::Polygon { sides: 4, fit: Fit::Inscribed };
    let [hold, qp, yamane, frictionless] =
        [Method::Hold, Method::Qp(Metric::Mass), Method::Yamane, Method::Frictionless]
            .map(|method| bytes_of(method, Cone::Disk, contacts));
    assert_eq!(hold - qp, pair, "the slips of `hold`");
    assert_eq!([yamane, frictionless], [qp; 2]);
    let [hold, qp, lp] =
        [Method::Hold, Method::Qp(Metric::Mass), Method::Lp].map(|method| bytes_of(method, square, contacts));
    assert_eq!(lp, qp);
    // Besides slips, three generations of friction, a copy, a step, and two multipliers for each of four sides.
    assert!(hold - qp > 10 * pair, "{hold} against {qp} bytes");
}

#[test]
fn copying_a_tick_into_a_probe_does_not_allocate() {
    for method in [Method::Hold, Method::Qp(Metric::Stiffness)] {
        let friction = FrictionSettings { method, ..FrictionSettings::default() };
        let settings = stiction::tick::Settings { friction, ..stiction::tick::Settings::default() };
        let mut floor = tick_support::Floor::new(settings);
        let mut probe = floor.engine.probe();
        for tick in 0..200 {
            let t = f64::from(tick) / 200.0;
            let contacts = floor.tick(5e-4 * t, 0.0, -2e-3 * t).contacts;
            let before = counts().allocations;
            floor.engine.copy_to(&mut probe);
            let margins = probe.margins();
            assert_eq!(counts().allocations - before, 0, "{method:?}, tick {tick}");
            // A quarter of the press pulls along x, with µ = 0.5.
            if tick == 199 {
                assert!(
                    contacts > 3 && (margins.robust - 0.5).abs() < 0.05,
                    "{method:?}: {contacts} contacts, {margins:?}"
                );
            }
        }
    }
}

#[test]
fn errors_do_not_allocate_either() {
    let mut problem = ContactProblem::with_capacity(4);
    let mut solver = FrictionSolver::new(FrictionSettings::default(), 2).unwrap();
    let before = counts().allocations;
    assert!(problem.rebuild(&load_of(0, 9), contacts_of(0, 9)).is_err());
    problem.rebuild(&load_of(0, 4), contacts_of(0, 4)).unwrap();
    assert!(solver.solve(&problem).is_err());
    assert!(solver.commit(&problem, &Vec6::repeat(f64::NAN)).is_err());
    assert_eq!(counts().allocations - before, 0);
}

/// Points in the band, on the plateau, at every border and beyond the box, and points that are no points.
#[test]
fn sampling_and_walking_do_not_allocate() {
    let mut random = shape_support::Random(5);
    let shell = shape_support::shell(&mut random, 300, |r| r.direction() * 0.5);
    let mut memory = Traversal::with_capacity(300);
    for field in shape_support::fields(shape_support::Solid::Torus) {
        let bounds = field.lattice().bounds();
        let mut points: Vec<_> = (0..5000).map(|_| random.point(&bounds, 1.4)).collect();
        points.extend([Vec3::repeat(f64::NAN), Vec3::repeat(1e200), bounds.min, bounds.max]);
        let mut samples = vec![Sample { distance: 0.0, gradient: Vec3::zeros() }; points.len()];
        let before = counts().allocations;
        let hits = look_around(&field, &points, &mut samples, &shell, &mut memory);
        assert_eq!(counts().allocations - before, 0);
        assert!(hits > 100, "{hits}");
    }
}

fn look_around(
    field: &DistanceField,
    points: &[Vec3],
    samples: &mut [Sample],
    shell: &stiction::shape::PointShell,
    memory: &mut Traversal,
) -> usize {
    field.sample_batch(points, samples);
    field.sample_smooth_batch(points, samples);
    let mut hits = 0;
    for (p, sample) in points.iter().zip(samples) {
        *sample = field.sample(*p);
        sample.distance = field.distance(*p) + field.sample_smooth(*p).distance + field.slack() + field.reach();
        let pose = Pose::translation(p.x, p.y, p.z);
        for query in [Query::within(0.01), Query { margin: 0.02, max_samples: 50 }] {
            memory.touching(shell, field, &pose, query, |_| hits += 1).unwrap();
        }
    }
    hits
}

/// The whole haptic cycle: pressing, sliding, lifting, jumps, bad poses, both layouts, every method.
#[test]
fn the_haptic_cycle_does_not_allocate() {
    use stiction::contact::penalty::ShellOn;
    let methods = [Method::Hold, Method::Qp(Metric::Mass), Method::Lp, Method::Yamane, Method::Frictionless];
    for shell_on in [ShellOn::Held, ShellOn::Fixed] {
        for method in methods {
            let mut settings = stiction::tick::Settings { shell_on, ..Default::default() };
            settings.friction.method = method;
            settings.friction.cone = if method == Method::Lp { Cone::paper(8) } else { Cone::Disk };
            settings.max_samples = 300;
            let mut floor = tick_support::Floor::new(settings);
            let before = counts().allocations;
            let mut touched = 0;
            for i in 0..600 {
                let a = f64::from(i) * 0.03;
                let z = if i % 97 == 96 { f64::NAN } else { -0.002 - 0.004 * (0.3 * a).sin() };
                touched += floor.tick(5e-3 * a.sin(), if i == 300 { 0.4 } else { 0.0 }, z).contacts;
            }
            std::hint::black_box(floor.engine.contacts().map(|c| c.normal_force).sum::<f64>());
            assert_eq!(counts().allocations - before, 0, "{method:?}, {shell_on:?}");
            assert!(touched > 1000);
        }
    }
}

/// The friction paper's engine, with each rule of its section 4.1.
#[test]
fn ticks_of_the_papers_engine_do_not_allocate() {
    use stiction::contact::{penalty::ShellOn, separating::ReleaseRule};
    for shell_on in [ShellOn::Held, ShellOn::Fixed] {
        for release in [ReleaseRule::None, ReleaseRule::Paper, ReleaseRule::Three, ReleaseRule::Applied] {
            let settings = stiction::tick::Settings { shell_on, release, ..stiction::tick::Settings::paper() };
            let mut floor = tick_support::Floor::new(settings);
            let before = counts().allocations;
            let mut touched = 0;
            for i in 0..600 {
                let a = f64::from(i) * 0.03;
                touched += floor.tick(5e-3 * a.sin(), 0.0, -0.002 - 0.004 * (0.3 * a).sin()).contacts;
            }
            assert_eq!(counts().allocations - before, 0, "{release:?}, {shell_on:?}");
            assert!(touched > 1000);
        }
    }
}

/// Hard contacts of both shells, with limits of work that bind in different ways.
#[test]
fn limited_ticks_do_not_allocate() {
    use stiction::trace::Flags;
    for work in [1, 2000, 5000, u64::MAX] {
        let settings = stiction::tick::Settings { work, ..Default::default() };
        let mut floor = tick_support::Floor::new(settings);
        let before = counts().allocations;
        let (mut touched, mut coarse) = (0, 0);
        for i in 0..600 {
            let a = f64::from(i) * 0.03;
            let trace = floor.tick(5e-3 * a.sin(), 0.0, -0.002 - 0.004 * (0.3 * a).sin());
            (touched, coarse) = (touched + trace.contacts, coarse + u32::from(trace.flags.has(Flags::COARSE)));
        }
        assert_eq!(counts().allocations - before, 0, "{work}");
        assert!(touched > 500 && (coarse > 0) == (work < u64::MAX), "{work}: {touched} touches, {coarse} coarse ticks");
    }
}

#[test]
fn the_counter_counts() {
    let before = counts().allocations;
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(counts().allocations - before, 1);
}

/// The rows of a contact of [`contact`] on a rigid part, and its free velocity.
fn rows_of(c: &Contact) -> [Vec6; 3] {
    RigidOperator::rows_at(&c.point, &[c.normal, c.tangent, c.tangent_v()])
}

/// Gauss-Seidel and staggered projections on a problem that changes from tick to tick.
fn run_delassus<W: Delassus>(mut problem: ConeProblem<W>, fill: impl Fn(&mut W, &[Contact]), count: usize) {
    let limits = SolveLimits { tolerance: 1e-8, passes: 300 };
    let mut local = LocalRule::ALL.map(|rule| {
        let settings = GaussSeidelSettings { rule, limits, warm_start: true };
        GaussSeidel::new(settings, problem.operator()).unwrap()
    });
    let mut staggered = [Cone::Disk, Cone::Polygon { sides: 8, fit: Fit::Inscribed }].map(|cone| {
        let settings = StaggeredSettings { cone, limits, warm_start: true };
        Staggered::new(settings, problem.operator()).unwrap()
    });
    for tick in 0..4 {
        let contacts: Vec<Contact> = contacts_of(tick, count).collect();
        let twist = Vec6::new(1e-3, -5e-4, -1e-3 * tick as f64, 1e-3, 2e-3, 0.0);
        let before = counts().allocations;
        let listed = contacts.iter().map(|c| UnilateralContact {
            id: c.id,
            mu: c.mu_static,
            free: Vec3::from_fn(|k, _| rows_of(c)[k].dot(&twist)),
        });
        let fill = |w: &mut W| {
            fill(w, &contacts);
            Ok(())
        };
        problem.rebuild(fill, listed).unwrap();
        for solver in &mut local {
            solver.solve(&problem).unwrap();
        }
        for solver in &mut staggered {
            solver.solve(&problem).unwrap();
        }
        assert_eq!(counts().allocations - before, 0, "{count} contacts, tick {tick}");
    }
}

#[test]
fn solves_on_a_delassus_operator_do_not_allocate() {
    let stiffness = Mat6::from_diagonal(&Vec6::new(2e3, 2e3, 2e3, 20.0, 20.0, 20.0));
    for count in [1, 16, 40] {
        let rigid = |w: &mut RigidOperator, contacts: &[Contact]| {
            w.begin(&stiffness).unwrap();
            contacts.iter().for_each(|c| w.push(&rows_of(c)).unwrap());
        };
        run_delassus(ConeProblem::new(RigidOperator::with_capacity(count)), rigid, count);
        let dense = |w: &mut DenseOperator, contacts: &[Contact]| {
            w.begin(contacts.len()).unwrap();
            for (i, a) in contacts.iter().enumerate() {
                for (j, b) in contacts.iter().enumerate() {
                    let (a, b) = (rows_of(a), rows_of(b));
                    w.add(
                        i,
                        j,
                        &stiction::spatial::Mat3::from_fn(|k, l| a[k].component_div(&stiffness.diagonal()).dot(&b[l])),
                    );
                }
            }
        };
        run_delassus(ConeProblem::new(DenseOperator::with_capacity(count)), dense, count);
    }
}
