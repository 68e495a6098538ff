//! The program behind `cargo xtask soak`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;

use dmplz_chaos::binary;
use dmplz_chaos::soak::{self, Options};

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
    let report = soak::run(options, &binary, |sample| {
        eprintln!(
            "{:>6.0} s  memory {:.1} MiB  descriptors {}  threads {}  database {:.1} MiB  open {}",
            sample.at,
            sample.rss_kib / 1024.0,
            sample.descriptors,
            sample.threads,
            sample.database_kib / 1024.0,
            sample.open_requests
        );
    })?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    Ok(report.holds())
}
