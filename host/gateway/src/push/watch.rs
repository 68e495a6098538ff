//! Watches the bus for requests: a new one is queued as a notice for the subscribed browsers, and an ended one takes its
//! notice away.

use dmplz_core::notify::{EventKind, Occurrence};
use dmplz_protocol::{Kind, Message, Status};

use super::{CHANNEL, Envelope, Push};
use crate::approvals::Approvals;
use crate::notices::Notices;

impl Push {
    /// Watches the bus. Never returns. `take_away` posts messages of requests that ended; `warn` is called with errors,
    /// in English.
    pub async fn watch_bus(
        &self,
        approvals: &Approvals,
        notices: &Notices,
        take_away: impl Fn(Vec<Envelope>),
        warn: impl Fn(&str),
    ) {
        loop {
            let mut events = approvals.bus().subscribe(Kind::APPROVALS);
            while let Some(event) = events.next().await {
                match &event.message {
                    Message::ApprovalRequested { approval } if self.is_wanted() => {
                        let kind = EventKind::RequestAsked;
                        let id = format!("{kind}:{}", approval.request.id);
                        let mut occurrence = Occurrence::new(kind, id, event.at_ms);
                        approval.request.cwd.clone_into(&mut occurrence.cwd);
                        occurrence.subject = Some(approval.request.tool.clone());
                        if let Err(error) = notices.queue_for(CHANNEL, occurrence).await {
                            warn(&format!("a notice for browsers cannot be recorded: {error}"));
                        }
                    }
                    Message::ApprovalResolved { approval } if matches!(approval.status, Status::Ended { .. }) => {
                        let envelopes = self.ended(approval.request.id, approvals);
                        if !envelopes.is_empty() {
                            take_away(envelopes);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
