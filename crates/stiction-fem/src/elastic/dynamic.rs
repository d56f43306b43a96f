//! A body whose deformation has inertia: all nodes are stepped, implicitly, in a frame that turns with the body.
//!
//! Equation (27) of the paper in the axes of the body (28): with the rotation R of the last step and y = Rᵀ x,
//!
//! ```text
//! (M/Δt² + D/Δt + K) y' = Rᵀ f + (M/Δt²)(y + Δt w) + (D/Δt) y + K X,   D = α M + β K,   w = Rᵀ v,   x' = R y',   v' = (x' - x)/Δt
//! ```
//!
//! K X stands for the undeformed shape. The matrix is the same in every step, so it is factorised once; it is regular without any fixed node, since it holds M/Δt².
//!
//! **Mass counts once.** (30) of the paper adds the rigid body's compliance (A/Δt²)⁻¹ to C. Here C is the inverse of the matrix above, in which M/Δt² already lets the body move
//! as a whole: ΦᵀC⁻¹Φ = A/Δt². So nothing is added here; to add A/Δt² as printed would double the response to every force (tests/dynamics.rs shows both). The other way to count once is
//! C without inertia, and A beside it: that is [`condensed`](crate::condensed).
//!
//! Deviation: the frame is the best fit of all nodes by their masses, and R is held during a step. Forces of K have no resultant; their moment is zero only to first order in the deformation, as
//! in every corotated model with one frame, which the rotation found anew in each step keeps small.

use super::frame::best_rotation;
use super::{ElasticError, ElasticModel, SolveMemory, StiffnessFactor};
use stiction::spatial::{Mat3, Pose, Rotation, Vec3};

/// How a [`DynamicBody`] is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DynamicSettings {
    /// The time of a step, always the same (s).
    pub period: f64,
    /// α: damping of all motion by mass (1/s).
    pub mass_damping: f64,
    /// β: damping of deformation by stiffness (s).
    pub stiffness_damping: f64,
}

/// A body whose nodes all have inertia.
#[derive(Debug)]
pub struct DynamicBody {
    model: ElasticModel,
    settings: DynamicSettings,
    factor: StiffnessFactor,
    memory: SolveMemory,
    /// Mass of each node: the rows of M summed.
    weights: Vec<f64>,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    rotation: Rotation,
    /// Memory of a step.
    right: Vec<Vec3>,
    moved: Vec<Vec3>,
    product: Vec<Vec3>,
}

impl DynamicBody {
    /// A body at rest and undeformed at a pose.
    ///
    /// # Errors
    /// A period that is not positive, or a matrix that cannot be factorised.
    pub fn new(model: ElasticModel, settings: DynamicSettings, pose: &Pose) -> Result<DynamicBody, ElasticError> {
        let DynamicSettings { period, mass_damping, stiffness_damping } = settings;
        if !(period > 0.0 && period.is_finite()) {
            return Err(ElasticError::NotPositive { what: "the period", value: period });
        }
        for (what, value) in [("the damping by mass", mass_damping), ("the damping by stiffness", stiffness_damping)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(ElasticError::NotPositive { what, value });
            }
        }
        let mass = (1.0 / period + mass_damping) / period;
        let factor = StiffnessFactor::new(&model, 1.0 + stiffness_damping / period, mass, |_| false)?;
        let n = model.elements().nodes().len();
        let weights = (0..n).map(|row| model.pattern.row(row).map(|(at, _)| model.mass[at]).sum()).collect();
        let positions = model.elements().nodes().iter().map(|p| pose.rotation * p + pose.translation.vector).collect();
        Ok(DynamicBody {
            memory: factor.memory(1),
            factor,
            settings,
            weights,
            positions,
            velocities: vec![Vec3::zeros(); n],
            rotation: pose.rotation,
            right: vec![Vec3::zeros(); n],
            moved: vec![Vec3::zeros(); n],
            product: vec![Vec3::zeros(); n],
            model,
        })
    }

    /// The elastic model.
    pub fn model(&self) -> &ElasticModel {
        &self.model
    }

    /// Where the nodes are (m, world).
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// How fast the nodes are (m/s, world).
    pub fn velocities(&self) -> &[Vec3] {
        &self.velocities
    }

    /// Sets where nodes are and how fast, by their numbers.
    pub fn set(&mut self, state: impl Fn(usize) -> (Vec3, Vec3)) {
        for node in 0..self.positions.len() {
            (self.positions[node], self.velocities[node]) = state(node);
        }
        self.turn();
    }

    /// The rotation of the body's frame.
    pub fn rotation(&self) -> &Rotation {
        &self.rotation
    }

    /// The centre of mass (m, world).
    pub fn centre(&self) -> Vec3 {
        let sum: Vec3 = self.positions.iter().zip(&self.weights).map(|(x, w)| x * *w).sum();
        sum / self.model.rigid().mass
    }

    /// Finds the rotation of the frame anew.
    fn turn(&mut self) {
        let centre = self.centre();
        let mut fit = Mat3::zeros();
        let rest = self.model.elements().nodes();
        for ((x, rest), w) in self.positions.iter().zip(rest).zip(&self.weights) {
            fit += *w * (x - centre) * (rest - self.model.rigid().centre).transpose();
        }
        self.rotation = best_rotation(&fit, &self.rotation);
    }

    /// One step with a force on each node (N, world). Does not allocate.
    pub fn step(&mut self, force: impl Fn(usize) -> Vec3) {
        let DynamicSettings { period, mass_damping, stiffness_damping } = self.settings;
        let back = self.rotation.inverse();
        let n = self.positions.len();
        // Mass: all but the new positions.
        for node in 0..n {
            let (y, w) = (back * self.positions[node], back * self.velocities[node]);
            self.moved[node] = ((y + period * w) / period + mass_damping * y) / period;
        }
        self.model.mass_times(&self.moved, &mut self.right);
        // Stiffness: the undeformed shape, and where damping acts.
        for node in 0..n {
            let y = back * self.positions[node];
            self.moved[node] = self.model.elements().nodes()[node] + stiffness_damping / period * y;
        }
        self.model.stiffness_times(&self.moved, &mut self.product);
        for node in 0..n {
            self.right[node] += self.product[node] + back * force(node);
        }
        self.factor.solve(&mut self.right, &mut self.memory);
        for node in 0..n {
            let new = self.rotation * self.right[node];
            self.velocities[node] = (new - self.positions[node]) / period;
            self.positions[node] = new;
        }
        self.turn();
    }

    /// Momentum (N s) and angular momentum about the origin (N m s).
    pub fn momenta(&self) -> (Vec3, Vec3) {
        let mut product = vec![Vec3::zeros(); self.positions.len()];
        self.model.mass_times(&self.velocities, &mut product);
        let turning = self.positions.iter().zip(&product).map(|(x, p)| x.cross(p)).sum();
        (product.iter().sum(), turning)
    }

    /// Kinetic and elastic energy (J).
    pub fn energies(&self) -> (f64, f64) {
        let n = self.positions.len();
        let mut product = vec![Vec3::zeros(); n];
        self.model.mass_times(&self.velocities, &mut product);
        let kinetic = 0.5 * self.velocities.iter().zip(&product).map(|(v, p)| v.dot(p)).sum::<f64>();
        let (centre, back) = (self.centre(), self.rotation.inverse());
        let rest = |node: usize| self.model.elements().nodes()[node] - self.model.rigid().centre;
        let bent: Vec<Vec3> = (0..n).map(|node| back * (self.positions[node] - centre) - rest(node)).collect();
        self.model.stiffness_times(&bent, &mut product);
        (kinetic, 0.5 * bent.iter().zip(&product).map(|(u, f)| u.dot(f)).sum::<f64>())
    }
}
