//! The stored record of a card.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dmplz_core::messenger::MessageRef;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::AccountKey;
use crate::dir::found;

/// Increased when the meaning of a field changes. Records of another version count as corrupt.
const VERSION: u32 = 1;

/// The state of a card that other processes need to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRecord<T> {
    /// The id of the request that the card shows.
    pub request_id: String,
    /// The client's session that asks.
    pub session_id: String,
    /// The subagent that asks, if it is one.
    pub agent_id: Option<String>,
    /// The account of the bot that posted the card.
    pub account: AccountKey,
    /// The card's tag, as in [`dmplz_core::messenger::Card`].
    pub tag: String,
    /// The tool to be run.
    pub tool_name: String,
    /// Identifies the tool's input in later events, without storing it.
    pub input_digest: String,
    /// How far the request has come.
    pub stage: Stage,
    /// The card's message, once it is posted.
    pub card: Option<MessageRef>,
    /// The message of the prompt for a reason, once it is posted.
    pub prompt: Option<MessageRef>,
    /// The id of the person who denied. From then on the request can only end as a rejection.
    pub denier: Option<String>,
    /// When the card was opened, in Unix milliseconds.
    pub created_ms: u64,
    /// When the card ended, in Unix milliseconds.
    pub ended_ms: Option<u64>,
    /// The ids of the people who pressed too late and got a notice, at most [`Self::TOLD`].
    #[serde(default)]
    pub told: Vec<String>,
    /// The content from which its last state is shown.
    pub face: T,
}

impl<T> CardRecord<T> {
    /// The most people whose late press is recorded. Anyone after them is told nothing.
    pub const TOLD: usize = 32;
}

/// The progress of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It waits for its turn. Nothing is posted.
    Queued,
    /// It is being posted: the messenger may or may not show it.
    Posting,
    /// It is shown and waits for an answer.
    Waiting,
    /// It was denied and waits for a reason.
    Reason,
    /// It is answered; the answer is being delivered and shown.
    Deciding,
    /// It has ended, and the card shows that.
    Ended,
}

/// A record that was unreadable, and was therefore removed.
#[derive(Debug, thiserror::Error)]
#[error("the card record {path} cannot be read; it was removed, and its card may still look open")]
pub struct CorruptCard {
    /// The path of the file that held the record.
    pub path: PathBuf,
    /// The error of the JSON parser.
    pub source: serde_json::Error,
}

#[derive(Serialize, Deserialize)]
struct Versioned<R> {
    version: u32,
    #[serde(bound(deserialize = "R: Deserialize<'de>"))]
    card: R,
}

/// Returns the record's present state for its file. It begins on a new line, in case the line before is incomplete.
pub(super) fn line<T: Serialize>(record: &CardRecord<T>) -> serde_json::Result<Vec<u8>> {
    let mut line = vec![b'\n'];
    serde_json::to_writer(&mut line, &Versioned { version: VERSION, card: record })?;
    line.push(b'\n');
    Ok(line)
}

/// Returns the last complete state in a file. `None` if there is no file, or if no state was ever begun.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<Result<CardRecord<T>, CorruptCard>>> {
    let Some(content) = found(fs::read(path))? else { return Ok(None) };
    let mut last = None;
    for line in content.split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty()) {
        match parse(line) {
            Ok(record) => return Ok(Some(Ok(record))),
            Err(source) => last = last.or(Some(source)),
        }
    }
    Ok(last.map(|source| Err(CorruptCard { path: path.to_owned(), source })))
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<CardRecord<T>, serde_json::Error> {
    let versioned: Versioned<CardRecord<T>> = serde_json::from_slice(line)?;
    if versioned.version == VERSION {
        Ok(versioned.card)
    } else {
        Err(serde::de::Error::custom(format_args!("version {} is not known", versioned.version)))
    }
}
