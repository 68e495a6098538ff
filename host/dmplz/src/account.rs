//! Which messenger is used, with which bot, in which chat.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use dmplz_core::messenger::{Chat, Manifest, Tenure};
use dmplz_plugin::{Account, Component, Described, Engine, Grants, Host, Network, Provider, Secret, SystemClock};
use dmplz_state::AccountKey;

use crate::settings::{Environment, Settings, Table};
use crate::trouble;

/// A messenger, chosen but not started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// One that comes with the program.
    Bundled(&'static str),
    /// A component of the operator's.
    File(String),
}

/// The settings of the chosen account that are known without running anything.
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    /// The name that the settings' variables carry, in lower case.
    pub(crate) name: String,
    pub(crate) key: AccountKey,
    pub(crate) chat: Chat,
    /// The way to work in that the operator named; none lets the provider's manifest and the process decide.
    pub(crate) way: Option<String>,
}

/// Chooses the messenger: `DMPLZ_PROVIDER`, or the only one that has a token.
pub(crate) fn choose(table: &mut Table, environment: Environment<'_>) -> anyhow::Result<Chosen> {
    let choice = match table.get("DMPLZ_PROVIDER")?.as_deref() {
        Some(path) if path.ends_with(".wasm") => Choice::File(path.to_owned()),
        Some(name) => match dmplz_bundled::NAMES.into_iter().find(|known| *known == name) {
            Some(known) => Choice::Bundled(known),
            None => {
                bail!("read DMPLZ_PROVIDER: it is {name:?} and takes telegram, discord or the path of a .wasm file")
            }
        },
        None => {
            let with_token = |name: &&str| table.is_set(&variable(name, "bot-token"));
            match dmplz_bundled::NAMES.into_iter().filter(with_token).collect::<Vec<_>>().as_slice() {
                [only] => Choice::Bundled(only),
                [] => bail!(
                    "find a messenger: set DMPLZ_TELEGRAM_BOT_TOKEN or DMPLZ_DISCORD_BOT_TOKEN (dmplz doctor helps)"
                ),
                _ => bail!("choose a messenger: both tokens are set; say which with DMPLZ_PROVIDER"),
            }
        }
    };
    chosen(choice, table, environment, true)
}

/// Chooses every messenger of the gateway: those that are named, or every one whose token and chat are set.
pub(crate) fn choose_all(
    table: &mut Table,
    environment: Environment<'_>,
    named: &[String],
) -> anyhow::Result<Vec<Chosen>> {
    let of = |name: &String| match dmplz_bundled::NAMES.into_iter().find(|known| known == name) {
        Some(known) => Ok(Choice::Bundled(known)),
        None if name.ends_with(".wasm") => Ok(Choice::File(name.clone())),
        None => {
            bail!(
                "read DMPLZ_GATEWAY_PROVIDERS: it names {name:?} and takes telegram, discord or the path of a .wasm file"
            )
        }
    };
    let mut choices = named.iter().map(of).collect::<anyhow::Result<Vec<_>>>()?;
    // `DMPLZ_PERMISSION_CHAT_ID` is a chat of the messenger that a hook which is alone would choose.
    let alone = choose(table, environment).ok().map(|chosen| chosen.choice);
    if choices.is_empty() {
        let is_set_up = |name: &&'static str| {
            let set = |setting: &str| table.is_set(&variable(name, setting));
            let own_chat = ["chat-id", "channel-id", "dm-user-id"].into_iter().any(set);
            set("bot-token") && (own_chat || alone == Some(Choice::Bundled(name)))
        };
        choices = dmplz_bundled::NAMES.into_iter().filter(is_set_up).map(Choice::Bundled).collect();
        choices.extend(alone.clone().filter(|alone| matches!(alone, Choice::File(_))));
    }
    let of = |choice: Choice| {
        let shared = alone.as_ref() == Some(&choice);
        chosen(choice, table, environment, shared)
    };
    choices.into_iter().map(of).collect()
}

/// `shared`: whether `DMPLZ_PERMISSION_CHAT_ID` is about this messenger.
fn chosen(choice: Choice, table: &mut Table, environment: Environment<'_>, shared: bool) -> anyhow::Result<Chosen> {
    let name = match &choice {
        Choice::Bundled(name) => (*name).to_owned(),
        Choice::File(path) => stem(path),
    };
    if let Choice::File(_) = choice {
        // The table of settings knows the variables of bundled providers only.
        let settings = ["chat-id", "channel-id", "dm-user-id", "api-base", "bot-token", "way"];
        settings.into_iter().for_each(|setting| table.take(environment, &variable(&name, setting)));
    }
    let server = table.get(&variable(&name, "api-base"))?.unwrap_or_default();
    let token = table.get(&variable(&name, "bot-token"))?.unwrap_or_default();
    let key = AccountKey::new(&name, &server, &token).context("name the account")?;
    let way = table.get(&variable(&name, "way"))?.filter(|way| way != "auto");
    let chat = chat(table, &name, shared)?;
    Ok(Chosen { choice, name, key, chat, way })
}

/// The variable of a provider's setting, as the contract says.
pub(crate) fn variable(provider: &str, setting: &str) -> String {
    format!("DMPLZ_{provider}_{setting}").to_uppercase().replace('-', "_")
}

fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("provider");
    stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}

fn chat(table: &Table, name: &str, shared: bool) -> anyhow::Result<Chat> {
    let everyones = shared.then(|| ("DMPLZ_PERMISSION_CHAT_ID".to_owned(), Chat::Room as fn(String) -> Chat));
    let own = [
        (variable(name, "chat-id"), Chat::Room as fn(String) -> Chat),
        (variable(name, "channel-id"), Chat::Room),
        (variable(name, "dm-user-id"), Chat::Person),
    ];
    for (variable, kind) in everyones.into_iter().chain(own) {
        if let Some(id) = table.get(&variable)? {
            return Ok(kind(id));
        }
    }
    let takes = match name {
        "discord" => "DMPLZ_DISCORD_CHANNEL_ID or DMPLZ_DISCORD_DM_USER_ID".to_owned(),
        name => variable(name, "chat-id"),
    };
    bail!("find the chat to ask in: set {takes}")
}

/// Loads the component; compiles a file of the operator's when it is new.
pub(crate) fn load(chosen: &Chosen, settings: &Settings, engine: &Engine) -> anyhow::Result<Component> {
    match &chosen.choice {
        Choice::Bundled(name) => match dmplz_bundled::component(engine, name) {
            Some(component) => component.with_context(|| format!("load the bundled provider {name}")),
            None => bail!("load the bundled provider {name}: there is none of that name"),
        },
        Choice::File(path) => Component::from_file(engine, Path::new(path), &settings.state_dir.join("cache"))
            .with_context(|| format!("load the provider {path}")),
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
        network = network.with_proxy(proxy).context("read DMPLZ_HTTPS_PROXY")?;
    }
    let host = Host { clock: Arc::new(SystemClock), log: Arc::new(trouble::of_provider), network: Arc::new(network) };
    let described = Described::new(component, host).await.context("start the provider")?;
    let account = Account { tenure, ..account(chosen, described.manifest(), table, environment)? };
    described.connect(account).await.with_context(|| format!("start the provider {}", chosen.name))
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
        anyhow::Ok(table.get(&variable)?.filter(|_| table.is_set(&variable)))
    };
    let mut secrets = BTreeMap::new();
    for spec in &manifest.settings {
        if let Some(value) = value(&spec.name)? {
            account.settings.insert(spec.name.clone(), value);
        }
    }
    for spec in &manifest.secrets {
        let Some(secret) = value(&spec.name)? else {
            bail!("find {}: {}", variable(&chosen.name, &spec.name), spec.help);
        };
        secrets.insert(spec.name.clone(), Secret::new(secret));
    }
    account.secrets = secrets;
    account.way.clone_from(&chosen.way);
    account.grants = match chosen.choice {
        Choice::Bundled(_) => Grants::Manifest,
        Choice::File(_) => Grants::Only(table.list("DMPLZ_PROVIDER_ORIGINS")?),
    };
    Ok(account)
}
