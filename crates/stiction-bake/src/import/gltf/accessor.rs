//! Numbers out of a glTF's buffers.
//!
//! Read here and not by the crate's iterators, whose offsets overflow on a count of zero and which unwrap a sparse
//! value that is not there.

use super::buffers::Buffers;
use gltf::json::Root;
use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;
use stiction::spatial::Vec3;

/// The accessors of a file.
pub(super) struct Accessors<'a> {
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    bytes: usize,
}

impl<'a> Accessors<'a> {
    pub(super) fn new(root: &'a Root, buffers: &'a Buffers<'a>) -> Self {
        Self { root, buffers, bytes: buffers.bytes() }
    }

    fn get(&self, number: usize) -> Result<&'a Accessor, String> {
        self.root.accessors.get(number).ok_or_else(|| format!("accessor {number} is not there"))
    }

    /// How many items an accessor claims; never more than there are bytes.
    pub(super) fn count(&self, number: usize) -> Result<usize, String> {
        let claimed = self.get(number)?.count.0;
        match usize::try_from(claimed) {
            Ok(count) if count <= self.bytes => Ok(count),
            _ => Err(format!("accessor {number} claims {claimed} items, more than there are bytes")),
        }
    }

    /// Three coordinates an item.
    pub(super) fn positions(&self, number: usize) -> Result<Vec<Vec3>, String> {
        let accessor = self.get(number)?;
        let kind = component(&accessor.component_type, |g| g.0)?;
        if !matches!(accessor.type_, Checked::Valid(Type::Vec3)) || kind == ComponentType::U32 {
            return Err(format!("accessor {number} holds no positions"));
        }
        let normalized = accessor.normalized;
        let decode = |item: &[u8]| {
            let mut values = item.chunks_exact(kind.size()).map(|c| number_of(kind, c, normalized));
            let mut next = || values.next().unwrap_or_default();
            Vec3::new(next(), next(), next())
        };
        self.items(number, 3 * kind.size(), Vec3::zeros(), &decode)
    }

    /// One vertex number an item.
    pub(super) fn indices(&self, number: usize) -> Result<Vec<u32>, String> {
        let accessor = self.get(number)?;
        let kind = component(&accessor.component_type, |g| g.0)?;
        let unsigned = matches!(kind, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if !matches!(accessor.type_, Checked::Valid(Type::Scalar)) || !unsigned {
            return Err(format!("accessor {number} holds no indices"));
        }
        self.items(number, kind.size(), 0, &|item| number_of(kind, item, false) as u32)
    }

    /// The items of an accessor: those of its view, or zeros, with the sparse ones replaced.
    fn items<T: Clone>(
        &self,
        number: usize,
        size: usize,
        zero: T,
        decode: &dyn Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, String> {
        let accessor = self.get(number)?;
        let count = self.count(number)?;
        let beyond = |e: String| format!("accessor {number}: {e}");
        let mut items = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or_default().0;
                self.slices(view.value(), offset, count, size).map_err(beyond)?.map(decode).collect()
            }
            None if accessor.sparse.is_some() => vec![zero; count],
            None => return Err(format!("accessor {number} has no data")),
        };
        let Some(sparse) = &accessor.sparse else { return Ok(items) };
        let replaced = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
        let kind = component(&sparse.indices.component_type, |g| g.0)?;
        let (indices, values) = (&sparse.indices, &sparse.values);
        let at =
            self.slices(indices.buffer_view.value(), indices.byte_offset.0, replaced, kind.size()).map_err(beyond)?;
        let with = self.slices(values.buffer_view.value(), values.byte_offset.0, replaced, size).map_err(beyond)?;
        for (index, value) in at.zip(with) {
            let index = number_of(kind, index, false) as usize;
            let item =
                items.get_mut(index).ok_or_else(|| format!("accessor {number}: sparse item {index} of {count}"))?;
            *item = decode(value);
        }
        Ok(items)
    }

    /// The bytes of each of `count` items in a view; all of them are there.
    fn slices(
        &self,
        view: usize,
        offset: u64,
        count: usize,
        size: usize,
    ) -> Result<impl Iterator<Item = &'a [u8]> + use<'a>, String> {
        let view = self.root.buffer_views.get(view).ok_or_else(|| format!("view {view} is not there"))?;
        let stride = match view.byte_stride.map(|s| s.0) {
            None | Some(0) => size,
            Some(stride) if stride >= size => stride,
            Some(stride) => return Err(format!("items of {size} bytes lie {stride} bytes apart")),
        };
        let bytes = self.buffers.view(view)?;
        let last = count.saturating_sub(1);
        let end =
            usize::try_from(offset).ok().and_then(|o| last.checked_mul(stride)?.checked_add(size)?.checked_add(o));
        if count > 0 && end.is_none_or(|end| end > bytes.len()) {
            return Err(format!("{count} items of {size} bytes do not fit in a view of {} bytes", bytes.len()));
        }
        Ok((0..count).map(move |i| {
            let start = offset as usize + i * stride;
            &bytes[start..start + size]
        }))
    }
}

fn component<T: Copy>(kind: &Checked<T>, of: impl Fn(T) -> ComponentType) -> Result<ComponentType, String> {
    match kind {
        Checked::Valid(kind) => Ok(of(*kind)),
        Checked::Invalid => Err("its component type is unknown".into()),
    }
}

/// One number, little endian; integers that are normalised fill 0 to 1 or −1 to 1.
fn number_of(kind: ComponentType, bytes: &[u8], normalized: bool) -> f64 {
    let mut word = [0u8; 4];
    let n = bytes.len().min(4);
    word[..n].copy_from_slice(&bytes[..n]);
    let raw = u32::from_le_bytes(word);
    let (value, most) = match kind {
        ComponentType::F32 => return f64::from(f32::from_bits(raw)),
        ComponentType::U32 => (f64::from(raw), f64::from(u32::MAX)),
        ComponentType::U16 => (f64::from(raw as u16), f64::from(u16::MAX)),
        ComponentType::U8 => (f64::from(raw as u8), f64::from(u8::MAX)),
        ComponentType::I16 => (f64::from(raw as u16 as i16), f64::from(i16::MAX)),
        ComponentType::I8 => (f64::from(raw as u8 as i8), f64::from(i8::MAX)),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}
