//! Which messenger is used, with which bot, in which chat.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use anyhow::{Context, bail};
use dmplz_bundled::{MESSENGERS, Messenger};
use dmplz_core::approvers::Approvers;
use dmplz_core::described::variable;
use dmplz_core::messenger::{Chat, ChatKind, Manifest, OpenChat, Tenure, Users};
use dmplz_core::text::{Lang, fill};
use dmplz_desk::{Clock, Face, Files};
use dmplz_plugin::{
    Account, Described, Engine, Grants, Host, Network, Provider, Secret, StartError, Storage, SystemClock,
};
use dmplz_state::{AccountKey, OpenCard, StateDir, Stored};
use rustls::pki_types::CertificateDer;

use crate::component::administrator::Admission;
use crate::component::choice::Choice;
use crate::settings::{Environment, Settings, SettingsError, Table, environment, messengers};
use crate::time;
use crate::told::{Phrase, Tell, Told};
use crate::trouble::{self, ProviderLog};

/// The settings of the chosen account that are known without starting the provider.
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    /// The name that the settings' variables carry, in lower case.
    pub(crate) name: String,
    /// The variable that shows that the messenger was set up: that of its token, or of its chat if it needs no token.
    pub(crate) main: String,
    pub(crate) key: AccountKey,
    pub(crate) chat: Chat,
    /// The transport that the operator named; none lets the provider's manifest and the process decide.
    pub(crate) transport: Option<String>,
    /// What the provider may reach, besides the servers in settings that the operator wrote.
    grants: Grants,
    /// The ids of the users who may answer besides the owner of the chat. `*` means everybody in it.
    pub(crate) allowed_users: Vec<String>,
}

/// No messenger was named, and the settings do not say which one is meant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotChosen {
    #[error("no messenger is set up: run `dmplz setup`, or set {}", messengers::keys(" or "))]
    NothingSetUp,
    #[error(
        "which messenger is meant is not known: {} are set up; say which with DMPLZ_PROVIDER",
        messengers::listed(.0, " and ")
    )]
    Several(Vec<&'static str>),
}

impl NotChosen {
    /// Returns the error in the reader's language.
    pub(crate) fn words(&self, lang: Lang) -> String {
        match (lang, self) {
            (Lang::En, _) => self.to_string(),
            (Lang::Ko, Self::NothingSetUp) => fill(
                "설정된 메신저가 없습니다. `dmplz setup`을 실행하거나 환경 변수를 설정해 주세요: {}",
                &[&messengers::keys(" 또는 ")],
            ),
            (Lang::Ko, Self::Several(names)) => {
                fill("설정된 메신저가 여럿입니다. 쓸 메신저를 DMPLZ_PROVIDER로 정해 주세요: {}", &[&names.join(", ")])
            }
        }
    }
}

/// Nobody may answer in the chat, so asking there is pointless. `variable` is the messenger's own list.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NobodyMayAnswer {
    #[error("nobody may answer in the chat: list the approvers' ids in {variable} (* for everyone in it)")]
    NotListed { variable: &'static str },
    #[error(
        "nobody may answer: this messenger does not tell who answers, so only {variable}=* lets somebody, and that is \
         everybody who reaches the chat"
    )]
    NotIdentified { variable: &'static str },
}

impl Chosen {
    /// Returns the approvers of the chat, at least one.
    pub(crate) fn approvers(&self, chat: &OpenChat) -> Result<Approvers, NobodyMayAnswer> {
        let approvers = Approvers::of(&self.name, chat, &self.allowed_users);
        if !approvers.is_empty() {
            return Ok(approvers);
        }
        let variable = self.choice.messenger().allowed_users;
        Err(match chat.users {
            Users::Identified => NobodyMayAnswer::NotListed { variable },
            Users::Anonymous => NobodyMayAnswer::NotIdentified { variable },
        })
    }
}

/// Chooses the messenger: `DMPLZ_PROVIDER`, or the only one that is set up.
pub(crate) fn choose(table: &mut Table, environment: Environment<'_>) -> anyhow::Result<Chosen> {
    let choice = match table.get("DMPLZ_PROVIDER")? {
        Some(name) => Choice::named(&name, "DMPLZ_PROVIDER", "it is", table)?,
        None => {
            let set_up: Vec<_> = MESSENGERS.iter().filter(|messenger| is_set_up(messenger, table)).collect();
            match set_up.as_slice() {
                [only] => Choice::Bundled(only),
                [] => return Err(NotChosen::NothingSetUp.into()),
                several => {
                    let names = several.iter().map(|messenger| messenger.name).collect();
                    return Err(NotChosen::Several(names).into());
                }
            }
        }
    };
    chosen(choice, table, environment, true)
}

/// Chooses every messenger of the gateway: those that are named, or every one that is set up with a chat.
pub(crate) fn choose_all(table: &mut Table, named: &[String]) -> anyhow::Result<Vec<Chosen>> {
    let of = |name: &String| Choice::named(name, "DMPLZ_GATEWAY_PROVIDERS", "it names", table);
    let mut choices = named.iter().map(of).collect::<anyhow::Result<Vec<_>>>()?;
    // `DMPLZ_PERMISSION_CHAT_ID` is a chat of the messenger that a hook which is alone would choose.
    let alone = choose(table, &environment).ok().map(|chosen| chosen.choice);
    let is_alone = |choice: &Choice| alone.as_ref().is_some_and(|alone| alone.is(choice));
    if choices.is_empty() {
        let has_chat = |messenger: &Messenger| messenger.chats().any(|(chat, _)| table.is_set(chat.variable));
        let set_up = MESSENGERS.iter().filter(|messenger| is_set_up(messenger, table));
        let with_chat = set_up.filter(|messenger| has_chat(messenger) || is_alone(&Choice::Bundled(messenger)));
        choices = with_chat.map(Choice::Bundled).collect();
        choices.extend(alone.clone().filter(|alone| !matches!(alone, Choice::Bundled(_))));
    }
    let twice = |at: usize, name: &str| choices.iter().skip(at + 1).any(|other| other.messenger().name == name);
    for (at, name) in choices.iter().map(|choice| choice.messenger().name).enumerate() {
        if twice(at, name) {
            bail!("DMPLZ_GATEWAY_PROVIDERS cannot be used: two of the messengers that it names call themselves {name}");
        }
    }
    let of = |choice: Choice| {
        let shared = is_alone(&choice);
        chosen(choice, table, &environment, shared)
    };
    choices.into_iter().map(of).collect()
}

/// Returns a messenger that is being set up, whose chat is not known yet.
pub(crate) fn without_chat(messenger: &'static Messenger, table: &Table) -> anyhow::Result<Chosen> {
    with_chat(Choice::Bundled(messenger), table, String::new(), Chat::Room(String::new()))
}

fn is_set_up(messenger: &Messenger, table: &Table) -> bool {
    messenger.has_keys(|variable| table.is_set(variable))
}

/// Completes a choice. `shared` tells whether `DMPLZ_PERMISSION_CHAT_ID` applies to this messenger.
fn chosen(choice: Choice, table: &mut Table, environment: Environment<'_>, shared: bool) -> anyhow::Result<Chosen> {
    let messenger = choice.messenger();
    if !matches!(choice, Choice::Bundled(_)) {
        table.learn(messenger, environment);
    }
    let (from, chat) = chat(table, messenger, shared)?;
    with_chat(choice, table, from, chat)
}

/// Completes a choice with its chat. `from` is the variable that names the chat.
fn with_chat(choice: Choice, table: &Table, from: String, chat: Chat) -> anyhow::Result<Chosen> {
    let messenger = choice.messenger();
    let server = messenger.server().map(|setting| table.get(setting.variable)).transpose()?.flatten();
    let secret =
        messenger.secrets().find(|secret| table.is_set(secret.variable)).or_else(|| messenger.secrets().next());
    let value = secret.map(|secret| table.get(secret.variable)).transpose()?.flatten();
    let transport = table.get(messenger.transport)?.filter(|transport| transport != "auto");
    let needs_secret = messenger.secrets().any(|secret| secret.required);
    // Without a token, accounts are distinguished by their chats.
    let told_apart_by =
        if needs_secret { value.unwrap_or_default() } else { value.unwrap_or_else(|| chat.id().to_owned()) };
    let key = AccountKey::new(messenger.name, &server.unwrap_or_default(), &told_apart_by);
    let key = key.context("the account cannot be named")?;
    let main = secret.filter(|_| needs_secret).map_or(from, |secret| secret.variable.to_owned());
    let (granted, admission) = match &choice {
        Choice::Bundled(_) => (None, &Admission::All),
        Choice::File { admission, .. } => (Some(table.list("DMPLZ_PROVIDER_ORIGINS")?), admission),
        Choice::Installed { provider, admission, .. } => (Some(provider.granted.clone()), admission),
    };
    admission.lets_reach(messenger, granted.as_deref().unwrap_or_default(), table)?;
    let grants = granted.map_or(Grants::Manifest, Grants::Only);
    let allowed_users = table.allowed_users(messenger)?;
    Ok(Chosen { choice, name: messenger.name.to_owned(), main, key, chat, transport, grants, allowed_users })
}

/// Returns the chat, and the variable that names it.
fn chat(table: &Table, messenger: &'static Messenger, shared: bool) -> anyhow::Result<(String, Chat)> {
    let everyones = shared.then_some(("DMPLZ_PERMISSION_CHAT_ID", ChatKind::Room));
    let own = messenger.chats().map(|(setting, kind)| (setting.variable, kind));
    for (variable, kind) in everyones.into_iter().chain(own) {
        if let Some(id) = table.get(variable)? {
            return Ok((variable.to_owned(), kind.chat(id)));
        }
    }
    let takes: Vec<&str> = messenger.chats().map(|(setting, _)| setting.variable).collect();
    Err(SettingsError::NoChat([" 또는 ", " or "].map(|or| messengers::listed(&takes, or)).into()).into())
}

/// Opens the ledger of an account in the state directory, with the machine's clock; what cannot be read or written is said on
/// stderr. `card` is the card of the request that is asked, if there is one.
pub(crate) fn ledger(state: &StateDir, key: &AccountKey, card: Option<OpenCard<Face>>) -> Files {
    let clock = Clock { now_ms: time::now_ms, time_of_day: time::time_of_day, warn: trouble::warn };
    Files::new(state, key, card, clock)
}

/// Loads the provider, and starts it with its settings, secrets and grants.
pub(crate) async fn start(
    chosen: &Chosen,
    settings: &Settings,
    table: &Table,
    tenure: Tenure,
) -> anyhow::Result<Provider> {
    start_trusting(settings.certificates(), chosen, settings, table, tenure).await
}

/// Does the same with what was read of the certificates that are trusted besides Mozilla's.
pub(crate) async fn start_trusting(
    certificates: Result<Vec<CertificateDer<'static>>, SettingsError>,
    chosen: &Chosen,
    settings: &Settings,
    table: &Table,
    tenure: Tenure,
) -> anyhow::Result<Provider> {
    let (certificates, unread) = match certificates {
        Ok(certificates) => (certificates, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let component = chosen.choice.component(&settings.state_dir, &Engine::new()?)?;
    let network = Arc::new(trusting(certificates, settings)?);
    let host = Host { clock: Arc::new(SystemClock), log: Arc::new(ProviderLog), network };
    let (ko, en) = ("프로바이더를 시작할 수 없습니다: {}", "the provider {} cannot be started");
    let name = [chosen.name.as_str()];
    let described = Described::new(&component, host).await.told(ko, en, &name)?;
    let account = account(chosen, described.manifest(), table).told(ko, en, &name)?;
    let stored = Stored::new(&settings.state_dir, &chosen.choice.stores(), &chosen.key);
    let (tokens, storage) = (Arc::new(Kept(stored.tokens())), Arc::new(Kept(stored)));
    let account = Account { tenure, lang: settings.lang, storage: Some(storage), tokens: Some(tokens), ..account };
    // A person knows a secret by its variable.
    let by_variable = |error: StartError| match error {
        StartError::MalformedSecret(name) => StartError::MalformedSecret(variable(&chosen.name, &name)),
        error => error,
    };
    let provider = described.connect(account).await.map_err(by_variable).told(ko, en, &name)?;
    // Certificates that cannot be read would look like a network that is down, and be tried for as long. What is wrong with
    // the account is told first; nothing was sent so far.
    unread.map_or(Ok(provider), |error| Err(error.into()))
}

/// What a provider stores for the account, in the state directory.
#[derive(Debug)]
struct Kept(Stored);

impl Storage for Kept {
    fn read(&self) -> io::Result<String> {
        self.0.read()
    }

    fn update(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<()> {
        self.0.update(change)
    }
}

/// Returns the network that the settings describe: proxies and certificates.
pub(crate) fn network(settings: &Settings) -> anyhow::Result<Network> {
    trusting(settings.certificates()?, settings)
}

/// Returns the network that trusts these certificates besides Mozilla's.
pub(crate) fn trusting(certificates: Vec<CertificateDer<'static>>, settings: &Settings) -> anyhow::Result<Network> {
    let mut network = Network::default().with_roots(certificates);
    if let Some(proxy) = &settings.proxy {
        network = network.with_proxy(proxy).told(
            "DMPLZ_HTTPS_PROXY를 쓸 수 없습니다",
            "DMPLZ_HTTPS_PROXY cannot be used",
            &[],
        )?;
    }
    Ok(network)
}

fn account(chosen: &Chosen, manifest: &Manifest, table: &Table) -> anyhow::Result<Account> {
    chosen.choice.still_says(manifest)?;
    let value = |name: &str| {
        let variable = variable(&chosen.name, name);
        let value = table.get(&variable)?;
        anyhow::Ok(value.filter(|_| table.is_set(&variable)))
    };
    let (mut settings, mut secrets) = (BTreeMap::new(), BTreeMap::new());
    for spec in &manifest.settings {
        if let Some(value) = value(&spec.name)? {
            settings.insert(spec.name.clone(), value);
        }
    }
    for spec in &manifest.secrets {
        if let Some(secret) = value(&spec.name)? {
            secrets.insert(spec.name.clone(), Secret::new(secret));
        }
    }
    if let Some(spec) = manifest.missing_secret(|name| secrets.contains_key(name)) {
        let variable = variable(&chosen.name, &spec.name);
        let ko = if spec.help.ko.is_empty() { &spec.help.en } else { &spec.help.ko };
        return Err(Told::from(Phrase::from([
            format!("설정되지 않았습니다: {variable} ({ko})"),
            format!("{variable} is not set: {}", spec.help.en),
        ]))
        .into());
    }
    let (grants, transport) = (chosen.grants.clone(), chosen.transport.clone());
    Ok(Account { settings, secrets, grants, transport, ..Account::default() })
}
