//! The only unsafe code: compiled components are native code, and loading them means trusting them.
//!
//! | who | why the bytes are what [`crate::precompile`] made |
//! |---|---|
//! | [`embedded`] | they are a `static` of this program, written by its build script, and immutable |
//! | [`trusted`] | the caller made them in this process, or read them from the private cache and verified their digest |
//! | [`mapped`] | the caller verified the digest of this open file of the private cache. Nobody but the user can write to it, and this program only ever replaces such a file |
//!
//! Wasmtime additionally checks version, configuration and processor.

#![allow(unsafe_code, reason = "loads native code; the table above is the proof")]

use std::collections::BTreeSet;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use rustix::mm::{MprotectFlags, mprotect};
use wasmtime::component::Component;
use wasmtime::{CustomCodeMemory, Engine, Result};

/// The alignment of embedded code: the largest page size of the processor, in bytes.
pub const PAGE: usize = if cfg!(target_arch = "x86_64") { 4 << 10 } else { 64 << 10 };

/// Loads code that lives as long as the program, without copying it. Pages that are never run are never read.
/// Wasmtime identifies code by its address, so only the first load avoids the copy.
pub(crate) fn embedded(engine: &Engine, code: &'static [u8]) -> Result<Component> {
    static RUN_IN_PLACE: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    let start = code.as_ptr().addr();
    let first = || RUN_IN_PLACE.lock().unwrap_or_else(PoisonError::into_inner).insert(start);
    if !cfg!(target_os = "linux") || !start.is_multiple_of(PAGE) || !first() {
        return trusted(engine, code);
    }
    // SAFETY: `code` is what `precompile` made (see above), lives for ever, and is never written: it is borrowed
    // shared for 'static.
    unsafe { Component::deserialize_raw(engine, NonNull::from(code)) }
}

/// Loads code by copying it.
pub(crate) fn trusted(engine: &Engine, code: &[u8]) -> Result<Component> {
    // SAFETY: `code` is what `precompile` made (see above).
    unsafe { Component::deserialize(engine, code) }
}

/// Loads code by mapping an open file, so that pages that are never run take no memory. What follows the code in the file
/// does no harm. An error where the system cannot name an open file, or does not let it run (a disk mounted `noexec`).
pub(crate) fn mapped(engine: &Engine, file: &File) -> Result<Component> {
    if !cfg!(target_os = "linux") {
        wasmtime::bail!("an open file has no name here");
    }
    // The name of the very file that was verified, whatever stands in its place by now.
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: the file is what `precompile` made (see above), and stays so: it is private, and never written again.
    unsafe { Component::deserialize_file(engine, name) }
}

/// Makes code executable in place. Wasmtime does so itself only for memory that it mapped.
pub(crate) struct Pages;

impl CustomCodeMemory for Pages {
    fn required_alignment(&self) -> usize {
        rustix::param::page_size()
    }

    fn publish_executable(&self, start: *const u8, length: usize) -> Result<()> {
        // SAFETY: the range is the text section of one compiled component, which starts on a page of its own and is
        // followed by padding to the next. It is only read, so removing write access has no effect on other code.
        Ok(unsafe { mprotect(start.cast_mut().cast(), length, MprotectFlags::READ | MprotectFlags::EXEC) }?)
    }

    fn unpublish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        // Embedded code may still be in use through another `Component`; it stays executable. Mapped code is unmapped.
        Ok(())
    }
}
