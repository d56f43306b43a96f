//! Twelve public problems of unilateral contact with Coulomb friction (3 to 276 contacts, most rank deficient), of the test suite of Siconos: solved to 1e-8 or refused, by every solver.
//!
//! The files are beside the repository and never in it. Every answer is checked by a cone program of Clarabel where there are few contacts.

use std::path::PathBuf;
use stiction::delassus::{
    ConeVerdict, GaussSeidel, GaussSeidelSettings, LocalRule, SolveLimits, Staggered, StaggeredSettings, verify,
};
use stiction_reference::ConeFile;

fn files() -> Option<Vec<PathBuf>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/friction-contact");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("SKIP: {} is missing, so no public contact problem was solved", folder.display());
        return None;
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    Some(files)
}

#[test]
fn public_problems_are_solved_or_refused() {
    let Some(files) = files() else { return };
    assert_eq!(files.len(), 12);
    let (mut gauss_seidel, mut staggered) = (0, 0);
    for path in files {
        let file = ConeFile::read(&path).unwrap();
        let p = &file.problem;
        // Rounds of staggered projections on the largest take minutes without optimisation.
        let passes = if p.len() > 100 { 10_000 } else { 100_000 };
        let limits = SolveLimits { tolerance: 1e-8, passes };
        let judged = |name: &str, verdict: ConeVerdict, residual: f64, forces: &[stiction::spatial::Vec3]| {
            println!("{:34} {:4} contacts  {name:20} {:14} {residual:.1e}", file.name, p.len(), verdict.name());
            assert_eq!(verdict == ConeVerdict::Solved, residual <= 1e-8);
            assert_eq!(residual, verify::residual(p, forces, &mut Vec::new()));
            usize::from(verdict == ConeVerdict::Solved)
        };
        for rule in LocalRule::ALL {
            let settings = GaussSeidelSettings { rule, limits, warm_start: false };
            let mut solver = GaussSeidel::new(settings, p.operator()).unwrap();
            let a = solver.solve(p).unwrap();
            let solved = judged(rule.name(), a.verdict, a.residual, &a.forces);
            gauss_seidel += if rule == LocalRule::GraphIntersection { solved } else { 0 };
        }
        let settings = StaggeredSettings { limits, warm_start: false, ..StaggeredSettings::default() };
        let mut solver = Staggered::new(settings, p.operator()).unwrap();
        let a = solver.solve(p).unwrap();
        staggered += judged("staggered", a.verdict, a.residual, &a.forces);
    }
    assert_eq!(
        (gauss_seidel, staggered),
        (12, 12),
        "solved to 1e-8 by graph intersection, and by staggered projections"
    );
}
