//! Lines to standard output that may be closed early (`stiction demo | head`): then the program just ends.

use serde::Serialize;
use std::io::{self, ErrorKind, Write};

/// Writes a line to standard output; exits quietly when nobody reads it any more.
pub fn line(text: &str) -> io::Result<()> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        result => result,
    }
}

/// Writes a value as one line of JSON. Infinite numbers become `null`.
pub fn json(value: &impl Serialize) -> io::Result<()> {
    line(&serde_json::to_string(value)?)
}

/// A number with about three digits, whatever its size.
pub fn short(x: f64) -> String {
    match x.abs() {
        _ if x.is_infinite() => "∞".into(),
        a if a >= 99.95 => format!("{x:.0}"),
        a if a >= 9.995 => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}
