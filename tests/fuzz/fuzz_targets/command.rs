//! Fuzzes [`dmplz_fuzz::command`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::command(data));
