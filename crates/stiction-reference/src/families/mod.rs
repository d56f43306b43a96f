//! Random problem families with a known answer, for tests and benchmarks: the same bits on every platform.
//!
//! The question they answer is the paper's linear program (*6-DoF Haptic Rendering of Static Coulomb Friction Using
//! Linear Programming*, Zhao, Li, Barbič), equations (32)-(37), for the cone given. No solver decides the truth; it
//! is built from the friction side. Symbols: f load, K stiffness, M̃ mass metric, G tangent columns, P_i cone:
//!
//! 1. a direction y in the range of G, and at each contact the β_i ∈ P_i that is extreme for G_iᵀy; w = Σ G_i β_i is on
//!    the boundary of all friction wrenches, and y supports it there;
//! 2. λ in null(Gᵀ) and q* = -M̃⁻¹Kᵀλ, the step that no friction can prevent (λ = 0 at full rank, and where the rank
//!    is a matter of tolerance);
//! 3. f = -t w - K q*. Then -(f + K q*) = t w: with t ≤ 1, tβ is admissible and balances the load; with t > 1,
//!    yᵀ(f + K q*) + Σ max yᵀG_iβ = (1 - t) yᵀw < 0 proves that nothing does.
//!
//! K is a coupling (-k_vc I, -k_tor I), contact springs -k_i J_i J_iᵀ that share one budget among contacts of one
//! direction (physics notes 1.1), and in half of the samples the geometric terms `[F_i]×` (notes 10.1, case B), which
//! make it non-symmetric. Deviation from physics: the coupling's pull is whatever makes f the wrench of step 3.

mod cones;
mod layout;
mod moving;
mod random;
#[cfg(test)]
mod tests;
mod transform;

pub use cones::{ConeFamily, cone_problem, rigid_pair};
pub use moving::MovingScene;
pub use random::Random;

use stiction::contact::{Contact, ContactProblem, Load, ProblemError};
use stiction::friction::{Cone, Fit, Verdict};
use stiction::named;
use stiction::spatial::{Mat6, Vec6, cross_matrix, join};

/// A kind of contact geometry or of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// The bottom of a 10 cm cube on a floor: rank 3.
    Planar,
    /// Floor and one wall at 90°: rank 5.
    Corner,
    /// Floor and two walls: rank 6.
    ThreeWalls,
    /// Two opposing walls: rank 5.
    Peg,
    /// Points on a sphere, normals in any direction.
    RandomNormals,
    /// A single contact, whatever number is asked for: rank 2.
    OneContact,
    /// Two contacts with different normals.
    TwoContacts,
    /// Points on one line of the floor: rank 3, ill-conditioned in nothing but looks.
    Collinear,
    /// Many contacts at no more than three points of the floor.
    Coincident,
    /// A corner whose wall has no friction: it counts for the rank, not for the forces.
    FrictionlessWall,
    /// A floor with normals off by 10^-exponent rad.
    NearlyParallel {
        /// From 3 to 12.
        exponent: u8,
    },
    /// Three walls, µ from 0 to 1000.
    WideFriction,
    /// Three walls, contact budget up to 1e8 times the coupling.
    WideStiffness,
    /// Three walls, friction limits from 1e-9 to 1e3 N.
    WideLimits,
}

impl Family {
    /// Every family, nearly parallel normals at 1e-3, 1e-6, 1e-9 and 1e-12 rad.
    pub const ALL: [Family; 17] = [
        Family::Planar,
        Family::Corner,
        Family::ThreeWalls,
        Family::Peg,
        Family::RandomNormals,
        Family::OneContact,
        Family::TwoContacts,
        Family::Collinear,
        Family::Coincident,
        Family::FrictionlessWall,
        Family::NearlyParallel { exponent: 3 },
        Family::NearlyParallel { exponent: 6 },
        Family::NearlyParallel { exponent: 9 },
        Family::NearlyParallel { exponent: 12 },
        Family::WideFriction,
        Family::WideStiffness,
        Family::WideLimits,
    ];
}

named! {
    /// How close to slipping the load is.
    #[derive(Hash)]
    pub enum Loading {
        /// 5 to 95 % of what friction can hold.
        Holds = "holds",
        /// 105 to 300 %.
        Slips = "slips",
        /// Within 1 %, on either side.
        Edge = "edge",
        /// Within 1e-9, on either side.
        EdgeClose = "edge-close",
    }
}

impl Loading {
    /// The fraction t of the limit for x in [0, 1); never 1 itself.
    fn fraction(self, x: f64) -> f64 {
        let around = |width: f64| 1.0 + width * if x < 0.5 { -1.0 + 1.8 * x } else { 0.1 + 1.8 * (x - 0.5) };
        match self {
            Loading::Holds => 0.05 + 0.9 * x,
            Loading::Slips => 1.05 + 1.95 * x,
            Loading::Edge => around(1e-2),
            Loading::EdgeClose => around(1e-9),
        }
    }
}

/// What is known about a sample by construction. Static limits µ_s F_n; the linear program.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// `Holds` or `Slips`.
    pub verdict: Verdict,
    /// t: the load over the most that friction can hold along it; also the margin s of the limits.
    pub fraction: f64,
    /// y: supports the friction wrenches where the load's ray meets their boundary, and proves a slip.
    pub direction: Vec6,
    /// β_i on that boundary; t times it proves a hold.
    pub extreme: Vec<[f64; 2]>,
    /// q*: the step that no friction prevents.
    pub held_step: Vec6,
    /// λ with Gᵀλ = 0 and M̃ q* + Kᵀλ = 0.
    pub lambda: Vec6,
}

/// One problem with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleProblem {
    /// Wrench, stiffness and mass.
    pub load: Load,
    /// The contacts, about one in ten separated.
    pub contacts: Vec<Contact>,
    /// Where it comes from.
    pub family: Family,
    /// How close to slipping it is.
    pub loading: Loading,
    /// The cone that the truth is about.
    pub cone: Cone,
    /// What is known about it.
    pub truth: Truth,
}

impl SampleProblem {
    /// The sample as the engine takes it.
    pub fn problem(&self) -> Result<ContactProblem, ProblemError> {
        let mut problem = ContactProblem::with_capacity(self.contacts.len());
        problem.rebuild(&self.load, self.contacts.iter().copied())?;
        Ok(problem)
    }
}

/// A sample of a family with about `contacts` contacts (fewer for the families that fix the number).
pub fn generate(family: Family, contacts: usize, seed: u64, loading: Loading, cone: Cone) -> SampleProblem {
    let mut random = Random::new(seed);
    let (contacts, springs) = layout::contacts(family, contacts.max(1), &mut random);
    let geometric = random.below(2) == 1 && family != Family::WideLimits;
    let stiffness = stiffness(&contacts, &springs, geometric);
    let mass = mass(&mut random);
    let pull = Pull {
        direction: random.direction6(),
        rocking: random.direction6() * random.uniform(0.2, 2.0),
        fraction: loading.fraction(random.uniform(0.0, 1.0)),
    };
    let (load, truth) = pull.on(&contacts, stiffness, mass, cone);
    SampleProblem { load, contacts, family, loading, cone, truth }
}

/// About 1 kg and the inertia of a 10 cm cube, a little uneven.
fn mass(random: &mut Random) -> Mat6 {
    let kg = random.uniform(0.5, 2.0);
    let inertia = kg * 0.1 * 0.1 / 6.0;
    Mat6::from_diagonal(&Vec6::from_fn(|i, _| if i < 3 { kg } else { inertia * random.uniform(0.7, 1.4) }))
}

/// K: coupling, contact springs and, with `geometric`, [F]× in ∂τ/∂x.
fn stiffness(contacts: &[Contact], springs: &[f64], geometric: bool) -> Mat6 {
    let mut k = -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 1e3, 10.0, 10.0, 10.0));
    for (c, &spring) in contacts.iter().zip(springs).filter(|(c, _)| !c.is_separated()) {
        let j = join(c.normal, c.point.cross(&c.normal));
        k -= j * j.transpose() * spring;
        if geometric {
            let mut block = k.fixed_view_mut::<3, 3>(3, 0);
            block += cross_matrix(c.normal * c.normal_force);
        }
    }
    k
}

/// A load to be placed relative to the friction limit of some contacts.
struct Pull {
    /// Chooses y: its part in the range of G, torques in units of the part's length.
    direction: Vec6,
    /// Chooses λ: its part in null(Gᵀ), and by its length the size of K q* relative to the friction limit.
    rocking: Vec6,
    /// t.
    fraction: f64,
}

impl Pull {
    fn on(&self, contacts: &[Contact], stiffness: Mat6, mass: Mat6, cone: Cone) -> (Load, Truth) {
        let length = contacts.iter().map(|c| c.point.norm()).fold(1e-3, f64::max);
        let unscaled = |v: Vec6| Vec6::from_fn(|i, _| if i < 3 { v[i] } else { v[i] / length });
        let (range, null) = split(contacts, length);
        let direction = unscaled(range * self.direction);
        let extreme: Vec<_> = contacts
            .iter()
            .map(|c| {
                let g = columns(c);
                extreme(cone, limit(c), [g[0].dot(&direction), g[1].dot(&direction)])
            })
            .collect();
        let edge = friction_wrench(contacts, &extreme);
        let mut lambda = unscaled(null * self.rocking);
        let step = |lambda: &Vec6| -(mass.lu().solve(&(stiffness.transpose() * lambda)).unwrap_or_default());
        let size = |w: Vec6| Vec6::from_fn(|i, _| if i < 3 { w[i] } else { w[i] / length }).norm();
        let rocking = size(stiffness * step(&lambda));
        lambda *= if rocking > 0.0 { self.rocking.norm() * size(edge) / rocking } else { 0.0 };
        let held_step = step(&lambda);
        let wrench = -edge * self.fraction - stiffness * held_step;
        let verdict = if self.fraction <= 1.0 { Verdict::Holds } else { Verdict::Slips };
        let truth = Truth { verdict, fraction: self.fraction, direction, extreme, held_step, lambda };
        (Load { wrench, stiffness, mass }, truth)
    }
}

/// Projectors to range(G) and null(Gᵀ), torques divided by `length`. Where the rank is a matter of tolerance (a
/// singular value between 1e-15 and 3e-3 of the largest) the second is zero.
fn split(contacts: &[Contact], length: f64) -> (Mat6, Mat6) {
    let mut gram = Mat6::zeros();
    for column in contacts.iter().flat_map(columns) {
        let c = Vec6::from_fn(|i, _| if i < 3 { column[i] } else { column[i] / length });
        gram += c * c.transpose();
    }
    let eigen = gram.symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let mut null = Mat6::zeros();
    let mut doubtful = false;
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if value.abs() <= 1e-14 * largest {
            null += vector * vector.transpose();
        } else {
            doubtful |= *value < 1e-5 * largest;
        }
    }
    // Normals off by less than 1e-7 rad are seen by no eigenvalue: a floor that is not flat must not pass for flat.
    let normal = contacts.iter().find(|c| !c.is_separated()).map(|c| c.normal);
    doubtful |= contacts.iter().filter(|c| !c.is_separated()).any(|c| {
        let tilt = normal.map_or(0.0, |n| n.cross(&c.normal).norm());
        tilt > 0.0 && tilt < 3e-3
    });
    (Mat6::identity() - null, if doubtful { Mat6::zeros() } else { null })
}

/// µ_s F_n, zero when separated.
fn limit(contact: &Contact) -> f64 {
    if contact.is_separated() { 0.0 } else { contact.mu_static * contact.normal_force }
}

/// The columns (t, r × t) of G that belong to a contact, zero when it is separated.
fn columns(contact: &Contact) -> [Vec6; 2] {
    if contact.is_separated() {
        return [Vec6::zeros(); 2];
    }
    [contact.tangent, contact.tangent_v()].map(|t| join(t, contact.point.cross(&t)))
}

/// Σ G_i β_i.
fn friction_wrench(contacts: &[Contact], friction: &[[f64; 2]]) -> Vec6 {
    contacts.iter().zip(friction).fold(Vec6::zeros(), |sum, (c, b)| {
        let g = columns(c);
        sum + g[0] * b[0] + g[1] * b[1]
    })
}

/// The force of the cone that is extreme for `g`.
fn extreme(cone: Cone, limit: f64, g: [f64; 2]) -> [f64; 2] {
    let size = (g[0] * g[0] + g[1] * g[1]).sqrt();
    if limit == 0.0 || size == 0.0 {
        return [0.0; 2];
    }
    match cone {
        Cone::Disk => g.map(|x| limit * x / size),
        Cone::Polygon { sides, fit } => {
            let pi = std::f64::consts::PI;
            let radius = match fit {
                Fit::Circumscribed => limit / libm::cos(pi / sides as f64),
                Fit::Inscribed => limit,
            };
            let vertex = |j: usize| {
                let angle = 2.0 * pi * j as f64 / sides as f64;
                [radius * libm::cos(angle), radius * libm::sin(angle)]
            };
            let reach = |v: &[f64; 2]| v[0] * g[0] + v[1] * g[1];
            (1..sides).map(vertex).fold(vertex(0), |best, v| if reach(&v) > reach(&best) { v } else { best })
        }
    }
}
