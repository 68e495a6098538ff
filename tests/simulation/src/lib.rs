//! Bad days of `dmplz`, by seed: see `tests/simulation/README.md`.

pub mod alone;
pub mod asks;
pub mod draw;
pub mod fleet;
pub mod gateway;
pub mod happenings;
pub mod hook;
pub mod ledger;
pub mod options;
pub mod oracle;
pub mod process;
pub mod report;
pub mod run;
pub mod script;
pub mod server;
pub mod shrink;
pub mod through;
pub mod truth;
pub mod wire;
pub mod world;
