//! The host's imports in a component: a type for each set of them, so that a component imports nothing that it was not
//! exported with.

use crate::Level;
use crate::bindings::dmplz::messenger::{clock, http, log, socket, store};
use crate::host::Host;
use crate::http::{HttpError, Request, Response};
use crate::socket::{Socket, SocketError};
use crate::store::StoreError;

/// The host's imports in a component with neither sockets nor a store. Outside a component every call panics.
#[derive(Debug, Clone, Copy, Default)]
pub struct Imports;

impl Host for Imports {
    fn send(&self, request: Request) -> Result<Response, HttpError> {
        http::send(&request)
    }

    fn now(&self) -> u64 {
        clock::now()
    }

    fn remaining(&self) -> u32 {
        clock::remaining()
    }

    fn sleep(&self, milliseconds: u32) {
        clock::sleep(milliseconds);
    }

    fn log(&self, level: Level, message: &str) {
        log::write(level, message);
    }
}

/// The methods that every provider's imports have, for a type with further ones.
macro_rules! forwards_to_imports {
    () => {
        fn send(&self, request: Request) -> Result<Response, HttpError> {
            Imports.send(request)
        }

        fn now(&self) -> u64 {
            Imports.now()
        }

        fn remaining(&self) -> u32 {
            Imports.remaining()
        }

        fn sleep(&self, milliseconds: u32) {
            Imports.sleep(milliseconds);
        }

        fn log(&self, level: Level, message: &str) {
            Imports.log(level, message);
        }
    };
}

/// The host's imports including sockets.
#[derive(Debug, Clone, Copy, Default)]
pub struct SocketImports;

impl Host for SocketImports {
    forwards_to_imports!();

    fn connect_socket(&self, url: &str) -> Result<Box<dyn Socket>, SocketError> {
        Ok(Box::new(socket::connect(url)?))
    }
}

/// The host's imports including the store.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoreImports;

impl Host for StoreImports {
    forwards_to_imports!();

    fn stored(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        store::get(key)
    }

    fn store(&self, key: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
        store::set(key, value)
    }
}
