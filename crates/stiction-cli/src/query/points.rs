//! Points from a table, one row after the other.

use crate::Failure;
use std::io::{BufRead, Read};
use stiction::spatial::Vec3;

/// A line longer than this is no row of a table.
const LONGEST: u64 = 1 << 16;

/// Reads rows.
pub struct Points<R> {
    name: String,
    reader: R,
    bytes: Vec<u8>,
    line: u64,
    /// In which columns x, y and z are, once the first row is known.
    columns: Option<[usize; 3]>,
}

impl<R: BufRead> Points<R> {
    /// From a reader that messages call `name`.
    pub fn new(name: String, reader: R) -> Self {
        Points { name, reader, bytes: Vec::new(), line: 0, columns: None }
    }

    /// The next point, or `None` after the last.
    pub fn next(&mut self) -> Result<Option<Vec3>, Failure> {
        loop {
            self.bytes.clear();
            let read = self.reader.by_ref().take(LONGEST).read_until(b'\n', &mut self.bytes);
            let read = read.map_err(|e| Failure::Other(format!("{}: cannot be read: {e}", self.name)))?;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            match row(&self.bytes, self.line == 1, &mut self.columns) {
                Ok(None) => {}
                Ok(point) => return Ok(point),
                Err(cause) => return Err(Failure::Other(format!("{}, line {}: {cause}", self.name, self.line))),
            }
        }
    }
}

/// A row; `None` for an empty one, a remark and the names of columns.
fn row(bytes: &[u8], first: bool, columns: &mut Option<[usize; 3]>) -> Result<Option<Vec3>, String> {
    if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
        return Err("too long for a row of a table".into());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "not text".to_string())?;
    let text = if first { text.trim_start_matches('\u{feff}') } else { text }.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let comma = [',', ';', '\t'].into_iter().find(|c| text.contains(*c));
    let cells: &mut dyn Iterator<Item = &str> =
        if let Some(c) = comma { &mut text.split(c).map(str::trim) } else { &mut text.split_whitespace() };
    let Some(places) = *columns else {
        let cells: Vec<&str> = cells.map(|c| c.trim_matches('"')).collect();
        let names = !cells.iter().any(|c| c.parse::<f64>().is_ok());
        *columns = Some(if names { named(&cells)? } else { [0, 1, 2] });
        return if names { Ok(None) } else { row(bytes, first, columns) };
    };
    let mut found = [None; 3];
    for (i, cell) in cells.enumerate() {
        if let Some(k) = places.iter().position(|&place| place == i) {
            found[k] = Some(number(cell, ["x", "y", "z"][k])?);
        }
    }
    match found {
        [Some(x), Some(y), Some(z)] => Ok(Some(Vec3::new(x, y, z))),
        _ => Err("fewer columns than x, y and z need".into()),
    }
}

fn number(cell: &str, name: &str) -> Result<f64, String> {
    match cell.trim_matches('"').parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        Ok(_) => Err(format!("{name} is {cell}, which is not finite")),
        Err(_) => Err(format!("{name} is \"{}\", which is not a number", cell.chars().take(40).collect::<String>())),
    }
}

/// Where the columns called x, y and z are.
fn named(cells: &[&str]) -> Result<[usize; 3], String> {
    let find = |name: &str| {
        let found = cells.iter().position(|c| c.eq_ignore_ascii_case(name));
        found.ok_or_else(|| format!("there is no column {name}; expected x,y,z or numbers"))
    };
    Ok([find("x")?, find("y")?, find("z")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<[f64; 3]>, String> {
        let mut points = Points::new("it".into(), text.as_bytes());
        let mut out = Vec::new();
        loop {
            match points.next() {
                Ok(Some(p)) => out.push(p.into()),
                Ok(None) => return Ok(out),
                Err(Failure::Other(message)) => return Err(message),
                Err(other) => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn tables_of_many_kinds_are_read() {
        let wanted = Ok(vec![[1.0, 2.0, -3e-3], [4.0, 5.0, 6.0]]);
        for text in [
            "1,2,-3e-3\n4,5,6\n",
            "x,y,z\r\n1,2,-0.003\r\n\r\n4,5,6",
            "\u{feff}x, y, z\n1, 2, -0.003\n# a remark\n4, 5, 6, 7\n",
            "1 2  -0.003\n4 5 6",
            "1;2;-0.003\n4;5;6",
            "name\tZ\tY\tX\na\t-0.003\t2\t1\nb\t6\t5\t4",
            "\"x\",\"y\",\"z\"\n1,2,-0.003\n\"4\",5,6",
        ] {
            assert_eq!(all(text), wanted, "{text}");
        }
        assert_eq!(all(""), Ok(vec![]));
    }

    #[test]
    fn bad_rows_are_named() {
        for (text, cause) in [
            ("1,2\n", "it, line 1: fewer columns"),
            ("x,y,z\n1,2,3\n1,two,3\n", "it, line 3: y is \"two\", which is not a number"),
            ("1,2,nan", "it, line 1: z is nan, which is not finite"),
            ("a,b,c\n1,2,3", "it, line 1: there is no column x"),
            ("1,,3", "it, line 1: y is \"\""),
            ("1 2,3", "it, line 1: x is \"1 2\""),
        ] {
            let message = all(text).unwrap_err();
            assert!(message.starts_with(cause), "{text}: {message}");
        }
        let long = "1".repeat(LONGEST as usize + 5);
        assert!(all(&long).unwrap_err().contains("too long"));
    }
}
