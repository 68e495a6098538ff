use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dmplz_core::messenger::{
    Batch, Card, Chat, Choice, Chosen, Diagnosis, Event, Manifest, MessageRef, OpenChat, ProviderError, Said,
    Transport, Watch,
};
use dmplz_plugin::{Account, Component, Described, Engine, Grants, Host, LogLevel, Provider, Secret, StartError};
use tokio::sync::OnceCell;

use crate::{Person, Platform, Shown};

/// What should take moments may take so long on a busy machine.
pub const SOON: Duration = Duration::from_secs(10);
/// Looks for events before a case gives up.
const LOOKS: usize = 5;

/// One provider before one platform, with all that it says written down.
pub struct Bench<P> {
    /// The platform that is under test.
    pub platform: P,
    provider: Provider,
    said: Told,
    /// Where it began to listen.
    begun: OnceCell<String>,
    /// How far it has listened meanwhile.
    heard: tokio::sync::Mutex<String>,
}

/// Lines of the log, and all that calls gave back.
pub(crate) type Told = Arc<Mutex<Vec<String>>>;

impl<P: Platform> Bench<P> {
    /// A platform, and a provider connected to it.
    pub async fn start() -> Self {
        Self::over(P::start().await).await
    }

    /// A provider connected to a platform.
    pub async fn over(platform: P) -> Self {
        let said = Told::default();
        let provider = connect::<P>(&platform, &said).await;
        Self { platform, provider, said, begun: OnceCell::new(), heard: tokio::sync::Mutex::default() }
    }

    /// The component described, before it has settings.
    pub async fn described(&self) -> Described {
        Described::new(&component::<P>(), host(&self.said)).await.unwrap()
    }

    /// Loads the component of the platform.
    pub fn component(&self) -> Component {
        component::<P>()
    }

    /// Connects with settings of the case's own.
    pub async fn connect(&self, account: Account) -> Result<Provider, StartError> {
        Provider::start(&component::<P>(), account, host(&self.said)).await
    }

    /// The account that the platform takes.
    pub fn account(&self) -> Account {
        account(&self.platform)
    }

    /// The provider as such; what it says through here is not written down.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    /// What it says of itself.
    pub fn manifest(&self) -> &Manifest {
        self.provider.manifest()
    }

    /// How the provider works.
    pub fn transport(&self) -> &Transport {
        self.provider.transport()
    }

    /// An open group of two people.
    pub async fn group(&self) -> OpenChat {
        self.open(&self.platform.group()).await.unwrap()
    }

    /// Calls `open` of the component.
    pub async fn open(&self, chat: &Chat) -> Result<OpenChat, ProviderError> {
        self.note(self.provider.open(chat, SOON).await)
    }

    /// Calls `diagnose` of the component.
    pub async fn diagnose(&self, chat: &Chat) -> Result<Diagnosis, ProviderError> {
        self.note(self.provider.diagnose(chat, SOON).await)
    }

    /// Calls `post` of the component.
    pub async fn post(&self, chat: &OpenChat, card: &Card) -> Result<MessageRef, ProviderError> {
        self.note(self.provider.post(chat, card, SOON).await)
    }

    /// Calls `revise` of the component.
    pub async fn revise(&self, message: &MessageRef, card: &Card) -> Result<(), ProviderError> {
        self.note(self.provider.revise(message, card, SOON).await)
    }

    /// Somebody presses, where somebody listens.
    pub async fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.begun().await;
        self.platform.press(on, choice, by)
    }

    /// Somebody presses what was never offered, where somebody listens.
    pub async fn forge(&self, on: &MessageRef, by: Person) {
        self.begun().await;
        self.platform.forge(on, by);
    }

    /// Somebody writes what a prompt asks for: into the chat, or into its form while the provider listens.
    pub async fn write(&self, prompt: &MessageRef, by: Person, text: &str) -> MessageRef {
        if !P::PERSISTENT {
            return self.platform.write(prompt, by, text).await;
        }
        let begun = self.begun().await;
        let mut heard = self.heard.lock().await;
        if heard.is_empty() {
            begun.clone_into(&mut heard);
        }
        let watching = [watch(prompt, &crate::prompt::<P>("").choices, true)];
        let listens = self.provider.receive(&heard, &watching, SOON / 2, SOON);
        let (batch, written) = tokio::join!(listens, self.platform.write(prompt, by, text));
        *heard = batch.unwrap().cursor;
        written
    }

    /// Somebody answers a prompt in so many words.
    pub async fn reply(&self, prompt: &MessageRef, by: Person, text: &str) -> MessageRef {
        match P::READS_CHAT {
            true => self.platform.reply(prompt, by, text),
            false => self.write(prompt, by, text).await,
        }
    }

    /// From where all is told that happened before this bench.
    pub async fn begun(&self) -> &str {
        let begin = async || {
            let mut cursor = String::new();
            while P::PERSISTENT && cursor.is_empty() {
                cursor = self.provider.receive("", &[], Duration::from_millis(50), SOON).await.unwrap().cursor;
            }
            cursor
        };
        self.begun.get_or_init(begin).await
    }

    /// `receive`, waiting for at most a second.
    pub async fn receive(&self, cursor: &str, watching: &[Watch]) -> Result<Batch, ProviderError> {
        self.note(self.provider.receive(cursor, watching, Duration::from_secs(1), SOON).await)
    }

    /// Calls `acknowledge` of the component.
    pub async fn acknowledge(&self, press: &Chosen, notice: Option<&str>) -> Result<(), ProviderError> {
        self.note(self.provider.acknowledge(press, notice, SOON).await)
    }

    /// What people see of a message.
    #[track_caller]
    pub fn shown(&self, message: &MessageRef) -> Shown {
        let shown = self.platform.shown(&message.chat);
        shown.into_iter().find(|shown| shown.id == message.id).expect("the message is there")
    }

    /// Looks until there are so many presses.
    pub async fn presses(&self, watching: &[Watch], count: usize) -> Vec<Chosen> {
        let is_press = |event: &Event| matches!(event, Event::Chosen(_));
        let begun = self.begun().await;
        let events =
            self.events(begun, watching, |events| events.iter().filter(|it| is_press(it)).count() >= count).await;
        let presses = events.0.into_iter().filter_map(|event| match event {
            Event::Chosen(press) => Some(press),
            Event::Said(_) => None,
        });
        presses.collect()
    }

    /// Looks from a cursor, or from the beginning, until there are so many texts: messages, or forms as answers to what
    /// they were opened on. Where the next look goes on.
    pub async fn texts(&self, cursor: &str, watching: &[Watch], count: usize) -> (Vec<Said>, String) {
        let cursor = if cursor.is_empty() { self.begun().await } else { cursor };
        let texts = |events: &[Event]| {
            let texts = events.iter().filter_map(|event| match event {
                Event::Said(said) => Some(said.clone()),
                Event::Chosen(press) => press.text.clone().map(|text| Said {
                    message: press.message.clone(),
                    user: press.user.clone(),
                    text,
                    reply_to: Some(press.message.clone()),
                }),
            });
            texts.collect::<Vec<_>>()
        };
        let (events, cursor) = self.events(cursor, watching, |events| texts(events).len() >= count).await;
        (texts(&events), cursor)
    }

    async fn events(
        &self,
        cursor: &str,
        watching: &[Watch],
        enough: impl Fn(&[Event]) -> bool,
    ) -> (Vec<Event>, String) {
        let (mut events, mut cursor) = (Vec::new(), cursor.to_owned());
        for _ in 0..LOOKS {
            let batch = self.receive(&cursor, watching).await.unwrap();
            assert!(batch.cursor.len() <= 1024, "a cursor of more than 1 KiB");
            events.extend(batch.events);
            cursor = batch.cursor;
            if enough(&events) {
                return (events, cursor);
            }
        }
        panic!("not enough happened in {LOOKS} looks: {events:?}");
    }

    /// What always holds at the end: the schema was kept, no secret was told, no placeholder was sent, nothing broke.
    #[track_caller]
    pub fn finish(self) {
        self.platform.wire().assert_clean();
        check(&self.platform, &self.said.lock().unwrap());
    }

    fn note<T: Debug>(&self, answer: T) -> T {
        self.said.lock().unwrap().push(format!("{answer:?}"));
        answer
    }
}

/// A watched card, with texts or without.
pub fn watch(message: &MessageRef, choices: &[Choice], text: bool) -> Watch {
    Watch { message: message.clone(), choices: choices.to_vec(), text }
}

#[track_caller]
pub(crate) fn check<P: Platform>(platform: &P, said: &[String]) {
    let token = platform.token();
    let hidden = token.rsplit(':').next().unwrap();
    for line in said {
        assert!(!line.contains(hidden), "a secret was told: {line}");
        assert!(!line.contains("its instance was thrown away"), "{line}");
    }
    for call in platform.wire().calls() {
        // A body may hold what looks like one: people's words are sent as they are.
        assert!(!call.path.contains(['{', '}']), "a placeholder was sent: {}", call.path);
        assert!(!call.params.to_string().contains(hidden), "a secret was sent where none belongs: {}", call.params);
    }
}

fn component<P: Platform>() -> Component {
    dmplz_bundled::component(&Engine::new().unwrap(), P::NAME).unwrap().unwrap()
}

async fn connect<P: Platform>(platform: &P, said: &Told) -> Provider {
    Provider::start(&component::<P>(), account(platform), host(said)).await.unwrap()
}

pub(crate) fn account<P: Platform>(platform: &P) -> Account {
    Account {
        settings: platform.settings(),
        transport: Some(P::TRANSPORT.to_owned()),
        secrets: BTreeMap::from([(P::SECRET.to_owned(), Secret::new(platform.token()))]),
        grants: Grants::Manifest,
        ..Account::default()
    }
}

pub(crate) fn host(said: &Told) -> Host {
    let said = Arc::clone(said);
    Host::new(Arc::new(move |provider: &str, level: LogLevel, line: &str| {
        said.lock().unwrap().push(format!("{provider} {level:?}: {line}"));
    }))
}
