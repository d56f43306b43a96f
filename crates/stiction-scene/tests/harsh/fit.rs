//! A fit: two parts in their assembled pose, with the settings that `stiction new` writes, and what is known of it independently.

use crate::data;
use crate::exact::Gauge;
use crate::rigid::ELASTIC;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use stiction::spatial::{Frame, Pose, Rotation, Vec3, Vec6, exp, join};
use stiction::tick::Engine;
use stiction_bake::cache::Cache;
use stiction_bake::import::{self, ImportOptions, Unit};
use stiction_bake::solids::ScrewThread;
use stiction_bake::{Mesh, Silent, export};
use stiction_scene::{NewSceneOptions, Scene, World, new_scene};

/// A blocked direction.
#[derive(Clone, Debug)]
pub struct BlockedWay {
    /// Such as "+x".
    pub name: String,
    /// Unit direction in the world.
    pub direction: Vec3,
    /// How far the part can go (m).
    pub play: f64,
    /// Cosine between the direction and the normal of the face that blocks it.
    pub facing: f64,
}

/// What pulls at a part that friction holds.
#[derive(Clone, Copy, Debug)]
pub enum Pull {
    /// A force through the middle of the engaged region, along a free direction.
    Force(Vec3),
    /// A torque about an axis that the part can turn about.
    Torque(Vec3),
}

/// What is needed to make a [`Fit`].
pub struct FitSource {
    /// Its name in the table.
    pub name: String,
    /// The held and the fixed part (m).
    pub meshes: [Mesh; 2],
    /// Where the held part is (world from part); the world is the fixed part's frame.
    pub seated: Pose,
    /// Directions in which a play is known.
    pub blocked: Vec<BlockedWay>,
    /// The axis along which the parts are joined.
    pub axis: Vec3,
    /// The straight way out and how far the part can go on it (m).
    pub removal: Option<(Vec3, f64)>,
    /// Listed play of rotation about x, y, z (rad).
    pub turns: [Option<f64>; 3],
    /// Direction of the press when friction is tried.
    pub press: Vec3,
    /// What pulls then.
    pub pull: Pull,
    /// Lever of the torque that comes and goes: it is ±20 % of the press times this (m). Half the engaged length where it is none.
    pub lever: Option<f64>,
    /// How far vertices were moved in each direction, at most (m).
    pub rough: f64,
    /// The smallest radius of the faces that touch, for fits whose play is known in closed form (m).
    pub radius: Option<f64>,
    /// It has so few facets that contacts lie at an angle to the press, and the sum of normal forces is not the press.
    pub polygon: bool,
    /// The part cannot turn across its axis.
    pub levers: bool,
    /// How deep the parts are in each other when seated (m), by the list.
    pub interference: Option<f64>,
    /// The thread of a nut on its bolt by parameter.
    pub screw: Option<ScrewThread>,
}

/// Distance from the overlap of the parts' boxes within which points can come to touch the other part (m).
const NEARBY: f64 = 1e-3;

/// A fit, ready to be tried.
pub struct Fit {
    /// What it was made of.
    pub source: FitSource,
    /// Exact depths.
    pub gauge: Gauge,
    /// Length over which the boxes of the parts overlap along their axis (m).
    pub engaged: f64,
    /// The corners of that overlap in the world (m).
    overlap: [Vec3; 2],
    /// Its middle (m).
    pub middle: Vec3,
    /// The middle of the faces that the press presses on each other (m), and how long they are along the axis (m). Where the boxes of the parts overlap says little of that: a boss of
    /// 5 mm that is in a panel with a flange of 20 mm would be levered by a press through the middle of the boxes, with three times its force on its rims.
    pub borne_at: Vec3,
    pub borne_length: f64,
    /// Half of the overlap's size across the axis: of the longer side (m).
    pub breadth: f64,
    /// The held part's centre of mass in the world when seated (m).
    pub centre: Vec3,
    /// Distance of the farthest point from the centre (m).
    pub radius: f64,
    /// The thinnest wall of both parts (m).
    pub wall: f64,
    world: World,
}

impl Fit {
    /// Bakes both parts with the settings that `stiction new` writes, or takes them from the tests' cache.
    pub fn new(source: FitSource) -> Fit {
        static ONE: Mutex<()> = Mutex::new(());
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harsh");
        fs::create_dir_all(&folder).unwrap();
        // In m, so that `new` guesses the right unit.
        let paths: [PathBuf; 2] = ["held", "fixed"].map(|role| folder.join(format!("{}-{role}.obj", source.name)));
        for (path, mesh) in paths.iter().zip(&source.meshes) {
            export::write_obj(mesh, std::io::BufWriter::new(File::create(path).unwrap())).unwrap();
        }
        let options = NewSceneOptions { folder: folder.clone(), ..NewSceneOptions::default() };
        let new = new_scene(&paths[0], &paths[1], &options, &Silent).unwrap();
        let mut scene = Scene::parse(&new.text, &folder.join("scene.toml"), &[]).unwrap();
        scene.set_start(source.seated);
        let world = scene.build(Some(&Cache::new(data::cache_folder())), &Silent).unwrap();
        drop(one);
        let boxes = [(0, source.seated), (1, Pose::identity())].map(|(i, pose)| bounds(&source.meshes[i], &pose));
        let (min, max) = (boxes[0].0.sup(&boxes[1].0), boxes[0].1.inf(&boxes[1].1));
        let centre = Frame::of(&source.seated, &world.held.mass.centre).centre;
        let points = source.meshes[0].points.iter();
        let mut fit = Fit {
            gauge: Gauge::new([&source.meshes[0], &source.meshes[1]], [&world.held, &world.fixed], source.seated),
            borne_at: (min + max) * 0.5,
            borne_length: 0.0,
            engaged: (max - min).dot(&source.axis.abs()).max(1e-4),
            overlap: [min, max],
            middle: (min + max) * 0.5,
            breadth: 0.5 * (max - min).component_mul(&(Vec3::repeat(1.0) - source.axis.abs())).max(),
            centre,
            wall: world.held.thinnest_wall().min(world.fixed.thinnest_wall()),
            radius: points.map(|p| (p - world.held.mass.centre).norm()).fold(0.0, f64::max),
            world,
            source,
        };
        // A push that moves the part by its play brings no points to touch that are further apart.
        let press = &fit.source.press;
        let play = fit.source.blocked.iter().find(|w| w.direction.dot(press) > 0.5).map_or(0.0, |w| w.play);
        let faces = fit.gauge.pressed_faces(press, play + fit.allowance() + ELASTIC).unwrap_or([min, max]);
        let faces = faces.map(|corner| corner.sup(&min).inf(&max));
        fit.borne_at = (faces[0] + faces[1]) * 0.5;
        fit.borne_length = (faces[1] - faces[0]).dot(&fit.source.axis.abs()).max(1e-4);
        fit
    }

    /// An engine with the part in its seat.
    pub fn engine(&self, [mu_static, mu_kinetic]: [f64; 2]) -> Engine {
        let mut world = self.world.clone();
        (world.scene.settings.mu_static, world.scene.settings.mu_kinetic) = (mu_static, mu_kinetic);
        world.engine().unwrap()
    }

    /// Ticks in so many seconds.
    pub fn ticks(&self, seconds: f64) -> usize {
        (seconds * self.world.scene.rate).round() as usize
    }

    /// The hand at the seat, moved by `by` and turned by `turn` about the part's centre.
    pub fn hand(&self, by: Vec3, turn: Vec3) -> Pose {
        let rotation = exp(&turn) * self.source.seated.rotation;
        Frame { centre: self.centre + by, rotation }.pose(&self.world.held.mass.centre)
    }

    /// A force through the middle of the faces that bear the press, as a wrench about the part's centre.
    pub fn through_middle(&self, force: Vec3) -> Vec6 {
        // Along the press only the line counts that the press acts on; a pull along the axis is not to turn the part either.
        let along = self.source.press * (self.middle - self.borne_at).dot(&self.source.press);
        join(force, (self.borne_at + along - self.centre).cross(&force))
    }

    /// The part's centre of mass with the part at a pose (m).
    pub fn centre_at(&self, part: &Pose) -> Vec3 {
        Frame::of(part, &self.world.held.mass.centre).centre
    }

    /// The larger voxel of both parts' fields (m).
    pub fn voxel(&self) -> f64 {
        self.world.held.field.lattice().spacing.max(self.world.fixed.field.lattice().spacing)
    }

    /// Stiffness and limits of the hand's coupling.
    pub fn coupling(&self) -> stiction::coupling::Coupling {
        self.world.scene.settings.coupling
    }

    /// The most that the engine allows for faceting where the boxes of the parts overlap, not counting hollow edges, and for the rounding of coordinates (m).
    pub fn allowance(&self) -> f64 {
        let parts = [(&self.world.held, self.source.seated), (&self.world.fixed, Pose::identity())];
        let mut largest = 0.0f64;
        for (shape, pose) in parts {
            for (point, &allowed) in shape.shell.points().iter().zip(shape.shell.allowances()) {
                let at = pose.rotation * point.position + pose.translation.vector;
                let engaged = (at - at.sup(&self.overlap[0]).inf(&self.overlap[1])).norm() <= NEARBY;
                largest = if engaged { largest.max(f64::from(allowed)) } else { largest };
            }
        }
        largest + self.rounding()
    }

    /// What the engine allows for the rounding of coordinates: a hundred-thousandth of the size of the larger part (m).
    pub fn rounding(&self) -> f64 {
        let size = |mesh: &Mesh| {
            let (min, max) = bounds(mesh, &Pose::identity());
            (max - min).max()
        };
        let sizes = self.source.meshes.iter().map(size);
        1e-5 * sizes.fold(0.0, f64::max)
    }

    /// How far the surfaces of both parts may be off by their roughness (m).
    pub fn roughness(&self) -> f64 {
        2.0 * 3f64.sqrt() * self.source.rough
    }

    /// The largest listed play across the axis (m).
    pub fn lateral_play(&self) -> f64 {
        let across = self.source.blocked.iter().filter(|w| w.direction.dot(&self.source.axis).abs() < 0.5);
        across.map(|w| w.play).fold(0.0, f64::max)
    }

    /// Sizes in words.
    pub fn facts(&self) -> String {
        format!(
            "thinnest wall {:.3} mm, voxel {:.3} mm, engaged {:.1} mm, allowance {:.1} µm, largest torque {:.3} N m",
            1e3 * self.wall,
            1e3 * self.voxel(),
            1e3 * self.engaged,
            1e6 * self.allowance(),
            self.coupling().max_torque
        )
    }
}

fn bounds(mesh: &Mesh, pose: &Pose) -> (Vec3, Vec3) {
    let points = mesh.triangles().flatten().map(|p| pose.rotation * p + pose.translation.vector);
    let nothing = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    points.fold(nothing, |(min, max), p| (min.inf(&p), max.sup(&p)))
}

/// A pair of `pairs.json`. Threads have no table of plays: along z it follows from their least clearance c and their flanks of 30 degrees, c / cos 30°, and
/// across it is told in words.
pub fn pair(folder: &Path, entry: &Value) -> FitSource {
    let number = |v: &Value| v.as_f64().unwrap();
    let [x, y, z] = std::array::from_fn(|i| number(&entry["pose_moving_in_fixed"]["xyz_m"][i]));
    let [i, j, k, w] = std::array::from_fn(|a| number(&entry["pose_moving_in_fixed"]["quat_xyzw"][a]));
    let rotation = Rotation::new_normalize(nalgebra::Quaternion::new(w, i, j, k));
    let meshes = ["moving", "fixed"].map(|role| {
        let unit = Unit::from_metres(number(&entry[format!("scale_{role}_to_m")])).unwrap();
        let options = ImportOptions { unit, ..ImportOptions::default() };
        import::read(&folder.join(entry[role].as_str().unwrap()), &options).unwrap().mesh
    });
    let thread = entry["play_mm"].is_null();
    let blocked: Vec<BlockedWay> = match entry["play_mm"].as_object() {
        Some(plays) => plays
            .iter()
            .filter_map(|(name, play)| {
                let direction = data::direction(name);
                Some(BlockedWay { name: name.clone(), direction, play: 1e-3 * play.as_f64()?, facing: 1.0 })
            })
            .collect(),
        None => {
            let play = 1e-3 * number(&entry["sampled_min_signed_distance_mm"]) / 30f64.to_radians().cos();
            let way =
                |name: &str| BlockedWay { name: name.into(), direction: data::direction(name), play, facing: 1.0 };
            let words = entry["clearance"].as_str().unwrap();
            let (_, radial) = words.split_once("radial play ").expect("the radial play of a thread");
            let radial = 1e-3 * radial.split(';').next().unwrap().trim().parse::<f64>().unwrap();
            let across = |name: &str| BlockedWay { play: radial, ..way(name) };
            vec![way("+z"), way("-z"), across("+x"), across("-x"), across("+y"), across("-y")]
        }
    };
    let removal = entry["straight_removal"].as_object().and_then(|ways| ways.iter().next());
    let removal = removal.map(|(name, row)| (data::direction(name), 1e-3 * number(&row[0])));
    let axis = removal.map_or(Vec3::z(), |(direction, _)| direction);
    let across = blocked.iter().find(|w| w.direction.dot(&axis).abs() < 0.5).map(|w| w.direction);
    FitSource {
        name: entry["name"].as_str().unwrap().into(),
        meshes,
        seated: Pose::from_parts(Vec3::new(x, y, z).into(), rotation),
        axis,
        removal,
        turns: std::array::from_fn(|i| {
            entry["rot_play_deg_xyz_about_moving_bbox_centre"][i].as_f64().map(f64::to_radians)
        }),
        press: across.filter(|_| !thread).unwrap_or(-Vec3::z()),
        pull: if thread { Pull::Torque(Vec3::z()) } else { Pull::Force(axis) },
        lever: None,
        rough: 0.0,
        radius: None,
        polygon: false,
        levers: true,
        screw: None,
        interference: Some(1e-3 * (-number(&entry["sampled_min_signed_distance_mm"])).max(0.0)),
        blocked,
    }
}
