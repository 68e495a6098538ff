//! Links the binary to a fixed address on Linux: nearly 40,000 addresses in wasmtime's and Cranelift's tables would
//! otherwise be corrected one by one at every start, which took half as long as an empty process and 1.4 MiB of memory.
//! Stack, heap, libraries and the memory of components keep random addresses.
//!
//! The profile `dist` has what a hook runs in one place, by `startup.ld`: `cargo xtask startup-order` writes it, and says why. The names in
//! it are those of x86-64, whose linker by default, LLD, takes such a list quickly.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "how build scripts talk to Cargo")]

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=startup.ld");
    let target = |what| std::env::var(what).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") != "linux" {
        return;
    }
    // The compiler says so by itself for a static program.
    if !target("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rerun-if-env-changed=DMPLZ_LINK_MAP");
    if target("CARGO_CFG_TARGET_ENV") == "musl" {
        // Cargo tells build scripts no profile but `debug` and `release`; the folder of the output has its name.
        let output = target("OUT_DIR");
        let profile = Path::new(&output).ancestors().nth(3).and_then(Path::file_name);
        if profile.is_some_and(|profile| profile == "dist") && target("CARGO_CFG_TARGET_ARCH") == "x86_64" {
            println!("cargo::rustc-link-arg-bins=-T{}/startup.ld", target("CARGO_MANIFEST_DIR"));
        }
        if let Ok(map) = std::env::var("DMPLZ_LINK_MAP") {
            println!("cargo::rustc-link-arg-bins=-Map={map}");
        }
    }
}
