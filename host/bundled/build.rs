//! Builds the first-party providers and compiles them ahead of time, for the processor family that the program is
//! built for and with the very engine that it will run.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "how build scripts talk to Cargo")]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const PACKAGES: [&str; 2] = ["dmplz-telegram", "dmplz-discord"];

fn main() {
    if let Err(error) = embed() {
        println!("cargo::error=failed to {error}");
        // Without this Cargo keeps what the nested one printed to itself.
        std::process::exit(1);
    }
}

fn embed() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let (out, target) = (env::var("OUT_DIR")?, env::var("TARGET")?);
    let components = dmplz_guest_build::build(&PACKAGES, &["providers"])?;
    for (package, component) in PACKAGES.into_iter().zip(components) {
        let name = package.trim_start_matches("dmplz-");
        let code = dmplz_plugin::precompile(&fs::read(component)?, Some(&target))?;
        fs::write(Path::new(&out).join(name).with_extension("native"), code)?;
    }
    Ok(())
}
