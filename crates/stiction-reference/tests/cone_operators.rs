//! The same W as a matrix and as the product of rank 6: blocks, products, shifted systems and answers agree; and shifted systems are checked by a general solver of linear systems.

use nalgebra::{DMatrix, DVector};
use stiction::delassus::{
    ConeVerdict, Delassus, GaussSeidel, GaussSeidelSettings, LocalRule, SolveLimits, Staggered, StaggeredSettings,
};
use stiction::spatial::{Mat3, Vec3};
use stiction_reference::families::{Random, rigid_pair};

/// W r and x of (I + S W) x = S y.
fn probe<W: Delassus>(w: &W, r: &[Vec3], roots: &[Mat3], y: &[Vec3]) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut motion = vec![0.0; w.motion_len()];
    r.iter().enumerate().for_each(|(i, r)| w.change(&mut motion, i, r));
    let moved = (0..w.len()).map(|i| w.velocity(&motion, i)).collect();
    let mut x = vec![Vec3::zeros(); w.len()];
    assert!(w.solve_shifted(&mut w.factor(), roots, y, &mut x));
    (moved, x)
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    let size = |v: &[Vec3]| v.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
    let off: Vec<Vec3> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    size(&off) / size(a).max(size(b)).max(f64::MIN_POSITIVE)
}

#[test]
fn matrix_and_product_are_one_operator() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(30);
        let (product, matrix) = rigid_pair(n, 1.0, seed).unwrap();
        let vector = |random: &mut Random| (0..n).map(|_| random.direction()).collect::<Vec<_>>();
        let (r, y) = (vector(&mut random), vector(&mut random));
        // Free, fixed and partly free contacts, some of them soft.
        let roots: Vec<Mat3> = (0..n)
            .map(|_| {
                let mut root = random.rotation() * random.decades(-1.0, 3.0);
                (0..random.below(4)).for_each(|k| root.column_mut(k).fill(0.0));
                root
            })
            .collect();
        let (moved_a, x_a) = probe(product.operator(), &r, &roots, &y);
        let (moved_b, x_b) = probe(matrix.operator(), &r, &roots, &y);
        assert!(
            apart(&moved_a, &moved_b) < 1e-12 && apart(&x_a, &x_b) < 1e-8,
            "seed {seed}: {:.1e} {:.1e}",
            apart(&moved_a, &moved_b),
            apart(&x_a, &x_b)
        );
        let entry = |a: usize, b: usize| matrix.operator().block(a / 3, b / 3)[(a % 3, b % 3)];
        let w = DMatrix::from_fn(3 * n, 3 * n, entry);
        let mut s = DMatrix::zeros(3 * n, 3 * n);
        for (i, root) in roots.iter().enumerate() {
            s.view_mut((3 * i, 3 * i), (3, 3)).copy_from(&(root * root.transpose()));
        }
        let flat = DVector::from_iterator(3 * n, y.iter().flat_map(|v| v.iter().copied()));
        let x = (DMatrix::identity(3 * n, 3 * n) + &s * &w).lu().solve(&(&s * flat)).unwrap();
        let x: Vec<Vec3> = x.as_slice().chunks_exact(3).map(Vec3::from_column_slice).collect();
        assert!(apart(&x, &x_b) < 1e-7, "seed {seed}: {:.1e}", apart(&x, &x_b));
    }
}

/// Forces need not be the same (they are not unique), motions must.
#[test]
fn solvers_move_a_part_the_same_on_both() {
    let limits = SolveLimits { tolerance: 1e-9, passes: 50_000 };
    let (mut tried, mut solved) = (0, 0);
    for seed in 0..60 {
        let (product, matrix) = rigid_pair(1 + seed as usize % 20, 0.5, seed).unwrap();
        let settings = GaussSeidelSettings { rule: LocalRule::GraphIntersection, limits, warm_start: false };
        let a = GaussSeidel::new(settings, product.operator()).unwrap().solve(&product).unwrap().clone();
        let b = GaussSeidel::new(settings, matrix.operator()).unwrap().solve(&matrix).unwrap().clone();
        let settings = StaggeredSettings { limits, warm_start: false, ..StaggeredSettings::default() };
        let c = Staggered::new(settings, product.operator()).unwrap().solve(&product).unwrap().clone();
        let d = Staggered::new(settings, matrix.operator()).unwrap().solve(&matrix).unwrap().clone();
        let moved = |forces: &[Vec3]| {
            let mut motion = vec![0.0; 6];
            forces.iter().enumerate().for_each(|(i, r)| product.operator().change(&mut motion, i, r));
            (0..product.len()).map(|i| product.operator().velocity(&motion, i)).collect::<Vec<_>>()
        };
        for (a, b) in [(&a, &b), (&c, &d)] {
            tried += 1;
            if a.verdict == ConeVerdict::Solved && b.verdict == ConeVerdict::Solved {
                solved += 1;
                assert!(apart(&moved(&a.forces), &moved(&b.forces)) < 1e-5, "seed {seed}");
            }
        }
    }
    println!("{solved} of {tried} pairs solved to 1e-9, and moved the same");
    assert!(2 * solved > tried);
}
