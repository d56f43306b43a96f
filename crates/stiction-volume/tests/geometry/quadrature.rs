//! Integrals over triangles by Gauss and Legendre's rule in both directions of a square that is folded to a triangle (Duffy): exact for polynomials up to degree 8.

/// Abscissas and weights of six points in [0, 1].
const POINTS: [(f64, f64); 6] = {
    let a = [0.238_619_186_083_196_9, 0.661_209_386_466_264_5, 0.932_469_514_203_152];
    let w = [0.467_913_934_572_691, 0.360_761_573_048_138_6, 0.171_324_492_379_170_35];
    [
        (0.5 - 0.5 * a[2], 0.5 * w[2]),
        (0.5 - 0.5 * a[1], 0.5 * w[1]),
        (0.5 - 0.5 * a[0], 0.5 * w[0]),
        (0.5 + 0.5 * a[0], 0.5 * w[0]),
        (0.5 + 0.5 * a[1], 0.5 * w[1]),
        (0.5 + 0.5 * a[2], 0.5 * w[2]),
    ]
};

/// The mean over a triangle of a function of barycentric coordinates.
pub fn mean<const N: usize>(of: impl Fn([f64; 3]) -> [f64; N]) -> [f64; N] {
    let mut sum = [0.0; N];
    for (x, wx) in POINTS {
        for (y, wy) in POINTS {
            let bary = [1.0 - x, x * (1.0 - y), x * y];
            // The fold shrinks areas by x; a triangle is half of the square.
            let weight = 2.0 * x * wx * wy;
            of(bary).iter().zip(&mut sum).for_each(|(f, s)| *s += weight * f);
        }
    }
    sum
}

/// The same with the triangle cut in four so many times: for functions that are no polynomials.
pub fn fine_mean<const N: usize>(cuts: u32, of: &dyn Fn([f64; 3]) -> [f64; N]) -> [f64; N] {
    if cuts == 0 {
        return mean(of);
    }
    let whole = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let middle = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]));
    let [a, b, c] = whole;
    let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    let mut sum = [0.0; N];
    for t in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
        let inner = |w: [f64; 3]| of([0, 1, 2].map(|i| w[0] * t[0][i] + w[1] * t[1][i] + w[2] * t[2][i]));
        fine_mean(cuts - 1, &inner).iter().zip(&mut sum).for_each(|(f, s)| *s += 0.25 * f);
    }
    sum
}

#[test]
fn the_rule_is_exact_for_polynomials() {
    // The mean of x^i y^j is 2 i! j! / (i + j + 2)!.
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    for i in 0..5 {
        for j in 0..5 - i {
            let wanted = 2.0 * factorial(i) * factorial(j) / factorial(i + j + 2);
            let [got] = mean(|[_, x, y]| [x.powi(i as i32) * y.powi(j as i32)]);
            let [fine] = fine_mean(2, &|[_, x, y]| [x.powi(i as i32) * y.powi(j as i32)]);
            assert!((got - wanted).abs() < 1e-15 && (fine - wanted).abs() < 1e-15, "{i} {j}: {got} {fine} {wanted}");
        }
    }
}
