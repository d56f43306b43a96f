//! The problem that solvers are given, checked once.

use super::operator::Delassus;
use crate::contact::ContactId;
use crate::spatial::Vec3;

/// One contact of a [`ConeProblem`]: all that is not in W.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnilateralContact {
    /// Its identity from problem to problem, by which a solver starts from its last force. Unique within a problem.
    pub id: ContactId,
    /// µ, at least zero.
    pub mu: f64,
    /// q_i: its velocity without contact forces (normal, tangent, tangent), or the gap and the slip that a step without them ends with.
    pub free: Vec3,
}

/// Errors from posing a problem of unilateral contacts with friction.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConeError {
    /// A number is NaN, infinite or beyond 1e100.
    #[error("{what} of contact {contact} is not a finite number below 1e100")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// The contact, from 0.
        contact: usize,
    },
    /// A friction coefficient is below zero.
    #[error("the friction coefficient of contact {contact} is {mu}, but cannot be negative")]
    NegativeFriction {
        /// The contact, from 0.
        contact: usize,
        /// What was given.
        mu: f64,
    },
    /// A diagonal entry of W is negative, so that W is not positive semidefinite.
    #[error("the diagonal of W has a negative entry at contact {contact}: no mass or stiffness gives that")]
    NegativeDiagonal {
        /// The contact, from 0.
        contact: usize,
    },
    /// W is not symmetric.
    #[error("W is not symmetric: W and its transpose differ by {off:.1e} of its largest entry")]
    Asymmetric {
        /// The largest difference, as a share of the largest entry.
        off: f64,
    },
    /// A matrix that must be positive definite is not.
    #[error("the stiffness or mass of the part is not positive definite")]
    Indefinite,
    /// W and the list of contacts do not belong together.
    #[error("W has {operator} contacts, but {listed} are listed")]
    Mismatch {
        /// Contacts of W.
        operator: usize,
        /// Contacts in the list.
        listed: usize,
    },
    /// There are more contacts than there is room for.
    #[error("there are {contacts} contacts, and room for {capacity}")]
    Capacity {
        /// Contacts given.
        contacts: usize,
        /// Room.
        capacity: usize,
    },
    /// A setting of a solver is out of its range.
    #[error("{setting} must be {range}")]
    BadSetting {
        /// Its name.
        setting: &'static str,
        /// What is possible.
        range: &'static str,
    },
}

/// The largest number that a problem may have: its square is finite.
const LARGEST: f64 = 1e100;

/// Unilateral contacts with Coulomb friction on an operator W: (1)-(3) of the module. Always valid: a failed [`rebuild`](Self::rebuild) leaves it empty.
#[derive(Clone, Debug)]
pub struct ConeProblem<W> {
    operator: W,
    contacts: Vec<UnilateralContact>,
}

impl<W: Delassus> ConeProblem<W> {
    /// A problem without contacts, with as much room as the operator has.
    pub fn new(mut operator: W) -> Self {
        operator.clear();
        let contacts = Vec::with_capacity(operator.capacity());
        ConeProblem { operator, contacts }
    }

    /// Replaces the problem: `fill` makes W anew, and each contact of it is listed in the same order. Allocates nothing.
    ///
    /// # Errors
    /// What `fill` says, or a number that is not finite, a negative µ, a negative diagonal, or lists of different length. Whether W is symmetric is the operator's own matter:
    /// [`DenseOperator::symmetrise`](super::DenseOperator::symmetrise) tells, and products are by construction.
    pub fn rebuild(
        &mut self,
        fill: impl FnOnce(&mut W) -> Result<(), ConeError>,
        contacts: impl IntoIterator<Item = UnilateralContact>,
    ) -> Result<(), ConeError> {
        self.contacts.clear();
        self.operator.clear();
        let filled = fill(&mut self.operator).and_then(|()| self.take(contacts));
        if filled.is_err() {
            self.contacts.clear();
            self.operator.clear();
        }
        filled
    }

    fn take(&mut self, contacts: impl IntoIterator<Item = UnilateralContact>) -> Result<(), ConeError> {
        let capacity = self.operator.capacity();
        for (i, contact) in contacts.into_iter().enumerate() {
            if i >= capacity {
                return Err(ConeError::Capacity { contacts: i + 1, capacity });
            }
            let good = |x: &f64| x.abs() < LARGEST;
            if !good(&contact.mu) {
                return Err(ConeError::NotFinite { what: "the friction coefficient", contact: i });
            }
            if contact.mu < 0.0 {
                return Err(ConeError::NegativeFriction { contact: i, mu: contact.mu });
            }
            if !contact.free.iter().all(good) {
                return Err(ConeError::NotFinite { what: "the free velocity q", contact: i });
            }
            self.contacts.push(contact);
        }
        let (operator, listed) = (self.operator.len(), self.contacts.len());
        if operator != listed {
            return Err(ConeError::Mismatch { operator, listed });
        }
        for i in 0..listed {
            let block = self.operator.diagonal(i);
            if !block.iter().all(|x| x.abs() < LARGEST) {
                return Err(ConeError::NotFinite { what: "the diagonal block of W", contact: i });
            }
            if (0..3).any(|k| block[(k, k)] < 0.0) {
                return Err(ConeError::NegativeDiagonal { contact: i });
            }
        }
        Ok(())
    }

    /// Removes all contacts.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.operator.clear();
    }

    /// W.
    pub fn operator(&self) -> &W {
        &self.operator
    }

    /// µ, q and the names of the contacts.
    pub fn contacts(&self) -> &[UnilateralContact] {
        &self.contacts
    }

    /// The number of contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }
}
