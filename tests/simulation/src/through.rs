//! A hook that asks through the gateway.

use std::rc::Rc;

use dmplz_core::flow::{ExpiredCause, Outcome, Resolver};
use dmplz_core::resolution::Resolution;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::time::{Duration, Instant, sleep, sleep_until, timeout};

use crate::alone::{Alone, Sign};
use crate::gateway::Caller;
use crate::gateway::page::request_id;
use crate::script::HookId;
use crate::world::World;

/// What the hook keeps free before the client's time limit, at most, and how much later than the gateway it gives up.
const MARGIN: u64 = 5_000;
const LATER: u64 = 1_000;
/// How long a gateway that went away before it accepted the request may take to come back.
const GRACE: Duration = Duration::from_secs(3);
const LAST_WORD: Duration = Duration::from_millis(900);

/// One hook.
pub struct Through {
    world: Rc<World>,
    hook: HookId,
    started: Instant,
    expires: Instant,
    end: Instant,
}

struct Talk {
    connection: Option<(Lines<BufReader<ReadHalf<DuplexStream>>>, WriteHalf<DuplexStream>)>,
    accepted: bool,
}

impl Through {
    /// The process of a hook that starts now.
    pub fn new(world: &Rc<World>, hook: HookId) -> Self {
        let limit = world.script.frame.limit;
        let margin = MARGIN.min(limit / 5);
        let started = Instant::now();
        let expires = started + Duration::from_millis(limit - margin);
        let end = expires + Duration::from_millis(LATER.min(margin / 2));
        let mut truth = world.truth.borrow_mut();
        let life = truth.of(hook);
        (life.started, life.deadline) = (world.now(), world.millis(end));
        Self { world: Rc::clone(world), hook, started, expires, end }
    }

    /// From its start to its exit.
    pub async fn run(self, mut sign: Sign<'_>) {
        let mut talk = Talk { connection: None, accepted: false };
        let outcome = tokio::select! {
            biased;
            outcome = self.resolved(&mut talk) => match outcome {
                Ok(outcome) => outcome,
                Err(_) if self.world.script.frame.chat => {
                    return Alone::new(&self.world, self.hook, self.started).run(sign).await;
                }
                Err(why) => failed(why),
            },
            _ = sign.as_mut() => self.stop(&mut talk).await,
            () = sleep_until(self.end) => Outcome::Expired(ExpiredCause::Failed("hear from the gateway in time".into())),
        };
        self.hand_over(&outcome);
        if let Some((_, writer)) = &mut talk.connection {
            let params = json!({ "requestId": request_id(self.hook), "taken": true });
            let _ = timeout(LAST_WORD, send(writer, 3, "hook.taken", &params)).await;
        }
    }

    /// The end of the request; an error where the gateway did not take it.
    async fn resolved(&self, talk: &mut Talk) -> Result<Outcome, String> {
        let (mut pause, mut lost) = (Duration::from_millis(20), None);
        loop {
            if talk.connection.is_none() {
                talk.connection = self.ask().await;
                if talk.connection.is_none() && !talk.accepted && lost.is_none() {
                    return Err("find a gateway".to_owned());
                }
            }
            self.connected(talk.connection.is_some());
            while let Some((lines, _)) = &mut talk.connection {
                let Some(told) = next(lines).await else { break };
                if told.get("method").and_then(Value::as_str) == Some("hook.accepted") {
                    talk.accepted = true;
                } else if told.get("id").and_then(Value::as_u64) == Some(1) {
                    match told.get("error") {
                        Some(_) if talk.accepted => break,
                        Some(error) => return Err(error.to_string()),
                        None => return Ok(outcome(&told)),
                    }
                }
            }
            self.connected(false);
            talk.connection = None;
            if !talk.accepted && lost.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return Err("hear from the gateway: it went away".to_owned());
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(400));
        }
    }

    async fn ask(&self) -> Option<(Lines<BufReader<ReadHalf<DuplexStream>>>, WriteHalf<DuplexStream>)> {
        let (reader, mut writer) = self.world.post.connect(Caller::Local)?;
        let input = json!({
            "hook_event_name": "PermissionRequest",
            "session_id": format!("session-{}", self.hook),
            "cwd": "/work",
            "tool_name": "Bash",
            "tool_input": { "command": format!("git push origin branch-{}", self.hook) },
        });
        let left = self.expires.saturating_duration_since(Instant::now());
        let params = json!({
            "requestId": request_id(self.hook), "input": input, "remarks": [],
            "expiresInMs": u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
        });
        send(&mut writer, 1, "hook.ask", &params).await?;
        Some((BufReader::new(reader).lines(), writer))
    }

    async fn stop(&self, talk: &mut Talk) -> Outcome {
        let stopped = Outcome::ResolvedElsewhere(Resolver::Stopped);
        let Some((lines, writer)) = &mut talk.connection else { return stopped };
        let params = json!({ "requestId": request_id(self.hook), "resolver": "stopped" });
        let ended = timeout(LAST_WORD, async {
            send(writer, 2, "hook.withdraw", &params).await?;
            loop {
                let told = next(lines).await?;
                if told.get("id").and_then(Value::as_u64) == Some(1) && told.get("error").is_none() {
                    return Some(outcome(&told));
                }
            }
        });
        ended.await.ok().flatten().unwrap_or(stopped)
    }

    fn connected(&self, is_connected: bool) {
        self.world.truth.borrow_mut().of(self.hook).is_connected = is_connected;
    }

    fn hand_over(&self, outcome: &Outcome) {
        self.world.tell(|| format!("hook {} ends: {outcome:?}", self.hook));
        let mut truth = self.world.truth.borrow_mut();
        let life = truth.of(self.hook);
        life.decisions.push((self.world.now(), outcome.clone()));
        if let Outcome::Expired(ExpiredCause::Failed(why)) = outcome {
            life.said.push(format!("failed to {why}"));
        }
    }
}

fn outcome(told: &Value) -> Outcome {
    let resolution = told.pointer("/result/resolution").cloned().unwrap_or_default();
    let read = serde_json::from_value::<Resolution>(resolution).ok().and_then(|resolution| resolution.outcome().ok());
    read.unwrap_or_else(|| failed("understand the gateway".to_owned()))
}

fn failed(why: String) -> Outcome {
    Outcome::Expired(ExpiredCause::Failed(why))
}

async fn next(lines: &mut Lines<BufReader<ReadHalf<DuplexStream>>>) -> Option<Value> {
    serde_json::from_str(&lines.next_line().await.ok()??).ok()
}

async fn send(writer: &mut WriteHalf<DuplexStream>, id: u64, method: &str, params: &Value) -> Option<()> {
    let call = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    writer.write_all(format!("{call}\n").as_bytes()).await.ok()
}
