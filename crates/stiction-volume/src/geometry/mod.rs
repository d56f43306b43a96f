//! Convex polyhedra: distance, contact plane and intersection.
