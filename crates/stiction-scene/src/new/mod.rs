//! A scene for two mesh files, with numbers that suit their size and a hand that makes them touch.

mod descent;
mod motion;
mod text;
mod units;

use crate::SceneError;
use motion::motion;
use std::path::{Path, PathBuf};
use stiction::coupling::Coupling;
use stiction::shape::Aabb;
use stiction::spatial::{Pose, Vec3};
use stiction::tick::Settings;
use stiction_bake::bake::BakeError;
use stiction_bake::diagnose::{self, Advice, DiagnoseOptions, SignAdvice};
use stiction_bake::import::{self, ImportOptions, Imported, Unit};
use stiction_bake::{Mesh, Progress};
use text::{number, rounded};

/// Options of [`new_scene`].
#[derive(Clone, Debug, Default)]
pub struct NewSceneOptions {
    /// The folder that the scene will be in; paths of meshes are relative to it.
    pub folder: PathBuf,
    /// Unit of both meshes; by default a guess from the size of the larger one.
    pub unit: Option<Unit>,
    /// Friction coefficient, static and kinetic; by default 0.5 and 0.4.
    pub mu: Option<f64>,
    /// Where the held part is at first (world from held part; the fixed one is at the origin); by default over the fixed part, centre over centre where they meet
    /// there.
    pub start: Option<Pose>,
    /// Where the hand carries the held part (world from held part); by default it comes down from its start, presses, and pulls sideways.
    pub goal: Option<Pose>,
}

/// A scene made of two meshes.
#[derive(Clone, Debug, PartialEq)]
pub struct NewScene {
    /// The text of its scene.toml.
    pub text: String,
    /// Sentences about what was guessed, for the user.
    pub notes: Vec<String>,
}

/// A mesh as a new scene needs it.
struct PartFacts {
    /// Its path, fit for a text in TOML.
    path: String,
    unit: Unit,
    /// In m.
    mesh: Mesh,
    bounds: Aabb,
    advice: Advice,
}

impl PartFacts {
    fn size(&self) -> f64 {
        (self.bounds.max - self.bounds.min).amax()
    }

    /// The lines of its table that the diagnosis of the mesh decides.
    fn baking(&self) -> String {
        let mut out = format!(
            "resolution = {:<13}# voxels of its field along its longest side, as `stiction inspect` advises\n\
             points = {:<17}# of its shell, as it advises\n",
            self.advice.resolution, self.advice.points
        );
        if self.advice.sign == SignAdvice::Offset {
            out += "sign = \"offset\"           # its faces cannot be oriented\n";
        }
        if let Some(thickness) = self.advice.thicken_m {
            out += &format!("thicken = {:<16}# m, for its open sheets\n", number(thickness));
        }
        out
    }
}

fn read(part: &'static str, path: &Path) -> Result<Imported, SceneError> {
    import::read(path, &ImportOptions::default()).map_err(|source| SceneError::Mesh { part, source })
}

/// Box of a mesh; an import has faces.
fn bounds(mesh: &Mesh) -> Aabb {
    mesh.bounds().unwrap_or(Aabb { min: Vec3::zeros(), max: Vec3::zeros() })
}

fn facts(
    part: &'static str,
    path: &Path,
    mut mesh: Mesh,
    unit: Unit,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<PartFacts, SceneError> {
    mesh.points.iter_mut().for_each(|p| *p *= unit.metres());
    let look = DiagnoseOptions { metres_per_unit: unit.metres(), ..Default::default() };
    let stopped = |cancelled| SceneError::Bake { part, source: BakeError::Cancelled(cancelled) };
    let found = diagnose::diagnose(&mesh, &look, progress).map_err(stopped)?;
    let advice = diagnose::advise(&found);
    Ok(PartFacts { path: text::path(path, folder), unit, bounds: bounds(&mesh), mesh, advice })
}

/// A commented scene.toml for two mesh files: the held part comes down on the fixed one from above, presses, and is pulled sideways; or it is carried to a goal.
///
/// # Errors
/// [`SceneError::Mesh`] where a file cannot be read; [`SceneError::NothingBelow`] where the held part does not come down on the fixed one;
/// [`SceneError::cancelled`] where the user stopped it.
pub fn new_scene(
    held: &Path,
    fixed: &Path,
    options: &NewSceneOptions,
    progress: &dyn Progress,
) -> Result<NewScene, SceneError> {
    let meshes = [read("held", held)?, read("fixed", fixed)?];
    let (units, mut notes) = units::units([&meshes[0], &meshes[1]], options.unit);
    let [held_mesh, fixed_mesh] = meshes.map(|m| m.mesh);
    let held = facts("held", held, held_mesh, units[0], &options.folder, progress)?;
    let fixed = facts("fixed", fixed, fixed_mesh, units[1], &options.folder, progress)?;
    let mu = options.mu.map_or([0.5, 0.4], |mu| [mu, mu]);
    let motion = motion(&held, &fixed, options, &new_coupling(held.size()), mu[0])?;
    notes.extend(motion.notes.iter().cloned());
    Ok(NewScene { text: text::text(&held, &fixed, &motion, &notes, mu), notes })
}

/// The coupling that a new scene gets for a held part of this length (m).
pub fn new_coupling(length: f64) -> Coupling {
    let usual = Settings::default().coupling;
    // A lever of a sixth of the part's length turns the largest force into the largest torque.
    Coupling { max_torque: rounded((usual.max_force * length / 6.0).clamp(1e-3, usual.max_torque)), ..usual }
}
