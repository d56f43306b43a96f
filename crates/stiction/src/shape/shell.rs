//! The point shell: points on a part's surface, ordered so that every level is a subset of the next.

use super::{Allowance, ShapeError};
use crate::spatial::Vec3;

/// A point on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellPoint {
    /// Position in m, in the part's frame.
    pub position: Vec3,
    /// Unit normal out of the solid, from the mesh.
    pub normal: Vec3,
}

/// A point at one of its levels, with everything below it.
///
/// Nodes lie level by level. The first child of a node is the same point one level deeper; the others are points
/// that are new there. Children of neighbouring nodes are neighbours, so the descendants of a node on any level are
/// contiguous. A node of the last level has no children and radius zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellNode {
    /// Its point.
    pub point: u32,
    /// Its first child among all nodes.
    pub first_child: u32,
    /// How many children.
    pub children: u32,
    /// No descendant is further from the point than this, in m.
    pub radius: f32,
}

impl ShellNode {
    /// The radius with room for its rounding to single precision: no descendant is further than this, exactly.
    #[inline]
    pub fn reach(&self) -> f64 {
        f64::from(self.radius) * (1.0 + 1e-6)
    }
}

/// Points with their tree.
#[derive(Clone, Debug, PartialEq)]
pub struct PointShell {
    points: Vec<ShellPoint>,
    nodes: Vec<ShellNode>,
    levels: Vec<u32>,
    /// One for every point, or none at all.
    allowances: Vec<f32>,
}

impl PointShell {
    /// A shell from points in nested order, the nodes level by level, and the number of nodes on each level (which is
    /// the number of points on it too: level l holds the first `levels[l]` points). A shell without points has no
    /// levels.
    ///
    /// # Errors
    /// [`ShapeError`] where a number is not finite, a normal not of length one (to 1e-6), the levels are not nested or
    /// not a tree as [`ShellNode`] says, or a radius is too small (by more than single precision).
    pub fn new(points: Vec<ShellPoint>, nodes: Vec<ShellNode>, levels: Vec<u32>) -> Result<Self, ShapeError> {
        let shell = PointShell { points, nodes, levels, allowances: Vec::new() };
        shell.check_points()?;
        shell.check_levels()?;
        shell.check_tree()?;
        shell.check_radii()?;
        Ok(shell)
    }

    /// All points, coarse levels first.
    pub fn points(&self) -> &[ShellPoint] {
        &self.points
    }

    /// All nodes, level by level.
    pub fn nodes(&self) -> &[ShellNode] {
        &self.nodes
    }

    /// Number of points on each level.
    pub fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// The same shell with an allowance for every point (m): the depth that contacts of this point are allowed because the mesh
    /// is faceted there. If the list is empty or all of it is zero, no point has one. [`PointShell::new`] makes a shell whose points have none.
    ///
    /// # Errors
    /// [`ShapeError`] if there are not as many numbers as points, or one is not between zero and [`Allowance::MAX_VALUE`].
    pub fn with_allowances(mut self, allowances: Vec<f32>) -> Result<Self, ShapeError> {
        if !allowances.is_empty() && allowances.len() != self.points.len() {
            return Err(ShapeError::new(
                "point shell",
                format!("{} allowances for {} points", allowances.len(), self.points.len()),
            ));
        }
        // Also refuses NaN.
        if let Some(wrong) = allowances.iter().find(|a| !(0.0..=Allowance::MAX_VALUE).contains(*a)) {
            return Err(ShapeError::new("point shell", format!("an allowance of {wrong} m")));
        }
        self.allowances = if allowances.iter().any(|&a| a > 0.0) { allowances } else { Vec::new() };
        Ok(self)
    }

    /// Points in the order in which a walk down the tree comes to them: level by level, each by its coarsest node, and children of neighbouring nodes side by side.
    /// Every level is a prefix of this order, too.
    pub fn walk_order(&self) -> Vec<u32> {
        let roots = self.levels.first().map_or(0, |&n| n as usize);
        let below = self.nodes.iter().flat_map(|node| (1..node.children).map(|k| node.first_child + k));
        let below = below.map(|child| self.nodes[child as usize].point);
        self.nodes[..roots].iter().map(|root| root.point).chain(below).collect()
    }

    /// The same shell with its points numbered in another order, of which every level is a prefix: `order[i]` becomes point i.
    pub(crate) fn reordered(&self, order: &[u32]) -> Self {
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(i, &point)| place[point as usize] = i as u32);
        PointShell {
            points: order.iter().map(|&i| self.points[i as usize]).collect(),
            nodes: self.nodes.iter().map(|n| ShellNode { point: place[n.point as usize], ..*n }).collect(),
            levels: self.levels.clone(),
            allowances: if self.allowances.is_empty() {
                Vec::new()
            } else {
                order.iter().map(|&i| self.allowances[i as usize]).collect()
            },
        }
    }

    /// The depth that contacts of a point are allowed because the mesh is faceted there (m); zero on planes and convex surfaces.
    #[inline]
    pub fn allowance(&self, point: u32) -> f64 {
        self.allowances.get(point as usize).map_or(0.0, |&a| f64::from(a))
    }

    /// The allowance of every point (m); empty if no point has one.
    pub fn allowances(&self) -> &[f32] {
        &self.allowances
    }

    fn check_points(&self) -> Result<(), ShapeError> {
        for (i, p) in self.points.iter().enumerate() {
            if !p.position.iter().all(|x| x.is_finite()) {
                return error(format!("point {i} is not finite"));
            }
            let length = p.normal.dot(&p.normal).sqrt();
            if !((length - 1.0).abs() <= 1e-6) {
                return error(format!("the normal of point {i} has length {length}"));
            }
        }
        Ok(())
    }

    fn check_levels(&self) -> Result<(), ShapeError> {
        if self.levels.first() == Some(&0) || !self.levels.is_sorted() {
            return error("its levels are not nested".into());
        }
        let (finest, sum) = (self.levels.last().copied().unwrap_or(0), self.levels.iter().map(|&n| u64::from(n)).sum());
        if finest as usize != self.points.len() {
            return error(format!("{} points, but {finest} on the finest level", self.points.len()));
        }
        if self.nodes.len() as u64 != sum || sum > u64::from(u32::MAX) {
            return error(format!("{} nodes, but {sum} on its levels", self.nodes.len()));
        }
        Ok(())
    }

    /// Where each level's nodes start, and one past the last.
    fn starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        starts.extend(self.levels.iter().scan(0, |sum, &n| {
            *sum += n as usize;
            Some(*sum)
        }));
        starts
    }

    fn check_tree(&self) -> Result<(), ShapeError> {
        let starts = self.starts();
        // The level, counted from one, on which a point was last seen.
        let mut seen = vec![0; self.points.len()];
        for (level, &count) in self.levels.iter().enumerate() {
            let last = level + 1 == self.levels.len();
            let mut child = starts[level + 1];
            for (i, node) in self.nodes.iter().enumerate().take(starts[level + 1]).skip(starts[level]) {
                if node.point >= count || seen[node.point as usize] == level + 1 {
                    return error(format!(
                        "node {i} has point {}, not one of level {level} or not the first",
                        node.point
                    ));
                }
                seen[node.point as usize] = level + 1;
                if last {
                    if node.children != 0 || node.radius != 0.0 {
                        return error(format!("node {i} is on the last level, but has children or a radius"));
                    }
                    continue;
                }
                let first = self.nodes.get(child).filter(|_| child < starts[level + 2]);
                if node.first_child as usize != child
                    || first.is_none_or(|c| c.point != node.point)
                    || node.children == 0
                {
                    return error(format!("node {i} does not have its own point as its first child, in order"));
                }
                child += node.children as usize;
            }
            if !last && child != starts[level + 2] {
                return error(format!("the children of level {level} are not all nodes of the next"));
            }
        }
        Ok(())
    }

    /// Every point goes on to the finest level, so that descendants there are all descendants.
    fn check_radii(&self) -> Result<(), ShapeError> {
        let starts = self.starts();
        let levels = self.levels.len();
        // For the nodes of a level: where their descendants on the finest level start.
        let mut first: Vec<usize> = (0..self.points.len()).collect();
        for level in (0..levels.saturating_sub(1)).rev() {
            let nodes = &self.nodes[starts[level]..starts[level + 1]];
            first = nodes.iter().map(|n| first[n.first_child as usize - starts[level + 1]]).collect();
            let finest = &self.nodes[starts[levels - 1]..];
            for (i, node) in nodes.iter().enumerate() {
                let end = first.get(i + 1).copied().unwrap_or(finest.len());
                let centre = self.points[node.point as usize].position;
                let far = |d: &ShellNode| {
                    let apart = self.points[d.point as usize].position - centre;
                    !(apart.dot(&apart).sqrt() <= node.reach())
                };
                if !node.radius.is_finite() || finest[first[i]..end].iter().any(far) {
                    return error(format!("the radius of node {} does not reach all below it", starts[level] + i));
                }
            }
        }
        Ok(())
    }
}

fn error(reason: String) -> Result<(), ShapeError> {
    Err(ShapeError::new("point shell", reason))
}
