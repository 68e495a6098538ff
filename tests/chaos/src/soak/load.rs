//! The load of the soak test: requests, and their answers on every surface.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context;
use dmplz_e2e::{Chat, Choice, Ended, JIN, Surface, stdin};
use serde_json::{Value, json};

use super::{Options, Stage};
use crate::{http, person};

/// The number of threads that ask. Each has one request open at a time.
const ASKERS: u64 = 12;
/// The time limit of the search for a card or an open request.
const SOON: Duration = Duration::from_secs(12);

/// The number of times that each action was done, and descriptions of failures.
#[derive(Debug, Default, Clone)]
pub(super) struct Tally {
    pub(super) done: BTreeMap<&'static str, u64>,
    pub(super) wrong: Vec<String>,
}

/// The threads that ask and answer until the run is over.
pub(super) struct Load {
    askers: Vec<JoinHandle<()>>,
    tally: Arc<Mutex<Tally>>,
}

impl Load {
    pub(super) fn start(stage: &Arc<Stage>, options: &Options) -> Self {
        let tally = Arc::new(Mutex::new(Tally::default()));
        let pause = Duration::from_secs_f64(ASKERS as f64 / options.rate);
        let asker = |number: u64| {
            let (stage, tally) = (Arc::clone(stage), Arc::clone(&tally));
            let mut random = fastrand::Rng::with_seed(options.seed.wrapping_mul(1000) + number);
            std::thread::spawn(move || {
                stage.rest(pause.mul_f64(number as f64 / ASKERS as f64));
                while !stage.is_over() {
                    let began = Instant::now();
                    let (deed, act) = DEEDS[random.usize(..DEEDS.len())];
                    let marker = format!("do-{:016x}", random.u64(..));
                    let acted = catch_unwind(AssertUnwindSafe(|| act(&stage, &marker)));
                    let acted = acted.unwrap_or_else(|_| Err(anyhow::anyhow!("see above")));
                    let mut tally = tally.lock().unwrap();
                    *tally.done.entry(deed).or_default() += 1;
                    if let Err(error) = acted {
                        tally.wrong.push(format!("{deed}: {error:#}"));
                    }
                    drop(tally);
                    stage.rest(pause.saturating_sub(began.elapsed()));
                }
            })
        };
        Self { askers: (0..ASKERS).map(asker).collect(), tally }
    }

    /// Waits until every request has ended.
    pub(super) fn finish(self) -> Tally {
        self.askers.into_iter().for_each(|asker| drop(asker.join()));
        self.tally.lock().unwrap().clone()
    }
}

type Deed = fn(&Stage, &str) -> anyhow::Result<()>;

/// The actions. Each is drawn as often as it is listed here.
const DEEDS: [(&str, Deed); 20] = [
    ("telegram allows", |stage, marker| in_chat(stage, &stage.telegram, marker, Choice::Approve)),
    ("telegram allows", |stage, marker| in_chat(stage, &stage.telegram, marker, Choice::Approve)),
    ("telegram denies", |stage, marker| in_chat(stage, &stage.telegram, marker, Choice::Deny)),
    ("telegram allows the session", |stage, marker| in_chat(stage, &stage.telegram, marker, Choice::Session)),
    ("discord allows", |stage, marker| in_chat(stage, &stage.discord, marker, Choice::Approve)),
    ("discord allows", |stage, marker| in_chat(stage, &stage.discord, marker, Choice::Approve)),
    ("discord denies", |stage, marker| in_chat(stage, &stage.discord, marker, Choice::Deny)),
    ("socket allows", |stage, marker| on_socket(stage, marker, "approve")),
    ("socket denies", |stage, marker| on_socket(stage, marker, "deny")),
    ("command line allows", |stage, marker| by_command(stage, marker, &["approve"])),
    ("command line denies", |stage, marker| by_command(stage, marker, &["deny", "--reason", "not now"])),
    ("REST allows", |stage, marker| over_rest(stage, marker, "approve")),
    ("REST denies", |stage, marker| over_rest(stage, marker, "deny")),
    ("WebSocket allows", on_websocket),
    ("WebSocket allows", on_websocket),
    ("grant, used and revoked", granted),
    ("exec", exec),
    ("hook stopped", stopped),
    ("hook killed", killed),
    ("nobody answers", |stage, marker| {
        let ended = stage.home.hook(&stdin::bash(marker, marker)).ended();
        expect(&ended, "nobody")
    }),
];

/// Returns an error if the hook did not end as expected.
fn expect(ended: &Ended, wanted: &str) -> anyhow::Result<()> {
    let said = match ended.stdout.as_str() {
        said if said.contains(r#""behavior":"allow""#) => "allow",
        said if said.contains(r#""behavior":"deny""#) => "deny",
        _ => "nobody",
    };
    anyhow::ensure!(said == wanted, "expected {wanted}: {ended:?}");
    Ok(())
}

fn in_chat(stage: &Stage, chat: &Chat, marker: &str, choice: Choice) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    let card = person::await_card(chat, marker, SOON).context("see the card")?;
    person::press(chat, &card, choice, JIN).context("press")?;
    if choice == Choice::Deny {
        let is_skipped = marker.ends_with(['0', '1', '2', '3', '4', '5', '6', '7']);
        // Without an answer the time for a reason runs out, which is a denial as well.
        let _ = match is_skipped {
            true => person::skip_reason(chat, &card, JIN, Duration::from_secs(2)),
            false => person::give_reason(chat, &card, JIN, "not now", Duration::from_secs(2)),
        };
    }
    expect(&hook.ended(), if choice == Choice::Deny { "deny" } else { "allow" })
}

/// Waits for an open request that contains a text, such as the name of a session.
fn open_request(surface: &mut Surface, session: &str) -> anyhow::Result<Value> {
    let end = Instant::now() + SOON;
    while Instant::now() < end {
        let listed = surface.call("approvals.list", json!({ "status": "open" }));
        let listed = listed.map_err(|error| anyhow::anyhow!("list what waits: {error}"))?;
        let all = listed["approvals"].as_array().cloned().unwrap_or_default();
        if let Some(found) = all.into_iter().find(|it| it.to_string().contains(session)) {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    anyhow::bail!("find the request")
}

fn on_socket(stage: &Stage, marker: &str, decision: &str) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    let mut surface = Surface::to(&stage.socket);
    let request = open_request(&mut surface, marker)?;
    let answered = surface.call("approval.respond", json!({ "id": request["id"], "decision": decision }));
    answered.map_err(|error| anyhow::anyhow!("answer: {error}"))?;
    expect(&hook.ended(), if decision == "deny" { "deny" } else { "allow" })
}

fn by_command(stage: &Stage, marker: &str, words: &[&str]) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    let request = open_request(&mut Surface::to(&stage.socket), marker)?;
    let id = request["id"].as_str().context("read the id")?;
    let arguments: Vec<&str> = ["approvals", words[0], id].into_iter().chain(words[1..].iter().copied()).collect();
    let output = stage.home.run(&arguments);
    anyhow::ensure!(output.status.success(), "answer: {output:?}");
    expect(&hook.ended(), if words[0] == "deny" { "deny" } else { "allow" })
}

fn over_rest(stage: &Stage, marker: &str, decision: &str) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    let request = open_request(&mut Surface::to(&stage.socket), marker)?;
    let path = format!("/api/v1/approvals/{}/answer", request["id"].as_str().context("read the id")?);
    let body = json!({ "decision": decision });
    let (status, said) = http::ask(&stage.address, &stage.token, "POST", &path, Some(&body))?;
    anyhow::ensure!(status == 200, "answer: {status} {said}");
    expect(&hook.ended(), if decision == "deny" { "deny" } else { "allow" })
}

fn on_websocket(stage: &Stage, marker: &str) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    let request = open_request(&mut Surface::to(&stage.socket), marker)?;
    let mut socket = http::open(&stage.address, &stage.token)?;
    let answer = json!({ "id": request["id"], "decision": "approve" });
    let said = http::call(&mut socket, "approval.respond", &answer)?;
    anyhow::ensure!(said["error"].is_null(), "answer: {said}");
    expect(&hook.ended(), "allow")
}

/// Grants a command, runs exactly the same again without a question, and revokes the grant.
fn granted(stage: &Stage, marker: &str) -> anyhow::Result<()> {
    let event = stdin::bash(marker, &format!("git push origin {marker}"));
    let hook = stage.home.hook(&event);
    let mut surface = Surface::to(&stage.socket);
    let request = open_request(&mut surface, marker)?;
    let answer = json!({ "id": request["id"], "decision": "grant", "term": "halfHour" });
    surface.call("approval.respond", answer).map_err(|error| anyhow::anyhow!("grant: {error}"))?;
    expect(&hook.ended(), "allow")?;
    expect(&stage.home.hook(&event).ended(), "allow").context("use the grant")?;
    let listed = surface.call("grants.list", json!({})).map_err(|error| anyhow::anyhow!("list grants: {error}"))?;
    let all = listed["grants"].as_array().or(listed.as_array()).cloned().unwrap_or_default();
    let grant =
        all.into_iter().find(|it| it.to_string().contains(marker)).with_context(|| format!("find it: {listed}"))?;
    let revoked = surface.call("grants.revoke", json!({ "id": grant["id"] }));
    revoked.map_err(|error| anyhow::anyhow!("revoke: {error}"))?;
    Ok(())
}

fn exec(stage: &Stage, marker: &str) -> anyhow::Result<()> {
    let mut command = stage.home.command();
    command.args(["exec", "--", "/bin/echo", marker]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn()?;
    let mut surface = Surface::to(&stage.socket);
    let request = open_request(&mut surface, marker)?;
    let answered = surface.call("approval.respond", json!({ "id": request["id"], "decision": "approve" }));
    answered.map_err(|error| anyhow::anyhow!("answer: {error}"))?;
    let output = child.wait_with_output()?;
    anyhow::ensure!(String::from_utf8_lossy(&output.stdout).contains(marker), "run it: {output:?}");
    Ok(())
}

/// The client stops a hook, as when a person answered in the terminal first.
fn stopped(stage: &Stage, marker: &str) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    open_request(&mut Surface::to(&stage.socket), marker)?;
    hook.terminate();
    expect(&hook.ended(), "nobody")
}

fn killed(stage: &Stage, marker: &str) -> anyhow::Result<()> {
    let hook = stage.home.hook(&stdin::bash(marker, marker));
    open_request(&mut Surface::to(&stage.socket), marker)?;
    hook.kill();
    expect(&hook.ended(), "nobody")
}
