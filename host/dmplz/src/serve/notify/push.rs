//! Web push: posts encrypted messages to the push services of browsers.
//!
//! | the service | what happens |
//! |---|---|
//! | accepts it | the notice is sent once one of the owner's browsers got it |
//! | answers 404 or 410 | the browser has ended its subscription, which is forgotten |
//! | limits the rate, fails or is slow | if no browser got it, the queue tries again; the request may have ended by then |
//!
//! Where the services are, browsers say. So only https to public addresses is posted to, except to the services that the
//! operator names in `DMPLZ_PUSH_SERVICES`.

use std::sync::Arc;

use dmplz_gateway::notices::{Deliver, Line, Notices, Outgoing, Undelivered};
use dmplz_gateway::push::Envelope;
use dmplz_gateway::{Approvals, Push};
use dmplz_plugin::{Endpoint, Network, Secret};
use futures_util::future::join_all;

use super::{REPLY, refused, undelivered};
use crate::trouble;

/// Sends to every browser that is subscribed. Cheap to clone.
#[derive(Clone)]
pub(super) struct WebPush {
    pub(super) push: Push,
    pub(super) approvals: Approvals,
    pub(super) network: Arc<Network>,
}

impl WebPush {
    /// Sends what is queued, and watches the bus for requests. Never returns.
    pub(super) async fn run(self, line: Line, notices: Notices) {
        let take_away = |envelopes| self.take_away(envelopes);
        let watched = self.push.watch_bus(&self.approvals, &notices, take_away, |line: &str| trouble::warn(line));
        tokio::join!(line.run(&self), watched);
    }

    /// Posts messages of requests that ended, without waiting for the services.
    fn take_away(&self, envelopes: Vec<Envelope>) {
        let this = self.clone();
        tokio::spawn(async move {
            // A notice that stays is taken away by the next message, or by the page.
            let _ = this.post_all(envelopes).await;
        });
    }

    /// Posts to all at once. Succeeds if there is nothing to post, or anybody got it.
    async fn post_all(&self, envelopes: Vec<Envelope>) -> Result<(), Undelivered> {
        let results = join_all(envelopes.iter().map(|envelope| self.send(envelope))).await;
        let mut failed = None;
        let mut is_sent = false;
        for result in results {
            match result {
                Ok(stands) => is_sent |= stands,
                Err(why) => failed = Some(why),
            }
        }
        match failed {
            _ if is_sent || envelopes.is_empty() => Ok(()),
            Some(why) => Err(why),
            None => Err(Undelivered::Refused("the browser has ended its subscription".to_owned())),
        }
    }

    /// Posts one message, and notes at once what its service says, however long the others take. Returns whether the
    /// subscription still stands.
    async fn send(&self, envelope: &Envelope) -> Result<bool, Undelivered> {
        let stands = self.post(envelope).await?;
        match stands {
            true => {
                let late = self.push.accepted(envelope, &self.approvals).await;
                if !late.is_empty() {
                    self.take_away(late);
                }
            }
            false => self.push.gone(envelope),
        }
        Ok(stands)
    }

    /// Posts one message. Returns whether the subscription still stands.
    async fn post(&self, envelope: &Envelope) -> Result<bool, Undelivered> {
        let (network, url) = (Arc::clone(&self.network), Secret::new(envelope.url.as_str()));
        let endpoint = if envelope.is_operators { Endpoint::new(network, url) } else { Endpoint::public(network, url) };
        let endpoint = endpoint.map_err(|error| undelivered(&error))?;
        let reply = endpoint.post(&envelope.headers, envelope.body.clone(), REPLY).await;
        let reply = reply.map_err(|error| undelivered(&error))?;
        match reply.status {
            200..=299 => Ok(true),
            404 | 410 => Ok(false),
            _ => Err(refused(&reply, None, None)),
        }
    }
}

impl Deliver for WebPush {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        let envelopes = self.push.envelopes(outgoing, &self.approvals).await;
        self.post_all(envelopes).await
    }

    /// It also succeeds where no browser is subscribed any more.
    fn is_certain(&self) -> bool {
        false
    }
}
