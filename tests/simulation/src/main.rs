//! `cargo xtask simulate`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;

use dmplz_simulation::draw::draw;
use dmplz_simulation::fleet::{self, News};
use dmplz_simulation::options::Options;
use dmplz_simulation::run::play;
use dmplz_simulation::script::{Relapse, Script};

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

/// Returns whether every invariant held.
fn run(options: &Options) -> anyhow::Result<bool> {
    if let Some(file) = &options.script {
        return tell(&Script::read(&std::fs::read_to_string(file)?)?);
    }
    if options.story {
        let script = draw(options.seed, options.components);
        println!("{script}");
        return tell(&script);
    }
    if options.prove {
        return prove(options);
    }
    let report = fleet::run(options, None, |news| tell_news(options, news))?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("seed       {}\n{report}", options.seed);
    }
    Ok(report.broken.is_empty())
}

/// Returns whether every fault of the past is found.
fn prove(options: &Options) -> anyhow::Result<bool> {
    let mut found = true;
    for relapse in [Relapse::WordsFirst, Relapse::DenialUntold, Relapse::ClockFirst] {
        let report = fleet::run(options, Some(relapse), |news| tell_news(options, news))?;
        match report.failures.first() {
            Some(failure) => println!("{relapse:?}: {} runs\n{failure}", report.runs),
            None => println!("{relapse:?}: not found in {} runs", report.runs),
        }
        found &= !report.failures.is_empty();
    }
    Ok(found)
}

#[allow(clippy::disallowed_methods, reason = "a thread that goes round can neither be joined nor stopped")]
fn tell_news(options: &Options, news: News) {
    match news {
        News::Begun(begun) => eprintln!("{begun} of {} runs", options.runs),
        News::Stuck(seed) => {
            eprintln!(
                "the run of seed {seed} does not end: it goes round at one moment (--seed {seed} --story prints its script)"
            );
            std::process::exit(1);
        }
    }
}

fn tell(script: &Script) -> anyhow::Result<bool> {
    let place = fleet::place()?;
    let shown = play(script, place.path(), true)?;
    shown.story.iter().for_each(|line| println!("{line}"));
    for broken in &shown.broken {
        println!("{:?}, hook {}: {}", broken.invariant, broken.hook, broken.why);
    }
    Ok(shown.broken.is_empty())
}
