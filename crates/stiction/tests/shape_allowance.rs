//! The allowance of a shape: its interpolation, its gradient, and what is refused.

mod shape_support;

use shape_support::{Random, allowance, stretches};
use stiction::shape::{Aabb, Allowance, EdgeAllowance, EdgeStretch, Lattice, PointShell, ShellNode, ShellPoint};
use stiction::spatial::Vec3;

#[test]
fn the_gradient_is_that_of_the_interpolated_value_and_the_value_is_continuous() {
    let mut random = Random(3);
    let some = allowance(&mut random, [6, 5, 7]);
    let (bounds, spacing) = (some.bounds(), some.lattice().spacing);
    for _ in 0..5000 {
        let p = random.point(&bounds, 1.4);
        let (value, gradient) = some.sample(p);
        assert!((0.0..=some.largest() * (1.0 + 1e-12)).contains(&value));
        let cell = |p: Vec3| ((p - bounds.min) / spacing).map(f64::floor);
        for a in 0..3 {
            let mut step = Vec3::zeros();
            step[a] = 1e-4 * spacing;
            let ends = [some.sample(p + step).0, some.sample(p - step).0];
            // Linear along an axis within a cell: the difference is exact but for rounding.
            if cell(p + step) == cell(p - step) {
                let slope = (ends[0] - ends[1]) / (2.0 * step[a]);
                assert!((slope - gradient[a]).abs() < 1e-10, "{slope} for {} at {p}", gradient[a]);
            }
            assert!((ends[0] - ends[1]).abs() < 1e-3 * 2.1e-4);
        }
    }
}

#[test]
fn nodes_have_their_values_and_outside_is_zero() {
    let some = allowance(&mut Random(4), [4, 4, 4]);
    let lattice = *some.lattice();
    for k in 0..5 {
        for j in 0..5 {
            for i in 0..5 {
                let (value, _) = some.sample(lattice.position([i, j, k]));
                assert!((value - f64::from(some.values()[lattice.index([i, j, k])])).abs() < 1e-15);
            }
        }
    }
    let middle = 0.5 * (some.bounds().min + some.bounds().max);
    for far in [Vec3::x() * 9.0, Vec3::y() * -1e300, Vec3::repeat(f64::NAN), Vec3::z() * f64::INFINITY] {
        assert_eq!(some.sample(middle + far), (0.0, Vec3::zeros()));
    }
}

#[test]
fn what_would_not_be_an_allowance_is_refused() {
    let lattice = Lattice { origin: Vec3::zeros(), spacing: 0.1, cells: [2, 2, 2] };
    let with = |node: usize, value: f32| {
        let mut values = vec![0.0; 27];
        values[node] = value;
        Allowance::new(lattice, values)
    };
    assert_eq!(with(13, 1e-3).unwrap().largest(), f64::from(1e-3f32));
    assert!(with(12, 1e-3).is_err() && with(13, -1e-9).is_err() && with(13, f32::NAN).is_err());
    assert!(with(13, f32::INFINITY).is_err() && with(13, 1.5).is_err());
    assert!(Allowance::new(lattice, vec![0.0; 26]).is_err());
    let large = Lattice { cells: [65536, 65536, 65536], ..lattice };
    assert!(Allowance::new(large, Vec::new()).unwrap_err().reason.contains("more than"));
    assert!(Allowance::new(Lattice { spacing: f64::NAN, ..lattice }, vec![0.0; 27]).is_err());
}

fn distance([a, b]: [Vec3; 2], p: Vec3) -> f64 {
    let (along, square) = (b - a, (b - a).norm_squared());
    let t = if square > 0.0 { ((p - a).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - along * t).norm()
}

/// Equation (1) of `edge_allowance.rs`, from below; it is local, and continuous also between blocks and towards where there are none.
#[test]
fn edges_are_allowed_their_error_and_nothing_away_from_them() {
    let mut random = Random(9);
    let (stretches, spacing) = (stretches(&mut random), 0.05);
    let some = EdgeAllowance::new(&stretches, spacing).unwrap();
    let bounds = Aabb { min: Vec3::repeat(-0.9), max: Vec3::repeat(0.9) };
    let mut inside = 0;
    for _ in 0..200_000 {
        let p = random.point(&bounds, 1.0);
        let (value, gradient) = some.sample(p);
        let share = |s: &EdgeStretch| (1.0 - distance(s.ends, p) / s.reach).max(0.0).powi(3) * s.error;
        let wanted = stretches.iter().map(share).fold(0.0, f64::max);
        assert!(value >= wanted && value <= some.largest() * (1.0 + 1e-12), "{value} for {wanted} at {p}");
        let far = |s: &EdgeStretch| distance(s.ends, p) > s.reach + 2.0 * 3f64.sqrt() * spacing + 0.5 * spacing;
        assert!(!stretches.iter().all(far) || (value == 0.0 && gradient == Vec3::zeros()));
        inside += usize::from(value > 0.0);
        for a in 0..3 {
            let mut step = Vec3::zeros();
            step[a] = 1e-5 * spacing;
            let ends = [some.sample(p + step).0, some.sample(p - step).0];
            assert!((ends[0] - ends[1]).abs() < 3e-3 * 2.1e-5, "a jump at {p}");
        }
    }
    assert!(inside > 1000);
    for far in [Vec3::x() * 9.0, Vec3::y() * -1e300, Vec3::repeat(f64::NAN), Vec3::z() * f64::INFINITY] {
        assert_eq!(some.sample(far), (0.0, Vec3::zeros()));
    }
}

#[test]
fn of_facets_and_edges_the_larger_allowance_counts() {
    let mut random = Random(10);
    let (facets, edges) = (allowance(&mut random, [6, 5, 7]), stretches(&mut random));
    let edges = EdgeAllowance::new(&edges, 0.05).unwrap();
    let both = facets.clone().with_edges(Some(edges.clone()));
    let alone = Allowance::of_edges(edges.clone());
    assert_eq!(both.largest(), edges.largest().max(facets.largest()));
    for _ in 0..20_000 {
        let p = random.point(&facets.bounds(), 1.4);
        let [a, b] = [facets.sample(p), edges.sample(p)];
        assert_eq!(both.sample(p), if b.0 > a.0 { b } else { a });
        assert_eq!(alone.sample(p).0, b.0);
    }
}

#[test]
fn what_would_not_be_an_allowance_at_edges_is_refused() {
    let good = EdgeStretch { ends: [Vec3::zeros(), Vec3::x()], error: 1e-3, reach: 0.1 };
    let with = |stretch: EdgeStretch, spacing: f64| EdgeAllowance::new(&[stretch], spacing);
    assert!(with(good, 0.1).is_ok());
    assert!(EdgeAllowance::new(&[], 0.1).is_err());
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
        assert!(with(good, spacing).is_err(), "{spacing}");
    }
    for error in [0.0, -1e-3, f64::NAN, 2.0] {
        assert!(with(EdgeStretch { error, ..good }, 0.1).is_err(), "{error}");
    }
    for reach in [0.0, -1.0, f64::NAN, 1.0] {
        assert!(with(EdgeStretch { reach, ..good }, 0.1).is_err(), "{reach}");
    }
    for x in [f64::NAN, 1e10, -f64::INFINITY] {
        assert!(with(EdgeStretch { ends: [Vec3::zeros(), Vec3::x() * x], ..good }, 0.1).is_err(), "{x}");
    }
    // Far from the origin, coordinates are rounded to more than the distance between nodes.
    let far = [Vec3::repeat(9e8), Vec3::repeat(9e8) + Vec3::x() * 1e-6];
    let far = with(EdgeStretch { ends: far, reach: 1e-7, error: 1e-8 }, 1e-7);
    assert!(far.is_err() || far.unwrap().sample(Vec3::repeat(9e8)).0 <= 1.1e-8);
}

#[test]
fn blocks_that_do_not_fit_together_are_refused() {
    let good = EdgeAllowance::new(&stretches(&mut Random(11)), 0.05).unwrap();
    let (lattice, slots, nodes) = (*good.lattice(), good.slots().to_vec(), good.nodes().to_vec());
    assert_eq!(EdgeAllowance::from_blocks(lattice, slots.clone(), nodes.clone()).unwrap(), good);
    let reason = |slots: &[u32], nodes: &[f32]| {
        EdgeAllowance::from_blocks(lattice, slots.to_vec(), nodes.to_vec()).unwrap_err().reason
    };
    let used = slots.iter().position(|&s| s != u32::MAX).unwrap();
    let with = |slot: usize, number: u32| {
        let mut slots = slots.clone();
        slots[slot] = number;
        slots
    };
    assert!(reason(&with(used, u32::MAX), &nodes).contains("not used"));
    assert!(reason(&with(used, (slots[used] + 1) % 2), &nodes).contains("twice"));
    assert!(reason(&with(used, 1 << 20), &nodes).contains("not there"));
    assert!(reason(&slots[1..], &nodes).contains("slots") && reason(&slots, &nodes[1..]).contains("nodes"));
    // Every face of every block is shared with another block or with an empty slot.
    for node in (0..nodes.len()).filter(|n| [n % 5, n / 5 % 5, n / 25 % 5].iter().any(|i| i % 4 == 0)) {
        let mut nodes = nodes.clone();
        nodes[node] += 1e-4;
        assert!(reason(&slots, &nodes).contains("meet"), "{node}");
        nodes[node] = f32::NAN;
        assert!(reason(&slots, &nodes).contains("NaN"));
    }
    let odd = Lattice { cells: lattice.cells.map(|n| n + 1), ..lattice };
    assert!(EdgeAllowance::from_blocks(odd, slots, nodes).is_err());
}

#[test]
fn a_shell_has_one_allowance_a_point_or_none() {
    let point = ShellPoint { position: Vec3::zeros(), normal: Vec3::z() };
    let node = |point| ShellNode { point, first_child: 0, children: 0, radius: 0.0 };
    let shell = PointShell::new(vec![point; 2], vec![node(0), node(1)], vec![2]).unwrap();
    assert_eq!((shell.allowance(0), shell.allowance(7), shell.allowances().len()), (0.0, 0.0, 0));
    let some = shell.clone().with_allowances(vec![0.0, 0.5]).unwrap();
    assert_eq!((some.allowance(0), some.allowance(1)), (0.0, 0.5));
    assert!(some != shell);
    assert_eq!(shell.clone().with_allowances(vec![0.0; 2]).unwrap(), shell);
    assert!(shell.clone().with_allowances(vec![0.1]).is_err());
    assert!(shell.with_allowances(vec![0.1, f32::NAN]).is_err());
}
