//! The diagnosis of small meshes made by hand, each with defects that can be counted on paper.

mod common;
use common::*;
use std::sync::atomic::{AtomicU64, Ordering};
use stiction::spatial::Vec3;
use stiction_bake::diagnose::{DiagnoseOptions, Diagnosis, SignAdvice, advise, diagnose, report};
use stiction_bake::{Mesh, Progress, Silent};

fn look(mesh: &Mesh) -> Diagnosis {
    diagnose(mesh, &DiagnoseOptions::default(), &Silent).unwrap()
}

/// A plate of 100 × 80 × 2 mm.
fn plate() -> Mesh {
    cube(Vec3::zeros(), Vec3::new(0.05, 0.04, 0.001), 4)
}

#[test]
fn a_cube_is_clean() {
    let d = look(&unit_cube());
    assert_eq!((d.triangles, d.points, d.points_welded, d.components), (12, 24, 8, 1));
    assert_eq!((d.open_edges, d.nonmanifold_edges, d.mismatched_edges, d.flipped_faces), (0, 0, 0, 0));
    assert_eq!((d.degenerate_faces, d.needle_faces, d.duplicate_faces, d.holes, d.sheet_faces), (0, 0, 0, 0, 0));
    assert!(d.watertight && d.mended_watertight && d.mended_oriented && !d.inside_out && !d.unorientable);
    assert_eq!((d.size_m, d.min_m, d.area_m2), ([1.0; 3], [-0.5; 3], 6.0));
    let c = d.largest_components[0];
    assert!(c.closed && !c.sheet && !c.nested && c.triangles == 12);
    assert!((c.volume_m3 - 1.0).abs() < 1e-15);
    assert_eq!((d.intersections.crossing_pairs, d.intersections.complete), (0, true));
}

#[test]
fn missing_faces_are_open_edges_and_holes() {
    let mut mesh = cube(Vec3::zeros(), Vec3::repeat(0.5), 4);
    // One triangle of a first side, and both triangles of a square on another.
    let gone = [5, 70, 71];
    let mut number = 0..;
    mesh.faces.retain(|_| !gone.contains(&number.next().unwrap()));
    let d = look(&mesh);
    assert_eq!((d.open_edges, d.holes), (7, 2));
    assert!((d.widest_holes[0].width_m - 0.25).abs() < 1e-12, "{:?}", d.widest_holes);
    assert_eq!((d.widest_holes[0].edges, d.widest_holes[1].edges), (4, 3));
    assert!(!d.watertight && !d.largest_components[0].closed && !d.largest_components[0].sheet);
}

#[test]
fn three_faces_at_an_edge_are_non_manifold() {
    let points = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::y()];
    let d = look(&Mesh { points, faces: vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]] });
    assert_eq!((d.nonmanifold_edges, d.open_edges, d.components), (1, 6, 1));
}

#[test]
fn winding_faults_are_counted() {
    let mut mesh = cube(Vec3::zeros(), Vec3::repeat(0.5), 4);
    // Two faces that do not touch: three edges each.
    mesh.faces[0].swap(1, 2);
    mesh.faces[101].swap(1, 2);
    let d = look(&mesh);
    assert_eq!((d.mismatched_edges, d.flipped_faces, d.inside_out), (6, 2, false));
    assert_eq!(advise(&d).sign, SignAdvice::WindingAfterReorienting);
    let d = look(&reversed(unit_cube()));
    assert_eq!((d.mismatched_edges, d.flipped_faces, d.inside_out), (0, 12, true));
}

#[test]
fn litter_is_counted() {
    let mut mesh = unit_cube();
    let f = mesh.faces[3];
    mesh.faces.extend([[0, 0, 1], [f[1], f[2], f[0]], [f[0], f[2], f[1]]]);
    // The same place under another number is the same point.
    mesh.points.push(mesh.points[0]);
    mesh.faces.push([0, 24, 2]);
    mesh.points.extend([0.0, 1.0, 3.0].map(|x| Vec3::new(x, x, 2.0 * x)));
    mesh.faces.push([25, 26, 27]);
    let d = look(&mesh);
    assert_eq!((d.triangles, d.degenerate_faces, d.duplicate_faces, d.needle_faces), (17, 2, 2, 1));
    assert!(d.mended_watertight);
}

#[test]
fn components_know_what_they_are() {
    let mut mesh = cube(Vec3::zeros(), Vec3::repeat(1.0), 2);
    mesh.append(&reversed(cube(Vec3::zeros(), Vec3::repeat(0.5), 2)));
    let mut flat = sheet(2);
    flat.points.iter_mut().for_each(|p| p.z += 3.0);
    mesh.append(&flat);
    let d = look(&mesh);
    assert_eq!(d.components, 3);
    let [outer, cavity, sheet] = [0, 1, 2].map(|i| d.largest_components[i]);
    assert!(outer.closed && !outer.nested && (outer.volume_m3 - 8.0).abs() < 1e-12);
    assert!(cavity.closed && cavity.nested && (cavity.volume_m3 + 1.0).abs() < 1e-12);
    assert!(sheet.sheet && !sheet.closed && sheet.volume_m3 == 0.0 && (sheet.area_m2 - 1.0).abs() < 1e-12);
    assert_eq!((d.sheet_faces, d.sheet_area_m2), (8, sheet.area_m2));
    assert!(advise(&d).thicken_m.is_some());
}

#[test]
fn walls_and_gaps_have_their_widths() {
    let options = DiagnoseOptions { voxel: Some(0.0011), ..Default::default() };
    let d = diagnose(&plate(), &options, &Silent).unwrap();
    let w = d.walls.unwrap();
    assert!((w.smallest_m - 0.002).abs() < 1e-15 && (w.percentile_1_m - 0.002).abs() < 1e-15);
    // Both lids, of the whole surface.
    let (lids, rim) = (2.0 * 0.1 * 0.08, 2.0 * 0.002 * (0.1 + 0.08));
    assert!((w.share_below_2_voxels - lids / (lids + rim)).abs() < 1e-3, "{}", w.share_below_2_voxels);
    assert!(d.gaps.is_none());
    let mut two = plate();
    let mut other = plate();
    other.points.iter_mut().for_each(|p| p.z += 0.005);
    two.append(&other);
    let d = diagnose(&two, &options, &Silent).unwrap();
    let g = d.gaps.unwrap();
    assert!((g.smallest_m - 0.003).abs() < 1e-15 && (g.median_m - 0.003).abs() < 1e-15);
    assert_eq!(g.share_below_2_voxels, 0.0);
    assert!((d.walls.unwrap().smallest_m - 0.002).abs() < 1e-15, "a wall ends where the plate does");
}

#[test]
fn thin_walls_ask_for_small_voxels() {
    let d = look(&plate());
    let a = advise(&d);
    // 2 mm in 100 mm, three voxels thick: 150 along the longest side would do, 256 is the least suggested.
    assert_eq!(a.resolution, 256);
    let mut thin = plate();
    thin.points.iter_mut().for_each(|p| p.z *= 0.3);
    let a = advise(&look(&thin));
    assert!(f64::from(a.resolution) * 0.0006 / 0.1 >= 3.0 && a.resolution < 600, "{}", a.resolution);
    thin.points.iter_mut().for_each(|p| p.z *= 0.001);
    assert_eq!(advise(&look(&thin)).resolution, 512);
}

#[test]
fn units_are_guessed_from_size() {
    let guess = |size: f64, scale: f64| {
        let mesh = cube(Vec3::zeros(), Vec3::repeat(0.5 * size * scale), 1);
        diagnose(&mesh, &DiagnoseOptions { metres_per_unit: scale, ..Default::default() }, &Silent).unwrap().unit
    };
    assert_eq!((guess(62.0, 0.001).likely_unit, guess(62.0, 0.001).doubtful), (Some("mm"), false));
    assert_eq!((guess(62.0, 1.0).likely_unit, guess(62.0, 1.0).doubtful), (Some("mm"), true));
    assert_eq!((guess(0.062, 1.0).likely_unit, guess(0.062, 1.0).doubtful), (Some("m"), false));
    let unsure = guess(6.2, 1.0);
    assert_eq!((unsure.likely_unit, unsure.doubtful), (None, false));
    for part in ["reads 6.2", "in mm, the part is 6.2 mm", "in m, 6.2 m", "in cm, 62 mm", "in inches, 157 mm"] {
        assert!(unsure.reason.contains(part), "{}", unsure.reason);
    }
}

#[test]
fn the_command_can_be_pasted() {
    let a = advise(&look(&plate()));
    assert_eq!(
        a.command("parts/plate.stl", "mm"),
        "stiction bake parts/plate.stl -o parts/plate.shape --unit mm --resolution 256 --sign winding --shell 17000"
    );
    assert!(
        a.command("my 'part'.obj", "")
            .starts_with("stiction bake 'my '\\''part'\\''.obj' -o 'my '\\''part'\\''.shape' --res")
    );
    let a = advise(&look(&sheet(4)));
    assert_eq!(a.sign, SignAdvice::Offset);
    assert!(a.command("s.stl", "m").ends_with("--sign offset --thicken 7.81mm"), "{}", a.command("s.stl", "m"));
}

#[test]
fn words_say_what_numbers_mean() {
    let mut mesh = plate();
    mesh.faces.remove(100);
    mesh.faces[3].swap(1, 2);
    let d = look(&mesh);
    let text = report(&d, &advise(&d), 110);
    for part in [
        "100 mm × 80 mm × 2 mm",
        "3 edges belong to only one face",
        "1 hole, the largest",
        "1 face will be turned",
        "Median thickness 2 mm",
    ] {
        let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(part), "{part} is missing in\n{text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 111), "{text}");
}

#[test]
fn json_has_units_in_its_names() {
    let json = serde_json::to_value(look(&unit_cube())).unwrap();
    assert_eq!(json["size_m"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(json["largest_components"][0]["triangles"], 12);
    assert_eq!(json["unit"]["longest_in_file"], 1.0);
    assert!(json["intersections"]["complete"].as_bool().unwrap());
    assert!(serde_json::to_value(advise(&look(&sheet(3)))).unwrap()["sign"] == "offset");
}

#[test]
fn nothing_at_all_is_diagnosed() {
    for mesh in [Mesh::default(), Mesh { points: vec![Vec3::x(); 3], faces: vec![[0, 1, 2], [1, 1, 1]] }] {
        let d = look(&mesh);
        assert_eq!((d.components, d.degenerate_faces, d.watertight), (0, mesh.faces.len(), false));
        report(&d, &advise(&d), 110);
    }
}

/// Stops after so many questions.
struct Impatient(AtomicU64);

impl Progress for Impatient {
    fn stage(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn cancelled(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

#[test]
fn a_diagnosis_stops_when_told() {
    let mesh = torus(60, 40);
    let options = DiagnoseOptions::default();
    for questions in [1, 2, 9, 12] {
        assert!(diagnose(&mesh, &options, &Impatient(AtomicU64::new(questions))).is_err(), "{questions}");
    }
    assert!(diagnose(&mesh, &options, &Impatient(AtomicU64::new(10_000))).is_ok());
}

#[test]
fn a_diagnosis_does_not_depend_on_threads() {
    let mut mesh = both(torus(60, 40), &cube(Vec3::x(), Vec3::repeat(0.7), 9));
    mesh.faces.drain(77..80);
    mesh.append(&sheet(9));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| serde_json::to_string(&look(&mesh)).unwrap())
    };
    assert_eq!(on(1), on(5));
}
