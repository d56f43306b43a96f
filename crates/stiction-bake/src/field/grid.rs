//! Where the nodes lie, and how much memory they take.

use stiction::shape::{Aabb, Lattice, Sparse};
use stiction::spatial::Vec3;

/// Cells, and owned nodes, of a block along one axis.
pub const SIDE: usize = Sparse::CELLS;
/// Nodes owned by a block: its own 8³; the faces towards higher indices belong to the neighbours.
pub const OWNED: usize = SIDE * SIDE * SIDE;
/// Bytes of a block while it is computed, and when it is stored with its shared faces.
const BYTES_WORKING: u64 = 4 * OWNED as u64;
const BYTES_STORED: u64 = 2 * Sparse::BLOCK as u64;
/// Bytes for every slot of a sparse field, block or not, while it is computed.
const BYTES_SLOT: u64 = 24;
/// Half the diagonal of a block, in voxels.
pub const HALF_DIAGONAL: f64 = 4.0 * 1.732_050_807_568_877_2;

/// How fine the lattice is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fineness {
    /// Voxels along the longest side of the lattice.
    Resolution(u32),
    /// Edge of a voxel in m.
    Voxel(f64),
}

/// How distances are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Storage {
    /// Dense up to 256³ cells, sparse above.
    #[default]
    Auto,
    /// Every node, exact.
    Dense,
    /// Blocks around the surface, a bound elsewhere.
    Sparse,
}

/// Above this number of nodes `Storage::Auto` is sparse.
const DENSE_LIMIT: u64 = 257 * 257 * 257;

/// The lattice for a part: cubic voxels, `padding` of them free on every side, cells in multiples of eight.
pub fn lattice(part: &Aabb, fineness: Fineness, padding: f64, cube: bool) -> Result<Lattice, String> {
    let size = part.max - part.min;
    let longest = size.max();
    let spacing = match fineness {
        Fineness::Voxel(size) => size,
        Fineness::Resolution(n) if f64::from(n) < 2.0 * padding + 2.0 => {
            return Err(format!(
                "a resolution of {n} leaves no voxel for the part; use at least {}",
                2.0 * padding + 2.0
            ));
        }
        Fineness::Resolution(n) => longest / (f64::from(n) - 2.0 * padding),
    };
    if !(spacing > 0.0 && spacing.is_finite()) {
        return Err(format!("a voxel of {spacing} m is not a size"));
    }
    // A part that fills its voxels exactly must not get eight more for a rounding error.
    let cells = |k: usize| ((size[k] / spacing + 2.0 * padding - 1e-6) / SIDE as f64).ceil().max(1.0) * SIDE as f64;
    let mut counts = [cells(0), cells(1), cells(2)];
    if cube {
        counts = [counts.into_iter().fold(0.0, f64::max); 3];
    }
    if let Some(n) = counts.into_iter().find(|n| *n > f64::from(1u32 << 16)) {
        let most = 1u32 << 16;
        let least = longest / (f64::from(most) - 2.0 * padding - SIDE as f64);
        return Err(format!("{n:.0} voxels along one side; the most is {most}: use a voxel of at least {least:.2e} m"));
    }
    let extent = Vec3::new(counts[0], counts[1], counts[2]) * spacing;
    let origin = (part.min + part.max) * 0.5 - extent * 0.5;
    Ok(Lattice { origin, spacing, cells: counts.map(|n| n as u32) })
}

/// Whether to store every node.
pub fn is_dense(lattice: &Lattice, storage: Storage) -> bool {
    match storage {
        Storage::Dense => true,
        Storage::Sparse => false,
        Storage::Auto => nodes(lattice) <= DENSE_LIMIT,
    }
}

/// Number of nodes, however many.
fn nodes(lattice: &Lattice) -> u64 {
    lattice.cells.iter().map(|&n| u64::from(n) + 1).product()
}

/// Bytes that a bake needs at its peak; for sparse fields an estimate from the area of the surface.
pub fn memory(lattice: &Lattice, dense: bool, band: f64, area: f64) -> u64 {
    let slots: u64 = lattice.cells.iter().map(|&n| u64::from(n) / SIDE as u64 + 1).product();
    if dense {
        return slots * BYTES_WORKING + 4 * nodes(lattice);
    }
    // Blocks whose centre is within the band and half a diagonal of the surface, on both of its sides.
    let area = area / (lattice.spacing * lattice.spacing);
    let computed = area * 2.0 * (band + HALF_DIAGONAL) / OWNED as f64;
    slots * BYTES_SLOT + (computed.min(slots as f64) * (BYTES_WORKING + BYTES_STORED) as f64) as u64
}

/// What a block is and where.
#[derive(Clone, Copy, Debug)]
pub struct GridLayout {
    /// Slots along each axis: one more than blocks, for the nodes on the far faces of the lattice.
    pub slots: [usize; 3],
    /// Nodes along each axis.
    pub nodes: [usize; 3],
}

impl GridLayout {
    /// The layout of a lattice.
    pub fn new(lattice: &Lattice) -> GridLayout {
        GridLayout { slots: lattice.cells.map(|n| n as usize / SIDE + 1), nodes: lattice.nodes() }
    }

    /// Number of slots.
    pub fn count(&self) -> usize {
        self.slots.iter().product()
    }

    /// The slot at these block coordinates.
    pub fn slot(&self, at: [usize; 3]) -> usize {
        (at[2] * self.slots[1] + at[1]) * self.slots[0] + at[0]
    }

    /// The block coordinates of a slot.
    pub fn at(&self, slot: usize) -> [usize; 3] {
        let [x, y, _] = self.slots;
        [slot % x, slot / x % y, slot / (x * y)]
    }

    /// The slot next to one along an axis, or nothing at the rim.
    pub fn neighbour(&self, slot: usize, axis: usize, up: bool) -> Option<usize> {
        let mut at = self.at(slot);
        at[axis] = if up { at[axis] + 1 } else { at[axis].checked_sub(1)? };
        (at[axis] < self.slots[axis]).then(|| self.slot(at))
    }

    /// Whether a node of a block is within the lattice.
    pub fn inside(&self, at: [usize; 3], node: [usize; 3]) -> bool {
        (0..3).all(|k| at[k] * SIDE + node[k] < self.nodes[k])
    }
}

/// Index of a node within the nodes owned by its block.
pub fn owned(node: [usize; 3]) -> usize {
    (node[2] * SIDE + node[1]) * SIDE + node[0]
}

/// The node with this index.
pub fn node(index: usize) -> [usize; 3] {
    [index % SIDE, index / SIDE % SIDE, index / (SIDE * SIDE)]
}
