//! The bot's token, which the host fills in: where it is sent, and so what the manifest allows.

use dmplz_provider_sdk::prelude::*;

/// The header that carries the token (docs/reference#authentication), and its value.
pub(crate) const CREDENTIALS: &str = "authorization";
pub(crate) const BEARER: &str = "Bot {secret:bot-token}";

/// The field `token` of the frames that carry it.
pub(crate) const TOKEN: &str = "{secret:bot-token}";
/// The opcodes of these frames: they start or resume a session (docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes).
pub(crate) const IDENTIFY: i64 = 2;
pub(crate) const RESUME: i64 = 6;

/// Returns the places of the token: a request header, and the two frames that start or resume a session.
pub(crate) fn places() -> Vec<SecretPlace> {
    let mut places = vec![SecretPlace::in_header(CREDENTIALS, BEARER)];
    places.extend([IDENTIFY, RESUME].map(|op| SecretPlace::in_frame("/d/token", "/op", &op.to_string())));
    places
}
