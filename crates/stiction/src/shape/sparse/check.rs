//! What the parts of a sparse field must satisfy: see the header of [`super`].

use super::{ShapeError, Sparse};
use std::ops::Range;

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

    /// Whether blocks meet their neighbours, and the boundary is outside the solid.
    fn check_borders(&self) -> Result<(), ShapeError> {
        let [nx, ny, nz] = self.frame.lattice.cells.map(|n| n as usize / Self::CELLS);
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    let at = [i, j, k];
                    let here = self.side(at);
                    if let Side::Mixed = here {
                        return error(format!("slot {at:?} is empty, but its coarse corners differ in sign"));
                    }
                    // While the block is in cache.
                    if let Side::Block(nodes) = here
                        && nodes.iter().fold(0, |least, &v| v.min(least)) < -Self::FULL
                    {
                        return error(format!("a stored value is below {}", -Self::FULL));
                    }
                    for a in 0..3 {
                        let last = [nx, ny, nz][a] - 1;
                        let inside = |face| !here.all(a, face, |v| v > 0);
                        if at[a] == 0 && inside(0) || at[a] == last && inside(N - 1) {
                            return error(format!("the solid reaches the boundary of the lattice at block {at:?}"));
                        }
                        if at[a] == last {
                            continue;
                        }
                        let mut next = at;
                        next[a] += 1;
                        if !here.meets(&self.side(next), a) {
                            return error(format!("blocks {at:?} and {next:?} do not meet"));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn side(&self, [i, j, k]: [usize; 3]) -> Side<'_> {
        let slot = self.slots[(k * self.rows[1] + j) * self.rows[0] + i];
        if slot != Self::EMPTY {
            return Side::Block(self.block(slot));
        }
        let nodes = self.rows.map(|n| n + 1);
        let base = (k * nodes[1] + j) * nodes[0] + i;
        let negative = (0..8)
            .filter(|c| {
                let node = base + (c & 1) + (c >> 1 & 1) * nodes[0] + (c >> 2) * nodes[0] * nodes[1];
                self.coarse[node].is_sign_negative()
            })
            .count();
        match negative {
            0 => Side::Plateau(Self::FULL),
            8 => Side::Plateau(-Self::FULL),
            _ => Side::Mixed,
        }
    }
}

fn error(reason: String) -> Result<(), ShapeError> {
    Err(ShapeError::new("sparse field", reason))
}

/// A block, or what an empty slot counts as.
enum Side<'a> {
    Block(&'a [i16]),
    Plateau(i16),
    Mixed,
}

impl Side<'_> {
    /// Whether all nodes of a plane across `axis` satisfy something.
    fn all(&self, axis: usize, plane: usize, test: impl Fn(i16) -> bool) -> bool {
        match *self {
            Side::Block(nodes) => rows(axis, plane).all(|row| nodes[row].iter().fold(true, |all, &v| all & test(v))),
            Side::Plateau(value) => test(value),
            Side::Mixed => false,
        }
    }

    /// Whether the next slot along `axis` has the same nodes on the face between.
    fn meets(&self, next: &Side, axis: usize) -> bool {
        match (self, next) {
            // Reported when its own turn comes.
            (Side::Mixed, _) | (_, Side::Mixed) => true,
            (Side::Block(a), Side::Block(b)) => {
                rows(axis, N - 1).zip(rows(axis, 0)).fold(true, |same, (i, j)| same & (a[i] == b[j]))
            }
            (Side::Plateau(value), other) => other.all(axis, 0, |v| v == *value),
            (other, Side::Plateau(value)) => other.all(axis, N - 1, |v| v == *value),
        }
    }
}

/// The nodes of a plane across an axis, in as long pieces as possible: a file of a million blocks is checked while
/// somebody waits.
#[inline(always)]
fn rows(axis: usize, plane: usize) -> impl Iterator<Item = Range<usize>> {
    let (count, start, step, length) = match axis {
        0 => (N * N, plane, N, 1),
        1 => (N, plane * N, N * N, N),
        _ => (1, plane * N * N, 0, N * N),
    };
    (0..count).map(move |i| start + i * step..start + i * step + length)
}
