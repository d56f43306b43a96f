//! Protocol buffers on the wire, as much as is needed: varints, fixed numbers, bytes. In our own messages real numbers are `double` and keep every
//! bit, all others are `uint64`; what is zero is left out, as proto3 does.

use stiction::columns::{Column, ColumnKind};

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;

pub fn varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

pub fn put_number(field: u64, n: u64, out: &mut Vec<u8>) {
    varint(field << 3 | VARINT, out);
    varint(n, out);
}

pub fn put_double(field: u64, x: f64, out: &mut Vec<u8>) {
    put_fixed64(field, x.to_bits(), out);
}

pub fn put_bytes(field: u64, bytes: &[u8], out: &mut Vec<u8>) {
    varint(field << 3 | BYTES, out);
    varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

fn put_fixed64(field: u64, word: u64, out: &mut Vec<u8>) {
    varint(field << 3 | FIXED64, out);
    out.extend_from_slice(&word.to_le_bytes());
}

/// The message of those words.
pub fn encode(columns: &[Column], words: &[u64], out: &mut Vec<u8>) {
    for ((column, &word), number) in columns.iter().zip(words).zip(1..).filter(|((_, word), _)| **word != 0) {
        match column.kind {
            ColumnKind::Real => put_fixed64(number, word, out),
            _ => put_number(number, word, out),
        }
    }
}

/// The words of a message, which are in the order of their columns; `None` if it is no such message.
pub fn decode(columns: &[Column], mut bytes: &[u8], words: &mut [u64]) -> Option<()> {
    words.fill(0);
    let mut rest = columns.iter().zip(words).zip(1..);
    while !bytes.is_empty() {
        let key = take_varint(&mut bytes)?;
        let ((column, word), _) = rest.find(|(_, number)| *number == key >> 3)?;
        *word = match (key & 7, &column.kind) {
            (FIXED64, ColumnKind::Real) => u64::from_le_bytes(take(&mut bytes)?),
            (VARINT, ColumnKind::Count | ColumnKind::Choice(_) | ColumnKind::Flags(_)) => take_varint(&mut bytes)?,
            _ => return None,
        };
    }
    Some(())
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = take(bytes)?;
        n |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

/// The next bytes, which are taken away; `None` if there are too few.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = bytes.split_first_chunk()?;
    *bytes = tail;
    Some(*head)
}
