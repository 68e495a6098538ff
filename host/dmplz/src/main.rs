//! dmplz
fn main() {}
