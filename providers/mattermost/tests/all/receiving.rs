use dmplz_provider_sdk::testing::FakeSocket;
use dmplz_provider_sdk::{Batch, Event};

use super::*;

fn hello() -> FakeSocket {
    let hello = json!({ "event": "hello", "data": { "server_version": "11.0.0" }, "seq": 0 });
    FakeSocket::new().frame(json!({ "status": "OK", "seq_reply": 1 })).frame(hello)
}

fn reaction(user: &str, name: &str, at: u64) -> Value {
    json!({ "user_id": user, "post_id": CARD, "emoji_name": name, "create_at": at })
}

fn event(number: u64, kind: &str, field: &str, what: &Value) -> Value {
    json!({ "event": kind, "data": { field: what.to_string() }, "seq": number })
}

fn said(id: &str, text: &str, at: u64) -> Value {
    json!({
        "id": id, "user_id": JIN, "channel_id": CHANNEL, "create_at": at, "delete_at": 0, "message": text, "root_id": "", "type": "",
    })
}

/// Adds the posts of the channel.
fn listed(host: FakeHost, posts: &[Value]) -> FakeHost {
    let posts = posts.iter().map(|post| (post["id"].as_str().unwrap().to_owned(), post.clone()));
    host.reply(200, json!({ "order": [], "posts": posts.collect::<dmplz_provider_sdk::serde_json::Map<_, _>>() }))
}

fn reacted(reactions: Value) -> Value {
    let mut card = posted();
    card["metadata"] = json!({ "reactions": reactions });
    card
}

fn jin(host: FakeHost) -> FakeHost {
    host.reply(200, json!({ "id": JIN, "username": "jin", "first_name": "Jin", "last_name": "Kim" }))
}

/// Returns the choices of the presses and the texts.
fn shown(batch: &Batch) -> Vec<&str> {
    let shown = batch.events.iter().map(|event| match event {
        Event::Chosen(press) => press.choice.as_str(),
        Event::Said(said) => said.text.as_str(),
    });
    shown.collect()
}

#[test]
fn a_reaction_is_told_over_the_connection() {
    let press = event(1, "reaction_added", "reaction", &reaction(JIN, "x", AT + 5));
    let host = jin(me(listed(FakeHost::new().socket(hello().frame(press)), &[posted()])));
    let batch = mattermost().receive(&host, "", &watching(), 1_000).unwrap();
    let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((press.choice.as_str(), press.user.name.as_str(), &press.message), ("deny", "Jin Kim", &message()));
    insta::assert_snapshot!(host.frames()[..2].join("\n"), @r#"
    connect wss://chat.example/api/v4/websocket
    send {"action":"authentication_challenge","data":{"token":"{secret:access-token}"},"seq":1}
    "#);
}

#[test]
fn what_happened_before_the_connection_is_read_once_and_in_order() {
    let mine = reaction(BOT, "white_check_mark", AT + 1);
    let card = reacted(json!([mine, reaction(JIN, "+1", AT + 2), reaction(JIN, "x", AT + 9)]));
    let before = said("post0000000000000000000002", "wait", AT + 4);
    let host = jin(me(listed(FakeHost::new().socket(hello()), &[card.clone(), before.clone()])));
    let batch = mattermost().receive(&host, "", &watching(), 0).unwrap();
    assert_eq!(shown(&batch), ["wait", "deny"]);
    // Another instance goes on at the cursor.
    let host = me(listed(FakeHost::new().socket(hello()), &[card, before]));
    let host = jin(jin(host));
    assert_eq!(shown(&mattermost().receive(&host, &batch.cursor, &watching(), 0).unwrap()), [""; 0]);
}

#[test]
fn a_frame_that_is_missing_is_made_up_for() {
    let second = event(2, "posted", "post", &said("post0000000000000000000003", "two", AT + 8));
    let host = FakeHost::new().socket(hello().frame(second)).socket(hello());
    let host = me(listed(host, &[posted()]));
    let one = said("post0000000000000000000002", "one", AT + 7);
    let two = said("post0000000000000000000003", "two", AT + 8);
    let host = jin(listed(host, &[posted(), one, two]));
    assert_eq!(shown(&mattermost().receive(&host, "", &watching(), 1_000).unwrap()), ["one", "two"]);
}

#[test]
fn what_a_copy_of_the_database_did_not_know_yet_is_read_five_seconds_later() {
    let host = me(listed(FakeHost::new().socket(hello()), &[posted()]));
    let host = jin(listed(host, &[reacted(json!([reaction(JIN, "x", AT + 5)]))]));
    let batch = mattermost().receive(&host, "", &watching(), 40_000).unwrap();
    assert_eq!((shown(&batch), host.slept()), (vec!["deny"], 5_000));
}

#[test]
fn a_reaction_counts_when_it_was_given_last_and_by_the_servers_clock() {
    let again = |user: &str, name: &str, first: u64, last: u64| {
        let mut reaction = reaction(user, name, first);
        reaction["update_at"] = last.into();
        reaction
    };
    // It was taken back and given again after the text. A client chose the first time of the other one.
    let card = reacted(json!([again(JIN, "white_check_mark", AT + 2, AT + 9), again(JIN, "x", u64::MAX / 4, AT + 5)]));
    let text = said("post0000000000000000000002", "wait", AT + 7);
    let host = jin(me(listed(FakeHost::new().socket(hello()), &[card, text])));
    let batch = mattermost().receive(&host, "", &watching(), 0).unwrap();
    assert_eq!(shown(&batch), ["deny", "wait", "approve"]);
    assert!(batch.cursor.starts_with(&format!("m1 {} ", AT + 9)), "{}", batch.cursor);
}

#[test]
fn what_a_program_writes_in_the_name_of_its_owner_is_a_programs() {
    for (mark, is_bot) in [("from_webhook", true), ("from_plugin", true), ("from_oauth_app", true), ("dmplz", false)] {
        let mut post = said("post0000000000000000000002", "deploy it", AT + 7);
        post["props"] = json!({ mark: "true" });
        let told = event(1, "posted", "post", &post);
        let host = jin(me(listed(FakeHost::new().socket(hello().frame(told)), &[posted()])));
        let batch = mattermost().receive(&host, "", &watching(), 1_000).unwrap();
        let [Event::Said(said)] = batch.events.as_slice() else { panic!("{batch:?}") };
        assert_eq!(said.user.is_bot, is_bot, "{mark}");
    }
}

#[test]
fn somebody_who_cannot_be_looked_at_keeps_nobody_else_from_being_heard() {
    for status in [403, 404] {
        let card = reacted(json!([reaction("gone0000000000000000000001", "x", AT + 2), reaction(JIN, "x", AT + 9)]));
        let mut text = said("post0000000000000000000002", "wait", AT + 4);
        text["user_id"] = "gone0000000000000000000001".into();
        let refused = json!({ "id": "app.user.missing_account.const", "message": "no", "status_code": status });
        let host = me(listed(FakeHost::new().socket(hello()), &[card, text]));
        let host = jin(host.reply(status, refused.clone()).reply(status, refused));
        let batch = mattermost().receive(&host, "", &watching(), 0).unwrap();
        let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("{batch:?}") };
        assert_eq!((press.choice.as_str(), press.user.id.as_str(), host.left()), ("deny", JIN, 0));
    }
}

#[test]
fn a_connection_whose_token_counts_no_more_is_given_up() {
    let over = json!({ "status": "FAIL", "seq_reply": 2, "error": { "status_code": 401 } });
    let host = FakeHost::new().socket(hello().frame(over)).socket(FakeSocket::new().cut());
    let host = me(listed(host, &[posted()])).reply(401, json!({ "id": "x", "message": "no" }));
    assert_eq!(mattermost().receive(&host, "", &watching(), 1_000), Err(Error::Unauthorized));
}

#[test]
fn a_card_that_a_full_list_leaves_out_is_read_by_itself() {
    let others = (0..1_000).map(|number| said(&format!("post1{number:021}"), "", AT + 1)).collect::<Vec<_>>();
    let host = listed(FakeHost::new().socket(hello()), &others);
    let host = jin(me(host.reply(200, reacted(json!([reaction(JIN, "x", AT + 5)])))));
    assert_eq!(shown(&mattermost().receive(&host, "", &watching(), 0).unwrap()), ["deny"]);
}

#[test]
fn a_busy_channel_brings_no_more_than_the_host_takes_and_every_press() {
    let mut posts = (0..1_000).map(|number| said(&format!("post1{number:021}"), "x", AT + 1)).collect::<Vec<_>>();
    posts.push(reacted(json!([reaction(JIN, "white_check_mark", AT + 5), reaction(JIN, "x", AT + 6)])));
    let host = jin(me(listed(FakeHost::new().socket(hello()), &posts)));
    let batch = mattermost().receive(&host, "", &watching(), 0).unwrap();
    let shown = shown(&batch);
    assert_eq!((shown.len(), &shown[998..]), (1_000, ["approve", "deny"].as_slice()));
}

#[test]
fn a_quiet_server_is_asked_for_a_sign_of_life() {
    let host = me(listed(FakeHost::new().socket(hello()), &[posted()]));
    let host = listed(host, &[posted()]);
    let batch = mattermost().receive(&host, "", &watching(), 40_000).unwrap();
    assert_eq!((batch.events.len(), host.slept()), (0, 40_000));
    assert!(host.frames().contains(&r#"send {"action":"ping","seq":2}"#.to_owned()), "{:?}", host.frames());
}

#[test]
fn a_token_that_is_not_accepted_is_told_although_the_server_only_hangs_up() {
    let host = FakeHost::new().socket(FakeSocket::new().cut()).reply(401, json!({ "id": "x", "message": "no" }));
    assert_eq!(mattermost().receive(&host, "", &watching(), 1_000), Err(Error::Unauthorized));
}

#[test]
fn a_press_on_a_card_that_nobody_watches_has_its_tag() {
    let press = event(1, "reaction_added", "reaction", &reaction(JIN, "white_check_mark", AT + 5));
    let host = jin(me(FakeHost::new().socket(hello().frame(press))).reply(200, posted()));
    let batch = mattermost().receive(&host, "", &[], 1_000).unwrap();
    let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((press.tag.as_deref(), press.choice.as_str()), (Some("tag1"), "approve"));
}

#[test]
fn a_press_whose_person_could_not_be_asked_for_is_not_lost() {
    let press = reaction(JIN, "x", AT + 5);
    let told = event(1, "reaction_added", "reaction", &press);
    let host = FakeHost::new().socket(hello().frame(told)).socket(hello());
    let host = me(listed(host, &[posted()])).reply(502, "");
    let host = jin(listed(host, &[reacted(json!([press]))]));
    let mut provider = mattermost();
    assert!(matches!(provider.receive(&host, "", &watching(), 1_000), Err(Error::Unavailable(_))));
    assert_eq!(shown(&provider.receive(&host, "m1 0", &watching(), 0).unwrap()), ["deny"]);
}
