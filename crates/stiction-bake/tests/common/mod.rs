//! Small meshes made by hand, a generator of random numbers, and real parts.
#![allow(dead_code)]

use std::path::PathBuf;
use stiction::spatial::Vec3;
use stiction_bake::Mesh;

/// A seeded generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        stiction_testing::splitmix64(&mut self.0)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// `k` distinct numbers below `n`, in order.
    pub fn choose(&mut self, n: usize, k: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        for i in 0..k {
            let j = i + self.below(n - i);
            all.swap(i, j);
        }
        all.truncate(k);
        all.sort_unstable();
        all
    }
}

/// A box with its sides cut into n × n squares each, wound outwards.
pub fn cube(centre: Vec3, half: Vec3, n: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let at = |u: usize, v: usize| {
                let mut p = Vec3::zeros();
                p[axis] = side;
                p[(axis + 1) % 3] = 2.0 * u as f64 / n as f64 - 1.0;
                p[(axis + 2) % 3] = 2.0 * v as f64 / n as f64 - 1.0;
                centre + p.component_mul(&half)
            };
            for u in 0..n {
                for v in 0..n {
                    let base = mesh.points.len() as u32;
                    mesh.points.extend([at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)]);
                    let faces = [[0, 1, 2], [0, 2, 3]];
                    for f in faces.map(|f: [u32; 3]| f.map(|i| i + base)) {
                        mesh.faces.push(if side > 0.0 { f } else { [f[0], f[2], f[1]] });
                    }
                }
            }
        }
    }
    mesh
}

/// A unit box of twelve faces about the origin.
pub fn unit_cube() -> Mesh {
    cube(Vec3::zeros(), Vec3::repeat(0.5), 1)
}

/// A surface over a grid of two angles; `wrap` says which of them close.
pub fn grid(n: usize, m: usize, wrap: [bool; 2], at: impl Fn(f64, f64) -> Vec3) -> Mesh {
    let columns = if wrap[0] { n } else { n + 1 };
    let rows = if wrap[1] { m } else { m + 1 };
    let mut mesh = Mesh::default();
    for j in 0..rows {
        for i in 0..columns {
            mesh.points.push(at(i as f64 / n as f64, j as f64 / m as f64));
        }
    }
    let index = |i: usize, j: usize| (j % rows * columns + i % columns) as u32;
    for j in 0..m {
        for i in 0..n {
            let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
            mesh.faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

const TAU: f64 = std::f64::consts::TAU;

/// A sphere of n columns and m rows; faces at the poles that repeat a point are left out.
pub fn sphere(centre: Vec3, radius: f64, n: usize, m: usize) -> Mesh {
    let mut mesh = grid(n, m, [true, false], |u, v| {
        let (a, b) = (TAU * u, 0.5 * TAU * (v - 0.5));
        let round = if v == 0.0 || v == 1.0 { 0.0 } else { libm::cos(b) };
        centre + radius * Vec3::new(round * libm::cos(a), round * libm::sin(a), libm::sin(b))
    });
    let points = mesh.points.clone();
    mesh.faces.retain(|f| {
        let [a, b, c] = f.map(|i| points[i as usize]);
        a != b && b != c && c != a
    });
    mesh
}

/// A torus about the z axis.
pub fn torus(n: usize, m: usize) -> Mesh {
    grid(n, m, [true, true], |u, v| {
        let (a, b) = (TAU * u, TAU * v);
        let r = 1.0 + 0.4 * libm::cos(b);
        Vec3::new(r * libm::cos(a), r * libm::sin(a), 0.4 * libm::sin(b))
    })
}

/// A flat square sheet of side one.
pub fn sheet(n: usize) -> Mesh {
    grid(n, n, [false, false], |u, v| Vec3::new(u, v, 0.0))
}

/// The same mesh wound the other way.
pub fn reversed(mut mesh: Mesh) -> Mesh {
    mesh.faces.iter_mut().for_each(|f| f.swap(1, 2));
    mesh
}

/// Two meshes as one.
pub fn both(mut a: Mesh, b: &Mesh) -> Mesh {
    a.append(b);
    a
}

/// The triangles of a mesh as sorted bits of coordinates, turned so that the lowest corner is first: equal if and
/// only if two meshes have the same triangles wound the same way.
pub fn wound(mesh: &Mesh) -> Vec<[[u64; 3]; 3]> {
    let mut all: Vec<[[u64; 3]; 3]> = mesh
        .triangles()
        .map(|t| {
            let mut t = t.map(|p| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits));
            let low = (0..3).min_by_key(|&k| t[k]).unwrap();
            t.rotate_left(low);
            t
        })
        .collect();
    all.sort_unstable();
    all
}

/// Signed volume by the divergence theorem.
pub fn volume(mesh: &Mesh) -> f64 {
    mesh.triangles().map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
}

/// The folder of real parts, or `None` with a line that says so.
pub fn data() -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    if folder.join("MANIFEST.tsv").is_file() {
        return Some(folder);
    }
    println!("SKIP: {} is missing", folder.display());
    None
}

/// Reads a part, in the units of its file.
pub fn read(path: &std::path::Path) -> Mesh {
    let mut mesh = Mesh::default();
    if path.extension().is_some_and(|e| e == "stl") {
        let stl = stl_io::read_stl(&mut std::fs::File::open(path).unwrap()).unwrap();
        let point = |v: &stl_io::Vertex| Vec3::new(v[0].into(), v[1].into(), v[2].into());
        mesh.points = stl.vertices.iter().map(point).collect();
        mesh.faces = stl.faces.iter().map(|f| f.vertices.map(|i| i as u32)).collect();
    } else {
        let options =
            tobj::LoadOptions { triangulate: true, ignore_lines: true, ignore_points: true, ..Default::default() };
        let (models, _) = tobj::load_obj(path, &options).unwrap();
        for m in models {
            let points = m.mesh.positions.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect();
            let faces = m.mesh.indices.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect();
            mesh.append(&Mesh { points, faces });
        }
    }
    mesh
}
