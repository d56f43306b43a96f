//! The pairs of `../shared/data`, and their shapes: baked once, kept in the target directory.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use stiction::shape::Shape;
use stiction::spatial::{Pose, Rotation, Vec3};
use stiction_bake::cache::Cache;
use stiction_bake::field::{FieldOptions, Fineness};
use stiction_bake::import::{self, ImportOptions, Unit};
use stiction_bake::{BakeOptions, Mesh, Silent, bake, file};
use xxhash_rust::xxh3::Xxh3;

/// The folder of real meshes, or a line that says that it is not there.
pub fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.join("pairs.json").is_file() {
        return Some(folder);
    }
    println!("SKIP: {} is not there, so no pair of real parts was tried", folder.display());
    None
}

/// A direction of the fixed part's frame, and what the list says of it.
#[derive(Clone, Debug)]
pub struct Way {
    pub name: String,
    pub direction: Vec3,
    /// How far the part can go (m); none where it is free.
    pub play: Option<f64>,
}

/// A straight way out.
#[derive(Clone, Debug)]
pub struct Removal {
    pub name: String,
    pub direction: Vec3,
    /// How long it is (m).
    pub length: f64,
    /// How deep the parts are in each other on it (m), by the list.
    pub interference: f64,
}

/// Two parts in their assembled pose; the world is the fixed part's frame.
pub struct Pair {
    pub name: String,
    pub seated: Pose,
    pub ways: Vec<Way>,
    pub removals: Vec<Removal>,
    pub held: Arc<Shape>,
    pub fixed: Arc<Shape>,
}

impl Pair {
    /// Voxel of the field that decides: the fixed part's (m).
    pub fn voxel(&self) -> f64 {
        self.fixed.field.lattice().spacing
    }

    /// The pair of that name, with its shapes.
    pub fn load(folder: &Path, name: &str) -> Pair {
        let list = list(folder);
        let entry = list.iter().find(|e| e["name"] == name).unwrap_or_else(|| panic!("{name} is not in pairs.json"));
        let number = |v: &Value| v.as_f64().unwrap();
        let [x, y, z] = std::array::from_fn(|i| number(&entry["pose_moving_in_fixed"]["xyz_m"][i]));
        let [i, j, k, w] = std::array::from_fn(|a| number(&entry["pose_moving_in_fixed"]["quat_xyzw"][a]));
        let rotation = Rotation::new_normalize(nalgebra::Quaternion::new(w, i, j, k));
        let ways = entry["play_mm"].as_object().unwrap().iter().map(|(name, play)| Way {
            name: name.clone(),
            direction: direction(name),
            play: play.as_f64().map(|mm| 1e-3 * mm),
        });
        let removals = entry["straight_removal"].as_object().unwrap().iter().map(|(name, row)| Removal {
            name: name.clone(),
            direction: direction(name),
            length: 1e-3 * number(&row[0]),
            interference: 1e-3 * (-number(&row[1])).max(0.0),
        });
        let part = |role: &str, make: &dyn Fn(&Mesh) -> BakeOptions| {
            let scale = number(&entry[format!("scale_{role}_to_m")]);
            shape(&folder.join(entry[role].as_str().unwrap()), scale, make)
        };
        Pair {
            name: name.into(),
            seated: Pose::from_parts(Vec3::new(x, y, z).into(), rotation),
            ways: ways.collect(),
            removals: removals.collect(),
            held: part("moving", &as_shell),
            fixed: part("fixed", &as_field),
        }
    }
}

/// All of `pairs.json`.
pub fn list(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("pairs.json")).unwrap();
    serde_json::from_str::<Vec<Value>>(&text).unwrap()
}

pub fn direction(name: &str) -> Vec3 {
    let (sign, axis) = name.split_at(1);
    let axis = ["x", "y", "z"].iter().position(|a| *a == axis).unwrap();
    let mut out = Vec3::zeros();
    out[axis] = if sign == "-" { -1.0 } else { 1.0 };
    out
}

/// For the part that carries the points: about 0.7 mm apart, or 12 000 of them. They lie on the mesh itself, so that its field only tells in from
/// out.
fn as_shell(mesh: &Mesh) -> BakeOptions {
    let area: f64 = mesh.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
    let points = (area / (0.7e-3 * 0.7e-3)).clamp(4000.0, 12_000.0) as usize;
    let field = FieldOptions { fineness: Fineness::Voxel(0.3e-3), ..FieldOptions::default() };
    BakeOptions { field, shell_points: points, ..BakeOptions::default() }
}

/// For the part that carries the field: 400 voxels along it, of 0.1 to 0.3 mm. Its points only tell its thinnest wall.
fn as_field(mesh: &Mesh) -> BakeOptions {
    let bounds = mesh.bounds().unwrap();
    let voxel = ((bounds.max - bounds.min).max() / 400.0).clamp(0.1e-3, 0.3e-3);
    // Deep enough for the coupling's 40 N on contacts of 50 kN/m, with the engine's margin.
    let band = (1.2e-3 / voxel).ceil().max(4.0);
    let field = FieldOptions { fineness: Fineness::Voxel(voxel), band, ..FieldOptions::default() };
    BakeOptions { field, shell_points: 2000, ..BakeOptions::default() }
}

/// The shape of a mesh, from the cache if it is there. One at a time: baking uses all cores, and pairs share parts.
pub fn shape(path: &Path, scale: f64, make: &dyn Fn(&Mesh) -> BakeOptions) -> Arc<Shape> {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let options = ImportOptions { unit: Unit::from_metres(scale).unwrap(), ..ImportOptions::default() };
    let imported = import::read(path, &options).unwrap();
    let bake_options = make(&imported.mesh);
    let cache = Cache::new(cache_folder());
    let kept = cache.path(&imported, &options, &bake_options);
    if let Ok(shape) = file::load(&kept) {
        return Arc::new(shape);
    }
    let began = std::time::Instant::now();
    let baked = bake(&imported.mesh, &bake_options, path.display().to_string(), &Silent).unwrap();
    println!("baked {} in {:.1} s: {:?}", path.display(), began.elapsed().as_secs_f64(), baked.report.field);
    for warning in &baked.report.warnings {
        println!("  {warning}");
    }
    cache.prepare().and_then(|()| file::save(&kept, &baked.shape, &Silent)).unwrap();
    Arc::new(baked.shape)
}

/// A folder for this state of the baker's sources; those of others are removed.
pub fn cache_folder() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut hash = Xxh3::new();
    for folder in ["stiction-bake/src", "stiction/src/shape"] {
        sources(&crates.join(folder), &mut hash);
    }
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pairs");
    let mine = format!("{:016x}", hash.digest());
    for other in fs::read_dir(&all).into_iter().flatten().flatten().filter(|e| e.file_name() != *mine) {
        let _ = fs::remove_dir_all(other.path());
    }
    all.join(mine)
}

fn sources(folder: &Path, hash: &mut Xxh3) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, hash);
        } else {
            hash.update(&fs::read(&path).unwrap());
        }
    }
}
