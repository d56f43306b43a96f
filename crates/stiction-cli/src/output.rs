//! Lines to the terminal: the one place where text leaves the program. Nothing in it commands the terminal ([`terminal::plain`]), and lines fit it.

use crate::terminal;
use serde::Serialize;
use std::io::{self, ErrorKind, Write};

/// Writes a line to standard output, broken where the terminal ends; exits quietly when nobody reads it any more (`stiction demo | head`).
pub fn line(text: &str) -> io::Result<()> {
    write(&terminal::fitted(&terminal::plain(text), terminal::output_width()))
}

fn write(text: &str) -> io::Result<()> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        result => result,
    }
}

/// Writes a value as one line of JSON. Infinite numbers become `null`; what would command a terminal is escaped as JSON has it.
pub fn json(value: &impl Serialize) -> io::Result<()> {
    write(&escaped(&serde_json::to_string(value)?))
}

fn escaped(json: &str) -> String {
    // All characters that this concerns are below 0x10000.
    let shown = |c: char| if terminal::commands(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    json.chars().map(shown).collect()
}

/// Writes a line to standard error.
pub fn complain(text: &str) {
    let text = terminal::plain(text);
    eprintln!("{}", terminal::fitted(&text, terminal::error_width()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_json_and_commands_no_terminal() {
        let name = "a\u{1b}[31m\u{9b}2J\u{202e}.stl";
        let text = escaped(&serde_json::to_string(name).unwrap());
        assert!(text.is_ascii() && !text.contains(terminal::commands), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }
}
