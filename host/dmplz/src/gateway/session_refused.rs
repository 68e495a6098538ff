//! What the gateway refuses about a session, with what to do about it: the commands that show ids of requests show none of
//! sessions.

use dmplz_core::text::Lang;
use dmplz_protocol::Code;
use dmplz_protocol::client::GatewayError;

use super::hint;
use crate::terminal::say;

/// An error of the gateway to a command about a session.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct SessionRefused {
    error: GatewayError,
    /// Whether the command named a permission of the session too.
    by_number: bool,
}

impl SessionRefused {
    /// Returns the error of a command, for which only a refusal has another hint. `by_number` tells whether the command named a
    /// permission of the session too.
    pub(crate) fn of(error: anyhow::Error, by_number: bool) -> anyhow::Error {
        match error.downcast::<GatewayError>() {
            Ok(error @ GatewayError::Refused(_)) => Self { error, by_number }.into(),
            Ok(error) => error.into(),
            Err(error) => error,
        }
    }

    /// Returns what the gateway said.
    pub(crate) fn error(&self) -> &GatewayError {
        &self.error
    }

    /// Returns what to do about it.
    pub(crate) fn hint(&self, lang: Lang) -> Option<&'static str> {
        match &self.error {
            GatewayError::Refused(refusal) if refusal.code == Code::UNKNOWN && self.by_number => Some(say(
                lang,
                "`dmplz sessions rules`가 번호를, `dmplz sessions list`가 id를 보여 줍니다.",
                "dmplz sessions rules shows the numbers, dmplz sessions list the ids",
            )),
            GatewayError::Refused(refusal) if refusal.code == Code::UNKNOWN => {
                Some(say(lang, "`dmplz sessions list`가 id를 보여 줍니다.", "dmplz sessions list shows the ids"))
            }
            // The message says what the session does not take.
            GatewayError::Refused(refusal) if refusal.code == Code::NOT_OFFERED => None,
            error => hint(error, lang),
        }
    }
}
