//! `dmplz store prune`: removes history through the gateway if one runs, otherwise in its place.

use std::collections::HashSet;

use dmplz_core::text::fill;
use dmplz_gateway::{Disk, Kept};
use dmplz_protocol::store::{PruneStore, Pruned};
use dmplz_state::store::{Store, StoreOptions};
use dmplz_state::{Instance, InstanceError, StateDir};
use serde_json::json;

use crate::gateway::connect;
use crate::settings::{Settings, Table, environment};
use crate::terminal::{OnlyJson, say, tell};
use crate::{journals, time};

/// Removes history that is older or larger than the settings of this process permit.
pub(super) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let settings = Settings::of(&Table::load(&environment)?)?;
    let removed = match StateDir::find(&settings.state_dir)? {
        Some(state) if state.path().join("state.db").exists() => match Instance::claim(&state) {
            Ok(_only) => alone(&state, settings.history)?,
            Err(InstanceError::Running(_) | InstanceError::Starting) => ask(&state, settings.history)?,
            Err(error) => return Err(error.into()),
        },
        _ => Pruned::default(),
    };
    let lines = match settings.history.all {
        Some(age) => journals::prune(&settings, age)?,
        None => 0,
    };
    let Pruned { texts, requests, entries } = removed;
    let report = json!({ "texts": texts, "requests": requests, "entries": entries, "logLines": lines });
    let what = say(
        settings.lang,
        "요청 {}개와 감사 기록 {}개, 요청 {}개의 입력, 로그 {}줄을 지웠습니다.\n",
        "Removed {} requests with {} entries of the audit trail, what was asked of {} more, and {} lines of logs.\n",
    );
    let counts = [requests.to_string(), entries.to_string(), texts.to_string(), lines.to_string()];
    tell(&report, args.json, |_, _| fill(what, &counts.each_ref().map(String::as_str)))
}

fn ask(state: &StateDir, history: Kept) -> anyhow::Result<Pruned> {
    let ms = |age: Option<std::time::Duration>| age.and_then(|age| u64::try_from(age.as_millis()).ok());
    let prune = PruneStore { texts_ms: ms(history.texts), all_ms: ms(history.all), bytes: history.bytes };
    // A long history takes time, because the gateway removes it in small steps.
    Ok(connect(state.path())?.call(&prune, None)?)
}

/// Removes everything at once and shrinks the file, because no gateway runs that others wait for.
fn alone(state: &StateDir, history: Kept) -> anyhow::Result<Pruned> {
    let pruned = crate::runtime::runtime()?.block_on(async {
        let (disk, _) = Disk::open(state, StoreOptions::default(), time::now_ms()).await?;
        let pruned = disk.prune(history, u64::MAX, HashSet::new(), time::now_ms()).await;
        disk.close().await;
        pruned
    })?;
    if pruned.texts + pruned.requests > 0 {
        Store::open(state, StoreOptions::default(), time::now_ms())?.compact()?;
    }
    Ok(pruned)
}
