#![allow(missing_docs)]
use stiction::friction::*;
use stiction_reference::{families::*, sweep::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let fam = match a[1].as_str() {
        "Planar" => Family::Planar,
        "Corner" => Family::Corner,
        "ThreeWalls" => Family::ThreeWalls,
        "WideLimits" => Family::WideLimits,
        "WideStiffness" => Family::WideStiffness,
        "Wall" => Family::FrictionlessWall,
        x => Family::NearlyParallel { exponent: x[2..].parse().unwrap() },
    };
    let k = a[2].parse().unwrap();
    let seed = a[3].parse().unwrap();
    let load = match a[4].as_str() {
        "Holds" => Loading::Holds,
        "Slips" => Loading::Slips,
        "Edge" => Loading::Edge,
        _ => Loading::EdgeClose,
    };
    let cone = match a[5].as_str() {
        "disk" => Cone::Disk,
        "16i" => Cone::Polygon { sides: 16, fit: Fit::Inscribed },
        x => Cone::paper(x.parse().unwrap()),
    };
    let way = match a[6].as_str() {
        "lp" => Way::Lp,
        "qm" => Way::QpMass,
        "qs" => Way::QpStiffness,
        "h" => Way::Hold,
        _ => Way::HoldWithMemory,
    };
    let sample = generate(fam, k, seed, load, cone);
    let case = Case { sample, way, contacts: k, seed };
    let p = case.sample.problem().unwrap();
    let mut s = case.solver(&p, case.settings()).unwrap();
    println!("=== solve");
    let o = s.solve(&p).unwrap();
    println!(
        "{:?} it {} passes {} stalled {} rank {} {:?}",
        o.verdict, o.iterations, o.passes, o.stalled, o.rank, o.certificate
    );
    println!("{:?}", verify::verify(&p, o).check(1e-9));
}
