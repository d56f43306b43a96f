//! Worlds of many bodies, for pages: which bodies there are, their shapes for display, and how far a hand goes among them.

use crate::display::Bounds;
use crate::wire::{BodyFacts, numbers};
use nalgebra::Point3;
use std::collections::HashMap;
use std::sync::Arc;
use stiction::spatial::{Pose, Vec3};
use stiction_bake::Mesh;
use stiction_scene::{EngineKind, Scene, VolumeShape, VolumeWorld, World};

/// Bodies of a scene and the shapes that they share.
#[derive(Clone, Debug)]
pub struct ManyBodies {
    /// The bodies, in the order of the scene.
    pub facts: Vec<BodyFacts>,
    /// Their shapes, by the number that the bodies have.
    pub shapes: Vec<Arc<VolumeShape>>,
}

impl ManyBodies {
    /// The bodies of a world; `None` for engines of a held and a fixed part.
    pub fn of(world: &World) -> Option<ManyBodies> {
        let bodies = world.volume.as_ref()?;
        let mut shapes: Vec<Arc<VolumeShape>> = Vec::new();
        let mut known: HashMap<*const VolumeShape, usize> = HashMap::new();
        let mut number_of = |shape: &Arc<VolumeShape>| {
            *known.entry(Arc::as_ptr(shape)).or_insert_with(|| {
                shapes.push(Arc::clone(shape));
                shapes.len() - 1
            })
        };
        let facts = bodies.bodies.iter().zip(world.scene.bodies()).map(|(body, placed)| BodyFacts {
            name: body.name.clone(),
            mesh: number_of(&body.shape),
            fixed: body.fixed,
            grab: !body.fixed,
            bounds: bounds(&body.shape.mesh),
            start: numbers(&placed.world_from_body),
        });
        let facts = facts.collect();
        Some(ManyBodies { facts, shapes })
    }

    /// The body that a page looks at first: that of the first hand, else the largest that moves, else the first.
    pub fn main(&self, scene: &Scene) -> usize {
        let held = scene.hands().first().and_then(|hand| hand.holds);
        let free = (0..self.facts.len()).filter(|body| !self.facts[*body].fixed);
        let largest = || free.max_by(|a, b| radius(&self.facts[*a].bounds).total_cmp(&radius(&self.facts[*b].bounds)));
        held.or_else(largest).unwrap_or(0)
    }

    /// The box of all bodies that move, in the world, with the ways that hands take theirs; of all bodies where none moves.
    pub fn room(&self, scene: &Scene) -> Bounds {
        let any = self.facts.iter().any(|body| !body.fixed);
        let placed =
            |body: usize, pose: &Pose| corners(&self.facts[body].bounds).map(|c| (pose * Point3::from(c)).coords);
        let bodies = self.facts.iter().zip(scene.bodies()).enumerate().filter(|(_, (body, _))| !body.fixed || !any);
        let mut points: Vec<Vec3> = bodies.flat_map(|(number, (_, at))| placed(number, &at.world_from_body)).collect();
        for (body, motion) in scene.hands().iter().filter_map(|hand| Some((hand.holds?, &hand.motion))) {
            let times = (0..=WAY_POINTS).map(|i| motion.seconds() * f64::from(i) / f64::from(WAY_POINTS));
            points.extend(times.flat_map(|t| placed(body, &motion.pose(t))));
        }
        around(points.into_iter()).unwrap_or_default()
    }

    /// The box of all bodies that never move, in the world; of all bodies where every one moves.
    pub fn ground(&self, scene: &Scene) -> Bounds {
        let fixed = self.facts.iter().any(|body| body.fixed);
        let wanted = self.facts.iter().zip(scene.bodies()).filter(|(body, _)| body.fixed || !fixed);
        let corners = wanted.flat_map(|(body, placed)| {
            corners(&body.bounds).map(|corner| (placed.world_from_body * Point3::from(corner)).coords)
        });
        around(corners).unwrap_or_default()
    }
}

/// Points of a hand's way that are looked at.
const WAY_POINTS: u32 = 24;

/// Half of the diagonal of a box (m).
pub fn radius([low, high]: &Bounds) -> f64 {
    0.5 * (Vec3::from(*high) - Vec3::from(*low)).norm()
}

fn bounds(mesh: &Mesh) -> Bounds {
    mesh.bounds().map_or_else(Bounds::default, |b| [b.min.into(), b.max.into()])
}

fn corners([low, high]: &Bounds) -> [Vec3; 8] {
    std::array::from_fn(|i| Vec3::from_fn(|axis, _| if i >> axis & 1 == 1 { high[axis] } else { low[axis] }))
}

fn around(points: impl Iterator<Item = Vec3>) -> Option<Bounds> {
    let both = |point: Vec3| (point, point);
    let (low, high) = points.map(both).reduce(|a, b| (a.0.inf(&b.0), a.1.sup(&b.1)))?;
    Some([low.into(), high.into()])
}

/// Bodies of this radius are moved one to one by a hand at a desk (m).
const AT_A_DESK: f64 = 0.08;

/// How many times as far as its handle a hand goes in a scene: 1 but among bodies that are much larger than a hand, which nobody could throw at a hand's speed.
pub fn stretch(scene: &Scene) -> f64 {
    if scene.engine != EngineKind::Volume {
        return 1.0;
    }
    let mut seen: Vec<&stiction_scene::Geometry> = Vec::new();
    let mut largest: f64 = 0.0;
    for body in scene.bodies().iter().filter(|body| !body.fixed) {
        // Copies have the same geometry.
        if seen.last() != Some(&&body.part.geometry) {
            seen.push(&body.part.geometry);
            let mesh = body.part.geometry.faces().ok().flatten();
            largest = largest.max(mesh.map_or(0.0, |mesh| radius(&bounds(&mesh))));
        }
    }
    (largest / AT_A_DESK).max(1.0)
}

/// Names of bodies, by number.
pub fn names(world: &VolumeWorld) -> Arc<[String]> {
    world.bodies.iter().map(|body| body.name.clone()).collect()
}
