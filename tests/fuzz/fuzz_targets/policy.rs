//! Fuzzes [`dmplz_fuzz::policy`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::policy(data));
