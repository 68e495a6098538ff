//! Builds the hostile component and the author guide's example for the tests.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "build scripts talk to Cargo on stdout")]

fn main() {
    let (packages, sources) =
        (["dmplz-hostile", "dmplz-example-signal"], ["tests/guests/hostile", "providers/examples"]);
    match dmplz_guest_build::build(&packages, &sources).as_deref() {
        Ok([hostile, signal]) => {
            println!("cargo:rustc-env=DMPLZ_HOSTILE={}", hostile.display());
            println!("cargo:rustc-env=DMPLZ_SIGNAL={}", signal.display());
        }
        Ok(_) => fail("build two components"),
        Err(error) => fail(error),
    }
}

fn fail(error: impl std::fmt::Display) {
    println!("cargo::error={error}");
    // Without this, Cargo does not show the output of the nested Cargo.
    std::process::exit(1);
}
