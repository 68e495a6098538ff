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

mod channel;
mod fields;
mod route;
pub(crate) mod templates;
mod wrong;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dmplz_core::notify::{EventKind, Quiet, Routing};
use dmplz_protocol::notify::settings::TemplateTexts;
use jiff::tz::TimeZone;
use toml::{Table, Value};

pub(crate) use self::channel::{Channel, Service};
use self::fields::{only, table, text};
use self::templates::Templates;
use self::wrong::Wrong;
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
            Wrong::at(
                &wrong::key("zone"),
                "이 시스템에 없는 시간대입니다: {}. 예: Asia/Seoul",
                "names the time zone {}, which this system does not know; one is Asia/Seoul",
                &[&format!("{name:?}")],
            )
            .of(&self.file)
        })?;
        Ok(Some((quiet, zone)))
    }

    fn of(notify: &Table, file_text: &str, environment: Environment<'_>) -> Result<Self, Wrong> {
        let whole = wrong::whole();
        only(notify, &whole, &["channels", "routes", "templates", "quiet", "zone"])?;
        let templates = Templates::read(notify, file_text)?;
        let quiet = text(notify, "quiet", &whole)?.map(|text| text.parse::<Quiet>());
        let quiet = quiet.transpose().map_err(|error| {
            let ko = "쓸 수 없습니다. 서로 다른 두 시각을 적어 주세요. 예: 22:00-07:00".to_owned();
            Wrong::new(&wrong::key("quiet"), [ko, format!("cannot be used: {error}")].into()).about("quiet")
        })?;
        let mut channels = BTreeMap::new();
        for (name, value) in table(notify, "channels")?.into_iter().flatten() {
            let place = Phrase::fill("채널 {}", "channel {}", &[&format!("{name:?}")]);
            if !is_name(name) {
                return Err(Wrong::name(&place));
            }
            let Value::Table(value) = value else { return Err(Wrong::no_table(&place)) };
            channels.insert(name.clone(), Channel::of(name, value, &place, &templates, environment)?);
        }
        let mut routes = Vec::new();
        match notify.get("routes") {
            None => {}
            Some(Value::Array(all)) => {
                for (at, value) in all.iter().enumerate() {
                    let place = Phrase::fill("경로 {}", "route {}", &[&(at + 1).to_string()]);
                    let Value::Table(value) = value else { return Err(Wrong::no_table(&place)) };
                    routes.push(route::read(value, &place, &channels)?);
                }
            }
            Some(_) => {
                let ko = "테이블의 목록이어야 합니다. [[notify.routes]]로 적어 주세요";
                return Err(Wrong::at(
                    &wrong::key("routes"),
                    ko,
                    "must be a list of tables: write [[notify.routes]]",
                    &[],
                ));
            }
        }
        if channels.len() > MOST || routes.len() > MOST {
            let (ko, en) = ("채널이나 경로가 {}개를 넘습니다", "has more than {} channels or routes");
            return Err(Wrong::at(&whole, ko, en, &[&MOST.to_string()]));
        }
        let zone = text(notify, "zone", &whole)?;
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

/// Returns whether a text can be the name of a channel or of a template.
pub(super) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=32).contains(&name.len()) && name.bytes().all(fits)
}

#[cfg(test)]
mod tests;
