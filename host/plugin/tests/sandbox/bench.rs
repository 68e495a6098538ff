//! The fixture of the tests: the hostile component, an account for it, and a server.

mod server;
mod sockets;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use dmplz_core::messenger::{Card, Chat, Chosen, MessageRef, OpenChat, ProviderError, User, Users};
use dmplz_plugin::{
    Account, Addresses, Clock, Component, Described, Engine, Grants, Host, LogLevel, Network, Provider, Resolver,
    Secret, StartError,
};

pub(crate) use server::{Reply, Server};
pub(crate) use sockets::{Peer, Sockets, answering, read_head};

pub(crate) const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
pub(crate) const SPARE: &str = "xoxb-5512345678-abcdefghijklmnop";
pub(crate) const FORM_KEY: &str = "fk-99812345-qwertyuiop";
pub(crate) const SOON: Duration = Duration::from_millis(400);
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// A hostile component with an account, before it is started.
pub(crate) struct Bench {
    pub(crate) account: Account,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) names: HashMap<String, IpAddr>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let secrets = [("token", TOKEN), ("spare", SPARE), ("form-key", FORM_KEY)]
            .map(|(name, value)| (name.to_owned(), Secret::new(value)));
        let account = Account { secrets: secrets.into(), grants: Grants::Manifest, ..Account::default() };
        Self { account, clock: Arc::default(), names: HashMap::new(), lines: Arc::default() }
    }

    /// Returns a bench whose component does something at an export.
    pub(crate) fn doing(mode: &str, at: &str) -> Self {
        Self::new().set("mode", mode).set("at", at)
    }

    /// Returns a bench whose component sends a request when it posts.
    pub(crate) fn fetching(url: &str) -> Self {
        Self::doing("fetch", "post").set("url", url)
    }

    pub(crate) fn set(mut self, name: &str, value: &str) -> Self {
        self.account.settings.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(crate) fn at_time(self, milliseconds: u64) -> Self {
        self.clock.0.store(milliseconds, Ordering::Relaxed);
        self
    }

    pub(crate) fn granting(mut self, origins: &[&str]) -> Self {
        self.account.grants = Grants::Only(origins.iter().map(|origin| (*origin).to_owned()).collect());
        self
    }

    pub(crate) fn resolving(mut self, name: &str, address: &str) -> Self {
        self.names.insert(name.to_owned(), address.parse().unwrap());
        self
    }

    pub(crate) fn host(&self) -> Host {
        self.host_with(self.network())
    }

    pub(crate) fn network(&self) -> Network {
        Network::default().with_resolver(Arc::new(Names(self.names.clone())))
    }

    fn host_with(&self, network: Network) -> Host {
        let lines = Arc::clone(&self.lines);
        let log = move |provider: &str, level: LogLevel, line: &str| {
            lines.lock().unwrap().push(format!("{level:?} {provider}: {line}"));
        };
        Host { clock: self.clock.clone(), log: Arc::new(log), network: Arc::new(network) }
    }

    pub(crate) async fn start(&self) -> Provider {
        self.try_start().await.expect("the component starts")
    }

    pub(crate) async fn start_with(&self, network: Network) -> Provider {
        let described = Described::new(component(), self.host_with(network)).await.unwrap();
        described.connect(self.account.clone()).await.unwrap()
    }

    pub(crate) async fn try_start(&self) -> Result<Provider, StartError> {
        Described::new(component(), self.host()).await?.connect(self.account.clone()).await
    }

    /// Starts it, has it post, and returns what it saw.
    pub(crate) async fn post(&self) -> String {
        post(&self.start().await, LONG).await.expect("it posts").id
    }

    pub(crate) fn log(&self) -> String {
        self.lines.lock().unwrap().join("\n")
    }
}

/// Returns the hostile component, which is compiled once.
pub(crate) fn component() -> &'static Component {
    static COMPONENT: OnceLock<Component> = OnceLock::new();
    COMPONENT.get_or_init(|| Component::from_wasm(engine(), dmplz_guests::HOSTILE).expect("it compiles"))
}

pub(crate) fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine::new().expect("wasmtime works here"))
}

pub(crate) async fn post(provider: &Provider, within: Duration) -> Result<MessageRef, ProviderError> {
    provider.post(&OpenChat { id: "room".to_owned(), owner: None, users: Users::Identified }, &card(), within).await
}

pub(crate) fn card() -> Card {
    Card::new("Tag", "Title".to_owned(), Vec::new())
}

pub(crate) fn room() -> Chat {
    Chat::Room("room".to_owned())
}

pub(crate) fn message() -> MessageRef {
    MessageRef { chat: "room".to_owned(), id: "1".to_owned(), sequence: 1 }
}

pub(crate) fn press() -> Chosen {
    let user = User { id: "u".to_owned(), name: "n".to_owned(), is_bot: false };
    Chosen { message: message(), tag: None, choice: "deny".to_owned(), user, token: "t".to_owned(), text: None }
}

/// A clock that changes only when it is set.
#[derive(Default)]
pub(crate) struct FixedClock(pub(crate) AtomicU64);

impl Clock for FixedClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

struct Names(HashMap<String, IpAddr>);

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        let found = self.0.get(name).copied();
        Box::pin(async move { found.map(|address| vec![address]).ok_or_else(|| std::io::ErrorKind::NotFound.into()) })
    }
}
