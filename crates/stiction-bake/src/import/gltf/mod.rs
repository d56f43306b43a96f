//! glTF 2.0, by the `gltf` crate's data model.
//!
//! The crate reads the JSON and splits the binary container. Its validation is not called: it panics on an accessor
//! that is not there, and it refuses a file for a fault in a material that nobody asked for. Instead, every reference
//! followed here is checked where it is followed. Skins and morph targets are left in their rest shape.

mod accessor;
mod buffers;
mod part;
mod scene;

use super::{BufferSource, ImportCause, MeshFormat, Soup, guarded};
use accessor::Accessors;
use buffers::Buffers;
use gltf::json::Root;
use part::Part;
use scene::Instance;
use std::borrow::Cow;
use std::collections::HashMap;

/// Instances may multiply what a file holds; beyond its own bytes, by so many triangles or vertices at most.
const MAX_INSTANCED: usize = 1 << 24;

/// Extensions that do not change the geometry, by their beginnings, and one that is read.
const HARMLESS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_texture_",
    "MSFT_texture_",
    "EXT_lights_",
    "KHR_xmp",
    "KHR_mesh_quantization",
];

/// Reads glTF or GLB: every mesh instance of the scene. Gives the buffers read from beside the file too.
pub(super) fn read(
    bytes: &[u8],
    format: MeshFormat,
    beside: BufferSource,
) -> Result<(Soup, Vec<Vec<u8>>), ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(format, reason);
    let (json, blob) = if format == MeshFormat::Glb { split(bytes)? } else { (bytes, None) };
    let root: Root =
        guarded(format, || gltf::json::deserialize::from_slice(json).map_err(|e| malformed(format!("its JSON: {e}"))))?;
    if let Some(name) = root.extensions_required.iter().find(|n| !HARMLESS.iter().any(|h| n.starts_with(h))) {
        return Err(malformed(format!("it needs the extension `{name}`, which is not supported")));
    }
    let instances = scene::instances(&root).map_err(malformed)?;
    let buffers = Buffers::new(&root, blob, beside).map_err(malformed)?;
    let accessors = Accessors::new(&root, &buffers);
    let shown = parts(&root, &accessors, &instances).map_err(malformed)?;
    // Counted before anything is made, because instances multiply.
    let limit = MAX_INSTANCED + bytes.len() + buffers.external_bytes();
    let all = instances.iter().filter_map(|i| shown.get(&i.mesh)).flatten();
    let (vertices, triangles) = all.fold((0, 0usize), |(v, t): (usize, usize), part| {
        (v.saturating_add(part.vertices), t.saturating_add(part.triangles))
    });
    if vertices.max(triangles) > limit || u32::try_from(vertices).is_err() {
        return Err(ImportCause::TooLarge(format!(
            "its instances add up to {vertices} vertices, {triangles} triangles"
        )));
    }
    let (mut points, mut faces) = (Vec::with_capacity(vertices), Vec::with_capacity(triangles));
    for instance in &instances {
        for (i, part) in shown.get(&instance.mesh).into_iter().flatten().enumerate() {
            part.place(&accessors, &instance.placement, &mut points, &mut faces)
                .map_err(|e| malformed(format!("mesh {}, part {i}: {e}", instance.mesh)))?;
        }
    }
    let name_vertex = Box::new(|i: usize, _: &[[u32; 3]]| format!("vertex {i} (counted from 0 over all instances)"));
    Ok((Soup { points, faces, name_vertex }, buffers.into_external()))
}

/// The JSON and binary chunks of a GLB.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(MeshFormat::Glb, reason);
    let word = |at: usize| bytes.get(at..at + 4).and_then(|w| w.try_into().ok()).map(u32::from_le_bytes);
    let claimed = word(8).ok_or_else(|| malformed(format!("{} bytes are too short", bytes.len())))? as usize;
    // The crate subtracts its header's size from this without asking.
    if claimed < 20 || claimed > bytes.len() {
        return Err(malformed(format!("its header claims {claimed} bytes, it has {}", bytes.len())));
    }
    let glb = guarded(MeshFormat::Glb, || {
        gltf::binary::Glb::from_slice(&bytes[..claimed]).map_err(|e| malformed(e.to_string()))
    })?;
    // A slice goes in, so slices come out.
    let borrowed = |chunk| if let Cow::Borrowed(bytes) = chunk { bytes } else { &[][..] };
    Ok((borrowed(glb.json), glb.bin.map(borrowed)))
}

/// The triangles of every mesh that is shown.
fn parts(root: &Root, accessors: &Accessors, instances: &[Instance]) -> Result<HashMap<usize, Vec<Part>>, String> {
    let mut shown = HashMap::new();
    for number in instances.iter().map(|i| i.mesh) {
        if shown.contains_key(&number) {
            continue;
        }
        let mesh = root.meshes.get(number).ok_or_else(|| format!("a node shows mesh {number}, which is not there"))?;
        let mut found = Vec::new();
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let part = Part::new(primitive, accessors).map_err(|e| format!("mesh {number}, primitive {i}: {e}"))?;
            found.extend(part);
        }
        shown.insert(number, found);
    }
    Ok(shown)
}
