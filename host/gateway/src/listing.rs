//! Which requests somebody wants to see, as REST and JSON-RPC ask for them, and a page of those.

use dmplz_core::stats::End;
use dmplz_state::store::Which;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::approvals::Approvals;
use crate::disk::{DiskError, Search};
use crate::request::RequestId;
use crate::view::{Approval, schema};

const USUAL: u32 = 100;
const MOST: u32 = 500;
/// The longest text that is looked for, in bytes.
const MAX_TEXT: usize = 1_000;

/// Which requests. What is not said does not matter.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// By how they stand; `open` where it is not said.
    #[serde(default)]
    #[param(inline)]
    status: StatusFilter,
    /// How many at most, from 1 to 500; 100 where it is not said. Fewer come where they are long.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// That came in before this one: for the next page, the last id of this one.
    #[param(value_type = Option<String>)]
    before: Option<RequestId>,
    /// Of this tool.
    tool: Option<String>,
    /// Ended so.
    #[param(value_type = Option<schema::Outcome>)]
    outcome: Option<End>,
    /// Answered on this surface.
    surface: Option<String>,
    /// With this in what was asked, in the tool's name or in the folder.
    #[param(max_length = 1_000)]
    text: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum StatusFilter {
    #[default]
    Open,
    Ended,
    All,
}

/// A page of requests.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Approvals)]
pub(crate) struct Listed {
    /// Newest first.
    approvals: Vec<Approval>,
    /// Subscribing after this event misses nothing that is not in here.
    last_event_id: u64,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListError {
    #[error("read limit: it takes 1 to {MOST}")]
    Limit,
    #[error("read text: it takes {MAX_TEXT} bytes")]
    Text,
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Wanted {
    /// Those requests.
    pub(crate) async fn list(self, approvals: &Approvals) -> Result<Listed, ListError> {
        let limit = self.limit.unwrap_or(USUAL);
        if !(1..=MOST).contains(&limit) {
            return Err(ListError::Limit);
        }
        if self.text.as_ref().is_some_and(|text| text.len() > MAX_TEXT) {
            return Err(ListError::Text);
        }
        let which = match self.status {
            StatusFilter::Open => Which::Open,
            StatusFilter::Ended => Which::Ended,
            StatusFilter::All => Which::All,
        };
        let Self { tool, surface, outcome, text, before, .. } = self;
        // Asked for first: what comes in meanwhile is told rather than missed.
        let last_event_id = approvals.last_event_id();
        let found = approvals.history(&Search { which, tool, surface, outcome, text, before }, limit).await?;
        Ok(Listed { approvals: found.into_iter().map(Approval::from).collect(), last_event_id })
    }
}
