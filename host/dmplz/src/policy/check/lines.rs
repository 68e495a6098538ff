//! Answers calls that come as lines of JSON, for programs that keep one process running.
//!
//! A line is `{"tool":..,"input":{..}}`, and may say `mcp_server`, `mode`, `cwd`, `subagent`, `agent`, `interactive` and
//! `annotations`. Its answer is one line, `{"decision":..,"rule":..,"reason":..}`, in order, and written before the next
//! call is read. A line that cannot be read is answered with `ask_user` and `error`. An empty line has no answer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufRead, ErrorKind, Write};
use std::path::PathBuf;

use anyhow::Context;
use dmplz_policy::Decision;

use super::Answer;
use crate::policy::call::{Asked, Circumstances};
use crate::policy::sources::{Judge, Sources};
use crate::trouble;

/// Answers until the input ends or the output is closed. The policy files of a folder are read at its first call.
pub(super) fn answer(circumstances: &Circumstances, sources: &Sources) -> anyhow::Result<()> {
    let mut judges = HashMap::new();
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("calls cannot be read from stdin")?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = judge(&line, circumstances, sources, &mut judges).unwrap_or_else(|error| Answer {
            decision: Decision::AskUser,
            rule: None,
            reason: "it could not be judged".to_owned(),
            error: Some(trouble::chain(&error)),
        });
        let text = serde_json::to_string(&answer)? + "\n";
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => written.context("an answer cannot be written")?,
        }
    }
    Ok(())
}

fn judge(
    line: &[u8],
    circumstances: &Circumstances,
    sources: &Sources,
    judges: &mut HashMap<PathBuf, Judge>,
) -> anyhow::Result<Answer> {
    let asked: Asked = serde_json::from_slice(line).context("a call cannot be read")?;
    let asked = asked.under(circumstances)?;
    let judge = match judges.entry(asked.cwd().to_owned()) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(sources.judge(asked.cwd())?),
    };
    Ok(Answer::of(&judge.check(&asked)))
}
