//! What is kept of a card.

use std::io;
use std::path::{Path, PathBuf};

use dmplz_core::messenger::MessageRef;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::CardsError;
use crate::{AccountKey, atomic};

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
    /// Whether somebody who came late was told so.
    pub told_late: bool,
    /// What its last state is drawn from.
    pub face: T,
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
#[error("read the card record {path}; it was removed, and its card may still look open")]
pub struct CorruptCard {
    /// Where it was.
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

pub(super) fn write<T: Serialize>(path: &Path, record: &CardRecord<T>) -> Result<(), CardsError> {
    let content = serde_json::to_vec(&Versioned { version: VERSION, card: record }).map_err(CardsError::Encode)?;
    atomic::write(path, &content).map_err(|source| CardsError::Io { path: path.to_owned(), source })
}

/// Nothing where there is no record.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<Result<CardRecord<T>, CorruptCard>>> {
    let Some(content) = atomic::read(path)? else { return Ok(None) };
    let record = serde_json::from_slice(&content).and_then(|versioned: Versioned<CardRecord<T>>| {
        if versioned.version == VERSION {
            Ok(versioned.card)
        } else {
            Err(serde::de::Error::custom(format_args!("version {} is not known", versioned.version)))
        }
    });
    Ok(Some(record.map_err(|source| CorruptCard { path: path.to_owned(), source })))
}
