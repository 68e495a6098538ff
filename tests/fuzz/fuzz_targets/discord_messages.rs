//! Fuzzes [`dmplz_fuzz::discord_messages`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dmplz_fuzz::discord_messages(data));
