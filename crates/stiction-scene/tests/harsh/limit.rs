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
///
/// Contacts that oppose each other could be thought to squeeze the part as hard as one likes, and hold anything. So the sum of all normal forces is
/// at most what the load needs by itself: without friction or, where that does not hold it, with as little as does. Both that and leaving
/// out some of many contacts only lower the answer.
pub fn largest_pull(
    contacts: &[RigidContact],
    mu: f64,
    load: &Vec6,
    pull: &Vec6,
    cap: f64,
    length: f64,
) -> Option<f64> {
    let contacts: Vec<RigidContact> = contacts.iter().step_by(contacts.len().div_ceil(MOST).max(1)).copied().collect();
    let statics = Statics { contacts: &contacts, load, length };
    let squeeze = FRICTION_OF_LOAD.iter().find_map(|share| statics.solve(share * mu, None))?;
    statics.solve(mu, Some((pull * cap, 1.0001 * squeeze))).map(|share| share * cap)
}

/// The least µ with which contacts hold a load, to a thousandth; none where not even `most` does. Normal forces are free, up to a hundred times the load: parts that could be squeezed by themselves
/// need no more than they do, so that no engine can hold with less.
pub fn least_mu(contacts: &[RigidContact], load: &Vec6, most: f64, length: f64) -> Option<f64> {
    let contacts: Vec<RigidContact> = contacts.iter().step_by(contacts.len().div_ceil(MOST).max(1)).copied().collect();
    let statics = Statics { contacts: &contacts, load, length };
    let holds = |mu: f64| statics.solve(mu, None).is_some();
    if holds(0.0) {
        return Some(0.0);
    }
    let (mut low, mut high) = (0.0, most);
    if !holds(high) {
        return None;
    }
    while high - low > 1e-3 {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Shares of µ that may be needed to hold the load alone.
const FRICTION_OF_LOAD: [f64; 4] = [0.0, 0.1, 0.5, 0.9];
/// Most contacts of a program.
const MOST: usize = 200;

/// Contacts and the load that they balance.
struct Statics<'a> {
    contacts: &'a [RigidContact],
    load: &'a Vec6,
    length: f64,
}

impl Statics<'_> {
    /// The least sum of normal forces that holds the load; or, with a pull and the largest sum of normal forces, the largest share of the
    /// pull, at most 1. None where there is no balance.
    ///
    /// Unknowns: (share of the pull, N₁, u₁, v₁, N₂, …). Rows: six of balance, share ≤ 1, sum of normal forces, one cone a contact.
    fn solve(&self, mu: f64, pull: Option<(Vec6, f64)>) -> Option<f64> {
        let unit = self.load.fixed_rows::<3>(0).norm().max(1e-9);
        let scaled = |w: Vec6| std::array::from_fn::<f64, 6, _>(|i| if i < 3 { w[i] } else { w[i] / self.length });
        let (load, drawn) = (scaled(self.load / unit), scaled(pull.map_or(Vec6::zeros(), |p| p.0) / unit));
        let (n, rows) = (1 + 3 * self.contacts.len(), 8 + 3 * self.contacts.len());
        let mut columns: Vec<Vec<(usize, f64)>> = Vec::with_capacity(n);
        columns.push((0..6).map(|i| (i, drawn[i])).chain([(6, 1.0)]).collect());
        for (i, contact) in self.contacts.iter().enumerate() {
            let side = if contact.normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
            let u = contact.normal.cross(&side).normalize();
            let v = contact.normal.cross(&u);
            // Without friction, tangents push nothing and the cone only keeps N ≥ 0.
            let (slope, rubs) = if mu > 0.0 { (mu, 1.0) } else { (1.0, 0.0) };
            for (k, (direction, factor)) in
                [(contact.normal, slope), (u * rubs, 1.0), (v * rubs, 1.0)].into_iter().enumerate()
            {
                let wrench = scaled(join(direction, contact.arm.cross(&direction)));
                let sum = (k == 0).then_some((7, 1.0));
                columns.push((0..6).map(|j| (j, wrench[j])).chain(sum).chain([(8 + 3 * i + k, -factor)]).collect());
            }
        }
        let mut start = vec![0];
        columns.iter().for_each(|c| start.push(start[start.len() - 1] + c.len()));
        let (row_of, value_of) = columns.into_iter().flatten().unzip();
        let a = CscMatrix::new(rows, n, start, row_of, value_of);
        let mut b = vec![0.0; rows];
        (0..6).for_each(|i| b[i] = -load[i]);
        b[6] = 1.0;
        b[7] = pull.map_or(100.0, |p| p.1 / unit);
        let mut q = vec![0.0; n];
        match pull {
            Some(_) => q[0] = -1.0,
            None => (0..self.contacts.len()).for_each(|i| q[1 + 3 * i] = 1.0),
        }
        let mut cones = vec![SupportedConeT::ZeroConeT(6), SupportedConeT::NonnegativeConeT(2)];
        cones.extend(self.contacts.iter().map(|_| SupportedConeT::SecondOrderConeT(3)));
        let settings = DefaultSettings { verbose: false, max_threads: 1, ..DefaultSettings::default() };
        let mut solver = DefaultSolver::new(&CscMatrix::zeros((n, n)), &q, &a, &b, &cones, settings).ok()?;
        solver.solve();
        let solved = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
        solved.then(|| if pull.is_some() { solver.solution.x[0] } else { solver.solution.obj_val * unit })
    }
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
        assert!((limit - 3.0).abs() < 1e-4, "{limit}");
        assert!(largest_pull(&contacts, 0.3, &-load, &pull, 40.0, 0.02).is_none(), "nothing holds it down");
    }

    /// Opposed contacts do not squeeze the part harder than it is pressed.
    #[test]
    fn a_part_between_two_walls_holds_no_more_than_on_one() {
        let contact =
            |(y, z): (f64, f64)| RigidContact { arm: Vec3::new(0.0, 0.01 * y, -0.01 * z), normal: Vec3::z() * z };
        let contacts = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(contact);
        let load = Vec6::new(0.0, 0.0, -10.0, 0.0, 0.0, 0.0);
        let pull = join(Vec3::x(), Vec3::new(0.0, 0.0, -0.01).cross(&Vec3::x()));
        let limit = largest_pull(&contacts, 0.3, &load, &pull, 40.0, 0.02).unwrap();
        assert!((limit - 3.0).abs() < 1e-3, "{limit}");
    }

    /// The box needs its pull over its press; up a wall that it is pressed to, friction holds it down.
    #[test]
    fn a_box_needs_its_pull_over_its_press() {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        let contact =
            |(x, y): (f64, f64)| RigidContact { arm: Vec3::new(0.02 * x, 0.02 * y, -0.01), normal: Vec3::z() };
        let pull = |x: f64| Vec6::new(x, 0.0, -10.0, 0.0, -0.01 * x, 0.0);
        for (x, wanted) in [(0.0, 0.0), (1.0, 0.1), (4.0, 0.4)] {
            let found = least_mu(&corners.map(contact), &pull(x), 1.0, 0.02).unwrap();
            assert!((found - wanted).abs() < 2e-3, "{found} instead of {wanted}");
        }
        assert!(least_mu(&corners.map(contact), &pull(20.0), 1.0, 0.02).is_none());
    }
}
