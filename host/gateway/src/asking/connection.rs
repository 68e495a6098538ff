//! One connection of a hook to the gateway: JSON-RPC 2.0, one object a line.

use std::io;
use std::time::Duration;

use dmplz_core::card::Remark;
use dmplz_core::claude::HookInput;
use dmplz_core::flow::Resolver;
use dmplz_core::grant::Covers;
use dmplz_core::resolution::Resolution;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::Instant;

use crate::approvals::millis;
use crate::rpc::PROTOCOL;

/// More than any word of the gateway to a hook is long, in bytes.
const MAX_LINE: u64 = 1 << 20;
/// The ids of the calls.
const ASK: u64 = 1;
const WITHDRAW: u64 = 2;
const TAKEN: u64 = 3;

/// The code of an error that says that there is no such request.
const UNKNOWN: i64 = -32001;

/// What is asked.
#[derive(Debug)]
pub struct Asking<'a> {
    /// The request's id, a UUID.
    pub id: String,
    /// As it came.
    pub input: &'a HookInput,
    /// What the policy remarks on the call.
    pub remarks: &'a [Remark],
    /// What may be granted.
    pub grantable: Option<&'a Covers>,
    /// When the gateway ends it.
    pub expires: Instant,
}

impl Asking<'_> {
    /// The question, as a line.
    pub fn line(&self) -> io::Result<Vec<u8>> {
        let left = self.expires.saturating_duration_since(Instant::now());
        let params = AskParams {
            request_id: &self.id,
            input: self.input,
            remarks: self.remarks,
            grantable: self.grantable,
            expires_in_ms: millis(left),
            protocol: PROTOCOL,
        };
        line(Some(ASK), "hook.ask", params)
    }
}

/// Why a connection brought no end of the request.
#[derive(Debug)]
pub(super) enum Failure {
    /// It is gone.
    Lost,
    /// The gateway said no.
    Refused(String),
    /// The gateway said something else than it should.
    Garbled(String),
}

/// What a hook has heard about its request.
#[derive(Debug, Default)]
pub struct Heard {
    /// When the gateway first said that the request is on disk.
    pub accepted: Option<Instant>,
    /// The gateway's [`PROTOCOL`], where it is another one.
    pub other_protocol: Option<u32>,
    /// Somebody denied it: that stands, whatever becomes of the gateway or of this process.
    pub denied: Option<Denied>,
}

/// A denial whose reason may still come.
#[derive(Debug)]
pub struct Denied {
    /// How the request ends if no reason comes.
    pub resolution: Resolution,
    /// Until when one may come.
    pub until: Instant,
}

/// One connection to the gateway.
#[derive(Debug)]
pub struct Connection<S> {
    /// What is left of the question.
    rest: Vec<u8>,
    stream: BufReader<S>,
    /// What has come of the next line.
    line: Vec<u8>,
    /// Whether the whole question is out. Else nothing can be said after it.
    has_asked: bool,
}

#[derive(Serialize)]
struct Call<'a, P> {
    jsonrpc: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    params: P,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AskParams<'a> {
    request_id: &'a str,
    input: &'a HookInput,
    remarks: &'a [Remark],
    #[serde(skip_serializing_if = "Option::is_none")]
    grantable: Option<&'a Covers>,
    expires_in_ms: u64,
    protocol: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeardParams<'a> {
    request_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WithdrawParams<'a> {
    request_id: &'a str,
    resolver: Resolver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TakenParams<'a> {
    request_id: &'a str,
    taken: bool,
}

/// Why the gateway refuses.
#[derive(Deserialize)]
struct Refusal {
    code: i64,
    message: String,
}

/// What a line of the gateway may hold. Anything else in it is not ours.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    result: Option<Ended>,
    #[serde(default)]
    error: Option<Refusal>,
    #[serde(default)]
    params: Option<Params>,
}

/// What comes with `hook.accepted` and `hook.denied`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    #[serde(default)]
    protocol: Option<u32>,
    #[serde(default)]
    resolution: Option<Resolution>,
    #[serde(default)]
    left_ms: u64,
}

#[derive(Deserialize)]
struct Ended {
    #[serde(default)]
    resolution: Option<Resolution>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// A connection over a stream, and what is left to be written of the question ([`Asking::line`]).
    pub fn over(stream: S, rest: Vec<u8>) -> Self {
        Self { has_asked: rest.is_empty(), rest, stream: BufReader::new(stream), line: Vec::new() }
    }

    /// Waits for the end of the request, or for news of it, which go into `heard`: then there is no resolution yet.
    pub(super) async fn next(&mut self, asking: &Asking<'_>, heard: &mut Heard) -> Result<Option<Resolution>, Failure> {
        if !self.has_asked {
            self.stream.write_all(&self.rest).await.map_err(|_| Failure::Lost)?;
            self.has_asked = true;
        }
        loop {
            let told = self.told().await?;
            let is_notice = told.id.is_none() && told.method.is_some();
            if is_notice && self.hear(&told, asking, heard).await {
                return Ok(None);
            }
            // Nothing else was asked: what has no id is about the question.
            if !is_notice && matches!(told.id, Some(ASK) | None) {
                return end(told).map(Some);
            }
        }
    }

    /// Takes in what the gateway says by itself. Whether it is about the request.
    async fn hear(&mut self, told: &Told, asking: &Asking<'_>, heard: &mut Heard) -> bool {
        match (told.method.as_deref(), &told.params) {
            (Some("hook.accepted"), params) => {
                heard.accepted.get_or_insert_with(Instant::now);
                let theirs = params.as_ref().and_then(|params| params.protocol).unwrap_or_default();
                heard.other_protocol = Some(theirs).filter(|theirs| *theirs != PROTOCOL);
                true
            }
            (Some("hook.denied"), Some(Params { resolution: Some(resolution), left_ms, .. }))
                if resolution.rejects() =>
            {
                let until = Instant::now() + Duration::from_millis(*left_ms);
                heard.denied = Some(Denied { resolution: resolution.clone(), until });
                // Only then the gateway tells whoever denied that it counts.
                let _ = self.send(None, "hook.heard", HeardParams { request_id: &asking.id }).await;
                true
            }
            _ => false,
        }
    }

    /// Takes the question back, and waits for how it ended.
    pub(super) async fn withdraw(
        &mut self,
        asking: &Asking<'_>,
        resolver: Resolver,
        heard: &mut Heard,
    ) -> Result<Resolution, Failure> {
        if !self.has_asked {
            return Err(Failure::Lost);
        }
        self.send(Some(WITHDRAW), "hook.withdraw", WithdrawParams { request_id: &asking.id, resolver }).await?;
        loop {
            let told = self.told().await?;
            match told.id {
                Some(ASK) => return end(told),
                // It is not there to be withdrawn; the end of the connection withdraws it.
                Some(WITHDRAW) if told.error.as_ref().is_some_and(|error| error.code == UNKNOWN) => {
                    return Err(Failure::Lost);
                }
                None => drop(self.hear(&told, asking, heard).await),
                _ => {}
            }
        }
    }

    /// Says whether the client took the decision.
    pub async fn taken(&mut self, asking: &Asking<'_>, taken: bool) {
        if self.has_asked {
            // It is for the record: the gateway may be gone by now.
            let _ = self.send(Some(TAKEN), "hook.taken", TakenParams { request_id: &asking.id, taken }).await;
        }
    }

    async fn send<P: Serialize>(&mut self, id: Option<u64>, method: &str, params: P) -> Result<(), Failure> {
        let line = line(id, method, params).map_err(|_| Failure::Lost)?;
        self.stream.write_all(&line).await.map_err(|_| Failure::Lost)
    }

    /// The next line. Waiting for it can be given up and taken up again.
    async fn told(&mut self) -> Result<Told, Failure> {
        let left = MAX_LINE.saturating_sub(self.line.len() as u64);
        let read = (&mut self.stream).take(left).read_until(b'\n', &mut self.line).await;
        if self.line.last() != Some(&b'\n') {
            return Err(match read {
                Ok(_) if self.line.len() as u64 >= MAX_LINE => {
                    Failure::Garbled("understand the gateway: it says too much".into())
                }
                _ => Failure::Lost,
            });
        }
        let line = std::mem::take(&mut self.line);
        serde_json::from_slice(&line).map_err(|error| Failure::Garbled(format!("understand the gateway: {error}")))
    }
}

fn line<P: Serialize>(id: Option<u64>, method: &str, params: P) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&Call { jsonrpc: "2.0", id, method, params })?;
    line.push(b'\n');
    Ok(line)
}

fn end(told: Told) -> Result<Resolution, Failure> {
    match (told.error, told.result.and_then(|ended| ended.resolution)) {
        (Some(error), _) => Err(Failure::Refused(error.message)),
        (None, Some(resolution)) => Ok(resolution),
        (None, None) => Err(Failure::Garbled("understand the gateway: it does not say how the request ended".into())),
    }
}
