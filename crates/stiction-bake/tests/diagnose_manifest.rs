//! Real parts.
mod common;
use common::*;
use stiction_bake::diagnose::mend;

#[test]
fn parts() {
    let Some(folder) = data() else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    for line in manifest.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let mesh = read(&folder.join(row[0]));
        let t = std::time::Instant::now();
        let m = mend(&mesh);
        println!(
            "{} {} -> {} tight {} oriented {} hole {:e} sheets {} bodies {} {:?}",
            row[0],
            mesh.faces.len(),
            m.mesh.faces.len(),
            m.watertight,
            m.oriented,
            m.hole,
            m.sheet.iter().filter(|s| **s).count(),
            m.body.iter().max().unwrap() + 1,
            t.elapsed()
        );
    }
}
