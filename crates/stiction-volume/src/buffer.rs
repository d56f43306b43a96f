//! Memory that is made once.

use std::ops::{Deref, DerefMut};

/// A list whose clones have as much room as itself, so that a copy of an engine allocates in a tick no more than the engine does.
#[derive(Debug, Default)]
pub(crate) struct Buffer<T>(Vec<T>);

impl<T> Buffer<T> {
    /// An empty list with room for so many items.
    pub fn with_capacity(room: usize) -> Self {
        Buffer(Vec::with_capacity(room))
    }
}

impl<T: Clone> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        let mut copy = Vec::with_capacity(self.0.capacity());
        copy.extend_from_slice(&self.0);
        Buffer(copy)
    }
}

impl<T> Deref for Buffer<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(list: Vec<T>) -> Self {
        Buffer(list)
    }
}
