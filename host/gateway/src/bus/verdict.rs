//! The policy's decision before anybody is asked.

use dmplz_core::card::Remark;
use dmplz_core::request::Resolution;
use dmplz_policy::{RuleDenial, Ruled};
use dmplz_protocol::{Event, Message, Request};

use super::confirm::Flight;
use super::{AskError, Bus};

/// Judges requests. The binary supplies one when it composes the gateway. Any doubt must be [`Verdict::Ask`].
pub(super) type Judge = Box<dyn Fn(&Request) -> Verdict + Send + Sync>;

/// Records at a given time that a rule decided a request.
pub(super) type Keeper = Box<dyn Fn(&Request, &Resolution, u64) + Send + Sync>;

/// A judge's decision about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A rule allows it, with the proof, or denies it.
    Ruled(Ruled),
    /// A person must be asked, and is shown these remarks.
    Ask(Vec<Remark>),
}

impl Bus {
    /// Judges a well-formed request, and publishes the result. Returns a rule's decision; `None` if subscribers have the
    /// request.
    pub(super) fn judge(&self, mut request: Request, at_ms: u64, flight: Flight) -> Result<Option<Ruled>, AskError> {
        let id = request.id;
        self.shared.in_flight.lock().begin(id, flight)?;
        if let Some(ruled) = self.ruled(&mut request, at_ms) {
            self.forget(id);
            return Ok(Some(ruled));
        }
        let message = Message::ConfirmationRequest { correlation_id: id, request: Box::new(request) };
        if self.tell(Event { event_id: None, at_ms, message }) == 0 {
            self.forget(id);
            return Err(AskError::NobodyListens);
        }
        Ok(None)
    }

    /// Returns a rule's decision and publishes it. `None` if a person must be asked; the judge's remarks are then added
    /// to the request.
    fn ruled(&self, request: &mut Request, at_ms: u64) -> Option<Ruled> {
        let (judge, lang) = self.shared.judge.as_ref()?;
        let ruled = match judge(request) {
            Verdict::Ruled(ruled) => ruled,
            Verdict::Ask(remarks) => {
                request.subject = request.subject.clone().with(&remarks, *lang);
                return None;
            }
        };
        self.settle(request, &ruled, at_ms);
        Some(ruled)
    }

    /// Sets the function that records rules' decisions. Only the first call has an effect.
    pub(crate) fn kept_by(&self, keeper: impl Fn(&Request, &Resolution, u64) + Send + Sync + 'static) {
        // A later keeper is ignored.
        let _ = self.shared.keeper.set(Box::new(keeper));
    }

    /// Publishes and records a rule's decision.
    pub(crate) fn settle(&self, request: &Request, ruled: &Ruled, at_ms: u64) {
        let (correlation_id, resolution) = (request.id, Resolution::from(ruled));
        let tell = |message| self.tell(Event { event_id: None, at_ms, message });
        let confirmed = match ruled {
            Ruled::Allowed(_) => true,
            Ruled::Denied(RuleDenial { rule, message, .. }) => {
                tell(Message::PolicyRejection { correlation_id, rule: rule.clone(), message: message.clone() });
                false
            }
        };
        if let Some(keeper) = self.shared.keeper.get() {
            keeper(request, &resolution, at_ms);
        }
        tell(Message::ConfirmationResponse { correlation_id, confirmed, resolution });
    }
}
