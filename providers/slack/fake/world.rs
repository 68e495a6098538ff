use super::model::{Message, Revision, User};
use super::sockets::Sockets;
use crate::bucket::Bucket;
use bytes::Bytes;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Messages that a channel takes at once and one more each second (docs.slack.dev/apis/web-api/rate-limits: "generally
/// allows one message per second", with short bursts).
const BURST: u32 = 5;
const REFILL: Duration = Duration::from_secs(1);
/// How long a `trigger_id` lives (docs.slack.dev/surfaces/modals).
pub(crate) const TRIGGER: Duration = Duration::from_secs(3);

/// The scopes of the app's manifest in the documentation.
pub(crate) const SCOPES: [&str; 8] = [
    "app_mentions:read", "channels:read", "chat:write", "files:write", "groups:read", "im:history", "im:write",
    "users:read",
];

/// Everything that the workspace knows.
pub(crate) struct World {
    pub(crate) bot: User,
    /// Host and port of the server.
    pub(crate) address: String,
    pub(crate) users: BTreeMap<String, User>,
    pub(crate) channels: BTreeMap<String, Channel>,
    pub(crate) messages: Vec<Message>,
    pub(crate) uploads: BTreeMap<String, Upload>,
    pub(crate) whispers: Vec<Whisper>,
    pub(crate) scopes: BTreeSet<String>,
    /// What people did with buttons and modals, by its id.
    pub(crate) presses: BTreeMap<u64, Press>,
    pub(crate) sockets: Sockets,
    pub(crate) is_strict: bool,
    number: u64,
    time: u64,
}

/// A channel, or a direct message with the app.
pub(crate) struct Channel {
    pub(crate) name: String,
    /// The person of a direct message.
    pub(crate) with: Option<String>,
    /// Whether the app is in it.
    pub(crate) is_member: bool,
    /// The people who left it.
    pub(crate) left: BTreeSet<String>,
    bucket: Bucket,
}

/// A file on its way.
pub(crate) struct Upload {
    pub(crate) name: String,
    pub(crate) length: usize,
    pub(crate) bytes: Option<Bytes>,
}

/// A message that only one person sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Whisper {
    /// The channel where they see it.
    pub channel: String,
    /// The id of the person.
    pub user: String,
    /// What the person reads.
    pub said: Revision,
}

/// A press of a button, or a modal that was submitted.
#[derive(Clone, Debug)]
pub struct Press {
    /// The person who did it.
    pub user: User,
    /// The modal that it opened.
    pub modal: Option<serde_json::Value>,
    /// Whether Slack showed that it failed: no connection, or no acknowledgement within 3 s.
    pub failed: bool,
    /// Whether the app acknowledged it.
    pub acknowledged: bool,
    pub(crate) trigger: (String, Instant),
}

impl World {
    pub(crate) fn new() -> Self {
        let bot = User { id: "U0DMPLZBOT".to_owned(), name: "dmplz".to_owned(), is_bot: true };
        Self {
            users: BTreeMap::from([(bot.id.clone(), bot.clone())]),
            bot,
            address: String::new(),
            channels: BTreeMap::new(),
            messages: Vec::new(),
            uploads: BTreeMap::new(),
            whispers: Vec::new(),
            scopes: SCOPES.map(str::to_owned).into(),
            presses: BTreeMap::new(),
            sockets: Sockets::default(),
            is_strict: false,
            number: 0,
            time: 0,
        }
    }

    /// A number that was not used before.
    pub(crate) fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// A time that no message has: seconds and microseconds.
    pub(crate) fn ts(&mut self) -> String {
        let micros = u64::try_from(crate::clock::since_epoch().as_micros()).unwrap_or_default();
        self.time = micros.max(self.time + 1);
        format!("{}.{:06}", self.time / 1_000_000, self.time % 1_000_000)
    }

    pub(crate) fn open(&mut self, kind: char, name: &str, with: Option<&str>) -> String {
        let id = format!("{kind}{:09}", self.next());
        let channel = Channel {
            name: name.to_owned(),
            with: with.map(str::to_owned),
            is_member: true,
            left: BTreeSet::new(),
            bucket: Bucket::new(BURST, REFILL),
        };
        self.channels.insert(id.clone(), channel);
        id
    }

    /// The direct message with a person, which is opened where there was none.
    pub(crate) fn dm(&mut self, user: &str) -> String {
        let found = self.channels.iter().find(|(_, channel)| channel.with.as_deref() == Some(user));
        match found.map(|(id, _)| id.clone()) {
            Some(id) => id,
            None => self.open('D', "directmessage", Some(user)),
        }
    }

    /// Keeps a message; gives its time.
    pub(crate) fn write(&mut self, channel: &str, user: &User, said: Revision, thread: Option<String>) -> String {
        let ts = self.ts();
        self.messages.push(Message {
            channel: channel.to_owned(),
            ts: ts.clone(),
            thread_ts: thread,
            user: user.clone(),
            revisions: vec![said],
            files: Vec::new(),
            deleted: false,
            unfurls: false,
        });
        ts
    }

    /// Tells the app of something; whether it is connected.
    pub(crate) fn tell(&mut self, kind: &str, payload: Value, press: Option<u64>) -> bool {
        let number = self.next();
        self.sockets.tell(number, kind, payload, press)
    }

    /// Lets interactions fail that were not acknowledged, and sends events again.
    pub(crate) fn expire(&mut self, now: tokio::time::Instant) {
        for press in self.sockets.expire(now) {
            self.presses.entry(press).and_modify(|press| press.failed = true);
        }
    }

    /// Takes an acknowledgement; what is wrong with it.
    pub(crate) fn acknowledge(&mut self, frame: &str) -> Option<String> {
        let (press, wrong) = self.sockets.acknowledge(frame);
        if let Some(press) = press.and_then(|press| self.presses.get_mut(&press)) {
            press.acknowledged = true;
        }
        wrong
    }

    pub(crate) fn find(&mut self, channel: &str, ts: &str) -> Option<&mut Message> {
        self.messages.iter_mut().find(|it| it.channel == channel && it.ts == ts && !it.deleted)
    }

    /// Counts a message of the app in a channel; the wait where it is one too many.
    pub(crate) fn count(&mut self, channel: &str) -> Option<Duration> {
        let channel = self.channels.get_mut(channel).filter(|_| self.is_strict)?;
        channel.bucket.take().map(|_| REFILL)
    }
}
