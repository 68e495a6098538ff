use dmplz_provider_sdk::{Chosen, Error, Provider, User};

use crate::{FakeHost, SENT, discord, message};

fn press() -> Chosen {
    let user = User { id: "5".into(), name: "Kim".into(), is_bot: false };
    Chosen { message: message(200), tag: None, choice: "deny".into(), user, token: String::new(), text: None }
}

#[test]
fn a_notice_answers_the_card_and_mentions_nobody() {
    let host = FakeHost::new().reply(200, SENT);
    let notice = "이 권한 요청은 이미 만료되었습니다. (request_id: toolu_01)".to_owned();
    assert_eq!(discord().acknowledge(&host, press(), Some(notice)), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/channels/100/messages
    {
      "allowed_mentions": {
        "parse": [],
        "replied_user": false
      },
      "content": "이 권한 요청은 이미 만료되었습니다. (request_id: toolu_01)",
      "flags": 4,
      "message_reference": {
        "fail_if_not_exists": false,
        "message_id": "200"
      }
    }
    "#);
}

#[test]
fn without_a_notice_there_is_nothing_to_say() {
    let host = FakeHost::new();
    assert_eq!(discord().acknowledge(&host, press(), None), Ok(()));
    assert_eq!(host.requests().len(), 0);
}

#[test]
fn a_notice_is_sent_whole_or_not_at_all() {
    let host = FakeHost::new().reply(200, SENT);
    assert_eq!(discord().acknowledge(&host, press(), Some("*".repeat(1000))), Ok(()));
    assert_eq!(discord().acknowledge(&host, press(), Some("*".repeat(1001))), Err(Error::TooLarge));
    assert_eq!(host.requests().len(), 1);
}
