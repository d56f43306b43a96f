//! The first bytes of a file: the header, and what its messages are.

use crate::Header;
use crate::mcap::{MAGIC, attachment, metadata, op, put_text, put64, record};
use crate::summary::FileSummary;

/// Name of the attachment that is the header.
pub const HEADER_NAME: &str = "stiction.json";
const JSON: &str = "application/json";

/// All that comes before the first chunk; and the summary, in which it is listed.
pub fn opening(header: &Header, json: &[u8]) -> (Vec<u8>, FileSummary) {
    let time = header.started_unix_ns;
    let mut out = MAGIC.to_vec();
    record(&mut out, op::HEADER, |out| {
        put_text(out, "stiction");
        put_text(out, concat!("stiction-record ", env!("CARGO_PKG_VERSION")));
    });
    let mut summary = FileSummary::new(header);
    // The header first of all, and with a checksum of its own: nothing can be read without it.
    let attachments = header.attachments.iter().map(|a| (&*a.name, &*a.media_type, &*a.bytes));
    for (name, media_type, bytes) in [(HEADER_NAME, JSON, json)].into_iter().chain(attachments) {
        let at = out.len() as u64;
        attachment(&mut out, name, media_type, time, bytes);
        let length = out.len() as u64 - at;
        record(&mut summary.attachment_index, op::ATTACHMENT_INDEX, |out| {
            [at, length, time, time, bytes.len() as u64].into_iter().for_each(|n| put64(out, n));
            put_text(out, name);
            put_text(out, media_type);
        });
    }
    let at = out.len() as u64;
    let facts = [
        ("stiction", header.stiction.as_str()),
        ("scene", &header.scene),
        ("device", &header.device),
        ("method", &header.method),
    ];
    metadata(&mut out, "stiction", &facts);
    let length = out.len() as u64 - at;
    record(&mut summary.metadata_index, op::METADATA_INDEX, |out| {
        put64(out, at);
        put64(out, length);
        put_text(out, "stiction");
    });
    out.extend_from_slice(&summary.schemas);
    out.extend_from_slice(&summary.channels);
    (out, summary)
}
