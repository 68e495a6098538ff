//! `dmplz`: a person decides, from anywhere, what a coding agent may do.
//!
//! One file a subcommand. `hook` is what the client starts for every event: it is dispatched before anything else is
//! even looked at, the command line's grammar included.

mod account;
mod approvals;
mod audit;
mod cli;
mod config;
mod demo;
mod doctor;
mod environment;
mod exec;
mod exit;
mod gateway;
mod grants;
mod guard;
mod hook;
mod install;
mod journals;
mod named;
mod outage;
mod owner;
mod pair;
mod policy;
mod serve;
mod settings;
mod setup;
mod stats;
mod status;
mod store;
mod terminal;
mod time;
mod trouble;
mod verdict;

use std::process::ExitCode;

fn main() -> ExitCode {
    let started = tokio::time::Instant::now();
    match std::env::args_os().nth(1) {
        Some(command) if command == "hook" => hook::run(started),
        _ => cli::run(std::env::args_os(), started),
    }
}
