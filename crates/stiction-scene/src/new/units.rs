//! The unit of two meshes, guessed for both together.

use super::bounds;
use stiction_bake::diagnose::{guess_unit, length};
use stiction_bake::import::{Imported, MeshFormat, Unit};

/// The units of both meshes, and sentences that say how they were found.
///
/// Two meshes that are made to touch come from one program, so that one unit is guessed for both, by the longer of them. glTF is in metres by its
/// standard, and has no part in the guess.
pub fn units(meshes: [&Imported; 2], given: Option<Unit>) -> ([Unit; 2], Vec<String>) {
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
