#![no_main]

use stiction_bake::import::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stiction_fuzz::import(bytes, Format::StlBinary));
