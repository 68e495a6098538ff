use dmplz_provider_sdk::serde_json::{Value, from_slice, json};
use dmplz_provider_sdk::{Block, Error, Provider};

use crate::{BOT, CARD, FakeHost, JIN, card, event, matrix, message, paths, posted, question, reaction, sent};

fn me() -> FakeHost {
    FakeHost::new().reply(200, json!({ "user_id": BOT }))
}

fn related(host: FakeHost, events: Value) -> FakeHost {
    host.reply(200, json!({ "chunk": events }))
}

#[test]
fn the_end_of_a_card_is_an_edit_and_its_menu_goes() {
    let menu = json!([reaction("$1", BOT, "✅"), reaction("$2", BOT, "❌"), reaction("$3", JIN, "❌")]);
    let host = sent(sent(sent(related(me().reply(200, posted()), menu), "$edit"), "$r1"), "$r2");
    matrix().revise(&host, message(), card("❌ Denied", vec![Block::Text("jin".into())])).unwrap();
    let edit: Value = from_slice(&host.requests()[3].body).unwrap();
    assert_eq!(edit["m.relates_to"], json!({ "rel_type": "m.replace", "event_id": CARD }));
    assert_eq!(
        (edit["body"].as_str(), edit["m.new_content"]["body"].as_str()),
        (Some("* ❌ Denied"), Some("❌ Denied\njin"))
    );
    assert_eq!((&edit["m.mentions"], &edit["m.new_content"]["m.mentions"]), (&json!({}), &json!({})));
    let redacted = paths(&host)[4..].iter().map(|path| path.split('/').nth(4).unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(redacted, ["%241", "%242"], "the bot's own");
    assert_eq!(host.left(), 0);
}

#[test]
fn what_is_shown_already_is_not_sent_again() {
    let shown = matrix_content();
    let edit = json!({ "m.new_content": shown, "m.relates_to": { "rel_type": "m.replace", "event_id": CARD } });
    let edited = json!([event("$edit", BOT, "m.room.message", edit)]);
    let host = related(me().reply(200, posted()), edited);
    matrix().revise(&host, message(), card("End", vec![])).unwrap();
    assert_eq!(host.requests().len(), 3);
}

/// Returns the content of the card "End", as it was sent.
fn matrix_content() -> Value {
    let host = sent(related(me().reply(200, posted()), json!([])), "$edit");
    matrix().revise(&host, message(), card("End", vec![])).unwrap();
    from_slice::<Value>(&host.requests()[3].body).unwrap()["m.new_content"].clone()
}

#[test]
fn a_choice_that_returns_is_another_reaction() {
    let host = related(me().reply(200, posted()), json!([reaction("$2", BOT, "❌"), reaction("$3", BOT, "🔄")]));
    let host = sent(sent(host, "$edit"), "$1");
    matrix().revise(&host, message(), question()).unwrap();
    assert_eq!(paths(&host)[3], "v3/rooms/%21room%3Aexample.org/send/m.room.message/%24card-edit");
    assert_eq!(paths(&host)[4], "v3/rooms/%21room%3Aexample.org/send/m.reaction/%24edit-approve");
}

#[test]
fn a_deleted_message_and_one_of_somebody_else_are_not_found() {
    let gone = event(CARD, BOT, "m.room.message", json!({}));
    let theirs = event(CARD, JIN, "m.room.message", json!({ "body": "hi" }));
    for original in [gone, theirs] {
        let host = me().reply(200, original);
        assert_eq!(matrix().revise(&host, message(), card("t", vec![])), Err(Error::NotFound));
    }
}
