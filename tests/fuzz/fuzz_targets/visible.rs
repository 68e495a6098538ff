//! Fuzzes [`dmplz_fuzz::visible`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::visible(data));
