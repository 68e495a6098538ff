//! Settings: environment, then `config.toml` in the state directory, then defaults. One table defines all of them; the
//! documentation, `dmplz config` and every error are made from it.

mod certificates;
mod check;
pub(crate) mod edit;
mod error;
mod file;
mod hint;
mod list;
pub(crate) mod messengers;
mod shown;
mod similar;
mod spec;
mod table;
pub(crate) mod third_party;

use std::path::PathBuf;
use std::time::Duration;

pub(crate) use crate::environment::{Environment, environment};
pub(crate) use error::SettingsError;
pub(crate) use file::{NOTIFY, config_file, config_text, line_of};
pub(crate) use hint::hint;
pub(crate) use list::specs;
pub(crate) use shown::{as_shown, hidden};
pub(crate) use spec::{Kind, Spec};
pub(crate) use table::{Entry, Source, Table, home_dir, written};

use clap::ValueEnum;
use dmplz_core::reason::ReasonRules;
use dmplz_core::text::Lang;
use dmplz_gateway::Kept;
use dmplz_gateway::sessions::{Folders, Limits};
use dmplz_protocol::session::{AnyMode, UnaskedMode};
use dmplz_state::Retention;

use crate::terminal;

/// Every setting that is not a provider's own, read and checked.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) state_dir: PathBuf,
    pub(crate) lang: Lang,
    /// `DMPLZ_ON_EXPIRED=deny`.
    pub(crate) deny_on_expired: bool,
    /// `DMPLZ_QUESTIONS_AHEAD=on`: questions are asked in PreToolUse, before the terminal asks them.
    pub(crate) questions_ahead: bool,
    /// The client's limit for the whole hook.
    pub(crate) hook_timeout: Duration,
    /// The operator's limit for a request, the reason included.
    pub(crate) question_timeout: Duration,
    /// How long a hook alone tries to reach a messenger to which certainly nothing was sent.
    pub(crate) unreachable: Duration,
    pub(crate) reason_timeout: Duration,
    pub(crate) reason: ReasonRules,
    pub(crate) log: RejectionLog,
    pub(crate) verbose: Verbosity,
    /// Certificates to trust besides the built-in roots.
    pub(crate) ca_file: Option<PathBuf>,
    pub(crate) proxy: Option<String>,
    pub(crate) gateway: GatewaySettings,
    /// How long ended requests are kept, and the logs as long as whole requests.
    pub(crate) history: Kept,
}

/// The settings of the gateway, and of hooks that ask through it.
#[derive(Debug, Clone)]
pub(crate) struct GatewaySettings {
    /// Whether a hook asks through the gateway if one runs.
    pub(crate) is_used: bool,
    /// The port on loopback; 0 means any free one.
    pub(crate) port: u16,
    /// Host names by which proxies reach it, in addition to the local ones.
    pub(crate) hosts: Vec<String>,
    /// Ids of other users whose programs may connect, such as a proxy's.
    pub(crate) proxy_uids: Vec<String>,
    /// Messengers; every one that is set up where this is empty.
    pub(crate) providers: Vec<String>,
    /// The maximum number of cards in a chat at the same time.
    pub(crate) active_cards: usize,
    /// The folders in which sessions may be started over the network.
    pub(crate) run_folders: Folders,
    /// The modes in which nobody is asked that can be set in a session.
    pub(crate) run_modes: Vec<UnaskedMode>,
    /// Messengers in whose chats sessions are led; `*` is every one.
    pub(crate) run_chats: Vec<String>,
    /// How much of a session its chat shows.
    pub(crate) run_detail: ChatDetail,
    /// What sessions may cost, and how long one may be idle.
    pub(crate) run_limits: Limits,
    /// How long the gateway may be away before browsers have to pair again.
    pub(crate) pairing_gap: Duration,
    /// Origins of push services that may use plain HTTP or be at private addresses.
    pub(crate) push_services: Vec<String>,
}

/// How much of a session is shown in the chat that leads it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ChatDetail {
    Brief,
    #[default]
    Normal,
    Full,
}

/// The log of rejections: its path, and how much is kept.
#[derive(Debug, Clone)]
pub(crate) struct RejectionLog {
    pub(crate) path: PathBuf,
    pub(crate) retention: Retention,
}

/// The amount of detail in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verbosity {
    Error,
    Warn,
    Info,
    Debug,
}

/// Returns the state directory without reading any file. An event needs no other setting.
pub(crate) fn state_dir(environment: Environment<'_>) -> Result<PathBuf, SettingsError> {
    Table::only_environment(environment).state_dir()
}

/// Returns the language of the settings, also where another setting is wrong.
pub(crate) fn language() -> Lang {
    Table::as_far_as_usable(&environment)
        .and_then(|(table, _)| table.lang())
        .unwrap_or_else(|_| terminal::lang(&environment))
}

impl Settings {
    /// Reads and checks all of them; the first one that cannot be read is the error.
    pub(crate) fn of(table: &Table) -> Result<Self, SettingsError> {
        // An invalid value is an error here, although it is not known yet which messenger uses it.
        table.list("DMPLZ_ALLOWED_USERS")?;
        let mut settings = Self {
            state_dir: table.state_dir()?,
            lang: table.lang()?,
            deny_on_expired: table.text("DMPLZ_ON_EXPIRED")? == "deny",
            questions_ahead: table.text("DMPLZ_QUESTIONS_AHEAD")? == "on",
            hook_timeout: table.duration("DMPLZ_HOOK_TIMEOUT_MS")?,
            question_timeout: table.duration("DMPLZ_QUESTION_TIMEOUT_MS")?,
            unreachable: table.duration("DMPLZ_UNREACHABLE_MS")?,
            reason_timeout: table.duration("DMPLZ_REJECT_REASON_TIMEOUT_MS")?,
            reason: ReasonRules {
                max_chars: table.count("DMPLZ_REJECT_REASON_MAX_CHARS")?,
                skip_keywords: table.list("DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS")?,
            },
            log: RejectionLog::of(table)?,
            verbose: Verbosity::of(table)?,
            ca_file: table.get("DMPLZ_CA_FILE")?.map(PathBuf::from),
            proxy: table.get("DMPLZ_HTTPS_PROXY")?,
            gateway: GatewaySettings {
                is_used: table.text("DMPLZ_GATEWAY")? != "off",
                port: u16::try_from(table.number("DMPLZ_GATEWAY_PORT")?).unwrap_or_default(),
                hosts: table.list("DMPLZ_GATEWAY_HOSTS")?,
                proxy_uids: table.list("DMPLZ_GATEWAY_PROXY_UIDS")?,
                providers: table.list("DMPLZ_GATEWAY_PROVIDERS")?,
                active_cards: table.count("DMPLZ_GATEWAY_ACTIVE_CARDS")?,
                run_folders: run_folders(table)?,
                run_modes: run_modes(table)?,
                run_chats: table.list("DMPLZ_RUN_CHATS")?,
                run_detail: ValueEnum::from_str(&table.text("DMPLZ_RUN_DETAIL")?, false).unwrap_or_default(),
                run_limits: run_limits(table)?,
                pairing_gap: table.duration("DMPLZ_PAIRING_GAP")?,
                push_services: table.list("DMPLZ_PUSH_SERVICES")?,
            },
            history: history(table)?,
        };
        if settings.reason.skip_keywords.is_empty() {
            return Err(SettingsError::bad(
                "DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS",
                "",
                ["키워드 하나 이상", "at least one keyword"],
            ));
        }
        if !table.is_set("DMPLZ_REJECT_REASON_TIMEOUT_MS") {
            settings.reason_timeout = settings.reason_timeout.min(settings.hook_timeout / 2);
        }
        if settings.reason_timeout >= settings.hook_timeout {
            let (less, more) = ("DMPLZ_REJECT_REASON_TIMEOUT_MS", "DMPLZ_HOOK_TIMEOUT_MS");
            return Err(SettingsError::Limits { less: table.limit(less), more: table.limit(more) });
        }
        Ok(settings)
    }
}

fn run_limits(table: &Table) -> Result<Limits, SettingsError> {
    let dollars = |name| Ok(Some(table.number(name)?).filter(|usd| *usd > 0));
    Ok(Limits {
        session_usd: dollars("DMPLZ_RUN_BUDGET")?,
        daily_usd: dollars("DMPLZ_RUN_DAILY_BUDGET")?,
        idle: Some(table.duration("DMPLZ_RUN_IDLE")?).filter(|idle| !idle.is_zero()),
    })
}

/// Reads absolute paths of folders, each for every place, or for one that it names: `telegram=/home/ada/work`.
fn run_folders(table: &Table) -> Result<Folders, SettingsError> {
    let (name, mut folders) = ("DMPLZ_RUN_FOLDERS", Folders::default());
    for text in table.list(name)? {
        let (place, folder) = match text.split_once('=') {
            Some((place, folder)) if !text.starts_with('/') => (Some(place.trim()), PathBuf::from(folder.trim())),
            _ => (None, PathBuf::from(&text)),
        };
        if !folder.is_absolute() {
            return Err(SettingsError::bad(
                name,
                &text,
                [
                    "폴더의 절대 경로(예: /srv/site, telegram=/srv/site)",
                    "absolute paths of folders, such as /srv/site or telegram=/srv/site",
                ],
            ));
        }
        folders.add(place, folder);
    }
    Ok(folders)
}

fn run_modes(table: &Table) -> Result<Vec<UnaskedMode>, SettingsError> {
    let name = "DMPLZ_RUN_MODES";
    let modes = table.list(name)?.into_iter().map(|text| match AnyMode::spelled(&text) {
        Some(AnyMode::Unasked(mode)) => Ok(mode),
        Some(AnyMode::Asking(_)) | None => {
            Err(SettingsError::bad(name, &text, ["bypass-permissions, auto, dont-ask"; 2]))
        }
    });
    modes.collect()
}

fn history(table: &Table) -> Result<Kept, SettingsError> {
    let days = |name| table.duration(name).map(|days| Some(days).filter(|days| !days.is_zero()));
    let bytes = Some(table.number("DMPLZ_HISTORY_MAX_BYTES")?).filter(|bytes| *bytes > 0);
    Ok(Kept { texts: days("DMPLZ_HISTORY_TEXT_DAYS")?, all: days("DMPLZ_HISTORY_DAYS")?, bytes })
}

impl RejectionLog {
    /// Reads no other setting: what a rule decided is written down even where another one is wrong.
    pub(crate) fn of(table: &Table) -> Result<Self, SettingsError> {
        Ok(Self {
            path: table.log_path()?,
            retention: Retention {
                rotate_bytes: table.number("DMPLZ_REJECT_REASON_LOG_ROTATE_BYTES")?,
                max_files: u32::try_from(table.number("DMPLZ_REJECT_REASON_LOG_MAX_FILES")?).unwrap_or(u32::MAX),
            },
        })
    }
}

impl Verbosity {
    pub(crate) fn of(table: &Table) -> Result<Self, SettingsError> {
        Ok(ValueEnum::from_str(&table.text("DMPLZ_LOG")?, false).unwrap_or(Self::Warn))
    }
}

#[cfg(test)]
mod tests;
