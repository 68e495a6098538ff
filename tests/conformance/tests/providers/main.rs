//! The cases, by the part of the contract that they keep to. Each is run over every provider.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "cases are tests, which a macro names"
)]

use std::process::ExitCode;

use dmplz_conformance::{Arguments, run, tests};

mod acknowledging;
mod answering;
mod capabilities;
mod connecting;
mod describing;
mod diagnosing;
mod failing;
mod hanging;
mod literal;
mod opening;
mod posting;
mod reading;
mod revising;
mod threads;

mod desk;

/// The number of tests that run at a time unless the command line names another.
const AT_A_TIME: usize = 12;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let files = vec![
        acknowledging::cases(),
        answering::cases(),
        connecting::cases(),
        describing::cases(),
        desk::answers::cases(),
        desk::forms::cases(),
        desk::grants::cases(),
        desk::late::cases(),
        desk::trouble::cases(),
        diagnosing::cases(),
        failing::cases(),
        hanging::cases(),
        literal::cases(),
        opening::cases(),
        posting::cases(),
        reading::cases(),
        revising::cases(),
        threads::cases(),
    ];
    let tests = tests(files).into_iter().chain(capabilities::tests()).collect();
    run(&arguments, tests).exit_code()
}
