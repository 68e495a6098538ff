//! The providers that come with the program: compiled ahead of time, embedded, and run where they lie.
//!
//! [`MESSENGERS`] is all that the program knows of them: what each said of itself when the program was built. The list of their
//! names is `providers/messengers.rs`.

mod messenger;

pub use dmplz_core::messenger::{ChatKind, Users};
pub use messenger::{Messenger, Setting, Takes, Transport};

use dmplz_plugin::{Component, Engine, LoadError};

/// Native code must start on a page, or it has to be copied. The alignment is [`dmplz_plugin::PAGE`].
#[cfg_attr(target_arch = "x86_64", repr(C, align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C, align(65536)))]
struct OnAPage<Bytes: ?Sized>(Bytes);

/// Every bundled messenger, in the order of the list.
pub static MESSENGERS: &[Messenger] = include!(concat!(env!("OUT_DIR"), "/messengers.rs"));

/// The bundled messenger of a name.
pub fn messenger(name: &str) -> Option<&'static Messenger> {
    MESSENGERS.iter().find(|messenger| messenger.name == name)
}

/// The component of that messenger: [`Messenger::component`].
pub fn component(engine: &Engine, name: &str) -> Option<Result<Component, LoadError>> {
    messenger(name).map(|messenger| messenger.component(engine))
}
