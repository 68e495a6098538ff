//! The two logs: what was rejected (seed 0, FR-6), and how every request ended (for the figures of section 12).

use std::time::Duration;

use dmplz_core::claude::ToolCall;
use dmplz_core::flow::Outcome;
use dmplz_core::policy::history;
use dmplz_core::redact::mask;
use dmplz_core::stats::{End, RequestEnd};
use dmplz_state::{Denial, Journal, JournalError, Rejection, Retention};

use crate::settings::Settings;
use crate::{time, trouble};

/// A log that is busy for longer than this is given up; the decision has been delivered by then.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// What both logs say of a request.
pub(crate) struct Subject<'a> {
    pub(crate) provider: &'a str,
    pub(crate) request_id: &'a str,
    pub(crate) session_id: &'a str,
    pub(crate) cwd: &'a str,
    pub(crate) call: &'a ToolCall,
}

/// The log of rejections.
pub(crate) fn rejections(settings: &Settings) -> Journal {
    Journal::new(&settings.log.path, retention(settings), LOCK_WAIT)
}

/// The log of all requests.
pub(crate) fn requests(settings: &Settings) -> Journal {
    Journal::new(settings.state_dir.join("requests.jsonl"), retention(settings), LOCK_WAIT)
}

fn retention(settings: &Settings) -> Retention {
    Retention { rotate_bytes: settings.log.rotate_bytes, max_files: settings.log.max_files }
}

/// Writes down how a request ended. That it fails is said and changes nothing: seed 0, 9.4 and 11.1.
pub(crate) fn record(subject: &Subject<'_>, outcome: &Outcome, asked_ms: Option<u64>, settings: &Settings) {
    let timestamp = time::timestamp();
    let rejection = outcome.rejection();
    if let Some((reason, reason_source)) = rejection {
        let line = Rejection {
            timestamp,
            provider: subject.provider.to_owned(),
            decision: Denial::Deny,
            request_id: subject.request_id.to_owned(),
            session_id: subject.session_id.to_owned(),
            tool_name: subject.call.tool.clone(),
            cwd: subject.cwd.to_owned(),
            reason: mask(reason),
            reason_source,
            rule: outcome.rule().map(str::to_owned),
        };
        report(rejections(settings).append(&line));
    }
    let (end, cause) = End::of(outcome);
    let line = RequestEnd {
        timestamp,
        request_id: subject.request_id.to_owned(),
        session_id: subject.session_id.to_owned(),
        provider: subject.provider.to_owned(),
        tool_name: subject.call.tool.clone(),
        outcome: end,
        reason_source: rejection.map(|(_, source)| source),
        cause,
        asked_ms,
        rule: outcome.rule().map(str::to_owned),
        subject: history::subject(&subject.call.tool, &subject.call.input),
        cwd: Some(subject.cwd.to_owned()).filter(|cwd| !cwd.is_empty()),
    };
    report(requests(settings).append(&line));
}

fn report(written: Result<(), JournalError>) {
    if let Err(error) = written.map_err(anyhow::Error::from) {
        trouble::warn(&format!("failed to {}", trouble::chain(&error)));
    }
}
