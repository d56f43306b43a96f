//! What a terminal may be sent: text that commands nothing, in lines that fit.

use std::borrow::Cow;
use std::io;
use terminal_size::{Height, Width, terminal_size_of};

/// Characters of a line of a page, where there is room for them.
const PAGE: usize = 110;
/// Terminals that say that they are narrower are taken to be this wide.
const NARROWEST: usize = 20;

/// Text that commands no terminal: control characters other than line ends and tabs, and marks that turn the direction of writing, are shown by their numbers,
/// as in `\u{1b}`. Names of files, scenes and meshes are anybody's.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if commands(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Whether a terminal does something else with a character than showing it.
pub fn commands(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && !matches!(c, '\n' | '\t'))
}

/// Characters that fit into a line of standard output; `None` if it is no terminal, and `COLUMNS` does not tell.
pub fn output_width() -> Option<usize> {
    told_width().or_else(|| width(terminal_size_of(io::stdout())))
}

/// Characters that fit into a line of standard error; `None` if it is no terminal, and `COLUMNS` does not tell.
pub fn error_width() -> Option<usize> {
    told_width().or_else(|| width(terminal_size_of(io::stderr())))
}

/// Characters of a line of a page on standard output.
pub fn page_width() -> usize {
    output_width().map_or(PAGE, |columns| columns.min(PAGE))
}

fn told_width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.parse::<u16>().ok()?;
    width(Some((Width(columns), Height(0))))
}

fn width(size: Option<(Width, Height)>) -> Option<usize> {
    size.filter(|size| size.0.0 > 0).map(|size| NARROWEST.max(size.0.0.into()))
}

/// Lines broken between words where they are longer than `width`; what follows of a line is indented by two more than its start. Words that are longer stay whole.
pub fn fitted(text: &str, width: Option<usize>) -> Cow<'_, str> {
    let Some(width) = width.filter(|width| text.lines().any(|line| line.chars().count() > *width)) else {
        return Cow::Borrowed(text);
    };
    let lines: Vec<String> = text.split('\n').map(|line| broken(line, width)).collect();
    Cow::Owned(lines.join("\n"))
}

fn broken(line: &str, width: usize) -> String {
    let line = line.trim_end();
    if line.chars().count() <= width {
        return line.into();
    }
    let start = line.len() - line.trim_start().len();
    let indent = (start + 2).min(width / 2);
    let (mut out, mut used) = (String::new(), 0);
    // Spaces within a line stay: they are columns.
    for (number, word) in line[start..].split(' ').enumerate() {
        let long = word.chars().count();
        if number == 0 {
            out += &line[..start];
            used = start;
        } else if used + 1 + long > width && !word.is_empty() {
            out.truncate(out.trim_end().len());
            out += &format!("\n{}", " ".repeat(indent));
            used = indent;
        } else {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += long;
    }
    out
}

/// One line of `start` and those of `more` that fit behind it; a start that does not fit is cut, and marked so.
pub fn one_line(start: &str, more: &[&str], width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX);
    let mut line = start.to_owned();
    if line.chars().count() > width {
        return line.chars().take(width - 1).chain(['…']).collect();
    }
    for more in more {
        if line.chars().count() + more.chars().count() <= width {
            line += more;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_commands_a_terminal_gets_through() {
        let name = "a\x1b]0;title\x07\x1b[31mred\u{9b}2J\x7f\u{202e}b\r.stl";
        let shown = plain(name);
        assert_eq!(shown, "a\\u{1b}]0;title\\u{7}\\u{1b}[31mred\\u{9b}2J\\u{7f}\\u{202e}b\\u{d}.stl");
        assert!(!shown.contains(commands));
        assert!(matches!(plain("µ 0.5 │ two\nlines\tand a tab"), Cow::Borrowed(_)));
    }

    #[test]
    fn lines_fit_and_no_word_is_lost() {
        let text = "  Next: stiction bake 'a b.stl' --unit mm --resolution 256\nshort\n\nlast line of several words";
        for width in [20, 30, 80] {
            let shown = fitted(text, Some(width));
            assert!(shown.lines().all(|line| line.chars().count() <= width), "{shown}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&shown), words(text));
        }
        assert_eq!(fitted(text, None), text);
        assert_eq!(fitted("a-word-that-is-longer-than-that", Some(20)), "a-word-that-is-longer-than-that");
        assert_eq!(fitted("a  b     c  and more words", Some(20)), "a  b     c  and more\n  words");
    }

    #[test]
    fn one_line_fits_whatever_the_width() {
        let start = "   1.0 s │ Running holds 101 contacts, 4.00 N 0.012 N m";
        let more = [" │ cycle 25 µs (p99 40)", " │ late p99 60 µs, 0 skipped"];
        assert_eq!(one_line(start, &more, None), format!("{start}{}{}", more[0], more[1]));
        assert_eq!(one_line(start, &more, Some(80)), format!("{start}{}", more[0]));
        assert_eq!(one_line(start, &more, Some(60)), start);
        assert_eq!(one_line(start, &more, Some(20)), "   1.0 s │ Running …");
        for width in 20..140 {
            assert!(one_line(start, &more, Some(width)).chars().count() <= width);
        }
    }
}
