use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Batch, Error, Event, Provider};

use crate::{AT, BOT, CARD, FakeHost, JIN, Matrix, ROOM, event, matrix, paths, posted, reaction, refused, watching};

fn me() -> FakeHost {
    FakeHost::new().reply(200, json!({ "user_id": BOT }))
}

fn synced(host: FakeHost, next: &str, events: Value, limited: bool) -> FakeHost {
    let timeline = json!({ "events": events, "limited": limited, "prev_batch": "p1" });
    host.reply(200, json!({ "next_batch": next, "rooms": { "join": { ROOM: { "timeline": timeline } } } }))
}

/// Adds the replies of looking at the card: its event, and what relates to it.
fn looked(host: FakeHost, related: Value) -> FakeHost {
    host.reply(200, posted()).reply(200, json!({ "chunk": related }))
}

fn named(host: FakeHost) -> FakeHost {
    host.reply(200, json!({ "membership": "join", "displayname": "Jin" }))
}

fn said(id: &str, at: u64, content: Value) -> Value {
    let mut said = event(id, JIN, "m.room.message", content);
    said["origin_server_ts"] = at.into();
    said
}

fn words(text: &str) -> Value {
    json!({ "msgtype": "m.text", "body": text })
}

fn receive(provider: &mut Matrix, host: &FakeHost, cursor: &str) -> Batch {
    provider.receive(host, cursor, &watching(false), 0).unwrap()
}

/// Returns the choices of the presses, and the texts with their places.
fn shown(batch: &Batch) -> Vec<(String, u64)> {
    let show = |event: &Event| match event {
        Event::Chosen(press) => (press.choice.clone(), 0),
        Event::Said(said) => (said.text.clone(), said.message.sequence),
    };
    batch.events.iter().map(show).collect()
}

#[test]
fn a_reaction_is_a_press_of_its_sender_as_long_as_it_is_there() {
    let mut provider = matrix();
    let host = named(looked(synced(me(), "s1", json!([]), false), json!([reaction("$1", JIN, "❌")])));
    let batch = receive(&mut provider, &host, "");
    let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((press.choice.as_str(), press.user.id.as_str(), press.user.name.as_str()), ("deny", JIN, "Jin"));
    assert_eq!((press.token.as_str(), batch.cursor.as_str()), ("", "s1"));
    // Nothing new: the press is there still, and nobody is asked again.
    let idle = FakeHost::new().reply(200, json!({ "next_batch": "s2" }));
    assert_eq!(shown(&receive(&mut provider, &idle, "s1")), [("deny".to_owned(), 0)]);
    // Taken back.
    let redaction = json!([event("$r", JIN, "m.room.redaction", json!({ "redacts": "$1" }))]);
    let back = looked(synced(FakeHost::new(), "s3", redaction, false), json!([]));
    assert_eq!(shown(&receive(&mut provider, &back, "s2")), []);
}

#[test]
fn reactions_of_the_bot_and_those_that_were_never_offered_are_no_presses() {
    let related =
        json!([reaction("$1", BOT, "❌"), reaction("$2", JIN, "👍"), event("$3", JIN, "m.reaction", json!({}))]);
    let host = looked(synced(me(), "s1", json!([]), false), related);
    assert_eq!(receive(&mut matrix(), &host, "").events, []);
}

#[test]
fn a_reaction_means_what_the_card_offered_when_it_was_added() {
    let menu = |choices: Value| json!({ "body": "?", "dmplz.card": { "tag": "tag1", "choices": choices } });
    let relation = json!({ "rel_type": "m.replace", "event_id": CARD });
    let edit = json!({ "m.new_content": menu(json!({ "❌": "deny", "➕": "approve" })), "m.relates_to": relation });
    let related = json!([
        reaction("$1", JIN, "✅"),
        event("$e", BOT, "m.room.message", edit),
        reaction("$2", "@mina:example.org", "➕"),
    ]);
    let host = named(named(looked(synced(me(), "s1", json!([]), false), related)));
    assert_eq!(shown(&receive(&mut matrix(), &host, "")), [("approve".to_owned(), 0), ("approve".to_owned(), 0)]);
}

#[test]
fn a_reaction_that_was_taken_back_and_added_again_is_left_out_once() {
    let mut provider = matrix();
    let host = named(looked(synced(me(), "s1", json!([]), false), json!([reaction("$1", JIN, "❌")])));
    receive(&mut provider, &host, "");
    let again = json!([reaction("$2", JIN, "❌")]);
    let host = looked(synced(FakeHost::new(), "s2", again.clone(), false), again.clone());
    assert_eq!(shown(&receive(&mut provider, &host, "s1")), []);
    let host = looked(synced(FakeHost::new(), "s3", json!([]), false), again);
    assert_eq!(shown(&receive(&mut provider, &host, "s2")), [("deny".to_owned(), 0)]);
    assert!(paths(&host)[0].contains("timeout=0"), "it does not wait");
}

#[test]
fn a_gap_loses_no_press() {
    let mut provider = matrix();
    receive(&mut provider, &looked(synced(me(), "s1", json!([]), false), json!([])), "");
    let host = named(looked(synced(FakeHost::new(), "s9", json!([]), true), json!([reaction("$1", JIN, "❌")])));
    assert_eq!(shown(&receive(&mut provider, &host, "s1")), [("deny".to_owned(), 0)]);
}

#[test]
fn texts_of_a_gap_are_fetched_back_to_the_cursor() {
    let host = synced(me(), "s9", json!([said("$3", AT + 3, words("three"))]), true);
    let page = json!({ "chunk": [said("$2", AT + 2, words("two")), said("$1", AT + 1, words("one"))] });
    let host = looked(named(host.reply(200, page)), json!([]));
    let batch = matrix().receive(&host, "s1", &watching(true), 0).unwrap();
    assert_eq!(shown(&batch), [("one".to_owned(), AT + 1), ("two".to_owned(), AT + 2), ("three".to_owned(), AT + 3)]);
    let back = &paths(&host)[2];
    assert!(back.contains("/messages?dir=b") && back.ends_with("&to=s1&from=p1"), "{back}");
}

#[test]
fn an_answer_to_a_prompt_that_is_still_being_posted_is_told() {
    let host = looked(named(synced(me(), "s1", json!([said("$1", AT + 1, words("because"))]), false)), json!([]));
    assert_eq!(shown(&receive(&mut matrix(), &host, "")), [("because".to_owned(), AT + 1)]);
}

#[test]
fn a_wrong_clock_of_another_homeserver_changes_no_order() {
    let events = json!([said("$1", AT + 9_000, words("before")), posted(), said("$2", AT - 9_000, words("after")),]);
    let host = looked(named(synced(me(), "s1", events, false)), json!([]));
    let batch = matrix().receive(&host, "", &watching(true), 0).unwrap();
    assert_eq!(shown(&batch), [("before".to_owned(), AT - 1), ("after".to_owned(), AT + 1)]);
}

#[test]
fn only_what_people_write_to_the_room_is_a_text() {
    let relates = |relation: Value| json!({ "msgtype": "m.text", "body": "x", "m.relates_to": relation });
    let events = json!([
        said("$1", AT + 1, relates(json!({ "rel_type": "m.replace", "event_id": "$0" }))),
        said("$2", AT + 2, relates(json!({ "rel_type": "m.thread", "event_id": "$0" }))),
        said("$3", AT + 3, relates(json!({ "rel_type": "m.thread", "event_id": CARD }))),
        said("$4", AT + 4, json!({ "msgtype": "m.file", "body": "a.txt", "filename": "a.txt" })),
        said("$5", AT + 5, json!({ "msgtype": "m.file", "body": "see", "filename": "a.txt" })),
        said("$6", AT + 6, json!({})),
        event("$7", BOT, "m.room.message", words("mine")),
        event("$8", JIN, "m.room.encrypted", json!({ "ciphertext": "?" })),
    ]);
    let host = looked(named(synced(me(), "s1", events, false)), json!([]));
    let batch = matrix().receive(&host, "", &watching(true), 0).unwrap();
    assert_eq!(shown(&batch), [("x".to_owned(), AT + 3), ("see".to_owned(), AT + 5), (String::new(), AT + 1)]);
}

#[test]
fn a_reply_names_its_message_and_loses_the_quote() {
    let reply = json!({
        "msgtype": "m.text", "body": "> <@dmplz:example.org> why?\n> really\n\nbecause\n> of this",
        "m.relates_to": { "m.in_reply_to": { "event_id": CARD } },
    });
    let host = looked(named(synced(me(), "s1", json!([said("$1", AT + 1, reply)]), false)), json!([]));
    let batch = matrix().receive(&host, "", &watching(true), 0).unwrap();
    let [Event::Said(said)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((said.text.as_str(), &said.reply_to), ("because\n> of this", &Some(crate::message())));
}

#[test]
fn a_press_on_a_card_that_is_being_posted_tells_its_tag() {
    let press = json!([reaction("$1", JIN, "❌")]);
    let host = named(looked(synced(me(), "s1", press.clone(), false), press));
    let batch = matrix().receive(&host, "s0", &[], 0).unwrap();
    let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((press.tag.as_deref(), press.choice.as_str(), press.message.sequence), (Some("tag1"), "deny", AT));
}

#[test]
fn an_imitation_of_a_card_is_no_card() {
    let mut imitation = posted();
    imitation["sender"] = JIN.into();
    let host = synced(me(), "s1", json!([reaction("$1", JIN, "✅")]), false).reply(200, imitation);
    assert_eq!(matrix().receive(&host, "s0", &[], 0).unwrap().events, []);
}

#[test]
fn an_unknown_cursor_begins_anew() {
    let host = looked(synced(refused(me(), 400, "M_UNKNOWN"), "s1", json!([]), false), json!([]));
    assert_eq!(matrix().receive(&host, "s0", &watching(false), 0).unwrap().cursor, "s1");
    let paths = paths(&host);
    assert!(paths[1].ends_with("&since=s0") && !paths[2].contains("since"), "{paths:?}");
    let error = matrix().receive(&refused(me(), 400, "M_UNKNOWN"), "", &watching(false), 0);
    assert!(matches!(error, Err(Error::Rejected(_))), "{error:?}");
}

#[test]
fn a_room_that_becomes_encrypted_is_told_to_the_operator() {
    let events = json!([event("$1", JIN, "m.room.encryption", json!({ "algorithm": "m.megolm.v1.aes-sha2" }))]);
    let host = looked(synced(me(), "s1", events, false), json!([]));
    receive(&mut matrix(), &host, "s0");
    assert!(host.lines()[0].starts_with("Error: the room is encrypted"), "{:?}", host.lines());
}

#[test]
fn a_name_of_any_length_fits() {
    let host = looked(synced(me(), "s1", json!([]), false), json!([reaction("$1", JIN, "❌")]));
    let host = host.reply(200, json!({ "displayname": "가".repeat(20_000) }));
    let batch = receive(&mut matrix(), &host, "");
    let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!(press.user.name.chars().count(), 128);
}

#[test]
fn an_id_or_a_name_that_a_member_made_up_keeps_nobody_from_being_heard() {
    let long = "x".repeat(20_000);
    let odd = |on: &str| {
        let mut odd = reaction("$2", JIN, "❌");
        odd["content"]["m.relates_to"]["event_id"] = on.into();
        odd
    };
    let reply = |to: &str| {
        let relation = json!({ "m.in_reply_to": { "event_id": to } });
        json!({ "msgtype": "m.text", "body": "because", "m.relates_to": relation })
    };
    let file = |name: &str, server: &str| json!({ "msgtype": "m.file", "body": name, "url": format!("mxc://{server}/f"), "info": {} });
    let events = json!([
        odd(""),
        odd("state"),
        odd("$a b"),
        odd(&format!("${long}")),
        said("$3", AT + 3, reply(&format!("${long}"))),
        said("$4", AT + 4, file(&long, "example.org")),
        said("$5", AT + 5, file("a.txt", &long)),
    ]);
    let host = looked(named(synced(me(), "s1", events, false)), json!([reaction("$1", JIN, "❌")]));
    let batch = matrix().receive(&host, "", &watching(true), 0).unwrap();
    let [Event::Chosen(press), Event::Said(reason), Event::Said(sent)] = batch.events.as_slice() else {
        panic!("{batch:?}")
    };
    assert_eq!((press.choice.as_str(), reason.text.as_str(), &reason.reply_to), ("deny", "because", &None));
    assert_eq!(sent.files.iter().map(|file| file.name.len()).collect::<Vec<_>>(), [256]);
    assert_eq!(host.left(), 0);
}

#[test]
fn what_a_homeserver_refuses_to_look_up_keeps_nobody_from_being_heard() {
    let host = synced(me(), "s9", json!([said("$3", AT + 3, words("three"))]), true);
    let host = looked(named(refused(host, 400, "M_UNKNOWN")), json!([]));
    let batch = matrix().receive(&host, "s1", &watching(true), 0).unwrap();
    assert_eq!((shown(&batch), batch.cursor.as_str()), (vec![("three".to_owned(), AT + 3)], "s9"));
    let mut odd = reaction("$1", JIN, "❌");
    odd["content"]["m.relates_to"]["event_id"] = "$odd".into();
    let host = refused(synced(me(), "s1", json!([odd]), false), 400, "M_INVALID_PARAM");
    let batch = matrix().receive(&host, "s0", &[], 0).unwrap();
    assert_eq!((batch.events.len(), batch.cursor.as_str()), (0, "s1"));
}

#[test]
fn a_flood_of_reactions_and_texts_is_no_more_than_the_host_takes() {
    let mut other = reaction("$u", JIN, "❌");
    other["content"]["m.relates_to"]["event_id"] = "$other".into();
    let texts = (0..500).map(|number| said(&format!("$t{number}"), AT + 1 + number, words("x")));
    let events = texts.chain([other]).collect::<Vec<_>>();
    let presses = (0..500).map(|number| reaction(&format!("$r{number}"), &format!("@u{number}:example.org"), "❌"));
    let host = looked(named(synced(me(), "s1", json!(events), false)), json!([reaction("$u", JIN, "❌")]));
    let host = looked(host, json!(presses.collect::<Vec<_>>()));
    let host = (0..480).fold(host, |host, _| named(host));
    let batch = receive(&mut matrix(), &host, "s0");
    assert_eq!((batch.events.len(), batch.cursor.as_str(), host.left()), (480 + 480 + 1, "s1", 0));
    assert!(matches!(batch.events.last(), Some(Event::Chosen(press)) if press.message.id == "$other"));
}

#[test]
fn a_homeserver_that_does_not_wait_is_asked_with_pauses() {
    let host = looked(synced(me(), "s1", json!([]), false), json!([]));
    let host = (0..20).fold(host, |host, _| host.reply(200, json!({ "next_batch": "s2" })));
    matrix().receive(&host, "", &watching(false), 1_000).unwrap();
    assert_eq!((host.requests().len(), host.slept()), (4 + 11, 1_000));
}
