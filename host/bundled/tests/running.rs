//! The embedded components, end to end over loopback.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::messenger::{Block, ButtonStyle, Card, Chat, Choice, Event, Watch};
use dmplz_fakes::telegram::User;
use dmplz_fakes::{FakeDiscord, FakeTelegram};
use dmplz_plugin::{Account, Component, Engine, Grants, Host, LogLevel, Provider, Secret};

const WITHIN: Duration = Duration::from_secs(10);

fn component(name: &str) -> Component {
    dmplz_bundled::component(&Engine::new().unwrap(), name).unwrap().unwrap()
}

fn host() -> Host {
    Host::new(Arc::new(|provider: &str, level: LogLevel, line: &str| {
        assert!(level < LogLevel::Warn, "{provider}: {line}");
    }))
}

async fn start(name: &str, base: &str, token: &str) -> Provider {
    let account = Account {
        settings: BTreeMap::from([("api-base".to_owned(), base.to_owned())]),
        secrets: BTreeMap::from([("bot-token".to_owned(), Secret::new(token))]),
        grants: Grants::Manifest,
        ..Account::default()
    };
    Provider::start(&component(name), account, host()).await.unwrap()
}

fn card(choices: &[&str]) -> Card {
    let choice = |id: &&str| Choice::new(id, &format!("❌ {id}"), ButtonStyle::Danger);
    let body = vec![Block::Code("rm -rf /tmp/x".to_owned())];
    Card { choices: choices.iter().map(choice).collect(), ..Card::new("Tag1", "May I?".to_owned(), body) }
}

#[test]
fn every_name_has_a_component_that_imports_only_the_contract_and_what_rust_links() {
    for name in dmplz_bundled::MESSENGERS.iter().map(|messenger| messenger.name) {
        for import in component(name).imports() {
            let known = ["dmplz:messenger/", "wasi:io/", "wasi:cli/"].iter().any(|start| import.starts_with(start));
            assert!(known, "{name} imports {import}");
        }
    }
    assert!(dmplz_bundled::component(&Engine::new().unwrap(), "carrier-pigeon").is_none());
}

#[tokio::test]
async fn two_components_of_one_kind_can_come_and_go() {
    let first = component("telegram");
    let second = component("telegram");
    drop(first);
    let telegram = FakeTelegram::start().await;
    let described = dmplz_plugin::Described::new(&second, host()).await;
    assert_eq!(described.unwrap().manifest().name, "telegram");
    telegram.assert_clean();
}

#[tokio::test]
async fn telegram_posts_is_answered_and_revises() {
    let telegram = FakeTelegram::start().await;
    let jin = User::person(7, "Jin");
    let chat = telegram.private_chat(&jin);
    let provider = start("telegram", &telegram.base_url(), telegram.token()).await;
    let open = provider.open(&Chat::Room(chat.to_string()), WITHIN).await.unwrap();
    let message = provider.post(&open, &card(&["deny"]), WITHIN).await.unwrap();
    let shown = telegram.await_message(WITHIN, |message| message.chat == chat).await.unwrap();
    telegram.press(&shown, "❌ deny", &jin).unwrap();
    let watch = Watch { message: message.clone(), tag: String::new(), choices: card(&["deny"]).choices, text: false };
    let batch = provider.receive("", &[watch], Duration::from_secs(5), WITHIN).await.unwrap();
    let Some(Event::Chosen(chosen)) = batch.events.first() else { unreachable!("no press in {batch:?}") };
    assert_eq!((chosen.choice.as_str(), chosen.user.id.as_str()), ("deny", "7"));
    provider.acknowledge(chosen, Some("noted"), WITHIN).await.unwrap();
    provider.revise(&message, &card(&[]), WITHIN).await.unwrap();
    telegram.assert_clean();
}

#[tokio::test]
async fn discord_checks_itself() {
    let discord = FakeDiscord::start().await;
    let provider = start("discord", &discord.base_url(), discord.token()).await;
    assert_eq!(provider.manifest().name, "discord");
    assert!(provider.diagnose(&Chat::Room("1".to_owned()), WITHIN).await.is_ok());
    discord.assert_clean();
}
