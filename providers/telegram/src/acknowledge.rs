//! Answers the press of a button.

use dmplz_provider_sdk::prelude::*;

use crate::api;
use crate::api::refusal::{OLD_PRESS, unless_said};
use crate::limits::NOTICE;

/// Stops the progress indicator on the button. A notice is shown as an alert, because a toast disappears before it is
/// read.
pub(crate) fn acknowledge(api: Api<'_>, event: &Chosen, notice: Option<&str>) -> Result<()> {
    if event.token.is_empty() {
        return Ok(());
    }
    let body = match notice {
        Some(notice) if units(notice) > NOTICE as usize => return Err(Error::TooLarge),
        Some(notice) => json!({ "callback_query_id": event.token, "text": notice, "show_alert": true }),
        None => json!({ "callback_query_id": event.token }),
    };
    Ok(unless_said(api::call(api, "answerCallbackQuery", &body), &OLD_PRESS).map(drop)?)
}
