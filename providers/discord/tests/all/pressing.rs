use dmplz_provider_sdk::serde_json::{self, json};
use dmplz_provider_sdk::testing::choice;
use dmplz_provider_sdk::{Chosen, Error, Event, Provider, User, Watch};

use crate::{FakeHost, choices, discord, message};

fn watch(id: u64) -> Watch {
    Watch { message: message(id), choices: choices(), text: false }
}

/// Returns the card as Discord does, with reactions of (emoji, normal count, burst count). One of each is the bot's.
fn card_with(reactions: &[(&str, i64, i64)]) -> String {
    let reactions = reactions.iter().map(|(emoji, normal, burst)| {
        json!({
            "emoji": { "id": null, "name": emoji }, "count": normal + burst, "me": true, "me_burst": false,
            "count_details": { "normal": normal, "burst": burst },
        })
    });
    json!({ "id": "200", "channel_id": "100", "author": { "id": "1" }, "reactions": reactions.collect::<Vec<_>>() })
        .to_string()
}

fn user(id: u64, name: &str) -> serde_json::Value {
    json!({ "id": id.to_string(), "username": name, "global_name": null })
}

fn users(users: &[serde_json::Value]) -> String {
    serde_json::Value::from(users).to_string()
}

/// Choices and people of the events.
fn presses(events: &[Event]) -> Vec<(String, String)> {
    let press = |event: &Event| match event {
        Event::Chosen(chosen) => (chosen.choice.clone(), chosen.user.id.clone()),
        Event::Said(said) => panic!("a text: {said:?}"),
    };
    events.iter().map(press).collect()
}

#[test]
fn a_card_that_waits_costs_one_request() {
    let host = FakeHost::new().reply(200, card_with(&[("✅", 1, 0), ("🔄", 1, 0), ("❌", 1, 0)]));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    assert_eq!((batch.events, batch.cursor.as_str()), (vec![], ""));
    insta::assert_snapshot!(host.sent(), @"Get https://discord.com/api/v10/channels/100/messages/200");
}

#[test]
fn a_press_is_somebody_elses_reaction() {
    let person = json!({ "id": "9007199254740993", "username": "kim", "global_name": "김 철수" });
    let host = FakeHost::new()
        .reply(200, card_with(&[("✅", 2, 0), ("🔄", 1, 0), ("❌", 1, 0)]))
        .reply(200, users(&[json!({ "id": "1", "username": "bot", "bot": true }), person]));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    let chosen = Chosen {
        message: message(200),
        tag: None,
        choice: "approve".into(),
        user: User { id: "9007199254740993".into(), name: "김 철수".into(), is_bot: false },
        token: String::new(),
        text: None,
    };
    assert_eq!(batch.events, vec![Event::Chosen(chosen)]);
    insta::assert_snapshot!(host.sent(), @"
    Get https://discord.com/api/v10/channels/100/messages/200

    Get https://discord.com/api/v10/channels/100/messages/200/reactions/%E2%9C%85?limit=100&type=0
    ");
}

#[test]
fn the_last_choice_of_a_card_comes_first() {
    let host = FakeHost::new()
        .reply(200, card_with(&[("✅", 2, 0), ("❌", 2, 0)]))
        .reply(200, users(&[user(5, "a")]))
        .reply(200, users(&[user(6, "b")]));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    assert_eq!(presses(&batch.events), [("deny".into(), "5".into()), ("approve".into(), "6".into())]);
}

#[test]
fn other_bots_are_reported_as_bots_and_other_emoji_not_at_all() {
    let custom = r#"{"id":"200","channel_id":"100","author":{"id":"1"},"reactions":[
        {"emoji":{"id":"77","name":"✅"},"count":1,"me":false},{"emoji":{"id":null,"name":"👍"},"count":3,"me":false},
        {"emoji":{"id":null,"name":"❌"},"count":1,"me":false}]}"#;
    let bot = json!({ "id": "8", "username": "other", "bot": true });
    let host = FakeHost::new().reply(200, custom).reply(200, users(&[bot]));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    assert!(matches!(&batch.events[..], [Event::Chosen(it)] if it.choice == "deny" && it.user.is_bot));
    assert_eq!(host.left(), 0);
}

#[test]
fn a_super_reaction_is_a_press_too() {
    let host = FakeHost::new().reply(200, card_with(&[("❌", 1, 1)])).reply(200, users(&[user(5, "a")]));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    assert_eq!(presses(&batch.events), [("deny".into(), "5".into())]);
    assert!(host.requests()[1].url.ends_with("?limit=100&type=1"), "{}", host.sent());
}

#[test]
fn an_emoji_with_and_without_its_selector_is_the_same() {
    let choice = choice("ok", "ok", "✔\u{FE0F}");
    let host = FakeHost::new().reply(200, card_with(&[("✔", 2, 0)])).reply(200, users(&[user(5, "a")]));
    let watch = Watch { message: message(200), choices: vec![choice], text: false };
    let batch = discord().receive(&host, "", &[watch], 0).unwrap();
    assert_eq!(presses(&batch.events), [("ok".into(), "5".into())]);
}

#[test]
fn people_are_read_page_by_page_up_to_a_bound() {
    let page = |first: u64| users(&(first..first + 100).map(|id| user(id, "x")).collect::<Vec<_>>());
    let host = FakeHost::new().reply(200, card_with(&[("✅", 151, 0)])).reply(200, page(1000)).reply(200, users(&[]));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    assert_eq!(batch.events.len(), 100);
    assert!(host.requests()[2].url.ends_with("&after=1099"), "{}", host.sent());
    let script = FakeHost::new().reply(200, card_with(&[("✅", 9999, 0)]));
    let host = (0..5).fold(script, |host, number| host.reply(200, page(1000 + number * 100)));
    let batch = discord().receive(&host, "", &[watch(200)], 0).unwrap();
    assert_eq!((batch.events.len(), host.left(), host.lines().len()), (500, 0, 1));
}

#[test]
fn a_deleted_card_does_not_hide_the_others() {
    let host = FakeHost::new()
        .reply(404, r#"{"message":"Unknown Message","code":10008}"#)
        .reply(200, card_with(&[("❌", 2, 0)]))
        .reply(200, users(&[user(5, "a")]));
    let batch = discord().receive(&host, "", &[watch(199), watch(200)], 0).unwrap();
    assert_eq!(presses(&batch.events), [("deny".into(), "5".into())]);
}

#[test]
fn what_was_found_before_an_error_is_kept() {
    let script = || {
        FakeHost::new()
            .reply(200, card_with(&[("❌", 2, 0)]))
            .reply(200, users(&[user(5, "a")]))
            .reply(429, r#"{"retry_after":1.5,"global":false}"#)
    };
    let batch = discord().receive(&script(), "", &[watch(200), watch(201)], 0).unwrap();
    assert_eq!(presses(&batch.events), [("deny".into(), "5".into())]);
    let limited = FakeHost::new().reply(429, r#"{"retry_after":1.5,"global":false}"#);
    assert_eq!(discord().receive(&limited, "", &[watch(200)], 0), Err(Error::RateLimited(Some(1500))));
}

#[test]
fn a_card_or_a_page_that_makes_no_sense_is_asked_again() {
    for replies in [vec!["[]"], vec!["{"], vec![r#"{"reactions":7}"#], vec![&card_with(&[("✅", 2, 0)]), "{}"]] {
        let host = replies.iter().fold(FakeHost::new(), |host, reply| host.reply(200, reply));
        let result = discord().receive(&host, "", &[watch(200)], 0);
        assert!(matches!(result, Err(Error::Unavailable(Some(_)))), "{replies:?}: {result:?}");
    }
}
