//! An error in words, for log lines and for what `dmplz doctor` shows.

use crate::Error;

/// What failed, as a fragment that reads after "failed to".
///
/// ```
/// use dmplz_provider_sdk::{Error, words};
///
/// assert_eq!(words(&Error::RateLimited(Some(1_500))), "be served: too many requests, again in 1500 ms");
/// assert_eq!(words(&Error::Unavailable(Some("status 502".into()))), "reach the messenger: status 502");
/// ```
pub fn words(error: &Error) -> String {
    let with = |what: &str, more: &Option<String>| match more.as_deref().filter(|more| !more.is_empty()) {
        Some(more) => format!("{what}: {more}"),
        None => what.to_owned(),
    };
    match error {
        Error::RateLimited(Some(pause)) => format!("be served: too many requests, again in {pause} ms"),
        Error::RateLimited(None) => "be served: too many requests".to_owned(),
        Error::Unauthorized => "log in: the token was not accepted".to_owned(),
        Error::Denied(why) => with("act there: the bot is not allowed to", why),
        Error::NotFound => "find the chat or message".to_owned(),
        Error::Conflict(why) => with("receive events: somebody else receives them for this bot", why),
        Error::TooLarge => "send it: too large for the messenger".to_owned(),
        Error::BadSetting((name, expected)) => format!("use the setting {name}: it should be {expected}"),
        Error::Unavailable(why) => with("reach the messenger", why),
        Error::Deadline => "finish in time".to_owned(),
        Error::Refused(why) => format!("send a request: refused by the sandbox: {why}"),
        Error::Rejected(why) => with("be understood by the messenger", why),
        Error::Other(why) => with("do it", why),
    }
}
