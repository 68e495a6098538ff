//! The methods with which tests observe the gateway and cause its faults.

use crate::discord::FakeDiscord;
use crate::discord::world::World;
use crate::discord::world::gateway::payload::{self, Close};
use crate::discord::world::gateway::{Acks, Frame, Gateway, Out, SessionState};
use crate::watched::Watched;
use std::sync::Arc;
use std::time::Duration;

/// The gateway of a [`FakeDiscord`]. A cheap handle.
#[derive(Clone)]
pub struct FakeGateway {
    world: Arc<Watched<World>>,
    url: String,
}

impl FakeDiscord {
    /// Returns a handle to the gateway.
    pub fn gateway(&self) -> FakeGateway {
        FakeGateway { world: Arc::clone(&self.world), url: format!("ws://{}", self.server.address()) }
    }
}

impl FakeGateway {
    /// Returns `ws://127.0.0.1:PORT`, as `GET /gateway/bot` does.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns every session that can still be used.
    pub fn sessions(&self) -> Vec<SessionState> {
        self.world.read(|world| world.gateway.states())
    }

    /// Waits for at most `wait` until the sessions satisfy `wanted`. Returns whether they do.
    pub async fn await_sessions(&self, wait: Duration, mut wanted: impl FnMut(&[SessionState]) -> bool) -> bool {
        let as_wanted = |world: &mut World| wanted(&world.gateway.states()).then_some(());
        self.world.within(wait, as_wanted).await.is_some()
    }

    /// As [`FakeGateway::await_sessions`], for a thread without a runtime.
    pub fn await_sessions_blocking(&self, wait: Duration, mut wanted: impl FnMut(&[SessionState]) -> bool) -> bool {
        let as_wanted = |world: &mut World| wanted(&world.gateway.states()).then_some(());
        self.world.within_blocking(wait, as_wanted).is_some()
    }

    /// Waits for at most `wait` until READY or RESUMED is sent to a client. Returns whether it was.
    pub async fn await_ready(&self, wait: Duration) -> bool {
        self.await_sessions(wait, ready).await
    }

    /// As [`FakeGateway::await_ready`], for a thread without a runtime.
    pub fn await_ready_blocking(&self, wait: Duration) -> bool {
        self.await_sessions_blocking(wait, ready)
    }

    /// Returns the text frames so far, in both directions.
    pub fn frames(&self) -> Vec<Frame> {
        self.world.read(|world| world.gateway.frames.passed.clone())
    }

    /// Returns the number of text frames so far, without a copy of them.
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

    /// Returns the number of connections so far.
    pub fn connections(&self) -> u64 {
        self.world.read(|world| world.gateway.opened)
    }

    /// Sets the heartbeat interval of the next HELLO, by default 41.25 s. A client that is silent for twice as long is
    /// closed with 4009.
    pub fn set_heartbeat_interval(&self, interval: Duration) {
        self.world.change(|world| world.gateway.heartbeat = interval);
    }

    /// Sets how heartbeats are acknowledged from now on.
    pub fn set_acks(&self, acks: Acks) {
        self.world.change(|world| world.gateway.acks = acks);
    }

    /// Holds back all outgoing frames, on connections that stay open, or sends what was held back.
    pub fn set_silent(&self, silent: bool) {
        self.world.change(|world| world.gateway.silent = silent);
    }

    /// Sets the HTTP status with which new connections are refused; `None` accepts them again.
    pub fn refuse(&self, status: Option<u16>) {
        self.world.change(|world| world.gateway.refused = status);
    }

    /// Closes the next `times` connections with this code as soon as they start or resume a session, as Discord does
    /// with clients that may have none.
    pub fn turn_away(&self, code: u16, times: usize) {
        self.world.change(|world| world.gateway.turned_away = (code, times));
    }

    /// Sets the time for which a session without a connection can be resumed, by default 3 minutes.
    pub fn set_session_life(&self, life: Duration) {
        self.world.change(|world| world.gateway.session_life = life);
    }

    /// Sets how many of the 1000 sessions may still be started today.
    pub fn set_starts(&self, remaining: u64) {
        self.world.change(|world| world.gateway.starts = remaining);
    }

    /// Breaks every connection now, without a closing frame.
    pub fn cut(&self) {
        self.each(|gateway, id| gateway.connections.get_mut(&id).into_iter().for_each(|it| it.cut()));
    }

    /// Breaks a connection after the `frames`-th text frame from now on, in either direction. A client's last frame is
    /// still processed. With 0 the next connection breaks before HELLO. This happens once; see [`FakeGateway::cuts`].
    pub fn cut_after(&self, frames: usize) {
        self.world.change(|world| world.gateway.frames.cut_after = Some(frames));
    }

    /// Returns how often [`FakeGateway::cut_after`] broke a connection.
    pub fn cuts(&self) -> usize {
        self.world.read(|world| world.gateway.frames.cuts)
    }

    /// Tells every client to reconnect and resume (op 7); the connections stay open.
    pub fn reconnect(&self) {
        self.each(|gateway, id| gateway.push(id, payload::reconnect()));
    }

    /// Tells every client that its session is invalid (op 9), and removes the session unless it is `resumable`. The
    /// connections stay open, and accept IDENTIFY or RESUME.
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

    /// Closes every connection with this code. Some codes also end the session.
    pub fn close(&self, code: u16) {
        self.each(|gateway, id| _ = gateway.close(id, Close(code), ""));
    }

    /// Asks every client for a heartbeat (op 1).
    pub fn ask_for_heartbeat(&self) {
        self.each(|gateway, id| gateway.push(id, payload::heartbeat_request()));
    }

    /// Sends this text to every client, even if it is not a valid frame.
    pub fn send(&self, frame: &str) {
        self.each(|gateway, id| {
            let connection = gateway.connections.get_mut(&id);
            connection.into_iter().for_each(|it| it.outbox.push_back(Out::Frame(frame.to_owned())));
        });
    }

    /// Removes every session without a connection, so that its RESUME fails.
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

fn ready(sessions: &[SessionState]) -> bool {
    sessions.iter().any(|session| session.connected)
}
