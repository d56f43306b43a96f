//! A part: its geometry and what is made of it.

use super::contradiction;
use super::table::Reader;
use crate::document::{At, Node, SceneFault};
use crate::error::Problem;
use crate::files::{FileFinder, SceneFile};
use crate::keys;
use crate::scene::{Geometry, Part, PartMass, PosedSolid};
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::BakeOptions;
use stiction_bake::field::{FieldOptions, Fineness};
use stiction_bake::import::{ImportOptions, Placement, Unit, UpAxis};

/// The part of a table.
pub fn part(table: &Reader, files: &FileFinder) -> Result<Part, SceneFault> {
    let geometry = if let Some(node) = table.given("mesh") {
        mesh(node, table, files)?
    } else if let Some(solids) = table.list("solids", &keys::POSED_SOLID) {
        if solids.is_empty() {
            return Err(table.fault("`solids` is empty: give at least one".into()));
        }
        let posed = |t: &Reader| Ok(PosedSolid { solid: keys::solid(t)?, part_from_solid: t.pose()? });
        Geometry::Union(solids.iter().map(posed).collect::<Result<_, SceneFault>>()?)
    } else {
        Geometry::Solid(keys::solid(table)?)
    };
    let mass = match table.maybe("density") {
        Some(density) => PartMass::Density(density),
        None => PartMass::Total(table.maybe("mass").unwrap_or(1.0)),
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
    let defaults = FieldOptions::default();
    let field = FieldOptions {
        fineness,
        sign: table.meant("sign", &keys::SIGNS).unwrap_or(defaults.sign),
        thicken: table.maybe("thicken"),
        storage: table.meant("storage", &keys::STORAGES).unwrap_or(defaults.storage),
        cube: table.flag("cube"),
        ..defaults
    };
    BakeOptions {
        field,
        shell_points: table.count("points") as usize,
        shell_levels: table.whole("levels").map(|n| n as usize),
        shell_offset: table.number("shell_offset"),
        convex: None,
    }
}

/// A file that a scene names: from the scene's folder, or, in an override, from the current one.
pub fn file(node: &Node, files: &FileFinder) -> Result<SceneFile, SceneFault> {
    let found = files.find(node.text().unwrap_or_default(), matches!(node.at, At::Set(_)));
    found.map_err(|(path, cause)| SceneFault { at: node.at, problem: Problem::File { path, cause } })
}

fn mesh(node: &Node, table: &Reader, files: &FileFinder) -> Result<Geometry, SceneFault> {
    let file = file(node, files)?;
    let unit = table.value("unit").map_or(Ok(Unit::METRE), |value| {
        let word = value.text().map_or_else(|| value.number().unwrap_or(0.0).to_string(), str::to_string);
        word.parse::<Unit>().map_err(|e| contradiction(&value, e.to_string()))
    })?;
    let up = table.meant("up", &keys::UPS).unwrap_or(UpAxis::Z);
    let scale = table.number("scale");
    let scaled = Placement { linear: Mat3::identity() * scale, translation: Vec3::zeros() };
    let placement = match table.given("transform") {
        Some(rows) => Some(placement(rows)?.after(&scaled)),
        None => (scale != 1.0).then_some(scaled),
    };
    Ok(Geometry::Mesh { file, import: ImportOptions { unit, up, placement } })
}

fn placement(node: &Node) -> Result<Placement, SceneFault> {
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
