//! The providers that come with the program: compiled ahead of time, embedded, and run where they lie.

use dmplz_plugin::{Component, Engine, LoadError};

/// Native code must start on a page, or it has to be copied. The alignment is [`dmplz_plugin::PAGE`].
#[cfg_attr(target_arch = "x86_64", repr(C, align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C, align(65536)))]
struct OnAPage<Bytes: ?Sized>(Bytes);

static TELEGRAM: &OnAPage<[u8]> = &OnAPage(*include_bytes!(concat!(env!("OUT_DIR"), "/telegram.native")));
static DISCORD: &OnAPage<[u8]> = &OnAPage(*include_bytes!(concat!(env!("OUT_DIR"), "/discord.native")));

/// The names that [`component`] knows.
pub const NAMES: [&str; 2] = ["telegram", "discord"];

/// A bundled component by its provider's name; none where none is of that name. About 0.2 ms. It may be trusted with
/// what its manifest asks for: [`dmplz_plugin::Grants::Manifest`].
pub fn component(engine: &Engine, name: &str) -> Option<Result<Component, LoadError>> {
    let code = match name {
        "telegram" => &TELEGRAM.0,
        "discord" => &DISCORD.0,
        _ => return None,
    };
    Some(Component::embedded(engine, code))
}
