//! Polls for answers, no more often than the server permits.

use std::collections::BTreeSet;

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::from_str;

use crate::card::{Answer, answer};
use crate::limits::{EVENTS, INTERVAL, QUICK_LOOKS, QUICK_PAUSE, QUIET_AFTER, QUIET_PAUSE};
use crate::manifest::POLL_INTERVAL;
use crate::posting::of_an_answer;
use crate::{server, topic};

/// The seconds before the oldest card, or before now, at which polls begin: a copy of a card whose reply was lost was
/// published before it.
const BEFORE: u64 = 600;
/// The server's text of a message that is only a file.
const FILE_ALONE: &str = "You received a file: ";
/// How the server names the file that it makes of a text longer than a message (`server/server.go`, `handleBodyAsAttachment`).
const LONG_TEXT: &str = "attachment.";

/// When the server was last polled. A new instance polls at once.
#[derive(Debug)]
pub(crate) struct Pace {
    interval: u32,
    looked_at: Option<u64>,
    /// The number of faster polls that are left.
    quick: u8,
    /// The place of the newest card, and since when it is watched; 0 for none.
    newest: (u64, u64),
}

impl Pace {
    /// Reads the interval from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self> {
        let value = settings.iter().find(|setting| setting.name == POLL_INTERVAL).map(|it| it.value.trim().parse());
        match value.unwrap_or(Ok(INTERVAL)) {
            Ok(interval @ 50..=60_000) => Ok(Self { interval, looked_at: None, quick: 0, newest: (0, 0) }),
            _ => Err(Error::bad_setting(POLL_INTERVAL, "milliseconds from 50 to 60000")),
        }
    }

    /// Waits until the next poll is due, but not beyond `end`, a time of the host's clock in milliseconds.
    fn wait(&mut self, api: Api<'_>, end: u64) {
        let is_quiet = self.newest.0 == 0 || api.now().saturating_sub(self.newest.1) > QUIET_AFTER;
        let pause = match self.quick {
            0 if is_quiet => self.interval.max(QUIET_PAUSE),
            0 => self.interval,
            _ => self.interval.min(QUICK_PAUSE),
        };
        let due = self.looked_at.map_or(0, |at| at.saturating_add(u64::from(pause)));
        api.sleep(u32::try_from(due.min(end).saturating_sub(api.now())).unwrap_or_default());
        self.looked_at = Some(api.now());
        self.quick = self.quick.saturating_sub(1);
    }
}

/// Polls until an event arrives or the time is over. The last poll is at the end, because a denial of the last moment
/// counts.
pub(crate) fn receive(
    api: Api<'_>,
    pace: &mut Pace,
    topics: &BTreeSet<String>,
    cursor: &str,
    watching: &[Watch],
    wait: u32,
) -> Result<Batch> {
    let mut batch = Batch { events: Vec::new(), cursor: cursor.to_owned() };
    let end = api.now().saturating_add(u64::from(wait));
    if topics.is_empty() {
        api.sleep(wait);
        return Ok(batch);
    }
    let newest = watching.iter().map(|watch| watch.message.sequence).max().unwrap_or_default();
    if newest != pace.newest.0 {
        pace.newest = (newest, api.now());
    }
    loop {
        pace.wait(api, end);
        batch = look(api, topics, &batch.cursor, watching)?;
        if !batch.events.is_empty() {
            pace.quick = QUICK_LOOKS;
        }
        if !batch.events.is_empty() || api.now() >= end {
            return Ok(batch);
        }
    }
}

/// Polls once (<https://docs.ntfy.sh/subscribe/api/#poll-for-messages>). The reply has one message per line.
fn look(api: Api<'_>, topics: &BTreeSet<String>, cursor: &str, watching: &[Watch]) -> Result<Batch> {
    let answers = topics.iter().map(|topic| topic::answers(topic)).collect::<Vec<_>>().join(",");
    let path = format!("{answers}/json?poll=1&since={}", since(api, cursor, watching));
    let reply = server::get(api, &path)?;
    let text = String::from_utf8_lossy(&reply.body);
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(reply.nonsense(&"a message that was cut off"));
    }
    let messages = text.lines().map(from_str::<Value>).collect::<Result<Vec<_>, _>>();
    let mut messages = messages.map_err(|error| reply.nonsense(&error))?;
    messages.sort_by_key(|message| message.int("time"));
    let mut batch = Batch { events: Vec::new(), cursor: cursor.to_owned() };
    for message in messages {
        if batch.events.len() == EVENTS {
            break;
        }
        if let Some(id) = message.text("id").filter(|id| is_message_id(id)) {
            id.clone_into(&mut batch.cursor);
            batch.events.extend(event(id, &message, watching));
        }
    }
    Ok(batch)
}

/// Returns the parameter of a poll: messages after a message, or after a time.
fn since(api: Api<'_>, cursor: &str, watching: &[Watch]) -> String {
    if is_message_id(cursor) {
        return cursor.to_owned();
    }
    if !cursor.is_empty() {
        api.log(Level::Warn, "the cursor is not one of this provider; starting with the oldest card");
    }
    let oldest = watching.iter().map(|watch| watch.message.sequence / 2).min();
    oldest.unwrap_or(api.now() / 1000).saturating_sub(BEFORE).to_string()
}

/// Returns whether it is an id that the server makes (`validMessageID`): a number or a duration would ask for
/// something else.
fn is_message_id(id: &str) -> bool {
    id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn event(id: &str, message: &Value, watching: &[Watch]) -> Option<Event> {
    if message.text("event") != Some("message") {
        return None;
    }
    let (topic, text) = (topic::answered(message.text("topic")?)?, message.text("message")?);
    let at = |id: &str| MessageRef::new(topic, id, of_an_answer(message.int("time").unwrap_or_default()));
    // The host knows that users are not identified.
    let user = User { id: "anonymous".to_owned(), name: "anonymous".to_owned(), is_bot: false };
    match answer(text)? {
        Answer::Press(Payload { tag, choice, .. }) => {
            let card = watching.iter().map(|watch| &watch.message).find(|it| it.chat == topic && it.id == tag);
            let (message, tag, choice) =
                (card.cloned().unwrap_or_else(|| at(tag)), Some(tag.to_owned()), choice.to_owned());
            Some(Event::Chosen(Chosen { message, tag, choice, user, token: id.to_owned(), text: None }))
        }
        Answer::Words(text) => {
            let file = text.strip_prefix(FILE_ALONE).filter(|_| message.get("attachment").is_some());
            // The host says that a text cannot be read which comes without its words.
            let text = match file {
                Some(name) if name.starts_with(LONG_TEXT) => String::new(),
                Some(_) => return None,
                None => text.to_owned(),
            };
            Some(Event::Said(Said { message: at(id), reply_to: None, user, text, files: Vec::new() }))
        }
    }
}
