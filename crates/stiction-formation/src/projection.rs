//! The point of a convex set nearest to the origin of a wish: min ½‖y − y₀‖² with rows g·y ≥ h, in six dimensions.
//!
//! The dual active-set method of Goldfarb and Idnani (1983): start from y₀, take in the most violated row, and step until it holds, dropping rows whose multiplier would become negative.
//! At most six rows are active, so that each step is a small dense system; rows that depend on the active ones change multipliers only. The set holds the origin whenever no h is
//! positive, and is then never empty.

use stiction::spatial::Vec6;

/// A row g·y ≥ h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// g.
    pub normal: Vec6,
    /// h.
    pub bound: f64,
}

/// Most steps; a problem of some dozen rows takes about ten.
const MOST_STEPS: usize = 200;
/// Square of the share of a row that must be independent of the active ones.
const DEPENDENT: f64 = 1e-8;

/// Active rows and their multipliers.
#[derive(Clone, Copy, Debug)]
struct Active {
    rows: [usize; 6],
    multipliers: [f64; 6],
    count: usize,
}

impl Active {
    fn drop(&mut self, at: usize) {
        for i in at..self.count - 1 {
            (self.rows[i], self.multipliers[i]) = (self.rows[i + 1], self.multipliers[i + 1]);
        }
        self.count -= 1;
    }
}

/// A nearest point, with the rows that hold it back.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// The point.
    pub point: Vec6,
    active: Active,
}

impl Nearest {
    /// The numbers of the rows that hold it back.
    pub fn active(&self) -> &[usize] {
        &self.active.rows[..self.active.count]
    }
}

/// The nearest point, to within `tolerance` of each row; `None` if the set is empty, or the steps did not suffice.
pub fn nearest(wish: &Vec6, rows: &[HalfSpace], tolerance: f64) -> Option<Nearest> {
    let mut y = *wish;
    let mut active = Active { rows: [0; 6], multipliers: [0.0; 6], count: 0 };
    // The row that is being taken in, and its multiplier so far.
    let mut entering: Option<(usize, f64)> = None;
    for _ in 0..MOST_STEPS {
        let (p, so_far) = match entering {
            Some(row) => row,
            None => match most_violated(&y, rows, tolerance, &active) {
                Some(p) => (p, 0.0),
                None => return Some(Nearest { point: y, active }),
            },
        };
        let g = rows[p].normal;
        let (direction, change) = split(&g, rows, &active);
        let curvature = direction.dot(&g);
        let independent = curvature > DEPENDENT * g.norm_squared() && active.count < 6;
        let full = if independent { (rows[p].bound - g.dot(&y)) / curvature } else { f64::INFINITY };
        // The multiplier that first becomes zero.
        let falling = (0..active.count).filter(|i| change[*i] > 1e-14);
        let (blocking, partial) = falling
            .map(|i| (i, active.multipliers[i] / change[i]))
            .fold((6, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best });
        let step = full.min(partial);
        if step.is_infinite() {
            return None;
        }
        if independent {
            y += direction * step;
        }
        for i in 0..active.count {
            active.multipliers[i] = (active.multipliers[i] - step * change[i]).max(0.0);
        }
        if full <= partial {
            (active.rows[active.count], active.multipliers[active.count]) = (p, so_far + step);
            active.count += 1;
            entering = None;
        } else {
            active.drop(blocking);
            entering = Some((p, so_far + step));
        }
    }
    None
}

fn most_violated(y: &Vec6, rows: &[HalfSpace], tolerance: f64, active: &Active) -> Option<usize> {
    let mut worst = (tolerance, None);
    for (i, row) in rows.iter().enumerate() {
        let short = row.bound - row.normal.dot(y);
        if short > worst.0 && !active.rows[..active.count].contains(&i) {
            worst = (short, Some(i));
        }
    }
    worst.1
}

/// The part of g that is perpendicular to the active rows, and the factors of its other part in terms of them: Gram-Schmidt, twice for accuracy, then back substitution.
fn split(g: &Vec6, rows: &[HalfSpace], active: &Active) -> (Vec6, [f64; 6]) {
    let k = active.count;
    let mut basis = [Vec6::zeros(); 6];
    let mut upper = [[0.0; 6]; 6];
    for j in 0..k {
        let mut v = rows[active.rows[j]].normal;
        for _ in 0..2 {
            for i in 0..j {
                let share = basis[i].dot(&v);
                upper[i][j] += share;
                v -= basis[i] * share;
            }
        }
        upper[j][j] = v.norm();
        basis[j] = v / upper[j][j];
    }
    let mut rest = *g;
    let mut shares = [0.0; 6];
    for _ in 0..2 {
        for i in 0..k {
            let share = basis[i].dot(&rest);
            shares[i] += share;
            rest -= basis[i] * share;
        }
    }
    let mut factors = [0.0; 6];
    for i in (0..k).rev() {
        let known: f64 = (i + 1..k).map(|j| upper[i][j] * factors[j]).sum();
        factors[i] = (shares[i] - known) / upper[i][i];
    }
    (rest, factors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_testing::splitmix64;

    fn random(seed: &mut u64) -> f64 {
        splitmix64(seed) as f64 / u64::MAX as f64 * 2.0 - 1.0
    }

    /// By projections onto single half-spaces in turn (Dykstra), which needs no active set.
    fn dykstra(wish: &Vec6, rows: &[HalfSpace]) -> Vec6 {
        let mut y = *wish;
        let mut shifts = vec![Vec6::zeros(); rows.len()];
        for _ in 0..40_000 {
            for (row, shift) in rows.iter().zip(&mut shifts) {
                let from = y + *shift;
                let short = (row.bound - row.normal.dot(&from)).max(0.0);
                y = from + row.normal * (short / row.normal.norm_squared());
                *shift = from - y;
            }
        }
        y
    }

    #[test]
    fn the_nearest_point_agrees_with_alternating_projections() {
        let mut seed = 5;
        for problem in 0..30 {
            let mut rows: Vec<HalfSpace> = (0..3 + problem % 9)
                .map(|_| HalfSpace {
                    normal: Vec6::from_fn(|_, _| random(&mut seed)).normalize(),
                    bound: -0.2 * random(&mut seed).abs(),
                })
                .collect();
            // A row twice, as where two features give the same constraint.
            rows.push(rows[0]);
            let wish = Vec6::from_fn(|_, _| random(&mut seed));
            let y = nearest(&wish, &rows, 1e-12).unwrap().point;
            assert!(rows.iter().all(|r| r.normal.dot(&y) >= r.bound - 1e-10));
            assert!((y - dykstra(&wish, &rows)).norm() < 1e-5, "problem {problem}");
        }
    }

    #[test]
    fn an_empty_set_is_told() {
        let x = Vec6::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        let rows = [HalfSpace { normal: x, bound: 1.0 }, HalfSpace { normal: -x, bound: 1.0 }];
        assert!(nearest(&Vec6::zeros(), &rows, 1e-12).is_none());
        assert!(nearest(&Vec6::zeros(), &rows[..1], 1e-12).is_some());
    }
}
