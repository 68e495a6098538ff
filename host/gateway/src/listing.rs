//! Lists requests, for REST and JSON-RPC.

use dmplz_protocol::Approval;
use dmplz_protocol::list::{ListApprovals, Page, StatusFilter};
use dmplz_protocol::metrics::{OutOfRange, check_period};
use dmplz_state::store::{Filter, Which};

use crate::approvals::Approvals;
use crate::disk::DiskError;

/// The number of requests on a page if the caller names none.
const USUAL: u32 = 100;

/// Why a page of requests cannot be returned.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListError {
    #[error("limit takes 1 to {}", ListApprovals::MOST)]
    Limit,
    #[error("text takes {} characters at most", ListApprovals::MAX_TEXT)]
    Text,
    #[error(transparent)]
    Period(#[from] OutOfRange),
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Returns one page of requests.
pub(crate) async fn list(wanted: ListApprovals, approvals: &Approvals) -> Result<Page, ListError> {
    let ListApprovals { status, limit, before, tool, outcome, surface, text, since_ms, until_ms } = wanted;
    let limit = limit.unwrap_or(USUAL);
    if !(1..=ListApprovals::MOST).contains(&limit) {
        return Err(ListError::Limit);
    }
    if text.as_ref().is_some_and(|text| text.chars().count() > ListApprovals::MAX_TEXT) {
        return Err(ListError::Text);
    }
    check_period(since_ms, until_ms)?;
    let which = match status {
        StatusFilter::Open => Which::Open,
        StatusFilter::Ended => Which::Ended,
        StatusFilter::All => Which::All,
    };
    // Read before the page, so that an event during the query is received twice rather than missed.
    let last_event_id = approvals.last_event_id();
    let before = before.map(|id| id.to_string());
    let filter = Filter { which, tool, surface, outcome, text, since_ms, until_ms, before, below: None };
    let found = approvals.history(&filter, limit).await?;
    Ok(Page { approvals: found.into_iter().map(Approval::from).collect(), last_event_id })
}
