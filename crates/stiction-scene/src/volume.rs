//! The bodies of a scene as the engine of contact volumes takes them.

use crate::build::{coarse_options, provenance};
use crate::error::SceneError;
use crate::scene::{Geometry, Part, PartMass, PosedSolid, Scene};
use crate::{EngineKind, World};
use nalgebra::Point3;
use std::hash::Hasher;
use std::path::PathBuf;
use std::sync::Arc;
use stiction::shape::Shape;
use stiction::spatial::{Pose, Vec3};
use stiction_bake::bake::BakeError;
use stiction_bake::cache::Cache;
use stiction_bake::convex::{ConvexCloseness, ConvexOptions, ConvexParts, ConvexPartsError, convex_parts};
use stiction_bake::solids::Solid;
use stiction_bake::{BakeOptions, Mesh, Progress, bake, file};
use stiction_volume::{Body, BodyMotion, Convex, VolumeEngine, VolumeError};
use xxhash_rust::xxh3::Xxh3;

/// The bodies of a scene for the engine of contact volumes, by number.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeWorld {
    /// The bodies, in the order of the scene.
    pub bodies: Vec<VolumeBody>,
}

/// A body of a [`VolumeWorld`].
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeBody {
    /// What the scene calls it.
    pub name: String,
    /// Its surface and convex parts; equal bodies share them.
    pub shape: Arc<VolumeShape>,
    /// Mass (kg).
    pub mass: f64,
    /// Whether it never moves.
    pub fixed: bool,
}

/// The surface of a body, and the convex parts of which it consists.
#[derive(Clone, Debug)]
pub struct VolumeShape {
    /// The surface, in the body's axes, as it is drawn.
    pub mesh: Mesh,
    /// Convex parts, in the body's axes.
    pub pieces: Vec<Convex>,
    /// How close their union is to the surface, where they are not exact.
    pub closeness: Option<ConvexCloseness>,
    /// 64-bit XXH3 of the corners of the convex parts: equal shapes have equal ones.
    pub hash: u64,
}

impl VolumeBody {
    /// 64-bit XXH3 of its convex parts, its mass and whether it is fixed.
    pub fn hash(&self) -> u64 {
        let mut digest = Xxh3::new();
        digest.write_u64(self.shape.hash.to_le());
        digest.write(&self.mass.to_bits().to_le_bytes());
        digest.write_u8(u8::from(self.fixed));
        digest.finish()
    }
}

impl PartialEq for VolumeShape {
    fn eq(&self, other: &VolumeShape) -> bool {
        self.hash == other.hash
    }
}

impl VolumeWorld {
    /// The bodies of a scene; their convex parts are made here, or are in the cache.
    ///
    /// # Errors
    /// [`SceneError::Convex`] and [`SceneError::ConvexParts`] where a body has no convex parts, [`SceneError::BodyMesh`] and [`SceneError::BodySolid`] where it has no surface, each with its name.
    pub fn of(scene: &Scene, cache: Option<&Cache>, progress: &dyn Progress) -> Result<VolumeWorld, SceneError> {
        let mut bodies: Vec<VolumeBody> = Vec::new();
        for (number, body) in scene.bodies().iter().enumerate() {
            // Copies are made once.
            let same = scene.bodies()[..number].iter().position(|other| other.part.geometry == body.part.geometry);
            let shape = match same {
                Some(same) => Arc::clone(&bodies[same].shape),
                None => Arc::new(shape(&body.name, &body.part, cache, progress)?),
            };
            let volume: f64 = shape.pieces.iter().map(Convex::volume).sum();
            let mass = match body.part.mass {
                PartMass::Total(mass) => mass,
                PartMass::Density(density) => density * volume,
            };
            bodies.push(VolumeBody { name: body.name.clone(), shape, mass, fixed: body.fixed });
        }
        Ok(VolumeWorld { bodies })
    }

    /// The same bodies as another scene of equal parts calls them, and holds them fast.
    pub(crate) fn renamed(self: &Arc<Self>, scene: &Scene) -> Arc<VolumeWorld> {
        let same = |(body, other): (&VolumeBody, &crate::Body)| body.name == other.name && body.fixed == other.fixed;
        if self.bodies.iter().zip(scene.bodies()).all(same) {
            return Arc::clone(self);
        }
        let renamed = |(body, other): (&VolumeBody, &crate::Body)| VolumeBody {
            name: other.name.clone(),
            fixed: other.fixed,
            ..body.clone()
        };
        Arc::new(VolumeWorld { bodies: self.bodies.iter().zip(scene.bodies()).map(renamed).collect() })
    }

    /// The number of a body by its name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// The bodies as the engine takes them, at their places in the scene.
    fn bodies_of(&self, scene: &Scene) -> Vec<Body> {
        let made = |(body, placed): (&VolumeBody, &crate::Body)| Body {
            motion: if body.fixed { BodyMotion::Fixed } else { BodyMotion::Free },
            twist: placed.twist,
            ..Body::new(body.shape.pieces.clone(), body.mass, placed.world_from_body)
        };
        self.bodies.iter().zip(scene.bodies()).map(made).collect()
    }
}

impl World {
    /// An engine of contact volumes with the bodies at their start.
    ///
    /// # Errors
    /// [`SceneError::OtherEngine`] if the scene has another engine, [`SceneError::Volume`] if it refuses bodies, joints or settings.
    pub fn volume_engine(&self) -> Result<VolumeEngine, SceneError> {
        let scene = &self.scene;
        let Some(world) = &self.volume else {
            let asked = EngineKind::Volume.word();
            return Err(SceneError::OtherEngine { scene: scene.engine.word(), asked });
        };
        let refused = |source: VolumeError| refused(&source, world);
        let (bodies, hands) = (world.bodies_of(scene), scene.volume_hands());
        let mut engine =
            VolumeEngine::new(scene.volume_settings(), bodies, scene.joints().to_vec(), hands).map_err(refused)?;
        for pair in scene.friction_pairs() {
            engine.set_friction(pair.bodies, pair.mu_static, pair.mu_kinetic).map_err(refused)?;
        }
        Ok(engine)
    }
}

/// What the engine refuses, with the names of bodies and keys.
fn refused(source: &VolumeError, world: &VolumeWorld) -> SceneError {
    let name = |body: usize| world.bodies.get(body).map_or_else(|| body.to_string(), |b| format!("`{}`", b.name));
    let told = match source {
        VolumeError::NoPieces(body) => {
            format!("{} has no convex parts: give it a solid or a closed mesh", name(*body))
        }
        VolumeError::BadBody { what, body, why } => format!("{what} names {}: {why}", name(*body)),
        VolumeError::BeginTogether(a, b, depth) => format!(
            "{} and {} begin {depth:.3e} m in each other, which is over a tenth of the smaller one: move one of them by that much (`position`)",
            name(*a),
            name(*b)
        ),
        VolumeError::Unstable { what, value, unit, period, bodies: [a, b], most, shorter } => format!(
            "{what} {value} {unit} is beyond what {} Hz can take for {} and {}: at most {most:.4e} {unit} (contact.{}), or at least {:.0} Hz (run.rate)",
            1.0 / period,
            name(*a),
            name(*b),
            what.replace(' ', "_"),
            (1.0 / shorter).ceil()
        ),
        other => other.to_string(),
    };
    SceneError::Volume { told }
}

/// Surface and convex parts of a part.
fn shape(name: &str, part: &Part, cache: Option<&Cache>, progress: &dyn Progress) -> Result<VolumeShape, SceneError> {
    let solid = |source| SceneError::BodySolid { body: name.into(), source };
    let (mut points, mut closeness) = (Vec::new(), None);
    let mut add = |parts: Vec<Vec<Vec3>>, pose: &Pose| {
        let moved = |p: &Vec3| (pose * Point3::from(*p)).coords;
        points.extend(parts.iter().map(|part| part.iter().map(moved).collect::<Vec<Vec3>>()));
    };
    let mut apart = |mesh: &Mesh, source: String, path: &dyn Fn(&Cache, &BakeOptions) -> PathBuf| {
        let keep = cache.map(|cache| (cache, path(cache, &with_convex_parts())));
        let found = kept_parts(mesh, source, keep, progress);
        let found = found.map_err(|source| SceneError::ConvexParts { body: name.into(), source })?;
        closeness = Some(found.closeness);
        Ok::<_, SceneError>(found.parts)
    };
    let mut of_solid = |made: &Solid| match made.convex_parts().map_err(solid)? {
        Some(parts) => Ok(parts),
        None => apart(&made.mesh().map_err(solid)?, format!("{made:?}"), &|c, options| c.path_of_solid(made, options)),
    };
    let mesh = match &part.geometry {
        Geometry::Solid(made) => {
            add(of_solid(made)?, &Pose::identity());
            made.mesh().map_err(solid)?
        }
        Geometry::Union(solids) => {
            for PosedSolid { solid: made, part_from_solid } in solids {
                add(of_solid(made)?, part_from_solid);
            }
            part.geometry.faces().map_err(solid)?.unwrap_or_default()
        }
        Geometry::Mesh { file, import } => {
            let read = file.mesh(import).map_err(|source| SceneError::BodyMesh { body: name.into(), source })?;
            let source = file.path.file_name().unwrap_or_default().to_string_lossy().replace(char::is_control, " ");
            add(apart(&read.mesh, source, &|c, options| c.path(&read, import, options))?, &Pose::identity());
            read.mesh
        }
    };
    let refused = |source| SceneError::Convex { body: name.into(), source };
    let pieces: Vec<Convex> = points.iter().map(|p| Convex::of_points(p)).collect::<Result<_, _>>().map_err(refused)?;
    let mut digest = Xxh3::new();
    for piece in &pieces {
        digest.write_u64((piece.points().len() as u64).to_le());
        piece.points().iter().flat_map(|p| p.iter()).for_each(|x| digest.write(&x.to_bits().to_le_bytes()));
    }
    Ok(VolumeShape { mesh, pieces, closeness, hash: digest.finish() })
}

/// How a mesh is baked whose convex parts are wanted: nothing is felt of the rest of the shape.
fn with_convex_parts() -> BakeOptions {
    BakeOptions { convex: Some(ConvexOptions::default()), ..coarse_options() }
}

/// The convex parts of a mesh, from the cache, where they are kept with a coarse shape: to take a mesh apart takes many times as long as to bake it. Trouble with the cache costs time, and nothing else.
fn kept_parts(
    mesh: &Mesh,
    source: String,
    keep: Option<(&Cache, PathBuf)>,
    progress: &dyn Progress,
) -> Result<ConvexParts, ConvexPartsError> {
    let Some((cache, path)) = keep else { return convex_parts(mesh, &ConvexOptions::default(), progress) };
    if path.exists()
        && let Ok(Shape { convex: Some(parts), .. }) = file::load(&path)
    {
        return Ok(parts);
    }
    let options = with_convex_parts();
    match bake(mesh, &options, provenance(&source, &options), progress) {
        Ok(baked) => {
            let _ = cache.prepare().and_then(|()| file::save(&path, &baked.shape, progress));
            baked.shape.convex.ok_or_else(|| ConvexPartsError::Failed("they were not asked for".into()))
        }
        Err(BakeError::Convex(error)) => Err(error),
        Err(BakeError::Cancelled(stopped)) => Err(stopped.into()),
        // What has parts but no field or shell is not kept.
        Err(_) => convex_parts(mesh, &ConvexOptions::default(), progress),
    }
}
