//! Which requests somebody wants to see, as REST and JSON-RPC ask for them, and a page of those.

use dmplz_core::request::End;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::approval::Approval;
use crate::request::RequestId;

/// Which requests. What is not said does not matter.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListApprovals {
    /// By how they stand; `open` where it is not said.
    #[serde(default, skip_serializing_if = "StatusFilter::is_open")]
    #[param(inline)]
    pub status: StatusFilter,
    /// How many at most, from 1 to 500; 100 where it is not said. Fewer come where they are long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<u32>,
    /// That came in before this one: for the next page, the last id of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<RequestId>,
    /// Only requests to call this tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Only requests that ended with this outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<End>,
    /// Answered on this surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// With this in what was asked, in the tool's name or in the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(max_length = 1_000)]
    pub text: Option<String>,
}

/// How the requests stand that are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusFilter {
    /// Nobody has answered.
    #[default]
    Open,
    /// Final.
    Ended,
    /// Either.
    All,
}

/// A page of requests.
// The gateway writes [`Approval`]s, and a client may read the requests in them as they stand.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Approvals)]
pub struct Page<A = Approval> {
    /// The requests, the newest first.
    pub approvals: Vec<A>,
    /// Subscribing after this event misses nothing that is not in here.
    pub last_event_id: u64,
}

impl ListApprovals {
    /// The most requests that a page may hold.
    pub const MOST: u32 = 500;
    /// The longest text that is looked for, in characters.
    pub const MAX_TEXT: usize = 1_000;
}

impl StatusFilter {
    fn is_open(&self) -> bool {
        *self == Self::Open
    }
}
