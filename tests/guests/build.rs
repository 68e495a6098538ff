//! Builds the hostile component for the tests.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "build scripts talk to Cargo on stdout")]

fn main() {
    match dmplz_guest_build::build(&["dmplz-hostile"], &["tests/guests/hostile"]).as_deref() {
        Ok([hostile]) => println!("cargo:rustc-env=DMPLZ_HOSTILE={}", hostile.display()),
        Ok(_) => fail("build one component"),
        Err(error) => fail(error),
    }
}

fn fail(error: impl std::fmt::Display) {
    println!("cargo::error={error}");
    // Without this, Cargo does not show the output of the nested Cargo.
    std::process::exit(1);
}
