//! Links the binary to a fixed address on Linux: nearly 40,000 addresses in wasmtime's and Cranelift's tables would
//! otherwise be corrected one by one at every start, which took half as long as an empty process and 1.4 MiB of memory.
//! Stack, heap, libraries and the memory of components keep random addresses.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "how build scripts talk to Cargo")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what| std::env::var(what).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
