//! Lengths, amounts of memory and placements as they are written on the command line.

use stiction::spatial::{Mat3, Pose, Rotation, Vec3, exp};
use stiction_bake::import::{Placement, Unit};

/// Splits a word into its number and its unit.
fn split(word: &str) -> Option<(f64, &str)> {
    let word = word.trim();
    // The longest beginning that is a number: "1e-3mm" has an e, "2e" and "3inch" have none.
    let ends = word.char_indices().map(|(i, c)| i + c.len_utf8()).rev();
    let (number, end) = ends.filter_map(|end| Some((word[..end].parse::<f64>().ok()?, end))).next()?;
    number.is_finite().then(|| (number, word[end..].trim()))
}

/// Reads a length such as `0.2mm`, `80um` or `0.01`, which is in metres; the answer is in metres.
pub fn parse_any_length(word: &str) -> Result<f64, String> {
    let wrong = || format!("\"{word}\" is not a length: write for example 0.2mm, 80um, 1.5cm or 0.01m");
    let (number, unit) = split(word).ok_or_else(wrong)?;
    let metres = match unit {
        "" => 1.0,
        named if named.starts_with(|c: char| c.is_alphabetic()) => named.parse::<Unit>().map_err(|_| wrong())?.metres(),
        _ => return Err(wrong()),
    };
    Ok(number * metres)
}

/// Reads a length above zero.
pub fn parse_length(word: &str) -> Result<f64, String> {
    let length = parse_any_length(word)?;
    if length > 0.0 { Ok(length) } else { Err("expected a length above zero".into()) }
}

/// Reads a length that may be zero.
pub fn parse_thickness(word: &str) -> Result<f64, String> {
    let length = parse_any_length(word)?;
    if length >= 0.0 { Ok(length) } else { Err("expected a length of zero or more".into()) }
}

/// Reads an amount of memory such as `4GiB`, `500MB` or `2G`; a bare number is in bytes.
pub fn parse_bytes(word: &str) -> Result<u64, String> {
    let wrong = || format!("\"{word}\" is not an amount of memory: write for example 4GiB or 500MB");
    let (number, unit) = split(word).ok_or_else(wrong)?;
    let unit = unit.to_ascii_lowercase();
    let power: usize = match unit.chars().next() {
        None | Some('b') => 0,
        Some('k') => 1,
        Some('m') => 2,
        Some('g') => 3,
        Some('t') => 4,
        Some(_) => return Err(wrong()),
    };
    let base: f64 = match unit.get(power.min(1)..).unwrap_or_default() {
        "" | "ib" => 1024.0,
        "b" => 1000.0,
        _ => return Err(wrong()),
    };
    let bytes = number * base.powi(power as i32);
    if (0.0..1e18).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

/// Reads a placement: 12 numbers, the three rows of a 3x4 matrix, or 16, those of a 4x4 one.
pub fn parse_placement(word: &str) -> Result<Placement, String> {
    let words = word.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|w| !w.is_empty());
    let number = |w: &str| w.parse::<f64>().ok().filter(|x| x.is_finite());
    let n: Vec<f64> = words.map(|w| number(w).ok_or(format!("\"{w}\" is not a number"))).collect::<Result<_, _>>()?;
    if !matches!(n.len(), 12 | 16) {
        return Err(format!("expected 12 or 16 numbers, row by row, but there are {}", n.len()));
    }
    if n.len() == 16 && n[12..] != [0.0, 0.0, 0.0, 1.0] {
        return Err("the last row of a 4x4 placement is 0 0 0 1".into());
    }
    let linear = Mat3::new(n[0], n[1], n[2], n[4], n[5], n[6], n[8], n[9], n[10]);
    Ok(Placement { linear, translation: Vec3::new(n[3], n[7], n[11]) })
}

/// Reads a pose: a position `X,Y,Z`, and behind it, if need be, an axis and an angle in degrees, `AX,AY,AZ,DEG`.
pub fn parse_pose(word: &str) -> Result<Pose, String> {
    let words: Vec<&str> = word.split(',').collect();
    let ([x, y, z] | [x, y, z, ..]) = words[..] else { return Err(POSE.into()) };
    let position = Vec3::new(parse_any_length(x)?, parse_any_length(y)?, parse_any_length(z)?);
    if words.len() == 3 {
        return Ok(Pose::from_parts(position.into(), Rotation::identity()));
    }
    let turn = words[3..].iter().map(|w| w.trim().parse::<f64>().ok().filter(|x| x.is_finite()));
    let [Some(x), Some(y), Some(z), Some(degrees)] = turn.collect::<Vec<_>>()[..] else { return Err(POSE.into()) };
    let axis = Vec3::new(x, y, z);
    let unit = axis / axis.amax();
    if !unit.norm().is_finite() {
        return Err("the axis of a turn cannot be 0,0,0".into());
    }
    let vector = unit.normalize() * (degrees % 360.0).to_radians();
    Ok(Pose::from_parts(position.into(), exp(&vector)))
}

const POSE: &str = "expected X,Y,Z or X,Y,Z,AX,AY,AZ,DEG, as in 0,0,5mm or 0,0,5mm,1,0,0,90";

/// Bytes that a bake may use: four fifths of what is free, or 8 GiB where the system does not tell.
pub fn usable_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = info.lines().find_map(|l| l.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB")?.parse().ok());
    free.map_or(8 << 30, |kib: u64| kib * 1024 / 5 * 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        for (word, metres) in [
            ("0.2mm", 0.0002),
            ("80um", 80e-6),
            ("0.01", 0.01),
            ("1e-3 m", 1e-3),
            ("2inch", 0.0508),
            ("-1.5cm", -0.015),
        ] {
            assert!((parse_any_length(word).unwrap() - metres).abs() < 1e-15, "{word}");
        }
        for word in ["", "mm", "1mmm", "1 2", "nan", "inf", "1e999", "1mm2"] {
            assert!(parse_any_length(word).is_err(), "{word}");
        }
        assert!(parse_length("0mm").is_err() && parse_thickness("0").is_ok() && parse_thickness("-1mm").is_err());
    }

    #[test]
    fn memory_has_units() {
        for (word, bytes) in
            [("1024", 1024), ("4GiB", 4 << 30), ("2G", 2 << 30), ("500MB", 500_000_000), ("1.5k", 1536)]
        {
            assert_eq!(parse_bytes(word), Ok(bytes), "{word}");
        }
        for word in ["", "GB", "-1G", "1X", "1Gx", "1e30"] {
            assert!(parse_bytes(word).is_err(), "{word}");
        }
    }

    #[test]
    fn poses_are_positions_and_turns() {
        let moved = parse_pose("1mm, -2mm,0.5").unwrap();
        assert_eq!((moved.translation.vector, moved.rotation), (Vec3::new(0.001, -0.002, 0.5), Rotation::identity()));
        let turned = parse_pose("0,0,0,0,0,2,90").unwrap().rotation * Vec3::x();
        assert!((turned - Vec3::y()).norm() < 1e-15, "{turned}");
        for word in
            ["", "1,2", "1,2,3,4", "1,2,3,0,0,1", "0,0,0,0,0,0,90", "0,0,0,1,0,0,90,1", "0,0,0,1,0,0,nan", "0,0,1kg"]
        {
            assert!(parse_pose(word).is_err(), "{word}");
        }
    }

    #[test]
    fn placements_are_rows() {
        let moved = parse_placement("1,0,0,5, 0,1,0,6, 0,0,1,7").unwrap();
        assert_eq!(moved, parse_placement("1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1").unwrap());
        assert_eq!(moved.translation, Vec3::new(5.0, 6.0, 7.0));
        assert!(parse_placement("1 2 3").is_err());
        assert!(parse_placement("1 0 0 5 0 1 0 6 0 0 1 7 0 0 1 1").is_err());
        assert!(parse_placement("1 0 0 x 0 1 0 6 0 0 1 7").is_err());
    }
}
