//! Asking through the gateway, where one runs.
//!
//! | what happens | what the hook does |
//! |---|---|
//! | there is none, or `DMPLZ_GATEWAY=off` | asks alone |
//! | it refuses before it has accepted the request, or is no gateway | asks alone, where a messenger is set up |
//! | it goes away before it has accepted, and stays away for [`GRACE`] | the same |
//! | it does not accept within [`ACCEPT`] | asks alone |
//! | it goes away later | comes back under the same id, again and again, until the deadline |
//! | somebody denied | that stands, whatever happens next; a reason may still come |
//! | it says how the request ended | hands that over, and says whether the client took it |
//! | what it says cannot be read, or says too little | no decision |
//! | the client stops the hook | withdraws; a denial that was pressed is handed over still |
//!
//! The gateway expires the request; the hook's own deadline comes a moment later, for when the gateway is away.

mod connection;

use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use anyhow::anyhow;
use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::flow::{Decision, ExpiredCause, Offer, Outcome, Resolver};
use dmplz_core::resolution::Resolution;
use dmplz_state::StateDir;
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use uuid::Uuid;

use self::connection::{Asking, Connection, Failure, Heard, Question};
use super::rules::Ruling;
use super::{ask, environment, explain, grants, hand_over, runtime, stop};
use crate::gateway::{self, Client};
use crate::journals;
use crate::settings::Settings;
use crate::trouble;

/// How long a gateway may take to accept a request: to have it on disk.
const ACCEPT: Duration = Duration::from_secs(3);
/// How long after the end what the gateway has said already is still read.
const LAST_LOOK: Duration = Duration::from_millis(100);
/// How long a gateway that went away before it accepted the request may take to come back.
const GRACE: Duration = Duration::from_secs(3);
/// Pauses between attempts to come back: the first, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(400)];
/// How much later than the gateway the hook itself gives up, at most.
const LATER: Duration = Duration::from_secs(1);
/// How long the gateway's last word to a stopped hook may take. The client gives 1.5 s.
const LAST_WORD: Duration = Duration::from_millis(900);
/// How long an event may take to be told. Nobody waits for it.
const EVENT: Duration = Duration::from_secs(10);
/// What a log says instead of a surface's name when no surface answered.
const NOBODY: &str = "gateway";

/// What became of asking here.
pub(super) enum Asked {
    /// The request has ended, and everything is done.
    Concluded,
    /// It was not asked: there is no gateway, or why it did not take it.
    Alone(Option<anyhow::Error>),
}

/// How a request ended that the gateway was asked.
enum End {
    Resolved(Resolution),
    Stopped(Resolver),
    Late,
    Failed(String),
    NotTaken(String),
}

struct Request<'a> {
    asking: Asking<'a>,
    call: &'a ToolCall,
    ruling: &'a Ruling,
    settings: &'a Settings,
    socket: PathBuf,
    /// When the hook gives up.
    end: Instant,
}

/// Tells the gateway of an event that may show that a request is over. One failed `stat` where there is none.
pub(super) fn tell(state: &StateDir, input: &HookInput) {
    if environment("DMPLZ_GATEWAY").is_some_and(|value| value.trim() == "off") {
        return;
    }
    let Ok(mut client) = Client::connect(&gateway::socket(state.path())) else { return };
    let until = Some(std::time::Instant::now() + EVENT);
    if let Err(error) = client.call::<serde_json::Value>("hook.event", &json!({ "input": input }), until) {
        trouble::warn(&format!("failed to tell the gateway of an event: {:#}", anyhow::Error::from(error)));
    }
}

/// Asks through the gateway, and hands over what it says.
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
    let stream = match gateway::open(&socket) {
        Ok(stream) => stream,
        Err(error) if error.is_not_running() => return Ok(Asked::Alone(None)),
        Err(error) => return Ok(Asked::Alone(Some(error.into()))),
    };
    let expires = started + ask::deadline(settings);
    let end = expires + LATER.min(ask::margin(settings) / 2);
    let asking = Asking { id: Uuid::new_v4().to_string(), input, ruling, expires };
    let question = Question::put(stream, &asking).ok();
    let request = Request { asking, call, ruling, settings, socket, end };
    Ok(runtime()?.block_on(request.run(question)))
}

impl Request<'_> {
    async fn run(&self, question: Option<Question>) -> Asked {
        let mut sign = pin!(stop::sign(stop::Signals::listen(), None));
        let mut talk =
            Talk { connection: question.and_then(|question| Connection::over(question).ok()), heard: Heard::default() };
        let end = tokio::select! {
            biased;
            end = self.resolved(&mut talk) => end,
            resolver = sign.as_mut() => self.stop(&mut talk, resolver).await,
            () = sleep_until(self.end) => self.late(&mut talk).await,
        };
        self.conclude(talk, end).await
    }

    /// Asks and waits for the end, through as many connections as it takes.
    async fn resolved(&self, talk: &mut Talk) -> End {
        let [shortest, longest] = PAUSES;
        let (mut pause, mut lost) = (shortest, None);
        let began = Instant::now();
        loop {
            if let Some(connection) = &mut talk.connection {
                let patience = talk.heard.patience(began, self.end);
                match timeout_at(patience, connection.next(&self.asking, &mut talk.heard)).await {
                    Ok(Ok(Some(resolution))) => return End::Resolved(resolution),
                    Ok(Ok(None)) => continue,
                    Ok(Err(Failure::Garbled(why))) if talk.heard.accepted.is_some() => return End::Failed(why),
                    Ok(Err(Failure::Garbled(why) | Failure::Refused(why))) if talk.heard.accepted.is_none() => {
                        return End::NotTaken(why);
                    }
                    // It knows the request, and cannot take it just now.
                    Ok(Err(Failure::Refused(_) | Failure::Garbled(_))) => pause = longest,
                    Ok(Err(Failure::Lost)) => pause = shortest,
                    Err(_) if talk.heard.accepted.is_none() => {
                        return End::NotTaken("hear from the gateway: it runs and does not answer".to_owned());
                    }
                    Err(_) => {}
                }
                talk.connection = None;
            }
            if let Some(denied) = talk.heard.denied.as_ref().filter(|denied| denied.until <= Instant::now()) {
                return End::Resolved(denied.resolution.clone());
            }
            if talk.heard.accepted.is_none() && lost.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return End::NotTaken("hear from the gateway: it went away".to_owned());
            }
            sleep(pause).await;
            pause = (pause * 2).min(longest);
            talk.connection = gateway::open(&self.socket)
                .ok()
                .and_then(|stream| Question::put(stream, &self.asking).ok())
                .and_then(|question| Connection::over(question).ok());
        }
    }

    /// Withdraws. What had been answered by then counts.
    async fn stop(&self, talk: &mut Talk, resolver: Resolver) -> End {
        let Some(connection) = &mut talk.connection else { return End::Stopped(resolver) };
        match timeout(LAST_WORD, connection.withdraw(&self.asking, resolver, &mut talk.heard)).await {
            Ok(Ok(resolution)) => End::Resolved(resolution),
            _ => End::Stopped(resolver),
        }
    }

    /// The time is over. A denial that has come already counts, also where this process was suspended meanwhile.
    async fn late(&self, talk: &mut Talk) -> End {
        let rejects = |resolution: &Resolution| resolution.outcome().is_ok_and(|outcome| outcome.rejection().is_some());
        match timeout(LAST_LOOK, self.resolved(talk)).await {
            Ok(End::Resolved(resolution)) if rejects(&resolution) => End::Resolved(resolution),
            _ => End::Late,
        }
    }

    /// What the gateway says, if the call offers it: what was answered before a restart may be masked by now, and then it
    /// is no answer any more.
    fn offered(&self, resolution: &Resolution) -> Outcome {
        let offer = Offer { granted: true, ..Offer::of(self.call, &self.asking.input.cwd) };
        match resolution.outcome() {
            Ok(Outcome::Approved { extent, .. }) if !offer.offers(&extent) => {
                failed("understand the gateway: that was not offered".to_owned())
            }
            Ok(outcome) => outcome,
            Err(error) => failed(error.to_string()),
        }
    }

    /// Hands the decision to the client, tells the gateway whether it was taken, and writes the logs.
    async fn conclude(&self, talk: Talk, end: End) -> Asked {
        let end = match (end, &talk.heard.denied) {
            (End::Stopped(_) | End::Late | End::Failed(_), Some(denied)) => End::Resolved(denied.resolution.clone()),
            (end, _) => end,
        };
        let surface = match &end {
            End::Resolved(Resolution { by: Some(by), .. }) => by.surface.clone(),
            _ => NOBODY.to_owned(),
        };
        let outcome = match end {
            End::NotTaken(why) => return Asked::Alone(Some(anyhow!(why).context("ask through the gateway"))),
            End::Resolved(resolution) => self.offered(&resolution),
            End::Stopped(resolver) => Outcome::ResolvedElsewhere(resolver),
            End::Late if talk.heard.accepted.is_none() => failed("hear from the gateway in time".to_owned()),
            End::Late => Outcome::Expired(ExpiredCause::Nobody),
            End::Failed(why) => failed(why),
        };
        let answered_after = talk.heard.accepted.map(|accepted| millis(accepted.elapsed()));
        let (id, input) = (&self.asking.id, self.asking.input);
        let state = &self.settings.state_dir;
        let kept = grants::keep(&outcome, self.ruling, input, id, &surface, state);
        let decision = outcome.decision(self.settings.deny_on_expired);
        let taken = hand_over(&decision, self.asking.input, self.call)
            .and_then(|()| explain(&outcome, &decision, self.settings.lang));
        let kept = kept.settle(taken.is_ok(), id, state);
        if let Some(mut connection) = talk.connection.filter(|_| decision != Decision::None) {
            // It is for the record: the gateway may be gone by now.
            let _ = timeout(LAST_WORD, connection.taken(&self.asking, taken.is_ok())).await;
        }
        let subject = journals::Subject {
            provider: &surface,
            request_id: &self.asking.id,
            session_id: &self.asking.input.session_id,
            cwd: &self.asking.input.cwd,
            call: self.call,
        };
        let answered_after = answered_after.filter(|_| outcome.by().is_some());
        journals::record(&subject, &outcome, answered_after, self.settings);
        kept.tell(state);
        ask::report(taken.map_err(|error| anyhow!("hand the decision to the client: {error}")));
        if let Outcome::Expired(ExpiredCause::Failed(why)) = &outcome {
            trouble::error(&format!("failed to ask through the gateway: failed to {why}"));
        }
        Asked::Concluded
    }
}

/// A talk with the gateway, over one connection after the other.
struct Talk {
    connection: Option<Connection>,
    heard: Heard,
}

impl Heard {
    /// Until when the gateway's next word is waited for.
    fn patience(&self, began: Instant, end: Instant) -> Instant {
        match (&self.denied, self.accepted) {
            (Some(denied), _) => denied.until + LATER,
            (None, Some(_)) => end + LATER,
            (None, None) => began + ACCEPT,
        }
    }
}

fn failed(why: String) -> Outcome {
    Outcome::Expired(ExpiredCause::Failed(why))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
