//! Pairs the app with a person: they write the code to it in a direct message, or mention it with the code in a channel.

use dmplz_provider_sdk::prelude::*;

use crate::{api, diagnose, socket};

/// Returns who the app is and how to reach it, and checks that its events arrive. The host asks for the bot token again where
/// that is wrong, so a wrong app-level token is another error.
pub(crate) fn introduce(api: Api<'_>, code: &str) -> Result<Introduction> {
    let (bot, _) = api::identity(api)?;
    let detail = socket::probe(api).map_err(|error| match error {
        Error::Unauthorized => Error::denied(diagnose::WRONG_APP_TOKEN),
        error => error,
    })?;
    Ok(Introduction::new(bot, vec![Check::fine(Subject::Events, detail)], code))
}
