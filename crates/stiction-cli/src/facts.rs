//! What was found or made, as a title and a sentence a line.

const INDENT: usize = 12;
const WIDTH: usize = 110;

/// Lines of titles and texts, wrapped.
#[derive(Default)]
pub struct Facts(String);

impl Facts {
    /// Adds a fact.
    pub fn say(&mut self, title: &str, text: impl AsRef<str>) {
        let mut line = format!("{title:<INDENT$}");
        let mut used = line.chars().count();
        let mut fresh = true;
        for word in text.as_ref().split(' ') {
            let long = word.chars().count();
            if !fresh && used + 1 + long > WIDTH {
                self.0 += line.trim_end();
                self.0.push('\n');
                (line, used, fresh) = (" ".repeat(INDENT), INDENT, true);
            }
            if !fresh {
                line.push(' ');
                used += 1;
            }
            line += word;
            used += long;
            fresh = false;
        }
        self.0 += line.trim_end();
        self.0.push('\n');
    }

    /// The text, without the last line's end.
    pub fn text(&self) -> &str {
        self.0.trim_end()
    }
}

/// A number with digits in groups of three.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A volume in the unit that suits it.
pub fn volume(cubic_metres: f64) -> String {
    let (number, unit) = match cubic_metres.abs() {
        v if v >= 0.1 => (cubic_metres, "m³"),
        v if v >= 1e-7 => (1e6 * cubic_metres, "cm³"),
        _ => (1e9 * cubic_metres, "mm³"),
    };
    format!("{} {unit}", three(number))
}

/// A number with three digits.
pub fn three(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if x < 0.0 {
        return format!("-{}", three(-x));
    }
    let digits = 2 - x.log10().floor() as i32;
    if !(0..=9).contains(&digits) {
        return if digits < 0 { grouped(x.round() as usize) } else { format!("{x:.2e}") };
    }
    let text = format!("{x:.*}", digits as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A file's name as a shell takes it.
pub fn quoted(path: &std::path::Path) -> String {
    let word = path.to_string_lossy();
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "._-/+".contains(c));
    if plain { word.into_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
