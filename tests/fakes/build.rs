//! Makes a module of each messenger's fake and one of its tests. Their files are in the messengers' folders.

#![allow(clippy::print_stdout, reason = "how build scripts talk to Cargo")]

use dmplz_guest_build::{GuestError, modules};

fn main() {
    if let Err(error) = write() {
        println!("cargo::error={error}");
    }
}

fn write() -> Result<(), GuestError> {
    let exported = |messenger: &str, title: &str| format!("pub use {messenger}::Fake{title};\n");
    modules("fakes.rs", "fake/lib.rs", exported, |_| String::new())?;
    modules("tests.rs", "fake/tests/lib.rs", |_, _| String::new(), |_| String::new())
}
