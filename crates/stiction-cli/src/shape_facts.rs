//! What a shape is, in plain words and as JSON: for `bake`, which made it, and `inspect`, which found it.

use crate::facts::{Facts, grouped, number, volume};
use serde_json::{Value, json};
use stiction::shape::{ConvexParts, DistanceField, Shape, Sparse};
use stiction_bake::bytes;
use stiction_bake::diagnose::{Mass, faceting, length};
use stiction_bake::faceting::FacetingSummary;

/// Adds what a shape and its report tell.
pub fn say(facts: &mut Facts, shape: &Shape, report: &Value) {
    let lattice = shape.field.lattice();
    let size = shape.field.part().max - shape.field.part().min;
    facts.say("Part", format!("{} × {} × {}", length(size.x), length(size.y), length(size.z)));
    let [x, y, z] = lattice.cells;
    facts.say("Grid", format!("{x} × {y} × {z} voxels of {}", length(lattice.spacing)));
    facts.say("Stored", stored(&shape.field));
    let sign = match report["field"]["sign"].as_str() {
        Some("winding") => "by winding number: how often the surface goes around a point",
        Some("offset") => "by offset surface: what cannot be reached from outside is inside",
        _ => "not recorded",
    };
    facts.say("Inside", sign);
    let membranes = report["field"]["membrane_points"].as_u64().unwrap_or(0);
    let thickened = report["field"]["thickened_faces"].as_u64().unwrap_or(0) as usize;
    if thickened > 0 {
        facts.say("Sheets", format!("{} faces of open sheets were thickened", grouped(thickened)));
    }
    facts.say("Accuracy", accuracy(shape, report, membranes > 0 || thickened > 0));
    facts.say("Facets", facets(shape, report));
    facts.say("Shell", shell(shape));
    if let Some(convex) = &shape.convex {
        facts.say("Convex", convex_parts(convex));
    }
    let note = match report["mass_from_triangles"].as_bool() {
        Some(false) => ", from the grid: approximate",
        _ => "",
    };
    say_mass(facts, &shape.mass.into(), size.into(), note);
}

/// Adds volume, centre and inertia of a part of some size; the note follows the volume.
pub fn say_mass(facts: &mut Facts, mass: &Mass, size: [f64; 3], note: &str) {
    facts.say("Volume", format!("{}{note}", volume(mass.volume_m3)));
    let longest = size.into_iter().fold(0.0, f64::max);
    // What is left of cancelling is zero.
    let place = |x: f64| length(if x.abs() < 1e-6 * longest { 0.0 } else { x });
    facts.say("Centre", format!("({}), of mass", mass.centre_m.map(place).join(", ")));
    let i = &mass.inertia_m5;
    let most = i.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    // At the density of water: 1000 kg/m³.
    let (factor, unit) = if 1e3 * most < 1e-3 { (1e10, "g cm²") } else { (1e3, "kg m²") };
    let all = [("xx", i[0][0]), ("yy", i[1][1]), ("zz", i[2][2]), ("xy", i[0][1]), ("xz", i[0][2]), ("yz", i[1][2])];
    let told = all.iter().enumerate().filter(|(k, (_, x))| *k < 3 || x.abs() > 1e-3 * most);
    let words: Vec<String> = told.map(|(_, (name, x))| format!("{name} {}", number(factor * x))).collect();
    facts.say("Inertia", format!("{} {unit} about the centre, at 1 g/cm³", words.join(", ")));
}

/// The warnings of a report.
pub fn warnings(report: &Value) -> Vec<&str> {
    report["warnings"].as_array().map(|w| w.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn stored(field: &DistanceField) -> String {
    match field {
        DistanceField::Dense(dense) => {
            let nodes = dense.values().len();
            format!("dense, {}: the exact distance at each of {} nodes", bytes(4 * nodes as u64), grouped(nodes))
        }
        DistanceField::Sparse(sparse) => {
            let size = 4 * (sparse.coarse().len() + sparse.slots().len()) + 2 * sparse.blocks().len();
            let blocks = sparse.blocks().len() / Sparse::BLOCK;
            let share = 100.0 * blocks as f64 / sparse.slots().len().max(1) as f64;
            format!(
                "sparse, {}: exact up to {} from the surface, in {} blocks ({} % of the grid); beyond, a distance that is \
                 never too large",
                bytes(size as u64),
                length(sparse.band()),
                grouped(blocks),
                number(share)
            )
        }
    }
}

fn accuracy(shape: &Shape, report: &Value, changed: bool) -> String {
    let bound = length(shape.field.slack());
    match (report["accuracy"]["median_m"].as_f64(), report["accuracy"]["percentile_99_m"].as_f64()) {
        (Some(median), Some(worst)) => format!(
            "distances between the nodes are typically {} off, 1 in 100 by more than {}, none by more than {bound}",
            length(median),
            length(worst)
        ),
        _ if changed => format!(
            "not measured, because sheets or closed holes are part of the surface; off by {bound} at most elsewhere"
        ),
        _ => format!("off by {bound} at most"),
    }
}

/// What the report says of the faceting error, and what contacts are allowed for it.
fn facets(shape: &Shape, report: &Value) -> String {
    let Ok(summary) = serde_json::from_value::<FacetingSummary>(report["faceting"].clone()) else {
        return match &shape.allowance {
            Some(allowance) => {
                format!("contacts are allowed up to {} of depth for facets", length(allowance.largest()))
            }
            None => "not measured: bake again to let contacts allow for the facets of bores and sockets".into(),
        };
    };
    let mut text = faceting(&summary);
    if let Some(allowance) = &shape.allowance {
        let points = shape.shell.allowances().iter().filter(|a| **a > 0.0).count();
        text += &format!(
            " Contacts there, and {} of the shell's points, are allowed up to {} of depth, which includes the error of the grid.",
            grouped(points),
            length(allowance.largest())
        );
    }
    text
}

/// The allowance of a shape, for programs.
fn allowance(shape: &Shape) -> Value {
    let points = shape.shell.allowances().iter().filter(|a| **a > 0.0).count();
    match &shape.allowance {
        None => Value::Null,
        Some(a) => json!({
            "largest_m": a.largest(),
            "spacing_m": a.lattice().spacing,
            "cells": a.lattice().cells,
            "shell_points": points,
        }),
    }
}

fn shell(shape: &Shape) -> String {
    let spread = stiction_bake::shell::spacing(shape.shell.points());
    let levels = shape.shell.levels();
    format!(
        "{} points on {}, {} apart ({} to {})",
        grouped(shape.shell.points().len()),
        if levels.len() == 1 { "one level".into() } else { format!("{} levels", levels.len()) },
        length(spread.median),
        length(spread.min),
        length(spread.max)
    )
}

/// How many convex parts there are, and how close they are to the mesh.
fn convex_parts(convex: &ConvexParts) -> String {
    let parts = if convex.parts.len() == 1 { "1 part".into() } else { format!("{} parts", convex.parts.len()) };
    let corners: usize = convex.parts.iter().map(Vec::len).sum();
    format!(
        "{parts} with {} corners; their union differs from the mesh in {} % of its volume, and its surface is at most {} from the mesh's",
        grouped(corners),
        number(100.0 * convex.closeness.volume_share),
        length(convex.closeness.largest_distance_m)
    )
}

/// Convex parts, for programs.
fn convex_json(convex: &ConvexParts) -> Value {
    json!({
        "parts": convex.parts.len(),
        "corners": convex.parts.iter().map(Vec::len).collect::<Vec<_>>(),
        "volume_share": convex.closeness.volume_share,
        "largest_distance_m": convex.closeness.largest_distance_m,
    })
}

/// What a shape is, for programs.
pub fn json(shape: &Shape) -> Value {
    let (lattice, part) = (shape.field.lattice(), shape.field.part());
    let spread = stiction_bake::shell::spacing(shape.shell.points());
    let (storage, band) = match &shape.field {
        DistanceField::Dense(_) => ("dense", None),
        DistanceField::Sparse(sparse) => ("sparse", Some(sparse.band())),
    };
    json!({
        "part_min_m": part.min.as_slice(),
        "part_max_m": part.max.as_slice(),
        "grid_origin_m": lattice.origin.as_slice(),
        "cells": lattice.cells,
        "voxel_m": lattice.spacing,
        "storage": storage,
        "band_m": band,
        "error_bound_m": shape.field.slack(),
        "allowance": allowance(shape),
        "shell_points": shape.shell.points().len(),
        "shell_levels": shape.shell.levels(),
        "spacing_m": { "min": spread.min, "median": spread.median, "max": spread.max },
        "convex": shape.convex.as_ref().map(convex_json),
        "mass": Mass::from(shape.mass),
    })
}
