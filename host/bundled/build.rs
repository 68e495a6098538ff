//! Builds the first-party providers and compiles them ahead of time, for the program's processor family and with the
//! same engine that the program runs. The manifests become constants, so that the program knows its messengers'
//! settings without starting a component.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "how build scripts talk to Cargo")]

#[path = "build/description.rs"]
mod description;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dmplz_guest_build::MESSENGERS;

fn main() {
    if let Err(error) = embed() {
        println!("cargo::error=the messengers cannot be embedded: {error}");
        // Without this Cargo keeps what the nested one printed to itself.
        std::process::exit(1);
    }
}

fn embed() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    let (out, target) = (env::var("OUT_DIR")?, env::var("TARGET")?);
    let packages: Vec<String> = MESSENGERS.iter().map(|name| dmplz_guest_build::package(name)).collect();
    let mut sources: Vec<PathBuf> = MESSENGERS.iter().flat_map(|name| dmplz_guest_build::sources(name)).collect();
    sources.push(PathBuf::from("providers/sdk"));
    let components = dmplz_guest_build::build(&packages, &sources)?;
    let (mut list, mut code) = (String::new(), String::new());
    for (name, component) in MESSENGERS.iter().zip(components) {
        let wasm = fs::read(component)?;
        let native = Path::new(&out).join(name).with_extension("native");
        fs::write(&native, dmplz_plugin::precompile(&wasm, Some(&target))?)?;
        let manifest = description::of(&wasm)?;
        if manifest.name != *name {
            return Err(format!("the provider of {name} calls itself {}", manifest.name).into());
        }
        list.push_str(&description::written(&manifest));
        code.push_str(&description::embedded(name, &wasm, &native));
    }
    let names = "use ChatKind::*; use Takes::*;";
    fs::write(Path::new(&out).join("messengers.rs"), format!("{{ {names} &[{list}] }}"))?;
    fs::write(Path::new(&out).join("components.rs"), format!("&[{code}]"))?;
    Ok(())
}
