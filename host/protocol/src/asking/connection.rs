//! One connection of a hook to the gateway: JSON-RPC 2.0, one object a line.

use std::io;
use std::time::Duration;

use dmplz_core::card::Remark;
use dmplz_core::claude::HookInput;
use dmplz_core::grant::Covers;
use dmplz_core::request::{Resolution, Resolver};
use serde_json::value::to_raw_value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::Instant;

use crate::error::{Code, RpcError};
use crate::framing::{Call, Line, MAX_LINE_TO_HOOK};
use crate::hook::{self, Accepted, Ask, Ended, Taken, Withdraw};
use crate::method::{Method, Notification};
use crate::{PROTOCOL, RequestId};

/// The ids of the calls.
const ASK: u64 = 1;
const WITHDRAW: u64 = 2;
const TAKEN: u64 = 3;

/// A hook's request to the gateway.
#[derive(Debug)]
pub struct Asking<'a> {
    /// The id, which stays the same after a lost connection.
    pub id: RequestId,
    /// The JSON that the client wrote to the hook's stdin.
    pub input: &'a HookInput,
    /// The policy's remarks on the call.
    pub remarks: &'a [Remark],
    /// What a grant would cover, if the call may be granted.
    pub grantable: Option<&'a Covers>,
    /// The moment at which the gateway ends the request.
    pub expires: Instant,
}

impl Asking<'_> {
    /// Returns the question with the remaining time as of now.
    pub fn question(&self) -> io::Result<Question> {
        let left = self.expires.saturating_duration_since(Instant::now());
        let ask = Ask {
            request_id: self.id,
            input: to_raw_value(self.input)?,
            remarks: self.remarks.to_vec(),
            grantable: self.grantable.cloned(),
            expires_in_ms: u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
            protocol: PROTOCOL,
        };
        Ok(Question { line: Call::new(ASK, &ask).line()?, written: 0 })
    }
}

/// A question on its way to the gateway.
#[derive(Debug)]
pub struct Question {
    line: Vec<u8>,
    written: usize,
}

impl Question {
    /// Returns the bytes that are not written yet.
    pub fn rest(&self) -> &[u8] {
        self.line.get(self.written..).unwrap_or_default()
    }

    /// Notes that `bytes` more bytes are written.
    pub fn wrote(&mut self, bytes: usize) {
        self.written += bytes;
    }

    /// Returns whether the whole question is written. Until then no other call may be sent.
    fn is_put(&self) -> bool {
        self.rest().is_empty()
    }

    /// Returns the length of the whole question, in bytes.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.line.len()).unwrap_or(u32::MAX)
    }
}

/// Why a connection ended without the request's outcome.
#[derive(Debug)]
pub(super) enum Failure {
    /// The connection is lost.
    Lost,
    /// The gateway returned an error.
    Refused(RpcError),
    /// The gateway sent an unexpected or malformed message.
    Garbled(String),
}

/// What the gateway has reported about a request.
#[derive(Debug, Default)]
pub struct Heard {
    /// When the gateway first reported that the request is on disk.
    pub accepted: Option<Instant>,
    /// The gateway's [`PROTOCOL`], if it differs from ours.
    pub other_protocol: Option<u32>,
    /// The denial of a person. It stands even if the gateway or this process is lost.
    pub denied: Option<Denied>,
}

/// A denial whose reason may still come.
#[derive(Debug)]
pub struct Denied {
    /// How the request ends if no reason comes.
    pub resolution: Resolution,
    /// The moment until which a reason may come.
    pub until: Instant,
}

/// One connection to the gateway.
#[derive(Debug)]
pub struct Connection<S> {
    pub(super) question: Question,
    stream: BufReader<S>,
    /// The part of the next line that has been received.
    line: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// Creates a connection over a stream, on which the question may be written in part.
    pub fn over(stream: S, question: Question) -> Self {
        Self { question, stream: BufReader::new(stream), line: Vec::new() }
    }

    /// Waits for the end of the request, or for a notification about it. A notification is noted in `heard`, and the
    /// result is then `None`. This is safe to cancel and call again.
    pub(super) async fn next(&mut self, asking: &Asking<'_>, heard: &mut Heard) -> Result<Option<Resolution>, Failure> {
        while !self.question.is_put() {
            let written = self.stream.write(self.question.rest()).await.map_err(|_| Failure::Lost)?;
            if written == 0 {
                return Err(Failure::Lost);
            }
            self.question.wrote(written);
        }
        loop {
            let told = self.told().await?;
            let is_notice = told.id.is_none() && told.method.is_some();
            if is_notice && self.hear(&told, asking, heard).await {
                return Ok(None);
            }
            // Nothing else was asked, so an error without an id concerns the question.
            if !is_notice && matches!(told.id, Some(ASK) | None) {
                return end(told).map(Some);
            }
        }
    }

    /// Notes a notification of the gateway. Returns whether it concerns the request.
    async fn hear(&mut self, told: &Line, asking: &Asking<'_>, heard: &mut Heard) -> bool {
        match told.method.as_deref() {
            Some(Accepted::NAME) => {
                heard.accepted.get_or_insert_with(Instant::now);
                let theirs = params(told).map(|Accepted { protocol, .. }| protocol).unwrap_or_default();
                heard.other_protocol = Some(theirs).filter(|theirs| *theirs != PROTOCOL);
                true
            }
            Some(hook::Denied::NAME) => {
                let Some(hook::Denied { resolution, left_ms, .. }) = params(told) else { return false };
                if !resolution.rejects() {
                    return false;
                }
                let until = Instant::now() + Duration::from_millis(left_ms);
                heard.denied = Some(Denied { resolution, until });
                // The gateway confirms the denial to its person only after this acknowledgement.
                let _ = self.send(&Call::unanswered(&hook::Heard { request_id: asking.id })).await;
                true
            }
            _ => false,
        }
    }

    /// Withdraws the question, and waits for the outcome.
    pub(super) async fn withdraw(
        &mut self,
        asking: &Asking<'_>,
        resolver: Resolver,
        heard: &mut Heard,
    ) -> Result<Resolution, Failure> {
        if !self.question.is_put() {
            return Err(Failure::Lost);
        }
        self.send(&Call::new(WITHDRAW, &Withdraw { request_id: asking.id, resolver })).await?;
        loop {
            let told = self.told().await?;
            match told.id {
                Some(ASK) => return end(told),
                // The gateway does not know the request yet; closing the connection withdraws it.
                Some(WITHDRAW) if told.error.as_ref().is_some_and(|error| error.code == Code::UNKNOWN) => {
                    return Err(Failure::Lost);
                }
                None => drop(self.hear(&told, asking, heard).await),
                _ => {}
            }
        }
    }

    /// Reports whether the client took the decision.
    pub async fn taken(&mut self, asking: &Asking<'_>, taken: bool) {
        if self.question.is_put() {
            // This is for the record only: the gateway may be gone.
            let _ = self.send(&Call::new(TAKEN, &Taken { request_id: asking.id, taken })).await;
        }
    }

    async fn send<M: Method>(&mut self, call: &Call<&M>) -> Result<(), Failure> {
        let line = call.line().map_err(|_| Failure::Lost)?;
        self.stream.write_all(&line).await.map_err(|_| Failure::Lost)
    }

    /// Returns the next line. This is safe to cancel and call again.
    async fn told(&mut self) -> Result<Line, Failure> {
        let left = MAX_LINE_TO_HOOK.saturating_sub(self.line.len());
        let read = (&mut self.stream).take(left as u64).read_until(b'\n', &mut self.line).await;
        if self.line.last() != Some(&b'\n') {
            return Err(match read {
                Ok(_) if self.line.len() >= MAX_LINE_TO_HOOK => Failure::Garbled("the gateway says too much".into()),
                _ => Failure::Lost,
            });
        }
        let line = std::mem::take(&mut self.line);
        serde_json::from_slice(&line).map_err(garbled)
    }
}

/// Returns the params of a notification; `None` if they cannot be parsed.
fn params<N: Notification>(told: &Line) -> Option<N> {
    serde_json::from_str(told.params.as_deref()?.get()).ok()
}

fn end(told: Line) -> Result<Resolution, Failure> {
    match (told.error, told.result) {
        (Some(error), _) => Err(Failure::Refused(error)),
        (None, Some(result)) => {
            let ended: Result<Ended, _> = serde_json::from_str(result.get());
            ended.map(|ended| ended.resolution).map_err(garbled)
        }
        (None, None) => Err(Failure::Garbled("the gateway does not say how the request ended".into())),
    }
}

fn garbled(error: serde_json::Error) -> Failure {
    Failure::Garbled(format!("what the gateway says cannot be read: {error}"))
}
