use dmplz_provider_sdk::{Chat, Error, Provider, Subject};

use crate::{FakeHost, ntfy};

fn failed(host: &FakeHost) -> Result<Vec<Subject>, Error> {
    let found = ntfy().diagnose(host, Chat::Room("secret_topic".to_owned()))?;
    Ok(found.checks.into_iter().filter(|check| !check.ok).map(|check| check.subject).collect())
}

#[test]
fn both_topics_are_looked_at_and_nothing_is_published() {
    let host = FakeHost::new().reply(200, r#"{"healthy":true}"#).reply(200, r#"{"success":true}"#).reply(200, "");
    assert_eq!(failed(&host), Ok(vec![]));
    assert_eq!(
        host.sent(),
        "Get https://ntfy.example/v1/health\n\nGet https://ntfy.example/secret_topic/auth\n\n\
         Get https://ntfy.example/secret_topic-answers/json?poll=1&since=none"
    );
}

#[test]
fn a_topic_that_is_protected_is_a_failed_check_and_a_wrong_token_an_error() {
    let forbidden = r#"{"code":40301,"http":403,"error":"forbidden"}"#;
    let well = || FakeHost::new().reply(200, r#"{"healthy":true}"#);
    assert_eq!(failed(&well().reply(403, forbidden).reply(200, "")), Ok(vec![Subject::Chat]));
    assert_eq!(failed(&well().reply(200, "{}").reply(403, forbidden)), Ok(vec![Subject::Read]));
    assert_eq!(failed(&well().reply(401, "")), Err(Error::Unauthorized));
    let ill = FakeHost::new().reply(200, r#"{"healthy":false}"#);
    assert!(matches!(failed(&ill), Err(Error::Unavailable(Some(_)))));
}
