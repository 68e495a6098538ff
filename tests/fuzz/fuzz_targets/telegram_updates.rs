//! Fuzzes [`dmplz_fuzz::telegram_updates`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::telegram_updates(data));
