//! Starts a keeper.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use dmplz_core::visible::short;
use dmplz_protocol::Refusal;
use dmplz_protocol::session::{MAX_NAME, Mode, StartSession, UnaskedMode};
use dmplz_runner::keeper::{Launch, RUNS, SUBCOMMAND, SessionDir};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;
use uuid::Uuid;

use super::notes::Notes;
use super::{Setup, Shared};

/// How long a keeper may take to say that the client runs.
const READY: Duration = Duration::from_secs(10);

/// What the client of a session is given.
pub(super) struct Given {
    /// Its environment; the gateway's own where there is none.
    pub(super) env: Option<BTreeMap<String, String>>,
    /// What it may spend, in US dollars.
    pub(super) budget: Option<f64>,
}

/// The conversation that a client goes on from.
#[derive(Clone, Copy)]
struct From {
    conversation: Option<Uuid>,
    /// Whether it goes on in a copy of it.
    copies: bool,
}

/// Starts a keeper, and with it the client.
pub(super) async fn start(
    shared: &Shared,
    id: Uuid,
    wanted: StartSession,
    budget: Option<f64>,
    now_ms: u64,
) -> Result<(SessionDir, Notes), Refusal> {
    let StartSession { cwd, model, mode, env, .. } = wanted;
    let dir = SessionDir::of(&shared.setup.state, id);
    dir.make()?;
    let notes = Notes::new(cwd.to_string_lossy().into_owned(), mode, model, now_ms)?;
    let from = From { conversation: None, copies: false };
    begin(shared, dir, notes, mode, from, Given { env, budget }).await
}

/// Starts a keeper for a session that continues from a conversation of another one. `label`: what people call that one.
pub(super) async fn fork(
    shared: &Shared,
    original: &SessionDir,
    conversation: Uuid,
    mode: Mode,
    label: &str,
    given: Given,
    now_ms: u64,
) -> Result<(SessionDir, Notes), Refusal> {
    let Notes { cwd, model, .. } = read(original)?;
    is_there(&cwd)?;
    let dir = SessionDir::of(&shared.setup.state, Uuid::new_v4());
    dir.make()?;
    let notes = Notes::new(cwd, mode, model, now_ms)?;
    let name = short(&format!("↳ {label}"), MAX_NAME - 1);
    let from = From { conversation: Some(conversation), copies: true };
    begin(shared, dir, Notes { name, fork_of: from.conversation, ..notes }, mode, from, given).await
}

async fn begin(
    shared: &Shared,
    dir: SessionDir,
    notes: Notes,
    mode: Mode,
    from: From,
    given: Given,
) -> Result<(SessionDir, Notes), Refusal> {
    let (notes, launch) = launch(&shared.setup, &dir, notes, mode, from, given);
    shared.notes.take().await.write(&dir, notes.clone()).await?;
    match run(&shared.setup, &dir, &launch).await {
        Ok(()) => Ok((dir, notes)),
        Err(why) => {
            // Nothing ran, so nothing is lost.
            let _ = dir.remove();
            Err(Refusal::SessionNotStarted { why })
        }
    }
}

/// Starts another keeper for a session that has ended. `conversation`: the one that the client has of it.
pub(super) async fn resume(
    shared: &Shared,
    dir: &SessionDir,
    mode: Mode,
    conversation: Option<Uuid>,
    given: Given,
) -> Result<Notes, Refusal> {
    let turn = shared.notes.take().await;
    let mut notes = read(dir)?;
    is_there(&notes.cwd)?;
    mode.name().clone_into(&mut notes.mode);
    notes.run += 1;
    // Nothing was said to a fork that has none yet, so it is begun anew.
    let copies = conversation.is_none() && notes.fork_of.is_some();
    let from = From { conversation: conversation.or(notes.fork_of), copies };
    dir.make()?;
    let (notes, launch) = launch(&shared.setup, dir, notes, mode, from, given);
    // Before it runs: what the client before asked is never taken for what this one asks.
    drop(turn.write(dir, notes.clone()).await?);
    run(&shared.setup, dir, &launch).await.map_err(|why| Refusal::SessionNotStarted { why })?;
    Ok(notes)
}

/// What the keeper of a session is to do, and the session's notes with what is known of its client.
fn launch(setup: &Setup, dir: &SessionDir, notes: Notes, mode: Mode, from: From, given: Given) -> (Notes, Launch) {
    let Given { env, budget } = given;
    let env = env.unwrap_or_else(|| setup.env.clone());
    let notes = notes.with(&env);
    let launch = Launch {
        session: dir.id(),
        cwd: PathBuf::from(&notes.cwd),
        model: notes.model.clone(),
        mode,
        resume: from.conversation,
        fork: from.copies,
        received: dir.received(),
        budget,
        bypass: bypass(setup, &env),
        run: notes.run,
        env,
    };
    (notes, launch)
}

/// Whether the client may be told later to ask nobody. As root it does not start with that, but in what calls itself a sandbox
/// (observed on 2.1.330).
fn bypass(setup: &Setup, env: &BTreeMap<String, String>) -> bool {
    let starts = !rustix::process::geteuid().is_root() || env.get("IS_SANDBOX").is_some_and(|value| value == "1");
    setup.modes.contains(&UnaskedMode::BypassPermissions) && starts
}

fn read(dir: &SessionDir) -> Result<Notes, Refusal> {
    Notes::read(dir).map_err(|_| Refusal::SessionNotStarted { why: "its notes cannot be read".to_owned() })
}

fn is_there(cwd: &str) -> Result<(), Refusal> {
    let cwd = PathBuf::from(cwd);
    if cwd.is_dir() { Ok(()) } else { Err(Refusal::NoFolder { folder: cwd }) }
}

async fn run(setup: &Setup, dir: &SessionDir, launch: &Launch) -> Result<(), String> {
    let mut command = Command::new(&setup.program);
    command.arg(SUBCOMMAND).arg(dir.path()).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(false);
    let mut keeper = command.spawn().map_err(|error| error.to_string())?;
    let (stdin, stdout) = (keeper.stdin.take(), keeper.stdout.take());
    // It outlives this process; while this one lives, its end is waited for.
    tokio::spawn(async move { keeper.wait().await });
    let told = async {
        let (mut stdin, stdout) = stdin.zip(stdout).ok_or("the keeper has no pipes")?;
        let launch = serde_json::to_vec(launch).map_err(|error| error.to_string())?;
        stdin.write_all(&launch).await.map_err(|error| error.to_string())?;
        drop(stdin);
        let mut said = String::new();
        BufReader::new(stdout).read_line(&mut said).await.map_err(|error| error.to_string())?;
        if said.trim_end() == RUNS { Ok(()) } else { Err(said.trim().to_owned()) }
    };
    timeout(READY, told).await.unwrap_or_else(|_| Err("the keeper says nothing".to_owned()))
}
