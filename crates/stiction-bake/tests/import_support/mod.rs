//! Small mesh files written by hand, one of each kind.
#![allow(dead_code)]

use base64::Engine;
use stiction::spatial::Vec3;
use stiction_bake::import::{ImportError, ImportOptions, Imported, MeshFormat, read_bytes};

/// The tetrahedron all files hold: corners and outward faces.
pub const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
/// Its faces.
pub const FACES: [[u16; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

/// Reads bytes with default options and nothing beside them.
pub fn read(bytes: &[u8], hint: Option<MeshFormat>) -> Result<Imported, ImportError> {
    read_with(bytes, hint, &ImportOptions::default())
}

/// Reads bytes with nothing beside them.
pub fn read_with(bytes: &[u8], hint: Option<MeshFormat>, options: &ImportOptions) -> Result<Imported, ImportError> {
    read_bytes(bytes, "test.file", hint, options, &|_| Err(std::io::ErrorKind::NotFound.into()))
}

/// Triangles by their corners, in any order of triangles and starting with the smallest corner.
pub fn triangles(imported: &Imported) -> Vec<[[f64; 3]; 3]> {
    sorted(imported.mesh.triangles().map(|t| t.map(|p: Vec3| [p.x, p.y, p.z])).collect())
}

/// The triangles all files should give, with a map applied to the points.
pub fn expected(map: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<[[f64; 3]; 3]> {
    sorted(FACES.iter().map(|f| f.map(|i| map(CORNERS[usize::from(i)].map(f64::from)))).collect())
}

fn sorted(mut all: Vec<[[f64; 3]; 3]>) -> Vec<[[f64; 3]; 3]> {
    for t in &mut all {
        // Zeros of both signs are one number.
        t.iter_mut().flatten().for_each(|x| *x += 0.0);
        let first = (0..3).min_by(|&i, &j| t[i].partial_cmp(&t[j]).unwrap()).unwrap();
        t.rotate_left(first);
    }
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all
}

pub fn stl_binary(header: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0u8; 12]);
        face.iter().for_each(|&i| bytes.extend(CORNERS[usize::from(i)].iter().flat_map(|x| x.to_le_bytes())));
        bytes.extend([0u8; 2]);
    }
    bytes
}

pub fn stl_ascii() -> Vec<u8> {
    let mut text = String::from("solid a part\n");
    for face in FACES {
        text += "facet normal 0 0 1\n  outer loop\n";
        for i in face {
            let [x, y, z] = CORNERS[usize::from(i)];
            text += &format!("    vertex {x:e} {y:e} {z:e}\n");
        }
        text += "  endloop\nendfacet\n";
    }
    (text + "endsolid a part\n").into_bytes()
}

pub fn obj() -> Vec<u8> {
    b"# a tetrahedron\nmtllib x.mtl\no part\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nvt 0 0\nvn 0 0 1\ng one\nusemtl red\n\
      f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\ng two\nf 2 3 4\nf -4/-1 -1/-1 -2/-1\n"
        .to_vec()
}

pub fn ply_ascii() -> Vec<u8> {
    b"ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
      property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n\
      0 0 0 1\n1 0 0 2\n0 2 0 3\n0 0 3 4\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"
        .to_vec()
}

/// Binary of either byte order; coordinates in double precision, indices as `uint`, an element between.
pub fn ply_binary(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty uchar q\nproperty double x\nproperty double y\n\
         property double z\nelement edge 1\nproperty list ushort short w\nelement face 4\n\
         property list uchar uint vertex_index\nproperty float quality\nend_header\n"
    )
    .into_bytes();
    let mut put = |value: &[u8]| bytes.extend(value.iter().rev());
    // Written in reverse for big endian, so give little-endian bytes there.
    let f64s = |x: f64| if big { x.to_le_bytes() } else { x.to_be_bytes() };
    let u32s = |x: u32| if big { x.to_le_bytes() } else { x.to_be_bytes() };
    let u16s = |x: u16| if big { x.to_le_bytes() } else { x.to_be_bytes() };
    for corner in CORNERS {
        put(&[9]);
        corner.iter().for_each(|&x| put(&f64s(f64::from(x))));
    }
    put(&u16s(2));
    put(&u16s(7));
    put(&u16s(8));
    for face in FACES {
        put(&[3]);
        face.iter().for_each(|&i| put(&u32s(u32::from(i))));
        put(&u32s(0));
    }
    bytes
}

/// Positions, then indices.
pub fn gltf_buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(FACES.iter().flatten().flat_map(|i| i.to_le_bytes()));
    bytes
}

/// A glTF with the tetrahedron as mesh 0, and more of the file as given.
pub fn gltf_with(uri: &str, rest: &str) -> Vec<u8> {
    let length = gltf_buffer().len();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{length}{uri}}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,2,3]}},
{{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}]{rest}}}"#
    )
    .into_bytes()
}

pub fn data_uri() -> String {
    let data = base64::engine::general_purpose::STANDARD.encode(gltf_buffer());
    format!(r#","uri":"data:application/octet-stream;base64,{data}""#)
}

pub const ONE_NODE: &str = r#","nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0"#;

pub fn gltf() -> Vec<u8> {
    gltf_with(&data_uri(), ONE_NODE)
}

pub fn glb() -> Vec<u8> {
    let mut json = gltf_with("", ONE_NODE);
    json.resize(json.len().next_multiple_of(4), b' ');
    let bin = gltf_buffer();
    let mut bytes = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + bin.len();
    for word in [2u32, total as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(&json);
    bytes.extend((bin.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(&bin);
    bytes
}

/// One file of every kind.
pub fn every_file() -> Vec<(&'static str, MeshFormat, Vec<u8>)> {
    vec![
        ("binary STL", MeshFormat::StlBinary, stl_binary(b"made by hand")),
        ("ASCII STL", MeshFormat::StlAscii, stl_ascii()),
        ("OBJ", MeshFormat::Obj, obj()),
        ("ASCII PLY", MeshFormat::Ply, ply_ascii()),
        ("little-endian PLY", MeshFormat::Ply, ply_binary(false)),
        ("big-endian PLY", MeshFormat::Ply, ply_binary(true)),
        ("glTF", MeshFormat::Gltf, gltf()),
        ("GLB", MeshFormat::Glb, glb()),
    ]
}
