//! Receives presses and forms over Discord's gateway.
//!
//! `receive` uses an instance of its own, which keeps a connection open between calls. The cursor is the place in the
//! session. The connection is continued only if the host asks for exactly what comes next; from any other cursor,
//! such as a new instance's, the session is resumed. So no event is lost or delivered twice, as long as Discord keeps
//! the session.
//!
//! Interactions are responded to before they are returned: Discord gives 3 s, and the host may need longer.

use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::Value;
use dmplz_provider_sdk::socket::{Socket, SocketError};
use dmplz_provider_sdk::text::without_mentions;
use dmplz_provider_sdk::{Batch, Chat, Error, Event, Greeting, Host, Level, Meeting, Setting, Watch, settings, words};

use crate::api::Api;
use crate::chat::user;
use crate::limits::{BATCH, RESERVE};
use crate::{interactions, manifest};
use closing::{Closing, closing};
use place::Place;
use protocol::{Protocol, Step};

mod chance;
mod closing;
pub(crate) mod payload;
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
    line: Line,
    /// The cursor at which [`Protocol::place`] was reached, or that was returned last.
    cursor: String,
    /// When the next connection may be opened.
    not_before: u64,
}

/// The events since the last call.
#[derive(Default)]
struct Heard<'a> {
    watching: &'a [Watch],
    events: Vec<Event>,
    greetings: Vec<Greeting>,
}

impl Heard<'_> {
    fn len(&self) -> usize {
        self.events.len() + self.greetings.len()
    }
}

/// The connection, if one is open.
#[derive(Default)]
struct Line(Option<Box<dyn Socket>>);

impl Gateway {
    /// Reads the gateway's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let url = settings::url(settings, manifest::GATEWAY_URL);
        if !is_usable(url) {
            return Err(Error::bad_setting(manifest::GATEWAY_URL, "a wss URL such as wss://gateway.discord.gg"));
        }
        let (protocol, line, cursor) = (Protocol::default(), Line::default(), String::new());
        Ok(Self { url: url.to_owned(), protocol, line, cursor, not_before: 0 })
    }

    /// Listens for at most `wait` milliseconds, and returns as soon as an event arrived. An error discards neither
    /// events that arrived before it nor a session that was started.
    pub(crate) fn receive(
        &mut self,
        api: &Api,
        host: &dyn Host,
        cursor: &str,
        watching: &[Watch],
        wait: u32,
    ) -> Result<Batch, Error> {
        let mut heard = Heard { watching, ..Heard::default() };
        self.hear(api, host, cursor, &mut heard, wait)?;
        Ok(Batch { events: heard.events, cursor: self.cursor.clone() })
    }

    /// Listens for people who write to the bot. A session that is started for this requests their messages; one that
    /// is continued requested them when it was started.
    pub(crate) fn meet(&mut self, api: &Api, host: &dyn Host, cursor: &str, wait: u32) -> Result<Meeting, Error> {
        self.protocol.intents = payload::MEETING;
        let mut heard = Heard::default();
        self.hear(api, host, cursor, &mut heard, wait)?;
        Ok(Meeting { greetings: heard.greetings, cursor: self.cursor.clone() })
    }

    fn hear(
        &mut self,
        api: &Api,
        host: &dyn Host,
        cursor: &str,
        heard: &mut Heard<'_>,
        wait: u32,
    ) -> Result<(), Error> {
        if cursor != self.cursor {
            self.line = Line(None);
            self.protocol.place = Place::read(cursor);
            cursor.clone_into(&mut self.cursor);
        }
        let before = self.protocol.place.clone();
        let reserve = host.remaining().saturating_sub(wait).max(RESERVE);
        if let Err(error) = self.listen(api, host, reserve, heard) {
            if heard.len() == 0 && self.protocol.place == before {
                return Err(error);
            }
            host.warn("what was heard is told first, and the gateway is tried again", &error);
        }
        self.cursor = self.protocol.place.as_ref().map(Place::write).unwrap_or_default();
        Ok(())
    }

    /// Listens until only `reserve` milliseconds of the export are left, or until there is an event to return.
    fn listen(&mut self, api: &Api, host: &dyn Host, reserve: u32, heard: &mut Heard<'_>) -> Result<(), Error> {
        let mut connections = 0;
        loop {
            if self.line.0.is_none() {
                if connections >= CONNECTIONS {
                    return Err(Error::unavailable("the gateway hangs up again and again"));
                }
                connections += 1;
                if !self.open(api, host, reserve)? {
                    return Ok(());
                }
            }
            let wait = if heard.len() == 0 { host.remaining().saturating_sub(reserve) } else { 0 };
            let step = match self.next(host, wait) {
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
                    heard.events.extend(interactions::take(api, host, heard.watching, &found));
                }
                Step::Written(message) => heard.greetings.extend(greeting(&message)),
                Step::Leave(away) => {
                    self.line = Line(None);
                    self.not_before = host.now().saturating_add(away);
                }
            }
            if heard.len() >= BATCH {
                return Ok(());
            }
        }
    }

    /// Returns the next step; `None` after `wait` milliseconds.
    fn next(&mut self, host: &dyn Host, wait: u32) -> Result<Option<Step>, SocketError> {
        let Some(socket) = &self.line.0 else { return Ok(None) };
        let now = host.now();
        if self.protocol.may_beat(now) {
            return Ok(Some(self.protocol.tick(now)));
        }
        let due = u32::try_from(self.protocol.due(now).saturating_sub(now)).unwrap_or(u32::MAX);
        if let Some(frame) = socket.receive(wait.min(due))? {
            return Ok(Some(self.protocol.take(&frame, host.now())));
        }
        let step = self.protocol.tick(host.now());
        Ok((step != Step::Nothing || wait > due).then_some(step))
    }

    fn send(&self, frame: &str) -> Result<(), SocketError> {
        self.line.0.as_ref().map_or(Ok(()), |socket| socket.send(frame))
    }

    /// Handles a connection that ended or is unusable. One that carried the session is replaced at once; after one
    /// that did not, the host decides when to try again.
    fn ended(&mut self, error: SocketError) -> Result<(), Error> {
        if error == SocketError::Deadline {
            return Err(Error::Deadline);
        }
        self.line = Line(None);
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
    fn open(&mut self, api: &Api, host: &dyn Host, reserve: u32) -> Result<bool, Error> {
        let away = self.not_before.saturating_sub(host.now());
        let left = host.remaining().saturating_sub(reserve);
        if away > 0 {
            host.sleep(u32::try_from(away).unwrap_or(u32::MAX).min(left));
            if away > u64::from(left) {
                return Ok(false);
            }
        }
        let socket = match self.protocol.place.as_ref().map(|place| place.url.clone()) {
            Some(url) => self.resume(host, url.as_deref())?,
            None => {
                sessions_left(api, host)?;
                host.connect_socket(&address(&self.url))?
            }
        };
        self.line = Line(Some(socket));
        self.protocol.opened(host.now());
        Ok(true)
    }

    /// Connects to the URL at which Discord wants the session resumed, else to the configured one, which is granted
    /// and may be reachable if the other is not.
    fn resume(&self, host: &dyn Host, url: Option<&str>) -> Result<Box<dyn Socket>, Error> {
        match url.map(|url| host.connect_socket(&address(url))) {
            Some(Ok(socket)) => return Ok(socket),
            Some(Err(SocketError::Deadline)) => return Err(Error::Deadline),
            Some(Err(error)) => {
                let why = words(&error.into());
                host.log(Level::Info, &format!("the session is resumed elsewhere than at its own URL: {why}"));
            }
            None => {}
        }
        Ok(host.connect_socket(&address(&self.url))?)
    }

    /// Checks for `dmplz doctor` whether the gateway can be reached: how many sessions are left, and that it sends
    /// HELLO. No session is started.
    pub(crate) fn diagnose(&self, api: &Api, host: &dyn Host) -> Result<String, Error> {
        let left = sessions_left(api, host)?;
        let socket = host.connect_socket(&address(&self.url))?;
        match socket.receive(GREETING)? {
            Some(_) => Ok(format!("the gateway answers at {}; {left}", self.url)),
            None => Err(Error::unavailable(format!("nothing came from {}", self.url))),
        }
    }
}

/// Returns how many sessions may be started (docs/events/gateway#session-start-limit-object). Starting one too many
/// costs the token.
fn sessions_left(api: &Api, host: &dyn Host) -> Result<String, Error> {
    let gateway = api.get(host, "/gateway/bot")?;
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

impl std::fmt::Debug for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Line").field(&self.0.is_some()).finish()
    }
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
