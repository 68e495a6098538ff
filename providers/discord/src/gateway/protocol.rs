//! The conversation with the gateway, without the wire: what comes in, and what is then to be done
//! (<https://discord.com/developers/docs/events/gateway>, version 10, JSON).
//!
//! | comes | then |
//! |---|---|
//! | HELLO (10) | RESUME where there is a place in a session, else IDENTIFY; the first heartbeat after a random part of the interval |
//! | READY | there is a session, resumed at the URL that it names |
//! | RESUMED | what was missed has come |
//! | INTERACTION_CREATE, MESSAGE_CREATE | it is told |
//! | any dispatch (0) | its number is noted, before it is told; one that was noted already is nothing: a RESUME may repeat |
//! | heartbeat (1) | a heartbeat, at most one a second |
//! | its acknowledgement (11) | the line is alive |
//! | reconnect (7) | leave; RESUME |
//! | invalid session (9) | leave for 1 to 5 s; RESUME where its `d` is true, else IDENTIFY |
//! | anything else at first, nonsense too | leave; as before |
//! | anything else later | nothing |
//! | the time for a heartbeat | a heartbeat; when the last one was not acknowledged, leave; RESUME |
//! | neither READY nor RESUMED for 20 s | leave; as before |
//! | an end | see [`mod@super::closing`] |

use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, from_str};

use super::place::Place;
use super::{chance, payload};

/// Milliseconds in which a connection must have come to READY or RESUMED; ours.
const PATIENCE: u64 = 20_000;
/// Milliseconds between two heartbeats at least, whatever Discord asks for: the host carries 120 frames a minute.
const ASKED: u64 = 1000;
/// Milliseconds of heartbeat interval that make sense; 41,250 is usual.
const INTERVALS: std::ops::RangeInclusive<i64> = 20..=600_000;
/// Milliseconds to stay away after an invalid session (docs/events/gateway#resuming: "a random amount of time, between
/// 1 and 5 seconds").
const AWAY: [u64; 2] = [1000, 4000];

/// How far the conversation is.
#[derive(Debug, Default)]
pub(crate) struct Protocol {
    /// Where it goes on; none before READY and where there is no session any more.
    pub(crate) place: Option<Place>,
    /// What sessions that are begun from now on ask for.
    pub(crate) intents: u64,
    /// When the open connection was opened.
    opened: u64,
    beat: Option<Beat>,
    ready: bool,
}

#[derive(Debug)]
struct Beat {
    interval: u64,
    due: u64,
    sent: u64,
    acknowledged: bool,
}

/// What is to be done.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    Nothing,
    /// Send this frame.
    Send(String),
    /// Somebody pressed or wrote: the interaction as it came.
    Told(Value),
    /// Somebody wrote: the message as it came.
    Written(Value),
    /// Close the connection, so that the session lives on, and open the next one after so many milliseconds.
    Leave(u64),
}

impl Protocol {
    /// Begins on a new connection.
    pub(crate) fn opened(&mut self, now: u64) {
        (self.opened, self.beat, self.ready) = (now, None, false);
    }

    /// Whether this connection carries a session.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready
    }

    /// When [`Protocol::tick`] has something to do.
    pub(crate) fn due(&mut self, now: u64) -> u64 {
        let patience = if self.ready { u64::MAX } else { self.opened.saturating_add(PATIENCE) };
        let Some(beat) = &mut self.beat else { return patience };
        // A clock that was set back must not put heartbeats off.
        beat.due = beat.due.min(now.saturating_add(beat.interval));
        beat.due.min(patience)
    }

    /// Does what its time has come for. Whoever calls it has taken all frames that are there: an acknowledgement that
    /// waits counts.
    pub(crate) fn tick(&mut self, now: u64) -> Step {
        if !self.ready && now >= self.opened.saturating_add(PATIENCE) {
            return Step::Leave(0);
        }
        match &mut self.beat {
            Some(beat) if now >= beat.due && !beat.acknowledged => Step::Leave(0),
            Some(beat) if now >= beat.due => {
                (beat.due, beat.acknowledged) = (now.saturating_add(beat.interval), false);
                self.heartbeat(now)
            }
            _ => Step::Nothing,
        }
    }

    /// Whether a heartbeat can go out although frames wait to be taken.
    pub(crate) fn may_beat(&self, now: u64) -> bool {
        self.beat.as_ref().is_some_and(|beat| beat.acknowledged && now >= beat.due)
    }

    /// Takes a frame.
    pub(crate) fn take(&mut self, frame: &str, now: u64) -> Step {
        match self.read(frame, now) {
            // Nobody greeted us, and nothing good can follow.
            Step::Nothing if self.beat.is_none() => Step::Leave(0),
            step => step,
        }
    }

    fn read(&mut self, frame: &str, now: u64) -> Step {
        let Ok(mut payload) = from_str::<Value>(frame) else { return Step::Nothing };
        match payload.int("op") {
            Some(payload::DISPATCH) => self.dispatch(&mut payload),
            Some(payload::HELLO) => self.hello(&payload, now),
            Some(payload::HEARTBEAT) if self.beat.as_ref().is_some_and(|beat| now.abs_diff(beat.sent) >= ASKED) => {
                self.heartbeat(now)
            }
            Some(payload::HEARTBEAT_ACK) => {
                self.beat.iter_mut().for_each(|beat| beat.acknowledged = true);
                Step::Nothing
            }
            Some(payload::RECONNECT) => Step::Leave(0),
            Some(payload::INVALID_SESSION) => {
                if !payload.flag("d") {
                    self.place = None;
                }
                let [least, more] = AWAY;
                Step::Leave(least + chance::below(more, now))
            }
            _ => Step::Nothing,
        }
    }

    fn hello(&mut self, payload: &Value, now: u64) -> Step {
        let interval = payload.get("d").and_then(|data| data.int("heartbeat_interval"));
        let interval = interval.filter(|interval| INTERVALS.contains(interval)).map(i64::unsigned_abs);
        let (Some(interval), None) = (interval, &self.beat) else { return Step::Nothing };
        let due = now.saturating_add(chance::below(interval, now));
        self.beat = Some(Beat { interval, due, sent: 0, acknowledged: true });
        Step::Send(self.place.as_ref().map_or_else(|| payload::identify(self.intents), payload::resume))
    }

    fn dispatch(&mut self, payload: &mut Value) -> Step {
        let sequence = payload.int("s").and_then(|sequence| u64::try_from(sequence).ok());
        if payload.text("t") == Some("RESUMED") {
            self.ready = true;
        }
        if let (Some(place), Some(sequence)) = (&mut self.place, sequence) {
            if sequence <= place.sequence {
                return Step::Nothing;
            }
            place.sequence = sequence;
        }
        let data = payload.get_mut("d").map(Value::take).unwrap_or_default();
        match payload.text("t") {
            Some("READY") => {
                let id = data.text("session_id").unwrap_or_default();
                self.place = Place::new(id, sequence.unwrap_or_default(), data.text("resume_gateway_url"));
                self.ready = true;
                Step::Nothing
            }
            Some("INTERACTION_CREATE") => Step::Told(data),
            Some("MESSAGE_CREATE") => Step::Written(data),
            _ => Step::Nothing,
        }
    }

    fn heartbeat(&mut self, now: u64) -> Step {
        self.beat.iter_mut().for_each(|beat| beat.sent = now);
        Step::Send(payload::heartbeat(self.place.as_ref().map(|place| place.sequence)))
    }
}
