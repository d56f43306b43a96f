//! Shape functions of tetrahedra with straight edges, in barycentric coordinates λ_0 … λ_3.
//!
//! Linear: N_i = λ_i. Quadratic: N_i = λ_i (2 λ_i - 1) at corners, 4 λ_i λ_j at the middle of edges. The gradients of the λ are constant; those of quadratic functions are linear, so that
//! stiffness is quadratic in λ and four points integrate it exactly. Mass: ∫ Π λ_k^a_k = 6 V Π a_k! / (3 + Σ a_k)!.

use super::elements::EDGES;
use crate::mesh::volume_of;
use stiction::spatial::Vec3;

/// The gradients of the barycentric coordinates, and the volume.
pub(super) fn barycentric_gradients(corners: &[Vec3; 4]) -> ([Vec3; 4], f64) {
    let [a, b, c, d] = corners;
    let volume = volume_of(corners);
    let six = 6.0 * volume;
    let gb = (c - a).cross(&(d - a)) / six;
    let gc = (d - a).cross(&(b - a)) / six;
    let gd = (b - a).cross(&(c - a)) / six;
    ([-(gb + gc + gd), gb, gc, gd], volume)
}

/// Points at which the stiffness of quadratic elements is integrated, all of the same weight: one coordinate is the first number, the others the second.
const POINT: [f64; 2] = [0.585_410_196_624_968_5, 0.138_196_601_125_010_5];

/// Gives, for each integration point, the gradients of the shape functions and the point's share of the volume.
pub(super) fn each_point(nodes: usize, gradients: &[Vec3; 4], mut each: impl FnMut(&[Vec3], f64)) {
    if nodes == 4 {
        each(gradients, 1.0);
        return;
    }
    for point in 0..4 {
        let at = |k: usize| POINT[usize::from(k != point)];
        let mut all = [Vec3::zeros(); 10];
        for k in 0..4 {
            all[k] = (4.0 * at(k) - 1.0) * gradients[k];
        }
        for (k, [i, j]) in EDGES.into_iter().enumerate() {
            all[4 + k] = 4.0 * (at(i) * gradients[j] + at(j) * gradients[i]);
        }
        each(&all, 0.25);
    }
}

/// A term of a shape function: a factor and the powers of the barycentric coordinates.
type Term = (f64, [usize; 4]);

fn terms(node: usize) -> Vec<Term> {
    let mut one = [0; 4];
    if node < 4 {
        one[node] = 1;
        let mut two = [0; 4];
        two[node] = 2;
        return vec![(2.0, two), (-1.0, one)];
    }
    let [i, j] = EDGES[node - 4];
    one[i] = 1;
    one[j] = 1;
    vec![(4.0, one)]
}

/// ∫ N_i N_j over an element of volume one.
pub(super) fn unit_mass(nodes: usize) -> [[f64; 10]; 10] {
    let factorial = |n: usize| (1..=n).product::<usize>() as f64;
    let integral = |powers: [usize; 4]| {
        let sum: usize = powers.iter().sum();
        6.0 * powers.iter().map(|&p| factorial(p)).product::<f64>() / factorial(sum + 3)
    };
    let mut mass = [[0.0; 10]; 10];
    for i in 0..nodes {
        for j in 0..nodes {
            mass[i][j] = if nodes == 4 {
                if i == j { 0.1 } else { 0.05 }
            } else {
                let mut sum = 0.0;
                for (a, p) in terms(i) {
                    for (b, q) in terms(j) {
                        sum += a * b * integral([0, 1, 2, 3].map(|k| p[k] + q[k]));
                    }
                }
                sum
            };
        }
    }
    mass
}
