//! The program behind `cargo xtask canary`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;

use dmplz_canary::hunt::Hunt;
use dmplz_canary::options::Options;
use dmplz_canary::shell::Shell;
use dmplz_canary::{fleet, prove};

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
    if options.prove || options.line.is_some() {
        let held = fleet::one(&Options { workers: 1, ..options.clone() })?;
        return Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let report = fleet::run(options)?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("seed       {}\n{report}", options.seed);
    }
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs as a worker inside a sandbox.
fn work(options: &Options) -> anyhow::Result<ExitCode> {
    if options.prove {
        return prove(options);
    }
    let hunt = Hunt::begin(options)?;
    match (&options.line, &options.rules) {
        (Some(line), Some(rules)) => show(hunt, rules, line)?,
        (Some(_), None) => anyhow::bail!("judge the line: --rules says by which rule file"),
        _ => println!("{}", serde_json::to_string(&hunt.run(options)?)?),
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one line whether it is allowed or not, and prints the whole result.
fn show(mut hunt: Hunt, rules: &str, line: &str) -> anyhow::Result<()> {
    for shell in Shell::ALL {
        let (allowed, fired, output) = hunt.show(rules, line, shell)?;
        let fired: Vec<_> = fired.iter().map(ToString::to_string).collect();
        let allowed = if allowed { "allowed" } else { "not allowed" };
        println!("{}: {allowed}; fired: {}\n{output}", shell.name(), fired.join("; "));
    }
    Ok(())
}

fn prove(options: &Options) -> anyhow::Result<ExitCode> {
    let (count, wrong) = prove::prove(options.drops_rights)?;
    wrong.iter().for_each(|wrong| println!("{wrong}"));
    println!("{count} runs, {} not as they should be", wrong.len());
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
