//! Real parts from beside the repository: triangles, box and volume as their manifest has them.

use std::path::Path;
use stiction_bake::import::{ImportOptions, read};
use stiction_bake::mass::of_mesh;

#[test]
fn real_parts_have_the_triangles_box_and_volume_of_their_manifest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("SKIP: real parts: {} is missing", folder.display());
        return;
    };
    let mut lines = manifest.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut read_files = 0;
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |name: &str| fields[names.iter().position(|n| *n == name).unwrap()];
        let file = field("file");
        // In the file's own unit, as the manifest is.
        let imported = read(&folder.join(file), &ImportOptions::default()).unwrap();
        assert_eq!(imported.bytes.to_string(), field("bytes"), "{file}");
        assert_eq!(imported.mesh.faces.len().to_string(), field("triangles"), "{file}");
        let bounds = imported.mesh.bounds().unwrap();
        let size = (bounds.max - bounds.min).norm();
        for (name, corner) in [("bbox_min", bounds.min), ("bbox_max", bounds.max)] {
            for (text, x) in field(name).split(' ').zip(corner.iter()) {
                let listed: f64 = text.parse().unwrap();
                assert!((listed - x).abs() < 1e-5 * size, "{file}: {name} {listed} is {x}");
            }
        }
        if field("watertight") == "yes" {
            let listed: f64 = field("volume").parse().unwrap();
            let volume = of_mesh(&imported.mesh).volume;
            assert!((volume / listed - 1.0).abs() < 1e-5, "{file}: volume {listed} is {volume}");
        }
        read_files += 1;
    }
    assert!(read_files > 0, "the manifest lists no files");
}
