//! `cargo xtask canary`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;

use dmplz_canary::fleet;
use dmplz_canary::hunt::Hunt;
use dmplz_canary::options::Options;
use dmplz_canary::shell::Shell;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("failed to {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.worker.is_some() {
        return work(options);
    }
    if let Some(why) = fleet::missing() {
        println!("skipped: this system gives no namespaces ({why})");
        return Ok(ExitCode::SUCCESS);
    }
    let report = fleet::run(options)?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("seed       {}\n{report}", options.seed);
    }
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Inside of a sandbox.
fn work(options: &Options) -> anyhow::Result<ExitCode> {
    let mut hunt = Hunt::begin(options)?;
    if let (Some(line), Some(rules)) = (&options.line, &options.rules) {
        for shell in Shell::ALL {
            let (fired, output) = hunt.unasked(rules, line, shell)?;
            eprintln!("{}: {fired:?}\n{output}", shell.name());
        }
        hunt.line(rules, line)?;
        let report = hunt.run(&Options { lines: 0, ..options.clone() })?;
        println!("{}", serde_json::to_string(&report)?);
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}", serde_json::to_string(&hunt.run(options)?)?);
    Ok(ExitCode::SUCCESS)
}
