use std::collections::BTreeMap;
use std::time::Duration;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::discord::{FakeDiscord, FakeGateway, Message};
use dmplz_fakes::{Fake, Fault, On};

use super::markdown::read;
use super::{Discord, SUPPRESS_EMBEDS, number, place, user};
use crate::{Doing, Person, Platform, SOON, Shown, Trouble, WRITE};

/// Discord over its gateway: the same server, with buttons, forms and notices for one person.
pub struct DiscordGateway(Discord);

impl Platform for DiscordGateway {
    const NAME: &'static str = Discord::NAME;
    const TRANSPORT: &'static str = "gateway";
    const ANSWERING: Answering = Answering::Buttons;
    const HAS_SOCKETS: bool = Discord::HAS_SOCKETS;
    const SECRET_ORIGINS: &'static [&'static str] = Discord::SECRET_ORIGINS;
    const ORIGINS: &'static [&'static str] = Discord::ORIGINS;
    const SECRET_PLACES: &'static [&'static str] = Discord::SECRET_PLACES;
    /// The maximum length of an embed's description.
    const LONGEST: usize = 4096;
    const REFUSES_COPIES: bool = true;
    const TELLS_OF_WITHHELD_TEXTS: bool = false;
    const TELLS_OF_EVERY_PRESS: bool = true;
    const PERSISTENT: bool = true;
    const READS_CHAT: bool = false;
    const THREADS: bool = true;
    const COMMANDS: bool = true;
    const FILES: bool = true;
    const AILMENTS: &'static [Subject] = &[Subject::Events, Subject::Chat, Subject::Post, Subject::Attach];

    async fn start() -> Self {
        Self(Discord::start().await)
    }

    async fn start_strict() -> Self {
        Self(Discord::start_strict().await)
    }

    fn server(&self) -> &dyn Fake {
        self.0.server()
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let url = self.gateway().url().to_owned();
        BTreeMap::from([("api-base".to_owned(), self.base_url()), ("gateway-url".to_owned(), url)])
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

    fn threads(&self, chat: &str) -> Vec<(String, bool)> {
        self.0.threads(chat)
    }

    fn delete_thread(&self, thread: &str) {
        self.0.delete_thread(thread);
    }

    fn commands(&self, chat: &str, korean: bool) -> Vec<(String, String)> {
        let guild = self.fake().guild_of(number(chat)).unwrap();
        self.fake().commands(guild, if korean { "ko" } else { "en-US" })
    }

    fn command(&self, chat: &str, by: Person, name: &str, text: &str) {
        let used = self.fake().use_command(number(chat), &user(by), name, text, None);
        assert!(used.is_some(), "no such command: {name}");
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.fake().messages(number(chat)))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        self.fake().watch(number(chat), SOON, |messages| find(&self.see(messages))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.fake().press_on_old_screen(place(on), &choice.label, &user(by)).unwrap().to_string()
    }

    fn open_form(&self, prompt: &MessageRef, by: Person) -> Option<String> {
        let buttons = self.fake().message(place(prompt)).unwrap().buttons();
        let write = buttons.into_iter().flatten().find(|button| button.label.starts_with(WRITE)).unwrap();
        Some(self.fake().press(place(prompt), &write.label, &user(by)).unwrap().to_string())
    }

    async fn fill(&self, press: &str, text: &str) -> Option<String> {
        let press = press.parse().unwrap();
        let seen = self.fake().await_interaction(press, SOON, |seen| seen.modal().is_some()).await;
        let field = seen.unwrap().modal().unwrap().fields[0].custom_id.clone();
        Some(self.fake().submit_modal(press, &[(&field, text)]).unwrap().to_string())
    }

    fn forge(&self, on: &MessageRef, by: Person) {
        for id in ["", "deny", ":", "Tag:", ":deny", "Tag:DENY", "Tag with blanks:deny", "T:d:e", "\u{0}:\u{0}", "{}"] {
            self.fake().forge_press(place(on), id, &user(by));
        }
        for data in ["null", "[]", "{}", r#"{"type":3,"data":{"custom_id":"Forged:approve"}}"#] {
            self.gateway().send(&format!(r#"{{"op":0,"s":null,"t":"INTERACTION_CREATE","d":{data}}}"#));
        }
    }

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        self.0.say(chat, by, text)
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        self.0.reply(to, by, text)
    }

    fn send_file(&self, chat: &str, by: Person, text: &str) {
        let file = Some(("notes.txt", &b"notes"[..]));
        let used = self.fake().use_command(number(chat), &user(by), "send", text, file);
        assert!(used.is_some(), "it is registered");
    }

    fn gone_file(&self) -> String {
        self.0.gone_file()
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

    fn outdate(&self, _: &str, _: &MessageRef) {
        self.fake().set_interaction_times(Duration::from_secs(3), Duration::ZERO);
    }

    fn ail(&self, chat: &str, what: Subject) {
        match what {
            Subject::Events => self.gateway().refuse(Some(503)),
            other => self.0.ail(chat, other),
        }
    }

    fn withhold_texts(&self, chat: &str) {
        self.0.withhold_texts(chat);
    }

    /// Returns the side effects of messages. An embed never unfolds its links, but a message that only one person sees
    /// can ping them.
    fn side_effects(&self, chat: &str) -> Vec<String> {
        let in_chat = self.fake().messages(number(chat));
        let told = self.fake().interactions().into_iter().flat_map(|it| it.whispers);
        let pings = |message: &Message| message.mention_everyone || !message.mentions.is_empty();
        let unfolds = |message: &Message| !message.content().is_empty() && message.flags & SUPPRESS_EMBEDS == 0;
        let bot = self.fake().bot().id;
        let ours = in_chat.into_iter().chain(told).filter(|message| message.author.id == bot);
        ours.filter(|message| pings(message) || unfolds(message)).map(|message| format!("{message:?}")).collect()
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Receive | Doing::ReceiveTexts => "WebSocket",
            Doing::Acknowledge => "POST /webhooks/{webhook_id}/{webhook_token}",
            other => Discord::request(other),
        }
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        Discord::fault(trouble).filter(|_| trouble != Trouble::Reversed)
    }

    /// Scripts a fault. A client that may not start a session, or not yet, gets a close code, or an answer before it
    /// opens a connection.
    fn fail(&self, doing: Doing, trouble: Trouble, times: usize) -> bool {
        let Some(fault) = Self::fault(trouble) else { return false };
        let looks = matches!(doing, Doing::Receive | Doing::ReceiveTexts);
        let request = match (looks, trouble) {
            (true, Trouble::Unauthorized) => return self.turn_away(4004, times),
            (true, Trouble::Forbidden) => return self.turn_away(4014, times),
            (true, Trouble::Malformed) => return self.turn_away(4012, times),
            (true, Trouble::RateLimited) => "GET /gateway/bot",
            _ => Self::request(doing),
        };
        self.wire().fail(On::call(request).times(times), fault);
        true
    }

    fn needs_no(doing: Doing, spoilt: Trouble) -> bool {
        doing == Doing::Acknowledge && spoilt == Trouble::Garbled
    }

    /// Scripts a fault of polling, which happens when the connection is opened again.
    fn strike(&self, trouble: Trouble) -> bool {
        let gateway = self.gateway();
        match trouble {
            Trouble::LineCut => gateway.cut(),
            Trouble::Closed(code) => gateway.close(code),
            Trouble::SentAway => gateway.reconnect(),
            Trouble::Doubted => gateway.invalidate(true),
            Trouble::Forgotten => gateway.invalidate(false),
            Trouble::Nonsense => ["", "{", "[]", r#"{"op":0,"#, r#"{"op":99,"d":{}}"#].map(|it| gateway.send(it))[0],
            Trouble::Hangs => gateway.set_silent(true),
            other => {
                if Self::forgets(other) {
                    gateway.invalidate(false);
                }
                gateway.cut();
                return self.fail(Doing::Receive, other, 1);
            }
        }
        true
    }

    /// Returns whether a fault ends the session, or interrupts it for longer than a press waits.
    fn forgets(trouble: Trouble) -> bool {
        let over = [Trouble::Unauthorized, Trouble::Forbidden, Trouble::Closed(4007), Trouble::Forgotten];
        over.contains(&trouble) || trouble == Trouble::Doubted
    }

    async fn heard(&self) {
        assert!(self.gateway().await_ready(SOON).await, "a session");
    }

    fn heal(&self) {
        self.wire().heal();
        self.turn_away(0, 0);
    }

    fn release(&self) {
        self.wire().release();
        self.gateway().set_silent(false);
    }
}

impl DiscordGateway {
    fn fake(&self) -> &FakeDiscord {
        self.0.fake()
    }

    fn gateway(&self) -> FakeGateway {
        self.fake().gateway()
    }

    fn turn_away(&self, code: u16, times: usize) -> bool {
        self.gateway().turn_away(code, times);
        true
    }

    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        messages.iter().filter(|message| !message.deleted).map(|message| self.see_one(message)).collect()
    }

    /// Returns a message as people see it. Its text is in an embed, in which Markdown works as in a message, and the
    /// title is always emphasised.
    fn see_one(&self, message: &Message) -> Shown {
        let now = message.now();
        let part = |name: &str| now.embeds.iter().filter_map(|embed| embed[name].as_str()).map(read).next();
        let title = part("title");
        let titles = title.iter().map(|title| title.text.clone());
        let bold = |body: &[String]| titles.clone().chain(body.iter().cloned()).collect::<Vec<_>>();
        let content = Some(read(message.content())).filter(|read| !read.text.is_empty());
        let body: Vec<_> = content.into_iter().chain(part("description")).collect();
        let bold = bold(&body.iter().flat_map(|part| part.bold.clone()).collect::<Vec<_>>());
        let parts: Vec<_> = title.into_iter().chain(body).collect();
        Shown {
            text: parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n"),
            bold,
            code: parts.iter().flat_map(|part| part.code.clone()).collect(),
            markup: parts.iter().flat_map(|part| part.markup.clone()).collect(),
            choices: message.buttons().into_iter().flatten().map(|button| button.label).collect(),
            ..self.0.see_one(message)
        }
    }
}
