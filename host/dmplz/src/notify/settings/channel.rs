//! `[notify.channels]`: the services that notices go to.

use dmplz_core::notify::{Detail, Notice, Occurrence, Sequence};
use dmplz_core::text::Lang;
use dmplz_plugin::Secret;
use toml::{Table, Value};

use super::TERMINAL;
use super::fields::{one_of, only, text};
use super::templates::{Templates, Words};
use super::wrong::Wrong;
use crate::environment::is_not_utf8;
use crate::settings::Environment;
use crate::told::Phrase;

/// One channel of the settings: where its notices go, and how they look.
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
    pub(in crate::notify) template_name: Option<String>,
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

impl Channel {
    /// Returns the notice of one occurrence, in the channel's words.
    pub(crate) fn notice(&self, occurrence: &Occurrence, detail: Detail, lang: Lang, now_ms: u64) -> Notice {
        let shown = occurrence.clone().for_detail(detail);
        match self.template.as_ref().and_then(|words| words.template(lang)) {
            Some(template) => Notice::by(&template, &shown, 1, detail, lang, now_ms),
            None => Notice::of(&shown, 1, detail, lang, now_ms),
        }
    }

    /// Reads the channel of this name.
    pub(super) fn of(
        name: &str,
        table: &Table,
        place: &Phrase,
        templates: &Templates,
        environment: Environment<'_>,
    ) -> Result<Self, Wrong> {
        let kind = text(table, "type", place)?;
        let secret = |key: &str| {
            let of_variable = variable(name, key);
            let set = environment(&of_variable).filter(|value| !value.is_empty());
            if set.as_ref().is_some_and(|value| is_not_utf8(value)) {
                return Err(Wrong::at(
                    place,
                    "{} 값을 담은 환경 변수가 UTF-8이 아닙니다: {}",
                    "has its {} in {}, which is not UTF-8",
                    &[&format!("{key:?}"), &of_variable],
                ));
            }
            Ok(set.or(text(table, key, place)?).map(|value| Secret::new(value.trim())))
        };
        let service = match kind.as_deref() {
            Some("messenger") => {
                only(table, place, &["type", "messenger", "chat", "silent", "verbose", "template"])?;
                let lacks = ["\"messenger\" 키가 없습니다", "lacks the key \"messenger\""];
                let messenger = text(table, "messenger", place)?;
                let name = messenger.ok_or_else(|| Wrong::new(place, lacks.into()).about("messenger"))?;
                let chat = text(table, "chat", place)?;
                if chat.as_ref().is_some_and(|id| id.trim().is_empty()) {
                    let wrong = [
                        "\"chat\"이 비어 있습니다. 채팅의 id를 적어 주세요",
                        "has a \"chat\" that is empty: it takes the id of a chat",
                    ];
                    return Err(Wrong::new(place, wrong.into()).about("chat"));
                }
                Service::Messenger { name, chat }
            }
            Some("discord") => {
                only(table, place, &["type", "url", "thread", "username", "avatar", "silent", "verbose", "template"])?;
                let thread = text(table, "thread", place)?;
                if thread.as_ref().is_some_and(|id| id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit())) {
                    let wrong =
                        ["\"thread\"는 숫자로 된 id여야 합니다", "has a \"thread\" that is no id: it takes digits"];
                    return Err(Wrong::new(place, wrong.into()).about("thread"));
                }
                let (username, avatar) = (text(table, "username", place)?, text(table, "avatar", place)?);
                if avatar.as_ref().is_some_and(|url| !url.starts_with("https://")) {
                    let wrong =
                        ["\"avatar\"는 https로 시작하는 주소여야 합니다", "has an \"avatar\" that is no https URL"];
                    return Err(Wrong::new(place, wrong.into()).about("avatar"));
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
                let wrong = [
                    "\"type\"이 필요합니다. 쓸 수 있는 것: messenger, discord, webhook, push, desktop, terminal",
                    "needs a \"type\": messenger, discord, webhook, push, desktop or terminal",
                ];
                return Err(Wrong::new(place, wrong.into()).about("type"));
            }
        };
        let is_set = |key: &str| match table.get(key) {
            None => Ok(false),
            Some(Value::Boolean(set)) => Ok(*set),
            Some(_) => Err(Wrong::at(
                place,
                "{}에는 true나 false를 적어 주세요",
                "has a {} that is neither true nor false",
                &[&format!("{key:?}")],
            )),
        };
        let (silent, verbose) = (is_set("silent")?, is_set("verbose")?);
        let template_name = text(table, "template", place)?;
        let template = template_name.as_ref().map(|name| templates.named(name, place)).transpose()?;
        Ok(Self { service, silent, verbose, template, template_name })
    }
}

/// Returns the variable of a channel's secret.
fn variable(channel: &str, key: &str) -> String {
    format!("DMPLZ_NOTIFY_{}_{}", channel.to_uppercase().replace('-', "_"), key.to_uppercase())
}
