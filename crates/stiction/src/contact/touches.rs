//! The touching points of a shell: found by a walk through the other part's field, built as [`Touch`]es, and posed to a friction solver as
//! [`Contact`]s.

use super::axes::Axes;
use super::penalty::{self, Touch};
use super::separating::Separation;
use super::{Contact, ContactId};
use crate::collide::{Query, Traversal, Walk};
use crate::shape::{DistanceField, Edges, PointShell, Sample, Shape};
use crate::small;
use crate::spatial::{Mat6, Pose, Rotation, Vec3, Vec6};

/// The touching points of one shell, from tick to tick. All memory is made at the beginning.
#[derive(Clone, Debug)]
pub(crate) struct Touches {
    /// The points inside the field at the last walk.
    pub list: Vec<Touch>,
    /// Which of them are about to come apart.
    separates: Vec<bool>,
    /// T_u of each shell point, in the shell's axes.
    tangents: Vec<Vec3>,
    /// Shell points without a normal of their own.
    edges: Edges,
    /// Every contact has the shell's normal and counts in full, as the friction paper prints it.
    as_printed: bool,
    traversal: Traversal,
    /// Shell points that touched at the last walk, and the mark that a point has been reported in this one.
    last: Vec<u32>,
    seen: Vec<u64>,
    stamp: u64,
}

/// A shell and the field that it meets, placed in the world.
pub(crate) struct Placed<'a> {
    /// The held part carries the shell.
    pub of_held: bool,
    pub shell: &'a PointShell,
    pub field: &'a DistanceField,
    pub world_from_shell: Pose,
    pub world_from_field: Pose,
    /// The held part's centre in the world (m).
    pub centre: Vec3,
}

impl Touches {
    /// For the shell of a part, with T_u along an axis of that part; with the shell's normals everywhere where `as_printed`.
    pub fn new(carrier: &Shape, tangent_axis: &Vec3, as_printed: bool) -> Self {
        let shell = carrier.shell.points();
        let points = shell.len();
        Touches {
            list: Vec::with_capacity(points),
            separates: Vec::with_capacity(points),
            tangents: shell.iter().map(|p| projected(tangent_axis, &p.normal)).collect(),
            edges: carrier.edges(),
            as_printed,
            traversal: Traversal::with_capacity(points),
            last: Vec::with_capacity(points),
            seen: vec![0; points],
            stamp: 0,
        }
    }

    /// Forgets all points.
    pub fn clear(&mut self) {
        self.list.clear();
        self.separates.clear();
        self.last.clear();
    }

    /// Finds the shell points inside the field, in world axes about the held part's centre. Whatever the budget of samples, the points of the last walk
    /// are looked at: no contact is lost to it.
    pub fn find(&mut self, placed: &Placed, max_samples: usize) -> Walk {
        let Placed { of_held, shell, field, world_from_shell, world_from_field, centre } = placed;
        let axes = Axes::new(*of_held, world_from_shell, world_from_field, centre);
        let points = shell.points();
        let (edges, as_printed) = (&self.edges, self.as_printed);
        let touch = |point: u32, position: &Vec3, sample: &Sample| {
            let edge = if as_printed { None } else { edges.at(point) };
            let by_field = edge.is_some();
            let gradient = if by_field { field.sample_smooth(*position).gradient } else { sample.gradient };
            let easing = axes.field * gradient * axes.sign;
            let length = easing.norm();
            let normal = axes.shell * points[point as usize].normal;
            let cosine = axes.along(&easing, &normal, edge) / length.max(f64::MIN_POSITIVE);
            let agreement = if as_printed { 1.0 } else { penalty::agreement(cosine, by_field) };
            let by_field = by_field && agreement > 0.0;
            Touch {
                point,
                arm: axes.arm(position),
                normal: if by_field { easing / length } else { normal },
                easing,
                by_field,
                agreement,
                depth: -sample.distance,
                stiffness: 0.0,
                slope: 0.0,
            }
        };
        let field_from_shell = world_from_field.inv_mul(world_from_shell);
        let query = Query { margin: 0.0, max_samples: max_samples.saturating_sub(self.last.len()) };
        self.list.clear();
        self.stamp += 1;
        let (list, seen, stamp) = (&mut self.list, &mut self.seen, self.stamp);
        let walk = self.traversal.touching(shell, field, &field_from_shell, query, |hit| {
            seen[hit.point as usize] = stamp;
            list.push(touch(hit.point, &hit.position, &hit.sample));
        });
        let walk = walk.unwrap_or(Walk { stopped: true, ..Walk::default() });
        if walk.stopped {
            for &point in &self.last {
                if seen[point as usize] != stamp {
                    let position = field_from_shell * nalgebra::Point3::from(points[point as usize].position);
                    let sample = field.sample(position.coords);
                    if sample.distance < 0.0 {
                        list.push(touch(point, &position.coords, &sample));
                    }
                }
            }
        }
        self.last.clear();
        self.last.extend(list.iter().map(|t| t.point));
        walk
    }

    /// Finds the contacts that are about to come apart by a rule, with the total wrench f and its derivative K.
    pub fn find_separating(&mut self, separation: &Separation, f: &Vec6, k: &Mat6) {
        self.separates.clear();
        self.separates.resize(self.list.len(), false);
        if separation.possible(&self.list) {
            let frictionless = small::invert(k).0 * -f;
            for (separates, touch) in self.separates.iter_mut().zip(&self.list) {
                *separates = separation.separates(touch, &frictionless);
            }
        }
    }

    /// How many are about to come apart.
    pub fn separating(&self) -> u32 {
        self.separates.iter().filter(|s| **s).count() as u32
    }

    /// The contacts that they pose to a friction solver, for a shell that is turned so. Those that come apart carry no friction.
    pub fn contacts(
        &self,
        world_from_shell: &Rotation,
        mu_static: f64,
        mu_kinetic: f64,
    ) -> impl Iterator<Item = Contact> + '_ {
        let turn = world_from_shell.to_rotation_matrix();
        self.list.iter().zip(&self.separates).map(move |(touch, separates)| Contact {
            id: ContactId(u64::from(touch.point)),
            point: touch.arm,
            normal: touch.normal,
            tangent: match touch.by_field {
                true => projected(&(turn * self.tangents[touch.point as usize]), &touch.normal),
                false => turn * self.tangents[touch.point as usize],
            },
            gap: -touch.depth,
            normal_force: if *separates { 0.0 } else { touch.force() },
            mu_static,
            mu_kinetic,
        })
    }
}

/// A unit tangent: the axis without its part along the normal, or another axis where that is too short.
fn projected(axis: &Vec3, normal: &Vec3) -> Vec3 {
    let axis = axis / axis.norm();
    for candidate in [axis, Vec3::new(axis.y, axis.z, axis.x), Vec3::new(axis.z, axis.x, axis.y)] {
        let tangent = candidate - normal * normal.dot(&candidate);
        if tangent.norm() > 0.1 {
            return tangent / tangent.norm();
        }
    }
    let tangent = normal.cross(&if normal.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() });
    tangent / tangent.norm()
}
