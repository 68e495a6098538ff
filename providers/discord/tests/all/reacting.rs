use dmplz_provider_sdk::http::HttpError;
use dmplz_provider_sdk::{Block, Card, Error, Provider};

use crate::{FakeHost, SENT, card, channel, choices, discord, file, message};

const LIMITED: &str = r#"{"message":"You are being rate limited.","retry_after":0.25,"global":false}"#;

fn with_choices() -> Card {
    let mut card = card("t", vec![]);
    card.choices = choices();
    card
}

/// Returns one line per request, with its method and its path.
fn paths(host: &FakeHost) -> Vec<String> {
    let requests = host.requests();
    requests.iter().map(|it| format!("{:?} {}", it.method, it.url.split_once("/v10").unwrap().1)).collect()
}

#[test]
fn reactions_wait_as_long_as_discord_says() {
    let now_full = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "0.3")];
    let host = FakeHost::new()
        .reply(200, SENT)
        .reply_with(204, &now_full, "")
        .reply(429, LIMITED)
        .reply(204, "")
        .reply_with(429, &[("retry-after", "1")], "<html>")
        .reply_with(204, &now_full, "");
    assert_eq!(discord().post(&host, channel(), with_choices()), Ok(message(200)));
    assert_eq!((host.slept(), host.left()), (300 + 250 + 1000, 0));
}

#[test]
fn a_limit_beyond_the_deadline_is_the_hosts_to_wait_for() {
    let host = FakeHost::new().reply(200, SENT).reply(429, r#"{"retry_after":90.0,"global":true}"#);
    assert_eq!(discord().post(&host, channel(), with_choices()), Err(Error::RateLimited(Some(90_000))));
    assert_eq!((host.slept(), host.left()), (0, 0));
    let host = (0..5).fold(FakeHost::new().reply(200, SENT), |host, _| host.reply(429, LIMITED));
    assert_eq!(discord().post(&host, channel(), with_choices()), Err(Error::RateLimited(Some(250))));
}

#[test]
fn a_card_that_comes_again_is_the_same_message_with_the_rest_of_its_menu() {
    let host = FakeHost::new().reply(200, SENT).reply(204, "").fail(HttpError::Unreachable("reset".into()));
    let first = discord().post(&host, channel(), with_choices());
    assert_eq!(first, Err(Error::Unavailable(Some("reset".into()))));
    assert_eq!(host.requests().len(), 3);
    let again = FakeHost::new().reply(200, SENT).reply(204, "").reply(204, "").reply(204, "");
    assert_eq!(discord().post(&again, channel(), with_choices()), Ok(message(200)));
    assert_eq!(host.requests()[0].body, again.requests()[0].body);
}

#[test]
fn a_card_that_cannot_have_its_menu_is_taken_back_and_the_right_is_named() {
    let host =
        FakeHost::new().reply(200, SENT).reply(403, r#"{"message":"Missing Permissions","code":50013}"#).reply(204, "");
    let expected = "ADD_REACTIONS or READ_MESSAGE_HISTORY is missing: Missing Permissions (status 403, code 50013)";
    let result = discord().post(&host, channel(), with_choices());
    assert_eq!(result, Err(Error::Denied(Some(expected.to_owned()))));
    insta::assert_snapshot!(paths(&host).join("\n"), @"
    Method::Post /channels/100/messages
    Method::Put /channels/100/messages/200/reactions/%E2%9C%85/@me
    Method::Delete /channels/100/messages/200
    ");
}

fn shown(reactions: &str) -> String {
    format!(r#"{{"id":"200","channel_id":"100","reactions":[{reactions}]}}"#)
}

const MINE: &str = r#"{"emoji":{"id":null,"name":"✅"},"count":1,"me":true},
    {"emoji":{"id":null,"name":"❌"},"count":2,"me":true},{"emoji":{"id":null,"name":"👍"},"count":1,"me":false}"#;

#[test]
fn a_card_that_ended_loses_all_reactions() {
    let host = FakeHost::new().reply(200, shown(MINE)).reply(204, "");
    let card = card("✅ 승인됨", vec![Block::Code("ls".into()), file("a.txt", "not again")]);
    assert_eq!(discord().revise(&host, message(200), card), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Patch https://discord.com/api/v10/channels/100/messages/200
    {
      "allowed_mentions": {
        "parse": [],
        "replied_user": false
      },
      "content": "**✅ 승인됨**\n```\nls\n```",
      "flags": 4
    }

    Delete https://discord.com/api/v10/channels/100/messages/200/reactions
    "#);
}

#[test]
fn without_the_right_to_manage_messages_only_its_own_reactions_go() {
    let denied = r#"{"message":"Cannot execute action on a DM channel","code":50003}"#;
    let host = FakeHost::new().reply(200, shown(MINE)).reply(403, denied).reply(204, "").reply(204, "");
    assert_eq!(discord().revise(&host, message(200), card("t", vec![])), Ok(()));
    insta::assert_snapshot!(paths(&host).join("\n"), @"
    Method::Patch /channels/100/messages/200
    Method::Delete /channels/100/messages/200/reactions
    Method::Delete /channels/100/messages/200/reactions/%E2%9C%85/@me
    Method::Delete /channels/100/messages/200/reactions/%E2%9D%8C/@me
    ");
    assert_eq!((host.left(), host.lines()), (0, vec![]));
}

#[test]
fn reactions_that_stay_are_logged_and_no_error() {
    let host = FakeHost::new().reply(200, shown(MINE)).reply(500, "").reply(500, "").reply(404, r#"{"code":10008}"#);
    assert_eq!(discord().revise(&host, message(200), card("t", vec![])), Ok(()));
    assert_eq!(host.left(), 0);
    insta::assert_snapshot!(host.lines().join("\n"), @"
    Warn: the reactions could not be removed together: the messenger cannot be reached: no explanation (status 500, code 0)
    Warn: a reaction could not be removed: the messenger cannot be reached: no explanation (status 500, code 0)
    ");
}

#[test]
fn a_card_without_reactions_costs_one_request() {
    let host = FakeHost::new().reply(200, SENT);
    assert_eq!(discord().revise(&host, message(200), card("t", vec![])), Ok(()));
    assert_eq!(host.requests().len(), 1);
}

#[test]
fn a_card_with_other_choices_gets_another_menu() {
    let host = FakeHost::new().reply(200, shown(MINE)).reply(204, "").reply(204, "");
    let mut card = card("t", vec![]);
    card.choices = choices().drain(..2).collect();
    assert_eq!(discord().revise(&host, message(200), card), Ok(()));
    insta::assert_snapshot!(paths(&host).join("\n"), @"
    Method::Patch /channels/100/messages/200
    Method::Delete /channels/100/messages/200/reactions/%E2%9D%8C/@me
    Method::Put /channels/100/messages/200/reactions/%F0%9F%94%84/@me
    ");
}
