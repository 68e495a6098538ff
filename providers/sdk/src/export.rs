//! Turns a [`crate::Provider`] into a component.

use crate::{Error, Host, Imports, Level};

/// Exports a type that implements [`Provider`](crate::Provider) as a component: `export_provider!(Telegram)`, or
/// `export_provider!(Discord with sockets)` for one that opens WebSockets and `export_provider!(Acme with store)` for one that
/// stores something, since only those forms import that. Call it once per crate. Outside WebAssembly it expands to nothing, so that the crate's tests run on the build machine.
#[macro_export]
macro_rules! export_provider {
    ($provider:ty) => {
        $crate::export_provider!($provider, $crate::Imports);
    };
    ($provider:ident with sockets) => {
        $crate::export_provider!($provider, $crate::imports::SocketImports);
    };
    ($provider:ident with store) => {
        $crate::export_provider!($provider, $crate::imports::StoreImports);
    };
    ($provider:ty, $imports:path) => {
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code, reason = "the exports of a component are raw functions")]
        mod component {
            use super::*;
            use $crate::{Provider, bindings};

            ::std::thread_local! {
                static CONNECTED: ::std::cell::RefCell<Option<$provider>> = const { ::std::cell::RefCell::new(None) };
            }

            struct Component;

            impl bindings::exports::dmplz::messenger::provider::Guest for Component {
                fn describe() -> $crate::Manifest {
                    $crate::tell_panics();
                    <$provider>::describe()
                }

                fn connect(settings: Vec<$crate::Setting>, transport: String) -> Result<(), $crate::Error> {
                    let provider = <$provider>::connect(&settings, &transport)?;
                    CONNECTED.set(Some(provider));
                    Ok(())
                }

                fn open(chat: $crate::Chat) -> Result<$crate::OpenChat, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.open(&$imports, chat))
                }

                fn diagnose(chat: $crate::Chat) -> Result<$crate::Diagnosis, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.diagnose(&$imports, chat))
                }

                fn introduce(code: String) -> Result<Option<$crate::Introduction>, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.introduce(&$imports, &code))
                }

                fn meet(cursor: String, wait: u32) -> Result<$crate::Meeting, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.meet(&$imports, &cursor, wait))
                }

                fn post(chat: $crate::OpenChat, card: $crate::Card) -> Result<$crate::MessageRef, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.post(&$imports, chat, card))
                }

                fn revise(message: $crate::MessageRef, card: $crate::Card) -> Result<(), $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.revise(&$imports, message, card))
                }

                fn receive(
                    cursor: String,
                    watching: Vec<$crate::Watch>,
                    wait: u32,
                ) -> Result<$crate::Batch, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.receive(&$imports, &cursor, &watching, wait))
                }

                fn open_thread(
                    chat: $crate::OpenChat,
                    name: String,
                ) -> Result<Option<$crate::OpenChat>, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.open_thread(&$imports, chat, &name))
                }

                fn set_thread(thread: $crate::OpenChat, name: String, closed: bool) -> Result<(), $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.set_thread(&$imports, thread, &name, closed))
                }

                fn set_commands(chat: $crate::OpenChat, commands: Vec<$crate::Command>) -> Result<(), $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.set_commands(&$imports, chat, &commands))
                }

                fn locate(file: $crate::SentFile) -> Result<$crate::Download, $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.locate(&$imports, file))
                }

                fn draft(chat: $crate::OpenChat, key: u32, text: String) -> Result<(), $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.draft(&$imports, chat, key, &text))
                }

                fn acknowledge(event: $crate::Chosen, notice: Option<String>) -> Result<(), $crate::Error> {
                    CONNECTED.with_borrow_mut(|it| $crate::connected(it)?.acknowledge(&$imports, event, notice))
                }
            }

            bindings::export_component!(Component with_types_in bindings);
        }
    };
}

/// Returns the connected provider, or the error for a host that did not call `connect`.
#[doc(hidden)]
pub fn connected<P>(provider: &mut Option<P>) -> Result<&mut P, Error> {
    provider.as_mut().ok_or_else(|| Error::other("called before connect"))
}

/// Logs panics before they trap, because a trap carries no text, and a component's stderr is discarded.
#[doc(hidden)]
pub fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| Imports.log(Level::Error, &panic.to_string())));
}
