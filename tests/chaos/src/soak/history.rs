//! Writes a history into the database. The gateway keeps everything of the last day, so in an hour nothing would ever
//! be removed. The history contains requests of the day before, at the rate of the load, so that during the run as many
//! requests become too old as are added.

use std::path::Path;
use std::time::{Duration, SystemTime};

use dmplz_e2e::{Chat, Choice, Home, JIN, stdin};
use dmplz_state::StateDir;
use dmplz_state::store::{End, Filter, NewRequest, Reader, Store, StoreError, StoreOptions, Which};

use super::Options;
use crate::gateway;
use crate::person;

/// The age up to which the gateway keeps requests, in milliseconds, as all times here.
const DAY: u64 = 24 * 60 * 60 * 1000;
/// The span of the requests that are too old when the run begins.
const BEFORE: u64 = 5 * 60 * 1000;
/// The span of the requests that are still kept when the run ends.
const SPARE: u64 = 10 * 60 * 1000;
/// The number of requests per commit.
const BATCH: usize = 500;

/// Writes the history into the state directory of this home. Returns the number of its requests.
pub(super) fn age(home: &Home, binary: &Path, options: &Options) -> anyhow::Result<usize> {
    let body = sample(binary)?;
    let now = u64::try_from(SystemTime::UNIX_EPOCH.elapsed()?.as_millis())?;
    let first = now - DAY - BEFORE;
    let last = now - DAY + u64::try_from(options.length().as_millis())? + SPARE;
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "requests a second are few")]
    let apart = (1000.0 / options.rate) as usize;
    let moments: Vec<u64> = (first..last.min(now - 1000)).step_by(apart.max(1)).collect();
    let mut store = Store::open(&StateDir::open(home.state())?, StoreOptions::default(), first)?;
    for some in moments.chunks(BATCH) {
        let mut batch = store.batch()?;
        for at_ms in some {
            batch.attempt(|writes| {
                let request = request(&body, *at_ms);
                let end = End { at_ms: at_ms + 3, ..approved() };
                writes.add(&request, &format!(r#"{{"inputSha256":"{}","tool":"Bash"}}"#, request.digest))?;
                writes.resolve(&request.id, &end)?;
                writes.take(&request.id, true, at_ms + 4)?;
                Ok::<_, StoreError>(())
            })?;
        }
        batch.commit()?;
    }
    Ok(moments.len())
}

fn approved() -> End {
    End {
        outcome: "approved".to_owned(),
        surface: Some("telegram".to_owned()),
        resolution: r#"{"outcome":"approved","by":{"surface":"telegram","id":"7001","name":"jin"}}"#.to_owned(),
        at_ms: 0,
    }
}

fn request(body: &str, created_ms: u64) -> NewRequest {
    let id = uuid::Uuid::new_v4().to_string();
    let body = body.replace("ID-OF-THE-REQUEST", &id);
    let digest = dmplz_state::store::digest(body.as_bytes());
    NewRequest {
        id,
        source: "hook".to_owned(),
        session_id: Some(format!("session-{created_ms}")),
        agent_id: None,
        tool: "Bash".to_owned(),
        cwd: "/home/user/project".to_owned(),
        created_ms,
        expires_ms: created_ms + 15_000,
        digest: digest.clone(),
        masked: body.clone(),
        body,
        masked_digest: digest,
        stamp: None,
    }
}

/// Returns the body that a real gateway stores for a request, with `ID-OF-THE-REQUEST` in place of its id.
fn sample(binary: &Path) -> anyhow::Result<String> {
    let chat = Chat::telegram();
    let home = Home::new(&binary.display().to_string(), &chat);
    let gateway = gateway::start(&home, &home.path().join("serve.log"))?;
    let hook = home.hook(&stdin::push());
    let card = person::await_card(&chat, "/home/user/project", Duration::from_secs(40));
    let card = card.ok_or_else(|| anyhow::anyhow!("wait for a card"))?;
    person::press(&chat, &card, Choice::Approve, JIN);
    drop(hook.ended());
    gateway.kill();
    let reader = Reader::open(&StateDir::open(home.state())?, StoreOptions::default())?;
    let filter = Filter { which: Which::Ended, ..Filter::default() };
    let rows = reader.reads().history(&filter, 1)?;
    let row = rows.into_iter().flatten().next().ok_or_else(|| anyhow::anyhow!("find the request in the store"))?;
    Ok(row.body.replace(&row.id, "ID-OF-THE-REQUEST"))
}
