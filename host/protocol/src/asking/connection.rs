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

use crate::error::Code;
use crate::framing::{Call, Line, MAX_LINE_TO_HOOK};
use crate::hook::{self, Accepted, Ask, Ended, Taken, Withdraw};
use crate::method::{Method, Notification};
use crate::{PROTOCOL, RequestId};

/// The ids of the calls.
const ASK: u64 = 1;
const WITHDRAW: u64 = 2;
const TAKEN: u64 = 3;

/// What a hook asks of the gateway.
#[derive(Debug)]
pub struct Asking<'a> {
    /// The id by which it is asked again after a lost connection.
    pub id: RequestId,
    /// What the client wrote to the hook's stdin.
    pub input: &'a HookInput,
    /// What the policy remarks on the call.
    pub remarks: &'a [Remark],
    /// What may be granted.
    pub grantable: Option<&'a Covers>,
    /// When the gateway ends it.
    pub expires: Instant,
}

impl Asking<'_> {
    /// The question as it is put now.
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
    /// What is still to be written.
    pub fn rest(&self) -> &[u8] {
        self.line.get(self.written..).unwrap_or_default()
    }

    /// So many bytes of the rest are written.
    pub fn wrote(&mut self, bytes: usize) {
        self.written += bytes;
    }

    /// Whether the gateway can read it. Else nothing can be said after it.
    fn is_put(&self) -> bool {
        self.rest().is_empty()
    }

    /// How long it is as a whole, in bytes.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.line.len()).unwrap_or(u32::MAX)
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
    pub(super) question: Question,
    stream: BufReader<S>,
    /// What has come of the next line.
    line: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// A connection over a stream, on which the question may be written in part.
    pub fn over(stream: S, question: Question) -> Self {
        Self { question, stream: BufReader::new(stream), line: Vec::new() }
    }

    /// Waits for the end of the request, or for news of it, which go into `heard`: then there is no resolution yet. It can
    /// be given up and taken up again.
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
            // Nothing else was asked: what has no id is about the question.
            if !is_notice && matches!(told.id, Some(ASK) | None) {
                return end(told).map(Some);
            }
        }
    }

    /// Takes in what the gateway says by itself. Returns whether it is about the request.
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
                // Only then the gateway tells whoever denied that it counts.
                let _ = self.send(&Call::unanswered(&hook::Heard { request_id: asking.id })).await;
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
        if !self.question.is_put() {
            return Err(Failure::Lost);
        }
        self.send(&Call::new(WITHDRAW, &Withdraw { request_id: asking.id, resolver })).await?;
        loop {
            let told = self.told().await?;
            match told.id {
                Some(ASK) => return end(told),
                // It is not there to be withdrawn; the end of the connection withdraws it.
                Some(WITHDRAW) if told.error.as_ref().is_some_and(|error| error.code == Code::UNKNOWN) => {
                    return Err(Failure::Lost);
                }
                None => drop(self.hear(&told, asking, heard).await),
                _ => {}
            }
        }
    }

    /// Says whether the client took the decision.
    pub async fn taken(&mut self, asking: &Asking<'_>, taken: bool) {
        if self.question.is_put() {
            // It is for the record: the gateway may be gone by now.
            let _ = self.send(&Call::new(TAKEN, &Taken { request_id: asking.id, taken })).await;
        }
    }

    async fn send<M: Method>(&mut self, call: &Call<&M>) -> Result<(), Failure> {
        let line = call.line().map_err(|_| Failure::Lost)?;
        self.stream.write_all(&line).await.map_err(|_| Failure::Lost)
    }

    /// The next line. Waiting for it can be given up and taken up again.
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

/// What comes with a notification; none where it cannot be read.
fn params<N: Notification>(told: &Line) -> Option<N> {
    serde_json::from_str(told.params.as_deref()?.get()).ok()
}

fn end(told: Line) -> Result<Resolution, Failure> {
    match (told.error, told.result) {
        (Some(error), _) => Err(Failure::Refused(format!("the gateway refused: {error}"))),
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
