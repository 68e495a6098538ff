//! `dmplz`: a person decides, from anywhere, what a coding agent may do.
//!
//! There is one file per subcommand. The client starts `hook` for every event, so it is dispatched before anything
//! else is looked at, including the grammar of the command line.

mod account;
mod approvals;
mod audit;
mod cli;
mod completions;
mod component;
mod config;
mod consent;
mod demo;
mod doctor;
mod duration;
mod environment;
mod exec;
mod exit;
mod failed;
mod gateway;
mod grants;
mod guard;
mod hook;
mod hooks;
mod install;
mod journals;
mod keeper;
mod logs;
mod man;
mod named;
mod notify;
mod outage;
mod owner;
mod pair;
mod people;
mod plain_file;
mod policy;
mod program;
mod provider;
mod qr;
mod run;
mod runtime;
mod serve;
mod service;
mod sessions;
mod settings;
mod setup;
mod stats;
mod status;
mod store;
mod tag;
mod temporary;
mod terminal;
mod time;
mod told;
mod trouble;
mod update;
mod verdict;
mod wording;

use std::process::ExitCode;

use dmplz_runner::keeper::SUBCOMMAND;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let started = tokio::time::Instant::now();
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(command) if command == "hook" && !arguments.any(|argument| argument == "--help" || argument == "-h") => {
            hook::run(started)
        }
        Some(command) if command == SUBCOMMAND => keeper::run(),
        _ => cli::run(std::env::args_os(), started),
    }
}
