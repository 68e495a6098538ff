//! Fuzzes [`dmplz_fuzz::mask`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::mask(data));
