//! Sizes in words.

/// Bytes with a unit that suits them, and about three digits.
pub fn bytes(n: u64) -> String {
    let (mut size, mut unit) = (n as f64, "B");
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        if size < 1024.0 {
            break;
        }
        (size, unit) = (size / 1024.0, next);
    }
    match size {
        s if s >= 100.0 || unit == "B" => format!("{s:.0} {unit}"),
        s if s >= 10.0 => format!("{s:.1} {unit}"),
        s => format!("{s:.2} {unit}"),
    }
}
