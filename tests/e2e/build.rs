//! Makes a module of each messenger's chats: their files are in the messengers' folders.

#![allow(clippy::print_stdout, reason = "how build scripts talk to Cargo")]

fn main() {
    let all = |messengers: &[&str]| {
        let places: String = messengers.iter().map(|name| format!("{name}::PLACES, ")).collect();
        format!("/// The kinds of chats of every messenger.\npub const PLACES: &[&[Place]] = &[{places}];\n")
    };
    if let Err(error) = dmplz_guest_build::modules("places.rs", "driver/chat.rs", |_, _| String::new(), all) {
        println!("cargo::error={error}");
    }
}
