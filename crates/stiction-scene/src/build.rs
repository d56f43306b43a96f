//! From a scene to a world: shapes from the cache or baked, noise put on them, and what looks odd said.

use crate::EngineKind;
use crate::VolumeWorld;
use crate::error::SceneError;
use crate::noise;
use crate::scene::{Geometry, Part, PartMass, Scene};
use nalgebra::Point3;
use std::path::PathBuf;
use std::sync::Arc;
use stiction::contact::penalty::ShellOn;
use stiction::shape::{Shape, ShellPoint, Sparse};
use stiction::spatial::{Pose, Vec6};
use stiction::tick::{Engine, Settings};
use stiction::trace::Flags;
use stiction_bake::bake::BakeError;
use stiction_bake::cache::Cache;
use stiction_bake::diagnose::length;
use stiction_bake::field::{FieldError, FieldOptions, Fineness, Storage};
use stiction_bake::{BakeOptions, Mesh, Progress, Silent, bake, bytes, file};
use stiction_formation::naming::ContactNamer;
use stiction_formation::{FormationEngine, Polyhedron};

/// A scene with the shapes of its parts. Clones share them.
#[derive(Clone, Debug)]
pub struct World {
    /// The scene; its settings have the held part's real mass.
    pub scene: Scene,
    /// The part in the hand.
    pub held: Arc<Shape>,
    /// The part that does not move.
    pub fixed: Arc<Shape>,
    /// Both parts as polyhedra, for the engine of contact formations. It feels nothing of the shapes, which are coarse then: only the viewer and reports look at them.
    pub polyhedra: Option<[Arc<Polyhedron>; 2]>,
    /// All bodies with their convex parts, for the engine of contact volumes. It feels nothing of the shapes, which are coarse then and of two bodies only.
    pub volume: Option<Arc<VolumeWorld>>,
    /// Sentences about settings and shapes that look wrong.
    pub warnings: Vec<String>,
}

impl Scene {
    /// Makes the shapes of both parts, or takes them from the cache.
    ///
    /// # Errors
    /// [`SceneError`] where a mesh cannot be read, a shape not be made, or the engine refuses the settings. Trouble with the cache is
    /// a warning.
    pub fn build(&self, cache: Option<&Cache>, progress: &dyn Progress) -> Result<World, SceneError> {
        match self.engine {
            EngineKind::QuasiStatic => {}
            EngineKind::Formation => return self.build_formation(cache, progress),
            EngineKind::Volume => return self.build_volume(cache, progress),
        }
        let mut warnings = Vec::new();
        let depths = self.depths();
        let held = deep_enough("held", &self.held().part, depths[0], cache, progress, &mut warnings)?;
        let fixed = deep_enough("fixed", &self.fixed().part, depths[1], cache, progress, &mut warnings)?;
        World::of(self.clone(), [Arc::new(held), Arc::new(fixed)], Solids::Fields, warnings)
    }

    /// The world of an engine that needs polyhedra. They come first: what is no polyhedron need not be baked.
    fn build_formation(&self, cache: Option<&Cache>, progress: &dyn Progress) -> Result<World, SceneError> {
        let polyhedra = self.polyhedra()?;
        World::of(self.clone(), self.coarse_shapes(cache, progress)?, Solids::Polyhedra(polyhedra), Vec::new())
    }

    /// The world of an engine of many bodies, of which two have shapes.
    fn build_volume(&self, cache: Option<&Cache>, progress: &dyn Progress) -> Result<World, SceneError> {
        let bodies = Arc::new(VolumeWorld::of(self, cache, progress)?);
        World::of(self.clone(), self.coarse_shapes(cache, progress)?, Solids::Bodies(bodies), Vec::new())
    }

    /// Shapes of which nothing is felt.
    fn coarse_shapes(&self, cache: Option<&Cache>, progress: &dyn Progress) -> Result<[Arc<Shape>; 2], SceneError> {
        let coarse = |name: &'static str, part: &Part| {
            // Warnings about a shape of which nothing is felt are of no use.
            shape(name, &Part { options: coarse_options(), ..part.clone() }, cache, progress, &mut Vec::new())
                .map(Arc::new)
        };
        let held = coarse("held", &self.held().part)?;
        let same = self.held().part.geometry == self.fixed().part.geometry;
        let fixed = if same { Arc::clone(&held) } else { coarse("fixed", &self.fixed().part)? };
        Ok([held, fixed])
    }

    /// The held and the fixed part as polyhedra.
    ///
    /// # Errors
    /// [`SceneError`] where a mesh cannot be read, or a part is none.
    pub fn polyhedra(&self) -> Result<[Arc<Polyhedron>; 2], SceneError> {
        Ok([polyhedron("held", &self.held().part)?, polyhedron("fixed", &self.fixed().part)?])
    }

    /// The world of the scene with shapes of the held and of the fixed part that were made for it before, noise included.
    ///
    /// # Errors
    /// [`SceneError`] where the engine refuses the settings.
    pub fn with_shapes(&self, shapes: [Arc<Shape>; 2]) -> Result<World, SceneError> {
        let solids = match self.engine {
            EngineKind::QuasiStatic => Solids::Fields,
            EngineKind::Formation => Solids::Polyhedra(self.polyhedra()?),
            EngineKind::Volume => Solids::Bodies(Arc::new(VolumeWorld::of(self, None, &Silent)?)),
        };
        World::of(self.clone(), shapes, solids, Vec::new())
    }

    /// What the field of the held and of the fixed part must tell apart (m), with room for the engine's own margin.
    fn depths(&self) -> [f64; 2] {
        let sunk = match self.settings.contact_model().is_penalty() {
            true => 1.5 * self.settings.coupling.max_force / self.settings.budget.stiffness,
            // Hard contacts sink by micrometres.
            false => 0.0,
        };
        match self.settings.shell_on {
            ShellOn::Held => [0.0, sunk],
            ShellOn::Fixed => [sunk, 0.0],
            ShellOn::Both => [sunk, sunk],
        }
    }
}

/// What an engine collides.
enum Solids {
    /// The shapes.
    Fields,
    /// The held and the fixed part as polyhedra.
    Polyhedra([Arc<Polyhedron>; 2]),
    /// All bodies by their convex parts.
    Bodies(Arc<VolumeWorld>),
}

impl World {
    /// A scene with shapes that were made for it.
    fn of(
        mut scene: Scene,
        [held, fixed]: [Arc<Shape>; 2],
        solids: Solids,
        warnings: Vec<String>,
    ) -> Result<World, SceneError> {
        let (polyhedra, volume) = match solids {
            Solids::Fields => (None, None),
            Solids::Polyhedra(polyhedra) => (Some(polyhedra), None),
            Solids::Bodies(bodies) => (None, Some(bodies)),
        };
        if let Some(bodies) = &volume {
            scene.settings.mass = bodies.bodies[scene.roles[0]].mass;
        } else if let PartMass::Density(density) = scene.held().part.mass {
            let mass = density * polyhedra.as_ref().map_or(held.mass.volume, |[held, _]| held.volume);
            if !(mass > 0.0) {
                return Err(SceneError::NoVolume);
            }
            scene.settings.mass = mass;
        }
        let mut world = World { scene, held, fixed, polyhedra, volume, warnings };
        let odd = match world.scene.engine {
            EngineKind::QuasiStatic => world.oddities()?,
            EngineKind::Formation => world.formation_oddities()?,
            // What it does not like, it refuses.
            EngineKind::Volume => world.volume_engine().map(|_| Vec::new())?,
        };
        world.warnings.extend(odd);
        Ok(world)
    }

    /// Another scene with these shapes; `None` if it needs other ones.
    ///
    /// # Errors
    /// [`SceneError`] where the engine refuses its settings.
    pub fn with_scene(&self, scene: &Scene) -> Result<Option<World>, SceneError> {
        let ours = &self.scene;
        let same_band = scene.depths() == ours.depths()
            || [&self.held, &self.fixed].iter().all(|s| s.field.known_depth().is_infinite());
        let same_bodies = || scene.bodies().iter().map(|b| &b.part).eq(ours.bodies().iter().map(|b| &b.part));
        if scene.engine != ours.engine
            || (scene.engine == EngineKind::Volume && !same_bodies())
            || scene.held().part != ours.held().part
            || scene.fixed().part != ours.fixed().part
            || !same_band
        {
            return Ok(None);
        }
        let shapes = [Arc::clone(&self.held), Arc::clone(&self.fixed)];
        let solids = match (&self.polyhedra, &self.volume) {
            (Some(polyhedra), _) => Solids::Polyhedra(polyhedra.clone()),
            (_, Some(bodies)) => Solids::Bodies(bodies.renamed(scene)),
            _ => Solids::Fields,
        };
        World::of(scene.clone(), shapes, solids, Vec::new()).map(Some)
    }

    /// An engine with the held part at its start.
    ///
    /// # Errors
    /// [`SceneError::Engine`] where it refuses the settings.
    pub fn engine(&self) -> Result<Engine, SceneError> {
        self.engine_with(self.scene.settings)
    }

    fn engine_with(&self, settings: Settings) -> Result<Engine, SceneError> {
        let (held, fixed) = (Arc::clone(&self.held), Arc::clone(&self.fixed));
        Ok(Engine::new(settings, held, fixed, self.scene.world_from_fixed(), self.scene.start())?)
    }

    /// An engine of contact formations with the held part at its start.
    ///
    /// # Errors
    /// [`SceneError::OtherEngine`] if the scene has another engine, [`SceneError::Formation`] if it refuses the settings.
    pub fn formation_engine(&self) -> Result<FormationEngine, SceneError> {
        let scene = &self.scene;
        let Some([held, fixed]) = self.polyhedra.clone() else {
            let asked = EngineKind::Formation.word();
            return Err(SceneError::OtherEngine { scene: scene.engine.word(), asked });
        };
        Ok(FormationEngine::new(scene.formation_settings(), held, fixed, scene.world_from_fixed(), scene.start())?)
    }

    /// A start that will not feel right.
    fn formation_oddities(&self) -> Result<Vec<String>, SceneError> {
        let epsilon = self.formation_engine()?.epsilon();
        let fixed_from_held = self.scene.world_from_fixed().inv_mul(&self.scene.start());
        // Points of one part in the field of the other; within half a voxel a field may be off.
        let deepest = |points: &Shape, field: &Shape, pose: &Pose| {
            let at = |p: &ShellPoint| field.field.distance((pose * Point3::from(p.position)).coords);
            let deepest = points.shell.points().iter().map(at).fold(f64::INFINITY, f64::min);
            -deepest - 0.5 * field.field.lattice().spacing
        };
        let inside = deepest(&self.held, &self.fixed, &fixed_from_held);
        let inside = inside.max(deepest(&self.fixed, &self.held, &fixed_from_held.inverse()));
        let told = || "the parts start in each other, where no force pushes them apart: move [start] or [hand]".into();
        Ok((inside > 2.0 * epsilon).then(told).into_iter().collect())
    }

    /// What names the contacts of an engine of points by faces, edges and vertices; `None` unless both parts are polyhedra of few faces. Points count as being at an element within the
    /// spacing of the shell's points and the voxels of the fields. For reports: it takes some time.
    pub fn contact_namer(&self) -> Option<ContactNamer> {
        let few = |part: &Part| match &part.geometry {
            Geometry::Mesh { file, import } => {
                file.mesh(import).is_ok_and(|read| read.mesh.faces.len() <= NAMED_TRIANGLES)
            }
            other => matches!(other.faces(), Ok(Some(mesh)) if mesh.faces.len() <= NAMED_TRIANGLES),
        };
        let parts = [&self.scene.held().part, &self.scene.fixed().part];
        let polyhedra = match &self.polyhedra {
            Some(polyhedra) => polyhedra.clone(),
            None if parts.into_iter().all(few) => self.scene.polyhedra().ok()?,
            None => return None,
        };
        let spacing = |shape: &Shape, solid: &Polyhedron| {
            let area: f64 = solid.faces.iter().map(|f| f.area).sum();
            (area / shape.shell.points().len().max(1) as f64).sqrt()
        };
        let [held, fixed] = [spacing(&self.held, &polyhedra[0]), spacing(&self.fixed, &polyhedra[1])];
        let spacing = match self.scene.settings.shell_on {
            ShellOn::Held => held,
            ShellOn::Fixed => fixed,
            ShellOn::Both => held.min(fixed),
        };
        let voxel = self.held.field.lattice().spacing.max(self.fixed.field.lattice().spacing);
        ContactNamer::new(polyhedra, self.scene.world_from_fixed(), spacing + voxel)
    }

    /// Settings that will not feel right.
    fn oddities(&self) -> Result<Vec<String>, SceneError> {
        let s = &self.scene.settings;
        let mut engine = self.engine_with(Settings { substeps: 1, ..*s })?;
        let mut out = Vec::new();
        // A torque is borne by contacts at both ends of the part, as a bar's on an elastic bed: 6 τ/(k ℓ), ℓ twice the radius.
        let sunk = (s.coupling.max_force + 3.0 * s.coupling.max_torque / engine.radius()) / s.budget.stiffness;
        let wall = self.held.thinnest_wall().min(self.fixed.thinnest_wall());
        let soft = s.contact_model().is_penalty();
        if soft && sunk > 0.25 * wall {
            out.push(format!(
                "the hardest push, {} N and {} N m, sinks the part in by {}, more than a quarter of the thinnest wall ({}): \
                 raise contact.stiffness or lower coupling.max_force and coupling.max_torque",
                s.coupling.max_force,
                s.coupling.max_torque,
                length(sunk),
                length(wall)
            ));
        }
        if soft && s.coupling.stiffness > s.budget.stiffness {
            out.push(format!(
                "the coupling ({} N/m) is stiffer than the contacts ({} N/m): parts will sink into each other rather than \
                 stay behind the hand",
                s.coupling.stiffness, s.budget.stiffness
            ));
        }
        let first = *engine.tick(&self.scene.start(), &Vec6::zeros());
        if first.flags.has(Flags::DEEP) {
            out.push(format!(
                "the parts start deeper in each other than a quarter of the thinnest wall ({}): move [start] or [hand]",
                length(engine.safe_depth())
            ));
        }
        Ok(out)
    }
}

/// What a shape is baked with of which nothing is felt.
pub(crate) fn coarse_options() -> BakeOptions {
    let field = FieldOptions { fineness: Fineness::Resolution(COARSE), ..FieldOptions::default() };
    BakeOptions { field, shell_points: COARSE_POINTS, ..BakeOptions::default() }
}

/// Voxels along the longest side, and points, of a shape of which nothing is felt.
const COARSE: u32 = 32;
const COARSE_POINTS: usize = 200;

/// Most triangles of a part whose contacts are named: looking for flat faces takes time.
const NAMED_TRIANGLES: usize = 20_000;

/// A part as a polyhedron.
fn polyhedron(name: &'static str, part: &Part) -> Result<Arc<Polyhedron>, SceneError> {
    let mesh = match &part.geometry {
        Geometry::Mesh { file, import } => {
            file.mesh(import).map_err(|source| SceneError::Mesh { part: name, source })?.mesh
        }
        Geometry::Union(solids) if solids.len() > 1 => {
            return Err(SceneError::Union { part: name, solids: solids.len() });
        }
        made => made.faces().map_err(|source| SceneError::Solid { part: name, source })?.unwrap_or_default(),
    };
    let made = Polyhedron::new(&mesh.points, &mesh.faces);
    made.map(Arc::new).map_err(|source| SceneError::Polyhedron { part: name, source })
}

/// The shape of a part whose field tells depths apart as far as the hardest push sinks: where a sparse field with the usual band does not, one with a
/// wider band, or a dense one.
fn deep_enough(
    name: &'static str,
    part: &Part,
    depth: f64,
    cache: Option<&Cache>,
    progress: &dyn Progress,
    warnings: &mut Vec<String>,
) -> Result<Shape, SceneError> {
    let found = shape(name, part, cache, progress, warnings)?;
    let known = found.field.known_depth();
    if known >= depth {
        return Ok(found);
    }
    let mut deeper = part.clone();
    let field = &mut deeper.options.field;
    let widest = Sparse::BAND[1];
    let band = (field.band * depth / known).ceil();
    if band <= widest {
        field.band = band;
        return shape(name, &deeper, cache, progress, warnings);
    }
    let refused = |cause: String| {
        let (key, value) = coarser(&found, part.options.field.fineness, depth / widest);
        let voxel = found.field.lattice().spacing;
        SceneError::TooFine { part: name, voxel, widest: widest as u32, depth, cause, key, value }
    };
    if field.storage == Storage::Sparse {
        return Err(refused(format!("leave out {name}.storage, so that the field can be dense")));
    }
    field.storage = Storage::Dense;
    shape(name, &deeper, cache, progress, warnings).map_err(|error| match error {
        SceneError::Bake { source: BakeError::Field(FieldError::Memory { needed, available, .. }), .. } => {
            refused(format!("a dense field would need {} of memory, {} are available", bytes(needed), bytes(available)))
        }
        other => other,
    })
}

/// The key that sets the fineness of a part's field, and the finest value of it whose voxels are at least so large.
fn coarser(found: &Shape, fineness: Fineness, voxel: f64) -> (&'static str, String) {
    match fineness {
        Fineness::Voxel(_) => {
            // Three digits, upwards; divided by a power of ten, so that no more digits are written.
            let power = 10f64.powi(2 - voxel.log10().floor() as i32);
            ("voxel", ((voxel * power - 1e-9).ceil() / power).to_string())
        }
        Fineness::Resolution(_) => {
            let part = found.field.part();
            ("resolution", format!("{}", ((part.max - part.min).max() / voxel).floor()))
        }
    }
}

/// The shape of a part, with its noise.
fn shape(
    name: &'static str,
    part: &Part,
    cache: Option<&Cache>,
    progress: &dyn Progress,
    warnings: &mut Vec<String>,
) -> Result<Shape, SceneError> {
    let made = part.geometry.faces().map_err(|source| SceneError::Solid { part: name, source })?;
    let (path, source, mesh) = match (&part.geometry, made) {
        (Geometry::Mesh { file, import }, _) => {
            let read = file.mesh(import).map_err(|source| SceneError::Mesh { part: name, source })?;
            warnings.extend(read.precision_warning().map(|warning| format!("the {name} part: {warning}")));
            let name = file.path.file_name().unwrap_or_default().to_string_lossy().replace(char::is_control, " ");
            (cache.map(|c| c.path(&read, import, &part.options)), name, read.mesh)
        }
        (Geometry::Solid(solid), mesh) => {
            (cache.map(|c| c.path_of_solid(solid, &part.options)), format!("{solid:?}"), mesh.unwrap_or_default())
        }
        (Geometry::Union(solids), mesh) => {
            let source = format!("{solids:?}");
            (cache.map(|c| c.path_of(&source, &part.options)), source, mesh.unwrap_or_default())
        }
    };
    let mut shape = match path.as_ref().filter(|p| p.exists()).map(|p| file::load(p)) {
        Some(Ok(shape)) => shape,
        broken => {
            if let Some(Err(error)) = broken {
                warnings.push(format!("the cached shape of the {name} part was baked again: {error}"));
            }
            baked(name, part, &source, &mesh, progress, warnings, cache.zip(path))?
        }
    };
    if part.normal_noise > 0.0
        && let Ok(shell) = noise::turned(&shape.shell, part.normal_noise, part.seed)
    {
        shape.shell = shell;
    }
    Ok(shape)
}

/// What a shape's file says of its origin.
pub(crate) fn provenance(source: &str, options: &BakeOptions) -> String {
    format!("source: {source}\nsettings: {}\nbaker: stiction {}\n", options.line(), env!("CARGO_PKG_VERSION"))
}

fn baked(
    name: &'static str,
    part: &Part,
    source: &str,
    mesh: &Mesh,
    progress: &dyn Progress,
    warnings: &mut Vec<String>,
    keep: Option<(&Cache, PathBuf)>,
) -> Result<Shape, SceneError> {
    let baked = bake(mesh, &part.options, provenance(source, &part.options), progress)
        .map_err(|source| SceneError::Bake { part: name, source })?;
    warnings.extend(baked.report.warnings.iter().map(|w| format!("the {name} part: {w}")));
    if let Some((cache, path)) = keep
        && let Err(error) = cache.prepare().and_then(|()| file::save(&path, &baked.shape, progress))
    {
        warnings.push(format!("the shape of the {name} part was not kept in the cache: {error}"));
    }
    Ok(baked.shape)
}
