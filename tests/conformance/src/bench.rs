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

/// The time limit for an operation that takes moments, on a busy machine.
pub const SOON: Duration = Duration::from_secs(10);
/// The number of polls for events before a case fails.
const LOOKS: usize = 5;

/// One provider connected to one platform, with a transcript of everything that it returns and logs.
pub struct Bench<P> {
    /// The platform that is under test.
    pub platform: P,
    provider: Provider,
    said: Transcript,
    /// The cursor at which it began to receive.
    begun: OnceCell<String>,
    /// The cursor that it has reached.
    heard: tokio::sync::Mutex<String>,
}

/// The lines of the log, and the results of all calls.
pub(crate) type Transcript = Arc<Mutex<Vec<String>>>;

impl<P: Platform> Bench<P> {
    /// Starts a platform and connects a provider to it.
    pub async fn start() -> Self {
        Self::over(P::start().await).await
    }

    /// Connects a provider to a platform.
    pub async fn over(platform: P) -> Self {
        let said = Transcript::default();
        let provider = connect::<P>(&platform, &said).await;
        Self { platform, provider, said, begun: OnceCell::new(), heard: tokio::sync::Mutex::default() }
    }

    /// Returns the described component, before it has settings.
    pub async fn described(&self) -> Described {
        Described::new(&component::<P>(), host(&self.said)).await.unwrap()
    }

    /// Loads the component of the platform.
    pub fn component(&self) -> Component {
        component::<P>()
    }

    /// Connects with settings of the case.
    pub async fn connect(&self, account: Account) -> Result<Provider, StartError> {
        Provider::start(&component::<P>(), account, host(&self.said)).await
    }

    /// Returns the account for the platform.
    pub fn account(&self) -> Account {
        account(&self.platform)
    }

    /// Returns the provider itself; calls through it are not added to the transcript.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    /// Returns the manifest of the provider.
    pub fn manifest(&self) -> &Manifest {
        self.provider.manifest()
    }

    /// Returns the transport of the provider.
    pub fn transport(&self) -> &Transport {
        self.provider.transport()
    }

    /// Opens a group of two people.
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

    /// Presses as a person, once presses would be delivered.
    pub async fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.begun().await;
        self.platform.press(on, choice, by)
    }

    /// Presses a choice that was never offered, once presses would be delivered.
    pub async fn forge(&self, on: &MessageRef, by: Person) {
        self.begun().await;
        self.platform.forge(on, by);
    }

    /// Answers a prompt for a text: in the chat, or in its form while the provider receives.
    pub async fn write(&self, prompt: &MessageRef, by: Person, text: &str) -> MessageRef {
        if !P::PERSISTENT {
            return self.platform.write(prompt, by, text).await;
        }
        let begun = self.begun().await;
        let mut heard = self.heard.lock().await;
        if heard.is_empty() {
            begun.clone_into(&mut heard);
        }
        let watching = [watch(prompt, &crate::prompt::<P>(""), true)];
        let listens = self.provider.receive(&heard, &watching, SOON / 2, SOON);
        let (batch, written) = tokio::join!(listens, self.platform.write(prompt, by, text));
        *heard = batch.unwrap().cursor;
        written
    }

    /// Answers a prompt with a text.
    pub async fn reply(&self, prompt: &MessageRef, by: Person, text: &str) -> MessageRef {
        match P::READS_CHAT {
            true => self.platform.reply(prompt, by, text),
            false => self.write(prompt, by, text).await,
        }
    }

    /// Returns the cursor before all events of this bench.
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

    /// Calls `receive`, waiting for at most a second.
    pub async fn receive(&self, cursor: &str, watching: &[Watch]) -> Result<Batch, ProviderError> {
        self.note(self.provider.receive(cursor, watching, Duration::from_secs(1), SOON).await)
    }

    /// Calls `acknowledge` of the component.
    pub async fn acknowledge(&self, press: &Chosen, notice: Option<&str>) -> Result<(), ProviderError> {
        self.note(self.provider.acknowledge(press, notice, SOON).await)
    }

    /// Returns a message as people see it.
    #[track_caller]
    pub fn shown(&self, message: &MessageRef) -> Shown {
        let shown = self.platform.shown(&message.chat);
        shown.into_iter().find(|shown| shown.id == message.id).expect("the message is there")
    }

    /// Receives until that many presses arrived.
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

    /// Receives from a cursor, or from the beginning, until that many texts arrived: messages, or forms as replies to
    /// the message that opened them. Returns the cursor that follows.
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
                    files: Vec::new(),
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

    /// Checks the invariants at the end: all requests followed the schema, no secret was revealed, no placeholder was
    /// sent, nothing failed.
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

/// Returns a watched card, with or without texts.
pub fn watch(message: &MessageRef, card: &Card, text: bool) -> Watch {
    Watch { message: message.clone(), tag: card.tag.clone(), choices: card.choices.clone(), text }
}

#[track_caller]
pub(crate) fn check<P: Platform>(platform: &P, said: &[String]) {
    let tokens = [platform.token(), platform.other_token()];
    let hidden = |text: &str| {
        let hidden = tokens.iter().map(|token| token.rsplit(':').next().unwrap());
        hidden.filter(|hidden| !hidden.is_empty()).any(|hidden| text.contains(hidden))
    };
    for line in said {
        assert!(!hidden(line), "a secret was told: {line}");
        assert!(!line.contains("its instance was thrown away"), "{line}");
        let shows_a_path = line.contains(" Debug: ") && line.contains(&format!("{}/", platform.base_url()));
        assert!(P::IDENTIFIES || !shows_a_path, "the name of a chat in which anybody could answer: {line}");
    }
    for call in platform.wire().calls() {
        // A body may contain such a string, because people's texts are sent unchanged.
        assert!(!call.path.contains(['{', '}']), "a placeholder was sent: {}", call.path);
        assert!(!hidden(&call.params.to_string()), "a secret was sent where none belongs: {}", call.params);
    }
}

fn component<P: Platform>() -> Component {
    dmplz_bundled::component(&Engine::new().unwrap(), P::NAME).unwrap().unwrap()
}

async fn connect<P: Platform>(platform: &P, said: &Transcript) -> Provider {
    Provider::start(&component::<P>(), account(platform), host(said)).await.unwrap()
}

pub(crate) fn account<P: Platform>(platform: &P) -> Account {
    let other = P::OTHER_SECRET.map(|name| (name.to_owned(), Secret::new(platform.other_token())));
    let secrets = [(P::GIVEN.to_owned(), Secret::new(platform.token()))].into_iter().chain(other);
    Account {
        settings: platform.settings(),
        transport: Some(P::TRANSPORT.to_owned()),
        secrets: secrets.collect(),
        grants: Grants::Manifest,
        ..Account::default()
    }
}

pub(crate) fn host(said: &Transcript) -> Host {
    let said = Arc::clone(said);
    Host::new(Arc::new(move |provider: &str, level: LogLevel, line: &str| {
        said.lock().unwrap().push(format!("{provider} {level:?}: {line}"));
    }))
}
