//! Writes random contact problems as JSON lines, for solvers in other languages.
//!
//! One object per line: `seed`, `load` (fraction of what friction can hold), `sides`, `reach` (right-hand side of (37) per newton of limit), `wrench` (6),
//! `stiffness` and `mass` (6 x 6, by rows), `contacts` with `point`, `tangent_u`, `tangent_v` and `limit`. SI units.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use stiction::contact::ContactProblem;
use stiction::friction::Cone;
use stiction::spatial::Mat6;
use stiction_reference::families::{Family, Loading, generate};

const HELP: &str = "\
Write random contact problems as JSON lines to standard output.

Usage: export-problems [OPTIONS]

  --count N       how many problems (default 100)
  --contacts K    contacts in each (default 98)
  --sides L       sides of the friction polygon, circumscribed (default 8)
  --load NAME     holds, slips or edge (default holds)
  --family NAME   plane, corner, walls, peg or random (default plane)
  --seed S        seed of the first problem; the others follow (default 0)
  --help          this text
";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("export-problems: {message}\nTry --help.");
            ExitCode::from(2)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut count, mut contacts, mut sides, mut seed) = (100u64, 98usize, 8usize, 0u64);
    let (mut family, mut loading) = (Family::Planar, Loading::Holds);
    while let Some(flag) = args.next() {
        if flag == "--help" || flag == "-h" {
            print!("{HELP}");
            return Ok(());
        }
        let value = args.next().ok_or(format!("{flag} needs a value, or is not an option"))?;
        let bad = |e: &dyn std::fmt::Display| format!("{flag} {value}: {e}");
        match flag.as_str() {
            "--count" => count = value.parse().map_err(|e| bad(&e))?,
            "--contacts" => contacts = value.parse().map_err(|e| bad(&e))?,
            "--sides" => sides = value.parse().map_err(|e| bad(&e))?,
            "--seed" => seed = value.parse().map_err(|e| bad(&e))?,
            "--load" => {
                loading = match value.as_str() {
                    "holds" => Loading::Holds,
                    "slips" => Loading::Slips,
                    "edge" => Loading::Edge,
                    _ => return Err(bad(&"not holds, slips or edge")),
                }
            }
            "--family" => {
                family = match value.as_str() {
                    "plane" => Family::Planar,
                    "corner" => Family::Corner,
                    "walls" => Family::ThreeWalls,
                    "peg" => Family::Peg,
                    "random" => Family::RandomNormals,
                    _ => return Err(bad(&"not plane, corner, walls, peg or random")),
                }
            }
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    if !(3..=Cone::MAX_SIDES).contains(&sides) {
        return Err(format!("--sides {sides}: a polygon has 3 to {}", Cone::MAX_SIDES));
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for seed in seed..seed.saturating_add(count) {
        let sample = generate(family, contacts, seed, loading, Cone::paper(sides));
        let problem = sample.problem().map_err(|e| format!("seed {seed}: {e}"))?;
        let line = json(&problem, seed, sample.truth.fraction, sides);
        if writeln!(out, "{line}").is_err() {
            // The reader has seen enough.
            return Ok(());
        }
    }
    Ok(())
}

fn json(problem: &ContactProblem, seed: u64, load_factor: f64, sides: usize) -> String {
    let load = problem.load();
    let mut s = format!("{{\"seed\":{seed},\"load\":{load_factor:?},\"sides\":{sides},\"reach\":1.0");
    let _ = write!(s, ",\"wrench\":{}", list(load.wrench.iter()));
    let _ = write!(s, ",\"stiffness\":{},\"mass\":{}", rows(&load.stiffness), rows(&load.mass));
    s.push_str(",\"contacts\":[");
    for (i, c) in problem.contacts().iter().filter(|c| !c.is_separated()).enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let (point, u, v) = (list(c.point.iter()), list(c.tangent.iter()), list(c.tangent_v().iter()));
        let limit = c.mu_static * c.normal_force;
        let _ = write!(s, "{comma}{{\"point\":{point},\"tangent_u\":{u},\"tangent_v\":{v},\"limit\":{limit:?}}}");
    }
    s.push_str("]}");
    s
}

fn rows(m: &Mat6) -> String {
    let rows: Vec<String> = (0..6).map(|i| list(m.row(i).iter())).collect();
    format!("[{}]", rows.join(","))
}

/// `{:?}` of a finite f64 is the shortest decimal that reads back as the same bits, and valid JSON.
fn list<'a>(values: impl Iterator<Item = &'a f64>) -> String {
    let values: Vec<String> = values.map(|x| format!("{x:?}")).collect();
    format!("[{}]", values.join(","))
}
