//! Receives presses and forms over Discord's gateway.
//!
//! `receive` uses an instance of its own, which keeps a connection open between calls. The cursor is the place in the
//! session. The connection is continued only if the host asks for exactly what comes next; from any other cursor,
//! such as a new instance's, the session is resumed. So no event is lost or delivered twice, as long as Discord keeps
//! the session.
//!
//! Interactions are responded to before they are returned: Discord gives 3 s, and the host may need longer.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::socket::{Socket, SocketError};
use dmplz_provider_sdk::text::without_mentions;
use dmplz_provider_sdk::words;

use crate::api::Api;
use crate::chat::user;
use crate::limits::BATCH;
use crate::{interactions, manifest};
use closing::{Closing, closing};
use place::Place;
use protocol::{Protocol, Step};

mod chance;
mod closing;
mod payload;
mod place;
mod protocol;

/// The protocol version and encoding (docs/events/gateway#gateway-url-query-string-params).
const PROTOCOL: &str = "?v=10&encoding=json";
/// The most connections that one call opens, so that a gateway that disconnects repeatedly is left to the host's
/// back-off.
const CONNECTIONS: u32 = 3;
/// The milliseconds that a diagnosis waits for the gateway's first frame; our choice.
const GREETING: u32 = 3000;

/// The transport `gateway`.
#[derive(Debug)]
pub(crate) struct Gateway {
    url: String,
    protocol: Protocol,
    /// The connection, if one is open.
    line: Option<Box<dyn Socket>>,
    /// The cursor at which [`Protocol::place`] was reached, or that was returned last.
    cursor: String,
    /// When the next connection may be opened.
    not_before: u64,
}

impl Gateway {
    /// Reads the gateway's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self> {
        let url = settings::url(settings, manifest::GATEWAY_URL);
        if !is_usable(url) {
            return Err(Error::bad_setting(manifest::GATEWAY_URL, "a wss URL such as wss://gateway.discord.gg"));
        }
        let (protocol, cursor) = (Protocol::default(), String::new());
        Ok(Self { url: url.to_owned(), protocol, line: None, cursor, not_before: 0 })
    }

    /// Listens for at most `wait` milliseconds, and returns as soon as an event arrived. An error discards neither
    /// events that arrived before it nor a session that was started.
    pub(crate) fn receive(&mut self, api: Api<'_>, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        let Heard { events, .. } = self.hear(api, cursor, Heard::watching(watching), wait)?;
        Ok(Batch { events, cursor: self.cursor.clone() })
    }

    /// Listens for people who write to the bot. A session that is started for this requests their messages; one that
    /// is continued requested them when it was started.
    pub(crate) fn meet(&mut self, api: Api<'_>, cursor: &str, wait: u32) -> Result<Meeting> {
        self.protocol.intents = payload::MEETING;
        let Heard { greetings, .. } = self.hear(api, cursor, Heard::meeting(), wait)?;
        Ok(Meeting { greetings, cursor: self.cursor.clone() })
    }

    fn hear<'a>(&mut self, api: Api<'_>, cursor: &str, mut heard: Heard<'a>, wait: u32) -> Result<Heard<'a>> {
        if cursor != self.cursor {
            self.line = None;
            self.protocol.place = Place::read(cursor);
            cursor.clone_into(&mut self.cursor);
        }
        let before = self.protocol.place.clone();
        let reserve = api.remaining().saturating_sub(wait).max(RESERVE);
        if let Err(error) = self.listen(api, reserve, &mut heard) {
            if heard.is_empty() && self.protocol.place == before {
                return Err(error);
            }
            api.warn("what was heard is told first, and the gateway is tried again", &error);
        }
        self.cursor = self.protocol.place.as_ref().map(Place::write).unwrap_or_default();
        Ok(heard)
    }

    /// Listens until only `reserve` milliseconds of the export are left, or until there is an event to return.
    fn listen(&mut self, api: Api<'_>, reserve: u32, heard: &mut Heard<'_>) -> Result<()> {
        let mut connections = 0;
        loop {
            if self.line.is_none() {
                if connections >= CONNECTIONS {
                    return Err(Error::unavailable("the gateway hangs up again and again"));
                }
                connections += 1;
                if !self.open(api, reserve)? {
                    return Ok(());
                }
            }
            let wait = if heard.is_empty() { api.remaining().saturating_sub(reserve) } else { 0 };
            let step = match self.next(api, wait) {
                Ok(Some(step)) => step,
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.ended(error)?;
                    continue;
                }
            };
            match step {
                Step::Nothing => {}
                Step::Send(frame) => {
                    if let Err(error) = self.send(&frame) {
                        self.ended(error)?;
                    }
                }
                Step::Interaction(found) => {
                    heard.events.extend(interactions::take(api, heard.watching, &found));
                }
                Step::Written(message) => heard.greetings.extend(greeting(&message)),
                Step::Leave(away) => {
                    self.line = None;
                    self.not_before = api.now().saturating_add(away);
                }
            }
            if heard.len() >= BATCH {
                return Ok(());
            }
        }
    }

    /// Returns the next step; `None` after `wait` milliseconds.
    fn next(&mut self, api: Api<'_>, wait: u32) -> Result<Option<Step>, SocketError> {
        let Some(socket) = &self.line else { return Ok(None) };
        let now = api.now();
        if self.protocol.may_beat(now) {
            return Ok(Some(self.protocol.tick(now)));
        }
        let due = api.until(self.protocol.due(now));
        if let Some(frame) = socket.receive(wait.min(due))? {
            return Ok(Some(self.protocol.take(&frame, api.now())));
        }
        let step = self.protocol.tick(api.now());
        Ok((step != Step::Nothing || wait > due).then_some(step))
    }

    fn send(&self, frame: &str) -> Result<(), SocketError> {
        self.line.as_ref().map_or(Ok(()), |socket| socket.send(frame))
    }

    /// Handles a connection that ended or is unusable. One that carried the session is replaced at once; after one
    /// that did not, the host decides when to try again.
    fn ended(&mut self, error: SocketError) -> Result<()> {
        if error == SocketError::Deadline {
            return Err(Error::Deadline);
        }
        self.line = None;
        let code = match &error {
            SocketError::Closed(closure) => closure.code,
            _ => None,
        };
        match closing(code) {
            Closing::Resume => {}
            Closing::Anew => self.protocol.place = None,
            Closing::Fatal(error) => {
                self.protocol.place = None;
                return Err(error);
            }
        }
        if self.protocol.is_ready() { Ok(()) } else { Err(error.into()) }
    }

    /// Opens a connection. Returns false if the time is over before it may.
    fn open(&mut self, api: Api<'_>, reserve: u32) -> Result<bool> {
        let (away, left) = (api.until(self.not_before), api.remaining().saturating_sub(reserve));
        if away > 0 {
            api.sleep(away.min(left));
            if away > left {
                return Ok(false);
            }
        }
        let socket = match self.protocol.place.as_ref().map(|place| place.url.clone()) {
            Some(url) => self.resume(api, url.as_deref())?,
            None => {
                sessions_left(api)?;
                api.connect_socket(&address(&self.url))?
            }
        };
        self.line = Some(socket);
        self.protocol.opened(api.now());
        Ok(true)
    }

    /// Connects to the URL at which Discord wants the session resumed, else to the configured one, which is granted
    /// and may be reachable if the other is not.
    fn resume(&self, api: Api<'_>, url: Option<&str>) -> Result<Box<dyn Socket>> {
        match url.map(|url| api.connect_socket(&address(url))) {
            Some(Ok(socket)) => return Ok(socket),
            Some(Err(SocketError::Deadline)) => return Err(Error::Deadline),
            Some(Err(error)) => {
                let why = words(&error.into());
                api.log(Level::Info, &format!("the session is resumed elsewhere than at its own URL: {why}"));
            }
            None => {}
        }
        Ok(api.connect_socket(&address(&self.url))?)
    }

    /// Checks for `dmplz doctor` whether the gateway can be reached: how many sessions are left, and that it sends
    /// HELLO. No session is started.
    pub(crate) fn diagnose(&self, api: Api<'_>) -> Result<String> {
        let left = sessions_left(api)?;
        let socket = api.connect_socket(&address(&self.url))?;
        match socket.receive(GREETING)? {
            Some(_) => Ok(format!("the gateway answers at {}; {left}", self.url)),
            None => Err(Error::unavailable(format!("nothing came from {}", self.url))),
        }
    }
}

/// Returns how many sessions may be started (docs/events/gateway#session-start-limit-object). Starting one too many
/// costs the token.
fn sessions_left(api: Api<'_>) -> Result<String> {
    let gateway = api.get("/gateway/bot")?;
    let Some(limit) = gateway.get("session_start_limit") else { return Ok("no limit of sessions is told".to_owned()) };
    let number = |field| limit.int(field).unwrap_or_default();
    match limit.int("remaining") {
        Some(..=0) => Err(Error::RateLimited(u32::try_from(number("reset_after")).ok())),
        _ => Ok(format!("{} of {} sessions a day are left", number("remaining"), number("total"))),
    }
}

/// Returns whether a URL can be connected to.
fn is_usable(url: &str) -> bool {
    settings::is_absolute(url, ["wss://", "ws://"])
}

/// Adds the protocol version and encoding to a URL.
fn address(url: &str) -> String {
    let is_bare = url.split_once("://").is_none_or(|(_, rest)| !rest.contains('/'));
    format!("{url}{}{PROTOCOL}", if is_bare { "/" } else { "" })
}

/// Converts a message that the bot may read (docs/resources/message#message-object). On a server its text is present
/// only if it mentions the bot; a message without text is ignored.
fn greeting(message: &Value) -> Option<Greeting> {
    let code = without_mentions(message.text("content")?);
    let user = user(message.get("author")?)?;
    let chat = match message.text("guild_id") {
        Some(_) if code.is_empty() => return None,
        Some(_) => Chat::Room(message.text("channel_id")?.to_owned()),
        None => Chat::Person(user.id.clone()),
    };
    Some(Greeting { chat, user, code })
}
