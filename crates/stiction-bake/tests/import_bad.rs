//! Files that are broken or lie: one message that names the file and the cause.

mod import_support;

use import_support::*;
use std::path::Path;
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::import::{ImportOptions, MeshFormat, Placement, Unit, read as read_path};

#[track_caller]
fn refused(bytes: &[u8], hint: Option<MeshFormat>, words: &str) {
    let message = read(bytes, hint).map(|i| i.mesh.faces.len()).unwrap_err().to_string();
    assert!(message.starts_with("test.file: ") && message.contains(words), "`{message}` lacks `{words}`");
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
}

fn replaced(bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn empty_and_unknown_files() {
    refused(b"", None, "empty");
    refused(b"", Some(MeshFormat::Obj), "empty");
    refused(b"hello there", None, "not a mesh format");
    refused(&[0xff; 300], None, "not a mesh format");
    refused(b"\xff\xfes\0o\0l\0i\0d\0", None, "not a mesh format");
}

#[test]
fn missing_files_and_directories() {
    let options = ImportOptions::default();
    let message = |path: &str| read_path(Path::new(path), &options).unwrap_err().to_string();
    assert!(message("/no/such/file.stl").starts_with("/no/such/file.stl: cannot be read: "));
    let folder = std::env::temp_dir();
    let text = message(folder.to_str().unwrap());
    assert!(text.ends_with("is a directory"), "{text}");
    #[cfg(unix)]
    assert!(message("/dev/zero").ends_with("is not a regular file"));
}

#[test]
fn every_truncation_of_every_file_is_an_error_or_has_fewer_triangles() {
    for (what, format, bytes) in every_file() {
        for length in 0..bytes.len() {
            match read(&bytes[..length], Some(format)) {
                Err(e) => assert!(e.to_string().starts_with("test.file: "), "{e}"),
                // Text may lose what follows its last triangle, and OBJ does not say how many there are.
                Ok(i) => assert!(format == MeshFormat::Obj || i.mesh.faces.len() == 4, "{what}: {length} bytes"),
            }
        }
    }
}

#[test]
fn a_billion_claimed_triangles_in_stl() {
    let mut bytes = stl_binary(b"x");
    bytes[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    refused(&bytes, Some(MeshFormat::StlBinary), "claims 1000000000 triangles, its 284 bytes hold 4");
    bytes[80..84].copy_from_slice(&1u32.to_le_bytes());
    refused(&bytes, Some(MeshFormat::StlBinary), "claims 1 triangles, its 284 bytes hold 4");
    refused(&bytes[..83], Some(MeshFormat::StlBinary), "too short");
}

#[test]
fn a_billion_claimed_elements_in_ply() {
    for (count, what) in [("1000000000", "vertex"), ("18446744073709551615", "vertex"), ("1000000000", "face")] {
        let from = format!("element {what} 4");
        let to = format!("element {what} {count}");
        refused(&replaced(ply_ascii(), &from, &to), None, "too few");
    }
    refused(&replaced(ply_ascii(), "vertex 4", "vertex 99999999999999999999999"), None, "PLY");
    // An element that takes no bytes could be claimed as often as one likes.
    let idle = replaced(ply_ascii(), "element vertex", "element idle 1000000000000\nelement vertex");
    refused(&idle, None, "no properties");
    let twice = replaced(ply_ascii(), "element face 4", "element vertex 4\nproperty float x\nelement face 4");
    refused(&twice, None, "same name");
}

#[test]
fn ply_lists_longer_than_the_file() {
    let mut bytes = ply_binary(false);
    let last_list = bytes.len() - 17;
    assert_eq!(bytes[last_list], 3);
    bytes[last_list] = 255;
    refused(&bytes, None, "face 3 (counted from 0)");
    refused(&replaced(ply_ascii(), "3 0 3 2\n", "4000000000 0 3 2\n"), None, "face 3 (counted from 0)");
    refused(&replaced(ply_ascii(), "3 0 3 2\n", "2 0 3\n"), None, "face 3 (counted from 0) has 2 corners");
}

#[test]
fn ply_without_what_a_mesh_needs() {
    refused(&replaced(ply_ascii(), "float y", "float q"), None, "no coordinate `y`");
    refused(&replaced(ply_ascii(), "element vertex", "element point"), None, "no element `vertex`");
    refused(&replaced(ply_ascii(), "vertex_indices", "corner_points"), None, "vertex_indices");
    refused(b"ply\nformat ascii 1.0\nend_header\n", None, "vertex");
    refused(b"ply\n", None, "PLY");
    let cloud = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n";
    refused(cloud.as_bytes(), None, "no triangles");
}

#[test]
fn indices_out_of_range() {
    refused(&replaced(ply_ascii(), "3 0 3 2\n", "3 0 4 2\n"), None, "vertex 4 (counted from 0), but there are only 4");
    refused(&replaced(ply_ascii(), "3 0 3 2\n", "3 0 -1 2\n"), None, "vertex -1");
    refused(
        &replaced(obj(), "f 2 3 4", "f 2 3 5"),
        None,
        "line 15: a face refers to vertex 5 (counted from 1), but there are only 4",
    );
    refused(&replaced(obj(), "f 2 3 4", "f 2 3 0"), None, "line 15: a face refers to vertex `0`");
    refused(&replaced(obj(), "f 2 3 4", "f 2 3 -5"), None, "line 15: a face refers to vertex `-5`");
    refused(&replaced(obj(), "f 2 3 4", "f 2 3 99999999999999999999"), None, "line 15");
    refused(&replaced(obj(), "f 2 3 4", "f 2 3"), None, "2 corners");
    let glb_with = |index: u16| {
        let mut bytes = glb();
        let last = bytes.len() - 2;
        bytes[last..].copy_from_slice(&index.to_le_bytes());
        bytes
    };
    refused(&glb_with(4), None, "vertex 4 (counted from 0), but there are only 4");
    refused(&glb_with(u16::MAX), None, "vertex 65535");
}

#[test]
fn coordinates_that_are_no_numbers() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut bytes = stl_binary(b"x");
        // The second triangle's first corner.
        bytes[84 + 50 + 12..][..4].copy_from_slice(&bad.to_le_bytes());
        refused(&bytes, None, "a corner of triangle 2 (counted from 1) has a coordinate that is no finite number");
        let mut bytes = glb();
        let first = bytes.len() - gltf_buffer().len();
        bytes[first + 12..][..4].copy_from_slice(&bad.to_le_bytes());
        refused(&bytes, None, "vertex 1 (counted from 0");
        let mut bytes = ply_binary(true);
        let first = bytes.len() - 4 * 17 - 6 - 25;
        bytes[first + 1..][..8].copy_from_slice(&f64::from(bad).to_be_bytes());
        refused(&bytes, None, "vertex 3 (counted from 0) has a coordinate");
    }
    for word in ["nan", "inf", "1e999", "x"] {
        refused(&replaced(obj(), "v 0 2 0", &format!("v 0 {word} 0")), None, "line 6: vertex 3 has a coordinate");
        refused(&replaced(stl_ascii(), "0e0 2e0 0e0", &format!("0e0 {word} 0e0")), None, "ASCII STL");
        refused(&replaced(ply_ascii(), "0 2 0 3", &format!("0 {word} 0 3")), None, "vertex 2 (counted from 0)");
    }
    refused(&replaced(obj(), "v 0 2 0", "v 0 2"), None, "vertex 3 has 2 coordinates");
    refused(&replaced(obj(), "v 0 2 0", "v 0 2 0 0"), None, "OBJ");
}

#[test]
fn huge_coordinates_are_named() {
    refused(&replaced(obj(), "v 0 2 0", "v 0 2e12 0"), None, "vertex 3 (counted from 1) lies further than 1e12 m");
    let options = ImportOptions { unit: Unit::from_metres(1e300).unwrap(), ..Default::default() };
    for (_, _, bytes) in every_file() {
        let message = read_with(&bytes, None, &options).unwrap_err().to_string();
        assert!(message.contains("is the unit right?"), "{message}");
    }
}

#[test]
fn files_without_triangles() {
    refused(b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", None, "no triangles");
    refused(b"solid empty\nendsolid empty\n", None, "no triangles");
    refused(&[0u8; 84], None, "no triangles");
    refused(br#"{"asset":{"version":"2.0"}}"#, None, "no triangles");
    refused(&replaced(gltf(), r#""indices":1"#, r#""indices":1,"mode":1"#), None, "no triangles");
}

#[test]
fn glb_headers_that_lie() {
    for claimed in [0u32, 11, 12, 19, 5000, u32::MAX] {
        let mut bytes = glb();
        bytes[8..12].copy_from_slice(&claimed.to_le_bytes());
        refused(&bytes, None, "GLB");
    }
    for at in [4, 12, 16] {
        let mut bytes = glb();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        refused(&bytes, None, "GLB");
    }
}

#[test]
fn gltf_counts_and_references_that_lie() {
    let cases = [
        (r#""count":4"#, r#""count":1000000000"#, "claims 1000000000 items"),
        (r#""count":4"#, r#""count":18446744073709551615"#, "claims 18446744073709551615 items"),
        (r#""count":4"#, r#""count":5"#, "do not fit"),
        (r#""count":12"#, r#""count":13"#, "do not fit"),
        (r#""byteOffset":48"#, r#""byteOffset":18446744073709551615"#, "beyond buffer 0"),
        (r#""byteOffset":48"#, r#""byteOffset":49"#, "beyond buffer 0"),
        (r#""byteLength":72"#, r#""byteLength":7200000000"#, "buffer 0 claims 7200000000 bytes and has 72"),
        (r#""POSITION":0"#, r#""POSITION":7"#, "accessor 7 is not there"),
        (r#""POSITION":0"#, r#""POSITION":1"#, "holds no positions"),
        (r#""indices":1"#, r#""indices":0"#, "holds no indices"),
        (r#""bufferView":1"#, r#""bufferView":9"#, "view 9 is not there"),
        (r#""mesh":0"#, r#""mesh":3"#, "mesh 3, which is not there"),
        (r#""nodes":[0]"#, r#""nodes":[5]"#, "node 5"),
        (r#""scene":0"#, r#""scene":4"#, "scene 4"),
        (r#"{"mesh":0}"#, r#"{"mesh":0,"children":[0]}"#, "its own ancestor"),
        (r#""bufferView":0,"#, "", "has no data"),
        (r#""componentType":5126"#, r#""componentType":77"#, "component type is unknown"),
        (r#""indices":1"#, r#""indices":1,"mode":44"#, "mode is unknown"),
        (r#""version":"2.0"}"#, r#""version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]"#, "draco"),
        (r#"base64,"#, r#"base64,!!"#, "base64"),
        (r#"base64,"#, r#"base32,"#, "base64"),
        (r#""meshes""#, r#""meshes":[],"meshes""#, "JSON"),
        (r#"{"asset""#, r#"{{"asset""#, "JSON"),
    ];
    for (from, to, words) in cases {
        refused(&replaced(gltf(), from, to), None, words);
    }
    let deep = "[".repeat(1_000_000);
    refused(&replaced(gltf(), r#""version":"2.0""#, &format!(r#""version":"2.0","extras":{deep}"#)), None, "JSON");
}

#[test]
fn gltf_sparse_accessors_that_lie() {
    let sparse = |count: &str, at: &str| {
        let to = format!(
            r#""count":{count},"sparse":{{"count":{at},"indices":{{"bufferView":1,"componentType":5123}},"values":{{"bufferView":0}}}}"#
        );
        replaced(replaced(gltf(), r#""bufferView":0,"#, ""), r#""count":4"#, &to)
    };
    refused(&sparse("1000000000", "1"), None, "claims 1000000000 items");
    refused(&sparse("4", "1000000000"), None, "do not fit");
    refused(&sparse("4", "18446744073709551615"), None, "do not fit");
    // Its third index is 1, its second 2: there are only two.
    refused(&sparse("2", "3"), None, "sparse item 2 of 2");
}

#[test]
fn gltf_buffers_do_not_leave_the_folder() {
    for uri in
        ["../x.bin", "/etc/passwd", "a/../../x", "%2e%2e/x", "http://x/y", "C:\\x", "\\\\server\\x", "", "%zz", "a%"]
    {
        let escaped = uri.replace('\\', "\\\\");
        refused(&gltf_with(&format!(r#","uri":"{escaped}""#), ONE_NODE), None, "buffer 0: its address");
    }
    refused(&gltf_with(r#","uri":"gone.bin""#, ONE_NODE), None, "buffer 0, gone.bin");
    refused(&gltf_with("", ONE_NODE), None, "buffer 0 has no data");
}

#[test]
fn instances_of_instances_are_counted_before_they_are_made() {
    let nodes = vec![r#"{"mesh":0}"#; 300].join(",");
    let many = format!(r#","nodes":[{nodes}]"#);
    assert_eq!(read(&gltf_with(&data_uri(), &many), None).unwrap().mesh.faces.len(), 1200);
    let primitives = vec![r#"{"attributes":{"POSITION":0},"indices":1}"#; 60_000].join(",");
    let heavy = gltf_with(&data_uri(), &many);
    let heavy = replaced(heavy, r#"{"attributes":{"POSITION":0},"indices":1}"#, &primitives);
    refused(&heavy, None, "too large");
}

#[test]
fn placements_that_are_none() {
    let with = |linear: Mat3, translation: Vec3| {
        let options = ImportOptions { placement: Some(Placement { linear, translation }), ..Default::default() };
        read_with(&obj(), None, &options).unwrap_err().to_string()
    };
    assert!(with(Mat3::zeros(), Vec3::zeros()).contains("flattens"));
    assert!(with(Mat3::identity() * f64::NAN, Vec3::zeros()).contains("not finite"));
    assert!(with(Mat3::identity(), Vec3::new(0.0, f64::INFINITY, 0.0)).contains("not finite"));
}
