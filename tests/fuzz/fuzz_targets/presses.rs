//! Fuzzes [`dmplz_fuzz::presses`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::presses(data));
