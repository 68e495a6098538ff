//! Compares what bash runs with what the reader finds.
//!
//! bash runs random command lines with programs that only record how they were started. Every program that ran must be
//! covered: the reader lists a command with its words, or reports something as unclear. A program that ran and is not
//! covered is a way around every rule.
//!
//! `DMPLZ_ORACLE_LINES=50000 DMPLZ_ORACLE_SEED=1 cargo test -p dmplz-policy --test bash_oracle` runs more of them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test support: a broken promise is a panic")]

#[path = "bash_oracle/damage.rs"]
mod damage;
#[path = "bash_oracle/grammar.rs"]
mod grammar;
#[path = "bash_oracle/hostile.rs"]
mod hostile;
#[path = "bash_oracle/sandbox.rs"]
mod sandbox;

use dmplz_policy::commands::{Script, read};
use dmplz_policy::shell::{Command, Word};

use sandbox::Sandbox;

/// Returns the number of lines to try, and the random source for them.
#[allow(clippy::disallowed_methods, reason = "a person who runs more lines says so in the environment")]
fn drawn() -> (u64, fastrand::Rng) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("DMPLZ_ORACLE_SEED").unwrap_or(7);
    (number("DMPLZ_ORACLE_LINES").unwrap_or(300), fastrand::Rng::with_seed(seed))
}

#[test]
fn every_program_that_bash_runs_is_read() {
    let Some(sandbox) = Sandbox::new() else { return };
    let (lines, mut random) = drawn();
    let (mut written, mut unclear, mut programs, mut found) = (0, 0, 0, Vec::new());
    for index in 0..lines {
        let mut line = grammar::line(&mut random);
        let damaged = index % 2 == 1;
        if damaged {
            line = damage::damage(&line, &mut random);
        }
        let reading = read(&line);
        let is_unclear = is_unclear(&reading);
        if !damaged && sandbox.parses("bash", &line) {
            written += 1;
            unclear += u64::from(is_unclear);
            if is_unclear && std::env::var_os("DMPLZ_ORACLE_SHOW").is_some() {
                println!(
                    "unclear {:?} {:?}\n{line}\n",
                    reading.unclear,
                    reading.commands.iter().filter(|c| !c.possible).find_map(|c| c.unclear)
                );
            }
        }
        if is_unclear {
            continue;
        }
        let ran = sandbox.run(&line);
        programs += ran.len();
        if !uncovered(&reading, &ran).is_empty() {
            let first = uncovered(&reading, &ran);
            let line = damage::shrink(&line, &mut |line| !escapes(&sandbox, line).is_empty());
            found.push((first, escapes(&sandbox, &line), line));
        }
    }
    println!(
        "{lines} lines, {programs} programs; of {written} written ones {unclear} unclear; {} escaped",
        found.len()
    );
    for (first, programs, line) in &found {
        println!("--- {line}\n    first {first:?}\n    then {programs:?}");
        read(line).commands.iter().for_each(|command| println!("    read {:?}", command.words));
    }
    assert!(found.is_empty());
}

/// If nothing is unclear, bash must accept the line. Lines that only zsh refuses are counted, because they do not run
/// there.
#[test]
fn what_bash_refuses_is_unclear() {
    let Some(sandbox) = Sandbox::new() else { return };
    let (lines, mut random) = drawn();
    let (mut clear, mut zsh, mut found) = (0, 0, Vec::new());
    for index in 0..lines {
        let written = grammar::line(&mut random);
        let line = if index % 2 == 1 { damage::damage(&written, &mut random) } else { written };
        // The content of `[[ ]]` is not parsed as an expression, and bash fails on a `case` that it reads twice because
        // of `((`.
        if line.contains("[[") || line.contains("((") || is_unclear(&read(&line)) {
            continue;
        }
        clear += 1;
        zsh += u64::from(!sandbox.parses("zsh", &line));
        if !sandbox.parses("bash", &line) {
            found.push(damage::shrink(&line, &mut |line| !is_unclear(&read(line)) && !sandbox.parses("bash", line)));
        }
    }
    println!("{clear} clear lines, {} refused by bash, {zsh} by zsh", found.len());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn what_looks_like_data_and_runs_is_read() {
    let Some(sandbox) = Sandbox::new() else { return };
    let mut found = Vec::new();
    for line in hostile::HOSTILE {
        let line = line.replace("CMDNAME", "rm").replace("CMD", "rm y").replace("QUOTED", "'rm y'");
        let escaped = escapes(&sandbox, &line);
        if !escaped.is_empty() {
            found.push((line, escaped));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Returns the programs that a line runs, but that the reader does not list.
fn escapes(sandbox: &Sandbox, line: &str) -> Vec<Vec<String>> {
    let reading = read(line);
    if is_unclear(&reading) { Vec::new() } else { uncovered(&reading, &sandbox.run(line)) }
}

/// Returns whether no rule could allow the line, because its reading is unclear or it sets a variable that changes what
/// commands do.
fn is_unclear(reading: &Script) -> bool {
    let sets = |command: &Command| command.assignments.iter().any(|set| matches!(&*set.name, "BASH_ENV" | "PS4"));
    let is_unclear = |command: &Command| !command.possible && (command.unclear.is_some() || sets(command));
    reading.unclear.is_some() || reading.commands.iter().any(is_unclear)
}

fn uncovered(reading: &Script, ran: &[Vec<String>]) -> Vec<Vec<String>> {
    let is_read = |program: &Vec<String>| reading.commands.iter().any(|command| covers(command, program));
    ran.iter().filter(|program| !is_read(program)).cloned().collect()
}

fn covers(command: &Command, program: &[String]) -> bool {
    // The file that a shell is given is its script, and a rule allows the whole of it.
    let file = command.words.get(1..).filter(|_| matches!(command.name(), Some("sh" | "bash")));
    !command.possible && (matches(&command.words, program) || file.is_some_and(|file| matches(file, program)))
}

/// Returns whether a command's words match a program's. An inexact word stands for any number of words with its
/// beginning.
fn matches(words: &[Word], program: &[String]) -> bool {
    let Some((word, rest)) = words.split_first() else { return program.is_empty() };
    if word.exact {
        return program.first() == Some(&word.known) && matches(rest, &program[1..]);
    }
    if word.one {
        return program.first().is_some_and(|argument| argument.starts_with(&word.known))
            && matches(rest, &program[1..]);
    }
    let most = program.iter().take_while(|argument| argument.starts_with(&word.known)).count();
    (0..=most).any(|taken| matches(rest, &program[taken..]))
}
