//! Reads the gateway's database.

use std::collections::BTreeMap;

use dmplz_e2e::Home;
use dmplz_state::StateDir;
use dmplz_state::store::{Reader, StoreOptions};

/// Returns the outcome of each request by its marker; `open` or `denied` for one that has not ended.
pub(super) fn outcomes(home: &Home, prefix: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let reader = Reader::open(&StateDir::open(home.state())?, StoreOptions::default())?;
    let mut found = BTreeMap::new();
    let mut after = 0;
    loop {
        let rows = reader.reads().requests_after(after, 500)?;
        if rows.is_empty() {
            return Ok(found);
        }
        for row in rows.into_iter().flatten() {
            after = after.max(row.number);
            let marker = row.body.find(prefix).and_then(|from| {
                let length = row.body[from..].find("-end")? + "-end".len();
                Some(row.body[from..from + length].to_owned())
            });
            let ended = row.resolution.as_deref().and_then(|text| {
                let resolution: serde_json::Value = serde_json::from_str(text).ok()?;
                Some(resolution["outcome"].as_str()?.to_owned())
            });
            if let Some(marker) = marker {
                found.insert(marker, ended.unwrap_or(row.status));
            }
        }
    }
}
