//! The text of a new scene.

use super::motion::NewMotion;
use super::{PartFacts, new_coupling};
use std::path::{Component, Path, PathBuf};
use stiction::spatial::{Pose, Vec3};
use stiction_bake::diagnose::length;

/// Most characters of a line of a comment.
const WIDTH: usize = 140;

/// The scene.toml of two parts.
pub fn text(
    held: &PartFacts,
    fixed: &PartFacts,
    motion: &NewMotion,
    notes: &[String],
    [mu_static, mu_kinetic]: [f64; 2],
) -> String {
    let coupling = new_coupling(held.size());
    // Of plastic, its box half full.
    let volume = (held.bounds.max - held.bounds.min).iter().product::<f64>();
    let mass = rounded((0.5 * 1200.0 * volume).clamp(0.001, 100.0));
    format!(
        r#"# A scene for two meshes, made by `stiction new`. SI units: m, N, kg, s. All keys: scenes/README.md of the source or the archive
{story}{notes}
name = "new"
description = "{description}"

[run]
seconds = 4.0
rate = 1000               # ticks a second

[held]                    # {held_size} long
mesh = "{held_path}"
unit = "{held_unit}"
mass = {mass:<18} # kg, a guess; or density in kg/m³
{held_baking}
[fixed]                   # {fixed_size} long
mesh = "{fixed_path}"
unit = "{fixed_unit}"
{fixed_baking}
[coupling]                # between hand and held part
stiffness = {stiffness:<13} # N/m
torsion = {torsion:<15} # N m/rad
max_force = {max_force:<13} # N
max_torque = {max_torque:<12} # N m

# Contacts are hard: each bears the coupling's largest force within 20 µm or a twentieth of the thinnest wall, whichever is less. Facets of hollow
# surfaces are allowed for by as much as they stand in front of the true surface, inner edges by the error of the distance field. `contact.model = "penalty"` is the soft alternative.

[friction]
method = "hold"           # hold, qp, lp, yamane, none
static = {mu_static:<16} # coefficients, guesses
kinetic = {mu_kinetic}

[load]
gravity = [0.0, 0.0, 0.0] # [0.0, 0.0, -9.81] for weight

[hand]                    # where the held part's origin would be
keyframes = [
{frames}]
"#,
        frames = keyframes(&motion.frames),
        story = comment(&motion.story),
        notes = notes.iter().map(|note| comment(note)).collect::<String>(),
        description = motion.description,
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

/// A sentence as lines of a comment.
fn comment(sentence: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in sentence.split_whitespace() {
        if lines.last().is_some_and(|line| line.chars().count() + 1 + word.chars().count() > WIDTH) {
            lines.push("#".into());
        }
        if let Some(line) = lines.last_mut() {
            *line += &format!(" {word}");
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The lines of keyframes; a rotation that stays is not said again.
fn keyframes(frames: &[(f64, Pose)]) -> String {
    let mut last = Pose::identity().rotation;
    let lines = frames.iter().map(|(t, pose)| {
        let turned = if pose.rotation == last { String::new() } else { format!(", rotation = {}", rotation(pose)) };
        last = pose.rotation;
        format!("    {{ t = {}, position = {}{turned} }},\n", number(*t), place(&pose.translation.vector))
    });
    lines.collect()
}

/// A rotation as a scene has it.
fn rotation(pose: &Pose) -> String {
    match pose.rotation.axis_angle() {
        Some((axis, angle)) => format!("{{ axis = {}, angle_deg = {} }}", place(&axis), number(angle.to_degrees())),
        None => "{ axis = [0.0, 0.0, 1.0], angle_deg = 0.0 }".into(),
    }
}

/// A file's way from a folder, fit for a text in TOML.
pub fn path(file: &Path, folder: &Path) -> String {
    let way = relative(file, folder).to_string_lossy().into_owned();
    let way = if cfg!(windows) { way.replace('\\', "/") } else { way };
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.into(),
    };
    way.chars().map(escaped).collect()
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
pub fn rounded(x: f64) -> f64 {
    let unit = 10f64.powi(x.abs().max(1e-12).log10().floor() as i32 - 1);
    (x / unit + 1e-9).floor() * unit
}

/// To a tenth of a micrometre, with a point in it.
pub fn number(x: f64) -> String {
    let text = format!("{x:.7}");
    let short = text.trim_end_matches('0');
    let full = if short.ends_with('.') { format!("{short}0") } else { short.into() };
    if full == "-0.0" { "0.0".into() } else { full }
}

/// Three numbers in brackets.
pub fn place(v: &Vec3) -> String {
    format!("[{}, {}, {}]", number(v.x), number(v.y), number(v.z))
}

/// For sentences: without a point where there is nothing behind it.
pub fn shown(x: f64) -> String {
    let text = number(x);
    text.strip_suffix(".0").map_or(text.clone(), String::from)
}
