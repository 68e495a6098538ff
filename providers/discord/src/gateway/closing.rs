//! Handles a connection that the gateway closed
//! (<https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes>).
//!
//! | code | meaning | then |
//! |---|---|---|
//! | 4003, 4007 | not authenticated, a wrong sequence number | a new session |
//! | 4004 | the token is invalid | `unauthorized` |
//! | 4010, 4011, 4012 | shards or a version that Discord no longer accepts | `rejected` |
//! | 4013, 4014 | intents that do not exist, or are not granted | `denied` |
//! | any other, or none | | RESUME. Also after 4009, for which Discord's table requires a new session: if it is required, an invalid session (9) follows, and otherwise nothing is lost |

use dmplz_provider_sdk::Error;

/// What happens to the session.
#[derive(Debug, PartialEq)]
pub(super) enum Closing {
    /// It can be resumed.
    Resume,
    /// It is over.
    Anew,
    /// It is over, and trying again cannot help.
    Fatal(Error),
}

/// Interprets a close code.
pub(super) fn closing(code: Option<u16>) -> Closing {
    let rejected = |what: &str| Closing::Fatal(Error::rejected(what));
    match code {
        Some(4003 | 4007) => Closing::Anew,
        Some(4004) => Closing::Fatal(Error::Unauthorized),
        Some(4010 | 4011) => {
            rejected("the gateway wants this bot to be sharded (4010, 4011): it is in too many servers")
        }
        Some(4012) => rejected("the gateway no longer takes version 10 of its protocol (4012): update dmplz"),
        Some(code @ (4013 | 4014)) => Closing::Fatal(Error::denied(format!(
            "the gateway refused the intents ({code}), though none is asked for and none has to be turned on in the \
             developer portal; is the gateway-url Discord's?"
        ))),
        _ => Closing::Resume,
    }
}
