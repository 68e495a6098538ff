//! Describes an error, for log lines and for `dmplz doctor`.

use crate::Error;

/// Returns what is wrong, as a whole clause.
///
/// ```
/// use dmplz_provider_sdk::{Error, words};
///
/// assert_eq!(words(&Error::RateLimited(Some(1_500))), "the messenger takes no more requests for 1500 ms");
/// assert_eq!(words(&Error::Unavailable(Some("status 502".into()))), "the messenger cannot be reached: status 502");
/// ```
pub fn words(error: &Error) -> String {
    let with = |what: &str, more: &Option<String>| match more.as_deref().filter(|more| !more.is_empty()) {
        Some(more) => format!("{what}: {more}"),
        None => what.to_owned(),
    };
    match error {
        Error::RateLimited(Some(pause)) => format!("the messenger takes no more requests for {pause} ms"),
        Error::RateLimited(None) => "the messenger takes no more requests for now".to_owned(),
        Error::Unauthorized => "the bot cannot log in: its token was not accepted".to_owned(),
        Error::Denied(why) => with("the bot may not act there", why),
        Error::NotFound => "the chat or message was not found".to_owned(),
        Error::Conflict(why) => with("another program receives this bot's events", why),
        Error::TooLarge => "the message is too large for the messenger".to_owned(),
        Error::BadSetting((name, expected)) => format!("the setting {name} cannot be used: {expected}"),
        Error::Unavailable(why) => with("the messenger cannot be reached", why),
        Error::Deadline => "the messenger did not answer in time".to_owned(),
        Error::Refused(why) => format!("the sandbox refused a request: {why}"),
        Error::Rejected(why) => with("the messenger calls the request malformed", why),
        Error::Other(why) => with("the provider failed", why),
    }
}
