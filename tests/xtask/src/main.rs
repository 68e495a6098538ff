//! `cargo xtask <task>`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::path::Path;
use std::process::{Command, ExitCode};

use xtask::{Finding, bench, dist, pictures, root, tidy, wit_check};

const USAGE: &str = "cargo xtask tidy | wit-check | pictures | bench [--json] [--only PART]... [BINARY] | startup-order | canary [--lines N] [--prove] | \
                     simulate [--fast] [--runs N] [--seed N] [--json] [--prove] [--components always|never] | \
                     chaos [--hooks N] [--gateway] [--seed N] [--json] | soak [--minutes N] [--rate N] [--json] | \
                     notices [--notices N] [--channels N] [--seed N] [--json] | \
                     dist [--binary FILE [--runs-here FILE]] [--target TRIPLE] [--out DIR] [--releases URL] [--collect]";

/// The Cargo options of a long simulation: its own crates are optimised, and the dependencies keep the build that
/// exists.
const FAST: [&str; 12] = [
    "--config",
    "profile.dev.package.dmplz-core.opt-level=3",
    "--config",
    "profile.dev.package.dmplz-policy.opt-level=3",
    "--config",
    "profile.dev.package.dmplz-desk.opt-level=3",
    "--config",
    "profile.dev.package.dmplz-gateway.opt-level=3",
    "--config",
    "profile.dev.package.dmplz-state.opt-level=3",
    "--config",
    "profile.dev.package.dmplz-simulation.opt-level=3",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy(),
        ["wit-check"] => wit_check(),
        ["pictures"] => draw(),
        ["bench", options @ ..] => bench(options),
        // What the benchmark of sessions starts in place of Claude Code.
        [bench::CLIENT] => bench::client(),
        ["startup-order"] => startup_order(),
        ["dist", options @ ..] => pack(options),
        ["canary", options @ ..] => program("dmplz-canary", &[], options, "keep what is allowed harmless"),
        ["simulate", "--fast", options @ ..] => program("dmplz-simulation", &FAST, options, "keep every invariant"),
        ["simulate", options @ ..] => program("dmplz-simulation", &[], options, "keep every invariant"),
        ["chaos", options @ ..] => {
            build_dmplz().and_then(|()| program("dmplz-chaos", &[], options, "keep every invariant"))
        }
        ["soak", options @ ..] => {
            build_dmplz().and_then(|()| program("dmplz-soak", &[], options, "keep the gateway flat"))
        }
        ["notices", options @ ..] => {
            build_dmplz().and_then(|()| program("dmplz-notices", &[], options, "lose no notice"))
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("failed to {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn tidy() -> anyhow::Result<()> {
    let report = tidy::tidy(root())?;
    println!("{}\n{}", report.lengths, report.startup);
    settle("keep the repository tidy", &report.findings)
}

fn wit_check() -> anyhow::Result<()> {
    let contract = wit_check::contract(root())?;
    println!(
        "the contract: {} interfaces, {} functions, {} types",
        contract.interfaces, contract.functions, contract.types
    );
    settle("document the contract", &contract.findings)?;
    let components = wit_check::build(root())?;
    for (name, imports) in &components {
        println!("{name}: {} imports", imports.len());
    }
    settle("keep the components' imports", &wit_check::unexpected(&components))
}

fn draw() -> anyhow::Result<()> {
    for file in pictures::pictures(root())? {
        println!("{}", file.display());
    }
    Ok(())
}

fn bench(options: &[&str]) -> anyhow::Result<()> {
    let (mut json, mut parts, mut binary) = (false, Vec::new(), None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--json" => json = true,
            "--only" => parts.push(bench::Part::named(options.next().copied().unwrap_or_default())?),
            option => {
                anyhow::ensure!(!option.starts_with('-'), "understand {option}: see cargo xtask");
                anyhow::ensure!(Path::new(option).is_file(), "find a program at {option}");
                binary = Some(Path::new(option));
            }
        }
    }
    if parts.is_empty() {
        parts.extend(bench::Part::ALL);
    }
    if json {
        println!("{:#}", bench::bench(root(), binary, &parts, |_| {})?.json());
    } else {
        println!("{}", bench::Table::head());
        bench::bench(root(), binary, &parts, |rows| rows.iter().for_each(|row| println!("{row}")))?;
    }
    Ok(())
}

fn startup_order() -> anyhow::Result<()> {
    let bench::Order { file, names, bytes } = bench::startup_order(root())?;
    println!("{}: {names} names, {} KiB of code", file.display(), bytes / 1024);
    Ok(())
}

fn pack(options: &[&str]) -> anyhow::Result<()> {
    for file in dist::dist(root(), &dist::Options::parse(root(), options)?)? {
        println!("{}", file.display());
    }
    Ok(())
}

/// Builds the binary that `chaos`, `soak` and `notices` start. They look for it in the directory of their own executable.
fn build_dmplz() -> anyhow::Result<()> {
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--locked", "--bin", "dmplz"]);
    anyhow::ensure!(cargo.status()?.success(), "build dmplz");
    Ok(())
}

/// Runs a task that is a separate program, so that the other tasks do not compile the crates that it tests.
fn program(name: &str, profile: &[&str], options: &[&str], rule: &str) -> anyhow::Result<()> {
    let mut cargo = cargo();
    cargo.args(["run", "--quiet", "--locked", "--bin", name]).args(profile).arg("--").args(options);
    anyhow::ensure!(cargo.status()?.success(), "{rule}: see above");
    Ok(())
}

/// Returns Cargo, to run in the root, so that the workspace's Cargo configuration applies.
fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

fn settle(rule: &str, findings: &[Finding]) -> anyhow::Result<()> {
    for finding in findings {
        eprintln!("{finding}");
    }
    anyhow::ensure!(findings.is_empty(), "{rule}: {} findings", findings.len());
    Ok(())
}
