//! Joints and grips, implicitly: (M + h² K + h D) Δv = h (F - K h v - D v), a symmetric positive definite system of 6 × 6 blocks, one for each body that a joint or a grip holds.
//!
//! Linearly implicit Euler: the force of a spring is that at the end of the step. So springs of joints do not limit the period, as those of contacts do; they are damped by the method itself.
//! The blocks are eliminated in an order that is found once (least neighbours first); where joints make a tree there is no fill-in, and the time is linear in the bodies.

use crate::rows::JointRow;
use stiction::spatial::{Mat6, Vec3, Vec6, join};

/// A system of blocks with a fixed pattern.
#[derive(Clone, Debug)]
pub(crate) struct System {
    /// By unknown, in the order of elimination: the number of its body.
    bodies: Vec<usize>,
    /// By body: its place in that order, or `usize::MAX` if it is not in the system.
    places: Vec<usize>,
    /// By place: the later places that it is connected with when it is eliminated, and where those blocks are.
    later: Vec<Vec<(usize, usize)>>,
    diagonal: Vec<Mat6>,
    /// Blocks A[later, earlier].
    off: Vec<Mat6>,
    right: Vec<Vec6>,
}

impl System {
    /// The pattern of bodies that connections join; others are in no block, or in one alone.
    pub fn new(count: usize, members: &[usize], connections: &[[usize; 2]]) -> Self {
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut left: Vec<usize> = members.to_vec();
        left.sort_unstable();
        left.dedup();
        for [a, b] in connections.iter().filter(|c| c.iter().all(|b| left.contains(b))) {
            for (a, b) in [(*a, *b), (*b, *a)] {
                if !near[a].contains(&b) {
                    near[a].push(b);
                }
            }
        }
        let (mut order, mut after) = (Vec::new(), Vec::new());
        while let Some(i) = (0..left.len()).min_by_key(|i| (near[left[*i]].len(), left[*i])) {
            let body = left.swap_remove(i);
            let around = std::mem::take(&mut near[body]);
            for a in &around {
                near[*a].retain(|b| *b != body);
                for b in around.iter().filter(|b| *b != a) {
                    if !near[*a].contains(b) {
                        near[*a].push(*b);
                    }
                }
            }
            order.push(body);
            after.push(around);
        }
        let mut places = vec![usize::MAX; count];
        order.iter().enumerate().for_each(|(place, body)| places[*body] = place);
        let mut blocks = 0;
        let later = after
            .iter()
            .map(|around| {
                let mut list: Vec<usize> = around.iter().map(|b| places[*b]).collect();
                list.sort_unstable();
                let first = blocks;
                blocks += list.len();
                list.into_iter().zip(first..).collect()
            })
            .collect();
        let n = order.len();
        System {
            bodies: order,
            places,
            later,
            diagonal: vec![Mat6::zeros(); n],
            off: vec![Mat6::zeros(); blocks],
            right: vec![Vec6::zeros(); n],
        }
    }

    /// Begins a step with nothing in it.
    pub fn clear(&mut self) {
        self.diagonal.fill(Mat6::zeros());
        self.off.fill(Mat6::zeros());
        self.right.fill(Vec6::zeros());
    }

    /// Bodies of the system.
    pub fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// Whether a body is in the system.
    pub fn has(&self, body: usize) -> bool {
        self.places[body] != usize::MAX
    }

    /// Adds to a body's own block and right side.
    pub fn add(&mut self, body: usize, block: &Mat6, right: &Vec6) {
        let place = self.places[body];
        if place != usize::MAX {
            self.diagonal[place] += block;
            self.right[place] += right;
        }
    }

    /// Adds a row of a joint, with `gain` h² k + h d and `impulse` h f. A body that is not in the system moves as it does.
    pub fn add_row(&mut self, [a, b]: [usize; 2], row: &JointRow, gain: f64, impulse: f64) {
        let (ja, jb) = (join(-row.along, row.turn[0]), join(row.along, row.turn[1]));
        self.add(a, &(ja * ja.transpose() * gain), &(ja * impulse));
        self.add(b, &(jb * jb.transpose() * gain), &(jb * impulse));
        let (pa, pb) = (self.places[a], self.places[b]);
        if pa == usize::MAX || pb == usize::MAX {
            return;
        }
        let (first, last, jf, jl) = if pa < pb { (pa, pb, ja, jb) } else { (pb, pa, jb, ja) };
        if let Some((_, at)) = self.later[first].iter().find(|(place, _)| *place == last) {
            self.off[*at] += jl * jf.transpose() * gain;
        }
    }

    /// Solves the system; the velocity changes of a body are then [`change`](Self::change). False if it is not positive definite.
    pub fn solve(&mut self) -> bool {
        for k in 0..self.bodies.len() {
            let Some(factor) = self.diagonal[k].cholesky() else { return false };
            let right = factor.solve(&self.right[k]);
            for i in 0..self.later[k].len() {
                let (place, at) = self.later[k][i];
                let block = self.off[at];
                self.right[place] -= block * right;
                let solved = factor.solve(&block.transpose());
                for j in 0..=i {
                    let (other, other_at) = self.later[k][j];
                    let update = self.off[other_at] * solved;
                    if other == place {
                        self.diagonal[place] -= update;
                    } else if let Some((_, to)) = self.later[other].iter().find(|(p, _)| *p == place) {
                        self.off[*to] -= update.transpose();
                    }
                }
            }
            self.right[k] = right;
            // Kept for the way back.
            for i in 0..self.later[k].len() {
                let at = self.later[k][i].1;
                self.off[at] = factor.solve(&self.off[at].transpose()).transpose();
            }
        }
        for k in (0..self.bodies.len()).rev() {
            for i in 0..self.later[k].len() {
                let (place, at) = self.later[k][i];
                let known = self.right[place];
                self.right[k] -= self.off[at].tr_mul(&known);
            }
        }
        self.right.iter().all(|v| v.iter().all(|x| x.is_finite()))
    }

    /// Change of a body's velocity and angular velocity by the last solve.
    pub fn change(&self, body: usize) -> (Vec3, Vec3) {
        match self.right.get(self.places[body]) {
            Some(v) => stiction::spatial::halves(v),
            None => (Vec3::zeros(), Vec3::zeros()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop of five with a branch: solved as one dense matrix.
    #[test]
    fn blocks_with_a_loop_agree_with_a_dense_solution() {
        let connections = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [2, 5]];
        let members = [0, 1, 2, 3, 4, 5];
        let mut system = System::new(7, &members, &connections);
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut dense = nalgebra::DMatrix::<f64>::zeros(36, 36);
        let mut right = nalgebra::DVector::<f64>::zeros(36);
        for body in members {
            let (block, r) = (Mat6::identity() * 2.0, Vec6::from_fn(|_, _| random()));
            system.add(body, &block, &r);
            dense.view_mut((6 * body, 6 * body), (6, 6)).copy_from(&block);
            right.rows_mut(6 * body, 6).copy_from(&r);
        }
        for [a, b] in connections {
            for _ in 0..4 {
                let mut v = || Vec3::new(random(), random(), random());
                let row = JointRow { along: v(), turn: [v(), v()], ..JointRow::default() };
                let (gain, impulse) = (50.0, 0.3);
                system.add_row([a, b], &row, gain, impulse);
                let mut j = nalgebra::DVector::<f64>::zeros(36);
                j.rows_mut(6 * a, 6).copy_from(&join(-row.along, row.turn[0]));
                j.rows_mut(6 * b, 6).copy_from(&join(row.along, row.turn[1]));
                dense += &j * j.transpose() * gain;
                right += j * impulse;
            }
        }
        assert!(system.solve());
        let expected = dense.cholesky().unwrap().solve(&right);
        for body in members {
            let (v, w) = system.change(body);
            let error = (join(v, w) - expected.fixed_rows::<6>(6 * body)).norm();
            assert!(error < 1e-12, "body {body}: {error:e}");
        }
        assert_eq!(system.change(6), (Vec3::zeros(), Vec3::zeros()));
    }
}
