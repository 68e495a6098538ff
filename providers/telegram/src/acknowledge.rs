//! Answers the press of a button.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, Failure};
use crate::limits::NOTICE;

/// Stops the progress indicator on the button. A notice is shown as an alert, because a toast disappears before it is
/// read.
pub(crate) fn acknowledge(api: &Api, host: &dyn Host, event: &Chosen, notice: Option<&str>) -> Result<(), Error> {
    if event.token.is_empty() {
        return Ok(());
    }
    let body = match notice {
        Some(notice) if units(notice) > NOTICE as usize => return Err(Error::TooLarge),
        Some(notice) => json!({ "callback_query_id": event.token, "text": notice, "show_alert": true }),
        None => json!({ "callback_query_id": event.token }),
    };
    match api.call(host, "answerCallbackQuery", &body) {
        Err(Failure::Refused(refusal)) if refusal.is_old_press() => Ok(()),
        result => Ok(result.map(|_| ())?),
    }
}
