//! Real parts: the defects that the manifest lists are found, no more and no fewer.
//!
//! Conventions of the manifest: points welded where equal, faces that name a point twice are degenerate and left out,
//! components joined over points, watertight if every edge has two faces however they are wound (04_37D-GEARMOTOR is
//! listed as watertight with three mismatched edges). Every row comes out exactly.

mod common;
use common::*;
use stiction_bake::Silent;
use stiction_bake::diagnose::{DiagnoseOptions, advise, diagnose_and_mend, report};

#[test]
fn every_part_has_the_defects_its_manifest_lists() {
    let Some(folder) = data() else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let head: Vec<&str> = manifest.lines().next().unwrap().split('\t').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let mut parts = 0;
    for line in manifest.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let listed = |name: &str| row[column(name)];
        let name = listed("file");
        let scale = match listed("units") {
            "m" => 1.0,
            "cm" => 0.01,
            "mm" => 0.001,
            other => panic!("{name}: unit {other}"),
        };
        let mut mesh = read(&folder.join(name));
        mesh.points.iter_mut().for_each(|p| *p *= scale);
        let options = DiagnoseOptions { metres_per_unit: scale, ..Default::default() };
        let start = std::time::Instant::now();
        let (d, mended) = diagnose_and_mend(&mesh, &options, &Silent).unwrap();
        println!("{name}: {:.0?}\n{}", start.elapsed(), report(&d, &advise(&d)));
        println!("{}\n", advise(&d).command(name, listed("units")));
        let found = [
            ("triangles", d.triangles),
            ("open_edges", d.open_edges),
            ("nonmanifold_edges", d.nonmanifold_edges),
            ("degenerate_faces", d.degenerate_faces),
            ("components", d.components),
        ];
        for (what, n) in found {
            assert_eq!(n.to_string(), listed(what), "{name}: {what}");
        }
        assert_eq!(if d.watertight { "yes" } else { "no" }, listed("watertight"), "{name}");
        // Volume of the mended faces against the one listed, which has six digits.
        let solid = mended.mesh.triangles().zip(&mended.sheet).filter(|(_, sheet)| !**sheet);
        let volume: f64 = solid.map(|([a, b, c], _)| a.dot(&b.cross(&c)) / 6.0).sum();
        let wanted: f64 = listed("volume").parse::<f64>().unwrap() * scale * scale * scale;
        // Of an open mesh the volume depends on the point it is taken about: by crack area times distance.
        let tolerance = if d.mended_watertight { 1e-5 } else { 1e-4 };
        assert!((volume - wanted).abs() <= tolerance * wanted, "{name}: {volume:e} {wanted:e}");
        for (k, name) in ["bbox_min", "bbox_max"].into_iter().enumerate() {
            let corner: Vec<f64> = listed(name).split(' ').map(|x| x.parse().unwrap()).collect();
            for axis in 0..3 {
                let ours = [d.min_m, d.max_m][k][axis] / scale;
                assert!((ours - corner[axis]).abs() <= 1e-5 * ours.abs() + 1e-12, "{name}: {ours} {corner:?}");
            }
        }
        assert!(mended.oriented, "{name}");
        parts += 1;
    }
    assert!(parts > 0);
}
