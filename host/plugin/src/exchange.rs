//! One exchange over the network: a request that was judged (`egress`), redirects within its origin, and the reply as it is.

use dmplz_core::messenger::NoConnection;
use http::header::LOCATION;

use crate::bindings::http::Error;
use crate::egress::{Egress, Outgoing, Refusal};
use crate::network::{Client, ExchangeError, Reply};

const REDIRECTS: usize = 3;

/// Why there is no reply.
#[derive(Debug)]
pub(crate) enum NoReply {
    /// The request was not sent, because the server does not take a secret any more.
    NoToken(String),
    /// The error that a component sees, and what failed, if nothing was sent.
    Failed(Error, Option<NoConnection>),
}

impl<E: Into<Error>> From<E> for NoReply {
    fn from(error: E) -> Self {
        Self::Failed(error.into(), None)
    }
}

/// Sends a request that was judged, follows redirects, and returns the last reply as it is.
pub(crate) async fn exchange(
    client: &Client,
    egress: &Egress,
    mut outgoing: Outgoing,
    most: usize,
) -> Result<Reply, NoReply> {
    for hop in 0..=REDIRECTS {
        let reply = client.exchange(&outgoing, most).await.map_err(|error| {
            let (error, unsent) = hide(egress, error, Error::TooLarge, Error::Unreachable);
            // A redirect was the reply of a server that has received the request.
            NoReply::Failed(error, unsent.filter(|_| hop == 0))
        })?;
        match next(&outgoing, &reply)? {
            Some(following) => outgoing = following,
            None => return Ok(reply),
        }
    }
    Err(Refusal::Redirect(outgoing.origin).into())
}

fn next(outgoing: &Outgoing, reply: &Reply) -> Result<Option<Outgoing>, Refusal> {
    if !matches!(reply.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    match reply.headers.get(LOCATION).map(|location| location.to_str()) {
        Some(Ok(location)) => outgoing.follow(location),
        Some(Err(_)) => Err(Refusal::Redirect(outgoing.origin.clone())),
        None => Ok(None),
    }
}

/// Converts an error to that of a capability, and masks secrets in it, which a server can put into an error text. Also returns
/// what failed, if nothing was sent.
pub(crate) fn hide<E: From<Refusal>>(
    egress: &Egress,
    error: ExchangeError,
    too_large: E,
    unreachable: fn(String) -> E,
) -> (E, Option<NoConnection>) {
    match error {
        ExchangeError::Refused(refusal) => (refusal.into(), None),
        ExchangeError::TooLarge => (too_large, None),
        ExchangeError::Unreachable { why, unsent } => {
            let why = egress.leaks().withhold(why);
            let unsent = unsent.map(|obstacle| NoConnection { obstacle, why: why.clone() });
            (unreachable(why), unsent)
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.to_string())
    }
}
