//! The gateway's events, over connections that may be lost and restored.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use dmplz_core::text::Lang;
use dmplz_protocol::approval::Respond;
use dmplz_protocol::client::{Client, GatewayError, Incoming, Notification, read};
use dmplz_protocol::message::Subscribe;
use dmplz_protocol::notify::SetPresence;
use dmplz_protocol::session::{GetSession, OneSession};
use dmplz_protocol::{Code, Event, Kind, Message, Method, Request, Source, Standing};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::super::{alerts, open};
use crate::gateway::{Place, connect, soon};

/// A subscription that continues after the gateway was away, with the events of the meantime.
pub(super) struct Feed {
    /// The session that is followed; then only its requests matter.
    session: Option<Uuid>,
    /// The state directory, in which the gateway's socket is.
    state: PathBuf,
    lang: Lang,
    client: Option<Client>,
    /// Whether a person reads it.
    is_read: bool,
    /// The last event that was returned.
    last: Option<u64>,
    news: VecDeque<News>,
}

/// An event for the watcher.
pub(super) enum News {
    /// Connected; these requests are open, oldest first.
    Connected(Vec<Standing>),
    /// The whole history of a session, after a connection.
    Session(Box<OneSession>),
    /// The unavailable messengers, as text.
    Alerts(Vec<String>),
    /// The gateway is gone.
    Lost,
    Happened(Box<Event>),
}

impl Feed {
    /// Subscribes. It is an error if no gateway runs now; a later loss is waited out. `is_read`: the gateway need not send
    /// what a person reads here.
    pub(super) fn open(place: &Place, session: Option<Uuid>, is_read: bool) -> Result<Self, GatewayError> {
        let (state, lang) = (place.state.clone(), place.lang);
        let mut feed = Self { session, state, lang, client: None, is_read, last: None, news: VecDeque::new() };
        feed.connect()?;
        Ok(feed)
    }

    /// Returns the descriptor that is readable when there may be events; `None` without a connection.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.client.as_ref().map(AsFd::as_fd)
    }

    /// Tries to reconnect to the gateway.
    pub(super) fn reconnect(&mut self) -> Result<(), GatewayError> {
        match self.connect() {
            Err(error @ (GatewayError::NotOurs { .. } | GatewayError::TooOld(_))) => Err(error),
            // It is not back yet, or was lost again.
            _ => Ok(()),
        }
    }

    /// Closes the connection.
    pub(super) fn lose(&mut self) {
        self.client = None;
    }

    /// Returns the next event, if there is one.
    pub(super) fn take(&mut self) -> Result<Option<News>, GatewayError> {
        if let Some(news) = self.news.pop_front() {
            return Ok(Some(news));
        }
        // Everything that was received is processed, because buffered messages would not make the descriptor readable
        // again.
        loop {
            let Some(client) = &mut self.client else { return Ok(None) };
            match client.ready() {
                Ok(Some(Incoming::Told(told))) => {
                    if let Some(event) = self.happened(told)? {
                        return Ok(Some(News::Happened(event)));
                    }
                }
                Ok(Some(Incoming::Answered(..))) => {}
                Ok(None) => return Ok(None),
                Err(GatewayError::Lost | GatewayError::Io(_)) => {
                    self.lose();
                    return Ok(Some(News::Lost));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Answers a request. Returns its status afterwards.
    pub(super) fn respond(&mut self, answer: &Respond) -> Result<Standing, GatewayError> {
        Ok(self.client.as_mut().ok_or(GatewayError::Lost)?.call(answer, soon())?.approval)
    }

    /// Calls a method about the session.
    pub(super) fn call<M: Method<Answer: DeserializeOwned>>(&mut self, params: &M) -> Result<M::Answer, GatewayError> {
        self.client.as_mut().ok_or(GatewayError::Lost)?.call(params, soon())
    }

    fn connect(&mut self) -> Result<(), GatewayError> {
        let mut client = connect(&self.state)?;
        let mut subscribed = Err(GatewayError::Lost);
        for types in subscriptions(self.session.is_some()) {
            subscribed = client.call(&Subscribe { after: self.last, types: Some(types) }, soon());
            if !matches!(&subscribed, Err(error) if error.code() == Some(Code::PARAMS)) {
                break;
            }
        }
        let subscribed = subscribed?;
        self.last.get_or_insert(subscribed.last_event_id);
        if self.is_read {
            match client.call(&SetPresence { visible: true }, soon()) {
                // An older gateway sends everything.
                Ok(_) | Err(GatewayError::Refused(_) | GatewayError::TooOld(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let mut open = open(&mut client)?;
        open.reverse();
        open.retain(|standing| self.is_of_interest(&standing.request));
        // First, because what was typed before it counts no more, and whoever sees the session may type.
        self.news.push_back(News::Connected(open));
        if let Some(id) = self.session {
            self.news.push_back(News::Session(Box::new(client.call(&GetSession { id }, soon())?)));
        }
        self.news.push_back(News::Alerts(alerts(&mut client, self.lang)));
        self.client = Some(client);
        Ok(())
    }

    /// `None` for an event of a later gateway that this program does not know.
    fn happened(&mut self, told: Notification) -> Result<Option<Box<Event>>, GatewayError> {
        let kinds = Kind::APPROVALS.iter().chain(Kind::MESSENGERS).chain(&[Kind::SessionEvent, Kind::SessionPartial]);
        let known = kinds.into_iter().any(|kind| json!(kind) == told.method);
        if !known {
            return Ok(None);
        }
        let mut event: Map<String, Value> = read(told.raw())?;
        event.insert("type".to_owned(), told.method.into());
        let event: Event = serde_json::from_value(Value::Object(event)).map_err(GatewayError::Garbled)?;
        self.last = self.last.max(event.event_id);
        let is_of_interest = match &event.message {
            Message::ApprovalRequested { approval }
            | Message::ApprovalDenied { approval }
            | Message::ApprovalResolved { approval } => self.is_of_interest(&approval.request),
            Message::SessionEvent { session_id, .. } | Message::SessionPartial { session_id, .. } => {
                self.session == Some(*session_id)
            }
            _ => true,
        };
        Ok(is_of_interest.then(|| Box::new(event)))
    }

    fn is_of_interest(&self, request: &Request) -> bool {
        let Some(session) = self.session else { return true };
        matches!(&request.source, Source::Session { session_id, .. } if *session_id == session.to_string())
    }
}

/// Returns the kinds of events to subscribe to, and what to ask an older gateway for that refuses a kind it does not know: each time
/// without the kinds that came last.
fn subscriptions(follows_a_session: bool) -> Vec<Vec<Kind>> {
    let events = [Kind::APPROVALS, Kind::MESSENGERS].concat();
    let of_sessions = [events.as_slice(), &[Kind::SessionEvent]].concat();
    let partial = [of_sessions.as_slice(), &[Kind::SessionPartial]].concat();
    let all = if follows_a_session { vec![partial, of_sessions] } else { vec![events] };
    all.into_iter().chain([Kind::APPROVALS.to_vec()]).collect()
}

impl News {
    /// Returns the events for programs: first the requests that are open at the start, without an event id.
    pub(super) fn objects(&self) -> Result<Vec<Value>, serde_json::Error> {
        match self {
            Self::Connected(open) => open.iter().map(requested).collect(),
            Self::Lost | Self::Alerts(_) | Self::Session(_) => Ok(Vec::new()),
            Self::Happened(event) => Ok(vec![serde_json::to_value(event)?]),
        }
    }
}

fn requested(standing: &Standing) -> Result<Value, serde_json::Error> {
    let approval = Box::new(standing.clone());
    let message = Message::ApprovalRequested { approval };
    serde_json::to_value(Event { event_id: None, at_ms: standing.request.created_ms, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_gateway_is_asked_for_less_each_time_and_for_session_events_as_long_as_it_may_know_them() {
        for follows in [true, false] {
            let lists = subscriptions(follows);
            let shorter = lists.windows(2).all(|pair| pair[1].iter().all(|kind| pair[0].contains(kind)));
            assert!(shorter && lists.last().is_some_and(|last| last == Kind::APPROVALS), "{lists:?}");
        }
        let before_partial = &subscriptions(true)[1];
        assert!(before_partial.contains(&Kind::SessionEvent) && !before_partial.contains(&Kind::SessionPartial));
    }
}
