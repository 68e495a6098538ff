//! Asks through the gateway, if one runs.
//!
//! | condition | what the hook does |
//! |---|---|
//! | none runs, or `DMPLZ_GATEWAY=off` | asks alone |
//! | it refuses before it accepts the request, or is not a gateway | asks alone, if a messenger is set up |
//! | the connection is lost before it accepts, and cannot be restored for 3 s | the same |
//! | it does not accept within 3 s | asks alone |
//! | the connection is lost later | reconnects with the same id, repeatedly, until the deadline |
//! | a person denied | the deny stands, whatever happens next; a reason may still follow |
//! | it reports how the request ended | writes that decision, and reports whether the client took it |
//! | its message cannot be parsed, or is incomplete | no decision |
//! | the deadline passes before it reports how the request ended | no decision: only the gateway knows whether anybody saw the request |
//! | the client stops the hook | withdraws the request; a pressed deny is still written |
//!
//! The gateway expires the request. The hook's own deadline is slightly later, for a gateway that is gone.
//! [`dmplz_protocol::asking`] implements the conversation.

use std::io::{self, ErrorKind, Write};
use std::os::unix::net::UnixStream as StdStream;
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use anyhow::anyhow;
use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::request::{Decision, ExpiredCause, Offer, Outcome, Resolution};
use dmplz_policy::KnownCommands;
use dmplz_protocol::asking::{Asking, Connection, Dial, End, Question, Talk};
use dmplz_protocol::client::{self, Client, GatewayError};
use dmplz_protocol::hook::Happened;
use dmplz_protocol::{Method, PROTOCOL, RequestId};
use dmplz_state::StateDir;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;
use tokio::net::UnixStream;
use tokio::time::{Instant, timeout};

use super::rules::Ruling;
use super::{deadline, environment, explain, grants, hand_over, stop, unasked};
use crate::gateway;
use crate::journals;
use crate::runtime::runtime;
use crate::settings::Settings;
use crate::told::Phrase;
use crate::{time, trouble};

/// How much later than the gateway the hook itself gives up, at most.
const LATER: Duration = Duration::from_secs(1);
/// The time limit for the gateway's last answer to a stopped hook. The client gives 1.5 s.
const LAST_WORD: Duration = Duration::from_millis(900);
/// The time limit for reporting an event. Nobody waits for it.
const EVENT: Duration = Duration::from_secs(10);
/// The surface that a log names if no surface answered.
const NOBODY: &str = "gateway";

/// The result of asking through the gateway.
pub(super) enum Asked {
    /// The request has ended, and everything is done.
    Concluded,
    /// The request was not asked: no gateway runs, or the reason why it did not accept the request.
    Alone(Option<anyhow::Error>),
}

struct Request<'a> {
    asking: Asking<'a>,
    call: &'a ToolCall,
    ruling: &'a Ruling,
    settings: &'a Settings,
    socket: Socket,
    /// When the hook gives up.
    end: Instant,
}

/// Connects to a gateway, by its socket in the state directory.
struct Socket(PathBuf);

impl Dial for Socket {
    type Stream = UnixStream;

    fn dial(&self) -> io::Result<UnixStream> {
        let stream = client::open(&self.0).map_err(io::Error::other)?;
        stream.set_nonblocking(true)?;
        UnixStream::from_std(stream)
    }
}

/// Sends the request without waiting and without a runtime, so that the gateway has it before this process starts
/// one. From now on the end of this process ends the connection, and with it the request.
fn put(stream: &StdStream, asking: &Asking<'_>) -> io::Result<Question> {
    let mut question = asking.question()?;
    stream.set_nonblocking(true)?;
    let mut stream = stream;
    match stream.write(question.rest()) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
        written => question.wrote(written?),
    }
    Ok(question)
}

/// The gateway that an event is reported to: for its notices, and for the requests that it shows to be over. One connection serves both.
#[derive(Default)]
pub(super) struct Reporting(Option<Client>);

impl Reporting {
    /// Calls a method within this time. Returns `None` if no gateway runs, which costs one failed `stat`, or if none is to be used.
    pub(super) fn call<M: Method<Answer: DeserializeOwned>>(
        &mut self,
        state: &StateDir,
        params: &M,
        within: Duration,
    ) -> Option<Result<M::Answer, GatewayError>> {
        if environment("DMPLZ_GATEWAY").is_some_and(|value| value.trim() == "off") {
            return None;
        }
        let mut client = match self.0.take() {
            Some(client) => client,
            None => gateway::connect(state.path()).ok()?,
        };
        let answer = client.call(params, Some(std::time::Instant::now() + within));
        // What comes late after a failure must not be taken for the next answer.
        self.0 = Some(client).filter(|_| answer.is_ok());
        Some(answer)
    }
}

/// Reports an event that may show that a request is over.
pub(super) fn tell(state: &StateDir, input: &HookInput, gateway: &mut Reporting) {
    let told = to_raw_value(input).map_err(anyhow::Error::from);
    let told = told.and_then(|input| Ok(gateway.call(state, &Happened { input }, EVENT).transpose()?));
    if let Err(error) = told {
        trouble::warn(&format!("the gateway is not told of an event: {}", trouble::chain(&error)));
    }
}

/// Asks through the gateway, and writes its decision.
pub(super) fn ask(
    input: &HookInput,
    call: &ToolCall,
    ruling: &Ruling,
    settings: &Settings,
    started: Instant,
) -> anyhow::Result<Asked> {
    if !settings.gateway.is_used {
        return Ok(Asked::Alone(None));
    }
    let Some(state) = StateDir::find(&settings.state_dir)? else { return Ok(Asked::Alone(None)) };
    let socket = gateway::socket(state.path());
    let stream = match client::open(&socket) {
        Ok(stream) => stream,
        Err(error) if error.is_not_running() => return Ok(Asked::Alone(None)),
        Err(error) => return Ok(Asked::Alone(Some(error.into()))),
    };
    let expires = started + deadline::of(settings);
    let end = expires + LATER.min(deadline::margin(settings) / 2);
    let (id, remarks) = (RequestId::new(), ruling.remarks.as_slice());
    let asking = Asking { id, input, remarks, grantable: ruling.grantable.as_ref(), expires };
    let question = put(&stream, &asking).ok().map(|question| (stream, question));
    let request = Request { asking, call, ruling, settings, socket: Socket(socket), end };
    Ok(runtime()?.block_on(request.run(question)))
}

impl Request<'_> {
    async fn run(&self, question: Option<(StdStream, Question)>) -> Asked {
        let sign = pin!(stop::sign(stop::Signals::listen(), None));
        let connection = question
            .and_then(|(stream, question)| Some(Connection::over(UnixStream::from_std(stream).ok()?, question)));
        let (talk, end) = Talk::over(&self.asking, &self.socket, connection).until(self.end, sign).await;
        if let Some(theirs) = talk.heard.other_protocol {
            let older = if theirs < PROTOCOL { "older" } else { "newer" };
            trouble::warn(&format!(
                "the gateway is {older} than this hook (protocol {theirs} and {PROTOCOL}): restart dmplz serve"
            ));
        }
        self.conclude(talk, end).await
    }

    /// Returns the gateway's outcome, if the call offers it. An outcome from before a restart may be masked by now,
    /// and is then no longer an answer.
    fn offered(&self, resolution: &Resolution) -> Outcome {
        let offer = Offer { granted: true, ..Offer::of(self.call, &self.asking.input.cwd, &KnownCommands) };
        match resolution.outcome() {
            Ok(Outcome::Approved { scope, .. }) if !offer.offers(&scope) => {
                unasked(["게이트웨이가 제안하지 않은 답을 했습니다", "the gateway gave an answer that was not offered"])
            }
            Ok(outcome) => outcome,
            Err(error) => unasked(["요청이 어떻게 끝났는지 알 수 없습니다".to_owned(), error.to_string()]),
        }
    }

    /// Writes the decision for the client, reports to the gateway whether it was taken, and writes the logs.
    async fn conclude(&self, talk: Talk<'_, Socket>, end: End) -> Asked {
        let surface = match &end {
            End::Resolved(Resolution { by: Some(by), .. }) => by.surface.clone(),
            _ => NOBODY.to_owned(),
        };
        let outcome = match end {
            End::NotTaken(why) => return Asked::Alone(Some(why.into())),
            End::Resolved(resolution) => self.offered(&resolution),
            End::Stopped(resolver) => Outcome::ResolvedElsewhere(resolver),
            // Only the gateway knows whether anybody saw the request.
            End::Late => unasked(["게이트웨이가 제때 응답하지 않았습니다", "the gateway did not answer in time"]),
            End::Failed(why) => unasked(Phrase::fill("게이트웨이의 응답을 읽을 수 없습니다: {}", "{}", &[&why])),
        };
        let answered_after = talk.heard.accepted.map(|accepted| time::millis(accepted.elapsed()));
        let (id, input) = (&self.asking.id.to_string(), self.asking.input);
        let state = &self.settings.state_dir;
        let kept = grants::keep(&outcome, self.ruling.grantable.as_ref(), input, id, state);
        let decision = outcome.decision(self.settings.deny_on_expired);
        let taken = hand_over(&decision, input, self.call)
            .and_then(|()| explain(&outcome, &decision, None, self.settings.lang));
        let kept = kept.settle(taken.is_ok(), id, state);
        if let Some(mut connection) = talk.connection.filter(|_| decision != Decision::None) {
            let _ = timeout(LAST_WORD, connection.taken(&self.asking, taken.is_ok())).await;
        }
        let subject = journals::Subject { provider: &surface, request_id: id, input, call: self.call };
        let answered_after = answered_after.filter(|_| outcome.by().is_some());
        journals::record(&subject, &Resolution::of(&outcome), answered_after, self.settings);
        kept.tell(state);
        trouble::report(taken.map_err(|error| anyhow!("the decision cannot be handed to the client: {error}")));
        if let Outcome::Expired(ExpiredCause::Failed(why)) = &outcome {
            trouble::error(&format!("nobody could be asked through the gateway: {why}"));
        }
        Asked::Concluded
    }
}
