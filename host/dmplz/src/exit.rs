//! The exit codes of every subcommand but `hook`, which always ends with 0. `dmplz --help` lists them.
//!
//! `policy check` uses the low codes for its three answers, and therefore other codes for errors.

/// Success.
pub(crate) const OK: u8 = 0;
/// It could not, for a reason that the message names; or a demo did not go as it must.
pub(crate) const FAILED: u8 = 1;
/// The command line is not understood, or an id in it could never name anything.
pub(crate) const USAGE: u8 = 2;
/// A setting is missing or cannot be read, such as those of a messenger, or `HOME`.
pub(crate) const SETTINGS: u8 = 3;
/// `doctor`, `policy lint`, `policy test`, `audit verify`, `provider verify` or `store` found a problem that has to be
/// fixed.
pub(crate) const UNWELL: u8 = 4;
/// `approvals`, `pair`: no gateway is running; `approvals watch`: it is gone, and a deny may not have reached it.
pub(crate) const NO_GATEWAY: u8 = 5;
/// `approvals approve`, `approvals deny`: somebody answered first, or the time ended.
pub(crate) const ANSWERED: u8 = 6;
/// `setup`, `people invite`: an answer that only a person at a terminal can give is missing.
pub(crate) const NEEDS_PERSON: u8 = 7;

/// `exec`: the command line is not understood; these are of `sysexits.h`, which few commands end with.
pub(crate) const EXEC_USAGE: u8 = 64;
/// `exec`: no gateway is running.
pub(crate) const EXEC_NO_GATEWAY: u8 = 69;
/// `exec`: the command could not be started, or was stopped.
pub(crate) const EXEC_NOT_RUN: u8 = 71;
/// `exec`: nobody answered in time, or could be asked.
pub(crate) const EXEC_EXPIRED: u8 = 75;
/// `exec`: a person or a rule denied it, or it is not what was shown any more.
pub(crate) const EXEC_FORBIDDEN: u8 = 77;
/// `exec`: it ran longer than it may; as `timeout(1)` says it.
pub(crate) const EXEC_TIMEOUT: u8 = 124;
/// `exec`: nobody reads our output any more; as a shell says it of SIGPIPE.
pub(crate) const EXEC_CLOSED_PIPE: u8 = 141;

/// `policy check`: a rule allows it. Of one call nothing else ends with 0; with `-`, whose answers are lines, 0 means that
/// every line was answered.
pub(crate) const ALLOW: u8 = 0;
/// `policy check`: a rule denies it.
pub(crate) const DENY: u8 = 1;
/// `policy check`: a person is asked.
pub(crate) const ASK: u8 = 2;
/// `policy check`: it could not be judged.
pub(crate) const UNJUDGED: u8 = 3;
/// `policy check`: the command line is not understood; `EX_USAGE` of `sysexits.h`.
pub(crate) const CHECK_USAGE: u8 = 64;
