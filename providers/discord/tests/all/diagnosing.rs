use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::socket::SocketError;
use dmplz_provider_sdk::testing::FakeSocket;
use dmplz_provider_sdk::{Chat, Diagnosis, Error, Provider};

use crate::gateway::{hello, sessions};
use crate::{FakeHost, discord, gateway};

const ME: &str = r#"{"id":"1","username":"dm-bot","bot":true}"#;
const GUILD: &str = "500";

const ADD_REACTIONS: u64 = 1 << 6;
const VIEW: u64 = 1 << 10;
const SEND: u64 = 1 << 11;
const MANAGE: u64 = 1 << 13;
const EMBED: u64 = 1 << 14;
const ATTACH: u64 = 1 << 15;
const HISTORY: u64 = 1 << 16;
const IN_THREADS: u64 = 1 << 38;
const ADMINISTRATOR: u64 = 1 << 3;
const ENOUGH: u64 = ADD_REACTIONS | VIEW | SEND | ATTACH | HISTORY;

fn lines(diagnosis: &Diagnosis) -> String {
    let checks = diagnosis.checks.iter().map(|check| {
        format!("{:?} {}: {}", check.subject, if check.ok { "ok" } else { "FAILED" }, check.detail)
            .replacen("Subject::", "", 1)
    });
    format!("{} {}\n{}", diagnosis.bot.id, diagnosis.bot.name, checks.collect::<Vec<_>>().join("\n"))
}

/// Diagnoses a channel of the guild 500, in which the bot has the role 600. An overwrite is (id, allow, deny).
fn in_guild(everyone: u64, role: u64, overwrites: &[(&str, u64, u64)], flags: i64) -> Diagnosis {
    let overwrites = overwrites
        .iter()
        .map(|(id, allow, deny)| json!({ "id": id, "type": 0, "allow": allow.to_string(), "deny": deny.to_string() }));
    let channel = json!({
        "id": "100", "type": 0, "guild_id": GUILD, "permission_overwrites": overwrites.collect::<Vec<_>>(),
    });
    let host = script(&[channel, application(flags), roles(everyone, role), member()]);
    let diagnosis = discord().diagnose(&host, Chat::Room("100".into())).unwrap();
    assert_eq!(host.left(), 0);
    diagnosis
}

fn script(replies: &[Value]) -> FakeHost {
    replies.iter().fold(FakeHost::new().reply(200, ME), |host, reply| host.reply(200, reply))
}

fn application(flags: i64) -> Value {
    json!({ "id": "1", "flags": flags })
}

fn roles(everyone: u64, role: u64) -> Value {
    json!([
        { "id": GUILD, "permissions": everyone.to_string() },
        { "id": "600", "permissions": role.to_string() },
        { "id": "601", "permissions": ADMINISTRATOR.to_string() },
    ])
}

fn member() -> Value {
    json!({ "user": { "id": "1" }, "roles": ["600"] })
}

/// Returns the checks that failed.
fn failed(diagnosis: &Diagnosis) -> Vec<String> {
    let failed = diagnosis.checks.iter().filter(|check| !check.ok);
    failed.map(|check| format!("{:?}", check.subject).replacen("Subject::", "", 1)).collect()
}

#[test]
fn a_channel_shows_every_right_that_a_card_needs() {
    insta::assert_snapshot!(lines(&in_guild(ENOUGH, MANAGE, &[], 1 << 18)), @"
    1 dm-bot
    Chat ok: VIEW_CHANNEL
    Post ok: SEND_MESSAGES
    React ok: ADD_REACTIONS and READ_MESSAGE_HISTORY; MANAGE_MESSAGES is there: reactions are removed when a card ends
    Attach ok: ATTACH_FILES
    Read ok: READ_MESSAGE_HISTORY; the message content intent is on
    ");
    insta::assert_snapshot!(lines(&in_guild(VIEW, 0, &[], 0)), @"
    1 dm-bot
    Chat ok: VIEW_CHANNEL
    Post FAILED: SEND_MESSAGES
    React FAILED: ADD_REACTIONS and READ_MESSAGE_HISTORY; without MANAGE_MESSAGES the reactions of people stay on cards that ended
    Attach FAILED: ATTACH_FILES
    Read FAILED: READ_MESSAGE_HISTORY, and the message content intent, which is off: turn it on in the developer portal, page Bot, or no reason can be read
    ");
}

#[test]
fn rights_are_computed_as_discord_does() {
    let intent = 1 << 19;
    for (everyone, role, overwrites, expected) in [
        (ENOUGH, 0, vec![], vec![]),
        (0, ENOUGH, vec![], vec![]),
        (0, ADMINISTRATOR, vec![(GUILD, 0, u64::MAX)], vec![]),
        (ENOUGH, 0, vec![(GUILD, 0, SEND)], vec!["Post"]),
        (ENOUGH, 0, vec![(GUILD, 0, SEND), ("600", SEND, 0)], vec![]),
        (ENOUGH, 0, vec![("600", SEND, 0), ("1", 0, SEND)], vec!["Post"]),
        (ENOUGH, 0, vec![("601", 0, SEND)], vec![]),
        (ENOUGH, 0, vec![("600", 0, HISTORY)], vec!["React", "Read"]),
        (ENOUGH, 0, vec![(GUILD, 0, VIEW)], vec!["Chat", "Post", "React", "Attach", "Read"]),
        (VIEW, 0, vec![("1", ENOUGH, 0)], vec![]),
    ] {
        let found = failed(&in_guild(everyone, role, &overwrites, intent));
        assert_eq!(found, expected, "{everyone:b} {role:b} {overwrites:?}");
    }
}

#[test]
fn a_thread_has_the_rights_of_its_channel_and_its_own_right_to_write() {
    let thread = json!({ "id": "100", "type": 11, "guild_id": GUILD, "parent_id": "99" });
    let parent = json!({ "id": "99", "type": 0, "permission_overwrites": [{ "id": GUILD, "allow": "0", "deny": ATTACH.to_string() }] });
    for (everyone, expected) in [(ENOUGH, vec!["Post", "Attach"]), (ENOUGH | IN_THREADS, vec!["Attach"])] {
        let replies = [thread.clone(), application(1 << 18), roles(everyone, 0), member(), parent.clone()];
        let diagnosis = discord().diagnose(&script(&replies), Chat::Room("100".into())).unwrap();
        assert_eq!(failed(&diagnosis), expected);
    }
}

#[test]
fn a_direct_message_needs_no_rights() {
    let host = script(&[json!({ "id": "300", "type": 1 })]);
    let diagnosis = discord().diagnose(&host, Chat::Person("5".into())).unwrap();
    insta::assert_snapshot!(lines(&diagnosis), @"
    1 dm-bot
    Chat ok: a direct message channel; whether the person takes messages of the bot shows only when it posts
    Read ok: texts of direct messages are always there
    ");
    let host = script(&[json!({ "id": "300", "type": 1 })]);
    assert_eq!(failed(&discord().diagnose(&host, Chat::Room("300".into())).unwrap()), Vec::<String>::new());
}

#[test]
fn a_channel_that_is_not_there_is_a_finding_and_a_wrong_token_an_error() {
    let host = script(&[]).reply(404, r#"{"message":"Unknown Channel","code":10003}"#);
    let diagnosis = discord().diagnose(&host, Chat::Room("100".into())).unwrap();
    assert_eq!(failed(&diagnosis), ["Chat"]);
    let host = script(&[]).reply(403, r#"{"message":"Missing Access","code":50001}"#);
    assert_eq!(failed(&discord().diagnose(&host, Chat::Room("100".into())).unwrap()), ["Chat"]);
    let host = FakeHost::new().reply(401, r#"{"message":"401: Unauthorized","code":0}"#);
    assert_eq!(discord().diagnose(&host, Chat::Room("100".into())), Err(Error::Unauthorized));
}

/// Diagnoses a channel with buttons, in which everyone has these permissions.
fn with_buttons(everyone: u64, host: impl FnOnce(FakeHost) -> FakeHost) -> Diagnosis {
    let channel = json!({ "id": "100", "type": 0, "guild_id": GUILD });
    let host = host(script(&[channel, roles(everyone, 0), member(), json!({ "id": "77" })]));
    let diagnosis = gateway().diagnose(&host, Chat::Room("100".into())).unwrap();
    assert_eq!(host.left(), 0);
    diagnosis
}

#[test]
fn with_buttons_the_gateway_is_looked_at_and_no_intent_is_wanted() {
    let enough = VIEW | SEND | EMBED | ATTACH | HISTORY;
    let reached = |host: FakeHost| host.reply(200, sessions(997)).socket(FakeSocket::new().frame(hello(41_250)));
    insta::assert_snapshot!(lines(&with_buttons(enough, reached)), @"
    1 dm-bot
    Events ok: the gateway answers at wss://gateway.discord.gg; 997 of 1000 sessions a day are left
    Chat ok: VIEW_CHANNEL
    Post ok: SEND_MESSAGES, EMBED_LINKS for cards, and READ_MESSAGE_HISTORY for answers to them
    Attach ok: ATTACH_FILES
    ");
    for (lost, expected) in [(EMBED, vec!["Post"]), (HISTORY, vec!["Post"]), (ATTACH, vec!["Attach"])] {
        assert_eq!(failed(&with_buttons(enough & !lost, reached)), expected);
    }
}

#[test]
fn an_endpoint_that_takes_the_presses_away_is_a_finding() {
    let endpoint = json!({ "id": "77", "interactions_endpoint_url": "https://bot.example/hook/s3cret" });
    let host = script(&[json!({ "id": "300", "type": 1 }), endpoint]).reply(200, sessions(9));
    let host = host.socket(FakeSocket::new().frame(hello(41_250)));
    let diagnosis = gateway().diagnose(&host, Chat::Person("5".into())).unwrap();
    assert_eq!(failed(&diagnosis), ["Events"]);
    insta::assert_snapshot!(diagnosis.checks[0].detail, @"the server bot.example takes the presses: remove the Interactions Endpoint URL in the developer portal, or use another bot");
}

#[test]
fn a_gateway_that_cannot_be_reached_is_a_finding() {
    let details = |host: fn(FakeHost) -> FakeHost| with_buttons(ADMINISTRATOR, host).checks[0].detail.clone();
    assert_eq!(details(|host| host.reply(200, sessions(0))), "no session may be begun today any more");
    let found = details(|host| host.reply(200, sessions(9)).no_socket(SocketError::Unreachable("no route".into())));
    assert_eq!(found, "no route");
    let found = details(|host| host.reply(200, sessions(9)).no_socket(SocketError::Refused("not granted".into())));
    assert_eq!(found, "gateway-url: not granted");
    let found = details(|host| host.reply(200, sessions(9)).socket(FakeSocket::new()));
    assert_eq!(found, "nothing came from wss://gateway.discord.gg");
}

#[test]
fn a_direct_message_with_buttons_needs_the_gateway_only() {
    let host = script(&[json!({ "id": "300", "type": 1 }), json!({ "id": "77" })]).reply(200, sessions(9));
    let host = host.socket(FakeSocket::new().frame(hello(41_250)));
    let diagnosis = gateway().diagnose(&host, Chat::Person("5".into())).unwrap();
    assert_eq!((diagnosis.checks.len(), failed(&diagnosis)), (2, vec![]));
}
