//! Parts with exact distances, made independently of the crate's own solids.

use stiction::shape::{PointShell, ShellPoint};
use stiction::spatial::Vec3;
use stiction_bake::Mesh;

/// A box between two corners.
pub fn cuboid(min: Vec3, max: Vec3) -> Mesh {
    let points = (0..8)
        .map(|i| {
            let pick = |k: usize| if i >> k & 1 == 1 { max[k] } else { min[k] };
            Vec3::new(pick(0), pick(1), pick(2))
        })
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh { points, faces }
}

/// Exact signed distance of that box.
pub fn cuboid_distance(min: Vec3, max: Vec3) -> impl Fn(Vec3) -> f64 + Sync {
    move |p| {
        let q = (p - (min + max) * 0.5).abs() - (max - min) * 0.5;
        q.sup(&Vec3::zeros()).norm() + q.max().min(0.0)
    }
}

/// A sphere of radius one about the origin, the faces of an octahedron split in four so many times; no points are shared.
pub fn ball(splits: usize) -> Mesh {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let mut triangles = Vec::new();
    for octant in 0..8 {
        let [a, b, c] = [0, 1, 2].map(|k| if octant >> k & 1 == 1 { -axes[k] } else { axes[k] });
        let odd = (octant as u32).count_ones() % 2 == 1;
        triangles.push(if odd { [a, c, b] } else { [a, b, c] });
    }
    for _ in 0..splits {
        triangles = triangles
            .into_iter()
            .flat_map(|[a, b, c]| {
                let [ab, bc, ca] = [a + b, b + c, c + a].map(|p| p.normalize());
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let points: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh { points, faces }
}

/// The outline of an L: two legs of length 2 and width 1.
pub const L: [[f64; 2]; 6] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];

/// The L from z = 0 to z = 1.
pub fn ell() -> Mesh {
    let points: Vec<Vec3> = [0.0, 1.0].iter().flat_map(|&z| L.iter().map(move |p| Vec3::new(p[0], p[1], z))).collect();
    let mut faces = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        faces.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for i in 0..6u32 {
        let j = (i + 1) % 6;
        faces.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    Mesh { points, faces }
}

/// Exact signed distance of the L.
pub fn ell_distance(p: Vec3) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut inside = false;
    for i in 0..6 {
        let (a, b) = (L[i], L[(i + 1) % 6]);
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [p.x - a[0], p.y - a[1]]);
        let t = ((u[0] * v[0] + u[1] * v[1]) / (u[0] * u[0] + u[1] * u[1])).clamp(0.0, 1.0);
        nearest = nearest.min((v[0] - t * u[0]).hypot(v[1] - t * u[1]));
        if (a[1] > p.y) != (b[1] > p.y) && p.x < a[0] + (p.y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            inside = !inside;
        }
    }
    let flat = if inside { -nearest } else { nearest };
    let high = (p.z - 0.5).abs() - 0.5;
    flat.max(0.0).hypot(high.max(0.0)) + flat.max(high).min(0.0)
}

/// Turns every face whose number has this property.
pub fn flip(mesh: &mut Mesh, which: impl Fn(usize) -> bool) {
    mesh.faces.iter_mut().enumerate().filter(|(i, _)| which(*i)).for_each(|(_, f)| f.swap(1, 2));
}

/// The same triangles without shared points.
pub fn unweld(mesh: &Mesh) -> Mesh {
    let points: Vec<Vec3> = mesh.triangles().flatten().collect();
    Mesh { faces: (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), points }
}

/// Everything the engine may rely on: the layout that `ShellNode` documents, and radii against an exhaustive search.
pub fn check_tree(shell: &PointShell) {
    let (points, nodes, levels) = (shell.points(), shell.nodes(), shell.levels());
    assert_eq!(nodes.len() as u32, levels.iter().sum::<u32>());
    assert_eq!(*levels.last().unwrap() as usize, points.len());
    let mut start = 0;
    for (l, &size) in levels.iter().enumerate() {
        let (here, next) = (start..start + size as usize, start + size as usize);
        let mut own: Vec<u32> = nodes[here.clone()].iter().map(|n| n.point).collect();
        own.sort_unstable();
        assert_eq!(own, (0..size).collect::<Vec<_>>(), "level {l} holds the first points");
        let mut expected = next;
        for node in &nodes[here] {
            if l + 1 == levels.len() {
                assert_eq!((node.children, node.radius), (0, 0.0));
                continue;
            }
            assert_eq!(node.first_child as usize, expected, "children of neighbours are neighbours");
            assert_eq!(nodes[expected].point, node.point, "the first child is the same point");
            let others = &nodes[expected + 1..expected + node.children as usize];
            assert!(others.iter().all(|c| c.point >= size), "the others are new");
            expected += node.children as usize;
        }
        start = next;
    }
    for node in nodes {
        let centre = points[node.point as usize].position;
        let mut farthest = 0f64;
        let mut stack = vec![*node];
        while let Some(next) = stack.pop() {
            farthest = farthest.max((points[next.point as usize].position - centre).norm());
            stack.extend((0..next.children).map(|k| nodes[(next.first_child + k) as usize]));
        }
        assert!(f64::from(node.radius) >= farthest, "a radius bounds all descendants");
        assert!(f64::from(node.radius) <= farthest * (1.0 + 2e-7), "a radius is tight");
    }
}

/// Distance from a place to the nearest point that a filter lets through.
pub fn nearest(points: &[ShellPoint], place: Vec3, keep: impl Fn(&ShellPoint) -> bool) -> f64 {
    points.iter().filter(|p| keep(p)).map(|p| (p.position - place).norm()).fold(f64::INFINITY, f64::min)
}
