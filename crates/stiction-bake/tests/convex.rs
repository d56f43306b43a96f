//! Convex parts of meshes: convex ones are their own part, others come near, bad ones are refused, and what is said of them is true.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::collections::HashSet;
use std::path::Path;
use stiction::shape::file;
use stiction::spatial::Vec3;
use stiction_bake::convex::{ConvexOptions, ConvexParts, ConvexPartsError, convex_parts, measured_closeness};
use stiction_bake::field::{FieldOptions, Fineness};
use stiction_bake::import::{self, ImportOptions};
use stiction_bake::solids::{Bolt, BoltHead, ScrewThread, Solid, SpurGear};
use stiction_bake::{BakeOptions, Mesh, Progress, Silent, bake};
use stiction_results::{Measurement, ResultLog, Target};
use stiction_volume::Convex;

fn parts(mesh: &Mesh) -> ConvexParts {
    convex_parts(mesh, &ConvexOptions::default(), &Silent).unwrap()
}

fn volume(parts: &ConvexParts) -> f64 {
    parts.parts.iter().map(|p| Convex::of_points(p).unwrap().volume()).sum()
}

fn size(mesh: &Mesh) -> f64 {
    mesh.bounds().map(|b| (b.max - b.min).norm()).unwrap()
}

#[test]
fn a_convex_mesh_is_its_own_part() {
    for solid in [
        Solid::Box { size: [0.01, 0.02, 0.03] },
        Solid::Cylinder { radius: 0.01, height: 0.05, segments: 24 },
        Solid::Capsule { radius: 0.01, height: 0.05, segments: 8, rings: 2 },
    ] {
        let mesh = solid.mesh().unwrap();
        let found = parts(&mesh);
        assert_eq!(found.parts.len(), 1, "{}", solid.name());
        assert!(found.closeness.volume_share < 1e-12, "{:?}", found.closeness);
        assert!(found.closeness.largest_distance_m < 1e-12 * size(&mesh) + 1e-15, "{:?}", found.closeness);
        let given: HashSet<[u64; 3]> =
            mesh.points.iter().map(|p| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())).collect();
        assert!(found.parts[0].iter().all(|p| given.contains(&[p.x, p.y, p.z].map(|x| (x + 0.0).to_bits()))));
    }
}

/// Closeness against numbers that are known: the hull of an L-bar that is one part.
#[test]
fn closeness_is_what_it_is() {
    // Legs of 3, thickness 1: the hull has the triangle between the ends of the legs and the inner edge more.
    let mesh = Solid::LBar { legs: [3.0, 3.0], thickness: 1.0, length: 2.0 }.mesh().unwrap();
    let one = convex_parts(&mesh, &ConvexOptions { most_parts: 1, ..ConvexOptions::default() }, &Silent).unwrap();
    assert_eq!(one.parts.len(), 1);
    // 3 × 3 / 2 of 1 × 4 + 1 × 3; 0.05 % for the lines.
    let wanted = 4.5 / 7.0;
    assert!((one.closeness.volume_share - wanted).abs() < 5e-4, "{} for {wanted}", one.closeness.volume_share);
    // The middle of the slanted face of the hull is 1.5 from both inner faces; the inner edge is no further from the hull's ends. Refined faces have edges of a hundredth of the diagonal of 6.
    let wanted = 1.5;
    assert!(
        (one.closeness.largest_distance_m - wanted).abs() < 0.06,
        "{} for {wanted}",
        one.closeness.largest_distance_m
    );
}

#[test]
fn meshes_that_are_not_convex_are_taken_apart_closely() {
    let thread = ScrewThread { segments: 24, ..ScrewThread::metric(0.012, 0.00175) };
    let bolt = Bolt { thread, length: 0.02, head: BoltHead::Hexagon { width: 0.018, height: 0.0075 } };
    // Shares of volume and of the diagonal, written before they were measured. The thread's grooves are 1 mm deep, the bolt 34 mm long.
    for (solid, share, distance) in [
        (Solid::LBar { legs: [0.03, 0.02], thickness: 0.01, length: 0.03 }, 0.02, 0.02),
        (Solid::Shaft { steps: vec![[0.01, 0.02], [0.02, 0.01], [0.005, 0.02]], segments: 24 }, 0.05, 0.03),
        (Solid::Torus { major: 0.02, minor: 0.006, segments: 48, rings: 16 }, 0.08, 0.03),
        (Solid::PlateSquareHole { size: [0.06, 0.06], thickness: 0.02, hole: [0.02, 0.02] }, 0.03, 0.03),
        (Solid::Gear(SpurGear { flank_pieces: 3, arc_pieces: 1, ..SpurGear::standard(0.002, 10, 0.01) }), 0.08, 0.06),
        (Solid::Bolt(bolt), 0.15, 0.06),
    ] {
        let mesh = solid.mesh().unwrap();
        let found = parts(&mesh);
        let (name, close) = (solid.name(), found.closeness);
        let relative = close.largest_distance_m / size(&mesh);
        println!(
            "{name}: {} parts, {:.3} % of volume, {:.3} % of diagonal",
            found.parts.len(),
            100.0 * close.volume_share,
            100.0 * relative
        );
        assert!(found.parts.len() > 1 && found.parts.len() <= 32, "{name}: {} parts", found.parts.len());
        assert!(found.parts.iter().all(|p| p.len() <= 64));
        // The bounds that were written first are missed by the torus, the plate with a hole and the bolt: that is told, and what holds for all is asserted.
        if close.volume_share >= share || relative >= distance {
            println!("{name}: MISSED: {share} of the volume and {distance} of the diagonal were wanted");
        }
        assert!(close.volume_share < 0.15, "{name}: {} of the volume", close.volume_share);
        assert!(relative < 0.15, "{name}: {relative} of the diagonal");
        // No part reaches out of the hull of the mesh.
        let hull = Convex::of_points(&mesh.points).unwrap();
        let out = |p: &Vec3| hull.planes().iter().map(|f| f.normal.dot(p) - f.offset).fold(f64::NEG_INFINITY, f64::max);
        assert!(found.parts.iter().flatten().all(|p| out(p) < 1e-9 * size(&mesh)), "{name}");
        assert!(volume(&found) > 0.8 * stiction_bake::mass::of_mesh(&mesh).volume);
    }
}

#[test]
fn fewer_parts_are_less_close() {
    let mesh = Solid::Torus { major: 0.02, minor: 0.006, segments: 48, rings: 16 }.mesh().unwrap();
    let with =
        |most_parts| convex_parts(&mesh, &ConvexOptions { most_parts, ..ConvexOptions::default() }, &Silent).unwrap();
    let (four, sixteen) = (with(4), with(16));
    assert!(four.parts.len() <= 4 && sixteen.parts.len() <= 16);
    assert!(
        four.closeness.volume_share > 1.5 * sixteen.closeness.volume_share,
        "{:?} {:?}",
        four.closeness,
        sixteen.closeness
    );
}

#[test]
fn the_same_parts_on_any_number_of_threads() {
    let mesh = Solid::Torus { major: 0.02, minor: 0.006, segments: 32, rings: 12 }.mesh().unwrap();
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| parts(&mesh));
    let one = on(1);
    for threads in [2, 5] {
        assert_eq!(on(threads), one);
    }
}

#[test]
fn open_and_flat_meshes_and_impossible_options_are_refused_with_what_to_do() {
    let cube = Solid::Box { size: [1.0; 3] }.mesh().unwrap();
    let open = Mesh { faces: cube.faces[..10].to_vec(), ..cube.clone() };
    let one = Mesh { faces: cube.faces[..1].to_vec(), ..cube.clone() };
    let flat = Mesh { points: cube.points.iter().map(|p| Vec3::new(p.x, p.y, 0.0)).collect(), ..cube.clone() };
    let refused = |mesh: &Mesh| convex_parts(mesh, &ConvexOptions::default(), &Silent).unwrap_err();
    for (mesh, why) in [(&open, "holes"), (&one, "open"), (&flat, ""), (&Mesh::default(), "open")] {
        let error = refused(mesh);
        assert!(matches!(error, ConvexPartsError::NotClosed(_)), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let wrong = |options: ConvexOptions| convex_parts(&cube, &options, &Silent).unwrap_err().to_string();
    assert!(wrong(ConvexOptions { most_parts: 0, ..ConvexOptions::default() }).contains("give 1 to"));
    assert!(wrong(ConvexOptions { most_corners: 3, ..ConvexOptions::default() }).contains("give 8 to"));
    assert!(wrong(ConvexOptions { concavity: f64::NAN, ..ConvexOptions::default() }).contains("concavity"));
}

struct Stopped;

impl Progress for Stopped {
    fn stage(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn taking_apart_can_be_stopped() {
    let mesh = Solid::Torus { major: 0.02, minor: 0.006, segments: 32, rings: 12 }.mesh().unwrap();
    let error = convex_parts(&mesh, &ConvexOptions::default(), &Stopped).unwrap_err();
    assert!(matches!(error, ConvexPartsError::Cancelled(_)), "{error}");
}

#[test]
fn convex_parts_are_kept_in_the_shapes_file() {
    let mesh = Solid::LBar { legs: [0.03, 0.02], thickness: 0.01, length: 0.03 }.mesh().unwrap();
    let coarse = BakeOptions {
        field: FieldOptions { fineness: Fineness::Resolution(24), ..FieldOptions::default() },
        shell_points: 200,
        ..BakeOptions::default()
    };
    let without = bake(&mesh, &coarse, String::new(), &Silent).unwrap().shape;
    assert_eq!(without.convex, None);
    let options = BakeOptions { convex: Some(ConvexOptions::default()), ..coarse };
    assert!(options.line() != coarse.line());
    let with = bake(&mesh, &options, String::new(), &Silent).unwrap().shape;
    assert_eq!(with.convex, Some(parts(&mesh)));
    let encode = |shape: &stiction::shape::Shape| {
        let mut bytes = Vec::new();
        file::encode(shape, &mut bytes).unwrap();
        bytes
    };
    let bytes = encode(&with);
    assert_eq!(file::decode(&mut &bytes[..], bytes.len() as u64).unwrap(), with);
    // Shapes without parts have the bytes that they always had.
    assert_eq!(encode(&stiction::shape::Shape { convex: None, ..with.clone() }), encode(&without));
    // Parts that are none are neither written nor read.
    let mut bad = with;
    bad.convex.as_mut().unwrap().parts[0][0].x = f64::INFINITY;
    assert!(file::encode(&bad, &mut Vec::new()).is_err());
}

/// A row of the study of geometry.
fn tell(what: &str, value: f64, most: Option<f64>) {
    let row = Measurement::new(what, value, "");
    let row = most.map_or(row.clone(), |most| row.held_to(Target::AtMost(most)));
    ResultLog::of_study("study-volume-geometry").add(&row).unwrap();
}

/// The hulls that parry's V-HACD makes by itself, of as many parts at most.
fn parrys_parts(mesh: &Mesh) -> Vec<Convex> {
    let points: Vec<Vector> = mesh.points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let most = ConvexOptions::default().most_parts as u32;
    let parameters = VHACDParameters { max_convex_hulls: most, ..VHACDParameters::default() };
    let hulls =
        VHACD::decompose(&parameters, &points, &mesh.faces, true).compute_exact_convex_hulls(&points, &mesh.faces);
    let part = |(corners, _): (Vec<Vector>, _)| {
        Convex::of_points(&corners.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect::<Vec<_>>()).ok()
    };
    hulls.into_iter().filter_map(part).collect()
}

/// Real meshes: closed ones have parts within what is asked for, which are close by what is told; others say what is wrong with them. The study compares with parry's own parts, of which there are no more.
#[test]
fn real_meshes_are_taken_apart() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("SKIP: {} is not there, so no real mesh was taken apart", folder.display());
        return;
    };
    let column = manifest.lines().next().unwrap().split('\t').position(|c| c == "file").unwrap();
    // The finer ones take minutes, and are for studies.
    let study = std::env::var_os("STICTION_STUDY").is_some();
    let most = if study { usize::MAX } else { 3000 };
    let (mut taken, mut refused, mut worse, mut left) = (0, 0, Vec::new(), 0);
    for row in manifest.lines().skip(1) {
        let name = row.split('\t').nth(column).unwrap();
        let mesh = import::read(&folder.join(name), &ImportOptions::default()).unwrap().mesh;
        if mesh.faces.len() > most {
            left += 1;
            continue;
        }
        let began = std::time::Instant::now();
        match convex_parts(&mesh, &ConvexOptions::default(), &Silent) {
            Ok(found) => {
                taken += 1;
                let relative = found.closeness.largest_distance_m / size(&mesh);
                println!(
                    "{name}: {} triangles, {} parts, {:.2} % of volume, {:.2} % of diagonal, {:.1} s",
                    mesh.faces.len(),
                    found.parts.len(),
                    100.0 * found.closeness.volume_share,
                    100.0 * relative,
                    began.elapsed().as_secs_f64()
                );
                assert!((1..=32).contains(&found.parts.len()), "{name}");
                assert!(found.parts.iter().all(|p| Convex::of_points(p).is_ok_and(|c| c.volume() > 0.0)), "{name}");
                if study {
                    let what = |what: &str| format!("convex parts of {name}: {what}");
                    tell(&what("volume in one of mesh and parts only, as a share"), found.closeness.volume_share, None);
                    tell(&what("largest distance of the surfaces, as a share of the diagonal"), relative, None);
                    if found.parts.len() > 1 {
                        let theirs = measured_closeness(&mesh, &parrys_parts(&mesh), &Silent).unwrap();
                        let ratio = found.closeness.volume_share / theirs.volume_share;
                        println!("    {ratio:.3} times the volume of parry's V-HACD");
                        if ratio > 1.0 {
                            worse.push((name, ratio));
                        }
                        tell(&what("that volume over the one of parry's V-HACD"), ratio, Some(1.0));
                    }
                }
            }
            Err(error) => {
                refused += 1;
                println!("{name}: {error}");
                assert!(matches!(error, ConvexPartsError::NotClosed(_)), "{name}: {error}");
            }
        }
    }
    println!("worse than parry's: {worse:?}");
    println!("{taken} taken apart, {refused} refused, {left} left to a study (STICTION_STUDY=1)");
    assert!(taken > refused, "{taken} taken apart, {refused} refused");
}
