//! What is kept of a card.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dmplz_core::messenger::MessageRef;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::AccountKey;

/// Grows when a field changes its meaning. Records of another version count as corrupt.
const VERSION: u32 = 1;

/// What a process needs to know of a card that another one posted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRecord<T> {
    /// Of the request that the card shows.
    pub request_id: String,
    /// Of the client's session that asks.
    pub session_id: String,
    /// Of the subagent that asks, if it is one.
    pub agent_id: Option<String>,
    /// Whose bot posted the card.
    pub account: AccountKey,
    /// The card's tag, as in [`dmplz_core::messenger::Card`].
    pub tag: String,
    /// The tool that is to be run.
    pub tool_name: String,
    /// Recognises the tool's input in later events, without keeping it.
    pub input_digest: String,
    /// How far the request has come.
    pub stage: Stage,
    /// The card's message, once it is posted.
    pub card: Option<MessageRef>,
    /// The message of the prompt for a reason, once it is posted.
    pub prompt: Option<MessageRef>,
    /// Id of the person who denied. From then on the request cannot end as anything else.
    pub denier: Option<String>,
    /// When it was opened, in unix milliseconds.
    pub created_ms: u64,
    /// When it ended, in unix milliseconds.
    pub ended_ms: Option<u64>,
    /// Ids of the people who came late and were told so, at most [`Self::TOLD`].
    #[serde(default)]
    pub told: Vec<String>,
    /// What its last state is drawn from.
    pub face: T,
}

impl<T> CardRecord<T> {
    /// People of whom it is kept that they were told: whoever comes after them is not.
    pub const TOLD: usize = 32;
}

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Waits for its turn. Nothing is posted.
    Queued,
    /// Is being posted: the messenger may or may not show it.
    Posting,
    /// Is shown and waits for an answer.
    Waiting,
    /// Was denied and waits for a reason.
    Reason,
    /// Is answered; the answer is being handed over and shown.
    Deciding,
    /// Is over, and the card shows it.
    Ended,
}

/// A record that nobody can read, and that was removed for it.
#[derive(Debug, thiserror::Error)]
#[error("the card record {path} cannot be read; it was removed, and its card may still look open")]
pub struct CorruptCard {
    /// The path of the file that held the record.
    pub path: PathBuf,
    /// What is wrong with it.
    pub source: serde_json::Error,
}

#[derive(Serialize, Deserialize)]
struct Versioned<R> {
    version: u32,
    #[serde(bound(deserialize = "R: Deserialize<'de>"))]
    card: R,
}

/// Adds the record's present state to its file, opened to append. It begins on a new line, whatever was cut before it.
pub(super) fn write<T: Serialize>(mut file: &File, record: &CardRecord<T>) -> Result<(), WriteError> {
    let mut line = vec![b'\n'];
    serde_json::to_writer(&mut line, &Versioned { version: VERSION, card: record }).map_err(WriteError::Encode)?;
    line.push(b'\n');
    file.write_all(&line).map_err(WriteError::Io)
}

pub(super) enum WriteError {
    Encode(serde_json::Error),
    Io(io::Error),
}

/// The last whole state in a file; nothing where there is no file, or one whose first state was never begun.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<Result<CardRecord<T>, CorruptCard>>> {
    let content = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        content => content?,
    };
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
