//! What many tests ask, and who answers in them.

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::{Part, Subject};
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use serde_json::json;

use crate::approvals::Rules;
use crate::request::{Request, RequestId, Source};

/// When everything in tests begins, Unix milliseconds.
pub(crate) const START: u64 = 1_800_000_000_000;

/// Somebody who may answer.
pub(crate) fn person(id: &str) -> Approver {
    let user = User { id: id.into(), name: id.to_uppercase(), is_bot: false };
    Approvers::owner(id).admit(&user).unwrap()
}

/// A request that was made just now and lives five minutes.
pub(crate) fn request(command: &str) -> Request {
    let id = RequestId::new();
    Request {
        id,
        source: Source::Hook { session_id: "s1".into(), agent_id: None },
        tool: "Bash".into(),
        input: json!({ "command": command }).as_object().unwrap().clone(),
        cwd: "/work".into(),
        subject: Subject {
            request_id: id.to_string(),
            tool: "Bash".into(),
            context: Vec::new(),
            parts: vec![Part::Code(command.into())],
            grant: None,
            granted: None,
        },
        offer: dmplz_core::flow::Offer::plain(true),
        created_ms: START,
        expires_ms: START + 300_000,
    }
}

/// The same under an id that a snapshot can hold.
pub(crate) fn numbered(number: u128, command: &str) -> Request {
    let id: RequestId = uuid::Uuid::from_u128(number).to_string().parse().unwrap();
    let asked = request(command);
    Request { id, subject: Subject { request_id: id.to_string(), ..asked.subject }, ..asked }
}

/// Five minutes to answer, two to say why.
pub(crate) fn rules() -> Rules {
    Rules {
        expiry: std::time::Duration::from_secs(300),
        reason_timeout: std::time::Duration::from_secs(120),
        reason: ReasonRules { max_chars: 200, skip_keywords: Vec::new() },
    }
}

/// Nobody has answered it.
pub(crate) fn open(request: Request) -> crate::request::Standing {
    crate::request::Standing { request, status: crate::request::Status::Open }
}
