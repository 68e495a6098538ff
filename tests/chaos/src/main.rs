//! `cargo xtask chaos`.
fn main() {}
