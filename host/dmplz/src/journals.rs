//! The logs: the rejections, how every request ended, and the changes of grants.

use std::path::Path;
use std::time::Duration;

use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::redact::mask;
use dmplz_core::request::Resolution;
use dmplz_core::stats::RequestEnd;
use dmplz_policy::Ruled;
use dmplz_policy::authoring::history;
use dmplz_state::{Denial, Journal, JournalError, Rejection};

use crate::settings::{RejectionLog, Settings, Table, Verbosity, environment};
use crate::trouble::kept;
use crate::{time, trouble};

/// A log that is busy for longer than this is given up; the decision has been delivered by then.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// The description of a request in the first two logs.
pub(crate) struct Subject<'a> {
    pub(crate) provider: &'a str,
    pub(crate) request_id: &'a str,
    pub(crate) input: &'a HookInput,
    pub(crate) call: &'a ToolCall,
}

/// Returns the log of all requests.
pub(crate) fn requests(settings: &Settings) -> Journal {
    requests_in(&settings.state_dir, &settings.log)
}

fn requests_in(state_dir: &Path, log: &RejectionLog) -> Journal {
    Journal::new(state_dir.join("requests.jsonl"), log.retention, LOCK_WAIT)
}

/// Returns the log of changes of grants, which is kept as long as the others.
pub(crate) fn grants(state_dir: &Path, log: &RejectionLog) -> Journal {
    Journal::new(state_dir.join("grants.jsonl"), log.retention, LOCK_WAIT)
}

/// The log of hooks that ran. It is kept as long as the others.
pub(crate) fn hooks(state_dir: &Path, log: &RejectionLog) -> Journal {
    Journal::new(state_dir.join("hooks.jsonl"), log.retention, LOCK_WAIT)
}

/// Removes the records of all logs that are older than `age`. How many lines it were.
pub(crate) fn prune(settings: &Settings, age: Duration) -> Result<usize, JournalError> {
    let before =
        time::timestamp().checked_sub(jiff::SignedDuration::try_from(age).unwrap_or(jiff::SignedDuration::MAX));
    let before = before.unwrap_or(jiff::Timestamp::MIN);
    let (dir, log) = (&settings.state_dir, &settings.log);
    let rejections = Journal::new(&log.path, log.retention, LOCK_WAIT);
    let journals = [rejections, requests_in(dir, log), grants(dir, log), hooks(dir, log), kept::journal(dir)];
    journals.iter().map(|journal| journal.prune(before)).sum()
}

/// Writes down what a rule decided. A setting that cannot be read is said, and keeps at most the log from being written.
pub(crate) fn record_ruling(subject: &Subject<'_>, ruled: &Ruled) {
    let table = trouble::report(Table::load(&environment)).unwrap_or_else(|| Table::without_file(&environment));
    let log = Verbosity::of(&table).map(trouble::set_verbosity).and_then(|()| RejectionLog::of(&table));
    if let Some((state_dir, log)) = trouble::report(log.and_then(|log| Ok((table.state_dir()?, log)))) {
        write(subject, &Resolution::from(ruled), None, &state_dir, &log);
    }
}

/// Logs how a request ended. A failure is reported and does not affect the decision.
pub(crate) fn record(subject: &Subject<'_>, end: &Resolution, asked_ms: Option<u64>, settings: &Settings) {
    write(subject, end, asked_ms, &settings.state_dir, &settings.log);
}

fn write(subject: &Subject<'_>, end: &Resolution, asked_ms: Option<u64>, state_dir: &Path, log: &RejectionLog) {
    let timestamp = time::timestamp();
    if let Some(reason_source) = end.reason_source {
        let line = Rejection {
            timestamp,
            provider: subject.provider.to_owned(),
            decision: Denial::Deny,
            request_id: subject.request_id.to_owned(),
            session_id: subject.input.session_id.clone(),
            tool_name: subject.call.tool.clone(),
            cwd: subject.input.cwd.clone(),
            reason: mask(end.reason.as_deref().unwrap_or_default()),
            reason_source,
            rule: end.rule.clone(),
        };
        trouble::report(Journal::new(&log.path, log.retention, LOCK_WAIT).append(&line));
    }
    let line = RequestEnd {
        timestamp,
        request_id: subject.request_id.to_owned(),
        session_id: subject.input.session_id.clone(),
        provider: subject.provider.to_owned(),
        tool_name: subject.call.tool.clone(),
        outcome: end.outcome,
        reason_source: end.reason_source,
        cause: end.cause,
        asked_ms,
        rule: end.rule.clone(),
        subject: history::subject(&subject.call.tool, &subject.call.input),
        cwd: Some(subject.input.cwd.clone()).filter(|cwd| !cwd.is_empty()),
    };
    trouble::report(requests_in(state_dir, log).append(&line));
}
