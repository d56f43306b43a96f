//! The twelve public problems of unilateral contact by Newton's method between sweeps, beside Gauss-Seidel: both to 1e-8, with the work of each.

use std::path::PathBuf;
use std::time::Instant;
use stiction::delassus::{ConeNewton, ConeNewtonSettings, ConeVerdict, GaussSeidel, GaussSeidelSettings, SolveLimits};
use stiction_reference::ConeFile;

#[test]
fn newton_solves_the_public_problems() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/friction-contact");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("SKIP: {} is missing, so no public contact problem was solved", folder.display());
        return;
    };
    let mut files: Vec<_> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 12);
    let mut solved = 0;
    for path in files {
        let file = ConeFile::read(&path).unwrap();
        let p = &file.problem;
        let limits = SolveLimits { tolerance: 1e-8, passes: if p.len() > 100 { 10_000 } else { 100_000 } };
        let sweeps = GaussSeidelSettings { limits, warm_start: true, ..GaussSeidelSettings::default() };
        let mut plain = GaussSeidel::new(sweeps, p.operator()).unwrap();
        let mut newton =
            ConeNewton::new(ConeNewtonSettings { sweeps, ..ConeNewtonSettings::default() }, p.operator()).unwrap();
        let start = Instant::now();
        let a = plain.solve(p).unwrap();
        let (sweeps_alone, sweeps_time) = (a.passes, start.elapsed());
        let start = Instant::now();
        let b = newton.solve(p).unwrap();
        let (verdict, residual, passes) = (b.verdict, b.residual, b.passes);
        let time = start.elapsed();
        println!(
            "{:34} {:4} contacts  sweeps alone {} {sweeps_alone:6} ({sweeps_time:.1?})  with Newton {} {residual:.1e} {passes:5} sweeps {:3} steps ({time:.1?})",
            file.name,
            p.len(),
            a.verdict.name(),
            verdict.name(),
            newton.newton_steps(),
        );
        solved += usize::from(verdict == ConeVerdict::Solved);
    }
    assert_eq!(solved, 12);
}
