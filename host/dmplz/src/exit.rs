//! The exit codes of every subcommand but `hook`, which always ends with 0. `dmplz --help` lists them.

/// It did what was asked.
pub(crate) const OK: u8 = 0;
/// It could not, for a reason that the message names; or a demo did not go as it must.
pub(crate) const FAILED: u8 = 1;
/// The command line is not understood.
pub(crate) const USAGE: u8 = 2;
/// A setting is missing or cannot be read.
pub(crate) const SETTINGS: u8 = 3;
/// `dmplz doctor` found something that must be mended.
pub(crate) const UNWELL: u8 = 4;
