//! The embedded Discord component at a gateway: one conversation with its people, cut at every frame of it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::messenger::{
    Block, ButtonStyle, Card, Chat, Choice, Chosen, Event, MessageRef, OpenChat, ProviderError, TextField, Watch,
};
use dmplz_fakes::FakeDiscord;
use dmplz_fakes::discord::{Message, Response, User};
use dmplz_plugin::{Account, Component, Engine, Grants, Host, LogLevel, Provider, Secret};

const WITHIN: Duration = Duration::from_secs(60);
/// The time of a poll. It is short, because an empty poll lasts for all of it.
const LOOK: Duration = Duration::from_millis(100);

/// A person's device and ours, and the cursor between two looks.
struct Place {
    discord: FakeDiscord,
    component: Component,
    provider: Provider,
    cursor: String,
    watching: Vec<Watch>,
    /// Whether each poll uses a new instance, as after a crash.
    forgetful: bool,
}

impl Place {
    async fn start(component: &Component, forgetful: bool) -> Self {
        let discord = FakeDiscord::start().await;
        discord.set_interaction_times(WITHIN, WITHIN);
        let provider = connect(component, &discord).await;
        let component = component.clone();
        Self { discord, component, provider, cursor: String::new(), watching: Vec::new(), forgetful }
    }

    async fn look(&mut self) -> Vec<Event> {
        if self.forgetful {
            self.provider = connect(&self.component, &self.discord).await;
        }
        match self.provider.receive(&self.cursor, &self.watching, LOOK, WITHIN).await {
            Ok(batch) => {
                self.cursor = batch.cursor;
                batch.events
            }
            // As the desk does: the messenger is asked again.
            Err(ProviderError::Unavailable(_)) => Vec::new(),
            Err(error) => panic!("{error:?}"),
        }
    }

    async fn until_ready(&mut self) {
        while self.cursor.is_empty() {
            assert_eq!(self.look().await, [], "before anybody could press");
        }
    }

    /// Polls while people do something, until a press was received and they are done.
    async fn heard(&mut self, people: impl Future<Output = u64>) -> (Chosen, u64) {
        let listening = async {
            loop {
                let mut events = self.look().await;
                match (events.pop(), events.as_slice()) {
                    (Some(Event::Chosen(chosen)), []) => return chosen,
                    (None, _) => {}
                    (last, before) => panic!("{before:?}, {last:?}"),
                }
            }
        };
        tokio::join!(listening, people)
    }
}

async fn connect(component: &Component, discord: &FakeDiscord) -> Provider {
    let setting = |name: &str, value: String| (name.to_owned(), value);
    let account = Account {
        settings: BTreeMap::from([
            setting("api-base", discord.base_url()),
            setting("gateway-url", discord.gateway().url().to_owned()),
        ]),
        secrets: BTreeMap::from([("bot-token".to_owned(), Secret::new(discord.token()))]),
        grants: Grants::Manifest,
        transport: Some("gateway".to_owned()),
        ..Account::default()
    };
    let host = Host::new(Arc::new(|provider: &str, level: LogLevel, line: &str| {
        assert!(level < LogLevel::Error && !line.contains("thrown away"), "{provider}: {line}");
    }));
    Provider::start(component, account, host).await.unwrap()
}

fn component() -> Component {
    dmplz_bundled::component(&Engine::new().unwrap(), "discord").unwrap().unwrap()
}

fn card(choices: Vec<Choice>) -> Card {
    let body = vec![Block::Text("도구: system.run".to_owned()), Block::Code("rm -rf *".to_owned())];
    Card { choices, ..Card::new("Tag1", "🔐 권한 요청".to_owned(), body) }
}

fn choices() -> Vec<Choice> {
    let field = TextField {
        title: "대신 할 일".to_owned(),
        label: "Claude에게".to_owned(),
        placeholder: String::new(),
        max: 300,
    };
    let mut tell = Choice::new("tell", "💬 대신 할 일", ButtonStyle::Secondary);
    (tell.row, tell.field) = (1, Some(field));
    vec![
        Choice::new("approve", "✅ 허용", ButtonStyle::Success),
        Choice::new("deny", "❌ 거부", ButtonStyle::Danger),
        tell,
    ]
}

async fn post(it: &mut Place) -> (OpenChat, MessageRef, Message) {
    let channel = it.discord.channel(it.discord.guild("office"), "approvals");
    let chat = it.provider.open(&Chat::Room(channel.to_string()), WITHIN).await.unwrap();
    let message = it.provider.post(&chat, &card(choices()), WITHIN).await.unwrap();
    it.watching = vec![Watch { message: message.clone(), tag: String::new(), choices: choices(), text: false }];
    let shown = it.discord.await_message(WITHIN, |message| !message.buttons().is_empty()).await.unwrap();
    (chat, message, shown)
}

/// Runs a conversation from the gateway's first frame to the card's end. Returns whether the connection was cut as
/// scripted.
async fn converse(component: &Component, cut_after: usize, forgetful: bool) -> bool {
    let mut it = Place::start(component, forgetful).await;
    let (discord, jin) = (it.discord.clone(), User::person(7, "Jin"));
    discord.gateway().cut_after(cut_after);
    it.until_ready().await;
    let (_, message, shown) = post(&mut it).await;
    discord.gateway().ask_for_heartbeat();
    let (told, _) = it
        .heard(async {
            let press = discord.press(&shown, "💬 대신 할 일", &jin).unwrap();
            let seen = discord.await_response(press, WITHIN).await.unwrap();
            assert_eq!(seen.modal().unwrap().title, "대신 할 일");
            let sent = discord.submit_modal(press, &[("Claude에게", "ls 먼저")]).unwrap();
            let seen = discord.await_response(sent, WITHIN).await.unwrap();
            assert_eq!(seen.response, Some(Response::DeferredUpdate));
            sent
        })
        .await;
    assert_eq!((told.choice.as_str(), told.text.as_deref(), told.user.id.as_str()), ("tell", Some("ls 먼저"), "7"));
    let (denied, press) = it
        .heard(async {
            let press = discord.press(&shown, "❌ 거부", &jin).unwrap();
            let seen = discord.await_response(press, WITHIN).await.unwrap();
            assert_eq!(seen.response, Some(Response::DeferredUpdate));
            press
        })
        .await;
    assert_eq!((denied.choice.as_str(), denied.tag.as_deref(), &denied.message), ("deny", Some("Tag1"), &message));
    it.provider.acknowledge(&denied, Some("거부했습니다"), WITHIN).await.unwrap();
    assert_eq!(discord.interaction(press).unwrap().whisper(), "거부했습니다");
    it.provider.revise(&message, &card(Vec::new()), WITHIN).await.unwrap();
    assert!(discord.message(&shown).unwrap().buttons().is_empty());
    assert_eq!(it.look().await, [], "nothing is told twice");
    discord.assert_clean();
    discord.gateway().cuts() > 0
}

#[tokio::test]
async fn a_conversation_that_is_cut_at_any_frame_ends_as_one_that_is_not() {
    let component = component();
    let mut frames = 0;
    while converse(&component, frames, false).await {
        frames += 1;
    }
    assert!(frames > 6, "HELLO, IDENTIFY, READY, a heartbeat and three presses are more than {frames} frames");
}

#[tokio::test]
async fn so_does_one_in_which_every_look_is_a_new_instances() {
    let component = component();
    for cut_after in [usize::MAX, 3, 7, 11] {
        converse(&component, cut_after, true).await;
    }
}

#[tokio::test]
async fn discord_shows_a_request_that_waits_as_an_embed_with_buttons_to_allow_and_to_deny() {
    let mut it = Place::start(&component(), false).await;
    let (_, _, shown) = post(&mut it).await;
    let now = shown.now();
    assert_eq!((now.embeds[0]["title"].as_str(), shown.content()), (Some("🔐 권한 요청"), ""));
    assert_eq!(now.embeds[0]["description"], "도구: system.run\n```\nrm -rf *\n```");
    let buttons = shown.buttons();
    let looks = buttons[0].iter().map(|button| (button.label.as_str(), button.style)).collect::<Vec<_>>();
    assert_eq!(looks, [("✅ 허용", 3), ("❌ 거부", 4)]);
    it.discord.assert_clean();
}
