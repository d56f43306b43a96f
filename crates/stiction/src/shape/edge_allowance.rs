//! How much depth a contact may have near the hollow edges of a part, because its field is interpolated: a fine lattice in blocks along these edges.
//!
//! In the open at a hollow edge the distance is the lesser of the distances from two faces, which has a kink. Between nodes an interpolated field lies below it: most at the edge itself,
//! and less the further away, until no cell around the place has the kink in it. A part that fits exactly would be driven out of its pocket by this error, so it is allowed for; but a
//! voxel or two away from the edge the field is exact, and what is allowed there only lets parts sink into each other. `stiction-bake` tells each stretch of
//! an edge by its error E and its reach ρ:
//!
//! ```text
//! error at the distance x from the stretch ≤ E (1 - x/ρ)³,  zero from x = ρ on                                   (1)
//! ```
//!
//! Nodes are as far apart as those of the field, and stored in blocks where they are not zero. A node has the largest value of (1) anywhere in the eight cells around it, so that the interpolated value is nowhere below (1).

use super::cell::{pair, trilinear};
use super::{Lattice, ShapeError};
use crate::spatial::Vec3;

/// A straight stretch of a hollow edge, or a corner where several meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeStretch {
    /// Its ends (m); equal for a corner.
    pub ends: [Vec3; 2],
    /// E: the largest error of the field at the edge (m).
    pub error: f64,
    /// ρ: the distance from the edge beyond which there is no error (m).
    pub reach: f64,
}

/// The depth that contacts are allowed near hollow edges, in m.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeAllowance {
    lattice: Lattice,
    /// One over the spacing.
    inverse: f64,
    largest: f32,
    /// Blocks along x and y.
    rows: [usize; 2],
    /// For every block of 4³ cells, x fastest, its number, or [`EMPTY`] where all of its nodes are zero.
    slots: Vec<u32>,
    /// The 5³ nodes of each block, x fastest: blocks that touch share nodes.
    nodes: Vec<f32>,
}

/// Cells and nodes of a block along one axis, and all of its nodes.
const CELLS: usize = 4;
const NODES: usize = CELLS + 1;
const BLOCK: usize = NODES * NODES * NODES;
/// A slot without a block.
const EMPTY: u32 = u32::MAX;
/// Cells between the last node that is not zero and the boundary of the lattice.
const MARGIN: f64 = 1.5;

fn refused<T>(reason: String) -> Result<T, ShapeError> {
    Err(ShapeError::new("allowance at edges", reason))
}

/// The number of pieces of at most half a cell in a stretch.
fn pieces([a, b]: &[Vec3; 2], spacing: f64) -> f64 {
    ((b - a).norm() / (0.5 * spacing)).ceil().max(1.0)
}

impl EdgeAllowance {
    /// The most blocks that there may be along all edges, and the most slots.
    pub const MAX_BLOCKS: usize = 1 << 20;
    const MAX_SLOTS: u64 = 1 << 24;
    /// The most nodes that are looked at for all pieces of stretches together: some seconds.
    const MAX_LOOKS: f64 = 2e9;
    /// The longest reach, in cells.
    pub const MAX_REACH: f64 = 8.0;

    /// An allowance along stretches, with nodes this far apart (m).
    ///
    /// # Errors
    /// [`ShapeError`] if there is no stretch, a number is not finite or not positive, an error is larger than [`Allowance::MAX_VALUE`](super::Allowance::MAX_VALUE), a reach is longer
    /// than [`EdgeAllowance::MAX_REACH`] cells, or all of it takes too many nodes.
    pub fn new(stretches: &[EdgeStretch], spacing: f64) -> Result<Self, ShapeError> {
        let most = f64::from(super::Allowance::MAX_VALUE);
        let mut looks = 0.0;
        for stretch in stretches {
            let [a, b] = stretch.ends;
            // Also refuses NaN.
            let placed = a.iter().chain(b.iter()).all(|x| x.abs() <= Lattice::MAX_POSITION);
            if !(placed && stretch.error > 0.0 && stretch.error <= most && stretch.reach > 0.0) {
                return refused(format!("a stretch of {} m that reaches {} m", stretch.error, stretch.reach));
            }
            if !(stretch.reach <= Self::MAX_REACH * spacing) {
                return refused(format!("a reach of {} m with nodes {spacing} m apart", stretch.reach));
            }
            looks += pieces(&stretch.ends, spacing) * (2.0 * stretch.reach / spacing + 3.5).powi(3);
        }
        if !(looks > 0.0 && looks <= Self::MAX_LOOKS) {
            return refused(format!("{} stretches, for which {looks} nodes must be looked at", stretches.len()));
        }
        let ends = || stretches.iter().flat_map(|s| s.ends.iter());
        let min = ends().fold(Vec3::repeat(f64::INFINITY), |m, p| m.inf(p));
        let max = ends().fold(Vec3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
        let reach = stretches.iter().map(|s| s.reach).fold(0.0, f64::max) + (1.0 + MARGIN) * spacing;
        let blocks = [0, 1, 2].map(|a| ((max[a] - min[a] + 2.0 * reach) / (CELLS as f64 * spacing)).ceil());
        if !(blocks.iter().product::<f64>() <= Self::MAX_SLOTS as f64) {
            return refused(format!("{blocks:?} blocks"));
        }
        let cells = blocks.map(|n| n as u32 * CELLS as u32);
        let lattice = Lattice { origin: min.add_scalar(-reach), spacing, cells };
        lattice.check_size()?;
        let [x, y, z] = blocks.map(|n| n as usize);
        let (slots, nodes) = (vec![EMPTY; x * y * z], Vec::new());
        let mut out = EdgeAllowance { lattice, inverse: 1.0 / spacing, largest: 0.0, rows: [x, y], slots, nodes };
        for &EdgeStretch { ends: [from, to], error, reach } in stretches {
            let count = pieces(&[from, to], spacing);
            let at = |i: f64| from + (to - from) * (i / count);
            for i in 0..count as u32 {
                let (from, to) = (at(f64::from(i)), at(f64::from(i + 1)));
                out.mark([from.inf(&to), from.sup(&to)], error, reach);
            }
            if out.nodes.len() > Self::MAX_BLOCKS * BLOCK {
                return refused(format!("more than {} blocks", Self::MAX_BLOCKS));
            }
        }
        out.largest = out.nodes.iter().copied().fold(0.0, f32::max);
        Ok(out)
    }

    /// An allowance from its lattice, whose numbers of cells are multiples of four, the number of each block of 4³ cells or `u32::MAX` where all of its nodes are zero, x fastest, and the values
    /// of the 5³ nodes of each block (m), x fastest.
    ///
    /// # Errors
    /// [`ShapeError`] if a count is wrong, a block is used twice or not at all, a value is not between zero and [`Allowance::MAX_VALUE`](super::Allowance::MAX_VALUE), or
    /// neighbours do not meet.
    pub fn from_blocks(lattice: Lattice, slots: Vec<u32>, nodes: Vec<f32>) -> Result<Self, ShapeError> {
        lattice.check_size()?;
        if lattice.cells.iter().any(|n| n % CELLS as u32 != 0) {
            return refused(format!("{:?} cells are not multiples of {CELLS}", lattice.cells));
        }
        let [x, y, z] = lattice.cells.map(|n| n as usize / CELLS);
        let blocks = nodes.len() / BLOCK;
        if slots.len() != x * y * z || !nodes.len().is_multiple_of(BLOCK) {
            return refused(format!("{} slots and {} nodes for {:?} cells", slots.len(), nodes.len(), lattice.cells));
        }
        let mut used = vec![false; blocks];
        for &slot in slots.iter().filter(|slot| **slot != EMPTY) {
            match used.get_mut(slot as usize) {
                Some(used) if !*used => *used = true,
                _ => return refused(format!("block {slot} of {blocks} is used twice or is not there")),
            }
        }
        if used.contains(&false) {
            return refused("a block is not used".into());
        }
        // Also refuses NaN.
        if let Some(wrong) = nodes.iter().find(|v| !(0.0..=super::Allowance::MAX_VALUE).contains(*v)) {
            return refused(format!("a value of {wrong} m"));
        }
        let largest = nodes.iter().copied().fold(0.0, f32::max);
        let out = EdgeAllowance { lattice, inverse: 1.0 / lattice.spacing, largest, rows: [x, y], slots, nodes };
        if out.meets() { Ok(out) } else { refused("neighbouring blocks do not meet".into()) }
    }

    /// Whether blocks that touch have the same values where they do, and zero beside empty slots and on the boundary of the lattice.
    fn meets(&self) -> bool {
        let ([x, y], z) = (self.rows, self.lattice.cells[2] as usize / CELLS);
        let (counts, strides) = ([x, y, z], [1, NODES, NODES * NODES]);
        let slot = |[i, j, k]: [usize; 3]| self.slots[(k * y + j) * x + i];
        let node = |slot: u32, at: usize| if slot == EMPTY { 0.0 } else { self.nodes[slot as usize * BLOCK + at] };
        for (number, &one) in self.slots.iter().enumerate().filter(|(_, one)| **one != EMPTY) {
            let place = [number % x, number / x % y, number / (x * y)];
            for a in 0..3 {
                let (u, v) = (strides[(a + 1) % 3], strides[(a + 2) % 3]);
                let beside = |up: bool| {
                    let mut next = place;
                    next[a] = if up { place[a] + 1 } else { place[a].wrapping_sub(1) };
                    if next[a] < counts[a] { slot(next) } else { EMPTY }
                };
                for (up, other) in [(true, beside(true)), (false, beside(false))] {
                    let (mine, theirs) = if up { (CELLS * strides[a], 0) } else { (0, CELLS * strides[a]) };
                    let same = |n: usize| {
                        let at = n % NODES * u + n / NODES * v;
                        node(one, mine + at) == node(other, theirs + at)
                    };
                    if !(0..NODES * NODES).all(same) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Raises the nodes around the box of a short piece to (1).
    fn mark(&mut self, [min, max]: [Vec3; 2], error: f64, reach: f64) {
        let Lattice { origin, spacing, .. } = self.lattice;
        let wide = reach + spacing;
        let low = [0, 1, 2].map(|a| (((min[a] - wide - origin[a]) * self.inverse).ceil() as usize).max(1));
        let high = [0, 1, 2].map(|a| {
            let node = ((max[a] + wide - origin[a]) * self.inverse) as usize;
            // Positions far from the origin are rounded.
            node.min(self.lattice.cells[a] as usize - 1)
        });
        for k in low[2]..=high[2] {
            for j in low[1]..=high[1] {
                for i in low[0]..=high[0] {
                    let node = self.lattice.position([i, j, k]);
                    // From the box to the nearest point of the eight cells.
                    let apart = node - node.sup(&min).inf(&max);
                    let distance = apart.map(|x| (x.abs() - spacing).max(0.0)).norm();
                    let share = 1.0 - distance / reach;
                    if share > 0.0 {
                        self.raise([i, j, k], (error * share * share * share) as f32);
                    }
                }
            }
        }
    }

    /// Raises a node in all blocks that it belongs to.
    fn raise(&mut self, node: [usize; 3], value: f32) {
        let [x, y] = self.rows;
        // A node between blocks belongs to the one before, too.
        let before = node.map(|n| usize::from(n % CELLS == 0));
        for n in 0..8 {
            let back = [n & 1, n >> 1 & 1, n >> 2];
            if (0..3).any(|a| back[a] > before[a]) {
                continue;
            }
            let block = [0, 1, 2].map(|a| node[a] / CELLS - back[a]);
            let at = [0, 1, 2].map(|a| node[a] - block[a] * CELLS);
            let slot = &mut self.slots[(block[2] * y + block[1]) * x + block[0]];
            if *slot == EMPTY {
                *slot = (self.nodes.len() / BLOCK) as u32;
                self.nodes.resize(self.nodes.len() + BLOCK, 0.0);
            }
            let place = &mut self.nodes[*slot as usize * BLOCK + (at[2] * NODES + at[1]) * NODES + at[0]];
            *place = place.max(value.next_up());
        }
    }

    /// The allowance at a position in the part's frame (m), and its gradient (dimensionless). Both are zero away from edges and where the position is
    /// not finite. Reads nine numbers and allocates nothing.
    #[inline(always)]
    pub fn sample(&self, position: Vec3) -> (f64, Vec3) {
        let t = (position - self.lattice.origin) * self.inverse;
        let [x, y, z] = self.lattice.cells.map(f64::from);
        // Also leaves for NaN.
        if !(t.x >= 0.0 && t.y >= 0.0 && t.z >= 0.0 && t.x < x && t.y < y && t.z < z) {
            return (0.0, Vec3::zeros());
        }
        let cell = [t.x as i32, t.y as i32, t.z as i32];
        let [i, j, k] = cell.map(|n| n as usize / CELLS);
        let slot = self.slots[(k * self.rows[1] + j) * self.rows[0] + i];
        if slot == EMPTY {
            return (0.0, Vec3::zeros());
        }
        let in_block = cell.map(|n| n as usize % CELLS);
        let at = [0, 1, 2].map(|a| t[a] - f64::from(cell[a]));
        let base = slot as usize * BLOCK + (in_block[2] * NODES + in_block[1]) * NODES + in_block[0];
        let nodes = &self.nodes[base..base + NODES * NODES + NODES + 2];
        let edges = [0, NODES, NODES * NODES, NODES * NODES + NODES];
        let inner = trilinear(edges.map(|i| pair(&nodes[i..i + 2])), at);
        (inner.value, Vec3::from(inner.slope) * self.inverse)
    }

    /// The largest value of a node (m): no sample is larger.
    pub fn largest(&self) -> f64 {
        f64::from(self.largest)
    }

    /// The lattice of the nodes.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The number of the block in every slot of 4³ cells, x fastest; `u32::MAX` where there is none.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The values of the 5³ nodes of each block (m), x fastest.
    pub fn nodes(&self) -> &[f32] {
        &self.nodes
    }

    /// Cells of a block along one axis.
    pub const CELLS: usize = CELLS;
    /// Nodes of a block.
    pub const BLOCK: usize = BLOCK;
}
