//! The cases, by the part of the contract that they keep to. Each is run over every provider.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "cases are tests, which a macro names"
)]

use std::process::ExitCode;

use dmplz_conformance::{Arguments, run};

mod acknowledging;
mod answering;
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

mod desk;

/// So many run at a time unless the command line says otherwise.
const AT_A_TIME: usize = 12;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let tests = [
        acknowledging::tests(),
        answering::tests(),
        connecting::tests(),
        describing::tests(),
        desk::answers::tests(),
        desk::forms::tests(),
        desk::grants::tests(),
        desk::late::tests(),
        desk::trouble::tests(),
        diagnosing::tests(),
        failing::tests(),
        hanging::tests(),
        literal::tests(),
        opening::tests(),
        posting::tests(),
        reading::tests(),
        revising::tests(),
    ];
    run(&arguments, tests.into_iter().flatten().collect()).exit_code()
}
