//! Times the solvers on the contact problems of the clip as it is pushed on a pipe and pulled off: `cargo run --release -p stiction-fem --example clip_solvers`.

#[path = "../tests/support/clip.rs"]
mod clip;

use clip::{HAND, clip_and_pipe, clip_body, clip_settings, made};
use std::time::Instant;
use stiction::delassus::{
    ConeNewton, ConeNewtonSettings, GaussSeidel, GaussSeidelSettings, PyramidLemke, PyramidSettings, SolveLimits,
};
use stiction::spatial::{Pose, Vec3, join};
use stiction_fem::world::{DeformableWorld, HandMotion};

fn main() {
    for (cells, friction, capacity, reach) in
        [(2.0, 0.0, 30, 0.6e-3), (2.0, 0.2, 20, 0.6e-3), (2.0, 0.2, 40, 0.6e-3), (2.5, 0.2, 100, 1.2e-3)]
    {
        let (mesh, model) = made(cells);
        let begin = Instant::now();
        let (compliance, surface) = clip_body(&mesh, &model);
        let baked = begin.elapsed();
        let settings = clip_settings(1e-3, friction, capacity, reach);
        let mut world = DeformableWorld::new(settings, clip_and_pipe(&compliance, &surface), &[HAND]).unwrap();
        let limits = SolveLimits { tolerance: 1e-6, passes: 5000 };
        let sweeps = GaussSeidelSettings { limits, ..GaussSeidelSettings::default() };
        let mut names = vec!["sweeps warm", "Newton warm", "sweeps cold", "Newton cold"];
        let mut plain = [0; 2].map(|_| GaussSeidel::new(sweeps, world.problem().operator()).unwrap());
        let newton = ConeNewtonSettings { sweeps, ..ConeNewtonSettings::default() };
        let mut newton = [0; 2].map(|_| ConeNewton::new(newton, world.problem().operator()).unwrap());
        let sides = if friction > 0.0 { 8 } else { 0 };
        let mut lemke =
            PyramidLemke::new(PyramidSettings { sides, tolerance: 1e-6, pivots: 20_000 }, world.problem().operator())
                .unwrap();
        names.push(if sides == 0 { "Lemke" } else { "Lemke, 8 sides" });
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        let (mut whole, mut contacts, mut unsolved) = (Vec::new(), Vec::new(), vec![0; names.len()]);
        for step in 0..2400 {
            let share = f64::from(step) / 1200.0;
            let height = if share < 1.0 { 12e-3 * (1.0 - share) } else { 12e-3 * (share - 1.0) };
            let speed = if share < 1.0 { -10e-3 } else { 10e-3 };
            let hand = HandMotion {
                twist: join(Vec3::new(0.0, 0.0, speed), Vec3::zeros()),
                ..HandMotion::at(Pose::translation(0.0, 0.0, height))
            };
            let begin = Instant::now();
            world.step(&[hand]);
            whole.push(begin.elapsed().as_secs_f64());
            let problem = world.problem();
            // Those of full size alone.
            let counts = problem.len() == capacity;
            let mut time = |k: usize, solve: &mut dyn FnMut() -> bool| {
                let begin = Instant::now();
                let solved = solve();
                if counts {
                    times[k].push(begin.elapsed().as_secs_f64());
                    unsolved[k] += usize::from(!solved);
                }
            };
            contacts.push(world.report().active);
            time(0, &mut || plain[0].solve(problem).is_ok_and(|a| a.residual <= 1e-6));
            time(1, &mut || newton[0].solve(problem).is_ok_and(|a| a.residual <= 1e-6));
            plain[1].forget();
            newton[1].forget();
            time(2, &mut || plain[1].solve(problem).is_ok_and(|a| a.residual <= 1e-6));
            time(3, &mut || newton[1].solve(problem).is_ok_and(|a| a.residual <= 1e-6));
            if counts && step % 20 == 0 && capacity <= 40 {
                time(4, &mut || lemke.solve(problem).is_ok_and(|a| a.residual <= 1e-6));
            }
        }
        let at = |all: &mut Vec<f64>, share: f64| {
            all.sort_by(f64::total_cmp);
            all.get(((all.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(f64::NAN) * 1e6
        };
        println!(
            "{} tetrahedra, {} nodes can touch ({:.1} MB, made in {baked:.1?}), µ {friction}, {capacity} contacts in {} of 2400 steps, at most {} active; whole step {:.0} µs, 99 % below {:.0} µs",
            mesh.tetrahedra().len(),
            compliance.nodes().len(),
            compliance.bytes() as f64 / 1e6,
            times[0].len(),
            contacts.iter().max().unwrap_or(&0),
            at(&mut whole, 0.5),
            at(&mut whole, 0.99),
        );
        for ((name, times), unsolved) in names.iter().zip(&mut times).zip(&unsolved) {
            let count = times.len();
            println!(
                "    {name:16} {:8.1} µs, 99 % below {:8.1} µs, {unsolved} of {count} unsolved",
                at(times, 0.5),
                at(times, 0.99)
            );
        }
    }
}
