//! Families of contact problems whose answer is known or can be steered, from a seed.
//!
//! The load is f = -`load` Σ_i G_i β_i with β_i = -L_i G_iᵀy / ‖G_iᵀy‖ for a random twist y: friction pushed to the
//! edge of Σ_i G_i P_i in one direction. With disks and a G of full rank, friction holds exactly for `load` ≤ 1;
//! with ℓ-gons the edge lies within a factor cos(π/ℓ) of that. Below full rank a residual normal load is added.

use stiction::contact::{Contact, ContactId, ContactProblem, Load, ProblemError};
use stiction::spatial::{Mat6, Vec3, Vec6, join};

/// How the normals lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One plane: rank 3.
    Plane,
    /// Two walls at a right angle: rank 5.
    Corner,
    /// Every normal for itself: rank 6 from three contacts up.
    Scattered,
}

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    /// Number of contacts.
    pub contacts: usize,
    /// How the normals lie.
    pub layout: Layout,
    /// Load as a fraction of what friction can hold in its direction.
    pub load: f64,
}

/// A small deterministic generator (SplitMix64), so that a seed names a problem for ever.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Each coordinate uniform in ±half.
    pub fn vector(&mut self, half: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.range(-half, half))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if (0.01..=1.0).contains(&v.norm_squared()) {
                return v.normalize();
            }
        }
    }
}

impl Family {
    /// A part of 10 cm with µ = 0.5, about 2 N per contact; symmetric K from contacts and coupling.
    pub fn problem(&self, seed: u64) -> Result<ContactProblem, ProblemError> {
        let mut random = Random::new(seed);
        let walls = [random.direction(), Vec3::zeros()];
        let walls = [walls[0], walls[0].cross(&random.direction()).normalize()];
        let contacts: Vec<Contact> = (0..self.contacts).map(|i| self.contact(i, walls, &mut random)).collect();
        let mut k = -Mat6::from_diagonal(&Vec6::new(2e3, 2e3, 2e3, 5.0, 5.0, 5.0));
        let twist = join(random.direction(), random.direction() * 20.0);
        let mut wrench = Vec6::zeros();
        let mut residual = Vec6::zeros();
        for c in &contacts {
            let n = join(c.normal, c.point.cross(&c.normal));
            k -= n * n.transpose() * 1e3;
            residual += n * random.range(-0.02, 0.02) * c.normal_force;
            let g = [c.tangent, c.tangent_v()].map(|t| join(t, c.point.cross(&t)));
            let (u, v) = (g[0].dot(&twist), g[1].dot(&twist));
            wrench += (g[0] * u + g[1] * v) * (self.load * c.mu_static * c.normal_force / u.hypot(v));
        }
        if self.layout != Layout::Scattered {
            wrench += residual;
        }
        let mass = Mat6::from_diagonal(&Vec6::new(0.5, 0.5, 0.5, 8e-4, 9e-4, 1e-3));
        let mut problem = ContactProblem::with_capacity(self.contacts);
        problem.rebuild(&Load { wrench, stiffness: k, mass }, contacts)?;
        Ok(problem)
    }

    fn contact(&self, index: usize, walls: [Vec3; 2], random: &mut Random) -> Contact {
        let normal = match self.layout {
            Layout::Plane => walls[0],
            Layout::Corner => walls[index % 2],
            Layout::Scattered => random.direction(),
        };
        let sideways = normal.cross(&random.direction()).normalize();
        let point = match self.layout {
            Layout::Scattered => random.vector(0.05),
            // On the wall, 5 cm from the centre.
            _ => {
                let p = random.vector(0.05);
                p - normal * (normal.dot(&p) + 0.05)
            }
        };
        Contact {
            id: ContactId(index as u64),
            point,
            normal,
            tangent: sideways,
            gap: -1e-4,
            normal_force: random.range(0.5, 3.5),
            mu_static: 0.5,
            mu_kinetic: 0.4,
        }
    }
}

/// µ_static F_n per contact.
pub fn static_limits(problem: &ContactProblem) -> Vec<f64> {
    problem.contacts().iter().map(|c| c.mu_static * c.normal_force).collect()
}
