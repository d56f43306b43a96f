//! Constructors refuse what is no shape, and say why.

mod shape_support;

use shape_support::{Parts, Random, Solid, shell, sparse_parts};
use stiction::shape::{Aabb, Dense, Lattice, PointShell, ShellNode, ShellPoint, Sparse};
use stiction::spatial::Vec3;

fn lattice() -> Lattice {
    Lattice { origin: Vec3::zeros(), spacing: 1.0, cells: [2, 3, 4] }
}

fn part() -> Aabb {
    Aabb { min: Vec3::repeat(0.5), max: Vec3::repeat(1.5) }
}

fn dense_says(change: impl Fn(&mut Lattice, &mut Aabb, &mut Vec<f32>)) -> String {
    let (mut lattice, mut part, mut values) = (lattice(), part(), vec![1.0; 60]);
    assert!(Dense::new(lattice, part, values.clone()).is_ok());
    change(&mut lattice, &mut part, &mut values);
    Dense::new(lattice, part, values).expect_err("refused").to_string()
}

#[test]
fn lattices_are_finite_and_hold_the_part() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
        assert!(dense_says(|l, _, _| l.spacing = bad).contains("a spacing of"));
    }
    for bad in [f64::NAN, f64::INFINITY, -1e300] {
        assert!(dense_says(|l, _, _| l.origin.y = bad).contains("reaches from"));
        assert!(dense_says(|_, p, _| p.min.z = bad).contains("strictly inside"));
        assert!(dense_says(|_, p, _| p.max.z = -bad).contains("strictly inside"));
    }
    for bad in [0, u32::MAX] {
        assert!(dense_says(|l, _, _| l.cells[1] = bad).contains("cells"));
    }
    assert!(dense_says(|_, p, _| p.min.x = 0.0).contains("strictly inside"));
    assert!(dense_says(|_, p, _| p.max.x = 2.0).contains("strictly inside"));
    assert!(dense_says(|_, p, _| p.max.x = 0.4).contains("strictly inside"));
}

#[test]
fn dense_values_are_complete_finite_and_outside_on_the_boundary() {
    assert_eq!(dense_says(|_, _, v| v.truncate(59)), "invalid dense field: 59 values for 60 nodes");
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN] {
        assert_eq!(dense_says(|_, _, v| v[31] = bad), "invalid dense field: a value is not finite");
    }
    // The only nodes that may be inside: x = 1, y = 1 or 2, z = 1 to 3.
    let inner: Vec<usize> =
        (0..60).filter(|i| i % 3 == 1 && [1, 2].contains(&(i / 3 % 4)) && [1, 2, 3].contains(&(i / 12))).collect();
    assert_eq!(inner.len(), 6);
    for i in 0..60 {
        let mut values = vec![1.0; 60];
        values[i] = if i % 2 == 0 { -1.0 } else { 0.0 };
        assert_eq!(Dense::new(lattice(), part(), values).is_ok(), inner.contains(&i), "node {i}");
    }
}

fn sparse_says(change: impl Fn(&mut Parts)) -> String {
    let mut parts = sparse_parts(Solid::Sphere, 0.05, 4.0);
    change(&mut parts);
    parts.build().expect_err("refused").to_string()
}

#[test]
fn sparse_parts_fit_together() {
    assert!(sparse_says(|p| p.lattice.cells[0] += 1).contains("multiples of 8"));
    for bad in [0.0, 0.17, 0.81, f64::NAN, f64::INFINITY] {
        assert!(sparse_says(|p| p.band = bad).contains("a band of"));
    }
    assert!(sparse_says(|p| p.slots.push(Sparse::EMPTY)).contains("slots"));
    assert!(sparse_says(|p| p.coarse.truncate(5)).contains("coarse values"));
    assert!(sparse_says(|p| p.blocks.truncate(100)).contains("multiple of 729"));
    assert!(sparse_says(|p| p.coarse[7] = f32::NAN).contains("not finite"));
    assert!(sparse_says(|p| p.blocks[300] = i16::MIN).contains("below -32767"));
    let rename = |p: &mut Parts, to| *p.slots.iter_mut().find(|s| **s != Sparse::EMPTY).unwrap() = to;
    assert!(sparse_says(|p| rename(p, 1)).contains("used twice"));
    assert!(sparse_says(|p| rename(p, 1_000_000)).contains("names block 1000000"));
    assert!(sparse_says(|p| p.blocks.extend([32767; 729])).contains("not used"));
}

/// The blocks of a small field, and the face, edge and corner nodes of one of them.
#[test]
fn blocks_meet_their_neighbours() {
    let good = sparse_parts(Solid::Sphere, 0.05, 4.0);
    assert!(good.clone().build().is_ok());
    // A block that is not at the boundary of the lattice.
    let [nx, ny, nz] = good.lattice.cells.map(|n| n as usize / 8);
    let within = |i: &usize| {
        let at = [i % nx, i / nx % ny, i / nx / ny];
        good.slots[*i] != Sparse::EMPTY && (0..3).all(|a| at[a] > 0 && at[a] + 1 < [nx, ny, nz][a])
    };
    let block = good.slots[(0..good.slots.len()).find(within).unwrap()] as usize;
    let (mut inner, mut shared) = (0, 0);
    for node in 0..729 {
        let at = [node % 9, node / 9 % 9, node / 81];
        let mut parts = good.clone();
        let value = &mut parts.blocks[729 * block + node];
        *value = if *value == 1000 { 1001 } else { 1000 };
        let is_shared = at.iter().any(|&i| i == 0 || i == 8);
        assert_eq!(parts.build().is_err(), is_shared, "node {at:?}");
        if is_shared { shared += 1 } else { inner += 1 }
    }
    assert_eq!((inner, shared), (343, 386));
}

#[test]
fn empty_slots_have_one_sign_and_the_boundary_is_outside() {
    let says = sparse_says(|p| {
        // The middle of the sphere is an empty slot's corner.
        let lowest = p.coarse.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
        p.coarse[lowest] = 0.0;
    });
    // Which of the two is seen first depends on the order of the slots.
    assert!(says.contains("differ in sign") || says.contains("do not meet"), "{says}");
    let says = sparse_says(|p| {
        // Nothing but empty slots.
        p.slots.fill(Sparse::EMPTY);
        p.blocks.clear();
        p.coarse.fill(1.0);
        p.coarse[7] = -0.0;
    });
    assert!(says.contains("differ in sign"), "{says}");
    let says = sparse_says(|p| p.coarse.iter_mut().for_each(|v| *v = -v.abs() - 1.0));
    assert!(says.contains("boundary of the lattice") || says.contains("do not meet"), "{says}");
    // All inside: the boundary alone is wrong.
    let says = sparse_says(|p| {
        p.coarse.fill(-1.0);
        p.slots.fill(Sparse::EMPTY);
        p.blocks.clear();
    });
    assert!(says.contains("reaches the boundary"), "{says}");
}

fn shell_says(change: impl Fn(&mut Vec<ShellPoint>, &mut Vec<ShellNode>, &mut Vec<u32>)) -> String {
    let mut random = Random(3);
    let good =
        std::iter::repeat_with(|| shell(&mut random, 60, |r| r.direction())).find(|s| s.levels()[0] > 1).unwrap();
    let (mut points, mut nodes, mut levels) = (good.points().to_vec(), good.nodes().to_vec(), good.levels().to_vec());
    assert!(levels.len() >= 3, "{levels:?}");
    change(&mut points, &mut nodes, &mut levels);
    PointShell::new(points, nodes, levels).expect_err("refused").to_string()
}

#[test]
fn shells_are_nested_trees_with_radii_that_hold() {
    assert!(shell_says(|p, _, _| p[4].position.x = f64::NAN).contains("point 4 is not finite"));
    for bad in [0.0, 2.0, f64::NAN] {
        assert!(shell_says(|p, _, _| p[4].normal *= bad).contains("the normal of point 4"));
    }
    assert!(shell_says(|_, _, l| l.reverse()).contains("not nested"));
    assert!(shell_says(|_, _, l| l.insert(0, 0)).contains("not nested"));
    assert!(shell_says(|p, _, _| p.truncate(59)).contains("59 points"));
    assert!(shell_says(|_, n, _| n.truncate(59)).contains("59 nodes"));
    assert!(shell_says(|_, _, l| l.clear()).contains("points"));
    assert!(shell_says(|_, n, _| n[0].point = 1_000_000).contains("node 0"));
    assert!(shell_says(|_, n, _| n[1].point = n[0].point).contains("node"));
    assert!(shell_says(|_, n, _| n[1].first_child += 1).contains("node 1"));
    assert!(shell_says(|_, n, _| n[1].first_child = u32::MAX).contains("node 1"));
    assert!(shell_says(|_, n, _| n[0].children = 0).contains("node 0"));
    assert!(shell_says(|_, n, _| n[0].children = u32::MAX).contains("node"));
    assert!(shell_says(|_, n, _| n.last_mut().unwrap().children = 1).contains("last level"));
    assert!(shell_says(|_, n, _| n.last_mut().unwrap().radius = 0.1).contains("last level"));
    for bad in [f32::NAN, f32::INFINITY, -1.0] {
        assert!(shell_says(|_, n, _| n[0].radius = bad).contains("the radius of node 0"));
    }
    assert!(shell_says(|_, n, _| n[0].radius *= 1.0 - 1e-5).contains("the radius of node 0"));
    assert!(shell_says(|_, n, l| n[l[0] as usize].radius = -0.1).contains("the radius of node"));
}
