//! A webhook of the operator's: signed JSON, as the Standard Webhooks specification has it.

use std::sync::Arc;

use dmplz_gateway::notices::webhook::{Key, body};
use dmplz_gateway::notices::{Deliver, Outgoing, Undelivered};
use dmplz_plugin::{Endpoint, Network, Secret};

use super::{REPLY, endpoint, refused, undelivered};

/// One webhook.
pub(super) struct Webhook {
    endpoint: Endpoint,
    key: Key,
}

impl Webhook {
    pub(super) fn new(network: &Arc<Network>, url: Option<Secret>, secret: Option<&Secret>) -> Result<Self, String> {
        let key = Key::parse(secret.map(Secret::expose).unwrap_or_default()).map_err(|error| error.to_string())?;
        Ok(Self { endpoint: endpoint(network, url)?, key })
    }
}

impl Deliver for Webhook {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        let body = body(outgoing);
        let headers = self.key.headers(&outgoing.uid, outgoing.now_ms, &body);
        let reply = self.endpoint.post(&headers, body, REPLY).await.map_err(|error| undelivered(&error))?;
        // What a server of anybody's writes is not repeated.
        if (200..300).contains(&reply.status) { Ok(()) } else { Err(refused(&reply, None, None)) }
    }
}
