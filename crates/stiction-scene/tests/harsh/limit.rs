//! What friction can hold, by rigid statics alone: the largest λ for which normal forces N_i ≥ 0 and friction ‖T_i‖ ≤ µ N_i balance a
//! load and λ times a pull. A second-order cone program for Clarabel; of the engine it takes only where contacts are and their normals.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use stiction::spatial::{Vec3, Vec6, join};

/// A contact of the rigid problem.
#[derive(Clone, Copy, Debug)]
pub struct RigidContact {
    /// From the part's centre (m).
    pub arm: Vec3,
    /// Unit direction of the normal force on the part.
    pub normal: Vec3,
}

/// The largest factor of `pull`, at most `cap`, that contacts hold together with `load`; none where they do not even hold the load.
/// `length` makes torques comparable with forces.
pub fn largest_pull(
    contacts: &[RigidContact],
    mu: f64,
    load: &Vec6,
    pull: &Vec6,
    cap: f64,
    length: f64,
) -> Option<f64> {
    let force = load.fixed_rows::<3>(0).norm().max(1e-9);
    let scaled = |w: Vec6| std::array::from_fn::<f64, 6, _>(|i| if i < 3 { w[i] } else { w[i] / length });
    let (load, pull) = (scaled(load / force), scaled(pull * (cap / force)));
    // x = (λ/cap, N₁, u₁, v₁, N₂, …); rows: balance, cap, one cone a contact.
    let (n, rows) = (1 + 3 * contacts.len(), 7 + 3 * contacts.len());
    let mut columns: Vec<Vec<(usize, f64)>> = Vec::with_capacity(n);
    columns.push((0..6).map(|i| (i, pull[i])).chain([(6, 1.0)]).collect());
    for (i, contact) in contacts.iter().enumerate() {
        let side = if contact.normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
        let u = contact.normal.cross(&side).normalize();
        let v = contact.normal.cross(&u);
        for (k, (direction, factor)) in [(contact.normal, mu), (u, 1.0), (v, 1.0)].into_iter().enumerate() {
            let wrench = scaled(join(direction, contact.arm.cross(&direction)));
            columns.push((0..6).map(|j| (j, wrench[j])).chain([(7 + 3 * i + k, -factor)]).collect());
        }
    }
    let mut start = vec![0];
    columns.iter().for_each(|c| start.push(start[start.len() - 1] + c.len()));
    let (row_of, value_of) = columns.into_iter().flatten().unzip();
    let a = CscMatrix::new(rows, n, start, row_of, value_of);
    let mut b = vec![0.0; rows];
    (0..6).for_each(|i| b[i] = -load[i]);
    b[6] = 1.0;
    let mut q = vec![0.0; n];
    q[0] = -1.0;
    let mut cones = vec![SupportedConeT::ZeroConeT(6), SupportedConeT::NonnegativeConeT(1)];
    cones.extend(contacts.iter().map(|_| SupportedConeT::SecondOrderConeT(3)));
    let settings = DefaultSettings { verbose: false, max_threads: 1, ..DefaultSettings::default() };
    let mut solver = DefaultSolver::new(&CscMatrix::zeros((n, n)), &q, &a, &b, &cones, settings).ok()?;
    solver.solve();
    let solved = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    solved.then(|| solver.solution.x[0] * cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four corners of a box pressed with 10 N: µ F, whatever the corners' shares.
    #[test]
    fn a_box_holds_its_coefficient_times_its_press() {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        let contact =
            |(x, y): (f64, f64)| RigidContact { arm: Vec3::new(0.02 * x, 0.02 * y, -0.01), normal: Vec3::z() };
        let contacts = corners.map(contact);
        let load = Vec6::new(0.0, 0.0, -10.0, 0.0, 0.0, 0.0);
        let pull = join(Vec3::x(), Vec3::new(0.0, 0.0, -0.01).cross(&Vec3::x()));
        let limit = largest_pull(&contacts, 0.3, &load, &pull, 40.0, 0.02).unwrap();
        assert!((limit - 3.0).abs() < 1e-5, "{limit}");
        assert!(largest_pull(&contacts, 0.3, &-load, &pull, 40.0, 0.02).is_none(), "nothing holds it down");
    }
}
