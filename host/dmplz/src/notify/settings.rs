//! `[notify]` in `config.toml`: channels, and which events go to them. Without it, nothing is sent.
//!
//! ```toml
//! [notify.channels.phone]
//! type = "messenger"
//! messenger = "telegram"
//!
//! [[notify.routes]]
//! events = ["Notification", "PostToolUseFailure"]
//! to = ["phone"]
//! ```
//!
//! | key of a channel | for the type | takes |
//! |---|---|---|
//! | `messenger` | `messenger` | the name of a messenger that is set up |
//! | `chat` | `messenger` | another chat of it than the one that requests are asked in, as its own setting takes it |
//! | `url` | `discord`, `webhook` | a URL; or `DMPLZ_NOTIFY_<CHANNEL>_URL` in the environment of `dmplz serve`, which comes first |
//! | `secret` | `webhook` | `whsec_` and base64; or `DMPLZ_NOTIFY_<CHANNEL>_SECRET` |
//! | `thread`, `username`, `avatar` | `discord` | the id of a thread; the name that is shown, and the https URL of its picture |
//! | `sequence` | `terminal` | `9`, `777`, `99` or `bell`; what the terminal's variables tell if it is missing |
//! | no other key | `push` | the browsers that are subscribed on the page |
//! | `silent` | `messenger`, `discord` | `true` sends without a sound, where the messenger can do that |
//! | `verbose` | all | `true` lets routes send content to it |
//! | `template` | all but `push` | the name of a template, see [`templates`] |
//!
//! | key of the table | takes |
//! |---|---|
//! | `quiet` | the quiet hours, such as `22:00-07:00` |
//! | `zone` | the time zone that they are in, such as `Asia/Seoul`; the machine's if it is missing |
//!
//! An error names the place and never a value, which could be a secret.

mod route;
pub(crate) mod templates;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dmplz_core::notify::{Detail, EventKind, Notice, Occurrence, Quiet, Routing, Sequence};
use dmplz_core::text::Lang;
use dmplz_plugin::Secret;
use dmplz_protocol::notify::settings::TemplateTexts;
use jiff::tz::TimeZone;
use toml::{Table, Value};

use self::templates::{Templates, Words};
use crate::environment::is_not_utf8;
use crate::settings::{Environment, NOTIFY, SettingsError, config_file, config_text, line_of};
use crate::time;
use crate::told::Phrase;

/// The most channels, and the most routes.
const MOST: usize = 64;

/// The type of a channel that the hook notifies.
pub(super) const TERMINAL: &str = "terminal";

/// Channels and routes.
#[derive(Debug, Clone, Default)]
pub(crate) struct NotifySettings {
    pub(crate) channels: BTreeMap<String, Channel>,
    pub(crate) routing: Routing,
    /// The time of day in which notices wait.
    pub(crate) quiet: Option<Quiet>,
    /// The name of the time zone that it is in; the machine's if it is missing.
    pub(super) zone: Option<String>,
    /// The templates that the settings file has.
    pub(super) templates: Vec<TemplateTexts>,
    file: PathBuf,
}

/// One channel.
#[derive(Debug, Clone)]
pub(crate) struct Channel {
    pub(crate) service: Service,
    /// Whether it makes no sound.
    pub(crate) silent: bool,
    /// Whether routes may send content to it.
    pub(crate) verbose: bool,
    /// The words of its notices; the usual ones if it is missing.
    pub(crate) template: Option<Words>,
    /// The name by which the file calls these words.
    pub(super) template_name: Option<String>,
}

/// The service that a channel sends to.
#[derive(Debug, Clone)]
pub(crate) enum Service {
    /// A messenger that is set up, and the chat if it is not the one that requests are asked in.
    Messenger { name: String, chat: Option<String> },
    /// An incoming webhook of Discord.
    Discord { url: Option<Secret>, thread: Option<String>, username: Option<String>, avatar: Option<String> },
    /// A webhook of the operator's.
    Webhook { url: Option<Secret>, secret: Option<Secret> },
    /// The browsers that are subscribed on the page.
    Push,
    /// The desktop of the gateway's machine.
    Desktop,
    /// The terminal that Claude Code runs in, which the hook notifies without a gateway. Without a sequence, the one that the
    /// terminal's variables tell.
    Terminal(Option<Sequence>),
}

impl Service {
    /// Returns the name of the type in settings.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Messenger { .. } => "messenger",
            Self::Discord { .. } => "discord",
            Self::Webhook { .. } => "webhook",
            Self::Push => "push",
            Self::Desktop => "desktop",
            Self::Terminal(_) => TERMINAL,
        }
    }

    /// Returns whether the hook notifies, and no gateway.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// Returns the variables that the channel requires and that are not set. They may be set for `dmplz serve` only.
    pub(crate) fn missing(&self, channel: &str) -> Vec<String> {
        let unset = |key, held: &Option<Secret>| held.is_none().then(|| variable(channel, key));
        match self {
            Self::Messenger { .. } | Self::Push | Self::Desktop | Self::Terminal(_) => Vec::new(),
            Self::Discord { url, .. } => unset("url", url).into_iter().collect(),
            Self::Webhook { url, secret } => unset("url", url).into_iter().chain(unset("secret", secret)).collect(),
        }
    }
}

impl NotifySettings {
    /// Reads them from the settings file of a state directory; what is missing there is off.
    pub(crate) fn load(state_dir: &Path, environment: Environment<'_>) -> Result<Self, SettingsError> {
        let file = config_file(state_dir);
        let Some(text) = config_text(&file)? else { return Ok(Self::default()) };
        Self::read(file, &text, environment).map_err(|(error, _)| error)
    }

    /// Reads the text of the settings file. An error also has the key whose value is wrong, where it is about one.
    pub(super) fn read(
        file: PathBuf,
        text: &str,
        environment: Environment<'_>,
    ) -> Result<Self, (SettingsError, Option<&'static str>)> {
        // Most files have no such table, and this runs for every event of a session.
        if !text.contains(NOTIFY) {
            return Ok(Self { file, ..Self::default() });
        }
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let values = [line_of(&error, text).to_string(), error.message().to_owned()];
            let message = Phrase::fill("{}번째 줄: {}", "line {}: {}", &values.each_ref().map(String::as_str));
            (SettingsError::Toml { file: file.clone(), message }, None)
        })?;
        let Some(Value::Table(notify)) = table.get(NOTIFY) else { return Ok(Self { file, ..Self::default() }) };
        let read = Self::of(notify, text, environment).map_err(|wrong| (wrong.of(&file), wrong.key))?;
        Ok(Self { file, ..read })
    }

    /// Returns the quiet hours and their time zone. Reads the system's time zones.
    pub(crate) fn quiet(&self) -> Result<Option<(Quiet, TimeZone)>, SettingsError> {
        let Some(quiet) = self.quiet else { return Ok(None) };
        let Some(name) = &self.zone else { return Ok(Some((quiet, time::zone()))) };
        let zone = TimeZone::get(name).map_err(|_| {
            let wrong = format!("names the time zone {name:?}, which this system does not know; one is Asia/Seoul");
            Wrong::at("\"zone\"", &wrong).of(&self.file)
        })?;
        Ok(Some((quiet, zone)))
    }

    fn of(notify: &Table, file_text: &str, environment: Environment<'_>) -> Result<Self, Wrong> {
        only(notify, "the table", &["channels", "routes", "templates", "quiet", "zone"])?;
        let templates = Templates::read(notify, file_text)?;
        let quiet = text(notify, "quiet", "the table")?.map(|text| text.parse::<Quiet>());
        let quiet = quiet
            .transpose()
            .map_err(|error| Wrong::at("\"quiet\"", &format!("cannot be used: {error}")).about("quiet"))?;
        let mut channels = BTreeMap::new();
        for (name, value) in table(notify, "channels")?.into_iter().flatten() {
            let place = format!("channel {name:?}");
            if !is_name(name) {
                return Err(Wrong::at(&place, "has a name that cannot be used: it takes 1 to 32 of a-z, 0-9 and -")
                    .about("name"));
            }
            let Value::Table(value) = value else { return Err(Wrong::at(&place, "must be a table")) };
            channels.insert(name.clone(), Channel::of(name, value, &place, &templates, environment)?);
        }
        let mut routes = Vec::new();
        match notify.get("routes") {
            None => {}
            Some(Value::Array(all)) => {
                for (at, value) in all.iter().enumerate() {
                    let place = format!("route {}", at + 1);
                    let Value::Table(value) = value else { return Err(Wrong::at(&place, "must be a table")) };
                    routes.push(route::read(value, &place, &channels)?);
                }
            }
            Some(_) => return Err(Wrong::at("\"routes\"", "must be a list of tables: write [[notify.routes]]")),
        }
        if channels.len() > MOST || routes.len() > MOST {
            return Err(Wrong::at("it", &format!("there are more than {MOST} channels or routes")));
        }
        let zone = text(notify, "zone", "the table")?;
        let (routing, templates) = (Routing(routes), templates.texts);
        Ok(Self { channels, routing, quiet, zone, templates, file: PathBuf::new() })
    }

    /// Returns the client's events that have a route, in the order of their names.
    pub(crate) fn hooks(&self) -> Vec<RoutedEvent> {
        let at_terminal = self.at_terminal();
        let wanted = EventKind::ROUTABLE.into_iter().filter(|event| event.is_of_client() && self.routing.wants(*event));
        wanted.map(|event| RoutedEvent { event, is_awaited: at_terminal.wants(event) }).collect()
    }

    /// Returns the routes to terminals, which the hook itself notifies.
    pub(crate) fn at_terminal(&self) -> Routing {
        self.routing.to(|name| self.is_terminal(name))
    }

    /// Returns the routes to all other channels, which are the gateway's.
    pub(crate) fn at_gateway(&self) -> Routing {
        self.routing.to(|name| !self.is_terminal(name))
    }

    /// Returns the names of the channels that are the gateway's.
    pub(crate) fn of_gateway(&self) -> impl Iterator<Item = &String> {
        self.channels.keys().filter(|name| !self.is_terminal(name))
    }

    /// Returns whether a channel is a terminal.
    pub(crate) fn is_terminal(&self, name: &str) -> bool {
        self.channels.get(name).is_some_and(|channel| channel.service.is_terminal())
    }
}

/// An event of the client that a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoutedEvent {
    pub(crate) event: EventKind,
    /// Whether the client has to wait for the hook, because it is the hook's output that notifies.
    pub(crate) is_awaited: bool,
}

impl Channel {
    /// Returns the notice of one occurrence, in the channel's words.
    pub(crate) fn notice(&self, occurrence: &Occurrence, detail: Detail, lang: Lang, now_ms: u64) -> Notice {
        let shown = occurrence.clone().for_detail(detail);
        match self.template.as_ref().and_then(|words| words.template(lang)) {
            Some(template) => Notice::by(&template, &shown, 1, detail, lang, now_ms),
            None => Notice::of(&shown, 1, detail, lang, now_ms),
        }
    }

    fn of(
        name: &str,
        table: &Table,
        place: &str,
        templates: &Templates,
        environment: Environment<'_>,
    ) -> Result<Self, Wrong> {
        let kind = text(table, "type", place)?;
        let secret = |key: &str| {
            let of_variable = variable(name, key);
            let set = environment(&of_variable).filter(|value| !value.is_empty());
            if set.as_ref().is_some_and(|value| is_not_utf8(value)) {
                return Err(Wrong::at(place, &format!("has its {key:?} in {of_variable}, which is not UTF-8")));
            }
            Ok(set.or(text(table, key, place)?).map(|value| Secret::new(value.trim())))
        };
        let service = match kind.as_deref() {
            Some("messenger") => {
                only(table, place, &["type", "messenger", "chat", "silent", "verbose", "template"])?;
                let messenger = text(table, "messenger", place)?;
                let name =
                    messenger.ok_or_else(|| Wrong::at(place, "lacks the key \"messenger\"").about("messenger"))?;
                let chat = text(table, "chat", place)?;
                if chat.as_ref().is_some_and(|id| id.trim().is_empty()) {
                    return Err(
                        Wrong::at(place, "has a \"chat\" that is empty: it takes the id of a chat").about("chat")
                    );
                }
                Service::Messenger { name, chat }
            }
            Some("discord") => {
                only(table, place, &["type", "url", "thread", "username", "avatar", "silent", "verbose", "template"])?;
                let thread = text(table, "thread", place)?;
                if thread.as_ref().is_some_and(|id| id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit())) {
                    return Err(Wrong::at(place, "has a \"thread\" that is no id: it takes digits").about("thread"));
                }
                let (username, avatar) = (text(table, "username", place)?, text(table, "avatar", place)?);
                if avatar.as_ref().is_some_and(|url| !url.starts_with("https://")) {
                    return Err(Wrong::at(place, "has an \"avatar\" that is no https URL").about("avatar"));
                }
                Service::Discord { url: secret("url")?, thread, username, avatar }
            }
            Some("webhook") => {
                only(table, place, &["type", "url", "secret", "verbose", "template"])?;
                Service::Webhook { url: secret("url")?, secret: secret("secret")? }
            }
            Some("push") => {
                only(table, place, &["type", "verbose"])?;
                Service::Push
            }
            Some("desktop") => {
                only(table, place, &["type", "verbose", "template"])?;
                Service::Desktop
            }
            Some(TERMINAL) => {
                only(table, place, &["type", "sequence", "verbose", "template"])?;
                let named = text(table, "sequence", place)?;
                let named = named.map(|name| one_of(&Sequence::ALL, Sequence::name, &name, "sequence", place));
                Service::Terminal(named.transpose()?)
            }
            _ => {
                let wrong = "needs a \"type\": messenger, discord, webhook, push, desktop or terminal";
                return Err(Wrong::at(place, wrong).about("type"));
            }
        };
        let is_set = |key: &str| match table.get(key) {
            None => Ok(false),
            Some(Value::Boolean(set)) => Ok(*set),
            Some(_) => Err(Wrong::at(place, &format!("has a {key:?} that is neither true nor false"))),
        };
        let (silent, verbose) = (is_set("silent")?, is_set("verbose")?);
        let template_name = text(table, "template", place)?;
        let template = template_name.as_ref().map(|name| templates.named(name, place)).transpose()?;
        Ok(Self { service, silent, verbose, template, template_name })
    }
}

/// An error, and its place.
#[derive(Debug)]
struct Wrong {
    place: String,
    /// The key whose value is wrong, where it is about one.
    key: Option<&'static str>,
    wrong: String,
}

impl Wrong {
    fn of(&self, file: &Path) -> SettingsError {
        SettingsError::Notify { file: file.to_owned(), place: self.place.clone(), wrong: self.wrong.clone() }
    }

    fn at(place: &str, wrong: &str) -> Self {
        Self { place: place.to_owned(), key: None, wrong: wrong.to_owned() }
    }

    /// Names the key whose value is wrong.
    fn about(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }
}

/// Returns the variable of a channel's secret.
pub(crate) fn variable(channel: &str, key: &str) -> String {
    format!("DMPLZ_NOTIFY_{}_{}", channel.to_uppercase().replace('-', "_"), key.to_uppercase())
}

pub(super) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=32).contains(&name.len()) && name.bytes().all(fits)
}

fn only(table: &Table, place: &str, keys: &[&str]) -> Result<(), Wrong> {
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(Wrong::at(place, &format!("has the key {key:?}, and takes only: {}", keys.join(", ")))),
        None => Ok(()),
    }
}

fn table<'t>(table: &'t Table, key: &str) -> Result<Option<&'t Table>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::Table(found)) => Ok(Some(found)),
        Some(_) => Err(Wrong::at(&format!("{key:?}"), "must be a table")),
    }
}

fn text(table: &Table, key: &str, place: &str) -> Result<Option<String>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Wrong::at(place, &format!("has the key {key:?}, which takes a text in quotes"))),
    }
}

fn texts(table: &Table, key: &str, place: &str) -> Result<Vec<String>, Wrong> {
    let wrong = || Wrong::at(place, &format!("has the key {key:?}, which takes a list of texts"));
    match table.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

/// Returns the value that a name of these means. `key` is the key that holds the name.
fn one_of<T: Copy>(
    all: &[T],
    name_of: fn(T) -> &'static str,
    name: &str,
    key: &'static str,
    place: &str,
) -> Result<T, Wrong> {
    all.iter().copied().find(|one| name_of(*one) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|one| name_of(*one)).collect();
        Wrong::at(place, &format!("has a {key:?} that is none of: {}", known.join(", "))).about(key)
    })
}

#[cfg(test)]
mod tests;
