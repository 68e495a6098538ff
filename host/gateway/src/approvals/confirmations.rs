//! Confirmation requests that arrive on the bus, and their responses, which are published there.

use std::sync::{Arc, Weak};

use dmplz_core::request::{ExpiredCause, Outcome, Resolution, Resolver, Trouble};
use dmplz_protocol::{Event, Kind, Message, Request, RequestId, Status};
use tokio::runtime::Handle;

use super::owner::{Shared, Waiters};
use super::{AnswerError, Approvals};
use crate::bus::{AskError, Awaited, Bus, Owned, Subscription};
use crate::disk::ledger::Record;

const ASKED: &[Kind] = &[Kind::ConfirmationRequest];

impl Approvals {
    /// Puts every bus request that the policy leaves to a person before the surfaces, and publishes its response.
    /// Records what the policy decides.
    pub(crate) fn serve_bus(&self) {
        let (bus, asked, weak) = (self.bus().clone(), self.bus().subscribe(ASKED), Arc::downgrade(&self.shared));
        tokio::spawn(serve(bus, asked, weak.clone()));
        let runtime = Handle::current();
        self.bus().kept_by(move |request, resolution, at_ms| {
            let Some(shared) = weak.upgrade() else { return };
            let record = Record::Ruled { request: Arc::new(request.clone()), resolution: resolution.clone() };
            let keep = async move { Approvals { shared }.keep(record, at_ms, || (None, Waiters::default())).await };
            runtime.spawn(keep);
        });
    }

    /// Waits again for the answer to a request that an earlier gateway put before people.
    pub(crate) fn resume(&self, id: RequestId) -> Result<Awaited, AskError> {
        let (awaited, owned) = self.bus().resume(id)?;
        tokio::spawn(self.clone().follow(id, owned));
        Ok(awaited)
    }

    async fn confirm(self, request: Request) {
        let id = request.id;
        let Some(mut owned) = self.bus().own(id) else { return };
        match self.ask(request).await {
            Ok(()) => {
                owned.tell(Ok(()));
                self.follow(id, owned).await;
            }
            Err(error) => {
                self.publish_response(id, failed(&error)).await;
                owned.tell(Err(error));
            }
        }
    }

    /// Publishes the response once the request has ended, or withdraws the request if its publisher is gone.
    async fn follow(self, id: RequestId, owned: Owned) {
        let resolution = tokio::select! {
            biased;
            ended = self.ended(id) => match ended.map(|standing| standing.status) {
                Ok(Status::Ended { resolution, .. }) => resolution,
                Ok(_) => failed(&AnswerError::Unknown(id)),
                Err(error) => failed(&error),
            },
            is_given_up = owned.landed() => {
                if is_given_up {
                    // An error means that it has ended, or that this gateway is about to.
                    let _ = self.withdraw(id, Resolver::ClientGone).await;
                }
                return;
            }
        };
        self.publish_response(id, resolution).await;
    }

    async fn publish_response(&self, correlation_id: RequestId, resolution: Resolution) {
        let confirmed = resolution.outcome.is_approval();
        let message = Message::ConfirmationResponse { correlation_id, confirmed, resolution };
        let response = Event { event_id: None, at_ms: self.now_ms(), message };
        if self.bus().publish(response).is_err() {
            self.bus().forget(correlation_id);
            self.taken(correlation_id, false).await;
        }
    }
}

async fn serve(bus: Bus, mut asked: Subscription, shared: Weak<Shared>) {
    loop {
        let event = asked.next().await;
        let Some(shared) = shared.upgrade() else { return };
        match event.map(|event| event.message.clone()) {
            Some(Message::ConfirmationRequest { request, .. }) => {
                tokio::spawn(Approvals { shared }.confirm(*request));
            }
            Some(_) => {}
            // The subscription fell behind and lost requests: nobody is asked about those, and they time out.
            None => asked = bus.subscribe(ASKED),
        }
    }
}

/// Returns the resolution of a request that nobody could be asked about.
fn failed(error: &dyn std::error::Error) -> Resolution {
    let why = Trouble::Other(error.to_string());
    Resolution::of(&Outcome::Expired(ExpiredCause::Failed(why)))
}
