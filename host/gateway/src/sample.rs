//! Requests and people that many tests share.

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::{Part, Subject};
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_protocol::{Request, RequestId, Source, Standing, Status};
use serde_json::json;

use crate::approvals::Rules;

/// The time at which tests begin, in Unix milliseconds.
pub(crate) const START: u64 = 1_800_000_000_000;

/// Returns a person who may answer.
pub(crate) fn person(id: &str) -> Approver {
    let user = User { id: id.into(), name: id.to_uppercase(), is_bot: false };
    Approvers::owner("web", id).admit(&user).unwrap()
}

/// Returns a request that was made just now and expires in five minutes.
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
            risks: Vec::new(),
        },
        offer: dmplz_core::request::Offer::plain(true),
        created_ms: START,
        expires_ms: START + 300_000,
    }
}

/// Returns the same with a fixed id, for snapshots.
pub(crate) fn numbered(number: u128, command: &str) -> Request {
    let id: RequestId = uuid::Uuid::from_u128(number).to_string().parse().unwrap();
    let asked = request(command);
    Request { id, subject: Subject { request_id: id.to_string(), ..asked.subject }, ..asked }
}

/// Returns rules with five minutes to answer and two minutes to give a reason.
pub(crate) fn rules() -> Rules {
    Rules {
        expiry: std::time::Duration::from_secs(300),
        reason_timeout: std::time::Duration::from_secs(120),
        reason: ReasonRules { max_chars: 200, skip_keywords: Vec::new() },
    }
}

/// Returns the request as one that nobody has answered.
pub(crate) fn open(request: Request) -> Standing {
    Standing { request, status: Status::Open }
}

/// Returns texts that identify no request. `whole` is the id of an open one.
pub(crate) fn no_ids(whole: &str) -> Vec<String> {
    let part = |count: usize| whole.chars().take(count).collect::<String>();
    let mut texts: Vec<String> = [0, 1, 4, 8, 9, 18, 35].into_iter().map(part).collect();
    texts.extend(
        [" ", "\t", "\n", "\0", "*", "%", ".", "..", "../..", "null", "undefined", "한글", "🔐"].map(str::to_owned),
    );
    texts.extend([
        whole.to_uppercase(),
        whole.replace('-', ""),
        format!("{{{whole}}}"),
        format!("urn:uuid:{whole}"),
        format!(" {whole}"),
        format!("{whole}\n"),
        format!("{whole}\0"),
        format!("{whole}/answer"),
        format!("../{whole}"),
        format!("{}٠", part(35)),
        whole.replacen('-', "\u{2010}", 1),
        whole.repeat(2),
        "3".repeat(1 << 16),
    ]);
    texts
}
