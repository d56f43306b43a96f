//! Every format gives the triangles it was written with.

mod import_support;

use import_support::*;
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::export::{write_obj, write_stl};
use stiction_bake::import::{ImportOptions, MeshFormat, Placement, Unit, UpAxis, read_bytes};
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::Solid;

#[test]
fn every_format_gives_the_same_tetrahedron_without_a_hint() {
    for (what, format, bytes) in every_file() {
        let imported = read(&bytes, None).unwrap();
        assert_eq!(imported.format, format, "{what}");
        assert_eq!(triangles(&imported), expected(|p| p), "{what}");
        assert!((of_mesh(&imported.mesh).volume - 1.0).abs() < 1e-12, "{what}");
        assert_eq!(imported.bytes, bytes.len() as u64);
        assert_eq!(imported.bytes_hash, xxhash_rust::xxh3::xxh3_128(&bytes), "{what}");
    }
}

#[test]
fn units_scale_to_metres() {
    for (word, size) in
        [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("um", 1e-6), ("inch", 0.0254), ("Foot", 0.3048), ("0.5", 0.5)]
    {
        let unit: Unit = word.parse().unwrap();
        let options = ImportOptions { unit, ..Default::default() };
        for (what, _, bytes) in every_file() {
            let imported = read_with(&bytes, None, &options).unwrap();
            let bounds = imported.mesh.bounds().unwrap();
            assert!((bounds.max - Vec3::new(1.0, 2.0, 3.0) * size).norm() < 1e-15, "{what} in {word}");
        }
    }
    for word in ["", "furlong", "0", "-1", "nan", "inf", "mm2"] {
        let message = word.parse::<Unit>().unwrap_err().to_string();
        assert!(message.contains("mm") && message.contains(&format!("`{word}`")), "{message}");
    }
}

#[test]
fn a_mirroring_placement_turns_triangles_over_so_that_outside_stays_outside() {
    let mirror = Placement { linear: Mat3::from_diagonal(&Vec3::new(1.0, -2.0, 1.0)), translation: Vec3::zeros() };
    let options = ImportOptions { placement: Some(mirror), ..Default::default() };
    for (what, _, bytes) in every_file() {
        let imported = read_with(&bytes, None, &options).unwrap();
        assert!((of_mesh(&imported.mesh).volume - 2.0).abs() < 1e-12, "{what}");
        assert_eq!(imported.mesh.bounds().unwrap().min.y, -4.0);
    }
}

#[test]
fn unit_comes_before_up_axis_and_that_before_placement() {
    let placement = Placement { linear: Mat3::identity() * 2.0, translation: Vec3::new(1.0, 1.0, 1.0) };
    let options = |up| ImportOptions { unit: Unit::MILLIMETRE, up, placement: Some(placement) };
    // 0.001 · corner, turned, doubled, moved.
    let k = 0.002;
    for (up, map) in [
        (UpAxis::Z, (|[x, y, z]: [f64; 3]| [x, y, z]) as fn([f64; 3]) -> [f64; 3]),
        (UpAxis::Y, |[x, y, z]| [x, -z, y]),
        (UpAxis::X, |[x, y, z]| [y, z, x]),
    ] {
        let imported = read_with(&gltf(), None, &options(up)).unwrap();
        let want = expected(|p| map(p).map(|x| 1.0 + k * x));
        for (a, b) in triangles(&imported).iter().flatten().flatten().zip(want.iter().flatten().flatten()) {
            assert!((a - b).abs() < 1e-15, "{up:?}");
        }
        assert!(of_mesh(&imported.mesh).volume > 0.0);
    }
}

#[test]
fn binary_stl_that_begins_with_solid_is_binary() {
    for header in [&b"solid part exported by cad"[..], b"solid \nfacet normal 0 0 0\n", b"solid"] {
        let imported = read(&stl_binary(header), Some(MeshFormat::StlAscii)).unwrap();
        assert_eq!(imported.format, MeshFormat::StlBinary);
        assert_eq!(triangles(&imported), expected(|p| p));
    }
}

#[test]
fn all_solids_of_an_ascii_stl_are_read_in_capitals_and_with_nan_normals() {
    let text = String::from_utf8(stl_ascii()).unwrap().replace("normal 0 0 1", "normal nan -nan(ind) 1");
    let twice = text.clone() + &text.to_uppercase().replace('\n', "\r\n");
    let imported = read(twice.as_bytes(), None).unwrap();
    assert_eq!(imported.mesh.faces.len(), 8);
    let unnamed = text.replace("solid a part", "solid");
    assert_eq!(triangles(&read(unnamed.as_bytes(), None).unwrap()), expected(|p| p));
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert_eq!(triangles(&read(&marked, None).unwrap()), expected(|p| p));
}

#[test]
fn polygons_become_fans_in_obj_and_ply() {
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 \\\n 8 7\nf 4 1 5 8\n";
    let imported = read(cube.as_bytes(), None).unwrap();
    assert_eq!(imported.mesh.faces.len(), 12);
    assert_eq!(imported.mesh.points.len(), 8);
    assert!((of_mesh(&imported.mesh).volume - 1.0).abs() < 1e-15);
    let pentagon = "ply\nformat ascii 1.0\nelement vertex 5\nproperty double x\nproperty double y\nproperty int z\n\
        element face 1\nproperty list int short vertex_indices\nend_header\n\
        0 0 7\n2 0 7\n3 1 7\n1 3 7\n-1 1 7\n5 0 1 2 3 4\n";
    let imported = read(pentagon.as_bytes(), None).unwrap();
    assert_eq!(imported.mesh.faces, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
}

#[test]
fn ply_numbers_without_a_digit_before_or_after_the_point_are_numbers() {
    let text = String::from_utf8(ply_ascii()).unwrap();
    let bare = text.replace("1 0 0 2\n", "  1. -.0 +0.e5 2\r\n").replace("0 2 0 3", "0 .2e1\t0 3");
    assert_ne!(bare, text);
    assert_eq!(triangles(&read(bare.as_bytes(), None).unwrap()), expected(|p| p));
}

#[test]
fn obj_weights_colours_and_faces_before_vertices_are_understood() {
    let text = "f 1 2 3\nv 2 0 0 2\nv 0 1 0 0.5 0.5 0.5\nv 0 0 1 # a comment\nl 1 2\np 3\n";
    let imported = read(text.as_bytes(), Some(MeshFormat::Obj)).unwrap();
    assert_eq!(imported.mesh.triangle(0), [Vec3::x(), Vec3::y(), Vec3::z()]);
}

#[test]
fn obj_with_absurd_texture_and_normal_indices_does_not_overflow_the_crate() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n\
        f 1/-9223372036854775808/-9223372036854775808 2/9223372036854775807/9223372036854775807 3/0/0\n";
    assert_eq!(read(text.as_bytes(), None).unwrap().mesh.faces.len(), 1);
}

#[test]
fn nested_gltf_nodes_are_composed_and_mirrored_ones_turned_over() {
    // A parent moved by (10, 0, 0) and turned a quarter around z, its child scaled and mirrored, and a matrix beside.
    let nodes = r#","nodes":[
        {"children":[1],"translation":[10,0,0],"rotation":[0,0,0.70710678118,0.70710678118]},
        {"mesh":0,"scale":[-2,1,1],"translation":[0,0,5]},
        {"mesh":0,"matrix":[0,1,0,0, -1,0,0,0, 0,0,1,0, 7,8,9,1]},
        {"mesh":0,"translation":[99,99,99]}],"scenes":[{"nodes":[3]},{"nodes":[0,2]}],"scene":1"#;
    let imported = read(&gltf_with(&data_uri(), nodes), None).unwrap();
    assert_eq!(imported.mesh.faces.len(), 8);
    assert!((of_mesh(&imported.mesh).volume - 3.0).abs() < 1e-6);
    // The child's corner (1, 2, 3): scaled (−2, 2, 3), moved (−2, 2, 8), turned (−2, −2, 8), moved (8, −2, 8).
    let find = |x: f64, y: f64, z: f64| imported.mesh.points.iter().any(|p| (p - Vec3::new(x, y, z)).norm() < 1e-5);
    assert!(find(10.0, -2.0, 5.0) && find(8.0, 0.0, 5.0) && find(10.0, 0.0, 8.0), "{:?}", imported.mesh.points);
    assert!(find(7.0, 9.0, 9.0) && find(5.0, 8.0, 9.0) && find(7.0, 8.0, 12.0), "{:?}", imported.mesh.points);
}

#[test]
fn gltf_without_scene_or_nodes_shows_what_is_there() {
    let two_scenes = r#","nodes":[{"mesh":0},{"mesh":0}],"scenes":[{"nodes":[0]},{"nodes":[0,1]}]"#;
    assert_eq!(read(&gltf_with(&data_uri(), two_scenes), None).unwrap().mesh.faces.len(), 8);
    let no_scene = r#","nodes":[{"children":[1]},{"mesh":0}]"#;
    assert_eq!(read(&gltf_with(&data_uri(), no_scene), None).unwrap().mesh.faces.len(), 4);
    assert_eq!(read(&gltf_with(&data_uri(), ""), None).unwrap().mesh.faces.len(), 4);
}

#[test]
fn gltf_strips_and_fans_keep_their_winding() {
    // A flat square by four points: as a strip 0 1 3 2, as a fan 0 1 2 3, and as triangles without indices.
    let square = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    for (mode, order, area) in [(5, vec![0, 1, 3, 2], 1.0), (6, vec![0, 1, 2, 3], 1.0), (4, vec![0, 1, 2], 0.5)] {
        let bytes: Vec<u8> = order.iter().flat_map(|&i| square[i as usize]).flat_map(f32::to_le_bytes).collect();
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
        let (length, count) = (bytes.len(), order.len());
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{length},"uri":"data:;base64,{data}"}}],
            "bufferViews":[{{"buffer":0,"byteLength":{length}}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3"}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":{mode}}}]}}]}}"#
        );
        let mesh = read(text.as_bytes(), None).unwrap().mesh;
        let areas: Vec<f64> = mesh.triangles().map(|[a, b, c]| (b - a).cross(&(c - a)).z / 2.0).collect();
        assert_eq!(areas.iter().sum::<f64>(), area, "mode {mode}");
        assert!(areas.iter().all(|&a| a == 0.5), "mode {mode}: {areas:?}");
    }
}

#[test]
fn sparse_quantised_and_strided_gltf_accessors_are_read() {
    // Two corners of a triangle as normalised bytes four apart, the third replaced by a sparse item.
    let bytes: Vec<u8> = vec![0, 0, 0, 99, 255, 0, 0, 99, 0, 0, 0, 99, 2, 0, 255, 0];
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"],
        "buffers":[{{"byteLength":16,"uri":"data:;base64,{data}"}}],
        "bufferViews":[{{"buffer":0,"byteLength":12,"byteStride":4}},{{"buffer":0,"byteOffset":12,"byteLength":1}},
        {{"buffer":0,"byteOffset":13,"byteLength":3}}],
        "accessors":[{{"bufferView":0,"componentType":5121,"normalized":true,"count":3,"type":"VEC3",
        "sparse":{{"count":1,"indices":{{"bufferView":1,"componentType":5121}},"values":{{"bufferView":2}}}}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]}}"#
    );
    let mesh = read(text.as_bytes(), None).unwrap().mesh;
    assert_eq!(mesh.triangle(0), [Vec3::zeros(), Vec3::x(), Vec3::y()]);
}

#[test]
fn gltf_buffers_beside_the_file_are_read_and_hashed() {
    let text = gltf_with(r#","uri":"my%20part.bin""#, ONE_NODE);
    let beside = |content: Vec<u8>| {
        move |name: &str| {
            assert_eq!(name, "my part.bin");
            Ok(content.clone())
        }
    };
    let options = ImportOptions::default();
    let imported = read_bytes(&text, "x", None, &options, &beside(gltf_buffer())).unwrap();
    assert_eq!(triangles(&imported), expected(|p| p));
    assert_eq!(imported.bytes_hash, xxhash_rust::xxh3::xxh3_128(&[text.clone(), gltf_buffer()].concat()));
    let mut changed = gltf_buffer();
    changed[2] ^= 1;
    let other = read_bytes(&text, "x", None, &options, &beside(changed)).unwrap();
    assert_ne!(other.bytes_hash, imported.bytes_hash);
}

#[test]
fn zero_area_triangles_are_kept_for_the_diagnosis() {
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n";
    assert_eq!(read(text.as_bytes(), None).unwrap().mesh.faces.len(), 2);
}

#[test]
fn written_solids_come_back() {
    let mesh = Solid::Torus { major: 0.03, minor: 0.01, segments: 24, rings: 16 }.mesh().unwrap();
    let (mut stl, mut obj) = (Vec::new(), Vec::new());
    write_stl(&mesh, &mut stl).unwrap();
    write_obj(&mesh, &mut obj).unwrap();
    let back = read(&obj, None).unwrap().mesh;
    assert_eq!(back.triangles().collect::<Vec<_>>(), mesh.triangles().collect::<Vec<_>>());
    let back = read(&stl, None).unwrap();
    assert_eq!(back.format, MeshFormat::StlBinary);
    assert_eq!(back.mesh.points.len(), mesh.points.len());
    for (a, b) in back.mesh.triangles().flatten().zip(mesh.triangles().flatten()) {
        assert!((a - b).norm() < 1e-8);
    }
}

/// The part is 20 mm long. At 1 m from its origin single precision tells 0.06 µm apart, which is no harm; at 100 m 7.6 µm, a thousandth of a millimetre off.
#[test]
fn a_mesh_so_far_from_its_origin_that_single_precision_loses_its_shape_is_warned_of() {
    let stl = |shift: f32| {
        let points = [[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [0.0, 20.0, 0.0], [0.0, 0.0, 20.0f32]];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        let mut bytes = vec![b' '; 80];
        bytes.extend((faces.len() as u32).to_le_bytes());
        for face in faces {
            bytes.extend([0; 12]);
            for i in face {
                let [x, y, z]: [f32; 3] = points[i];
                [x + shift, y, z].iter().for_each(|c| bytes.extend(c.to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        bytes
    };
    let mm = ImportOptions { unit: Unit::MILLIMETRE, ..ImportOptions::default() };
    let warning = |shift: f32| read_with(&stl(shift), Some(MeshFormat::StlBinary), &mm).unwrap().precision_warning();
    assert_eq!(warning(0.0), None);
    assert_eq!(warning(1e3), None);
    let told = warning(1e5).unwrap();
    assert!(told.contains("7.81") && told.contains("100 m from its origin") && told.contains("20 mm long"), "{told}");
    // A text with more digits than single precision has lost nothing.
    let obj =
        "v 100000.01 0 0\nv 100020.01 0 0\nv 100000.01 20 0\nv 100000.01 0 20\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    assert_eq!(read_with(obj.as_bytes(), Some(MeshFormat::Obj), &mm).unwrap().precision_warning(), None);
}
