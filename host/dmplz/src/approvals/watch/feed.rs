//! What the gateway tells, over connections that may come and go.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use dmplz_core::text::Lang;
use dmplz_protocol::approval::Respond;
use dmplz_protocol::client::{Client, GatewayError, Incoming, Notification, read};
use dmplz_protocol::list::ListApprovals;
use dmplz_protocol::message::{Subscribe, Subscribed};
use dmplz_protocol::{Code, Event, Kind, Message, Standing};
use serde_json::{Map, Value, json};

use super::super::alerts;
use crate::gateway::{Place, soon};

/// A subscription that goes on after the gateway was away, with what happened meanwhile.
pub(super) struct Feed {
    socket: PathBuf,
    lang: Lang,
    client: Option<Client>,
    /// The last event that was told.
    last: Option<u64>,
    news: VecDeque<News>,
}

/// Something that happened.
pub(super) enum News {
    /// Connected; these are open, oldest first.
    Connected(Vec<Standing>),
    /// Messengers that are out, in words.
    Alerts(Vec<String>),
    /// The gateway is gone.
    Lost,
    Happened(Box<Event>),
}

impl Feed {
    /// Subscribes. Without a gateway it is an error here; later it is waited for.
    pub(super) fn open(place: &Place) -> Result<Self, GatewayError> {
        let (socket, lang) = (place.socket.clone(), place.lang);
        let mut feed = Self { socket, lang, client: None, last: None, news: VecDeque::new() };
        feed.connect()?;
        Ok(feed)
    }

    /// Readable when there may be news; none while there is no connection.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.client.as_ref().map(AsFd::as_fd)
    }

    /// Looks whether the gateway is back.
    pub(super) fn reconnect(&mut self) -> Result<(), GatewayError> {
        match self.connect() {
            Err(error @ (GatewayError::NotOurs { .. } | GatewayError::TooOld(_))) => Err(error),
            // Not yet, or gone again in the middle of it.
            _ => Ok(()),
        }
    }

    /// Gives the connection up.
    pub(super) fn lose(&mut self) {
        self.client = None;
    }

    /// The next thing that it said, if there is one.
    pub(super) fn take(&mut self) -> Result<Option<News>, GatewayError> {
        if let Some(news) = self.news.pop_front() {
            return Ok(Some(news));
        }
        // Until nothing is left that was received: what is left would not make the descriptor readable again.
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

    /// Answers a request. Returns where it stands then.
    pub(super) fn respond(&mut self, answer: &Respond) -> Result<Standing, GatewayError> {
        Ok(self.client.as_mut().ok_or(GatewayError::Lost)?.call(answer, soon())?.approval)
    }

    fn connect(&mut self) -> Result<(), GatewayError> {
        let mut client = Client::connect(&self.socket)?;
        let types = [Kind::APPROVALS, Kind::MESSENGERS].concat();
        let subscribed = match self.subscribe(&mut client, &types) {
            // An older gateway knows nothing of messengers.
            Err(error) if error.code() == Some(Code::PARAMS) => self.subscribe(&mut client, Kind::APPROVALS)?,
            subscribed => subscribed?,
        };
        self.last.get_or_insert(subscribed.last_event_id);
        self.news.push_back(News::Connected(open(&mut client)?));
        self.news.push_back(News::Alerts(alerts(&mut client, self.lang)));
        self.client = Some(client);
        Ok(())
    }

    fn subscribe(&self, client: &mut Client, types: &[Kind]) -> Result<Subscribed, GatewayError> {
        client.call(&Subscribe { after: self.last, types: Some(types.to_vec()) }, soon())
    }

    /// None for what a later gateway tells and this program does not know.
    fn happened(&mut self, told: Notification) -> Result<Option<Box<Event>>, GatewayError> {
        let known = Kind::APPROVALS.iter().chain(Kind::MESSENGERS).any(|kind| json!(kind) == told.method);
        if !known {
            return Ok(None);
        }
        let mut event: Map<String, Value> = read(told.raw())?;
        event.insert("type".to_owned(), told.method.into());
        let event: Event = serde_json::from_value(Value::Object(event)).map_err(GatewayError::Garbled)?;
        self.last = self.last.max(event.event_id);
        Ok(Some(Box::new(event)))
    }
}

impl News {
    /// As programs get it: the requests that are open at the start come first, without an event id.
    pub(super) fn objects(&self) -> Result<Vec<Value>, serde_json::Error> {
        match self {
            Self::Connected(open) => open.iter().map(requested).collect(),
            Self::Lost | Self::Alerts(_) => Ok(Vec::new()),
            Self::Happened(event) => Ok(vec![serde_json::to_value(event)?]),
        }
    }
}

fn requested(standing: &Standing) -> Result<Value, serde_json::Error> {
    let approval = Box::new(standing.clone());
    let message = Message::ApprovalRequested { approval };
    serde_json::to_value(Event { event_id: None, at_ms: standing.request.created_ms, message })
}

/// All that is open, oldest first.
fn open(client: &mut Client) -> Result<Vec<Standing>, GatewayError> {
    let mut all: Vec<Standing> = Vec::new();
    loop {
        let before = all.last().map(|last| last.request.id);
        let wanted = ListApprovals { limit: Some(ListApprovals::MOST), before, ..ListApprovals::default() };
        let page = client.call(&wanted, soon())?;
        let is_last = page.approvals.len() < ListApprovals::MOST as usize;
        all.extend(page.approvals);
        if is_last {
            all.reverse();
            return Ok(all);
        }
    }
}
