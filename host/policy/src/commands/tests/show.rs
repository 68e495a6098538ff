//! Formats the result of parsing as short text.
//!
//! Each command is one line. `a b…` is the exact word `a` and a word that begins with `b`; the text in brackets
//! contains everything else that was parsed.

use std::fmt::Write;

use super::super::Script;
use crate::shell::{Command, RedirectKind, Stdin, Word};

pub(super) fn shown(script: &Script) -> String {
    let mut lines: Vec<String> = script.commands.iter().map(command).collect();
    lines.extend(script.unclear.map(|unclear| format!("!{unclear:?}")));
    lines.join("\n")
}

fn command(command: &Command) -> String {
    let mut text = String::new();
    for assignment in &command.assignments {
        write!(text, "{}={} ", assignment.name, word(&assignment.value)).unwrap();
    }
    text.push_str(&command.words.iter().map(word).collect::<Vec<_>>().join(" "));
    let mut notes = Vec::new();
    for redirect in &command.redirects {
        let sign = if redirect.kind == RedirectKind::Read { '<' } else { '>' };
        notes.push(format!("{sign}{}", word(&redirect.target)));
    }
    match &command.stdin {
        Stdin::Inherited | Stdin::File => {}
        Stdin::Pipe => notes.push("pipe".to_owned()),
        Stdin::Text(text) => notes.push(format!("text {:?}{}", text.known, if text.exact { "" } else { "…" })),
    }
    notes.extend(command.within.map(|index| format!("in {index}")));
    notes.extend(command.is_transparent.then(|| "transparent".to_owned()));
    notes.extend(command.possible.then(|| "possible".to_owned()));
    notes.extend(command.moved.then(|| "moved".to_owned()));
    notes.extend(command.unclear.map(|unclear| format!("!{unclear:?}")));
    if !notes.is_empty() {
        text = format!("{}  [{}]", text.trim_end(), notes.join(", "));
    }
    text.trim().to_owned()
}

fn word(word: &Word) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "\"'[]…".contains(c);
    let known = if word.known.is_empty() && word.exact || word.known.contains(odd) {
        format!("{:?}", word.known)
    } else {
        word.known.clone()
    };
    if word.exact { known } else { known + "…" }
}
