//! The component under test: started with made-up settings, and called export by export.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dmplz_core::lead;
use dmplz_core::messenger::{Card, Chat, Manifest, MessageRef, OpenChat, ProviderError, SentFile, SettingKind, Watch};
use dmplz_plugin::{
    Account, Clock, Component, Described, Grants, Host, HttpBackend, LogLevel, MemoryStorage, Network, Provider,
    Secret, StartError, Storage,
};

use super::WITHIN;
use super::called::{Called, Export, refusals, told};
use super::example::{CHAT, choices, end, press, question};
use super::promise::{Promise, Report};
use super::weather::Server;

/// The prefix of the made-up value of a secret, before its name.
const CANARY: &str = "canary-0123456789-";
/// The present time in the test: 2027-01-15T08:00:00Z.
const NOW: u64 = 1_800_000_000_000;
const DAY: u64 = 86_400_000;

/// A component, and what it is started with.
pub(super) struct Subject {
    component: Component,
    pub(super) manifest: Manifest,
    account: Account,
    pub(super) chat: Chat,
    /// The names of the transports that are asked.
    pub(super) transports: Vec<String>,
    clock: Arc<Still>,
    log: Arc<Lines>,
}

/// A stopped clock.
#[derive(Debug, Default)]
struct Still(AtomicU64);

impl Clock for Still {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The log.
#[derive(Debug, Default)]
struct Lines(Mutex<Vec<String>>);

impl Lines {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn host(clock: &Arc<Still>, log: &Arc<Lines>, backend: Arc<dyn HttpBackend>) -> Host {
    let lines = Arc::clone(log);
    // The requests are judged by themselves, and are lines of this level.
    let log = move |_: &str, level: LogLevel, line: &str| {
        if level > LogLevel::Debug {
            lines.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
        }
    };
    let clock: Arc<dyn Clock> = Arc::<Still>::clone(clock);
    Host { clock, log: Arc::new(log), network: Arc::new(Network::default().with_backend(backend)) }
}

/// Calls `describe` twice, a day apart. Returns `None` if it fails.
pub(super) async fn described(component: &Component, report: &mut Report) -> Option<Manifest> {
    let (clock, log) = (Arc::<Still>::default(), Arc::<Lines>::default());
    let mut said = Vec::new();
    for now in [NOW, NOW + DAY] {
        clock.0.store(now, Ordering::Relaxed);
        match Described::new(component, host(&clock, &log, Server::gone())).await {
            Ok(described) => said.push(described.manifest().clone()),
            Err(StartError::Fault(fault)) => {
                report.broken(Promise::Sound, None, &told("describe", &fault.to_string(), &log.take()));
                return None;
            }
            Err(error) => {
                report.broken(Promise::Manifest, None, &error.to_string());
                return None;
            }
        }
        refusals(&log.take(), "describe", None, Some(Promise::Offline), report);
    }
    let manifest = said.pop()?;
    report.name.clone_from(&manifest.name);
    report.version.clone_from(&manifest.version);
    report.kept(Promise::Manifest, None);
    report.kept(Promise::Same, None);
    if said.iter().any(|first| *first != manifest) {
        report.broken(Promise::Same, None, "a day later it says something else");
    }
    Some(manifest)
}

impl Subject {
    pub(super) fn new(
        component: Component,
        manifest: Manifest,
        given: BTreeMap<String, String>,
        chat: Chat,
        only: Option<&str>,
    ) -> Self {
        let made_up = |kind| match kind {
            SettingKind::Text => "example",
            SettingKind::Url => "https://server.example",
            SettingKind::SocketUrl => "wss://server.example",
        };
        let needed = manifest.settings.iter().filter(|it| it.required && it.default.is_none());
        let mut settings: BTreeMap<_, _> = needed.map(|it| (it.name.clone(), made_up(it.kind).to_owned())).collect();
        settings.extend(given);
        // One secret is enough where the messenger takes either of two.
        let secrets = manifest.secrets.iter().filter(|it| it.instead_of.is_none());
        let secrets = secrets.map(|it| (it.name.clone(), Secret::new(format!("{CANARY}{}", it.name))));
        let (secrets, storage) = (secrets.collect(), Some(Arc::new(MemoryStorage::default()) as Arc<dyn Storage>));
        let account = Account { settings, secrets, grants: Grants::Manifest, storage, ..Account::default() };
        let clock = Still(AtomicU64::new(NOW));
        let transports = manifest.transports.iter().map(|transport| transport.name.clone());
        let transports = transports.filter(|name| only.is_none_or(|only| only == name)).collect();
        Self { component, manifest, account, chat, transports, clock: Arc::new(clock), log: Arc::default() }
    }

    /// Returns a text with placeholders in place of secrets.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        let secrets = self.manifest.secrets.iter();
        secrets.fold(text.to_owned(), |text, it| {
            text.replace(&format!("{CANARY}{}", it.name), &format!("{{secret:{}}}", it.name))
        })
    }

    /// Starts it by a transport.
    pub(super) async fn start(&self, transport: &str, backend: Arc<dyn HttpBackend>) -> Result<Provider, StartError> {
        let account = Account { transport: Some(transport.to_owned()), ..self.account.clone() };
        self.log.take();
        Provider::start(&self.component, account, host(&self.clock, &self.log, backend)).await
    }

    /// Connects with a nonsensical setting. The component must accept it, or refuse it with a clear error.
    pub(super) async fn garbage(&self, transport: &str, name: &str, report: &mut Report) {
        for garbage in ["", "\u{2603} {secret:x} \u{1F4A9}", "../../\\%00"] {
            let mut account = Account { transport: Some(transport.to_owned()), ..self.account.clone() };
            account.settings.insert(name.to_owned(), garbage.to_owned());
            let host = host(&self.clock, &self.log, Server::gone());
            let what = match Provider::start(&self.component, account, host).await {
                Ok(_) => continue,
                Err(StartError::Refused(ProviderError::BadSetting(of, expected)))
                    if of == name && !expected.trim().is_empty() =>
                {
                    continue;
                }
                Err(StartError::Fault(fault)) => fault.to_string(),
                Err(error) => error.to_string(),
            };
            report.broken(Promise::Settings, None, &format!("connect, where {name} is {garbage:?}: {what}"));
        }
    }

    /// Reports what the sandbox refused while the component was started.
    pub(super) fn look_at_log(&self, promise: Promise, export: &str, report: &mut Report) {
        refusals(&self.log.take(), export, None, Some(promise), report);
    }

    /// Returns the open chat.
    pub(super) fn open_chat(&self) -> OpenChat {
        OpenChat { id: self.chat.id().to_owned(), owner: None, users: self.manifest.users }
    }

    /// Returns a message in the chat.
    pub(super) fn message(&self) -> MessageRef {
        MessageRef { chat: self.chat.id().to_owned(), id: CHAT.to_owned(), sequence: 1 }
    }

    /// Calls an export.
    pub(super) async fn call(&self, provider: &Provider, export: Export, within: Duration) -> Called {
        self.log.take();
        let (chat, message) = (self.open_chat(), self.message());
        let mut may_meet = true;
        let watch = || Watch { message: message.clone(), tag: question().tag, choices: choices(), text: true };
        let outcome = match export {
            Export::Open => provider.open(&self.chat, within).await.map(|_| 0),
            Export::Diagnose => provider.diagnose(&self.chat, within).await.map(|_| 0),
            Export::Introduce => {
                let introduced = provider.introduce("c0de", within).await;
                may_meet = introduced != Ok(None);
                introduced.map(|_| 0)
            }
            Export::Meet => provider.meet("", Duration::ZERO, within).await.map(|met| met.greetings.len()),
            Export::Post => provider.post(&chat, &question(), within).await.map(|_| 0),
            Export::Revise => provider.revise(&message, &end(), within).await.map(|()| 0),
            Export::Receive => provider.receive("", &[], Duration::ZERO, within).await.map(|batch| batch.events.len()),
            Export::Look => {
                provider.receive("", &[watch()], Duration::ZERO, within).await.map(|batch| batch.events.len())
            }
            Export::Acknowledge => provider.acknowledge(&press(message), Some("Noted."), within).await.map(|()| 0),
            Export::OpenThread => provider.open_thread(&chat, "site · fix the test", within).await.map(|_| 0),
            Export::SetThread => provider.set_thread(&chat, "site · over", true, within).await.map(|()| 0),
            Export::SetCommands => provider.set_commands(&chat, &lead::commands(), within).await.map(|()| 0),
            Export::Locate => {
                let file = SentFile { id: CHAT.to_owned(), name: "notes.txt".to_owned(), size: None };
                provider.locate(&file, within).await.map(|_| 0)
            }
            Export::Draft => {
                let private = OpenChat { owner: Some(chat.id.clone()), ..chat };
                provider.draft(&private, 1, "The test expects *two* decimals", within).await.map(|()| 0)
            }
        };
        Called { outcome, may_meet, lines: self.log.take() }
    }

    /// Posts a card.
    pub(super) async fn post(&self, provider: &Provider, card: &Card) -> Called {
        self.log.take();
        let outcome = provider.post(&self.open_chat(), card, WITHIN).await.map(|_| 0);
        Called { outcome, may_meet: true, lines: self.log.take() }
    }
}
