//! What tests see of the gateway, and what they let go wrong there.

use super::connection::Out;
use super::frames::Frame;
use super::payload::{self, Close};
use super::{Gateway, SessionState};
use crate::discord::FakeDiscord;
use crate::discord::world::World;
use crate::watched::Watched;
use std::sync::Arc;
use std::time::Duration;

/// How heartbeats are acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Acks {
    /// At once.
    #[default]
    Prompt,
    /// After this time.
    After(Duration),
    /// Not at all: the client takes the connection for dead.
    Never,
}

/// The gateway of a [`FakeDiscord`]. A cheap handle.
#[derive(Clone)]
pub struct FakeGateway {
    world: Arc<Watched<World>>,
    url: String,
}

impl FakeDiscord {
    /// What a test does with the gateway.
    pub fn gateway(&self) -> FakeGateway {
        FakeGateway { world: Arc::clone(&self.world), url: format!("ws://{}", self.server.address()) }
    }
}

impl FakeGateway {
    /// `ws://127.0.0.1:PORT`, as `GET /gateway/bot` gives it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Every session that can still be used.
    pub fn sessions(&self) -> Vec<SessionState> {
        self.world.read(|world| world.gateway.states())
    }

    /// Waits for at most `wait` until the sessions are as wanted.
    pub async fn await_sessions(&self, wait: Duration, mut wanted: impl FnMut(&[SessionState]) -> bool) -> bool {
        let as_wanted = |world: &mut World| wanted(&world.gateway.states()).then_some(());
        self.world.within(wait, as_wanted).await.is_some()
    }

    /// As [`FakeGateway::await_sessions`], for a thread without a runtime.
    pub fn await_sessions_blocking(&self, wait: Duration, mut wanted: impl FnMut(&[SessionState]) -> bool) -> bool {
        let as_wanted = |world: &mut World| wanted(&world.gateway.states()).then_some(());
        self.world.within_blocking(wait, as_wanted).is_some()
    }

    /// Waits for at most `wait` until a client is ready: READY or RESUMED has been put on its way.
    pub async fn await_ready(&self, wait: Duration) -> bool {
        self.await_sessions(wait, ready).await
    }

    /// As [`FakeGateway::await_ready`], for a thread without a runtime.
    pub fn await_ready_blocking(&self, wait: Duration) -> bool {
        self.await_sessions_blocking(wait, ready)
    }

    /// The text frames so far, in both directions.
    pub fn frames(&self) -> Vec<Frame> {
        self.world.read(|world| world.gateway.frames.passed.clone())
    }

    /// How many there were, without a copy of them.
    pub fn frame_count(&self) -> usize {
        self.world.read(|world| world.gateway.frames.passed.len())
    }

    /// Waits for at most `wait` for a frame that satisfies `wanted`; one that has passed already counts.
    pub async fn await_frame(&self, wait: Duration, mut wanted: impl FnMut(&Frame) -> bool) -> Option<Frame> {
        let first = |world: &mut World| world.gateway.frames.passed.iter().find(|frame| wanted(frame)).cloned();
        self.world.within(wait, first).await
    }

    /// As [`FakeGateway::await_frame`], for a thread without a runtime.
    pub fn await_frame_blocking(&self, wait: Duration, mut wanted: impl FnMut(&Frame) -> bool) -> Option<Frame> {
        let first = |world: &mut World| world.gateway.frames.passed.iter().find(|frame| wanted(frame)).cloned();
        self.world.within_blocking(wait, first)
    }

    /// How many connections there have been.
    pub fn connections(&self) -> u64 {
        self.world.read(|world| world.gateway.opened)
    }

    /// What the next HELLO says; 41.25 s without this. A client that is silent for twice this long is closed (4009).
    pub fn set_heartbeat_interval(&self, interval: Duration) {
        self.world.change(|world| world.gateway.heartbeat = interval);
    }

    /// How heartbeats are acknowledged from now on.
    pub fn set_acks(&self, acks: Acks) {
        self.world.change(|world| world.gateway.acks = acks);
    }

    /// Whether nothing goes out any more, on connections that stay open; what was held back goes out afterwards.
    pub fn set_silent(&self, silent: bool) {
        self.world.change(|world| world.gateway.silent = silent);
    }

    /// The HTTP status with which new connections are refused; none to take them again.
    pub fn refuse(&self, status: Option<u16>) {
        self.world.change(|world| world.gateway.refused = status);
    }

    /// Closes the next so many connections with this code as soon as they want a session, as Discord does with who may
    /// have none.
    pub fn turn_away(&self, code: u16, times: usize) {
        self.world.change(|world| world.gateway.turned_away = (code, times));
    }

    /// What READY says from now on as `resume_gateway_url`, instead of another path of this server.
    pub fn set_resume_url(&self, url: impl Into<String>) {
        self.world.change(|world| world.gateway.resume_url = Some(url.into()));
    }

    /// In which time only one IDENTIFY is taken; 5 s with [`DiscordSetup::limits`](crate::discord::DiscordSetup::limits),
    /// no time at all without it.
    pub fn set_identify_window(&self, window: Duration) {
        self.world.change(|world| world.gateway.identify_window = window);
    }

    /// How long a session waits for its client; 3 minutes without this.
    pub fn set_session_life(&self, life: Duration) {
        self.world.change(|world| world.gateway.session_life = life);
    }

    /// Sessions that may still be started today, of 1000.
    pub fn set_starts(&self, remaining: u64) {
        self.world.change(|world| world.gateway.starts = remaining);
    }

    /// Breaks every connection now, without a closing frame.
    pub fn cut(&self) {
        self.each(|gateway, id| gateway.connections.get_mut(&id).into_iter().for_each(|it| it.cut()));
    }

    /// Breaks a connection behind the `frames`-th text frame from now on, whoever sends it; what a client has sent is
    /// still carried out. With 0 the next connection breaks before HELLO. Happens once: [`FakeGateway::cuts`].
    pub fn cut_after(&self, frames: usize) {
        self.world.change(|world| world.gateway.frames.cut_after = Some(frames));
    }

    /// How often [`FakeGateway::cut_after`] has come true.
    pub fn cuts(&self) -> usize {
        self.world.read(|world| world.gateway.frames.cuts)
    }

    /// Tells every client to reconnect and resume (op 7); the connections stay open.
    pub fn reconnect(&self) {
        self.each(|gateway, id| gateway.push(id, payload::reconnect()));
    }

    /// Tells every client that its session is invalid (op 9), and forgets it unless it is `resumable`. The connections
    /// stay open, and take IDENTIFY or RESUME.
    pub fn invalidate(&self, resumable: bool) {
        self.each(|gateway, id| {
            let session = gateway.connections.get_mut(&id).and_then(|connection| {
                connection.to_resume = true;
                connection.session.take()
            });
            if let Some(name) = session.filter(|_| !resumable) {
                gateway.sessions.remove(&name);
            } else {
                gateway.left(id);
            }
            gateway.push(id, payload::invalid_session(resumable));
        });
    }

    /// Closes every connection with this code; the codes after which there is nothing to resume end the session.
    pub fn close(&self, code: u16) {
        self.each(|gateway, id| _ = gateway.close(id, Close(code), ""));
    }

    /// Asks every client for a heartbeat (op 1).
    pub fn ask_for_heartbeat(&self) {
        self.each(|gateway, id| gateway.push(id, payload::heartbeat_request()));
    }

    /// Sends every client this frame, whatever it is.
    pub fn send(&self, frame: &str) {
        self.each(|gateway, id| {
            let connection = gateway.connections.get_mut(&id);
            connection.into_iter().for_each(|it| it.outbox.push_back(Out::Frame(frame.to_owned())));
        });
    }

    /// Forgets every session without a connection, so that a RESUME of it fails.
    pub fn forget_sessions(&self) {
        self.world.change(|world| world.gateway.sessions.retain(|_, session| session.connection.is_some()));
    }

    fn each(&self, mut act: impl FnMut(&mut Gateway, u64)) {
        self.world.change(|world| {
            let gateway = &mut world.gateway;
            gateway.connected().into_iter().for_each(|id| act(gateway, id));
        });
    }
}

impl Gateway {
    fn states(&self) -> Vec<SessionState> {
        self.sessions.iter().map(|(id, session)| session.state(id)).collect()
    }
}

fn ready(sessions: &[SessionState]) -> bool {
    sessions.iter().any(|session| session.connected)
}
