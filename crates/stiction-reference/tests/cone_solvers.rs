//! Unilateral contacts with Coulomb friction on random Delassus operators: every answer that a solver calls solved is checked by plain matrices here, by a cone program, and against the fixed point of cone programs.
//!
//! Signorini's condition with Coulomb's law is not a cone program, so that no convex solver can be the oracle for the whole. Two checks stand in for it:
//!
//! - with s = µ‖u_t‖ of the answer itself, the forces must have the least energy of the cone program that Clarabel solves (each solution of the problem is a fixed point of these);
//! - where the iteration over cone programs from s = 0 comes to rest (V. Acary and F. Cadoux), its energy and motion are compared. Solutions need not be unique: other ones are counted, and each is checked by itself.
//!
//! `STICTION_STUDY=1` runs 10⁴ problems (and n times as many for n), `make test` a twentieth. Energies agree to 1e-6 of ‖q‖ times the forces (or the force that a mean contact needs to move by ‖q‖, where that is more), motions of well-conditioned W to 1e-5 of ‖q‖:
//! written down before the first run, but for the bracket, without which problems whose answer is no force at all had no scale.
//!
//! **Targets that were missed.** Written down before the first run as well, for a residual of 1e-8 within 20,000 passes and µ up to 1: graph intersection and exact rule solve 98 % of all problems, staggered projections 90 %, one of them 99 %. Found on the first 500: 94.0, 94.4, 87.2 and 96.2 %. What is not
//! solved are rigid parts that contacts lock from many sides with gaps of zero, where residuals fall slower than linearly (to 1e-5 to 1e-7 by then) and a solution need not exist; they are refused. The shares asserted below are no targets: they were set after that run, to notice when a solver gets worse. For µ up to 10
//! the share is told only.

use stiction::delassus::{
    ConeProblem, ConeVerdict, Delassus, DenseOperator, GaussSeidel, GaussSeidelSettings, LocalRule, SolveLimits,
    Staggered, StaggeredSettings, verify,
};
use stiction::spatial::Vec3;
use stiction_reference::families::{ConeFamily, Random, cone_problem};
use stiction_reference::{cone_fixed_point, cone_program, sliding};

const LIMITS: SolveLimits = SolveLimits { tolerance: 1e-8, passes: 20_000 };
const ENERGY: f64 = 1e-6;
const MOTION: f64 = 1e-5;

/// u = W r + q by the blocks of W.
fn velocities(p: &ConeProblem<DenseOperator>, r: &[Vec3]) -> Vec<Vec3> {
    let moved = |i: usize| r.iter().enumerate().map(|(j, r)| p.operator().block(i, j) * r).sum::<Vec3>();
    p.contacts().iter().enumerate().map(|(i, c)| moved(i) + c.free).collect()
}

fn size(v: &[Vec3]) -> f64 {
    v.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

fn free(p: &ConeProblem<DenseOperator>) -> Vec<Vec3> {
    p.contacts().iter().map(|c| c.free).collect()
}

/// What is left of the laws, said as a mechanic would: gaps that close, forces that pull, forces across open gaps, friction beyond its limit, friction that does not oppose slip. As a share of ‖q‖, forces by the contact's own compliance.
fn plain_error(p: &ConeProblem<DenseOperator>, r: &[Vec3]) -> f64 {
    let mut worst = 0.0f64;
    for (i, (u, (c, r))) in velocities(p, r).iter().zip(p.contacts().iter().zip(r)).enumerate() {
        let w = p.operator().diagonal(i).trace() / 3.0;
        let (slip, friction, limit) = (u.y.hypot(u.z), r.y.hypot(r.z), c.mu * r.x);
        let both = (w * r.x).min(u.x);
        // Of what friction could dissipate, what it does not: a length times a velocity, told by its smaller factor.
        let missing = limit * slip + r.y * u.y + r.z * u.z;
        let lazy = if slip > 0.0 { (w * missing / slip).min(missing / limit.max(1e-300)) } else { 0.0 };
        worst = worst.max(-u.x).max(-w * r.x).max(both).max(w * (friction - limit)).max(lazy);
    }
    worst / size(&free(p)).max(1e-300)
}

/// The energy of the cone program with s.
fn energy(p: &ConeProblem<DenseOperator>, r: &[Vec3], shift: &[f64]) -> f64 {
    let u = velocities(p, r);
    let parts = u.iter().zip(p.contacts()).zip(r).zip(shift);
    parts.map(|(((u, c), r), s)| 0.5 * r.dot(&(u + c.free)) + s * r.x).sum()
}

#[derive(Default)]
struct Tally {
    solved: usize,
    refused: usize,
    passes: f64,
}

/// Solvers by name, made for a problem.
fn answers(p: &ConeProblem<DenseOperator>) -> Vec<(&'static str, ConeVerdict, f64, u32, Vec<Vec3>)> {
    let mut out = Vec::new();
    for rule in LocalRule::ALL {
        let settings = GaussSeidelSettings { rule, limits: LIMITS, warm_start: false };
        let mut solver = GaussSeidel::new(settings, p.operator()).unwrap();
        let a = solver.solve(p).unwrap();
        out.push((rule.name(), a.verdict, a.residual, a.passes, a.forces.clone()));
    }
    let settings = StaggeredSettings { limits: LIMITS, warm_start: false, ..StaggeredSettings::default() };
    let mut solver = Staggered::new(settings, p.operator()).unwrap();
    let a = solver.solve(p).unwrap();
    out.push(("staggered", a.verdict, a.residual, a.passes, a.forces.clone()));
    out
}

#[test]
fn answers_satisfy_signorini_and_coulomb() {
    let study = std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse::<f64>().ok());
    let count = study.map_or(500, |n| (10_000.0 * n) as u64);
    let names = ["graph-intersection", "bipotential", "exact", "staggered"];
    // µ up to 1, then up to 10.
    let mut tallies: Vec<[Tally; 2]> = (0..names.len()).map(|_| Default::default()).collect();
    let (mut any, mut asked) = ([0usize; 2], [0usize; 2]);
    let (mut programs, mut rests, mut others, mut restless) = (0, 0, 0, 0);
    for seed in 0..count {
        let family = ConeFamily::ALL[seed as usize % ConeFamily::ALL.len()];
        let mut random = Random::new(seed ^ 0xc0de);
        let large = random.below(2);
        let mu = [random.uniform(0.0, 1.0), random.uniform(1.0, 10.0)][large];
        let p = cone_problem(family, 1 + random.below(12), mu, seed).unwrap();
        let q = size(&free(&p));
        let mean = (0..p.len()).map(|i| p.operator().diagonal(i).trace()).sum::<f64>() / (3 * p.len()) as f64;
        let what = format!("{} seed {seed}, {} contacts, µ {mu:.2}", family.name(), p.len());
        asked[large] += 1;
        let mut first_solved = None;
        for (number, (name, verdict, residual, passes, forces)) in answers(&p).into_iter().enumerate() {
            let tally = &mut tallies[number][large];
            assert_eq!(names[number], name);
            assert!(forces.iter().all(|r| r.iter().all(|x| x.is_finite())), "{name} on {what}: not finite");
            if verdict == ConeVerdict::NotConverged {
                assert!(residual > LIMITS.tolerance, "{name} on {what}");
                tally.refused += 1;
                continue;
            }
            tally.solved += 1;
            tally.passes += f64::from(passes);
            // The natural map bounds each of these up to a factor that µ brings in.
            let plain = plain_error(&p, &forces);
            assert!(plain <= 10.0 * (1.0 + mu) * LIMITS.tolerance, "{name} on {what}: laws are missed by {plain:.1e}");
            let shift = sliding(&p, &forces);
            if let Some(theirs) = cone_program(&p, &shift) {
                let scale = q * size(&forces).max(size(&theirs)).max(q / mean);
                let off = energy(&p, &forces, &shift) - energy(&p, &theirs, &shift);
                assert!(off.abs() <= ENERGY * scale, "{name} on {what}: not the least energy, by {:.1e}", off / scale);
                programs += 1;
            }
            first_solved.get_or_insert(forces);
        }
        let Some(ours) = first_solved else { continue };
        any[large] += 1;
        let Some((theirs, _)) = cone_fixed_point(&p, 1e-9, 60) else {
            restless += 1;
            continue;
        };
        let residual = verify::residual(&p, &theirs, &mut Vec::new());
        let scale = q * size(&ours).max(size(&theirs)).max(q / mean);
        let shift = sliding(&p, &theirs);
        let off = (energy(&p, &ours, &shift) - energy(&p, &theirs, &shift)).abs() / scale;
        let moved: f64 =
            velocities(&p, &ours).iter().zip(velocities(&p, &theirs)).map(|(a, b)| (a - b).norm_squared()).sum();
        let same = off <= ENERGY && (!family.well_conditioned() || moved.sqrt() <= MOTION * q);
        if same {
            rests += 1;
        } else {
            // Another solution: it must be one by itself, as far as Clarabel tells it.
            others += 1;
            assert!(
                residual <= 1e-4,
                "{what}: the fixed point of cone programs has a residual of {residual:.1e}, off by {off:.1e}"
            );
            assert!(
                !family.well_conditioned() || mu > 1.0,
                "{what}: two solutions, {off:.1e} and {:.1e} apart",
                moved.sqrt() / q
            );
        }
    }
    println!("{count} problems, a residual of {:.0e} within {} passes:", LIMITS.tolerance, LIMITS.passes);
    for (name, [small, large]) in names.iter().zip(&tallies) {
        let told = |t: &Tally, asked: usize| {
            format!(
                "{} of {asked} ({:.1} %), {:.0} passes in the mean",
                t.solved,
                100.0 * t.solved as f64 / asked as f64,
                t.passes / t.solved as f64
            )
        };
        println!("  {name:20} µ ≤ 1: {};  µ ≤ 10: {}", told(small, asked[0]), told(large, asked[1]));
    }
    println!("  one of them          µ ≤ 1: {} of {};  µ ≤ 10: {} of {}", any[0], asked[0], any[1], asked[1]);
    println!(
        "  {programs} answers have the least energy of their cone program; fixed points: {rests} the same, {others} other solutions, {restless} without rest"
    );
    let share = |n: usize, large: usize| n as f64 / asked[large] as f64;
    for (number, least) in [(0, 0.90), (2, 0.90), (3, 0.80)] {
        let found = share(tallies[number][0].solved, 0);
        assert!(found >= least, "{} solved {:.1} % for µ ≤ 1", names[number], 100.0 * found);
    }
    assert!(share(any[0], 0) >= 0.93);
}
