//! The answers of the unattended demo.

use std::str::FromStr;
use std::time::Duration;

use crate::told::Told;

/// The action of a scripted person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Approve,
    Session,
    /// Denies and writes a reason.
    Deny(String),
    /// Denies and presses the button for no reason.
    Skip,
    /// Denies and writes nothing until the time for a reason has passed.
    Timeout,
    /// Does nothing, so that the request expires.
    Expired,
}

/// Short enough for a demo, and long enough for a busy machine.
const SOON: Duration = Duration::from_secs(3);

impl Answer {
    /// Returns the limits of the hook for the question and for the reason, which are short if the answer is a time-out.
    pub(super) fn limits(&self) -> [Option<Duration>; 2] {
        match self {
            Self::Timeout => [None, Some(SOON)],
            Self::Expired => [Some(SOON), None],
            _ => [None, None],
        }
    }
}

impl FromStr for Answer {
    type Err = Told;

    fn from_str(text: &str) -> Result<Self, Told> {
        match text.split_once('=') {
            Some(("deny", reason)) if !reason.trim().is_empty() => Ok(Self::Deny(reason.to_owned())),
            None if text == "approve" => Ok(Self::Approve),
            None if text == "session" => Ok(Self::Session),
            None if text == "skip" => Ok(Self::Skip),
            None if text == "timeout" => Ok(Self::Timeout),
            None if text == "expired" => Ok(Self::Expired),
            _ => Err(Told::new(
                "쓸 수 있는 값: approve, session, deny=사유, skip, timeout, expired",
                "it takes approve, session, deny=REASON, skip, timeout or expired",
                &[],
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_of_six_words() {
        assert_eq!("deny=a=b".parse::<Answer>().unwrap(), Answer::Deny("a=b".to_owned()));
        assert_eq!("expired".parse::<Answer>().unwrap(), Answer::Expired);
        for wrong in ["", "deny", "deny= ", "approve=", "Approve", "yes"] {
            assert!(wrong.parse::<Answer>().is_err(), "{wrong:?}");
        }
    }
}
