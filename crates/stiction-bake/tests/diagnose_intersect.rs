//! Self-intersections against brute force over all pairs in exact integers, by other algorithms.

mod common;
use common::*;
use stiction::spatial::Vec3;
use stiction_bake::diagnose::{DiagnoseOptions, Intersections, diagnose_and_mend};
use stiction_bake::{Mesh, Silent};

type I3 = [i128; 3];
type T = [I3; 3];

fn sub(a: I3, b: I3) -> I3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn cross(a: I3, b: I3) -> I3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: I3, b: I3) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn normal(t: &T) -> I3 {
    cross(sub(t[1], t[0]), sub(t[2], t[0]))
}
/// Multiples of the distances of the corners of `t` from the plane of `p`.
fn sides(t: &T, p: &T) -> I3 {
    t.map(|x| dot(normal(p), sub(x, p[0])))
}
fn two_sided(s: I3) -> bool {
    s.iter().any(|&x| x > 0) && s.iter().any(|&x| x < 0)
}

/// Points in which sides of `a` meet the closed triangle `b`, as homogeneous coordinates with positive weight.
fn piercings(a: &T, b: &T, out: &mut Vec<[i128; 4]>) {
    let (s, n) = (sides(a, b), normal(b));
    for k in 0..3 {
        let j = (k + 1) % 3;
        if s[k] * s[j] > 0 || s[k] == s[j] {
            continue;
        }
        // (s_k a_j - s_j a_k) / (s_k - s_j)
        let mut w = s[k] - s[j];
        let mut x = [0, 1, 2].map(|i| s[k] * a[j][i] - s[j] * a[k][i]);
        if w < 0 {
            w = -w;
            x = x.map(|v| -v);
        }
        let inside = (0..3).all(|e| {
            let (p, q) = (b[e], b[(e + 1) % 3]);
            let scaled = [0, 1, 2].map(|i| x[i] - w * p[i]);
            dot(n, cross(sub(q, p), scaled)) >= 0
        });
        if inside {
            out.push([x[0], x[1], x[2], w]);
        }
    }
}

fn crosses(a: &T, b: &T) -> bool {
    if !two_sided(sides(a, b)) || !two_sided(sides(b, a)) {
        return false;
    }
    let mut points = Vec::new();
    piercings(a, b, &mut points);
    piercings(b, a, &mut points);
    points.iter().any(|p| (0..3).any(|i| p[i] * points[0][3] != points[0][i] * p[3]))
}

/// Separating axes in the common plane.
fn lies_over(a: &T, b: &T) -> bool {
    if sides(a, b) != [0; 3] || sides(b, a) != [0; 3] {
        return false;
    }
    let n = normal(a);
    let separated = |t: &T, e: usize| {
        let axis = cross(n, sub(t[(e + 1) % 3], t[e]));
        let (pa, pb) = (a.map(|p| dot(axis, p)), b.map(|p| dot(axis, p)));
        let (min, max) = (|p: [i128; 3]| *p.iter().min().unwrap(), |p: [i128; 3]| *p.iter().max().unwrap());
        max(pa) <= min(pb) || max(pb) <= min(pa)
    };
    !(0..3).any(|e| separated(a, e) || separated(b, e))
}

/// Whether the open triangle `b` holds a point of a segment in its plane: the largest of the least of three linear
/// functions is at an end or where two of them are equal.
fn enters(p: I3, q: I3, b: &T) -> bool {
    let n = normal(b);
    let inside = |e: usize, x: I3| dot(n, cross(sub(b[(e + 1) % 3], b[e]), sub(x, b[e])));
    let f: Vec<(i128, i128)> = (0..3).map(|e| (inside(e, p), inside(e, q))).collect();
    let mut times = vec![(0, 1), (1, 1)];
    for i in 0..3 {
        for j in 0..i {
            // f_i(t) = f_j(t)
            let (top, bottom) = (f[j].0 - f[i].0, (f[i].1 - f[i].0) - (f[j].1 - f[j].0));
            let (top, bottom) = if bottom < 0 { (-top, -bottom) } else { (top, bottom) };
            if bottom != 0 && top >= 0 && top <= bottom {
                times.push((top, bottom));
            }
        }
    }
    times.iter().any(|&(t, w)| f.iter().all(|&(a, b)| a * w + t * (b - a) > 0))
}

/// Whether `a`, behind `b`, ends at it in an edge from which another face goes on in front.
fn goes_through(all: &[T], a: usize, b: &T) -> bool {
    let s = sides(&all[a], b);
    (0..3).any(|k| {
        let (p, q) = (all[a][(k + 1) % 3], all[a][(k + 2) % 3]);
        s[k] < 0
            && s[(k + 1) % 3] == 0
            && s[(k + 2) % 3] == 0
            && enters(p, q, b)
            && (0..all.len()).any(|c| {
                c != a && all[c].contains(&p) && all[c].contains(&q) && sides(&all[c], b).iter().any(|&x| x > 0)
            })
    })
}

fn brute(all: &[T]) -> [u64; 2] {
    let mut found = [0, 0];
    for j in 0..all.len() {
        for i in 0..j {
            let (a, b) = (&all[i], &all[j]);
            if lies_over(a, b) {
                found[1] += 1;
            } else if crosses(a, b) || goes_through(all, i, b) || goes_through(all, j, a) {
                found[0] += 1;
            }
        }
    }
    found
}

fn search(mesh: &Mesh) -> (Intersections, Mesh) {
    let (d, mended) = diagnose_and_mend(mesh, &DiagnoseOptions { samples: 16, ..Default::default() }, &Silent).unwrap();
    (d.intersections, mended.mesh)
}

/// Integers in units of 1/8.
fn integers(mesh: &Mesh) -> Vec<T> {
    mesh.triangles().map(|t| t.map(|p| [p.x, p.y, p.z].map(|x| (8.0 * x) as i128))).collect()
}

fn soup(random: &mut Random, faces: usize, range: usize, points: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for _ in 0..points {
        let mut x = || random.below(range) as f64 / 8.0;
        mesh.points.push(Vec3::new(x(), x(), x()));
    }
    while mesh.faces.len() < faces {
        let f = [0; 3].map(|_| random.below(points) as u32);
        let [a, b, c] = f.map(|i| mesh.points[i as usize]);
        if (b - a).cross(&(c - a)).norm() > 0.0 {
            mesh.faces.push(f);
        }
    }
    mesh
}

#[test]
fn random_soups_have_the_crossings_that_exact_brute_force_finds() {
    let mut random = Random(11);
    let (mut total, mut kinds) = ([0u64; 2], 0);
    for round in 0..300 {
        // From tiny lattices, where nearly everything is degenerate, to roomy ones.
        let range = [3, 4, 6, 9, 17, 65][round % 6];
        let mesh = soup(&mut random, 10 + round % 40, range, 8 + round % 60);
        let (found, mended) = search(&mesh);
        let wanted = brute(&integers(&mended));
        assert_eq!([found.crossing_pairs, found.overlapping_pairs], wanted, "round {round}");
        assert!(found.complete);
        assert_eq!(found.example_m.is_some(), wanted != [0, 0]);
        total = [total[0] + wanted[0], total[1] + wanted[1]];
        kinds += usize::from(wanted[0] > 0) + usize::from(wanted[1] > 0);
    }
    assert!(total[0] > 1000 && total[1] > 100 && kinds > 200, "{total:?} {kinds}: the soups test too little");
}

#[test]
fn cubes_that_overlap_half_on_a_lattice_cross() {
    for offset in [Vec3::new(0.5, 0.25, 0.125), Vec3::new(0.375, 0.375, 0.375), Vec3::new(0.375, 0.0, 0.0)] {
        let mesh = both(cube(Vec3::zeros(), Vec3::repeat(0.5), 4), &cube(offset, Vec3::repeat(0.5), 4));
        let (found, mended) = search(&mesh);
        assert_eq!([found.crossing_pairs, found.overlapping_pairs], brute(&integers(&mended)), "{offset}");
        assert!(found.crossing_pairs + found.overlapping_pairs > 0);
    }
}

#[test]
fn a_surface_that_passes_through_another_exactly_along_an_edge_is_found() {
    // Two squares: a big one at z = 0, and a standing one whose middle edge lies in it.
    let mut mesh = Mesh::default();
    let p = |x, y, z| Vec3::new(x, y, z);
    mesh.points = vec![p(-1.0, -1.0, 0.0), p(1.0, -1.0, 0.0), p(1.0, 1.0, 0.0), p(-1.0, 1.0, 0.0)];
    mesh.points.extend([p(-0.5, -0.25, 0.0), p(-0.125, -0.25, 0.0), p(-0.25, -0.25, 0.5), p(-0.25, -0.25, -0.5)]);
    mesh.faces = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [5, 4, 7]];
    let (found, mended) = search(&mesh);
    assert_eq!(brute(&integers(&mended))[0], found.crossing_pairs);
    assert!(found.crossing_pairs > 0);
}

#[test]
fn closed_convex_and_touching_solids_do_not_cross() {
    let (found, _) = search(&sphere(Vec3::new(0.3, 0.2, 0.1), 1.0, 40, 20));
    assert_eq!([found.crossing_pairs, found.overlapping_pairs], [0, 0]);
    let (found, _) = search(&torus(40, 20));
    assert_eq!([found.crossing_pairs, found.overlapping_pairs], [0, 0]);
    // A small cube standing on a big one: its floor lies in the big one's lid, nothing crosses.
    let on = both(cube(Vec3::zeros(), Vec3::repeat(1.0), 1), &cube(Vec3::new(0.125, 0.25, 1.5), Vec3::repeat(0.5), 1));
    let (found, _) = search(&on);
    assert_eq!(found.crossing_pairs, 0);
    assert!(found.overlapping_pairs > 0);
}

#[test]
fn a_flap_folded_flat_on_its_neighbour_lies_over_it() {
    let points = vec![Vec3::zeros(), Vec3::x(), Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.5, 0.5, 0.0)];
    let folded = Mesh { points: points.clone(), faces: vec![[0, 1, 2], [1, 0, 3]] };
    assert_eq!(search(&folded).0.overlapping_pairs, 1);
    let mut flat = Mesh { points, faces: folded.faces };
    flat.points[3].y = -0.5;
    assert_eq!(search(&flat).0.overlapping_pairs, 0);
}

#[test]
fn a_search_that_stops_at_its_limit_says_so() {
    let mesh = torus(60, 60);
    let options = DiagnoseOptions { pairs: 100, ..Default::default() };
    let found = diagnose_and_mend(&mesh, &options, &Silent).unwrap().0.intersections;
    assert!(!found.complete && found.tested_pairs >= 100);
    assert!(search(&mesh).0.complete);
}
