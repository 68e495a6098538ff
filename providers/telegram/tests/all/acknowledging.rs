use dmplz_provider_sdk::{Chosen, Error, Provider, User};

use crate::{FakeHost, answering, message, telegram};

fn press(token: &str) -> Chosen {
    let user = User { id: "5".into(), name: "A".into(), is_bot: false };
    Chosen {
        message: message("42", 7),
        tag: Some("tag1".into()),
        choice: "deny".into(),
        user,
        token: token.into(),
        text: None,
    }
}

#[test]
fn a_press_is_acknowledged_in_silence_or_with_an_alert() {
    let host = answering("true");
    assert_eq!(telegram().acknowledge(&host, press("abc"), None), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/answerCallbackQuery
    {
      "callback_query_id": "abc"
    }
    "#);
    let host = answering("true");
    let notice = Some("이 권한 요청은 이미 만료되었습니다.".to_owned());
    assert_eq!(telegram().acknowledge(&host, press("abc"), notice), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/answerCallbackQuery
    {
      "callback_query_id": "abc",
      "show_alert": true,
      "text": "이 권한 요청은 이미 만료되었습니다."
    }
    "#);
}

#[test]
fn a_notice_is_sent_whole_or_not_at_all() {
    let host = answering("true");
    assert_eq!(telegram().acknowledge(&host, press("a"), Some("가".repeat(200))), Ok(()));
    assert_eq!(telegram().acknowledge(&host, press("a"), Some("가".repeat(201))), Err(Error::TooLarge));
    assert_eq!(host.requests().len(), 1);
}

#[test]
fn an_old_press_is_no_error() {
    let reply = r#"{"ok":false,"error_code":400,
        "description":"Bad Request: query is too old and response timeout expired or query ID is invalid"}"#;
    let host = FakeHost::new().reply(400, reply);
    assert_eq!(telegram().acknowledge(&host, press("a"), None), Ok(()));
    assert_eq!(telegram().acknowledge(&FakeHost::new(), press(""), None), Ok(()));
}
