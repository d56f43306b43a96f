//! A scene: everything that a run needs, checked, with nothing baked yet.

use crate::document::{self, At, SceneFault};
use crate::error::{Place, Problem, SceneError};
use crate::files::{FileContents, SceneFile};
use crate::keys::IdleKey;
use crate::{EngineKind, Hand, LoadSum, Setting, TimedLoad, read};
use nalgebra::Point3;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction::spatial::{Pose, Vec6};
use stiction::tick::Settings;
use stiction_bake::import::ImportOptions;
use stiction_bake::solids::{Solid, SolidError};
use stiction_bake::{BakeOptions, Mesh};
use stiction_formation::{FormationSettings, MomentModel};
use stiction_volume::{ContactCoefficients, ContactMethod, Grip, Joint, VolumeHand, VolumeSettings};

/// A scene as its file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The name of the scene.
    pub name: String,
    /// What the scene shows, in a line.
    pub description: String,
    /// The folder of its file: other files are looked for there.
    pub folder: PathBuf,
    /// The engine that computes the motion.
    pub engine: EngineKind,
    /// How the engine works. The mass is 1 kg until [`build`](Self::build), where the held part has a density.
    pub settings: Settings,
    /// How the engine of contact formations works, beyond what `settings` have of coupling, friction coefficients, mass and gravity.
    pub formation: FormationOptions,
    /// How the engine of contact volumes works, beyond what `settings` have of coupling, friction coefficients and gravity.
    pub volume: VolumeOptions,
    /// Ticks a second (Hz).
    pub rate: f64,
    /// Ticks of the engine a second (Hz), where it is slower than the loop and runs beside it.
    pub engine_rate: Option<f64>,
    /// Length of the run (s).
    pub seconds: f64,
    /// What the viewer shows until somebody drags the part.
    pub demonstration: Demonstration,
    pub(crate) bodies: Vec<Body>,
    pub(crate) hands: Vec<SceneHand>,
    pub(crate) loads: Vec<SceneLoad>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) friction_pairs: Vec<FrictionPair>,
    /// The numbers of the held body and of the other one.
    pub(crate) roles: [usize; 2],
    pub(crate) files: Vec<SceneFile>,
}

/// Settings of the engine of contact formations that no other engine has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormationOptions {
    /// Distance from which contacts are felt (m); by default it follows from the held part's size.
    pub epsilon: Option<f64>,
    /// Stiffness of contacts along their plane while they stick (N/m); by default that of the coupling.
    pub tangential: Option<f64>,
    /// How moments of contacts are computed.
    pub moments: MomentModel,
    /// Time in which the force goes over where the formation changes (s).
    pub interpolation: f64,
}

/// Settings of the engine of contact volumes that no other engine has. Coefficients that are `None` follow from the masses of the bodies and the period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeOptions {
    /// Where contact forces act.
    pub method: ContactMethod,
    /// Normal stiffness of a pair of bodies (N/m).
    pub normal_stiffness: Option<f64>,
    /// Normal damping of a pair of bodies (N s/m).
    pub normal_damping: Option<f64>,
    /// Stiffness of static friction (N/m).
    pub tangential_stiffness: Option<f64>,
    /// Damping of static friction (N s/m).
    pub tangential_damping: Option<f64>,
    /// Damping of the spring between a hand and its body, as a share of the body's critical damping.
    pub grip_damping: f64,
}

/// Friction of two bodies whose materials are a pair with coefficients of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionPair {
    /// The numbers of the bodies.
    pub bodies: [usize; 2],
    /// Coefficient of static friction.
    pub mu_static: f64,
    /// Coefficient of kinetic friction.
    pub mu_kinetic: f64,
}

/// A body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What hands and loads call it; "held" and "fixed" in scenes of two parts.
    pub name: String,
    /// Its surface, material and mass.
    pub part: Part,
    /// Where it is at first.
    pub world_from_body: Pose,
    /// Whether it never moves.
    pub fixed: bool,
    /// Velocity of its centre of mass and angular velocity at first (m/s, rad/s, world), for engines that know inertia.
    pub twist: Vec6,
}

/// A hand of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneHand {
    /// The number of the body that it holds; `None` for a hand that holds nothing at first.
    pub holds: Option<usize>,
    /// How it acts on that body, where the engine offers a choice.
    pub grip: Grip,
    /// How it moves.
    pub motion: Hand,
}

/// What the viewer shows of a scene until somebody drags the part.
#[derive(Clone, Debug, PartialEq)]
pub struct Demonstration {
    /// What to try, in a sentence or two.
    pub text: String,
    /// How the first hand moves meanwhile, forth and back.
    pub motion: Hand,
}

/// A load of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneLoad {
    /// The number of the body that it acts on.
    pub on: usize,
    /// What acts, besides the body's weight.
    pub load: TimedLoad,
}

/// What a body is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where its surface comes from.
    pub geometry: Geometry,
    /// How it is baked.
    pub options: BakeOptions,
    /// What it is made of, as pairs of materials know it.
    pub material: Option<String>,
    /// How heavy it is; of use for held bodies only.
    pub mass: PartMass,
    /// Standard deviation by which shell normals are turned about each of two axes (rad).
    pub normal_noise: f64,
    /// Seed of that noise.
    pub seed: u64,
}

/// Where a part's surface comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A solid by its parameters.
    Solid(Solid),
    /// The union of solids that may overlap and touch.
    Union(Vec<PosedSolid>),
    /// A mesh from a file.
    Mesh {
        /// The file.
        file: SceneFile,
        /// The unit of the file's numbers, and where the mesh goes in its part.
        import: ImportOptions,
    },
}

/// A solid of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct PosedSolid {
    /// The solid.
    pub solid: Solid,
    /// Where it is in its part.
    pub part_from_solid: Pose,
}

impl Geometry {
    /// The faces of a part by parameters, all those of a union's solids; `None` for a file.
    ///
    /// # Errors
    /// [`SolidError`] for parameters that no solid has.
    pub fn faces(&self) -> Result<Option<Mesh>, SolidError> {
        match self {
            Geometry::Solid(solid) => solid.mesh().map(Some),
            Geometry::Mesh { .. } => Ok(None),
            Geometry::Union(solids) => {
                let mut all = Mesh::default();
                for PosedSolid { solid, part_from_solid } in solids {
                    let mesh = solid.mesh()?;
                    let before = all.points.len() as u32;
                    all.faces.extend(mesh.faces.iter().map(|f| f.map(|corner| corner + before)));
                    all.points.extend(mesh.points.iter().map(|p| (part_from_solid * Point3::from(*p)).coords));
                }
                Ok(Some(all))
            }
        }
    }
}

/// The mass of a part, told in one of two ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartMass {
    /// The mass itself (kg).
    Total(f64),
    /// The mass by volume (kg/m³).
    Density(f64),
}

impl Scene {
    /// All bodies of the scene.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// All hands of the scene.
    pub fn hands(&self) -> &[SceneHand] {
        &self.hands
    }

    /// All loads of the scene.
    pub fn loads(&self) -> &[SceneLoad] {
        &self.loads
    }

    /// All joints of the scene.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Bodies whose materials have coefficients of friction of their own, in the engine of contact volumes.
    pub fn friction_pairs(&self) -> &[FrictionPair] {
        &self.friction_pairs
    }

    /// Gives all contacts the same coefficient of friction, static and kinetic, whatever the materials.
    pub fn set_mu(&mut self, mu: f64) {
        (self.settings.mu_static, self.settings.mu_kinetic) = (mu, mu);
        self.friction_pairs.clear();
    }

    /// The body in the first hand. In a scene of many bodies whose first hand holds nothing, the first body that is not fixed.
    pub fn held(&self) -> &Body {
        &self.bodies[self.roles[0]]
    }

    /// The other body, which is fixed or in a second hand. In a scene of many bodies, the first one that is fixed; or the held one again where there is no other.
    pub fn fixed(&self) -> &Body {
        &self.bodies[self.roles[1]]
    }

    /// Where the held body is at first (world from body).
    pub fn start(&self) -> Pose {
        self.held().world_from_body
    }

    /// Puts the held body elsewhere at first (world from body).
    pub fn set_start(&mut self, start: Pose) {
        self.bodies[self.roles[0]].world_from_body = start;
    }

    /// Where the other body is at first (world from body).
    pub fn world_from_fixed(&self) -> Pose {
        self.fixed().world_from_body
    }

    /// How the first hand moves.
    pub fn hand(&self) -> &Hand {
        &self.hands[0].motion
    }

    /// Makes the first hand move in another way.
    pub fn set_hand(&mut self, motion: Hand) {
        self.hands[0].motion = motion;
    }

    /// What acts on the held body besides its weight.
    pub fn load(&self) -> LoadSum {
        LoadSum::of(self.loads.iter().filter(|load| load.on == self.roles[0]).map(|load| load.load))
    }

    /// Settings of the engine of contact formations.
    pub fn formation_settings(&self) -> FormationSettings {
        let (s, f) = (&self.settings, &self.formation);
        FormationSettings {
            coupling: s.coupling,
            tangential: f.tangential,
            epsilon: f.epsilon,
            mu_static: s.mu_static,
            mu_kinetic: s.mu_kinetic,
            moments: f.moments,
            interpolation: f.interpolation,
            mass: s.mass,
            gravity: s.gravity,
        }
    }

    /// Settings of the engine of contact volumes.
    pub fn volume_settings(&self) -> VolumeSettings {
        let (s, v) = (&self.settings, &self.volume);
        let contact = ContactCoefficients {
            normal_stiffness: v.normal_stiffness,
            normal_damping: v.normal_damping,
            tangential_stiffness: v.tangential_stiffness,
            tangential_damping: v.tangential_damping,
            mu_static: s.mu_static,
            mu_kinetic: s.mu_kinetic,
        };
        VolumeSettings {
            period: 1.0 / self.rate,
            gravity: s.gravity,
            contact,
            method: v.method,
            coupling: s.coupling,
            grip_damping: v.grip_damping,
        }
    }

    /// The hands as the engine of contact volumes takes them.
    pub fn volume_hands(&self) -> Vec<VolumeHand> {
        self.hands.iter().map(|hand| VolumeHand { holds: hand.holds, grip: hand.grip }).collect()
    }

    /// What acts on the body of a hand besides its weight.
    pub fn load_of(&self, hand: usize) -> LoadSum {
        let held = self.hands.get(hand).and_then(|hand| hand.holds);
        LoadSum::of(self.loads.iter().filter(|load| Some(load.on) == held).map(|load| load.load))
    }

    /// All files that the scene needs, with their contents as they are now: meshes, what glTF files keep beside them, and recorded motions.
    ///
    /// # Errors
    /// [`SceneError::Unreadable`] if one of them cannot be read any more.
    pub fn files(&self) -> Result<FileContents, SceneError> {
        let mut contents = FileContents::new();
        for file in &self.files {
            let import = self.bodies.iter().find_map(|body| match &body.part.geometry {
                Geometry::Mesh { file: of_mesh, import } if of_mesh == file => Some(import),
                _ => None,
            });
            file.collect(import, &mut contents)
                .map_err(|e| SceneError::Unreadable { path: file.path.clone(), cause: e.to_string() })?;
        }
        Ok(contents)
    }

    /// The scene of a text; `origin` is the file it would be in: it names the scene and leads to other files.
    ///
    /// # Errors
    /// [`SceneError`] where the text says what makes no sense, or a key has no effect: one of an override in the scene that comes out, one of the text in the
    /// scene that comes out and in that of the text alone.
    pub fn parse(text: &str, origin: &Path, set: &[Setting]) -> Result<Scene, SceneError> {
        Scene::parse_with(text, origin, set, &Arc::default())
    }

    /// The scene of a text, as [`parse`](Self::parse) reads it; files whose contents are at hand are not read from the disk and need not be there.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_with(
        text: &str,
        origin: &Path,
        set: &[Setting],
        contents: &Arc<FileContents>,
    ) -> Result<Scene, SceneError> {
        Self::parsed(text, origin, set, contents, true)
    }

    /// The scene of a recording, as [`parse_with`](Self::parse_with) reads it. Keys without effect were allowed once, and change nothing.
    ///
    /// # Errors
    /// [`SceneError`] where the text says what makes no sense.
    pub fn parse_recorded(
        text: &str,
        origin: &Path,
        set: &[Setting],
        contents: &Arc<FileContents>,
    ) -> Result<Scene, SceneError> {
        Self::parsed(text, origin, set, contents, false)
    }

    fn parsed(
        text: &str,
        origin: &Path,
        set: &[Setting],
        contents: &Arc<FileContents>,
        effective: bool,
    ) -> Result<Scene, SceneError> {
        let scene = || {
            let file = document::parse(text)?;
            let mut root = file.clone();
            for (number, setting) in set.iter().enumerate() {
                document::apply(&mut root, setting, number)?;
            }
            let (scene, idle) = read::scene(&root, origin, contents)?;
            let overrides = idle.iter().find(|key| matches!(key.at, At::Set(_)));
            let fault = overrides.cloned().or_else(|| {
                // What the text alone does not make sense of is the overrides' matter.
                let alone = if set.is_empty() { idle.clone() } else { read::scene(&file, origin, contents).ok()?.1 };
                let in_both = |key: &&IdleKey| !key.describes && alone.iter().any(|own| own.at == key.at);
                idle.iter().find(in_both).cloned()
            });
            match fault.filter(|_| effective) {
                Some(IdleKey { at, path, why, .. }) => {
                    Err(SceneFault { at, problem: Problem::NoEffect { key: path, why } })
                }
                None => Ok(scene),
            }
        };
        scene().map_err(|fault: SceneFault| SceneError::Wrong {
            place: place(text, origin, set, fault.at),
            problem: Box::new(fault.problem),
        })
    }
}

/// Line and column of a byte, or the override.
fn place(text: &str, origin: &Path, set: &[Setting], at: At) -> Place {
    match at {
        At::Byte(byte) => {
            let before = text.get(..byte).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            Place::Text { file: origin.into(), line, column }
        }
        At::Set(number) => Place::Set { text: set.get(number).map(Setting::to_string).unwrap_or_default() },
    }
}
