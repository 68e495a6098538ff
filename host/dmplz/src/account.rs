//! Which messenger is used, with which bot, in which chat.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use dmplz_bundled::{MESSENGERS, Messenger};
use dmplz_core::messenger::{Chat, ChatKind, Manifest, OpenChat, Tenure, Users};
use dmplz_core::text::Lang;
use dmplz_plugin::{Account, Component, Described, Engine, Grants, Host, Network, Provider, Secret, SystemClock};
use dmplz_state::AccountKey;

use crate::guard::Guard;
use crate::settings::{Environment, Settings, Table, messengers};
use crate::trouble;

/// A messenger, chosen but not started.
#[derive(Debug, Clone)]
pub(crate) enum Choice {
    /// One that comes with the program.
    Bundled(&'static Messenger),
    /// A component of the operator's.
    File(String),
}

/// The settings of the chosen account that are known without running anything.
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    /// The name that the settings' variables carry, in lower case.
    pub(crate) name: String,
    /// The variable of what shows that somebody set it up: a token, or a chat where it needs no token.
    pub(crate) main: String,
    pub(crate) key: AccountKey,
    pub(crate) chat: Chat,
    /// The transport that the operator named; none lets the provider's manifest and the process decide.
    pub(crate) transport: Option<String>,
}

/// The variables of an account that are read before its provider runs.
struct Variables {
    server: Option<String>,
    secret: Option<String>,
    chats: Vec<(String, ChatKind)>,
    transport: String,
}

/// Chooses the messenger: `DMPLZ_PROVIDER`, or the only one that is set up.
pub(crate) fn choose(table: &mut Table, environment: Environment<'_>) -> anyhow::Result<Chosen> {
    let choice = match table.get("DMPLZ_PROVIDER")? {
        Some(name) => Choice::named(&name, "DMPLZ_PROVIDER", "it is")?,
        None => {
            let set_up: Vec<_> = MESSENGERS.iter().filter(|messenger| is_set_up(messenger, table)).collect();
            match set_up.as_slice() {
                [only] => Choice::Bundled(only),
                [] => bail!("no messenger is set up: set {} (dmplz doctor helps)", messengers::keys(" or ")),
                several => {
                    let names: Vec<_> = several.iter().map(|messenger| messenger.name).collect();
                    let names = messengers::listed(&names, " and ");
                    bail!("which messenger is meant is not known: {names} are set up; say which with DMPLZ_PROVIDER")
                }
            }
        }
    };
    chosen(choice, table, environment, true)
}

/// Chooses every messenger of the gateway: those that are named, or every one that is set up with a chat.
pub(crate) fn choose_all(
    table: &mut Table,
    environment: Environment<'_>,
    named: &[String],
) -> anyhow::Result<Vec<Chosen>> {
    let of = |name: &String| Choice::named(name, "DMPLZ_GATEWAY_PROVIDERS", "it names");
    let mut choices = named.iter().map(of).collect::<anyhow::Result<Vec<_>>>()?;
    // `DMPLZ_PERMISSION_CHAT_ID` is a chat of the messenger that a hook which is alone would choose.
    let alone = choose(table, environment).ok().map(|chosen| chosen.choice);
    let is_alone = |choice: &Choice| alone.as_ref().is_some_and(|alone| alone.is(choice));
    if choices.is_empty() {
        let has_chat = |messenger: &Messenger| messenger.chats().any(|(chat, _)| table.is_set(chat.variable));
        let set_up = MESSENGERS.iter().filter(|messenger| is_set_up(messenger, table));
        let with_chat = set_up.filter(|messenger| has_chat(messenger) || is_alone(&Choice::Bundled(messenger)));
        choices = with_chat.map(Choice::Bundled).collect();
        choices.extend(alone.clone().filter(|alone| matches!(alone, Choice::File(_))));
    }
    let of = |choice: Choice| {
        let shared = is_alone(&choice);
        chosen(choice, table, environment, shared)
    };
    choices.into_iter().map(of).collect()
}

/// A messenger that is being set up, whose chat is not known yet.
pub(crate) fn without_chat(messenger: &'static Messenger, table: &Table) -> anyhow::Result<Chosen> {
    let value = |variable: Option<&str>| variable.map_or(Ok(None), |variable| table.get(variable));
    let variables = Variables::of_bundled(messenger);
    let (server, secret) = (value(variables.server.as_deref())?, value(variables.secret.as_deref())?);
    let key = AccountKey::new(messenger.name, &server.unwrap_or_default(), &secret.unwrap_or_default())?;
    let transport = table.get(&variables.transport)?.filter(|transport| transport != "auto");
    let main = variables.secret.unwrap_or_default();
    let (choice, name) = (Choice::Bundled(messenger), messenger.name.to_owned());
    Ok(Chosen { choice, name, main, key, chat: Chat::Room(String::new()), transport })
}

fn is_set_up(messenger: &Messenger, table: &Table) -> bool {
    messenger.has_keys(|variable| table.is_set(variable))
}

impl Choice {
    /// What a setting names, `holds` saying how.
    fn named(name: &str, setting: &str, holds: &str) -> anyhow::Result<Self> {
        match dmplz_bundled::messenger(name) {
            Some(messenger) => Ok(Self::Bundled(messenger)),
            // A hook runs in the agent's folder, where the agent writes.
            None if name.ends_with(".wasm") && !Path::new(name).is_absolute() => bail!(
                "{setting} cannot be used: {holds} {name:?}, which is another file wherever the agent works; give its whole path, from / on"
            ),
            None if name.ends_with(".wasm") => Ok(Self::File(name.to_owned())),
            None => {
                let takes = messengers::what_a_provider_is(Lang::En);
                bail!("{setting} cannot be used: {holds} {name:?} and takes {takes}")
            }
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bundled(one), Self::Bundled(other)) => one.name == other.name,
            (Self::File(one), Self::File(other)) => one == other,
            _ => false,
        }
    }
}

impl Variables {
    fn of_bundled(messenger: &Messenger) -> Self {
        Self {
            server: messenger.server().map(|setting| setting.variable.to_owned()),
            secret: messenger.secrets().next().map(|setting| setting.variable.to_owned()),
            chats: messenger.chats().map(|(setting, kind)| (setting.variable.to_owned(), kind)).collect(),
            transport: messenger.transport.to_owned(),
        }
    }

    /// Of a component that has not run yet: the names that providers use by convention (`providers/README.md`).
    fn of_file(name: &str) -> Self {
        let rooms = ["chat-id", "channel-id"].map(|setting| (variable(name, setting), ChatKind::Room));
        Self {
            server: Some(variable(name, "api-base")),
            secret: Some(variable(name, "bot-token")),
            chats: rooms.into_iter().chain([(variable(name, "dm-user-id"), ChatKind::Person)]).collect(),
            transport: variable(name, "transport"),
        }
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        let chats = self.chats.iter().map(|(chat, _)| chat);
        self.server.iter().chain(&self.secret).chain(chats).chain([&self.transport])
    }
}

/// `shared`: whether `DMPLZ_PERMISSION_CHAT_ID` is about this messenger.
fn chosen(choice: Choice, table: &mut Table, environment: Environment<'_>, shared: bool) -> anyhow::Result<Chosen> {
    let (name, variables) = match &choice {
        Choice::Bundled(messenger) => (messenger.name.to_owned(), Variables::of_bundled(messenger)),
        Choice::File(path) => {
            let name = stem(path);
            let variables = Variables::of_file(&name);
            // The table of settings knows the variables of bundled providers only.
            variables.all().for_each(|variable| table.take(environment, variable));
            (name, variables)
        }
    };
    let value = |variable: &Option<String>| match variable {
        Some(variable) => table.get(variable),
        None => Ok(None),
    };
    let (server, secret) = (value(&variables.server)?.unwrap_or_default(), value(&variables.secret)?);
    let transport = table.get(&variables.transport)?.filter(|transport| transport != "auto");
    let needs_secret = match &choice {
        Choice::Bundled(messenger) => messenger.secrets().any(|secret| secret.required),
        Choice::File(_) => true,
    };
    let (from, chat) = chat(table, &variables.chats, &choice, &name, shared)?;
    // Without a token the chat is what tells two accounts apart.
    let (Chat::Room(id) | Chat::Person(id)) = &chat;
    let told_apart_by = if needs_secret { secret.unwrap_or_default() } else { secret.unwrap_or_else(|| id.clone()) };
    let key = AccountKey::new(&name, &server, &told_apart_by).context("the account cannot be named")?;
    let main = variables.secret.filter(|_| needs_secret).unwrap_or(from);
    Ok(Chosen { choice, name, main, key, chat, transport })
}

/// The variable of a provider's setting, as the contract says.
fn variable(provider: &str, setting: &str) -> String {
    format!("DMPLZ_{provider}_{setting}").to_uppercase().replace('-', "_")
}

fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("provider");
    stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}

/// The chat, and the variable that names it.
fn chat(
    table: &Table,
    own: &[(String, ChatKind)],
    choice: &Choice,
    name: &str,
    shared: bool,
) -> anyhow::Result<(String, Chat)> {
    let everyones = shared.then(|| ("DMPLZ_PERMISSION_CHAT_ID".to_owned(), ChatKind::Room));
    for (variable, kind) in everyones.iter().chain(own) {
        if let Some(id) = table.get(variable)? {
            return Ok((variable.clone(), kind.chat(id)));
        }
    }
    let takes: Vec<&str> = own.iter().map(|(variable, _)| variable.as_str()).collect();
    bail!(
        "the chat to ask in is not known: set {}",
        match choice {
            Choice::Bundled(_) => messengers::listed(&takes, " or "),
            Choice::File(_) => variable(name, "chat-id"),
        }
    )
}

/// Why nobody may answer in a chat, and what to set.
pub(crate) fn nobody_may_answer(chat: &OpenChat) -> &'static str {
    match chat.users {
        Users::Identified => {
            "nobody may answer in the chat: list the approvers' ids in DMPLZ_ALLOWED_USERS (* for everyone in it)"
        }
        Users::Anonymous => {
            "nobody may answer: this messenger does not tell who answers, so only DMPLZ_ALLOWED_USERS=* lets somebody, \
             and that is everybody who reaches the chat"
        }
    }
}

/// Loads the component; compiles a file of the operator's when it is new.
pub(crate) fn load(chosen: &Chosen, settings: &Settings, engine: &Engine) -> anyhow::Result<Component> {
    match &chosen.choice {
        Choice::Bundled(messenger) => messenger
            .component(engine)
            .with_context(|| format!("the bundled provider {} cannot be loaded", messenger.name)),
        Choice::File(path) => from_file(Path::new(path), settings, engine)
            .with_context(|| format!("the provider {path} cannot be loaded")),
    }
}

/// A component that another user could replace is not run: it says who pressed what.
fn from_file(path: &Path, settings: &Settings, engine: &Engine) -> anyhow::Result<Component> {
    let guard = Guard::of_this_user();
    let is_there = std::fs::metadata(path).context("it cannot be read")?;
    let suspicion = guard.suspects_file(path, &is_there).or_else(|| guard.suspects(path.parent()?));
    match suspicion {
        Some(why) => bail!(why),
        None => Ok(Component::from_file(engine, path, &settings.state_dir.join("cache"))?),
    }
}

/// Starts the provider with its settings, secrets and grants.
pub(crate) async fn start(
    chosen: &Chosen,
    component: &Component,
    settings: &Settings,
    table: &mut Table,
    environment: Environment<'_>,
    tenure: Tenure,
) -> anyhow::Result<Provider> {
    let mut network = Network::default();
    if let Some(pem) = &settings.ca_file {
        network = network.with_roots(pem);
    }
    if let Some(proxy) = &settings.proxy {
        network = network.with_proxy(proxy).context("DMPLZ_HTTPS_PROXY cannot be used")?;
    }
    let host = Host { clock: Arc::new(SystemClock), log: Arc::new(trouble::of_provider), network: Arc::new(network) };
    let cannot_start = || format!("the provider {} cannot be started", chosen.name);
    let described = Described::new(component, host).await.with_context(cannot_start)?;
    let account = account(chosen, described.manifest(), table, environment).with_context(cannot_start)?;
    described.connect(Account { tenure, ..account }).await.with_context(cannot_start)
}

fn account(
    chosen: &Chosen,
    manifest: &Manifest,
    table: &mut Table,
    environment: Environment<'_>,
) -> anyhow::Result<Account> {
    let mut account = Account::default();
    let mut value = |name: &str| {
        let variable = variable(&chosen.name, name);
        table.take(environment, &variable);
        let value = table.get(&variable)?;
        anyhow::Ok(value.filter(|_| table.is_set(&variable)))
    };
    let mut secrets = BTreeMap::new();
    for spec in &manifest.settings {
        if let Some(value) = value(&spec.name)? {
            account.settings.insert(spec.name.clone(), value);
        }
    }
    for spec in &manifest.secrets {
        match value(&spec.name)? {
            Some(secret) => drop(secrets.insert(spec.name.clone(), Secret::new(secret))),
            None if spec.required => bail!("{} is not set: {}", variable(&chosen.name, &spec.name), spec.help.en),
            None => {}
        }
    }
    account.secrets = secrets;
    account.transport.clone_from(&chosen.transport);
    account.grants = match chosen.choice {
        Choice::Bundled(_) => Grants::Manifest,
        Choice::File(_) => Grants::Only(table.list("DMPLZ_PROVIDER_ORIGINS")?),
    };
    Ok(account)
}
