//! Confirmation requests that arrive on the bus, and their responses, which are published there.

use std::sync::{Arc, Weak};

use dmplz_core::request::{ExpiredCause, Outcome, Resolution, Resolver, Trouble};
use dmplz_protocol::{Event, Kind, Message, Request, Status};
use tokio::runtime::Handle;

use super::ledger::Record;
use super::owner::{Shared, Waiters};
use super::{AnswerError, Approvals};
use crate::bus::{Bus, Subscription};

const ASKED: &[Kind] = &[Kind::ConfirmationRequest];

impl Approvals {
    /// Puts every bus request that the policy leaves to a person before the surfaces, and publishes its response.
    /// Records what the policy decides.
    pub(super) fn serve_bus(&self) {
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

    async fn confirm(self, request: Request) {
        let correlation_id = request.id;
        let resolution = match self.ask(request).await {
            Ok(()) => tokio::select! {
                biased;
                ended = self.ended(correlation_id) => match ended.map(|standing| standing.status) {
                    Ok(Status::Ended { resolution, .. }) => resolution,
                    Ok(_) => failed(&AnswerError::Unknown(correlation_id)),
                    Err(error) => failed(&error),
                },
                () = self.bus().landed(correlation_id) => {
                    return drop(self.withdraw(correlation_id, Resolver::ClientGone).await);
                }
            },
            Err(error) => failed(&error),
        };
        let confirmed = resolution.outcome.is_approval();
        let message = Message::ConfirmationResponse { correlation_id, confirmed, resolution };
        let response = Event { event_id: None, at_ms: self.now_ms(), message };
        if self.bus().publish(response).is_err() {
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
