//! A scene for two mesh files, with numbers that suit their size.

use crate::SceneError;
use std::path::{Component, Path, PathBuf};
use stiction::coupling::Coupling;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;
use stiction::tick::Settings;
use stiction_bake::bake::BakeError;
use stiction_bake::diagnose::{self, Advice, DiagnoseOptions, SignAdvice, guess_unit, length};
use stiction_bake::import::{self, ImportOptions, Imported, MeshFormat, Unit};
use stiction_bake::{Mesh, Progress};

/// Least resolution: the field rounds edges by a quarter of a voxel, which hard contacts let be felt.
const FINEST: u32 = 256;

/// Options of [`new_scene`].
#[derive(Clone, Debug, Default)]
pub struct NewSceneOptions {
    /// The folder that the scene will be in; paths of meshes are relative to it.
    pub folder: PathBuf,
    /// Unit of both meshes; by default a guess from the size of the larger one.
    pub unit: Option<Unit>,
    /// Friction coefficient, static and kinetic; by default 0.5 and 0.4.
    pub mu: Option<f64>,
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
            "resolution = {:<13}# voxels of its field along its longest side, as `stiction inspect` advises, but at least {FINEST}\n\
             points = {:<17}# of its shell\n",
            self.advice.resolution.max(FINEST),
            self.advice.points
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
    let path = relative(path, folder).to_string_lossy().replace('\\', "/").replace('"', "\\\"");
    Ok(PartFacts { path, unit, bounds: bounds(&mesh), advice })
}

/// The units of both meshes, and sentences that say how they were found.
///
/// Two meshes that are made to touch come from one program, so that one unit is guessed for both, by the longer of them. glTF is in metres by its
/// standard, and has no part in the guess.
fn units(meshes: [&Imported; 2], given: Option<Unit>) -> ([Unit; 2], Vec<String>) {
    if let Some(unit) = given {
        return ([unit; 2], vec![format!("Both meshes are in {}, as given.", unit.word())]);
    }
    let in_metres = meshes.map(|m| matches!(m.format, MeshFormat::Gltf | MeshFormat::Glb));
    let sizes = meshes.map(|m| {
        let b = bounds(&m.mesh);
        (b.max - b.min).amax()
    });
    let others = (0..2).filter(|&i| !in_metres[i]);
    let Some(longest) = others.map(|i| sizes[i]).reduce(f64::max) else {
        return ([Unit::METRE; 2], vec!["Both meshes are in m: glTF always is.".into()]);
    };
    let guess = guess_unit(longest, 1.0);
    let unit = if guess.likely_unit == Some("m") { Unit::METRE } else { Unit::MILLIMETRE };
    let units = in_metres.map(|metres| if metres { Unit::METRE } else { unit });
    let [held, fixed] = [0, 1].map(|i| length(sizes[i] * units[i].metres()));
    let whose = match in_metres {
        [false, false] => format!("Unit: {} is a guess for both meshes, by the longer one", unit.word()),
        _ => format!("Unit: {} is a guess for the mesh that is not glTF, which is always in m", unit.word()),
    };
    let sure = if guess.likely_unit.is_some() { "" } else { ", and the size alone does not tell" };
    (units, vec![format!("{whose}{sure}: the held part is {held} long, the fixed one {fixed}. If not, give --unit.")])
}

/// A commented scene.toml for two mesh files: the held part comes down on the fixed one from above, presses, and is pulled sideways.
///
/// # Errors
/// [`SceneError::Mesh`] where a file cannot be read; [`SceneError::cancelled`] where the user stopped it.
pub fn new_scene(
    held: &Path,
    fixed: &Path,
    options: &NewSceneOptions,
    progress: &dyn Progress,
) -> Result<NewScene, SceneError> {
    let meshes = [read("held", held)?, read("fixed", fixed)?];
    let (units, notes) = units([&meshes[0], &meshes[1]], options.unit);
    let [held_mesh, fixed_mesh] = meshes.map(|m| m.mesh);
    let held = facts("held", held, held_mesh, units[0], &options.folder, progress)?;
    let fixed = facts("fixed", fixed, fixed_mesh, units[1], &options.folder, progress)?;
    let text = text(&held, &fixed, &notes, options.mu);
    Ok(NewScene { text, notes })
}

/// The coupling that a new scene gets for a held part of this length (m).
pub fn new_coupling(length: f64) -> Coupling {
    let usual = Settings::default().coupling;
    // A lever of a sixth of the part's length turns the largest force into the largest torque.
    Coupling { max_torque: rounded((usual.max_force * length / 6.0).clamp(1e-3, usual.max_torque)), ..usual }
}

fn text(held: &PartFacts, fixed: &PartFacts, notes: &[String], mu: Option<f64>) -> String {
    let middle = |b: &Aabb| (b.min + b.max) * 0.5;
    let (h, f) = (middle(&held.bounds), middle(&fixed.bounds));
    let gap = 0.1 * held.size().min(fixed.size()).max(1e-4);
    // Centre over centre, the held part's lowest point a gap above the other's highest.
    let above = [f.x - h.x, f.y - h.y, fixed.bounds.max.z - held.bounds.min.z + gap];
    let coupling = new_coupling(held.size());
    let press = 10.0;
    let push = press / coupling.stiffness;
    let (x, y, z) = (number(above[0]), number(above[1]), number(above[2]));
    let (mu_static, mu_kinetic) = mu.map_or((0.5, 0.4), |mu| (mu, mu));
    let (down, aside) = (number(above[2] - gap - push), number(above[0] + 0.6 * mu_static.max(0.1) * push));
    let volume = |b: &Aabb| (b.max - b.min).iter().product::<f64>();
    // Of plastic, its box half full.
    let mass = rounded((0.5 * 1200.0 * volume(&held.bounds)).clamp(0.001, 100.0));
    let units: String = notes.iter().map(|note| format!("# {note}\n")).collect();
    format!(
        r#"# A scene for two meshes, made by `stiction new`. SI units: m, N, kg, s. All keys: scenes/README.md
# The held part comes down on the fixed one, presses with about {press} N, and is pulled sideways.
{units}
name = "new"
description = "One part pressed on another and pulled sideways"

[run]
seconds = 4.0
rate = 1000               # ticks a second

[held]                    # {held_size} long
mesh = "{held_path}"
unit = "{held_unit}"
mass = {mass:<18} # kg, a guess; or density in kg/m³
{held_baking}material = "a"

[fixed]                   # {fixed_size} long
mesh = "{fixed_path}"
unit = "{fixed_unit}"
{fixed_baking}material = "b"

[coupling]                # between hand and held part
stiffness = {stiffness:<13} # N/m
torsion = {torsion:<15} # N m/rad
max_force = {max_force:<13} # N
max_torque = {max_torque:<12} # N m

# Contacts are hard: each bears the coupling's largest force within 20 µm or a twentieth of the thinnest wall, whichever is less. Facets of hollow
# surfaces are allowed for by as much as they stand in front of the true surface, inner edges by the error of the distance field. `contact.model = "penalty"` is the soft alternative.


[friction]
method = "hold"           # hold, qp, lp, yamane, none
[[friction.pair]]
between = ["a", "b"]
static = {mu_static}
kinetic = {mu_kinetic}

[load]
gravity = [0.0, 0.0, 0.0] # [0.0, 0.0, -9.81] for weight

[hand]                    # where the held part's origin would be
keyframes = [
    {{ t = 0.0, position = [{x}, {y}, {z}] }},
    {{ t = 1.5, position = [{x}, {y}, {down}] }},
    {{ t = 2.5, position = [{aside}, {y}, {down}] }},
    {{ t = 4.0, position = [{aside}, {y}, {down}] }},
]
"#,
        press = number(rounded(press)),
        held_size = length(held.size()),
        held_path = held.path,
        held_unit = held.unit.word(),
        held_baking = held.baking(),
        fixed_size = length(fixed.size()),
        fixed_path = fixed.path,
        fixed_unit = fixed.unit.word(),
        fixed_baking = fixed.baking(),
        mass = number(mass),
        stiffness = number(coupling.stiffness),
        torsion = number(coupling.torsion),
        max_force = number(coupling.max_force),
        max_torque = number(coupling.max_torque),
        mu_static = number(mu_static),
        mu_kinetic = number(mu_kinetic),
    )
}

/// The way from a folder to a file; the whole path where there is none, as on another drive.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.into());
    let resolve =
        |folder: &Path| std::fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    // The folders are resolved, since `..` leads elsewhere behind a link; a link to the file itself stays.
    let parts = (whole.parent().map(resolve), resolve(folder), whole.file_name());
    let (Some(Ok(from)), Ok(to), Some(name)) = parts else { return whole };
    let (from, to): (Vec<Component>, Vec<Component>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return whole;
    }
    let up = to[shared..].iter().map(|_| Component::ParentDir);
    up.chain(from[shared..].iter().copied()).chain([Component::Normal(name)]).collect()
}

/// To two digits, downwards.
fn rounded(x: f64) -> f64 {
    let unit = 10f64.powi(x.abs().max(1e-12).log10().floor() as i32 - 1);
    (x / unit + 1e-9).floor() * unit
}

/// To a micrometre, with a point in it.
fn number(x: f64) -> String {
    let text = format!("{x:.6}");
    let short = text.trim_end_matches('0');
    let full = if short.ends_with('.') { format!("{short}0") } else { short.into() };
    if full == "-0.0" { "0.0".into() } else { full }
}
