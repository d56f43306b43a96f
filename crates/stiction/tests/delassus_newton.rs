//! Newton's method between sweeps, and Lemke's for pyramids: every answer against Signorini's condition and Coulomb's law written out anew, on random problems that are redundant, ill-conditioned, and of µ from 0 to 10.

use stiction::contact::ContactId;
use stiction::delassus::{
    ConeNewton, ConeNewtonSettings, ConeProblem, ConeVerdict, DenseOperator, GaussSeidel, GaussSeidelSettings,
    LemkeEnd, LexicographicLemke, PyramidLemke, PyramidSettings, SolveLimits, UnilateralContact,
};
use stiction::spatial::{Mat3, Vec3};
use stiction_testing::alloc::{Counting, allocations_of};
use stiction_testing::splitmix64;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn unit(seed: &mut u64) -> f64 {
    (splitmix64(seed) >> 11) as f64 / (1u64 << 53) as f64
}

fn signed(seed: &mut u64) -> f64 {
    2.0 * unit(seed) - 1.0
}

/// W = G Gᵀ by a factor of any rank, with lengths that differ by `spread` decades; q in its range, so that the problem is one of a mechanism.
fn random(
    seed: &mut u64,
    contacts: usize,
    rank: usize,
    spread: f64,
    mu: &dyn Fn(&mut u64) -> f64,
) -> (Vec<f64>, Vec<UnilateralContact>) {
    let n = 3 * contacts;
    let scale: Vec<f64> = (0..rank).map(|_| 10f64.powf(-spread * unit(seed))).collect();
    let factor: Vec<f64> = (0..n * rank).map(|k| scale[k % rank] * signed(seed)).collect();
    let mut w = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..rank).map(|k| factor[i * rank + k] * factor[j * rank + k]).sum();
            (w[i * n + j], w[j * n + i]) = (sum, sum);
        }
    }
    let push: Vec<f64> = (0..rank).map(|_| signed(seed)).collect();
    let q = |i: usize| (0..rank).map(|k| factor[i * rank + k] * push[k]).sum::<f64>();
    let one = |seed: &mut u64, i: usize| UnilateralContact {
        id: ContactId(i as u64),
        mu: mu(seed),
        free: Vec3::new(q(3 * i), q(3 * i + 1), q(3 * i + 2)),
    };
    let list = (0..contacts).map(|i| one(seed, i)).collect();
    (w, list)
}

fn problem(w: &[f64], list: &[UnilateralContact], capacity: usize) -> ConeProblem<DenseOperator> {
    let mut problem = ConeProblem::new(DenseOperator::with_capacity(capacity));
    let n = 3 * list.len();
    let fill = |operator: &mut DenseOperator| {
        operator.begin(list.len())?;
        for i in 0..list.len() {
            for j in 0..list.len() {
                operator.add(i, j, &Mat3::from_fn(|a, b| w[(3 * i + a) * n + 3 * j + b]));
            }
        }
        Ok(())
    };
    problem.rebuild(fill, list.iter().copied()).unwrap();
    problem
}

/// How far forces are from (1)-(3), as velocities over ‖q‖: each condition by itself, without a natural map.
fn misses(w: &[f64], list: &[UnilateralContact], forces: &[Vec3]) -> f64 {
    let n = 3 * list.len();
    let size = list.iter().map(|c| c.free.norm_squared()).sum::<f64>().sqrt();
    let mut worst = 0.0f64;
    for (i, contact) in list.iter().enumerate() {
        let u: Vec<f64> = (0..3)
            .map(|a| contact.free[a] + (0..n).map(|k| w[(3 * i + a) * n + k] * forces[k / 3][k % 3]).sum::<f64>())
            .collect();
        let compliance = (0..3).map(|a| w[(3 * i + a) * n + 3 * i + a]).sum::<f64>() / 3.0;
        let r = forces[i] * compliance;
        let (pull, slip) = ((r.y * r.y + r.z * r.z).sqrt(), (u[1] * u[1] + u[2] * u[2]).sqrt());
        worst = worst.max(-r.x).max(-u[0]).max(pull - contact.mu * r.x);
        // Complementarity of the normal parts, and of friction and slip: the smaller of both factors.
        worst = worst.max(r.x.min(u[0]));
        let opposed = r.y * u[1] + r.z * u[2] + contact.mu * r.x * slip;
        let factor = slip.max(contact.mu * r.x);
        if factor > 0.0 {
            worst = worst.max(opposed / factor);
        }
    }
    worst / size
}

fn newton(capacity: usize, passes: u32) -> ConeNewton {
    let limits = SolveLimits { tolerance: 1e-9, passes };
    let sweeps = GaussSeidelSettings { limits, ..GaussSeidelSettings::default() };
    ConeNewton::new(
        ConeNewtonSettings { sweeps, ..ConeNewtonSettings::default() },
        &DenseOperator::with_capacity(capacity),
    )
    .unwrap()
}

#[test]
fn answers_obey_both_laws_on_ten_thousand_problems() {
    let mut seed = 19;
    let mut solver = newton(16, 2000);
    let mut solved = [[0u32; 2]; 3];
    let mut refused = 0;
    for trial in 0..10_000 {
        let contacts = 1 + splitmix64(&mut seed) as usize % 12;
        let kind = trial % 3;
        // Of full rank; of rank six, like a rigid part; of full rank and badly scaled.
        let (rank, spread) = [(3 * contacts + 2, 0.5), (6, 0.5), (3 * contacts + 2, 4.0)][kind];
        let slippery = trial % 2 == 0;
        let mu = |seed: &mut u64| if slippery { unit(seed) } else { 10.0 * unit(seed) };
        let (w, list) = random(&mut seed, contacts, rank, spread, &mu);
        solver.forget();
        let answer = solver.solve(&problem(&w, &list, 16)).unwrap();
        assert!(answer.forces.iter().all(|f| f.iter().all(|x| x.is_finite())));
        if answer.verdict == ConeVerdict::Solved {
            solved[kind][usize::from(!slippery)] += 1;
            let missed = misses(&w, &list, &answer.forces);
            // The independent conditions are not scaled by µ as the natural map is.
            assert!(missed < 1e-7, "trial {trial}: {missed:e}");
        } else {
            refused += 1;
        }
    }
    println!(
        "solved of each 1667: [µ ≤ 1, µ ≤ 10] {solved:?} (full rank, rank six, badly scaled); {refused} refused honestly"
    );
    for kind in &solved[..2] {
        assert!(f64::from(kind[0]) > 0.98 * 1666.0, "{solved:?}");
    }
}

#[test]
fn newton_agrees_with_gauss_seidel_where_the_answer_is_unique() {
    let mut seed = 5;
    let limits = SolveLimits { tolerance: 1e-11, passes: 100_000 };
    let settings = GaussSeidelSettings { limits, ..GaussSeidelSettings::default() };
    let mut sweeps = GaussSeidel::new(settings, &DenseOperator::with_capacity(8)).unwrap();
    let mut solver = newton(8, 100_000);
    for _ in 0..200 {
        // Small friction and a well conditioned W: one solution.
        let (mut w, list) = random(&mut seed, 6, 20, 0.0, &|seed| 0.2 * unit(seed));
        (0..18).for_each(|k| w[k * 18 + k] += 10.0);
        let problem = problem(&w, &list, 8);
        sweeps.forget();
        solver.forget();
        let one = sweeps.solve(&problem).unwrap().forces.clone();
        let two = &solver.solve(&problem).unwrap().forces;
        let largest = one.iter().map(|f| f.norm()).fold(0.0, f64::max);
        for (a, b) in one.iter().zip(two) {
            assert!((a - b).norm() <= 1e-7 * largest, "{a} {b}");
        }
    }
}

/// Every one of the 2ⁿ choices of which variables are zero, solved: the answers of small problems without friction.
#[test]
fn lemke_finds_solutions_that_enumeration_finds() {
    let mut seed = 31;
    let mut lemke = LexicographicLemke::with_capacity(6);
    for trial in 0..2000 {
        let n = 1 + trial % 6;
        let rank = if trial % 2 == 0 { n + 1 } else { (n / 2).max(1) };
        let factor: Vec<f64> = (0..n * rank).map(|_| signed(&mut seed)).collect();
        let m = |i: usize, j: usize| (0..rank).map(|k| factor[i * rank + k] * factor[j * rank + k]).sum::<f64>();
        let push: Vec<f64> = (0..rank).map(|_| signed(&mut seed)).collect();
        let q: Vec<f64> = (0..n).map(|i| (0..rank).map(|k| factor[i * rank + k] * push[k]).sum()).collect();
        let mut z = vec![0.0; n];
        // M is positive semidefinite, and q in its range, so that there is a solution.
        assert_eq!(lemke.solve(m, &q, &mut z, 1000), LemkeEnd::Solved, "trial {trial}");
        for i in 0..n {
            let w = q[i] + (0..n).map(|j| m(i, j) * z[j]).sum::<f64>();
            assert!(z[i] >= 0.0 && w > -1e-9 && (w * z[i]).abs() < 1e-9, "trial {trial}: w {w:e}, z {:e}", z[i]);
        }
    }
    // No solution: a ray. Ties: all rows alike.
    let mut z = [0.0; 1];
    assert_eq!(lemke.solve(|_, _| -0.0, &[-1.0], &mut z, 100), LemkeEnd::Ray);
    let mut z = [0.0; 5];
    assert_eq!(lemke.solve(|_, _| 1.0, &[-1.0; 5], &mut z, 100), LemkeEnd::Solved);
    assert!((z.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(lemke.solve(|_, _| f64::NAN, &[-1.0; 5], &mut z, 100), LemkeEnd::Stopped);
}

/// Sliding friction of a pyramid snaps to its nearest edge: the mean error of its direction is π/(2k) (figure 7 of the paper; notes, 7.3).
#[test]
fn pyramids_miss_the_direction_of_friction_by_half_a_side() {
    let mut seed = 77;
    for (sides, within) in [(4, 0.3), (6, 0.3), (8, 0.3), (12, 0.3), (16, 0.3), (24, 0.3)] {
        let settings = PyramidSettings { sides, tolerance: 1e-7, pivots: 10_000 };
        let mut pyramid = PyramidLemke::new(settings, &DenseOperator::with_capacity(6)).unwrap();
        let mut solver = newton(6, 10_000);
        let (mut sum, mut count, mut whole) = (0.0, 0, 0.0);
        for _ in 0..40 {
            // Soft parts that rest on six contacts and slide: W is dominated by its diagonal.
            let (mut w, mut list) = random(&mut seed, 6, 20, 0.0, &|_| 0.1);
            (0..18).for_each(|k| w[k * 18 + k] += 60.0);
            let slide = std::f64::consts::TAU * unit(&mut seed);
            list.iter_mut()
                .for_each(|c| c.free = Vec3::new(-1.0 - 0.2 * unit(&mut seed), 3.0 * slide.cos(), 3.0 * slide.sin()));
            let problem = problem(&w, &list, 6);
            solver.forget();
            let exact = solver.solve(&problem).unwrap();
            assert_eq!(exact.verdict, ConeVerdict::Solved);
            let snapped = pyramid.solve(&problem).unwrap();
            assert_eq!(snapped.verdict, ConeVerdict::Solved, "{sides}: {:e}", snapped.residual);
            let (mut off, mut size) = (0.0, 0.0);
            for (a, b) in exact.forces.iter().zip(&snapped.forces) {
                sum += (a.yz() - b.yz()).norm() / a.yz().norm();
                count += 1;
                off += (a - b).norm_squared();
                size += a.norm_squared();
            }
            whole += f64::sqrt(off / size) / 40.0;
        }
        let (mean, law) = (sum / f64::from(count), std::f64::consts::PI / (2.0 * sides as f64));
        println!(
            "k = {sides}: tangential error {:.1} %, law {:.1} %; (26) over the whole vector {:.2} %",
            100.0 * mean,
            100.0 * law,
            100.0 * whole
        );
        assert!((mean / law - 1.0).abs() < within, "{sides}: {mean} {law}");
    }
}

#[test]
fn contacts_without_friction_by_lemke_are_those_of_gauss_seidel() {
    let mut seed = 12;
    let settings = PyramidSettings { sides: 0, tolerance: 1e-8, pivots: 10_000 };
    let mut lemke = PyramidLemke::new(settings, &DenseOperator::with_capacity(30)).unwrap();
    for contacts in [1, 5, 30] {
        let (mut w, list) = random(&mut seed, contacts, 3 * contacts + 4, 0.5, &|_| 0.0);
        (0..3 * contacts).for_each(|k| w[k * (3 * contacts + 1)] += 0.5);
        let problem = problem(&w, &list, 30);
        let answer = lemke.solve(&problem).unwrap().clone();
        assert_eq!(answer.verdict, ConeVerdict::Solved, "{:e}", answer.residual);
        let mut solver = newton(30, 10_000);
        let other = &solver.solve(&problem).unwrap().forces;
        let largest = other.iter().map(|f| f.norm()).fold(0.0, f64::max);
        for (a, b) in answer.forces.iter().zip(other) {
            assert!((a.x - b.x).abs() < 1e-6 * largest.max(1e-30));
        }
    }
}

#[test]
fn solves_allocate_nothing() {
    let mut seed = 3;
    let (w, list) = random(&mut seed, 8, 6, 0.5, &|seed| unit(seed));
    let problem = problem(&w, &list, 8);
    let mut solver = newton(8, 500);
    let mut pyramid =
        PyramidLemke::new(PyramidSettings { sides: 8, tolerance: 1e-7, pivots: 10_000 }, problem.operator()).unwrap();
    assert_eq!(allocations_of(|| solver.solve(&problem).map(|a| a.residual).unwrap_or(0.0)), 0);
    assert_eq!(allocations_of(|| pyramid.solve(&problem).map(|a| a.residual).unwrap_or(0.0)), 0);
}

#[test]
fn bad_settings_and_too_many_contacts_are_refused() {
    let operator = DenseOperator::with_capacity(2);
    let with = |sides: usize| PyramidLemke::new(PyramidSettings { sides, tolerance: 1e-6, pivots: 10 }, &operator);
    assert!(with(2).is_err() && with(65).is_err() && with(0).is_ok() && with(3).is_ok());
    let none = ConeNewtonSettings { first_sweeps: 0, ..ConeNewtonSettings::default() };
    assert!(ConeNewton::new(none, &operator).is_err());
    let mut seed = 1;
    let (w, list) = random(&mut seed, 3, 9, 0.0, &|_| 0.3);
    let large = problem(&w, &list, 3);
    assert!(newton(2, 10).solve(&large).is_err());
    assert!(with(4).unwrap().solve(&large).is_err());
}
