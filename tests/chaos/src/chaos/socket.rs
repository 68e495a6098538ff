//! A client that answers over the gateway's socket, and continues after the gateway was killed.

use std::path::Path;
use std::time::{Duration, Instant};

use dmplz_protocol::approval::Respond;
use dmplz_protocol::client::{Client, GatewayError};
use dmplz_protocol::list::ListApprovals;
use dmplz_protocol::{AnswerBody, RequestId};

/// The time for which it waits for a reply.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection to the gateway.
pub(super) struct Socket(Client);

impl Socket {
    pub(super) fn connect(path: &Path) -> Result<Self, GatewayError> {
        Client::connect(path).map(Self)
    }

    /// Answers a request. After an error other than a refusal it is unknown whether the answer counted.
    pub(super) fn answer(&mut self, id: RequestId, answer: AnswerBody) -> Result<(), GatewayError> {
        let respond = Respond { id, answer, reason_to_come: false };
        self.0.call(&respond, Some(Instant::now() + PATIENCE)).map(drop)
    }

    /// Returns the ids of the open requests that contain a text, such as the name of a session.
    pub(super) fn open(&mut self, text: &str) -> anyhow::Result<Vec<RequestId>> {
        let listed = self.0.call(&ListApprovals::default(), Some(Instant::now() + PATIENCE))?;
        let mut ids = Vec::new();
        for standing in listed.approvals {
            if serde_json::to_string(&standing)?.contains(text) {
                ids.push(standing.request.id);
            }
        }
        Ok(ids)
    }
}
