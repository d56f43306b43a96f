//! Pruned traversal: to be written.
