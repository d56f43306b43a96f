//! Every real mesh of `../shared/data`, baked with automatic signs, against brute force in double precision: distances to
//! all triangles, winding numbers of the file's own triangles, and the manifest's volume.

#[path = "common/exact.rs"]
mod exact;
#[path = "common/random.rs"]
mod random;

use exact::to_mesh;
use random::Random;
use std::path::{Path, PathBuf};
use stiction::spatial::Vec3;
use stiction_bake::diagnose::mend;
use stiction_bake::field::{FieldOptions, Fineness, build, mass};
use stiction_bake::{Mesh, Silent, import};

/// The winding number by its definition.
fn winding(p: Vec3, mesh: &Mesh) -> f64 {
    let angle = |[a, b, c]: [Vec3; 3]| {
        let [a, b, c] = [a - p, b - p, c - p];
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        2.0 * a.dot(&b.cross(&c)).atan2(la * lb * lc + b.dot(&c) * la + c.dot(&a) * lb + a.dot(&b) * lc)
    };
    mesh.triangles().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.join("MANIFEST.tsv").is_file() {
        return Some(folder);
    }
    println!("SKIP: {} is not there, so no real mesh was baked", folder.display());
    None
}

#[test]
fn real_meshes_have_exact_distances_and_right_signs() {
    let Some(folder) = data() else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut rows = manifest.lines();
    let columns: Vec<&str> = rows.next().unwrap().split('\t').collect();
    let column = |name: &str| columns.iter().position(|c| *c == name).unwrap();
    let mut random = Random(17);
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let name = cells[column("file")];
        let imported = import::read(&folder.join(name), &import::ImportOptions::default()).unwrap();
        let mended = mend(&imported.mesh);
        let options =
            FieldOptions { fineness: Fineness::Resolution(96), thicken: Some(0.0), ..FieldOptions::default() };
        let (field, report) = build(&mended, &options, &Silent).unwrap();
        let h = field.lattice().spacing;
        let (bounds, nodes) = (field.lattice().bounds(), field.lattice().nodes());
        for _ in 0..60 {
            let node = field.lattice().position(nodes.map(|n| (random.unit() * n as f64) as usize));
            let expected = to_mesh(node, &imported.mesh);
            let got = field.distance(node);
            if got < 0.0 && report.buried_faces > 0 && -got > expected {
                // Deeper than the nearest face of the file, which is inside: then so is all of the ball around the node.
                for _ in 0..20 {
                    let direction = random.point(Vec3::repeat(-1.0), Vec3::repeat(1.0)).normalize();
                    let p = node + direction * (-got * (1.0 - 1e-3));
                    assert!(winding(p, &imported.mesh) > 0.5, "{name}: not {got} deep at {node}");
                }
                continue;
            }
            assert!(
                (got.abs() - expected).abs() <= 1e-5 * 96.0 * h,
                "{name}: {got} for {expected} at {node}: {report:?}"
            );
        }
        for _ in 0..150 {
            let p = random.point(bounds.min, bounds.max);
            if to_mesh(p, &imported.mesh) > h {
                let inside = winding(p, &imported.mesh) > 0.5;
                assert_eq!(field.distance(p) < 0.0, inside, "{name}: sign at {p}: {report:?}");
            }
        }
        let volume: f64 = cells[column("volume")].parse().unwrap();
        let got = mass(&field).volume;
        // As if the whole surface were off by a tenth of a voxel: edges are rounded by about that.
        let area: f64 = mended.mesh.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
        let layer = (got - volume).abs() / (area * h);
        assert!(layer < 0.1, "{name}: volume {got}, manifest {volume}: {layer} voxels all over");
    }
}
