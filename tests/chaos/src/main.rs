//! The program behind `cargo xtask chaos`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;

use dmplz_chaos::binary;
use dmplz_chaos::chaos::{self, Options};

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("failed to {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<bool> {
    let binary = binary::find(options.binary.as_deref())?;
    let report = chaos::run(options, &binary, |ended| eprintln!("{ended} of {} hooks have ended", options.hooks))?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
        if !report.broken.is_empty() {
            println!("everything about these hooks is in {}", options.keep.display());
        }
    }
    if !report.decides() {
        eprintln!("not one hook brought a decision: nothing was shown");
    }
    Ok(report.broken.is_empty() && report.decides())
}
