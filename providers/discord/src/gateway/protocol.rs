//! The gateway's protocol without I/O: received frames, and the steps that follow
//! (<https://discord.com/developers/docs/events/gateway>, version 10, JSON).
//!
//! | received | then |
//! |---|---|
//! | HELLO (10) | RESUME if there is a place in a session, else IDENTIFY; the first heartbeat after a random part of the interval |
//! | READY | the session is established, to be resumed at the URL that it names |
//! | RESUMED | all missed events have arrived |
//! | INTERACTION_CREATE, MESSAGE_CREATE | it is returned |
//! | any dispatch (0) | its number is recorded before it is returned; one that was recorded before is ignored, because a RESUME may repeat it |
//! | heartbeat (1) | a heartbeat, at most one per second |
//! | its acknowledgement (11) | the connection is alive |
//! | reconnect (7) | disconnect; RESUME |
//! | invalid session (9) | disconnect for 1 to 5 s; RESUME if its `d` is true, else IDENTIFY |
//! | anything else as the first frame, also an invalid one | disconnect; as before |
//! | anything else later | ignored |
//! | the time for a heartbeat | a heartbeat; if the last one was not acknowledged, disconnect; RESUME |
//! | neither READY nor RESUMED for 20 s | disconnect; as before |
//! | a close | see [`mod@super::closing`] |

use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, from_str};

use super::place::Place;
use super::{chance, payload};

/// The milliseconds in which a connection must reach READY or RESUMED; our choice.
const PATIENCE: u64 = 20_000;
/// The least milliseconds between two heartbeats, whatever Discord asks for: the host permits 120 frames a minute.
const ASKED: u64 = 1000;
/// The accepted milliseconds of a heartbeat interval; 41,250 is usual.
const INTERVALS: std::ops::RangeInclusive<i64> = 20..=600_000;
/// The milliseconds to wait after an invalid session (docs/events/gateway#resuming: "a random amount of time, between
/// 1 and 5 seconds").
const AWAY: [u64; 2] = [1000, 4000];

/// The state of the conversation.
#[derive(Debug, Default)]
pub(crate) struct Protocol {
    /// The place at which the session continues; `None` before READY and if the session is over.
    pub(crate) place: Option<Place>,
    /// The intents of sessions that are started from now on.
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

/// The next step.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    Nothing,
    /// Send this frame.
    Send(String),
    /// An interaction arrived: a press or a form.
    Interaction(Value),
    /// A message arrived.
    Written(Value),
    /// Close the connection in a way that keeps the session, and open the next one after that many milliseconds.
    Leave(u64),
}

impl Protocol {
    /// Starts on a new connection.
    pub(crate) fn opened(&mut self, now: u64) {
        (self.opened, self.beat, self.ready) = (now, None, false);
    }

    /// Returns whether this connection carries a session.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready
    }

    /// Returns when [`Protocol::tick`] has something to do.
    pub(crate) fn due(&mut self, now: u64) -> u64 {
        let patience = if self.ready { u64::MAX } else { self.opened.saturating_add(PATIENCE) };
        let Some(beat) = &mut self.beat else { return patience };
        // A clock that was set back must not delay heartbeats.
        beat.due = beat.due.min(now.saturating_add(beat.interval));
        beat.due.min(patience)
    }

    /// Performs the steps that are due. The caller must have taken all received frames, because a waiting
    /// acknowledgement counts.
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

    /// Returns whether a heartbeat can be sent although received frames wait.
    pub(crate) fn may_beat(&self, now: u64) -> bool {
        self.beat.as_ref().is_some_and(|beat| beat.acknowledged && now >= beat.due)
    }

    /// Processes a received frame.
    pub(crate) fn take(&mut self, frame: &str, now: u64) -> Step {
        match self.read(frame, now) {
            // The first frame was not HELLO, so the connection is useless.
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
        let sequence = payload.count("s");
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
            Some("INTERACTION_CREATE") => Step::Interaction(data),
            Some("MESSAGE_CREATE") => Step::Written(data),
            _ => Step::Nothing,
        }
    }

    fn heartbeat(&mut self, now: u64) -> Step {
        self.beat.iter_mut().for_each(|beat| beat.sent = now);
        Step::Send(payload::heartbeat(self.place.as_ref().map(|place| place.sequence)))
    }
}
