//! The component under test: started with made-up settings, and called export by export.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dmplz_core::card;
use dmplz_core::lead;
use dmplz_core::messenger::{
    ButtonStyle, Card, Chat, Choice, Chosen, Manifest, MessageRef, OpenChat, ProviderError, SentFile, SettingKind,
    Transport, User, Watch,
};
use dmplz_plugin::{
    Account, Clock, Component, Described, Fault, Grants, Host, HttpBackend, LogLevel, MemoryStorage, Network, Provider,
    Secret, StartError, Storage,
};

use super::WITHIN;
use super::promise::{Promise, Report};
use super::weather::{Server, Weather};

/// A chat, and a message, of which most messengers could have one.
pub(super) const CHAT: &str = "123456789012345678";
/// The tag of the cards.
pub(super) const TAG: &str = "RecordedCard01";
/// The prefix of the made-up value of a secret, before its name.
const CANARY: &str = "canary-0123456789-";
/// The present time in the test: 2027-01-15T08:00:00Z.
const NOW: u64 = 1_800_000_000_000;
const DAY: u64 = 86_400_000;
/// How many log lines a broken promise shows at most, and how many characters of each.
const LINES: usize = 4;
const CHARS: usize = 160;

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

/// An export, called as the host calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Export {
    Open,
    Diagnose,
    Introduce,
    Meet,
    Post,
    Revise,
    Receive,
    /// `receive`, looking at a card.
    Look,
    Acknowledge,
    OpenThread,
    SetThread,
    SetCommands,
    Locate,
    Draft,
}

/// The result of a call.
pub(super) struct Called {
    /// The number of things that it reports.
    pub(super) outcome: Result<usize, ProviderError>,
    /// Whether `meet` may follow.
    pub(super) may_meet: bool,
    lines: Vec<String>,
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

impl Export {
    /// All of them, by their names.
    pub(super) const ALL: [(Self, &str); 14] = [
        (Self::Open, "open"),
        (Self::Diagnose, "diagnose"),
        (Self::Introduce, "introduce"),
        (Self::Meet, "meet"),
        (Self::Post, "post"),
        (Self::Revise, "revise"),
        (Self::Receive, "receive"),
        (Self::Look, "receive with a card"),
        (Self::Acknowledge, "acknowledge"),
        (Self::OpenThread, "open-thread"),
        (Self::SetThread, "set-thread"),
        (Self::SetCommands, "set-commands"),
        (Self::Locate, "locate"),
        (Self::Draft, "draft"),
    ];

    /// Returns whether the host calls it over a transport.
    pub(super) fn is_called(self, transport: &Transport) -> bool {
        match self {
            Self::OpenThread | Self::SetThread => transport.threads,
            Self::SetCommands => transport.commands,
            Self::Locate => transport.files,
            Self::Draft => transport.drafts,
            _ => true,
        }
    }
}

impl Called {
    /// Notes what it broke. Whether it cost its instance, so that calling it again shows nothing new.
    pub(super) fn judge(
        &self,
        (export, name): (Export, &str),
        weather: &Weather,
        asked: usize,
        transport: &str,
        report: &mut Report,
    ) -> bool {
        let at = format!("{name}, where {}", weather.name);
        let broke = self.broke(&at, transport, report);
        let mut broken = |promise, what: &str| report.broken(promise, Some(transport), &format!("{at}: {what}"));
        let is_tried_again = matches!(export, Export::Post | Export::Revise | Export::Receive | Export::Look);
        if let Err(error) = &self.outcome
            && is_tried_again
            && weather.passes()
            && !error.passes()
            && !matches!(error, ProviderError::Broken(_))
        {
            broken(Promise::Again, &error.to_string());
        }
        if let Ok(events) = self.outcome {
            let changes = matches!(export, Export::Post | Export::Revise | Export::SetCommands);
            if changes && weather.is_a_no() {
                broken(Promise::Honest, "it says that it is done");
            } else if changes && asked == 0 {
                broken(Promise::Honest, "it says that it is done, and asked nobody");
            }
            if events > 0 {
                broken(Promise::Nothing, &format!("it reports {events} of what people did"));
            }
        }
        broke
    }

    /// Notes what any call can break. Whether it cost its instance.
    pub(super) fn broke(&self, at: &str, transport: &str, report: &mut Report) -> bool {
        let transport = Some(transport);
        refusals(&self.lines, at, transport, None, report);
        let overstayed = format!("its instance was thrown away: {}", Fault::Overstayed);
        if self.lines.contains(&overstayed) {
            report.broken(Promise::Returns, transport, &format!("{at}: {}", Fault::Overstayed));
            return true;
        }
        let Err(ProviderError::Broken(why)) = &self.outcome else { return false };
        report.broken(Promise::Sound, transport, &told(at, why, &self.lines));
        true
    }
}

/// Describes a fault, with the last log lines of the component before it. Those of Python and JavaScript tell an exception
/// in several lines.
fn told(at: &str, why: &str, lines: &[String]) -> String {
    // What Rust's runtime adds to every panic. The place of one stands on a line of its own, before its text.
    let is_noise = |line: &str| {
        line.starts_with("its instance was thrown away")
            || line.contains("RUST_BACKTRACE")
            || (line.contains(" panicked at ") && line.ends_with(':'))
    };
    let said: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !is_noise(line)).collect();
    let last = said.get(said.len().saturating_sub(LINES)..).unwrap_or_default();
    let said: Vec<String> = last.iter().map(|line| line.chars().take(CHARS).collect()).collect();
    if said.is_empty() { format!("{at}: {why}") } else { format!("{at}: {why} (it said: {})", said.join(" / ")) }
}

/// Notes what the sandbox refused, by the words of `dmplz_plugin`: its reasons are values for the component and lines for the
/// operator. `offline`: the promise that any request breaks.
fn refusals(lines: &[String], at: &str, transport: Option<&str>, offline: Option<Promise>, report: &mut Report) {
    /// Refusals that the faulty server has caused.
    const OF_THE_SERVER: [&str; 4] = ["the reply ", "a redirect ", "a frame that arrived ", "resolves to no address"];
    const OF_SECRETS: [&str; 4] = [
        "the manifest names no such place",
        "does not belong to",
        "a secret may stand only once",
        "there is no secret",
    ];
    for line in lines {
        if line == "(further lines of this call were dropped)" {
            report.broken(Promise::Quiet, transport, &format!("{at}: it wrote more than 64 lines"));
        }
        let Some((_, why)) = line.split_once(" was refused: ") else { continue };
        if OF_THE_SERVER.iter().any(|of| why.contains(of)) {
            continue;
        }
        let promise = match offline {
            Some(offline) => offline,
            None if why.ends_with(" is not granted") => Promise::Origins,
            None if OF_SECRETS.iter().any(|of| why.contains(of)) => Promise::Secrets,
            None => Promise::Requests,
        };
        report.broken(promise, transport, &format!("{at}: {why}"));
    }
}

/// Returns the choices of a card.
pub(super) fn choices() -> Vec<Choice> {
    vec![
        Choice::new("approve", "✅ Approve", ButtonStyle::Success),
        Choice::new("session", "🔄 For the session", ButtonStyle::Primary),
        Choice::new("deny", "❌ Deny", ButtonStyle::Danger),
    ]
}

/// Returns a card that asks.
pub(super) fn question() -> Card {
    Card { choices: choices(), ..end() }
}

/// Returns a card that has ended.
pub(super) fn end() -> Card {
    Card { title: "May I run this?".to_owned(), ..card::notice("rm -rf ./target", TAG, None) }
}

fn press(message: MessageRef) -> Chosen {
    let user = User { id: CHAT.to_owned(), name: "Jin".to_owned(), is_bot: false };
    Chosen { message, tag: Some(TAG.to_owned()), choice: "deny".to_owned(), user, token: CHAT.to_owned(), text: None }
}
