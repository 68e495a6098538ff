//! The imports that a component may have. They are checked before it is compiled (`outline`) and at every load,
//! including code from the cache.
//!
//! | import | implemented by |
//! |---|---|
//! | `dmplz:messenger/{http,socket,store,clock,log,types}@0.10.x` | the host; `socket` and `store` are linked only if they are imported |
//! | `wasi:io/*`, `wasi:cli/*` at 0.2.x, and nothing else of WASI | nothing: a call traps. The standard libraries of Rust and C import these without using them |
//! | `wasi:clocks/*`, `wasi:random/*`, `wasi:filesystem/*`, `wasi:sockets/*` at 0.2.x | WASI with an empty context: the host's clock, random numbers, and no files, sockets, names, environment or arguments; the runtimes of Python and JavaScript need it |
//! | anything else | refused |
//!
//! A component without imports is accepted.

use std::borrow::Borrow;

use wasmtime::component::{Component, HasSelf, Linker};

use crate::Engine;
use crate::bindings::{clock, http, log, socket, store, types};
use crate::state::State;

const OURS: &[&str] = &["http", "socket", "store", "clock", "log", "types"];
/// The prefix of the names of all interfaces of the contract.
const CONTRACT: &str = "dmplz:messenger/";
const CONTRACT_VERSION: &str = "0.10.";
const SOCKET: &str = "dmplz:messenger/socket@";
const STORE: &str = "dmplz:messenger/store@";
const STUBBED: &[&str] = &["wasi:io", "wasi:cli"];
const EMPTY: &[&str] = &["wasi:clocks", "wasi:random", "wasi:filesystem", "wasi:sockets"];

/// Why a component's imports are not accepted.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It imports something that no provider gets.
    #[error(
        "its import {0} is not served: providers get only dmplz:messenger@0.10 and, with nothing behind it, WASI 0.2"
    )]
    Forbidden(String),
    /// It was built for a version of the contract that this program does not support.
    #[error("it was built for dmplz:messenger@{0}, and this program runs providers of dmplz:messenger@0.10")]
    OtherVersion(String),
    /// It uses the contract's name with other types.
    #[error("its imports cannot be linked: {0}")]
    Mismatch(String),
}

/// Returns the linker for a component whose imports were checked.
pub(crate) fn linker(engine: &Engine, component: &Component) -> Result<Linker<State>, ImportError> {
    let ty = component.component_type();
    let imports: Vec<&str> = ty.imports(&engine.0).map(|(name, _)| name).collect();
    let exports: Vec<&str> = ty.exports(&engine.0).map(|(name, _)| name).collect();
    let wants = check(&imports, &exports)?;
    let mut linker = Linker::new(&engine.0);
    let linked = link(&mut linker, component, wants);
    linked.map_err(|error| ImportError::Mismatch(format!("{error:#}")))?;
    Ok(linker)
}

/// What has to be linked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wants {
    wasi: bool,
    sockets: bool,
    store: bool,
}

/// Checks a component's imports. An unsupported version of the contract, also of an export, is reported before the
/// missing import that results from it.
pub(crate) fn check<N: Borrow<str>>(imports: &[N], exports: &[N]) -> Result<Wants, ImportError> {
    let names = imports.iter().chain(exports).map(Borrow::borrow);
    let mut of_contract = names.filter_map(|name: &str| name.strip_prefix(CONTRACT)?.split_once('@'));
    if let Some((_, version)) = of_contract.find(|(_, version)| !is_patch_of(version, CONTRACT_VERSION)) {
        return Err(ImportError::OtherVersion(version.chars().take(32).collect()));
    }
    let mut wants = Wants::default();
    for name in imports.iter().map(Borrow::borrow) {
        match classify(name) {
            Class::Ours => {
                wants.sockets |= name.starts_with(SOCKET);
                wants.store |= name.starts_with(STORE);
            }
            Class::Stubbed => {}
            Class::Empty => wants.wasi = true,
            Class::Forbidden => return Err(ImportError::Forbidden(name.chars().take(128).collect())),
        }
    }
    Ok(wants)
}

fn link(linker: &mut Linker<State>, component: &Component, wants: Wants) -> wasmtime::Result<()> {
    http::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    clock::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    log::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    types::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    if wants.store {
        store::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    }
    if wants.sockets {
        socket::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    }
    if wants.wasi {
        wasmtime_wasi::p2::add_to_linker_async(linker)
    } else {
        linker.define_unknown_imports_as_traps(component)
    }
}

#[derive(Debug, PartialEq)]
enum Class {
    Ours,
    Stubbed,
    Empty,
    Forbidden,
}

fn classify(import: &str) -> Class {
    let Some((path, version)) = import.split_once('@') else { return Class::Forbidden };
    let Some((package, interface)) = path.split_once('/') else { return Class::Forbidden };
    let of = |major_minor: &str| is_patch_of(version, major_minor);
    match package {
        "dmplz:messenger" if of(CONTRACT_VERSION) && OURS.contains(&interface) => Class::Ours,
        _ if of("0.2.") && STUBBED.contains(&package) => Class::Stubbed,
        _ if of("0.2.") && EMPTY.contains(&package) => Class::Empty,
        _ => Class::Forbidden,
    }
}

/// Returns whether a version is `MAJOR.MINOR.` followed by a number.
fn is_patch_of(version: &str, major_minor: &str) -> bool {
    version.strip_prefix(major_minor).is_some_and(|patch| patch.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use wasmtime::component::Component;

    use super::{Class, classify, linker};
    use crate::{Engine, native};

    #[test]
    fn sockets_are_linked_only_where_they_are_wanted() {
        let engine = Engine::new().unwrap();
        let component = |wat: &str| -> Component {
            let code = crate::precompile(&wat::parse_str(wat).unwrap(), None).unwrap();
            native::trusted(&engine.0, &code).unwrap()
        };
        let resource = "(instance (export \"connection\" (type (sub resource))))";
        let wants = component(&format!("(component (import \"dmplz:messenger/socket@0.10.0\" {resource}))"));
        let wants_none = component("(component)");
        assert!(linker(&engine, &wants).unwrap().instantiate_pre(&wants).is_ok());
        assert!(linker(&engine, &wants_none).unwrap().instantiate_pre(&wants).is_err());
    }

    #[test]
    fn only_the_contract_and_harmless_parts_of_wasi_are_served() {
        let table = [
            ("dmplz:messenger/http@0.10.0", Class::Ours),
            ("dmplz:messenger/types@0.10.7", Class::Ours),
            ("dmplz:messenger/socket@0.10.0", Class::Ours),
            ("dmplz:messenger/store@0.10.0", Class::Ours),
            ("dmplz:messenger/sockets@0.10.0", Class::Forbidden),
            ("dmplz:messenger/http@0.4.0", Class::Forbidden),
            ("dmplz:messenger/http@0.11.0", Class::Forbidden),
            ("dmplz:messenger/http@0.1.0", Class::Forbidden),
            ("dmplz:messenger/provider@0.10.0", Class::Forbidden),
            ("dmplz:messenger/http", Class::Forbidden),
            ("wasi:io/streams@0.2.6", Class::Stubbed),
            ("wasi:cli/environment@0.2.3", Class::Stubbed),
            ("wasi:clocks/wall-clock@0.2.6", Class::Empty),
            ("wasi:sockets/tcp@0.2.0", Class::Empty),
            ("wasi:io/streams@0.3.0", Class::Forbidden),
            ("wasi:http/outgoing-handler@0.2.6", Class::Forbidden),
            ("wasi:keyvalue/store@0.2.0", Class::Forbidden),
            ("evil:host/shell@0.2.0", Class::Forbidden),
            ("run", Class::Forbidden),
        ];
        for (import, class) in table {
            assert_eq!(classify(import), class, "{import}");
        }
    }
}
