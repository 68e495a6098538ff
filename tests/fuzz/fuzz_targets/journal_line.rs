//! Fuzzes [`dmplz_fuzz::journal_line`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::journal_line(data));
