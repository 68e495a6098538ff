//! Handles events that show that a request of the session is over: its card is retired as answered elsewhere.
//!
//! | event | retired cards |
//! |---|---|
//! | PostToolUse, PostToolUseFailure | the oldest one for the same call of the same agent |
//! | Stop, UserPromptSubmit | those of the main conversation, because subagents may continue |
//! | SessionEnd | all; the grants that were given for the session end too |
//!
//! A running owner of a card is notified and retires it itself, and so does the gateway. Cards of dead owners are
//! retired here.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::claude::{HookEvent, HookInput, ToolCall};
use dmplz_core::messenger::Tenure;
use dmplz_desk::{Desk, Face};
use dmplz_state::{CardRecord, Cards, Found, StateDir};
use tokio::time::Instant;

use super::gateway::{self, Reporting};
use super::{environment, grants};
use crate::account;
use crate::runtime::runtime;
use crate::settings::{self, Settings, Table};
use crate::{time, trouble};

/// The time limit of an event; nobody waits for it.
const LIMIT: Duration = Duration::from_secs(20);

/// Retires the cards that the event is about. Costs one failed `open` if the session has none.
pub(super) fn retire(input: &HookInput, gateway: &mut Reporting) -> anyhow::Result<()> {
    let dir = settings::state_dir(&environment)?;
    let Some(state) = StateDir::find(&dir)? else { return Ok(()) };
    if input.event() == HookEvent::SessionOver {
        grants::end_session(&state, &input.session_id);
    }
    gateway::tell(&state, input, gateway);
    let mut found: Vec<Found<Face>> = Cards::new(&state).of_session(&input.session_id)?;
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by_key(|found| match found {
        Found::Alive(card) => card.record().created_ms,
        Found::Orphan(card) => card.record().created_ms,
        Found::Corrupt(_) => 0,
    });
    let done = input.tool_call().ok();
    let (mut orphans, mut told) = (false, false);
    for found in found {
        match found {
            Found::Alive(card) if !told && concerns(card.record(), input, done.as_ref()) => {
                card.mark_answered_elsewhere()?;
                told = input.event() == HookEvent::ToolDone;
            }
            Found::Alive(_) => {}
            Found::Orphan(_) => orphans = true,
            Found::Corrupt(error) => trouble::warn(&error.to_string()),
        }
    }
    if orphans { runtime()?.block_on(retire_orphans(&state)) } else { Ok(()) }
}

fn concerns(record: &CardRecord<Face>, input: &HookInput, done: Option<&ToolCall>) -> bool {
    match input.event() {
        HookEvent::ToolDone => done.is_some_and(|done| {
            record.agent_id == input.agent_id && ToolCall::same_call(&record.tool_name, &record.input_digest, done)
        }),
        HookEvent::TurnOver => record.agent_id.is_none(),
        HookEvent::SessionOver => true,
        HookEvent::PermissionRequest | HookEvent::ToolAhead | HookEvent::Other => false,
    }
}

/// Retires the cards of dead processes. The list that was just read has dropped its claims, and the desk claims the
/// cards again.
async fn retire_orphans(state: &StateDir) -> anyhow::Result<()> {
    let mut table = Table::load(&environment)?;
    let settings = Settings::of(&table)?;
    trouble::set_verbosity(settings.verbose);
    let chosen = account::choose(&mut table, &environment)?;
    let provider = account::start(&chosen, &settings, &table, Tenure::Request).await?;
    let ledger = account::ledger(state, &chosen.key, None);
    let limit = time::millis(LIMIT);
    let mut desk = Desk::open(Rc::new(provider), ledger, &chosen.chat, settings.lang, Instant::now(), limit).await?;
    Ok(tokio::time::timeout(LIMIT, desk.retire_orphans()).await?)
}
