//! The outer structure of a component, read from its bytes before anything is compiled.
//!
//! | rule | otherwise |
//! |---|---|
//! | at most 64 MiB | [`OutlineError::TooLarge`] |
//! | a WebAssembly component, no core module | [`OutlineError::NotWasm`], [`OutlineError::Module`] |
//! | its imports are accepted (`imports`) | [`ImportError::OtherVersion`], [`ImportError::Forbidden`] |
//! | it exports `dmplz:messenger/provider@0.10.x` | [`OutlineError::NoProvider`] |
//!
//! Compiling a large component takes seconds. Its inner structure, and whether the types fit, is left to the
//! compiler's checks.

use wasmparser::{Encoding, Parser, Payload};

use crate::imports::{self, ImportError};

/// The largest component that is read, in bytes.
pub const LARGEST: usize = 64 << 20;
const PROVIDER: &str = "dmplz:messenger/provider@";

/// The imports and exports of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The interfaces that it imports, such as `dmplz:messenger/http@0.10.0`, in the component's order.
    pub imports: Vec<String>,
    /// The version of the contract that it was built for, such as `0.10.0`.
    pub contract: String,
}

/// Why bytes are not a component that could be a provider.
#[derive(Debug, thiserror::Error)]
pub enum OutlineError {
    /// It is larger than any provider may be.
    #[error("it is larger than 64 MiB")]
    TooLarge,
    /// It is not WebAssembly.
    #[error("it is no WebAssembly component")]
    NotWasm,
    /// It is a core module, of which components are made.
    #[error("it is a WebAssembly module and no component (`wasm-tools component new` makes one of it)")]
    Module,
    /// It is truncated or corrupt WebAssembly.
    #[error("it is a spoilt WebAssembly component: {0}")]
    Spoilt(String),
    /// It imports something that no provider gets.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// It does not export a provider.
    #[error("it is no messenger provider: it does not export dmplz:messenger/provider")]
    NoProvider,
}

impl Outline {
    /// Reads and checks the outer structure of a component. Takes about a millisecond for 20 MB.
    ///
    /// # Errors
    /// Returns an error if this program would not compile the component.
    pub fn of(wasm: &[u8]) -> Result<Self, OutlineError> {
        if wasm.len() > LARGEST {
            return Err(OutlineError::TooLarge);
        }
        if !Parser::is_component(wasm) {
            return Err(if Parser::is_core_wasm(wasm) { OutlineError::Module } else { OutlineError::NotWasm });
        }
        let (imports, exports) = names(wasm).map_err(|error| OutlineError::Spoilt(error.message().to_owned()))?;
        imports::check(&imports, &exports)?;
        let contract = exports.iter().find_map(|name| name.strip_prefix(PROVIDER)).ok_or(OutlineError::NoProvider)?;
        Ok(Self { contract: contract.to_owned(), imports })
    }
}

/// Returns the imports and exports of the outermost component.
fn names(wasm: &[u8]) -> wasmparser::Result<(Vec<String>, Vec<String>)> {
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::Version { encoding: Encoding::Component | Encoding::Module, .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 1 => {
                for import in section {
                    imports.push(import?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 1 => {
                for export in section {
                    exports.push(export?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok((imports, exports))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(wat: &str) -> Result<Outline, OutlineError> {
        Outline::of(&wat::parse_str(wat).unwrap())
    }

    fn provider(version: &str, more: &str) -> String {
        format!("(component {more} (instance $p) (export \"dmplz:messenger/provider@{version}\" (instance $p)))")
    }

    #[test]
    fn the_outside_is_known_without_compiling() {
        let outline = of(&provider("0.10.0", "(import \"wasi:io/poll@0.2.6\" (instance))")).unwrap();
        assert_eq!(
            (outline.contract.as_str(), outline.imports.as_slice()),
            ("0.10.0", &["wasi:io/poll@0.2.6".to_owned()][..])
        );
        let inner = "(component (import \"evil:host/shell@1.0.0\" (instance)))";
        assert!(of(&provider("0.10.0", inner)).unwrap().imports.is_empty(), "what is inside reaches nothing");
    }

    #[test]
    fn what_is_no_provider_is_one_sentence() {
        let why = |wat: &str| of(wat).unwrap_err().to_string();
        let shell = "(import \"evil:host/shell@0.2.0\" (instance))";
        insta::assert_snapshot!([
            why("(module)"),
            why("(component)"),
            why(&provider("0.4.0", "")),
            why(&provider("0.11.0", "")),
            why(&provider("0.10.0", shell)),
            Outline::of(b"#!/bin/sh").unwrap_err().to_string(),
            Outline::of(b"").unwrap_err().to_string(),
        ].join("\n"), @"
        it is a WebAssembly module and no component (`wasm-tools component new` makes one of it)
        it is no messenger provider: it does not export dmplz:messenger/provider
        it was built for dmplz:messenger@0.4.0, and this program runs providers of dmplz:messenger@0.10
        it was built for dmplz:messenger@0.11.0, and this program runs providers of dmplz:messenger@0.10
        its import evil:host/shell@0.2.0 is not served: providers get only dmplz:messenger@0.10 and, with nothing behind it, WASI 0.2
        it is no WebAssembly component
        it is no WebAssembly component
        ");
        let whole = wat::parse_str(provider("0.10.0", "(core module)")).unwrap();
        for end in 8..whole.len() {
            // Between sections behind the export nothing is missing.
            let cut = Outline::of(&whole[..end]);
            assert!(cut.is_err() || cut.unwrap() == Outline::of(&whole).unwrap(), "cut after {end} bytes");
        }
    }
}
