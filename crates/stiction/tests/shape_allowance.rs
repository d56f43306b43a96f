//! The allowance of a shape: its interpolation, its gradient, and what is refused.

mod shape_support;

use shape_support::{Random, allowance};
use stiction::shape::{Allowance, Lattice, PointShell, ShellNode, ShellPoint};
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
