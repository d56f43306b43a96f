//! What the parts of a sparse field must satisfy: see the header of [`super`].

use super::{ShapeError, Sparse};

const N: usize = Sparse::NODES;

impl Sparse {
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        self.check_sizes()?;
        self.check_values()?;
        self.check_borders()
    }

    fn check_sizes(&self) -> Result<(), ShapeError> {
        let lattice = &self.frame.lattice;
        if lattice.cells.iter().any(|n| n % Self::CELLS as u32 != 0) {
            return error(format!("{:?} cells: not multiples of {}", lattice.cells, Self::CELLS));
        }
        let [least, most] = Self::BAND.map(|n| n * lattice.spacing);
        // A little room, for a band that was computed.
        if !(self.band >= least * (1.0 - 1e-9) && self.band <= most * (1.0 + 1e-9)) {
            return error(format!("a band of {} m: it has to be {least} to {most} m", self.band));
        }
        let count = lattice.cells.map(|n| n as usize / Self::CELLS);
        let slots: usize = count.iter().product();
        let coarse: usize = count.iter().map(|n| n + 1).product();
        if self.slots.len() != slots {
            return error(format!("{} slots for {slots} blocks", self.slots.len()));
        }
        if self.coarse.len() != coarse {
            return error(format!("{} coarse values for {coarse} coarse nodes", self.coarse.len()));
        }
        if !self.blocks.len().is_multiple_of(Self::BLOCK) {
            return error(format!("{} nodes in blocks: not a multiple of {}", self.blocks.len(), Self::BLOCK));
        }
        let blocks = self.blocks.len() / Self::BLOCK;
        let mut used = vec![false; blocks];
        for &slot in self.slots.iter().filter(|&&slot| slot != Self::EMPTY) {
            match used.get_mut(slot as usize) {
                None => return error(format!("a slot names block {slot} of {blocks}")),
                Some(used) if *used => return error(format!("block {slot} is used twice")),
                Some(used) => *used = true,
            }
        }
        match used.iter().position(|used| !used) {
            Some(block) => error(format!("block {block} is not used")),
            None => Ok(()),
        }
    }

    fn check_values(&self) -> Result<(), ShapeError> {
        if !self.coarse.iter().all(|v| v.is_finite()) {
            return error("a coarse value is not finite".into());
        }
        Ok(())
    }

    /// Whether empty slots have one sign, blocks meet their neighbours, and the boundary is outside the solid.
    fn check_borders(&self) -> Result<(), ShapeError> {
        let count = self.frame.lattice.cells.map(|n| n as usize / Self::CELLS);
        for k in 0..count[2] {
            for j in 0..count[1] {
                for i in 0..count[0] {
                    let at = [i, j, k];
                    match self.side(at) {
                        Side::Block(nodes) => self.check_block(at, count, nodes)?,
                        Side::Plateau(value) => self.check_empty(at, count, value)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn check_empty(&self, at: [usize; 3], count: [usize; 3], value: i16) -> Result<(), ShapeError> {
        let base = self.coarse_node(at);
        let [x, y] = self.rows.map(|n| n + 1);
        let rows = [base, base + x, base + x * y, base + x * y + x];
        let differs = |v: f32| v.is_sign_negative() != (value < 0);
        if rows.iter().any(|&row| differs(self.coarse[row]) | differs(self.coarse[row + 1])) {
            return error(format!("slot {at:?} is empty, but its coarse corners differ in sign"));
        }
        // Two empty slots that are neighbours share corners, and so the sign.
        if value < 0 && (0..3).any(|a| at[a] == 0 || at[a] + 1 == count[a]) {
            return at_boundary(at);
        }
        Ok(())
    }

    fn check_block(&self, at: [usize; 3], count: [usize; 3], nodes: &[i16]) -> Result<(), ShapeError> {
        if nodes.iter().fold(0, |least, &v| v.min(least)) < -Self::FULL {
            return error(format!("a stored value is below {}", -Self::FULL));
        }
        for a in 0..3 {
            for (plane, last) in [(0, 0), (N - 1, count[a] - 1)] {
                if at[a] == last {
                    if !face(nodes, a, plane, |v| v > 0) {
                        return at_boundary(at);
                    }
                    continue;
                }
                let mut next = at;
                next[a] = if plane == 0 { at[a] - 1 } else { at[a] + 1 };
                let meets = match self.side(next) {
                    // Each pair of blocks once.
                    Side::Block(_) if plane == 0 => true,
                    Side::Block(other) => same_face(nodes, other, a),
                    Side::Plateau(value) => face(nodes, a, plane, |v| v == value),
                };
                if !meets {
                    return error(format!("blocks {at:?} and {next:?} do not meet"));
                }
            }
        }
        Ok(())
    }

    fn coarse_node(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * (self.rows[1] + 1) + j) * (self.rows[0] + 1) + i
    }

    fn side(&self, at: [usize; 3]) -> Side<'_> {
        let [i, j, k] = at;
        match self.slots[(k * self.rows[1] + j) * self.rows[0] + i] {
            Self::EMPTY if self.coarse[self.coarse_node(at)].is_sign_negative() => Side::Plateau(-Self::FULL),
            Self::EMPTY => Side::Plateau(Self::FULL),
            slot => Side::Block(self.block(slot)),
        }
    }
}

/// A block, or what an empty slot counts as.
enum Side<'a> {
    Block(&'a [i16]),
    Plateau(i16),
}

fn error(reason: String) -> Result<(), ShapeError> {
    Err(ShapeError::new("sparse field", reason))
}

fn at_boundary(at: [usize; 3]) -> Result<(), ShapeError> {
    error(format!("the solid reaches the boundary of the lattice at block {at:?}"))
}

/// Whether all nodes of a plane across an axis satisfy something.
fn face(nodes: &[i16], axis: usize, plane: usize, test: impl Fn(i16) -> bool) -> bool {
    let all = |row: &[i16]| row.iter().fold(true, |all, &v| all & test(v));
    match axis {
        0 => nodes.chunks_exact(N).fold(true, |all, row| all & test(row[plane])),
        1 => nodes.chunks_exact(N * N).all(|layer| all(&layer[plane * N..(plane + 1) * N])),
        _ => all(&nodes[plane * N * N..(plane + 1) * N * N]),
    }
}

/// Whether the last plane of a block across an axis is the first of the next block.
fn same_face(block: &[i16], next: &[i16], axis: usize) -> bool {
    match axis {
        0 => block.chunks_exact(N).zip(next.chunks_exact(N)).fold(true, |same, (a, b)| same & (a[N - 1] == b[0])),
        1 => block.chunks_exact(N * N).zip(next.chunks_exact(N * N)).all(|(a, b)| a[(N - 1) * N..] == b[..N]),
        _ => block[(N - 1) * N * N..] == next[..N * N],
    }
}
