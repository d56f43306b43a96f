//! The page, as it was embedded; or one that says how to build it.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/page.rs"));
}

/// Whether the page is in this program: it needs Node to be built.
pub fn is_built() -> bool {
    !embedded::FILES.is_empty()
}

const MISSING: &str = include_str!("missing.html");

/// Nothing but our own files may run or be loaded.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; \
                      object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// A file of the page.
pub fn file(path: &str, headers: &HeaderMap) -> Response {
    let name = if path.is_empty() { "index.html" } else { path };
    if !is_built() {
        let status = if name == "index.html" { StatusCode::OK } else { StatusCode::NOT_FOUND };
        return (status, safe("text/html; charset=utf-8", false), MISSING).into_response();
    }
    let Some((name, packed)) = embedded::FILES.iter().find(|(n, _)| *n == name) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let takes_gzip =
        headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).is_some_and(|v| v.contains("gzip"));
    if !takes_gzip {
        return (StatusCode::NOT_ACCEPTABLE, "the page is packed by gzip: ask with `Accept-Encoding: gzip`\n")
            .into_response();
    }
    let mut all = safe(kind(name), name.starts_with("assets/"));
    all.insert(header::CONTENT_ENCODING, header::HeaderValue::from_static("gzip"));
    (all, Body::from(*packed)).into_response()
}

fn safe(kind: &'static str, lasting: bool) -> HeaderMap {
    // Vite puts a hash of the content into the names of assets.
    let caching = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let pairs = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    pairs.into_iter().map(|(name, value)| (name, header::HeaderValue::from_static(value))).collect()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json" | "map") => "application/json",
        _ => "application/octet-stream",
    }
}
