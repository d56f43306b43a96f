//! Numbers in words.

/// A length with a unit that suits it.
pub fn length(metres: f64) -> String {
    let (factor, unit) = match metres.abs() {
        x if x == 0.0 || !(0.0..1e3).contains(&x) => (1.0, "m"),
        x if x < 1e-6 => (1e9, "nm"),
        x if x < 1e-3 => (1e6, "um"),
        x if x < 1.0 => (1e3, "mm"),
        _ => (1.0, "m"),
    };
    format!("{} {unit}", digits(metres * factor))
}

/// Bytes with a unit that suits them.
pub fn bytes(n: u64) -> String {
    let mut size = n as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if size < 1024.0 {
            return format!("{} {unit}", digits(size));
        }
        size /= 1024.0;
    }
    format!("{} TiB", digits(size))
}

/// About three digits.
pub fn digits(x: f64) -> String {
    match x.abs() {
        a if a >= 100.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}
