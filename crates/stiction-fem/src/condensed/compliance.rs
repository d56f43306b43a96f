//! The compliance of the nodes that can touch, made once.

use crate::elastic::{DynamicSettings, ElasticError, ElasticModel, RigidMass, StiffnessFactor};
use nalgebra::SMatrix;
use stiction::spatial::{Mat3, Mat6, Vec3, Vec6, join};

/// What holds a body, and whether its deformation has inertia.
#[derive(Clone, Debug, PartialEq)]
pub enum ComplianceOf {
    /// K alone, with nodes that are fixed in the body's frame.
    Held(Vec<u32>),
    /// K alone, of a free body in its mean axes.
    Free,
    /// (27): K, damping and M/Δt² of a body whose nodes all have inertia.
    Dynamic(DynamicSettings),
}

/// Right sides that are solved at once: enough for the factor to be read seldom.
const AT_ONCE: usize = 24;

/// The most bytes that a compliance takes unless told otherwise: 1,900 nodes.
pub const MOST_BYTES: usize = 128 << 20;

/// How displacements of nodes that can touch answer to forces on them (m/N, in the body's axes). Symmetric by construction: one triangle is stored.
#[derive(Clone, Debug)]
pub struct Compliance {
    nodes: Vec<u32>,
    /// Blocks (i, j) with j ≤ i, row after row; each row by row.
    blocks: Vec<[f64; 9]>,
    rigid: RigidMass,
    asymmetry: f64,
}

impl Compliance {
    /// Solves for unit forces on every one of these nodes of the elements (sorted and without doubles afterwards), and keeps what they do to each other. `most_bytes` bounds the memory.
    ///
    /// # Errors
    /// More nodes than the memory allows, nodes that are not there, nodes that do not hold the body, or a matrix that cannot be factorised.
    pub fn new(
        model: &ElasticModel,
        of: &ComplianceOf,
        nodes: &[u32],
        most_bytes: usize,
    ) -> Result<Compliance, ElasticError> {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        let all = model.elements().nodes().len();
        let held: &[u32] = if let ComplianceOf::Held(held) = of { held } else { &[] };
        if let Some(&node) = nodes.iter().chain(held).find(|&&n| n as usize >= all) {
            return Err(ElasticError::NoSuchNode { node, nodes: all });
        }
        let n = nodes.len();
        let bytes = 72 * (n * (n + 1) / 2);
        if bytes > most_bytes {
            let works = ((2.0 * most_bytes as f64 / 72.0).sqrt() - 1.0).max(0.0) as usize;
            return Err(ElasticError::TooLarge { nodes: n, bytes, limit: most_bytes, works });
        }
        let free = matches!(of, ComplianceOf::Free);
        let factor = match of {
            ComplianceOf::Held(held) => {
                if !holds(model, held) {
                    return Err(ElasticError::NotHeld { nodes: held.len() });
                }
                let mut fixed = vec![false; all];
                held.iter().for_each(|&node| fixed[node as usize] = true);
                StiffnessFactor::new(model, 1.0, 0.0, |freedom| fixed[freedom / 3])?
            }
            ComplianceOf::Free => {
                let pins = statically_determinate(model);
                StiffnessFactor::new(model, 1.0, 0.0, |freedom| pins.contains(&freedom))?
            }
            ComplianceOf::Dynamic(DynamicSettings { period, mass_damping, stiffness_damping }) => {
                let mass = (1.0 / period + mass_damping) / period;
                StiffnessFactor::new(model, 1.0 + stiffness_damping / period, mass, |_| false)?
            }
        };
        let balance = Balance::of(model);
        let mut memory = factor.memory(AT_ONCE);
        let mut sides = vec![Vec3::zeros(); AT_ONCE * all];
        let mut full = vec![[0.0; 9]; n * n];
        let unit: Vec<(usize, usize)> = (0..n).flat_map(|j| (0..3).map(move |a| (j, a))).collect();
        for batch in unit.chunks(AT_ONCE) {
            sides.fill(Vec3::zeros());
            for (side, (j, a)) in sides.chunks_mut(all).zip(batch) {
                side[nodes[*j] as usize][*a] = 1.0;
                if free {
                    balance.load(side);
                }
            }
            factor.solve(&mut sides[..batch.len() * all], &mut memory);
            for (side, (j, a)) in sides.chunks_mut(all).zip(batch) {
                if free {
                    balance.displacement(side);
                }
                for (i, node) in nodes.iter().enumerate() {
                    for b in 0..3 {
                        full[i * n + j][3 * b + a] = side[*node as usize][b];
                    }
                }
            }
        }
        let (mut largest, mut off) = (0.0f64, 0.0f64);
        let mut blocks = Vec::with_capacity(n * (n + 1) / 2);
        for i in 0..n {
            for j in 0..=i {
                let (one, other) = (full[i * n + j], full[j * n + i]);
                let mut mean = [0.0; 9];
                for b in 0..3 {
                    for a in 0..3 {
                        let (x, y) = (one[3 * b + a], other[3 * a + b]);
                        largest = largest.max(x.abs());
                        off = off.max((x - y).abs());
                        mean[3 * b + a] = 0.5 * (x + y);
                    }
                }
                blocks.push(mean);
            }
        }
        let asymmetry = if largest > 0.0 { off / largest } else { 0.0 };
        // Beyond this the factor has lost its digits: no compliance of a body that is held.
        if !(asymmetry < 1e-6) {
            return Err(ElasticError::NotDefinite(format!("its solutions are asymmetric by {asymmetry:.1e}")));
        }
        Ok(Compliance { nodes, blocks, rigid: *model.rigid(), asymmetry })
    }

    /// The nodes of the elements that can touch, in ascending order.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The place of a node of the elements in [`nodes`](Self::nodes).
    pub fn place_of(&self, node: u32) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// What a force on the node at one place does to the node at another (m/N).
    #[inline]
    pub fn block(&self, at: usize, force_at: usize) -> Mat3 {
        let (i, j) = (at.max(force_at), at.min(force_at));
        let block = &self.blocks[i * (i + 1) / 2 + j];
        if at >= force_at { Mat3::from_row_slice(block) } else { Mat3::from_column_slice(block) }
    }

    /// What forces on several places do to the node at one place (m): Σ C f. `forces` has a force for every place, of which only those in `at` count.
    pub fn displacement(&self, place: usize, at: &[u32], forces: &[Vec3]) -> Vec3 {
        let (mut x, mut y, mut z) = (0.0, 0.0, 0.0);
        let row = place * (place + 1) / 2;
        for &other in at {
            let other = other as usize;
            let f = &forces[other];
            if other <= place {
                let b = &self.blocks[row + other];
                x += b[0] * f.x + b[1] * f.y + b[2] * f.z;
                y += b[3] * f.x + b[4] * f.y + b[5] * f.z;
                z += b[6] * f.x + b[7] * f.y + b[8] * f.z;
            } else {
                let b = &self.blocks[other * (other + 1) / 2 + place];
                x += b[0] * f.x + b[3] * f.y + b[6] * f.z;
                y += b[1] * f.x + b[4] * f.y + b[7] * f.z;
                z += b[2] * f.x + b[5] * f.y + b[8] * f.z;
            }
        }
        Vec3::new(x, y, z)
    }

    /// Mass, centre and inertia of the body.
    pub fn rigid(&self) -> &RigidMass {
        &self.rigid
    }

    /// How far the solutions were from symmetric, as a share of the largest number, before they were made so.
    pub fn asymmetry(&self) -> f64 {
        self.asymmetry
    }

    /// Bytes of the stored blocks.
    pub fn bytes(&self) -> usize {
        72 * self.blocks.len()
    }
}

/// Φᵀ M Φ and M Φ: how loads and rigid motions are taken out of each other.
struct Balance<'a> {
    model: &'a ElasticModel,
    /// M Φ of each node: translation and rotation.
    mass_of_motions: Vec<[Vec3; 6]>,
    inverse_inertia: Mat3,
}

impl<'a> Balance<'a> {
    fn of(model: &'a ElasticModel) -> Self {
        let n = model.elements().nodes().len();
        let mut mass_of_motions = vec![[Vec3::zeros(); 6]; n];
        let mut product = vec![Vec3::zeros(); n];
        for k in 0..6 {
            let motion = unit6(k);
            let rigid: Vec<Vec3> = (0..n).map(|node| model.rigid_motion(node, &motion)).collect();
            model.mass_times(&rigid, &mut product);
            mass_of_motions.iter_mut().zip(&product).for_each(|(all, p)| all[k] = *p);
        }
        let inverse_inertia = model.rigid().inertia.try_inverse().unwrap_or_else(Mat3::zeros);
        Balance { model, mass_of_motions, inverse_inertia }
    }

    /// (Φᵀ M Φ)⁻¹ of a resultant: an acceleration.
    fn acceleration(&self, resultant: &Vec6) -> Vec6 {
        let (force, moment) = stiction::spatial::halves(resultant);
        join(force / self.model.rigid().mass, self.inverse_inertia * moment)
    }

    /// f ← Π f.
    fn load(&self, force: &mut [Vec3]) {
        let centre = self.model.rigid().centre;
        let mut resultant = Vec6::zeros();
        for (f, p) in force.iter().zip(self.model.elements().nodes()) {
            resultant += join(*f, (p - centre).cross(f));
        }
        let acceleration = self.acceleration(&resultant);
        for (f, mass) in force.iter_mut().zip(&self.mass_of_motions) {
            *f -= (0..6).map(|k| mass[k] * acceleration[k]).sum::<Vec3>();
        }
    }

    /// u ← Πᵀ u.
    fn displacement(&self, u: &mut [Vec3]) {
        let mut momentum = Vec6::zeros();
        for (u, mass) in u.iter().zip(&self.mass_of_motions) {
            momentum += Vec6::from_fn(|k, _| mass[k].dot(u));
        }
        let motion = self.acceleration(&momentum);
        for (node, u) in u.iter_mut().enumerate() {
            *u -= self.model.rigid_motion(node, &motion);
        }
    }
}

fn unit6(k: usize) -> Vec6 {
    let mut motion = Vec6::zeros();
    motion[k] = 1.0;
    motion
}

/// Whether fixing these nodes holds all six rigid motions.
fn holds(model: &ElasticModel, nodes: &[u32]) -> bool {
    let size = extent(model);
    let mut square = Mat6::zeros();
    for &node in nodes {
        let rows = SMatrix::<f64, 3, 6>::from_fn(|a, k| scaled_motion(model, node as usize, k, size)[a]);
        square += rows.transpose() * rows;
    }
    square.symmetric_eigenvalues().min() > 1e-6
}

/// Half the size of the body.
fn extent(model: &ElasticModel) -> f64 {
    let centre = model.rigid().centre;
    model.elements().nodes().iter().map(|p| (p - centre).norm()).fold(0.0, f64::max)
}

/// A rigid motion of a node, rotations in units that move the farthest node by one.
fn scaled_motion(model: &ElasticModel, node: usize, k: usize, size: f64) -> Vec3 {
    let motion = model.rigid_motion(node, &unit6(k));
    if k < 3 { motion } else { motion / size }
}

/// Six degrees of freedom that hold the body and no more: chosen one after another, each where the rigid motions that are still possible move most.
fn statically_determinate(model: &ElasticModel) -> Vec<usize> {
    let size = extent(model);
    let nodes = model.elements().corner_count();
    let mut rows: Vec<Vec6> = (0..3 * nodes)
        .map(|freedom| Vec6::from_fn(|k, _| scaled_motion(model, freedom / 3, k, size)[freedom % 3]))
        .collect();
    let mut chosen = Vec::new();
    for _ in 0..6 {
        let mut best = (0, -1.0);
        for (freedom, row) in rows.iter().enumerate() {
            // The first of equal ones, whatever the rounding.
            if row.norm() > best.1 * (1.0 + 1e-9) {
                best = (freedom, row.norm());
            }
        }
        let direction = rows[best.0] / best.1;
        chosen.push(best.0);
        rows.iter_mut().for_each(|row| *row -= direction * direction.dot(row));
    }
    chosen
}
