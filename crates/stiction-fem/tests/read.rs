//! Files of Gmsh and VTK: each variant gives the same mesh; what is corrupt is refused with its place, and no bytes make it panic or ask for more memory than the file is long.

mod support;

use stiction::spatial::Vec3;
use stiction_fem::TetMesh;
use stiction_fem::read::{TetReadError, read_tetrahedra, write_vtk};
use stiction_testing::alloc::{Counting, counts, reset_largest};
use stiction_testing::splitmix64;
use support::bar;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn mesh() -> TetMesh {
    let (nodes, tetrahedra) = bar([2, 1, 1], Vec3::new(0.2, 0.1, 1.0 / 3.0));
    TetMesh::new(nodes, tetrahedra).unwrap()
}

/// Bytes of numbers, in one order or the other.
struct Bytes {
    out: Vec<u8>,
    big: bool,
}

impl Bytes {
    fn put(&mut self, bytes: &[u8]) {
        let from = self.out.len();
        self.out.extend(bytes);
        if self.big {
            self.out[from..].reverse();
        }
    }
    fn text(&mut self, text: &str) {
        self.out.extend(text.as_bytes());
    }
    fn int(&mut self, x: i32) {
        self.put(&x.to_le_bytes());
    }
    fn long(&mut self, x: u64) {
        self.put(&x.to_le_bytes());
    }
    fn real(&mut self, x: f64) {
        self.put(&x.to_le_bytes());
    }
}

/// Numbers of nodes in the files: not in order, and not from 0.
fn number(node: u32) -> u64 {
    1000 - 3 * u64::from(node)
}

fn gmsh_2(mesh: &TetMesh) -> Vec<u8> {
    let mut out = String::from(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"part\"\n$EndPhysicalNames\n$Nodes\n",
    );
    out += &format!("{}\n", mesh.nodes().len());
    for (n, p) in mesh.nodes().iter().enumerate() {
        out += &format!("{} {} {} {}\n", number(n as u32), p.x, p.y, p.z);
    }
    out += &format!(
        "$EndNodes\n$Elements\n{}\n1 15 2 0 1 {}\n2 2 2 0 1 {} {} {}\n",
        mesh.tetrahedra().len() + 2,
        number(0),
        number(0),
        number(1),
        number(2)
    );
    for (t, c) in mesh.tetrahedra().iter().enumerate() {
        let [a, b, c, d] = c.map(number);
        out += &format!("{} 4 2 0 1 {a} {b} {c} {d}\n", t + 3);
    }
    (out + "$EndElements\n").into_bytes()
}

fn gmsh_2_binary(mesh: &TetMesh, big: bool) -> Vec<u8> {
    let mut out = Bytes { out: Vec::new(), big };
    out.text("$MeshFormat\n2.2 1 8\n");
    out.int(1);
    out.text(&format!("\n$EndMeshFormat\n$Nodes\n{}\n", mesh.nodes().len()));
    for (n, p) in mesh.nodes().iter().enumerate() {
        out.int(number(n as u32) as i32);
        p.iter().for_each(|x| out.real(*x));
    }
    out.text(&format!("\n$EndNodes\n$Elements\n{}\n", mesh.tetrahedra().len() + 1));
    for x in [2, 1, 2, 900, 0, 1, number(0) as i32, number(1) as i32, number(2) as i32] {
        out.int(x);
    }
    [4, mesh.tetrahedra().len() as i32, 1].into_iter().for_each(|x| out.int(x));
    for (t, c) in mesh.tetrahedra().iter().enumerate() {
        out.int(t as i32);
        out.int(7);
        c.iter().for_each(|n| out.int(number(*n) as i32));
    }
    out.text("\n$EndElements\n");
    out.out
}

fn gmsh_4(mesh: &TetMesh) -> Vec<u8> {
    let (n, t) = (mesh.nodes().len(), mesh.tetrahedra().len());
    let mut out = String::from(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n",
    );
    out += &format!("2 {n} 1 5000\n2 1 1 3\n");
    (0..3).for_each(|k| out += &format!("{}\n", number(k)));
    mesh.nodes()[..3].iter().for_each(|p| out += &format!("{} {} {} 0.5 0.5\n", p.x, p.y, p.z));
    out += &format!("3 1 0 {}\n", n - 3);
    (3..n as u32).for_each(|k| out += &format!("{}\n", number(k)));
    mesh.nodes()[3..].iter().for_each(|p| out += &format!("{} {} {}\n", p.x, p.y, p.z));
    out += &format!(
        "$EndNodes\n$Elements\n2 {} 1 5000\n2 1 2 1\n1 {} {} {}\n3 1 4 {t}\n",
        t + 1,
        number(0),
        number(1),
        number(2)
    );
    for (k, c) in mesh.tetrahedra().iter().enumerate() {
        let [a, b, c, d] = c.map(number);
        out += &format!("{} {a} {b} {c} {d}\n", k + 2);
    }
    (out + "$EndElements\n").into_bytes()
}

fn gmsh_4_binary(mesh: &TetMesh) -> Vec<u8> {
    let (n, t) = (mesh.nodes().len() as u64, mesh.tetrahedra().len() as u64);
    let mut out = Bytes { out: Vec::new(), big: false };
    out.text("$MeshFormat\n4.1 1 8\n");
    out.int(1);
    out.text("\n$EndMeshFormat\n$Nodes\n");
    [1, n, 1, 5000].into_iter().for_each(|x| out.long(x));
    [3, 1, 0].into_iter().for_each(|x| out.int(x));
    out.long(n);
    (0..n as u32).for_each(|k| out.long(number(k)));
    mesh.nodes().iter().flat_map(|p| p.iter()).for_each(|x| out.real(*x));
    out.text("\n$EndNodes\n$Elements\n");
    [1, t, 1, 5000].into_iter().for_each(|x| out.long(x));
    [3, 1, 4].into_iter().for_each(|x| out.int(x));
    out.long(t);
    for (k, c) in mesh.tetrahedra().iter().enumerate() {
        out.long(k as u64);
        c.iter().for_each(|n| out.long(number(*n)));
    }
    out.text("\n$EndElements\n");
    out.out
}

fn vtk_4_binary(mesh: &TetMesh) -> Vec<u8> {
    let (n, t) = (mesh.nodes().len(), mesh.tetrahedra().len());
    let mut out = Bytes { out: Vec::new(), big: true };
    out.text(&format!("# vtk DataFile Version 3.0\na part\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {n} double\n"));
    mesh.nodes().iter().flat_map(|p| p.iter()).for_each(|x| out.real(*x));
    out.text(&format!("\nCELLS {t} {}\n", 5 * t));
    for c in mesh.tetrahedra() {
        out.int(4);
        c.iter().for_each(|n| out.int(*n as i32));
    }
    out.text(&format!("\nCELL_TYPES {t}\n"));
    (0..t).for_each(|_| out.int(10));
    out.out
}

fn vtk_5(mesh: &TetMesh) -> Vec<u8> {
    let (n, t) = (mesh.nodes().len(), mesh.tetrahedra().len());
    let mut out = format!("# vtk DataFile Version 5.1\na part\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {n} double\n");
    mesh.nodes().iter().for_each(|p| out += &format!("{} {} {} ", p.x, p.y, p.z));
    out += &format!("\nMETADATA\nINFORMATION 0\n\nCELLS {} {}\nOFFSETS vtktypeint64\n", t + 1, 4 * t);
    (0..=t).for_each(|k| out += &format!("{} ", 4 * k));
    out += "\nCONNECTIVITY vtktypeint64\n";
    mesh.tetrahedra().iter().flatten().for_each(|n| out += &format!("{n} "));
    out += &format!("\nCELL_TYPES {t}\n");
    (0..t).for_each(|_| out += "10\n");
    (out + "\nPOINT_DATA 1\n").into_bytes()
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mesh = mesh();
    vec![
        ("Gmsh 2.2", gmsh_2(&mesh)),
        ("Gmsh 2.2 binary", gmsh_2_binary(&mesh, false)),
        ("Gmsh 2.2 binary, most significant byte first", gmsh_2_binary(&mesh, true)),
        ("Gmsh 4.1", gmsh_4(&mesh)),
        ("Gmsh 4.1 binary", gmsh_4_binary(&mesh)),
        ("VTK 3.0", write_vtk(&mesh, "a part\n").into_bytes()),
        ("VTK 3.0 binary", vtk_4_binary(&mesh)),
        ("VTK 5.1", vtk_5(&mesh)),
    ]
}

#[test]
fn every_variant_gives_the_same_mesh() {
    for (name, bytes) in files() {
        let read = read_tetrahedra(&bytes, 1.0).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(read.mesh, mesh(), "{name}");
        assert_eq!(read.straightened, 0);
        let millimetres = read_tetrahedra(&bytes, 1e-3).unwrap();
        assert!((millimetres.mesh.volume() / mesh().volume() - 1e-9).abs() < 1e-20);
    }
}

#[test]
fn tetrahedra_of_ten_nodes_are_straightened() {
    let file = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 .1 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
    let read = read_tetrahedra(file.as_bytes(), 1.0).unwrap();
    assert_eq!((read.mesh.nodes().len(), read.straightened), (4, 1));
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    let of = |text: &str| read_tetrahedra(text.as_bytes(), 1.0).unwrap_err();
    assert_eq!(of("solid part"), TetReadError::UnknownFormat);
    assert!(matches!(of("$MeshFormat\n3.0 0 8\n"), TetReadError::Unsupported { .. }));
    let begin = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    assert_eq!(of(begin), TetReadError::Missing("$Nodes"));
    let four = format!("{begin}$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n");
    assert_eq!(of(&four), TetReadError::Missing("$Elements"));
    assert_eq!(of(&format!("{four}$Elements\n1\n1 4 0 1 2 3 5\n")), TetReadError::NoSuchNode { element: 1, node: 5 });
    assert_eq!(
        of(&format!("{four}$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n")),
        TetReadError::NotTetrahedron { element: 1, kind: 5 }
    );
    assert_eq!(of(&format!("{four}$Elements\n9\n1 4 0 1 2 3 4\n")), TetReadError::CutOff { within: "$Elements" });
    assert_eq!(of(&format!("{four}$Elements\n1\n1 4 0 1 2 3")), TetReadError::CutOff { within: "$Elements" });
    let TetReadError::Unexpected { place, found, .. } = of(&format!("{begin}$Nodes\n1\n1 0 zero 0\n")) else {
        panic!()
    };
    assert_eq!((place.as_str(), found.as_str()), ("line 6", "zero"));
    assert!(matches!(of(&format!("{begin}$Nodes\n999999999999\n1 0 0 0\n")), TetReadError::CutOff { .. }));
    assert_eq!(of(&format!("{begin}$Nodes\n2\n1 0 0 0\n1 0 0 1\n")), TetReadError::NodeTwice(1));
    assert!(matches!(of("# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n"), TetReadError::Unsupported { .. }));
}

/// Bytes changed, cut out and doubled at random: an error or a valid mesh, and no allocation much larger than the file.
#[test]
fn corrupt_files_neither_panic_nor_ask_for_much_memory() {
    let mut seed = 20;
    let (mut read, mut refused) = (0, 0);
    for (name, bytes) in files() {
        for _ in 0..3000 {
            let mut bad = bytes.clone();
            for _ in 0..1 + splitmix64(&mut seed) % 4 {
                let at = splitmix64(&mut seed) as usize % bad.len();
                match splitmix64(&mut seed) % 5 {
                    0 => bad[at] = splitmix64(&mut seed) as u8,
                    1 => bad[at] ^= 1 << (splitmix64(&mut seed) % 8),
                    2 => bad.truncate(at.max(1)),
                    3 => bad[at] = b"0123456789-. \n"[splitmix64(&mut seed) as usize % 14],
                    _ => {
                        let end = (at + splitmix64(&mut seed) as usize % 40).min(bad.len());
                        let again = bad[at..end].to_vec();
                        bad.splice(at..at, again);
                    }
                }
            }
            reset_largest();
            match read_tetrahedra(&bad, 1.0) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty(), "{name}");
                    refused += 1;
                }
            }
            assert!(counts().largest < 64 * bytes.len(), "{name}: {} bytes at once", counts().largest);
        }
    }
    println!("{read} read, {refused} refused");
    assert!(refused > 1000);
}
