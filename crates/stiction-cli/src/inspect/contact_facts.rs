//! What the contacts of a part get where nothing is set, by the engine's own rule.

use crate::facts::{Facts, grouped, number};
use serde_json::{Value, json};
use stiction::spatial::Vec3;
use stiction::tick::{ContactDefaults, PartMeasures};
use stiction_bake::diagnose::{Advice, Diagnosis, length};
use stiction_scene::new_coupling;

/// The measures of a mesh that is baked as advised; `None` where it has no walls that could be measured.
pub fn of_mesh(found: &Diagnosis, advice: &Advice) -> Option<PartMeasures> {
    let size = Vec3::from(found.size_m);
    let voxel = size.max() / f64::from(advice.resolution.max(1));
    let wall = found.walls.as_ref().map(|walls| walls.smallest_m).or(advice.thicken_m)?;
    // As for baked shapes, the field resolves no wall below a voxel.
    Some(PartMeasures { size, thinnest_wall: wall.max(voxel), voxel, allowance: found.faceting.largest_sagitta_m })
}

/// Adds what contacts of a mesh get, once it is baked as advised.
pub fn say_of_mesh(facts: &mut Facts, found: &Diagnosis, advice: &Advice) {
    match of_mesh(found, advice) {
        Some(measures) => say(facts, &measures),
        None => {
            facts.say("Contacts", "the thickness of walls could not be measured: bake the mesh and inspect the shape")
        }
    }
}

/// The defaults of a part that touches another one like it, with the coupling of `stiction new`.
fn defaults(part: &PartMeasures) -> ContactDefaults {
    ContactDefaults::new(&new_coupling(part.size.max()), part, part)
}

/// Adds the rule, with this part's numbers.
pub fn say(facts: &mut Facts, part: &PartMeasures) {
    let (d, coupling) = (defaults(part), new_coupling(part.size.max()));
    facts.say(
        "Contacts",
        format!(
            "where nothing is set, on a part like this one and with the coupling of `stiction new` ({} N, {} N m): each bears {} N within {}, \
             so it has {} N/m; the thinnest wall is {}, a voxel {}. Facets and inner edges are allowed up to {} of depth, and everything {} for \
             the rounding of coordinates. A solve takes points into account that are nearer than {}, and its step is at most {} longer than what is known to be free. Slip memory is {} at most, which is also the most that \
             a released part springs back. A tick does at most {} units of work.",
            number(coupling.max_force),
            number(coupling.max_torque),
            number(d.force),
            length(d.elastic_depth),
            grouped(d.stiffness.round() as usize),
            length(part.thinnest_wall),
            length(part.voxel),
            length(d.faceting_allowance),
            length(d.rounding_allowance),
            length(d.reach),
            length(d.longest_step),
            length(d.micro_slip),
            grouped(d.work as usize)
        ),
    );
}

/// The same for programs.
pub fn json(part: &PartMeasures) -> Value {
    let (d, coupling) = (defaults(part), new_coupling(part.size.max()));
    json!({
        "coupling": {
            "stiffness_n_m": coupling.stiffness,
            "torsion_nm_rad": coupling.torsion,
            "max_force_n": coupling.max_force,
            "max_torque_nm": coupling.max_torque,
        },
        "thinnest_wall_m": part.thinnest_wall,
        "voxel_m": part.voxel,
        "force_n": d.force,
        "elastic_depth_m": d.elastic_depth,
        "stiffness_n_m": d.stiffness,
        "reach_m": d.reach,
        "longest_step_m": d.longest_step,
        "faceting_allowance_m": d.faceting_allowance,
        "rounding_allowance_m": d.rounding_allowance,
        "micro_slip_m": d.micro_slip,
        "spring_back_m": d.spring_back,
        "work": d.work,
    })
}
