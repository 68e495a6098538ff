use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Chat, Provider};

use crate::{BOT, FakeHost, JIN, event, matrix, paths, refused};

fn me() -> FakeHost {
    FakeHost::new().reply(200, json!({ "user_id": BOT }))
}

#[test]
fn a_person_is_led_to_the_bot_by_a_link() {
    let host = me().reply(200, json!({ "next_batch": "s1" }));
    let introduction = matrix().introduce(&host, "k7Q").unwrap().unwrap();
    assert_eq!(introduction.invite.as_deref(), Some("https://matrix.to/#/%40dmplz%3Aexample.org"));
    assert_eq!((introduction.message.as_str(), introduction.bot.name.as_str()), ("k7Q", "dmplz"));
}

fn invitation(is_direct: bool, more: Value) -> Value {
    let member = json!({ "type": "m.room.member", "state_key": BOT, "sender": JIN, "content": { "membership": "invite", "is_direct": is_direct } });
    json!({ "invite_state": { "events": [member, more] } })
}

#[test]
fn only_invitations_to_direct_chats_that_are_not_encrypted_are_accepted_and_few_at_a_time() {
    let plain = json!({ "type": "m.room.create", "content": {} });
    let encryption = json!({ "type": "m.room.encryption", "content": {} });
    let mut invited = json!({ "!a": invitation(true, encryption), "!b": invitation(false, plain.clone()) });
    for room in ["!c", "!d", "!e", "!f"] {
        invited[room] = invitation(true, plain.clone());
    }
    let host = me().reply(200, json!({ "next_batch": "s1", "rooms": { "invite": invited } }));
    let host = (0..9).fold(host, |host, _| host.reply(200, "{}"));
    assert_eq!(matrix().meet(&host, "", 0).unwrap().greetings, []);
    assert_eq!(paths(&host)[2..], ["v3/rooms/%21c/join", "v3/rooms/%21d/join", "v3/rooms/%21e/join"]);
}

fn synced(content: Value) -> FakeHost {
    let timeline = json!({ "events": [event("$1", JIN, "m.room.message", content)] });
    me().reply(200, json!({ "next_batch": "s2", "rooms": { "join": { "!room": { "timeline": timeline } } } }))
}

#[test]
fn words_in_a_chat_of_two_are_of_its_person_and_the_chat_is_remembered() {
    let host = synced(json!({ "msgtype": "m.text", "body": "k7Q" }));
    let host = host.reply(200, json!({ "joined": { BOT: {}, JIN: {} } }));
    let host = refused(host, 404, "M_NOT_FOUND").reply(200, "{}").reply(200, json!({ "displayname": "Jin" }));
    let meeting = matrix().meet(&host, "s1", 0).unwrap();
    let [greeting] = meeting.greetings.as_slice() else { panic!("{meeting:?}") };
    assert_eq!((&greeting.chat, greeting.code.as_str()), (&Chat::Person(JIN.into()), "k7Q"));
    assert_eq!((greeting.user.name.as_str(), meeting.cursor.as_str()), ("Jin", "s2"));
    assert!(
        host.sent().contains("account_data/m.direct\n{\n  \"@jin:example.org\": [\n    \"!room\""),
        "{}",
        host.sent()
    );
}

#[test]
fn in_a_room_of_several_only_a_mention_is_for_the_bot() {
    let members = json!({ "joined": { BOT: {}, JIN: {}, "@mina:example.org": {} } });
    let mentions = json!({ "msgtype": "m.text", "body": "dmplz: k7Q", "m.mentions": { "user_ids": [BOT] } });
    let host = synced(mentions).reply(200, &members).reply(200, json!({ "displayname": "Jin" }));
    let meeting = matrix().meet(&host, "", 0).unwrap();
    assert_eq!((&meeting.greetings[0].chat, meeting.greetings[0].code.as_str()), (&Chat::Room("!room".into()), "k7Q"));
    let host = synced(json!({ "msgtype": "m.text", "body": "k7Q" })).reply(200, &members);
    assert_eq!(matrix().meet(&host, "", 0).unwrap().greetings, []);
}
