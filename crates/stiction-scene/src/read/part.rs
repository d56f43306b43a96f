//! A part: its geometry and what is made of it.

use super::contradiction;
use super::table::Reader;
use crate::document::{At, Fault, Node};
use crate::error::Problem;
use crate::scene::{Geometry, Mass, Part};
use std::path::{Path, PathBuf};
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::BakeOptions;
use stiction_bake::field::{FieldOptions, Fineness, Sign, Storage};
use stiction_bake::import::{ImportOptions, Placement, Unit, UpAxis};
use stiction_bake::solids::{Bolt, BoltHead, Nut, ScrewThread, Solid, SpurGear};

/// Refuses two keys that say the same.
pub fn same_once(table: &Reader, first: &str, second: &str) -> Result<(), Fault> {
    match (table.given(first), table.given(second)) {
        (Some(a), Some(b)) => {
            let later = if let (At::Byte(a), At::Byte(b)) = (a.at, b.at) { a.max(b) } else { 0 };
            let at = [a.at, b.at].into_iter().find(|at| matches!(at, At::Set(_))).unwrap_or(At::Byte(later));
            Err(Fault { at, problem: Problem::Both { first: first.into(), second: second.into() } })
        }
        _ => Ok(()),
    }
}

/// The part of a table.
pub fn part(table: &Reader, folder: &Path) -> Result<Part, Fault> {
    same_once(table, "resolution", "voxel")?;
    same_once(table, "mass", "density")?;
    let geometry = match table.given("mesh") {
        Some(node) => mesh(node, table, folder)?,
        None => Geometry::Solid(solid(table)?),
    };
    let mass = match table.maybe("density") {
        Some(density) => Mass::Density(density),
        None => Mass::Total(table.maybe("mass").unwrap_or(1.0)),
    };
    Ok(Part {
        geometry,
        options: options(table),
        material: table.text("material"),
        mass,
        normal_noise: table.number("normal_noise"),
        seed: table.whole("seed").unwrap_or(0),
    })
}

fn options(table: &Reader) -> BakeOptions {
    let fineness = match table.maybe("voxel") {
        Some(voxel) => Fineness::Voxel(voxel),
        None => Fineness::Resolution(table.count("resolution")),
    };
    let field = FieldOptions {
        fineness,
        sign: match table.word("sign").as_str() {
            "winding" => Sign::Winding,
            "offset" => Sign::Offset,
            _ => Sign::Auto,
        },
        thicken: table.maybe("thicken"),
        storage: match table.word("storage").as_str() {
            "dense" => Storage::Dense,
            "sparse" => Storage::Sparse,
            _ => Storage::Auto,
        },
        cube: table.flag("cube"),
        ..FieldOptions::default()
    };
    BakeOptions {
        field,
        shell_points: table.count("points") as usize,
        shell_levels: table.whole("levels").map(|n| n as usize),
        shell_offset: table.number("shell_offset"),
    }
}

/// A file that a scene names: from the scene's folder, or, in an override, from the current one.
pub fn file(node: &Node, folder: &Path) -> Result<PathBuf, Fault> {
    let name = node.text().unwrap_or_default();
    let beside = folder.join(name);
    if beside.is_file() {
        return Ok(beside);
    }
    if matches!(node.at, At::Set(_)) && Path::new(name).is_file() {
        return Ok(name.into());
    }
    let cause =
        if beside.is_dir() { "is a folder" } else { "there is no such file; names start from the scene's folder" };
    Err(Fault { at: node.at, problem: Problem::File { path: beside, cause: cause.into() } })
}

fn mesh(node: &Node, table: &Reader, folder: &Path) -> Result<Geometry, Fault> {
    let path = file(node, folder)?;
    let unit = table.value("unit").map_or(Ok(Unit::METRE), |value| {
        let word = value.text().map_or_else(|| value.number().unwrap_or(0.0).to_string(), str::to_string);
        word.parse::<Unit>().map_err(|e| contradiction(&value, e.to_string()))
    })?;
    let up = match table.word("up").as_str() {
        "x" => UpAxis::X,
        "y" => UpAxis::Y,
        _ => UpAxis::Z,
    };
    let scale = table.number("scale");
    let scaled = Placement { linear: Mat3::identity() * scale, translation: Vec3::zeros() };
    let placement = match table.given("transform") {
        Some(rows) => Some(placement(rows)?.after(&scaled)),
        None => (scale != 1.0).then_some(scaled),
    };
    Ok(Geometry::Mesh { path, import: ImportOptions { unit, up, placement } })
}

fn placement(node: &Node) -> Result<Placement, Fault> {
    let m = node.numbers().unwrap_or_default();
    let last = m.get(12..).unwrap_or_default();
    if !last.is_empty() && last != [0.0, 0.0, 0.0, 1.0] {
        return Err(contradiction(node, "the fourth row of `transform` must be 0, 0, 0, 1".into()));
    }
    let linear = Mat3::from_fn(|i, j| m[4 * i + j]);
    if !(linear.determinant().abs() > 0.0) {
        return Err(contradiction(node, "`transform` flattens space: its matrix has no inverse".into()));
    }
    Ok(Placement { linear, translation: Vec3::new(m[3], m[7], m[11]) })
}

fn solid(t: &Reader) -> Result<Solid, Fault> {
    let length = |key: &str| t.number(key);
    let pair = |key: &str| t.numbers::<2>(key).unwrap_or_default();
    let (segments, rings) = (t.count("segments"), t.count("rings"));
    let (radius, thickness) = (length("radius"), length("thickness"));
    let solid = match t.word("solid").as_str() {
        "cylinder" => Solid::Cylinder { radius, height: length("height"), segments },
        "capsule" => Solid::Capsule { radius, height: length("height"), segments, rings },
        "torus" => Solid::Torus { major: length("major"), minor: length("minor"), segments, rings },
        "plate" => Solid::Plate { size: pair("size"), thickness },
        "l-bar" => Solid::LBar { legs: pair("legs"), thickness, length: length("length") },
        "corner" => Solid::Corner { size: length("size"), thickness },
        "plate-round-hole" => Solid::PlateRoundHole { size: pair("size"), thickness, radius, segments },
        "plate-square-hole" => Solid::PlateSquareHole { size: pair("size"), thickness, hole: pair("hole") },
        "peg" => Solid::Peg { radius, length: length("length"), chamfer: length("chamfer"), segments },
        "shaft" => {
            let steps = t.value("steps").map(|n| n.items().iter().filter_map(Node::numbers).collect::<Vec<_>>());
            Solid::Shaft { steps: steps.unwrap_or_default().iter().map(|s| [s[0], s[1]]).collect(), segments }
        }
        "gear" => Solid::Gear(SpurGear {
            module: length("module"),
            teeth: t.count("teeth"),
            pressure_angle: length("pressure_angle_deg").to_radians(),
            width: length("width"),
            bore: length("bore"),
            addendum: length("addendum"),
            dedendum: length("dedendum"),
            flank_pieces: t.count("flank_pieces"),
            arc_pieces: t.count("arc_pieces"),
            layers: t.count("layers"),
            rings,
        }),
        "bolt" => {
            let thread = thread(t)?;
            let width = t.maybe("head_width").unwrap_or(1.5 * thread.diameter);
            let height = t.maybe("head_height").unwrap_or(0.65 * thread.diameter);
            let head = match t.word("head").as_str() {
                "none" => no_head(t)?,
                "cylinder" => BoltHead::Cylinder { width, height },
                _ => BoltHead::Hexagon { width, height },
            };
            Solid::Bolt(Bolt { thread, length: length("length"), head })
        }
        "nut" => {
            let thread = thread(t)?;
            let width = t.maybe("width").unwrap_or(1.5 * thread.diameter);
            let height = t.maybe("height").unwrap_or(0.9 * thread.diameter);
            Solid::Nut(Nut { thread, width, height })
        }
        _ => Solid::Box { size: t.numbers("size").unwrap_or_default() },
    };
    // Parameters that do not fit together are found by making the surface, which is cheap.
    match (solid.mesh(), t.given("solid")) {
        (Err(error), Some(node)) => Err(contradiction(node, error.to_string())),
        _ => Ok(solid),
    }
}

/// The thread of a bolt or a nut, with the pitch of ISO's coarse series where none is given.
fn thread(t: &Reader) -> Result<ScrewThread, Fault> {
    let diameter = t.number("diameter");
    let pitch = t.maybe("pitch").or_else(|| ScrewThread::coarse_pitch(diameter));
    let Some(pitch) = pitch else {
        let reason = format!("ISO's coarse series has no diameter of {diameter} m: give `pitch` as well");
        return Err(Fault {
            at: t.given("diameter").map_or(At::Byte(0), |n| n.at),
            problem: Problem::Contradiction(reason),
        });
    };
    let usual = ScrewThread::metric(diameter, pitch);
    Ok(ScrewThread {
        clearance: t.maybe("clearance").unwrap_or(usual.clearance),
        lead_in: t.maybe("lead_in").unwrap_or(usual.lead_in),
        segments: t.count("segments"),
        ..usual
    })
}

/// No head, unless its size is given.
fn no_head(t: &Reader) -> Result<BoltHead, Fault> {
    match ["head_width", "head_height"].into_iter().find_map(|key| t.given(key).map(|node| (key, node))) {
        Some((key, node)) => Err(contradiction(node, format!("`{key}` is given, but `head` is \"none\""))),
        None => Ok(BoltHead::None),
    }
}
