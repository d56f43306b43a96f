//! Protocol buffers on the wire, as much as is needed: varints, fixed numbers, bytes. Our own messages have fixed numbers only, so that
//! every bit of a float survives; what is zero is left out, as proto3 does.

use crate::fields::{Field, Kind};

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;
const FIXED32: u64 = 5;

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

fn put_fixed32(field: u64, word: u32, out: &mut Vec<u8>) {
    if word != 0 {
        varint(field << 3 | FIXED32, out);
        out.extend_from_slice(&word.to_le_bytes());
    }
}

/// The message of those words.
pub fn encode(fields: &[Field], words: &[u64], out: &mut Vec<u8>) {
    let mut number = 0;
    for (field, &word) in fields.iter().zip(words) {
        number += 1;
        match field.kind {
            Kind::Double | Kind::Fixed64 if word == 0 => {}
            Kind::Double | Kind::Fixed64 => put_fixed64(number, word, out),
            Kind::Fixed32 => put_fixed32(number, word as u32, out),
            Kind::Halves(_) => {
                put_fixed32(number, word as u32, out);
                number += 1;
                put_fixed32(number, (word >> 32) as u32, out);
            }
        }
    }
}

/// The words of a message, which are in the order of their fields; none where it is no such message.
pub fn decode(fields: &[Field], mut bytes: &[u8], words: &mut [u64]) -> Option<()> {
    let mut next = take_key(&mut bytes)?;
    let mut number = 0;
    for (field, word) in fields.iter().zip(words) {
        number += 1;
        *word = 0;
        match field.kind {
            Kind::Double | Kind::Fixed64 => {
                if next == Some((number, FIXED64)) {
                    *word = u64::from_le_bytes(take(&mut bytes)?);
                    next = take_key(&mut bytes)?;
                }
            }
            Kind::Fixed32 | Kind::Halves(_) => {
                if next == Some((number, FIXED32)) {
                    *word = u64::from(u32::from_le_bytes(take(&mut bytes)?));
                    next = take_key(&mut bytes)?;
                }
            }
        }
        if let Kind::Halves(_) = field.kind {
            number += 1;
            if next == Some((number, FIXED32)) {
                *word |= u64::from(u32::from_le_bytes(take(&mut bytes)?)) << 32;
                next = take_key(&mut bytes)?;
            }
        }
    }
    next.is_none().then_some(())
}

/// Number and wire type of the next field; `Some(None)` at the end.
fn take_key(bytes: &mut &[u8]) -> Option<Option<(u64, u64)>> {
    if bytes.is_empty() {
        return Some(None);
    }
    let mut key = 0;
    for shift in [0, 7, 14] {
        let [byte] = take(bytes)?;
        key |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(Some((key >> 3, key & 7)));
        }
    }
    None
}

/// The next bytes, which are taken away; none where there are too few.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = bytes.split_first_chunk()?;
    *bytes = tail;
    Some(*head)
}
