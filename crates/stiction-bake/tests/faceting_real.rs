//! The faceting error of real parts.

mod common;

use common::{data, read};
use stiction_bake::diagnose::mend;
use stiction_bake::faceting::measure;

#[test]
fn table() {
    let Some(folder) = data() else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    for row in manifest.lines().skip(1) {
        let name = row.split('\t').next().unwrap();
        let mesh = read(&folder.join(name));
        let mended = mend(&mesh);
        let start = std::time::Instant::now();
        let f = measure(&mended);
        let time = start.elapsed().as_secs_f64();
        let b = mesh.bounds().unwrap();
        println!("{name:<70} size {:8.4} faces {:6} {:?} {time:.3}s", (b.max - b.min).amax(), mesh.faces.len(), f.summary);
        let mut seen: Vec<(f64, f64, f64)> = f.faces.iter().filter(|e| e.sagitta > 0.0).map(|e| (e.sagitta, e.angle.to_degrees(), 1.0 / e.curvature)).collect();
        seen.sort_by(|a, b| b.0.total_cmp(&a.0));
        seen.dedup_by(|a, b| (a.0 - b.0).abs() < 0.02 * a.0);
        for s in seen.iter().take(14) {
            print!("  {:.4}@{:.1}°R{:.3}", s.0, s.1, s.2);
        }
        println!();
    }
}
