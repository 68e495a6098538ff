//! The providers that come with the program: compiled ahead of time, embedded, and run where they lie.
//!
//! [`MESSENGERS`] is all that the program knows of them: what each said of itself when the program was built. The list of their
//! names is `providers/messengers.rs`.

pub use dmplz_core::described::{Messenger, Setting, Takes, Transport};
pub use dmplz_core::messenger::{ChatKind, Users};
use dmplz_plugin::{Component, Engine, LoadError};

/// Native code must start on a page, or it has to be copied. The alignment is [`dmplz_plugin::PAGE`].
#[cfg_attr(target_arch = "x86_64", repr(C, align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C, align(65536)))]
struct OnAPage<Bytes: ?Sized>(Bytes);

/// A component that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Embedded {
    /// The name of its messenger.
    pub name: &'static str,
    /// The SHA-256 of the component that was compiled, 64 hexadecimal digits.
    pub sha256: &'static str,
    /// The size of that component, in bytes.
    pub size: u64,
    code: &'static [u8],
}

/// Every bundled messenger, in the order of the list.
pub static MESSENGERS: &[Messenger] = include!(concat!(env!("OUT_DIR"), "/messengers.rs"));

static COMPONENTS: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/components.rs"));

/// Returns the bundled messenger of this name.
pub fn messenger(name: &str) -> Option<&'static Messenger> {
    MESSENGERS.iter().find(|messenger| messenger.name == name)
}

/// Returns the embedded component and description of this messenger.
pub fn embedded(name: &str) -> Option<&'static Embedded> {
    COMPONENTS.iter().find(|component| component.name == name)
}

/// Returns the component of this messenger: [`Embedded::component`].
pub fn component(engine: &Engine, name: &str) -> Option<Result<Component, LoadError>> {
    embedded(name).map(|embedded| embedded.component(engine))
}

impl Embedded {
    /// Loads the component, in about 0.2 ms. It may be trusted with everything that its manifest asks for:
    /// [`dmplz_plugin::Grants::Manifest`].
    ///
    /// # Errors
    /// When it was compiled for another engine.
    pub fn component(&self, engine: &Engine) -> Result<Component, LoadError> {
        Component::embedded(engine, self.code)
    }
}
