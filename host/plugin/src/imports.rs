//! What a component may import. Checked at every load, also of code from the cache.
//!
//! | import | behind it |
//! |---|---|
//! | `dmplz:messenger/{http,socket,clock,log,types}@0.6.x` | the host; `socket` is linked only where it is wanted |
//! | `wasi:io/*`, `wasi:cli/*` at 0.2.x, and nothing else of WASI | nothing: a call traps. The standard libraries of Rust and C only link these |
//! | `wasi:clocks/*`, `wasi:random/*`, `wasi:filesystem/*`, `wasi:sockets/*` at 0.2.x | WASI with an empty context: the host's clock, random numbers, no files, no sockets, no names, no environment, no arguments; runtimes of Python and JavaScript want it |
//! | anything else | refused |
//!
//! No import at all is fine.

use wasmtime::component::{Component, HasSelf, Linker};

use crate::Engine;
use crate::bindings::{clock, http, log, socket, types};
use crate::state::State;

const OURS: &[&str] = &["http", "socket", "clock", "log", "types"];
const SOCKET: &str = "dmplz:messenger/socket@";
const STUBBED: &[&str] = &["wasi:io", "wasi:cli"];
const EMPTY: &[&str] = &["wasi:clocks", "wasi:random", "wasi:filesystem", "wasi:sockets"];

/// Why a component's imports are not served.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It wants something that no provider gets.
    #[error(
        "its import {0} is not served: providers get only dmplz:messenger@0.6 and, with nothing behind it, WASI 0.2"
    )]
    Forbidden(String),
    /// The contract's name with other types behind it.
    #[error("its imports cannot be linked: {0}")]
    Mismatch(String),
}

/// Everything that the component's imports, once checked, are linked to.
pub(crate) fn linker(engine: &Engine, component: &Component) -> Result<Linker<State>, ImportError> {
    let (mut wants_wasi, mut wants_sockets) = (false, false);
    for (name, _) in component.component_type().imports(&engine.0) {
        match classify(name) {
            Class::Ours => wants_sockets |= name.starts_with(SOCKET),
            Class::Stubbed => {}
            Class::Empty => wants_wasi = true,
            Class::Forbidden => return Err(ImportError::Forbidden(name.to_owned())),
        }
    }
    let mut linker = Linker::new(&engine.0);
    let linked = link(&mut linker, component, wants_wasi, wants_sockets);
    linked.map_err(|error| ImportError::Mismatch(format!("{error:#}")))?;
    Ok(linker)
}

fn link(linker: &mut Linker<State>, component: &Component, wasi: bool, sockets: bool) -> wasmtime::Result<()> {
    http::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    clock::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    log::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    types::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    if sockets {
        socket::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    }
    if wasi {
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
    let of = |major_minor: &str| version.strip_prefix(major_minor).is_some_and(|patch| patch.parse::<u32>().is_ok());
    match package {
        "dmplz:messenger" if of("0.6.") && OURS.contains(&interface) => Class::Ours,
        _ if of("0.2.") && STUBBED.contains(&package) => Class::Stubbed,
        _ if of("0.2.") && EMPTY.contains(&package) => Class::Empty,
        _ => Class::Forbidden,
    }
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
        let wants = component(&format!("(component (import \"dmplz:messenger/socket@0.6.0\" {resource}))"));
        let wants_none = component("(component)");
        assert!(linker(&engine, &wants).unwrap().instantiate_pre(&wants).is_ok());
        assert!(linker(&engine, &wants_none).unwrap().instantiate_pre(&wants).is_err());
    }

    #[test]
    fn only_the_contract_and_harmless_parts_of_wasi_are_served() {
        let table = [
            ("dmplz:messenger/http@0.6.0", Class::Ours),
            ("dmplz:messenger/types@0.6.7", Class::Ours),
            ("dmplz:messenger/socket@0.6.0", Class::Ours),
            ("dmplz:messenger/sockets@0.6.0", Class::Forbidden),
            ("dmplz:messenger/http@0.4.0", Class::Forbidden),
            ("dmplz:messenger/http@0.7.0", Class::Forbidden),
            ("dmplz:messenger/http@0.1.0", Class::Forbidden),
            ("dmplz:messenger/provider@0.6.0", Class::Forbidden),
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
