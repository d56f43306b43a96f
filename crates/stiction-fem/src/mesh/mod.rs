//! Tetrahedra that fill a part: checked once, then always valid.
//!
//! A tetrahedron with corners a, b, c, d has the volume (b - a) · ((c - a) × (d - a))/6, and its corners are ordered so that this is positive.

mod quality;
mod surface;

pub use quality::MeshQuality;
pub(crate) use quality::dihedral_angles;
pub use surface::BoundarySurface;

use stiction::spatial::Vec3;

/// A tetrahedron whose volume is below this share of its longest edge cubed counts as flat: its stiffness would have lost all digits that matter. (A regular one has 0.118.)
pub const FLAT: f64 = 1e-6;

/// Errors from making tetrahedra of nodes and corners.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TetMeshError {
    /// There is nothing.
    #[error("there are no tetrahedra: mesh the volume of the part, not only its surface")]
    Empty,
    /// There are more nodes or tetrahedra than 32-bit numbers can name.
    #[error("there are more nodes or tetrahedra than 2³²: take a coarser mesh")]
    TooLarge,
    /// A coordinate is infinite or not a number.
    #[error("node {node} has a coordinate that is not finite: check the file or the program that made it")]
    NotFinite {
        /// The node, from 0.
        node: usize,
    },
    /// A tetrahedron names a node that is not there.
    #[error("tetrahedron {tetrahedron} names node {node}, but there are {nodes}")]
    NoSuchNode {
        /// The tetrahedron, from 0.
        tetrahedron: usize,
        /// The node that it names.
        node: u32,
        /// How many there are.
        nodes: usize,
    },
    /// A tetrahedron has no volume.
    #[error(
        "tetrahedron {tetrahedron} is flat (its volume is {share:.1e} of its longest edge cubed): mesh the part anew, or optimise the mesh in the program that made it"
    )]
    Flat {
        /// The tetrahedron, from 0.
        tetrahedron: usize,
        /// Its volume as a share of its longest edge cubed.
        share: f64,
    },
    /// Two tetrahedra lie on the same side of the face that they share, so that one is inverted.
    #[error(
        "tetrahedra {0} and {1} overlap: they lie on the same side of a common face, so that one of them is inverted; mesh the part anew, or optimise the mesh in the program that made it"
    )]
    Inverted(usize, usize),
    /// A face belongs to more than two tetrahedra.
    #[error("tetrahedra {0}, {1} and {2} share one face: remove elements that are there twice")]
    SharedFace(usize, usize, usize),
    /// The mesh is not one piece.
    #[error(
        "the mesh falls into {pieces} pieces that share no face (the smallest has {smallest} tetrahedra): give one body for each, or smaller cells"
    )]
    Pieces {
        /// How many.
        pieces: usize,
        /// Tetrahedra of the smallest one.
        smallest: usize,
    },
}

/// Tetrahedra that fill one part: finite, none flat or inverted, in one piece by common faces, and every node is used.
#[derive(Clone, Debug, PartialEq)]
pub struct TetMesh {
    nodes: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
}

impl TetMesh {
    /// Checks tetrahedra and orders the corners of each so that its volume is positive. Nodes that none names are left out, the others keep their order.
    ///
    /// # Errors
    /// [`TetMeshError`], for the first tetrahedron that is at fault.
    pub fn new(nodes: Vec<Vec3>, mut tetrahedra: Vec<[u32; 4]>) -> Result<TetMesh, TetMeshError> {
        if tetrahedra.is_empty() {
            return Err(TetMeshError::Empty);
        }
        if nodes.len() >= u32::MAX as usize || tetrahedra.len() >= (u32::MAX / 4) as usize {
            return Err(TetMeshError::TooLarge);
        }
        if let Some(node) = nodes.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(TetMeshError::NotFinite { node });
        }
        for (t, corners) in tetrahedra.iter_mut().enumerate() {
            if let Some(&node) = corners.iter().find(|&&n| n as usize >= nodes.len()) {
                return Err(TetMeshError::NoSuchNode { tetrahedron: t, node, nodes: nodes.len() });
            }
            let at = corners.map(|n| nodes[n as usize]);
            let (volume, longest) = (volume_of(&at), longest_edge(&at));
            let share = volume.abs() / (longest * longest * longest);
            // Also what is not a number.
            if !(share > FLAT) {
                return Err(TetMeshError::Flat { tetrahedron: t, share });
            }
            if volume < 0.0 {
                corners.swap(2, 3);
            }
        }
        let pieces = surface::pieces(&tetrahedra)?;
        if pieces.len() > 1 {
            let smallest = pieces.iter().copied().min().unwrap_or(0);
            return Err(TetMeshError::Pieces { pieces: pieces.len(), smallest });
        }
        let mut mesh = TetMesh { nodes, tetrahedra };
        mesh.drop_unused();
        Ok(mesh)
    }

    fn drop_unused(&mut self) {
        let mut number = vec![u32::MAX; self.nodes.len()];
        self.tetrahedra.iter().flatten().for_each(|&n| number[n as usize] = 0);
        let mut kept = Vec::with_capacity(self.nodes.len());
        for (node, number) in self.nodes.iter().zip(&mut number) {
            if *number == 0 {
                *number = kept.len() as u32;
                kept.push(*node);
            }
        }
        self.nodes = kept;
        self.tetrahedra.iter_mut().flatten().for_each(|n| *n = number[*n as usize]);
    }

    /// The nodes (m, in the part's axes).
    pub fn nodes(&self) -> &[Vec3] {
        &self.nodes
    }

    /// The corners of the tetrahedra, as numbers of nodes.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// Where the corners of a tetrahedron are.
    pub fn corners(&self, tetrahedron: usize) -> [Vec3; 4] {
        self.tetrahedra[tetrahedron].map(|n| self.nodes[n as usize])
    }

    /// The volume of all tetrahedra (m³).
    pub fn volume(&self) -> f64 {
        (0..self.tetrahedra.len()).map(|t| volume_of(&self.corners(t))).sum()
    }
}

/// The volume of a tetrahedron, negative where its corners are ordered the other way round.
pub fn volume_of(corners: &[Vec3; 4]) -> f64 {
    let [a, b, c, d] = corners;
    (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
}

/// The length of a tetrahedron's longest edge.
pub(crate) fn longest_edge(corners: &[Vec3; 4]) -> f64 {
    let mut longest = 0.0f64;
    for i in 0..4 {
        for j in 0..i {
            longest = longest.max((corners[i] - corners[j]).norm());
        }
    }
    longest
}
