#![no_main]

use stiction_bake::import::MeshFormat;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stiction_fuzz::import(bytes, MeshFormat::Ply));
