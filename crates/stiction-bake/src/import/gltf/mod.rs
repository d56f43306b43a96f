//! glTF 2.0, by the `gltf` crate's data model.
//!
//! The crate reads the JSON and splits the binary container. Its validation is not called: it panics on an accessor
//! that is not there, and it refuses a file for a fault in a material that nobody asked for. Instead, every reference
//! followed here is checked where it is followed. Skins and morph targets are left in their rest shape.

mod accessor;
mod buffers;
mod scene;

use super::{BufferSource, Format, ImportCause, Soup, guarded};
use accessor::Accessors;
use buffers::Buffers;
use gltf::json::Root;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use scene::Instance;
use std::borrow::Cow;
use stiction::spatial::Vec3;

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
pub(super) fn read(bytes: &[u8], format: Format, beside: BufferSource) -> Result<(Soup, Vec<Vec<u8>>), ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(format, reason);
    let (json, blob) = if format == Format::Glb { split(bytes)? } else { (bytes, None) };
    let root: Root =
        guarded(format, || gltf::json::deserialize::from_slice(json).map_err(|e| malformed(format!("its JSON: {e}"))))?;
    if let Some(name) = root.extensions_required.iter().find(|n| !HARMLESS.iter().any(|h| n.starts_with(h))) {
        return Err(malformed(format!("it needs the extension `{name}`, which is not supported")));
    }
    let instances = scene::instances(&root).map_err(malformed)?;
    let buffers = Buffers::new(&root, blob, beside).map_err(malformed)?;
    let accessors = Accessors::new(&root, &buffers);
    let limit = MAX_INSTANCED + bytes.len() + buffers.external_bytes();
    let mut builder = Builder { accessors, limit, points: Vec::new(), faces: Vec::new() };
    for instance in &instances {
        builder.add(&root, instance).map_err(|e| match e {
            Fault::Broken(reason) => malformed(reason),
            Fault::TooLarge => {
                ImportCause::TooLarge(format!("its instances add up to more than {limit} vertices or triangles"))
            }
        })?;
    }
    let Builder { points, faces, .. } = builder;
    let name_vertex = Box::new(|i: usize, _: &[[u32; 3]]| format!("vertex {i} (counted from 0 over all instances)"));
    Ok((Soup { points, faces, name_vertex }, buffers.into_external()))
}

/// The JSON and binary chunks of a GLB.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(Format::Glb, reason);
    let word = |at: usize| bytes.get(at..at + 4).and_then(|w| w.try_into().ok()).map(u32::from_le_bytes);
    let claimed = word(8).ok_or_else(|| malformed(format!("{} bytes are too short", bytes.len())))? as usize;
    // The crate subtracts its header's size from this without asking.
    if claimed < 20 || claimed > bytes.len() {
        return Err(malformed(format!("its header claims {claimed} bytes, it has {}", bytes.len())));
    }
    let glb = guarded(Format::Glb, || {
        gltf::binary::Glb::from_slice(&bytes[..claimed]).map_err(|e| malformed(e.to_string()))
    })?;
    // A slice goes in, so slices come out.
    let borrowed = |chunk| if let Cow::Borrowed(bytes) = chunk { bytes } else { &[][..] };
    Ok((borrowed(glb.json), glb.bin.map(borrowed)))
}

enum Fault {
    Broken(String),
    TooLarge,
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Broken(reason)
    }
}

struct Builder<'a> {
    accessors: Accessors<'a>,
    limit: usize,
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

impl Builder<'_> {
    fn add(&mut self, root: &Root, instance: &Instance) -> Result<(), Fault> {
        let number = instance.mesh;
        let mesh = root.meshes.get(number).ok_or_else(|| format!("a node shows mesh {number}, which is not there"))?;
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            self.add_primitive(primitive, instance).map_err(|fault| match fault {
                Fault::Broken(reason) => Fault::Broken(format!("mesh {number}, primitive {i}: {reason}")),
                Fault::TooLarge => fault,
            })?;
        }
        Ok(())
    }

    fn add_primitive(&mut self, primitive: &Primitive, instance: &Instance) -> Result<(), Fault> {
        let mode = match primitive.mode {
            Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
            Checked::Valid(_) => return Ok(()),
            Checked::Invalid => return Err(Fault::Broken("its mode is unknown".into())),
        };
        let Some(positions) = primitive.attributes.get(&Checked::Valid(Semantic::Positions)) else { return Ok(()) };
        let count = self.accessors.count(positions.value())?;
        let corners = primitive.indices.map(|i| self.accessors.count(i.value())).transpose()?.unwrap_or(count);
        let triangles = if mode == Mode::Triangles { corners / 3 } else { corners.saturating_sub(2) };
        let room = |have: usize, more: usize| have.checked_add(more).is_some_and(|n| n <= self.limit);
        if !room(self.points.len(), count) || !room(self.faces.len(), triangles) {
            return Err(Fault::TooLarge);
        }
        let offset = u32::try_from(self.points.len()).map_err(|_| Fault::TooLarge)?;
        let points = self.accessors.positions(positions.value())?;
        let indices = match primitive.indices {
            Some(i) => self.accessors.indices(i.value())?,
            None => (0..count as u32).collect(),
        };
        if let Some(i) = indices.iter().find(|&&i| i as usize >= count) {
            let reason = format!("a face refers to vertex {i} (counted from 0), but there are only {count}");
            return Err(Fault::Broken(reason));
        }
        if u32::try_from(self.points.len() + count).is_err() {
            return Err(Fault::TooLarge);
        }
        self.points.extend(points.iter().map(|p| instance.placement.apply(p)));
        let mirrored = instance.placement.mirrors();
        self.faces.extend((0..triangles).map(|t| {
            let mut face = match mode {
                Mode::Triangles => [3 * t, 3 * t + 1, 3 * t + 2],
                Mode::TriangleFan => [0, t + 1, t + 2],
                // Every second triangle of a strip is wound the other way.
                _ => [t, t + 1 + t % 2, t + 2 - t % 2],
            }
            .map(|k| offset + indices[k]);
            if mirrored {
                face.swap(1, 2);
            }
            face
        }));
        Ok(())
    }
}
