//! The bytes behind a glTF: the chunk of a GLB, data addresses, and files beside it.

use crate::import::BufferSource;
use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::json::Root;
use gltf::json::buffer::View;

/// All buffers of a file, each at least as long as it claims.
pub(super) struct Buffers<'a> {
    buffers: Vec<Bytes<'a>>,
}

enum Bytes<'a> {
    Chunk(&'a [u8]),
    Inline(Vec<u8>),
    Beside(Vec<u8>),
}

impl Bytes<'_> {
    fn get(&self) -> &[u8] {
        match self {
            Self::Chunk(bytes) => bytes,
            Self::Inline(bytes) | Self::Beside(bytes) => bytes,
        }
    }
}

impl<'a> Buffers<'a> {
    pub(super) fn new(root: &Root, chunk: Option<&'a [u8]>, beside: BufferSource) -> Result<Self, String> {
        let mut buffers = Vec::with_capacity(root.buffers.len());
        for (i, buffer) in root.buffers.iter().enumerate() {
            let bytes = match buffer.uri.as_deref() {
                None => Bytes::Chunk(chunk.ok_or_else(|| format!("buffer {i} has no data"))?),
                Some(uri) => match uri.strip_prefix("data:") {
                    Some(data) => Bytes::Inline(inline(data).map_err(|e| format!("buffer {i}: {e}"))?),
                    None => {
                        let address = address(uri).map_err(|e| format!("buffer {i}: {e}"))?;
                        Bytes::Beside(beside(&address).map_err(|e| format!("buffer {i}, {address}: {e}"))?)
                    }
                },
            };
            let (have, claimed) = (bytes.get().len() as u64, buffer.byte_length.0);
            if have < claimed {
                return Err(format!("buffer {i} claims {claimed} bytes and has {have}"));
            }
            buffers.push(bytes);
        }
        Ok(Self { buffers })
    }

    /// The bytes of a view.
    pub(super) fn view(&self, view: &View) -> Result<&[u8], String> {
        let number = view.buffer.value();
        let bytes = self.buffers.get(number).ok_or_else(|| format!("buffer {number} is not there"))?.get();
        let start = view.byte_offset.unwrap_or_default().0;
        let range = start.checked_add(view.byte_length.0).map(|end| start as usize..end as usize);
        range.and_then(|r| bytes.get(r)).ok_or_else(|| format!("a view reaches beyond buffer {number}"))
    }

    /// The number of all bytes.
    pub(super) fn bytes(&self) -> usize {
        self.buffers.iter().map(|b| b.get().len()).sum()
    }

    /// The number of bytes that came from beside the file.
    pub(super) fn external_bytes(&self) -> usize {
        self.buffers.iter().map(|b| if let Bytes::Beside(b) = b { b.len() } else { 0 }).sum()
    }

    /// The buffers that came from beside the file.
    pub(super) fn into_external(self) -> Vec<Vec<u8>> {
        self.buffers.into_iter().filter_map(|b| if let Bytes::Beside(b) = b { Some(b) } else { None }).collect()
    }
}

/// Decodes what follows `data:`.
fn inline(data: &str) -> Result<Vec<u8>, String> {
    let (kind, payload) = data.split_once(',').ok_or("a data address without data")?;
    if !kind.ends_with(";base64") {
        return Err("its data is not base64".into());
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    engine.decode(payload.trim()).map_err(|e| format!("its base64 data: {e}"))
}

/// Decodes a relative address and keeps it within the folder of the file.
fn address(uri: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = tail.get(..2).and_then(|d| std::str::from_utf8(d).ok());
        let value = digits.and_then(|d| u8::from_str_radix(d, 16).ok());
        bytes.push(value.ok_or_else(|| format!("its address `{uri:.100}` is not valid"))?);
        rest = &tail[2..];
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("its address `{uri:.100}` is no text"))?;
    let leaves = text.split(['/', '\\']).any(|part| part == "..");
    if text.is_empty() || leaves || text.starts_with(['/', '\\']) || text.contains([':', '\0']) {
        return Err(format!("its address `{text:.100}` does not lie beside the file"));
    }
    Ok(text)
}
