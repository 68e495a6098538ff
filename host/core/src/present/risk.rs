//! What stands out about a call, as a mark on its card. `policy::risk` finds it. It changes nothing about what is
//! allowed, and a call without a mark is not a safe one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that a person should not overlook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// It starts a program as another user, as `sudo` does.
    Elevated,
    /// A shell runs what another command writes.
    PipedShell,
    /// It writes a file outside of the folder.
    Outside,
    /// It may use the network.
    Network,
    /// It names a file that usually holds credentials.
    Secret,
}
