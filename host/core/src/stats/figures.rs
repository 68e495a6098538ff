//! The figures about the requests of a period.

use serde::Serialize;
use utoipa::ToSchema;

use super::RequestEnd;
use crate::request::{Cause, End, ReasonSource};

/// The figures of a period.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Figures {
    /// The number of requests that ended.
    pub requests: u64,
    /// The number of unreadable records.
    pub unreadable_lines: u64,
    /// The requests that a rule decided, out of all.
    pub by_policy: Share,
    /// The number that a rule allowed.
    pub allowed_by_rule: u64,
    /// The number that a rule denied.
    pub denied_by_rule: u64,
    /// The number that were allowed once, including plans and answered questions.
    pub approved: u64,
    /// The number that were allowed beyond the call: for the session, always, or for a while.
    pub approved_for_session: u64,
    /// Denials, out of the requests that a person answered.
    pub denied: Share,
    /// Denials with a reason, out of the denials.
    pub with_reason: Share,
    /// Denials without a reason by choice, out of the denials.
    pub explicit_skip: Share,
    /// Denials whose reason did not arrive in time, out of the denials.
    pub reason_timeout: Share,
    /// Requests that nobody answered by the deadline, out of those that no rule decided.
    pub hook_timeout: Share,
    /// Requests that failed because of the messenger, out of those that no rule decided.
    pub failed: Share,
    /// Requests that were answered in the terminal or abandoned, out of those that no rule decided.
    pub elsewhere: Share,
    /// The time that people took to answer.
    pub answers: Answers,
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Share {
    /// The number of those counted.
    pub count: u64,
    /// The number of all together.
    pub of: u64,
    /// The quotient, 0 to 1; `None` if the total is 0.
    #[schema(required = true, minimum = 0, maximum = 1)]
    pub rate: Option<f64>,
}

/// The times from a card's appearance to the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Answers {
    /// The number of known times.
    pub count: u64,
    /// The median, in milliseconds.
    #[schema(required = true)]
    pub median_ms: Option<u64>,
    /// The 90th percentile, in milliseconds.
    #[schema(required = true)]
    pub p90_ms: Option<u64>,
}

impl Figures {
    pub(super) fn of(ends: &[RequestEnd], unreadable_lines: u64) -> Self {
        let count = |wanted: &dyn Fn(&RequestEnd) -> bool| ends.iter().filter(|end| wanted(end)).count() as u64;
        let ended = |outcome: End| count(&|end| end.outcome == outcome);
        let of_source = |source: ReasonSource| {
            count(&|end| end.outcome == End::RejectedNoReason && end.reason_source == Some(source))
        };
        let requests = ends.len() as u64;
        let approved = ended(End::Approved) + ended(End::Answered);
        let beyond = [End::ApprovedSession, End::ApprovedAlways, End::ApprovedGranted];
        let approved_for_session = beyond.into_iter().map(ended).sum::<u64>();
        let (allowed_by_rule, denied_by_rule) = (ended(End::AllowedByRule), ended(End::DeniedByRule));
        let by_policy = allowed_by_rule + denied_by_rule;
        let open = requests - by_policy;
        let with_reason = ended(End::RejectedWithReason);
        let denied = with_reason + ended(End::RejectedNoReason);
        let failed = count(&|end| end.outcome == End::Expired && end.cause == Some(Cause::Failed));
        Self {
            requests,
            unreadable_lines,
            by_policy: Share::new(by_policy, requests),
            allowed_by_rule,
            denied_by_rule,
            approved,
            approved_for_session,
            denied: Share::new(denied, approved + approved_for_session + denied),
            with_reason: Share::new(with_reason, denied),
            explicit_skip: Share::new(of_source(ReasonSource::ExplicitSkip), denied),
            reason_timeout: Share::new(of_source(ReasonSource::Timeout), denied),
            hook_timeout: Share::new(ended(End::Expired) - failed, open),
            failed: Share::new(failed, open),
            elsewhere: Share::new(ended(End::ResolvedElsewhere), open),
            answers: Answers::of(ends.iter().filter_map(|end| end.asked_ms).collect()),
        }
    }
}

impl Share {
    fn new(count: u64, of: u64) -> Self {
        Self { count, of, rate: (of > 0).then(|| count as f64 / of as f64) }
    }
}

impl Answers {
    fn of(mut times: Vec<u64>) -> Self {
        times.sort_unstable();
        // The nearest rank: the smallest time that the given percentage of all does not exceed.
        let percentile = |percent: usize| times.get((times.len() * percent).div_ceil(100).checked_sub(1)?).copied();
        Self { count: times.len() as u64, median_ms: percentile(50), p90_ms: percentile(90) }
    }
}
