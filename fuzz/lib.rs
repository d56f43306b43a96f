//! What the fuzz targets share.

use stiction_bake::import::{MeshFormat, ImportOptions, read_bytes};

/// Reads bytes as a mesh file; fails where a crate below panicked, or where the mesh breaks its promises.
pub fn import(bytes: &[u8], hint: MeshFormat) {
    let beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    match read_bytes(bytes, "fuzz", Some(hint), &ImportOptions::default(), &beside) {
        Ok(imported) => {
            let mesh = imported.mesh;
            assert!(!mesh.faces.is_empty());
            assert!(mesh.faces.iter().flatten().all(|&i| (i as usize) < mesh.points.len()));
            assert!(mesh.points.iter().flat_map(|p| p.iter()).all(|x| x.abs() <= 1e12));
        }
        Err(error) => assert!(!error.to_string().contains("please report"), "{error}"),
    }
}
