//! A scene for two mesh files, with numbers that suit their size.

use crate::SceneError;
use std::path::Path;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;
use stiction_bake::diagnose::guess_unit;
use stiction_bake::import::{self, Format, ImportOptions};

/// A mesh as a new scene sees it.
struct Seen {
    /// Its path, fit for a text in TOML.
    path: String,
    unit: &'static str,
    why: String,
    /// In m.
    bounds: Aabb,
}

fn see(part: &'static str, path: &Path) -> Result<Seen, SceneError> {
    let read = import::read(path, &ImportOptions::default()).map_err(|source| SceneError::Mesh { part, source })?;
    // An import has faces.
    let bounds = read.mesh.bounds().unwrap_or(Aabb { min: Vec3::zeros(), max: Vec3::zeros() });
    let guess = guess_unit((bounds.max - bounds.min).amax(), 1.0);
    let (unit, why) = match (read.format, guess.likely_unit) {
        (Format::Gltf | Format::Glb, _) => ("m", "glTF is always in metres".into()),
        (_, Some(unit)) => (unit, guess.reason),
        // CAD systems mostly write mm.
        (_, None) => ("mm", format!("{} mm is a guess: check it!", guess.reason)),
    };
    let metres = if unit == "m" { 1.0 } else { 0.001 };
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let path = whole.to_string_lossy().replace('\\', "/").replace('"', "\\\"");
    Ok(Seen { path, unit, why, bounds: Aabb { min: bounds.min * metres, max: bounds.max * metres } })
}

/// The text of a commented scene.toml for two mesh files: the held part comes down on the fixed one from above, presses,
/// and is pulled sideways. Paths in it are absolute.
///
/// # Errors
/// [`SceneError::Mesh`] where a file cannot be read.
pub fn new_scene(held: &Path, fixed: &Path) -> Result<String, SceneError> {
    let (held, fixed) = (see("held", held)?, see("fixed", fixed)?);
    let middle = |b: &Aabb| (b.min + b.max) * 0.5;
    let (h, f) = (middle(&held.bounds), middle(&fixed.bounds));
    let sizes = [&held.bounds, &fixed.bounds].map(|b| (b.max - b.min).amax());
    let gap = 0.1 * sizes[0].min(sizes[1]).max(1e-4);
    // Centre over centre, the held part's lowest point a gap above the other's highest.
    let above = [f.x - h.x, f.y - h.y, fixed.bounds.max.z - held.bounds.min.z + gap];
    // 10 N with 2 kN/m.
    let push = 0.005;
    let (x, y, z) = (number(above[0]), number(above[1]), number(above[2]));
    let (down, aside) = (number(above[2] - gap - push), number(above[0] + 0.6 * 0.5 * push));
    let volume = |b: &Aabb| (b.max - b.min).iter().product::<f64>();
    // Of plastic, its box half full.
    let mass = number((0.5 * 1200.0 * volume(&held.bounds)).clamp(0.01, 100.0));
    // As deep as the force presses it.
    let torque = number((40.0 * sizes[0] / 6.0).clamp(0.001, 4.0));
    let [held_size, fixed_size] = sizes.map(stiction_bake::diagnose::length);
    Ok(format!(
        r#"# A scene for two meshes, made by `stiction new`. SI units: m, N, kg, s. All keys: scenes/README.md
# The held part comes down on the fixed one, presses with about 10 N, and is pulled sideways.

name = "new"
description = "One part pressed on another and pulled sideways"

[run]
seconds = 4.0
rate = 1000               # ticks a second

[held]                    # {held_size} long
mesh = "{held_path}"
unit = "{held_unit}"               # {held_why}
mass = {mass}                # kg, a guess; or density in kg/m³
resolution = 128          # voxels of its field along its longest side
points = 4000             # of its shell
material = "a"

[fixed]                   # {fixed_size} long
mesh = "{fixed_path}"
unit = "{fixed_unit}"               # {fixed_why}
resolution = 256
points = 8000
material = "b"

[coupling]                # between hand and held part
stiffness = 2000.0        # N/m
torsion = 20.0            # N m/rad
max_force = 40.0
max_torque = {torque}        # N m; small parts would be tilted deep into the other by more

[contact]
stiffness = 50000.0       # N/m
shell_on = "held"         # or "fixed": better where the fixed part is the one with fine features

[friction]
method = "hold"           # hold, qp, lp, yamane, none
[[friction.pair]]
between = ["a", "b"]
static = 0.5
kinetic = 0.4

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
        held_path = held.path,
        held_unit = held.unit,
        held_why = held.why,
        fixed_path = fixed.path,
        fixed_unit = fixed.unit,
        fixed_why = fixed.why,
    ))
}

/// To a micrometre, with a point in it.
fn number(x: f64) -> String {
    let text = format!("{x:.6}");
    let short = text.trim_end_matches('0');
    let full = if short.ends_with('.') { format!("{short}0") } else { short.into() };
    if full == "-0.0" { "0.0".into() } else { full }
}
