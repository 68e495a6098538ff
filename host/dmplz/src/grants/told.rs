//! Records changes of grants: a line each in `grants.jsonl`, and in the gateway's audit trail if a gateway runs. A
//! failure to record does not affect the grant.

use std::path::Path;
use std::time::{Duration, Instant};

use dmplz_core::grant::Change;
use dmplz_core::grant::change::Line;
use dmplz_protocol::hook::GrantChanges;

use crate::gateway;
use crate::settings::{RejectionLog, Table, environment};
use crate::{journals, time, trouble};

/// The time limit for the gateway to record them.
const LIMIT: Duration = Duration::from_secs(5);

/// Records the changes. Does nothing if there are none.
pub(crate) fn tell(changes: &[Change], state_dir: &Path) {
    if changes.is_empty() {
        return;
    }
    let timestamp = time::timestamp();
    if let Some(log) = trouble::report(Table::load(&environment).and_then(|table| RejectionLog::of(&table))) {
        let journal = journals::grants(state_dir, &log);
        for change in changes {
            trouble::report(journal.append(&Line { timestamp, change: change.clone() }));
        }
    }
    if let Err(error) = tell_gateway(changes, state_dir) {
        trouble::warn(&format!("the gateway is not told of a grant: {}", trouble::chain(&error)));
    }
}

fn tell_gateway(changes: &[Change], state_dir: &Path) -> anyhow::Result<()> {
    let mut client = match gateway::connect(state_dir) {
        Err(error) if error.is_not_running() => return Ok(()),
        client => client?,
    };
    let until = Some(Instant::now() + LIMIT);
    client.call(&GrantChanges { changes: changes.to_vec() }, until)?;
    Ok(())
}
