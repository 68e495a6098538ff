//! Messages from outside programs: untrusted text that may only ask.

use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::request::Offer;
use dmplz_protocol::{Event, Message, Request};

use super::{Bus, Refused};

/// The longest message that is read, in bytes. A hook's input may be as long.
const LONGEST: usize = 2 << 20;

impl Bus {
    /// Publishes an outside program's message: JSON of a [`Message`]. `now_ms` is the present time in Unix
    /// milliseconds.
    ///
    /// Only `confirmation.request` is accepted. The text shown to a person is built here from the tool and its input,
    /// because the program's own description may be a lie. The request's time begins now, and it offers no grant.
    pub fn publish_json(&self, json: &[u8], now_ms: u64) -> Result<(), Refused> {
        if json.len() > LONGEST {
            return Err(Refused::Unreadable(format!("it is longer than {LONGEST} bytes")));
        }
        let message: Message = serde_json::from_slice(json).map_err(|error| Refused::Unreadable(error.to_string()))?;
        message.check()?;
        let Message::ConfirmationRequest { correlation_id, request } = message else {
            return Err(Refused::NotYours(message.kind()));
        };
        let request = Box::new(self.drawn_up(*request, now_ms));
        let message = Message::ConfirmationRequest { correlation_id, request };
        self.publish(Event { event_id: None, at_ms: now_ms, message })
    }

    fn drawn_up(&self, request: Request, now_ms: u64) -> Request {
        let Request { id, source, tool, input, cwd, created_ms, expires_ms, .. } = request;
        let lang = self.shared.judge.as_ref().map(|(_, lang)| *lang).unwrap_or_default();
        let call = ToolCall { tool, input, tool_use_id: None, suggestions: Vec::new() };
        let subject = Subject::of(&call, &id.to_string(), &cwd, None, &[], lang);
        let expires_ms = now_ms.saturating_add(expires_ms.saturating_sub(created_ms));
        let ToolCall { tool, input, .. } = call;
        Request { id, source, tool, input, cwd, subject, offer: Offer::default(), created_ms: now_ms, expires_ms }
    }
}
