//! Socket Mode (<https://docs.slack.dev/apis/events-api/using-socket-mode>).
//!
//! | frame | then |
//! |---|---|
//! | `hello` | the connection delivers. If Slack counts more connections than this provider has, a new one is opened a moment later, as one of a process that just ended may be counted still; then it is `conflict`, because each event goes to only one of them |
//! | an envelope | it is acknowledged at once: Slack gives 3 s, and the host may need longer. Then what it holds is returned |
//! | `disconnect` | a new connection is opened, and the old one is read until it ends, so that no press is lost |
//! | `disconnect` of a link that is disabled | `denied`: Socket Mode is turned off |
//! | anything else as the first frame | the connection is useless |
//! | anything else later | ignored |
//!
//! Slack keeps nothing for an app without a connection: a person who presses a button meanwhile reads that it failed. So the
//! cursor, `s1 BEGAN COUNT`, counts the events that this instance has told, and an earlier cursor of the same instance brings
//! those after it again. From any other one, as of an earlier instance, a new connection is opened.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::socket::{Socket, SocketError};

use crate::api::socket_url;
use crate::limits::BATCH;
use crate::{chat, interactions};

/// The milliseconds in which a connection must say hello, and in which an old one must end; our choices.
const PATIENCE: u64 = 10_000;
/// The milliseconds without a frame after which the connection is replaced: a dead one looks like a quiet one.
const QUIET: u64 = 600_000;
/// The most milliseconds before another connection shows whether Slack still counts one that ended; our choice.
const CROWDED: u32 = 1000;
/// The milliseconds between two looks at the old connection.
const SLICE: u32 = 100;
/// The milliseconds that a diagnosis waits for hello; our choice.
const GREETING: u32 = 3000;

/// The connection of this instance, and the one that it replaces.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    line: Option<Box<dyn Socket>>,
    /// The cursor that was returned last.
    cursor: String,
    told: Told,
    /// The connections of this instance when the last one was opened.
    ours: i64,
    /// Whether Slack counted too many connections the last time.
    is_crowded: bool,
    /// Whether the connection said hello.
    ready: bool,
    /// When the connection was opened, or the last frame came over it.
    heard: u64,
    /// The connection that Slack is about to close, and when it must have.
    old: Option<(Box<dyn Socket>, u64)>,
}

impl Listener {
    /// Listens for at most `wait` milliseconds, and returns as soon as an event arrived.
    pub(crate) fn receive(&mut self, api: Api<'_>, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        if let Some(events) = self.told.after(cursor) {
            return Ok(Batch { events, cursor: self.cursor.clone() });
        }
        let Heard { events, .. } = self.hear(api, cursor, Heard::watching(watching), wait)?;
        self.told.tell(&events);
        self.cursor = self.told.cursor().unwrap_or_else(|| cursor.to_owned());
        Ok(Batch { events, cursor: self.cursor.clone() })
    }

    /// Listens for people who write to the app.
    pub(crate) fn meet(&mut self, api: Api<'_>, cursor: &str, wait: u32) -> Result<Meeting> {
        let Heard { greetings, .. } = self.hear(api, cursor, Heard::meeting(), wait)?;
        Ok(Meeting { greetings, cursor: self.cursor.clone() })
    }

    fn hear<'a>(&mut self, api: Api<'_>, cursor: &str, mut heard: Heard<'a>, wait: u32) -> Result<Heard<'a>> {
        if cursor != self.cursor {
            (self.line, self.old, self.ready) = (None, None, false);
            cursor.clone_into(&mut self.cursor);
        }
        let reserve = api.remaining().saturating_sub(wait).max(RESERVE);
        let listened = self.listen(api, reserve, &mut heard);
        heard.told_first(&*api, listened)
    }

    /// Listens until only `reserve` milliseconds of the export are left, or until there is an event to return.
    fn listen(&mut self, api: Api<'_>, reserve: u32, heard: &mut Heard<'_>) -> Result<()> {
        if self.ready && api.now().saturating_sub(self.heard) > QUIET {
            self.replace(api);
        }
        while heard.len() < BATCH {
            if self.line.is_none() {
                if !heard.connects("Slack")? {
                    return Ok(());
                }
                self.line = Some(api.connect_socket(&socket_url(api)?)?);
                (self.ready, self.heard) = (false, api.now());
                self.ours = 1 + i64::from(self.old.is_some());
            }
            if let Some((socket, until)) = &self.old {
                match socket.receive_json(0) {
                    Ok(Some(frame)) => {
                        envelope(api, &**socket, &frame, heard);
                        continue;
                    }
                    Ok(None) if api.now() < *until => {}
                    Err(SocketError::Deadline) => return Err(Error::Deadline),
                    Ok(None) | Err(_) => self.old = None,
                }
            }
            let left = if heard.is_empty() { api.remaining().saturating_sub(reserve) } else { 0 };
            let slice = if self.old.is_some() { left.min(SLICE) } else { left };
            let Some(socket) = &self.line else { continue };
            match socket.receive_json(slice) {
                Ok(Some(frame)) => self.take(api, &frame, heard)?,
                Ok(None) if !self.ready && api.now().saturating_sub(self.heard) > PATIENCE => {
                    self.line = None;
                    return Err(Error::unavailable("Slack does not say hello"));
                }
                Ok(None) if slice < left => {}
                Ok(None) => return Ok(()),
                Err(SocketError::Deadline) => return Err(Error::Deadline),
                Err(error) => {
                    self.line = None;
                    // One that delivered is replaced at once; after another one the host decides when to try again.
                    if !std::mem::take(&mut self.ready) {
                        return Err(error.into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Handles a frame of the current connection.
    fn take(&mut self, api: Api<'_>, found: &Value, heard: &mut Heard<'_>) -> Result<()> {
        self.heard = api.now();
        let error = match (found.text("type"), found.text("reason")) {
            (Some("hello"), _) => return self.greeted(api, found),
            (Some("disconnect"), Some("link_disabled")) => {
                Error::denied("Socket Mode is turned off: turn it on in the app's settings")
            }
            (Some("disconnect"), Some("too_many_websockets")) => Error::conflict("the app has too many connections"),
            (Some("disconnect"), _) => {
                self.replace(api);
                return Ok(());
            }
            _ if found.text("envelope_id").is_some() => {
                self.line.iter().for_each(|socket| envelope(api, &**socket, found, heard));
                return Ok(());
            }
            _ if !self.ready => Error::unavailable("a first frame that makes no sense"),
            _ => return Ok(()),
        };
        (self.line, self.ready) = (None, false);
        Err(error)
    }

    /// Uses the connection from now on, unless it is one too many.
    fn greeted(&mut self, api: Api<'_>, hello: &Value) -> Result<()> {
        let was_crowded = self.is_crowded;
        self.is_crowded = hello.int("num_connections").is_some_and(|count| count > self.ours);
        self.ready = !self.is_crowded;
        if self.ready {
            self.told.begin(api.now());
            self.cursor = self.told.cursor().unwrap_or_default();
            return Ok(());
        }
        self.line = None;
        if was_crowded {
            let said = "Slack counts another connection of this app: give each computer an app of its own";
            return Err(Error::conflict(said));
        }
        api.sleep(CROWDED.min(api.remaining() / 4));
        Ok(())
    }

    fn replace(&mut self, api: Api<'_>) {
        self.old = self.line.take().map(|socket| (socket, api.now().saturating_add(PATIENCE)));
    }
}

/// Acknowledges an envelope, and takes out what happened. One that cannot be acknowledged counts all the same: its sender
/// reads that it failed, and sees how the card changes.
fn envelope(api: Api<'_>, socket: &dyn Socket, found: &Value, heard: &mut Heard<'_>) {
    let (Some(id), Some(payload)) = (found.text("envelope_id"), found.get("payload")) else { return };
    // Nobody here answers a press, so its person reads that it failed.
    if heard.meets && found.text("type") == Some("interactive") {
        return;
    }
    if let Err(error) = socket.send_json(&json!({ "envelope_id": id })) {
        api.warn("an event could not be acknowledged", &error.into());
    }
    match found.text("type") {
        Some("interactive") => heard.events.extend(interactions::take(api, heard.watching, payload)),
        Some("events_api") if heard.meets => heard.greetings.extend(chat::greeting(api, payload)),
        _ => {}
    }
}

/// Checks for `dmplz doctor` whether events will arrive: that Slack says hello. A press in this moment may come here, and then
/// its person reads that it failed.
pub(crate) fn probe(api: Api<'_>) -> Result<String> {
    let socket = api.connect_socket(&socket_url(api)?)?;
    let hello = socket.receive_json(GREETING)?.unwrap_or_default();
    match hello.text("type") {
        Some("hello") => {
            let others = hello.int("num_connections").unwrap_or(1).saturating_sub(1);
            Ok(format!("Slack says hello; other connections of the app: {others}"))
        }
        _ => Err(Error::unavailable("Slack does not say hello")),
    }
}
