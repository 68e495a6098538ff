//! Filters for requests in REST and JSON-RPC, and a page of results.

use dmplz_core::request::End;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::approval::Approval;
use crate::request::RequestId;

/// A filter for requests. A field that is absent matches every request.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListApprovals {
    /// Only requests with this status; `open` by default.
    #[serde(default, skip_serializing_if = "StatusFilter::is_open")]
    #[param(inline)]
    pub status: StatusFilter,
    /// The most requests to return, from 1 to 500; 100 by default. Fewer are returned if they are long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<u32>,
    /// Only requests that came in before this one. For the next page, give the last id of this page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<RequestId>,
    /// Only requests to call this tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Only requests that ended with this outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<End>,
    /// Only requests that were answered on this surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// Only requests with this text in their JSON, which includes the input, the tool and the folder, or in the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(max_length = 1_000)]
    pub text: Option<String>,
    /// Only requests that came in at this time or later, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(maximum = 9_223_372_036_854_775_807_i64)]
    pub since_ms: Option<u64>,
    /// Only requests that came in before this time, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(maximum = 9_223_372_036_854_775_807_i64)]
    pub until_ms: Option<u64>,
}

/// The status of the requests to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusFilter {
    /// Nobody has answered.
    #[default]
    Open,
    /// The request has ended.
    Ended,
    /// Requests with any status.
    All,
}

/// A page of requests.
// The gateway writes [`Approval`]s; a client may read only the [`Standing`](crate::Standing)s in them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Approvals)]
pub struct Page<A = Approval> {
    /// The requests, the newest first.
    pub approvals: Vec<A>,
    /// The last event that this page reflects. Subscribing after it misses nothing.
    pub last_event_id: u64,
}

impl ListApprovals {
    /// The most requests that a page may hold.
    pub const MOST: u32 = 500;
    /// The longest text to search for, in characters.
    pub const MAX_TEXT: usize = 1_000;
}

impl StatusFilter {
    fn is_open(&self) -> bool {
        *self == Self::Open
    }
}
