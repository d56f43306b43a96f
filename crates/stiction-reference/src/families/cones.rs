//! Random problems of unilateral contacts with Coulomb friction, in families that are hard in different ways.
//!
//! W is semidefinite by construction, W = B Bᵀ, and q = B v + g with gaps g_n ≥ 0 and no tangential part: the motion -v closes nothing, so that Signorini's condition can always be met. Where all gaps are
//! positive, Acary and Cadoux' criterion says that a solution exists whatever µ is.

use super::Random;
use nalgebra::DMatrix;
use stiction::contact::ContactId;
use stiction::delassus::{ConeError, ConeProblem, DenseOperator, RigidOperator, UnilateralContact};
use stiction::named;
use stiction::spatial::{Mat3, Mat6, Vec3, Vec6, join};

named! {
    /// What makes a problem hard.
    #[derive(Hash)]
    pub enum ConeFamily {
        /// W of full rank in which each contact dominates its own block, as of soft bodies.
        Deformable = "deformable",
        /// One rigid part on a coupling: rank 6, many contacts, forces not unique.
        Rigid = "rigid",
        /// The same with contacts that are there two or three times.
        Redundant = "redundant",
        /// A random rank below that of the contacts.
        RankDeficient = "rank-deficient",
        /// Eigenvalues over eight decades.
        IllConditioned = "ill-conditioned",
        /// A rigid part between opposed walls, in which large friction wedges.
        Wedged = "wedged",
    }
}

impl ConeFamily {
    /// Whether a velocity is as well known as the residual says: elsewhere only the energy is compared.
    pub fn well_conditioned(self) -> bool {
        matches!(self, ConeFamily::Deformable)
    }
}

/// A problem of a family with so many contacts and friction coefficients up to `mu`.
///
/// # Errors
/// None for these families; a bug in them would be told.
pub fn cone_problem(
    family: ConeFamily,
    contacts: usize,
    mu: f64,
    seed: u64,
) -> Result<ConeProblem<DenseOperator>, ConeError> {
    let mut random = Random::new(seed);
    let n = contacts.max(1);
    let root = root(family, n, &mut random);
    let w = &root * root.transpose();
    let v = DMatrix::from_fn(root.ncols(), 1, |_, _| random.uniform(-1.0, 1.0));
    let free = &root * v;
    let open = random.below(2) == 0;
    let listed: Vec<UnilateralContact> = (0..n)
        .map(|i| {
            let gap = if open || random.below(2) == 0 { random.decades(-6.0, -1.0) } else { 0.0 };
            let mu = if random.below(8) == 0 { 0.0 } else { mu * random.uniform(0.1, 1.0) };
            let q = Vec3::new(free[3 * i] + gap, free[3 * i + 1], free[3 * i + 2]);
            UnilateralContact { id: ContactId(i as u64), mu, free: q }
        })
        .collect();
    let mut problem = ConeProblem::new(DenseOperator::with_capacity(n));
    let fill = |operator: &mut DenseOperator| {
        operator.begin(n)?;
        for j in 0..n {
            for i in 0..n {
                operator.add(i, j, &Mat3::from_fn(|a, b| w[(3 * i + a, 3 * j + b)]));
            }
        }
        operator.symmetrise();
        Ok(())
    };
    problem.rebuild(fill, listed)?;
    Ok(problem)
}

/// The same rigid part as a product of rank 6 and as a matrix, for tests of operators.
///
/// # Errors
/// None; a bug would be told.
pub fn rigid_pair(
    contacts: usize,
    mu: f64,
    seed: u64,
) -> Result<(ConeProblem<RigidOperator>, ConeProblem<DenseOperator>), ConeError> {
    let mut random = Random::new(seed);
    let stiffness = Mat6::from_diagonal(&Vec6::new(2e3, 2e3, 2e3, 20.0, 20.0, 20.0));
    let v = random.direction6() * 1e-3;
    let rows: Vec<[Vec6; 3]> = (0..contacts).map(|_| rows(&mut random, false)).collect();
    let listed: Vec<UnilateralContact> = rows
        .iter()
        .enumerate()
        .map(|(i, rows)| UnilateralContact {
            id: ContactId(i as u64),
            mu: mu * random.uniform(0.1, 1.0),
            free: Vec3::from_fn(|k, _| rows[k].dot(&v)) + Vec3::x() * random.uniform(0.0, 1e-4),
        })
        .collect();
    let mut product = ConeProblem::new(RigidOperator::with_capacity(contacts));
    let fill = |operator: &mut RigidOperator| {
        operator.begin(&stiffness)?;
        rows.iter().try_for_each(|rows| operator.push(rows))
    };
    product.rebuild(fill, listed.iter().copied())?;
    let mut matrix = ConeProblem::new(DenseOperator::with_capacity(contacts));
    matrix.rebuild(|operator| operator.copy_from(product.operator()), listed)?;
    Ok((product, matrix))
}

/// B of W = B Bᵀ.
fn root(family: ConeFamily, n: usize, random: &mut Random) -> DMatrix<f64> {
    let size = 3 * n;
    let any = |rank: usize, random: &mut Random| {
        DMatrix::from_fn(size, rank, |_, _| random.uniform(-1.0, 1.0) / (rank as f64).sqrt())
    };
    match family {
        ConeFamily::Deformable => {
            let coupled = any(size, random) * 0.5;
            coupled + DMatrix::identity(size, size)
        }
        ConeFamily::Rigid | ConeFamily::Wedged => {
            let rows: Vec<_> = (0..n).map(|_| rows(random, family == ConeFamily::Wedged)).collect();
            DMatrix::from_fn(size, 6, |i, k| rows[i / 3][i % 3][k] * if k < 3 { 1.0 } else { 3.0 })
        }
        ConeFamily::Redundant => {
            let few: Vec<_> = (0..n.div_ceil(3)).map(|_| rows(random, false)).collect();
            DMatrix::from_fn(size, 6, |i, k| few[i / 3 % few.len()][i % 3][k] * if k < 3 { 1.0 } else { 3.0 })
        }
        ConeFamily::RankDeficient => {
            let rank = 1 + random.below(size.saturating_sub(1).max(1));
            any(rank, random)
        }
        ConeFamily::IllConditioned => {
            let mut b = any(size, random);
            for k in 0..size {
                let scale = random.decades(-4.0, 0.0);
                b.column_mut(k).scale_mut(scale);
            }
            b
        }
    }
}

/// J of a contact somewhere on a part of size one: normals in any direction, or along one axis both ways.
fn rows(random: &mut Random, opposed: bool) -> [Vec6; 3] {
    let arm = random.direction() * random.uniform(0.2, 1.0) * 0.5;
    let normal = match opposed {
        true => (Vec3::x() * if random.below(2) == 0 { 1.0 } else { -1.0 } + random.direction() * 0.2).normalize(),
        false => random.direction(),
    };
    let tangent = random.tangent(&normal);
    [normal, tangent, normal.cross(&tangent)].map(|d| join(d, arm.cross(&d)))
}
