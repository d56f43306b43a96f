//! Words and numbers of a file, in text or in binary, with the place where each is.

use super::TetReadError;

/// A reader over the bytes of a file.
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether numbers are in binary, and then whether the most significant byte comes first.
    pub(super) binary: Option<bool>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Tokens { bytes, at: 0, binary: None }
    }

    fn place(&self) -> String {
        match self.binary {
            None => {
                let lines = self.bytes[..self.at.min(self.bytes.len())].iter().filter(|&&b| b == b'\n').count();
                format!("line {}", lines + 1)
            }
            Some(_) => format!("byte {}", self.at),
        }
    }

    pub(super) fn unexpected(&self, expected: &'static str, found: &[u8]) -> TetReadError {
        let found = String::from_utf8_lossy(&found[..found.len().min(40)]).replace(char::is_control, " ");
        TetReadError::Unexpected { place: self.place(), expected, found }
    }

    /// The rest of the line, without its end.
    pub(super) fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        Some(rest[..length].trim_ascii_end())
    }

    /// The next word in text.
    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let start = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        self.at += start + length;
        Some(&rest[start..start + length])
    }

    pub(super) fn expect_word(&mut self, within: &'static str) -> Result<&'a [u8], TetReadError> {
        self.word().ok_or(TetReadError::CutOff { within })
    }

    /// The next word in text, read as something.
    pub(super) fn parse<T: std::str::FromStr>(
        &mut self,
        expected: &'static str,
        within: &'static str,
    ) -> Result<T, TetReadError> {
        let word = self.expect_word(within)?;
        let read = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        read.ok_or_else(|| self.unexpected(expected, word))
    }

    fn raw<const N: usize>(&mut self, within: &'static str) -> Result<[u8; N], TetReadError> {
        let bytes = self.bytes.get(self.at..self.at.saturating_add(N)).ok_or(TetReadError::CutOff { within })?;
        self.at += N;
        let mut out = [0; N];
        out.copy_from_slice(bytes);
        if self.binary == Some(true) {
            out.reverse();
        }
        Ok(out)
    }

    /// A 32-bit integer in binary, or a word in text.
    pub(super) fn int(&mut self, within: &'static str) -> Result<i64, TetReadError> {
        match self.binary {
            None => self.parse("an integer", within),
            Some(_) => Ok(i64::from(i32::from_le_bytes(self.raw(within)?))),
        }
    }

    /// A 64-bit integer in binary, or a word in text.
    pub(super) fn long(&mut self, within: &'static str) -> Result<u64, TetReadError> {
        match self.binary {
            None => self.parse("a whole number", within),
            Some(_) => Ok(u64::from_le_bytes(self.raw(within)?)),
        }
    }

    /// A 64-bit real in binary, or a word in text.
    pub(super) fn real(&mut self, within: &'static str) -> Result<f64, TetReadError> {
        match self.binary {
            None => self.parse("a number", within),
            Some(_) => Ok(f64::from_le_bytes(self.raw(within)?)),
        }
    }

    /// A 32-bit real in binary, or a word in text.
    pub(super) fn short_real(&mut self, within: &'static str) -> Result<f64, TetReadError> {
        match self.binary {
            None => self.parse("a number", within),
            Some(_) => Ok(f64::from(f32::from_le_bytes(self.raw(within)?))),
        }
    }

    /// A number of things that follow, each at least `least` bytes long: refused where the file has not that many bytes left.
    pub(super) fn count(&self, claimed: u64, least: usize, within: &'static str) -> Result<usize, TetReadError> {
        let left = self.bytes.len().saturating_sub(self.at);
        match usize::try_from(claimed).ok().and_then(|n| Some((n, n.checked_mul(least)?))) {
            // The last thing in text needs no space behind it.
            Some((n, bytes)) if bytes <= left + 1 => Ok(n),
            _ => Err(TetReadError::CutOff { within }),
        }
    }
}
