//! Forces of the last answer, by contact identity: where the next solve starts.

use super::problem::UnilateralContact;
use crate::contact::ContactId;
use crate::spatial::Vec3;

/// Forces in the contacts' own frames, sorted by identity.
#[derive(Clone, Debug, Default)]
pub(super) struct ForceMemory(Vec<(ContactId, Vec3)>);

impl ForceMemory {
    /// With room for so many contacts.
    pub fn with_capacity(contacts: usize) -> Self {
        ForceMemory(Vec::with_capacity(contacts))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The force that a contact had; zero for a new one.
    pub fn recall(&self, id: ContactId) -> Vec3 {
        match self.0.binary_search_by_key(&id, |known| known.0) {
            Ok(i) => self.0[i].1,
            Err(_) => Vec3::zeros(),
        }
    }

    /// Remembers an answer instead of the last one.
    pub fn remember(&mut self, contacts: &[UnilateralContact], forces: &[Vec3]) {
        self.0.clear();
        self.0.extend(contacts.iter().zip(forces).filter(|(_, f)| **f != Vec3::zeros()).map(|(c, f)| (c.id, *f)));
        self.0.sort_unstable_by_key(|known| known.0);
    }
}
