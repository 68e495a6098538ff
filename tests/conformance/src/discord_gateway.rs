use std::collections::BTreeMap;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::discord::{FakeDiscord, Message, User};
use dmplz_fakes::{Fault, Wire};

use crate::markdown::read;
use crate::{Discord, Doing, Person, Platform, SOON, Shown, Trouble};

/// Discord over its gateway: the same server, with buttons, forms and notices for one person.
pub struct DiscordGateway(Discord);

impl Platform for DiscordGateway {
    const NAME: &'static str = Discord::NAME;
    const WAY: &'static str = "gateway";
    const ANSWERING: Answering = Answering::Buttons;
    const HAS_SOCKETS: bool = Discord::HAS_SOCKETS;
    const ORIGINS: &'static [&'static str] = Discord::ORIGINS;
    /// What an embed's title and description hold together.
    const LONGEST: usize = 4096;
    const REFUSES_COPIES: bool = true;
    const TELLS_OF_WITHHELD_TEXTS: bool = false;
    const TELLS_OF_EVERY_PRESS: bool = true;
    const AILMENTS: &'static [Subject] = Discord::AILMENTS;

    async fn start() -> Self {
        Self(Discord::start().await)
    }

    async fn start_strict() -> Self {
        Self(Discord::start_strict().await)
    }

    fn base_url(&self) -> String {
        self.0.base_url()
    }

    fn token(&self) -> String {
        self.0.token()
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let url = self.fake().gateway().url().to_owned();
        BTreeMap::from([("api-base".to_owned(), self.base_url()), ("gateway-url".to_owned(), url)])
    }

    fn wire(&self) -> &Wire {
        self.0.wire()
    }

    fn group(&self) -> Chat {
        self.0.group()
    }

    fn private(&self, person: Person) -> Chat {
        self.0.private(person)
    }

    fn nowhere(&self) -> Chat {
        self.0.nowhere()
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.fake().messages(chat.parse().unwrap()))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        let found = self.fake().watch(chat.parse().unwrap(), SOON, |messages| find(&self.see(messages))).await;
        // Nobody hears of a press before the bot is there.
        assert!(self.fake().gateway().await_ready(SOON).await, "a session");
        found
    }

    fn face(choice: &Choice) -> String {
        choice.label.clone()
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        let place: (u64, u64) = (on.chat.parse().unwrap(), on.id.parse().unwrap());
        let buttons = self.fake().message(place).unwrap().buttons();
        let is_it = |label: &str, emoji: Option<&str>| face(label, emoji) == choice.label;
        let button = buttons.iter().flatten().find(|button| is_it(&button.label, button.emoji.as_deref()));
        let id = &button.unwrap_or_else(|| panic!("no {:?} among {buttons:?}", choice.label)).custom_id;
        self.fake().press(place, id, &user(by)).unwrap().to_string()
    }

    async fn fill(&self, press: &str, text: &str) -> bool {
        let press = press.parse().unwrap();
        let seen = self.fake().await_interaction(press, SOON, |seen| seen.modal().is_some()).await;
        let field = seen.unwrap().modal().unwrap().fields[0].custom_id.clone();
        self.fake().submit_modal(press, &[(&field, text)]).unwrap();
        true
    }

    /// Nobody can press here what is not there.
    fn forge(&self, _: &MessageRef, _: Person) {}

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        self.0.say(chat, by, text)
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        self.0.reply(to, by, text)
    }

    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef {
        self.0.attach(chat, by, caption)
    }

    fn delete(&self, message: &MessageRef) {
        self.0.delete(message);
    }

    async fn await_told(&self, press: &str, _: &MessageRef, text: &str) -> bool {
        let told = |whisper: &str| read(whisper).text == text;
        self.fake().await_interaction(press.parse().unwrap(), SOON, |seen| told(seen.whisper())).await.is_some()
    }

    fn outdate(&self, _: &str, on: &MessageRef) {
        self.delete(on);
    }

    fn ail(&self, chat: &str, what: Subject) {
        self.0.ail(chat, what);
    }

    fn withhold_texts(&self, chat: &str) {
        self.0.withhold_texts(chat);
    }

    fn side_effects(&self, chat: &str) -> Vec<String> {
        self.0.side_effects(chat)
    }

    fn request(doing: Doing) -> &'static str {
        Discord::request(doing)
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        Discord::fault(trouble)
    }
}

impl DiscordGateway {
    fn fake(&self) -> &FakeDiscord {
        self.0.fake()
    }

    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        messages.iter().filter(|message| !message.deleted).map(|message| self.see_one(message)).collect()
    }

    /// Its words stand in an embed, where Markdown works as in a message.
    fn see_one(&self, message: &Message) -> Shown {
        let now = message.now();
        let embeds =
            now.embeds.iter().flat_map(|embed| ["title", "description"].map(|part| embed[part].as_str().map(read)));
        let content = Some(read(message.content())).filter(|read| !read.text.is_empty());
        let parts: Vec<_> = content.into_iter().chain(embeds.flatten()).collect();
        let buttons = message.buttons();
        Shown {
            text: parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n"),
            code: parts.iter().flat_map(|part| part.code.clone()).collect(),
            markup: parts.iter().flat_map(|part| part.markup.clone()).collect(),
            choices: buttons.iter().flatten().map(|it| face(&it.label, it.emoji.as_deref())).collect(),
            ..self.0.see_one(message)
        }
    }
}

/// A button as people read it: a client may show an emoji at its beginning apart from its label.
fn face(label: &str, emoji: Option<&str>) -> String {
    emoji.map_or_else(|| label.to_owned(), |emoji| format!("{emoji} {label}"))
}

fn user(person: Person) -> User {
    User { bot: person.is_bot, ..User::person(person.id, person.name) }
}
