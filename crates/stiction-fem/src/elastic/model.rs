//! Stiffness and mass of a part.

use super::elements::Elements;
use super::pattern::NodePattern;
use super::shape::{barycentric_gradients, each_point, unit_mass};
use super::{ElasticError, Material};
use stiction::spatial::{Mat3, Vec3, Vec6, halves};

/// What a part weighs, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMass {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass (m, in the part's axes).
    pub centre: Vec3,
    /// Inertia about the centre of mass (kg m², in the part's axes).
    pub inertia: Mat3,
}

/// Stiffness K and mass M of a part's elements.
#[derive(Clone, Debug)]
pub struct ElasticModel {
    elements: Elements,
    material: Material,
    pub(super) pattern: NodePattern,
    pub(super) stiffness: Vec<Mat3>,
    pub(super) mass: Vec<f64>,
    rigid: RigidMass,
}

impl ElasticModel {
    /// Makes stiffness and mass.
    ///
    /// # Errors
    /// A material that is none.
    pub fn new(elements: Elements, material: Material) -> Result<ElasticModel, ElasticError> {
        material.check()?;
        let pattern = NodePattern::of(&elements);
        let mut model = ElasticModel {
            stiffness: vec![Mat3::zeros(); pattern.len()],
            mass: vec![0.0; pattern.len()],
            rigid: RigidMass { mass: 0.0, centre: Vec3::zeros(), inertia: Mat3::zeros() },
            elements,
            material,
            pattern,
        };
        model.assemble();
        model.weigh();
        Ok(model)
    }

    /// The same with a density that gives a total mass (kg).
    ///
    /// # Errors
    /// A material that is none, or a mass that is not positive.
    pub fn with_total_mass(elements: Elements, material: Material, mass: f64) -> Result<ElasticModel, ElasticError> {
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(ElasticError::NotPositive { what: "the mass", value: mass });
        }
        let volume: f64 = (0..elements.len()).map(|e| crate::mesh::volume_of(&elements.corners(e))).sum();
        ElasticModel::new(elements, Material { density: mass / volume, ..material })
    }

    fn assemble(&mut self) {
        let (lambda, mu) = self.material.lame();
        let per = self.elements.per_element();
        let unit = unit_mass(per);
        for e in 0..self.elements.len() {
            let (gradients, volume) = barycentric_gradients(&self.elements.corners(e));
            let nodes = self.elements.element(e);
            let mut own = [[Mat3::zeros(); 10]; 10];
            each_point(per, &gradients, |g, share| {
                for i in 0..per {
                    for j in 0..per {
                        let dot = g[i].dot(&g[j]);
                        own[i][j] += share
                            * volume
                            * (lambda * g[i] * g[j].transpose()
                                + mu * (g[j] * g[i].transpose() + Mat3::from_diagonal_element(dot)));
                    }
                }
            });
            for i in 0..per {
                for j in 0..per {
                    let at = self.pattern.find(nodes[i], nodes[j]);
                    self.stiffness[at] += own[i][j];
                    self.mass[at] += self.material.density * volume * unit[i][j];
                }
            }
        }
    }

    /// Mass, centre and inertia, by M on the rigid motions: exactly those that M has.
    fn weigh(&mut self) {
        let nodes = self.elements.nodes();
        let ones = |row: usize| self.pattern.row(row).map(|(at, _)| self.mass[at]).sum::<f64>();
        let weights: Vec<f64> = (0..nodes.len()).map(ones).collect();
        let mass: f64 = weights.iter().sum();
        let centre = nodes.iter().zip(&weights).map(|(p, w)| p * *w).sum::<Vec3>() / mass;
        let mut second = Mat3::zeros();
        for row in 0..nodes.len() {
            for (at, column) in self.pattern.row(row) {
                second += self.mass[at] * (nodes[row] - centre) * (nodes[column as usize] - centre).transpose();
            }
        }
        let inertia = Mat3::from_diagonal_element(second.trace()) - 0.5 * (second + second.transpose());
        self.rigid = RigidMass { mass, centre, inertia };
    }

    /// The elements.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Mass, centre of mass and inertia.
    pub fn rigid(&self) -> &RigidMass {
        &self.rigid
    }

    /// How a node moves in a small rigid motion: translation, then rotation about the centre of mass.
    pub fn rigid_motion(&self, node: usize, motion: &Vec6) -> Vec3 {
        let (translation, rotation) = halves(motion);
        translation + rotation.cross(&(self.elements.nodes()[node] - self.rigid.centre))
    }

    /// K u.
    pub fn stiffness_times(&self, u: &[Vec3], out: &mut [Vec3]) {
        for (row, out) in out.iter_mut().enumerate() {
            *out = self.pattern.row(row).map(|(at, column)| self.stiffness[at] * u[column as usize]).sum();
        }
    }

    /// M u.
    pub fn mass_times(&self, u: &[Vec3], out: &mut [Vec3]) {
        for (row, out) in out.iter_mut().enumerate() {
            *out = self.pattern.row(row).map(|(at, column)| self.mass[at] * u[column as usize]).sum();
        }
    }

    /// The stress in an element at its centre by displacements of the nodes (Pa).
    pub fn stress(&self, element: usize, u: &[Vec3]) -> Mat3 {
        let (gradients, _) = barycentric_gradients(&self.elements.corners(element));
        let nodes = self.elements.element(element);
        let mut slope = Mat3::zeros();
        for k in 0..4 {
            slope += u[nodes[k] as usize] * gradients[k].transpose();
        }
        if nodes.len() == 10 {
            // At λ = 1/4: gradients of corners vanish, those of middles are the sum of the two ends'.
            slope = Mat3::zeros();
            for (k, [i, j]) in super::elements::EDGES.into_iter().enumerate() {
                slope += u[nodes[4 + k] as usize] * (gradients[i] + gradients[j]).transpose();
            }
        }
        let strain = 0.5 * (slope + slope.transpose());
        let (lambda, mu) = self.material.lame();
        Mat3::from_diagonal_element(lambda * strain.trace()) + 2.0 * mu * strain
    }
}
