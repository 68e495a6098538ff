//! Makes a module of each messenger's platforms: their files are in the messengers' folders.

#![allow(clippy::print_stdout, reason = "how build scripts talk to Cargo")]

fn main() {
    let all = |messengers: &[&str]| {
        let visits: String = messengers.iter().map(|name| format!("    {name}::platforms(visitor);\n")).collect();
        format!(
            "/// Shows every platform to a visitor.\npub fn each_platform(visitor: &mut impl Visitor) {{\n{visits}}}\n"
        )
    };
    if let Err(error) = dmplz_guest_build::modules("platforms.rs", "driver/platform.rs", |_, _| String::new(), all) {
        println!("cargo::error={error}");
    }
}
