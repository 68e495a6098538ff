//! Runs a card from its post to its end over a recorded exchange with the real messenger:
//!
//! ```json
//! {
//!   "transport": "polling",
//!   "settings": { "server": "https://chat.example" },
//!   "chat": { "room": "r1" },
//!   "press": { "choice": "approve", "user": "u1" },
//!   "exchanges": [
//!     { "request": { "method": "POST", "url": "https://chat.example/messages", "json": { "room": "r1" } },
//!       "reply": { "status": 200, "headers": {}, "json": { "id": "m1" } } }
//!   ]
//! }
//! ```
//!
//! | part | rule |
//! |---|---|
//! | `transport` | the transport of the recording; by default the first one of the manifest that is not persistent, or else its first |
//! | `press` | absent if people press over a WebSocket, which reaches no server here |
//! | a request | answered by the first unused exchange with its method and URL, whose `json`, if there is one, is contained in its body: each key of an object, each element of a list |
//! | secrets | are written as their placeholders: `https://chat.example/bot{secret:token}/send` |
//! | a reply | `json` or `text`, or neither for an empty body |
//! | a request without an exchange | finds the server unreachable, and breaks the promise `exchange`; so does an unused exchange |
//! | the card | has the tag `RecordedCard01` and the choices `approve`, `session` and `deny` |
//! | the clock | is stopped at 2027-01-15T08:00:00Z, 1,800,000,000,000 ms |

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use dmplz_core::messenger::{Chat, Chosen, Event, Manifest, MessageRef, Tenure, Users, Watch};
use dmplz_plugin::{Exchange, HttpBackend, Provider};
use http::{Request, Response};
use serde::Deserialize;
use serde_json::Value;

use super::WITHIN;
use super::example::{TAG, choices, end, question};
use super::promise::{OF_A_RECORDING, Promise, Report, Why};
use super::subject::Subject;
use crate::plain_file;

/// The maximum size of a file with a recording, in bytes.
const LARGEST: u64 = 64 << 20;
/// Looks until the press must have come.
const LOOKS: usize = 8;

/// A recorded exchange.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Recording {
    pub(super) transport: Option<String>,
    #[serde(default)]
    pub(super) settings: BTreeMap<String, String>,
    chat: Chat,
    press: Option<Press>,
    exchanges: Vec<Recorded>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Press {
    choice: String,
    user: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Recorded {
    request: Asked,
    reply: Reply,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Asked {
    method: String,
    url: String,
    json: Option<Value>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Reply {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    json: Option<Value>,
    text: Option<String>,
}

/// A server that answers with recorded replies.
struct Tape {
    left: Mutex<Vec<Recorded>>,
    unknown: Mutex<Vec<String>>,
    /// The made-up secrets, by their placeholders.
    placeholders: Box<dyn Fn(&str) -> String + Send + Sync>,
}

impl Recording {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = plain_file::read(path, LARGEST).with_context(|| format!("{} cannot be read", path.display()))?;
        let context = || format!("{} is no recorded exchange", path.display());
        // serde would read a list as the fields of an object, in their order.
        ensure!(text.trim_ascii_start().starts_with(b"{"), "{}: it is no JSON object", context());
        serde_json::from_slice(&text).with_context(context)
    }

    /// Returns the name of the provider's transport that it is of; `None` if the provider does not have it.
    pub(super) fn transport<'m>(&self, manifest: &'m Manifest) -> Option<&'m str> {
        manifest.transport(self.transport.as_deref(), Tenure::Request).map(|of| of.name.as_str())
    }

    /// Posts a card, waits for the press, acknowledges it and shows the end.
    pub(super) async fn play(
        &self,
        subject: &Arc<Subject>,
        transport: &str,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        let secrets = Arc::clone(subject);
        let tape = Arc::new(Tape {
            left: Mutex::new(self.exchanges.clone()),
            unknown: Mutex::default(),
            placeholders: Box::new(move |text| secrets.without_secrets(text)),
        });
        let provider = subject.start(transport, Arc::<Tape>::clone(&tape)).await.context("it cannot be started")?;
        let broken = |report: &mut Report, promise, what: &str| report.broken(promise, Some(transport), what);
        if let Err((promise, why)) = self.story(subject, &provider, transport, report).await {
            broken(report, promise, &why);
            let after = OF_A_RECORDING.iter().skip_while(|other| **other != promise).skip(1);
            let after: Vec<_> = after.copied().filter(|other| *other != Promise::Exchange).collect();
            report.not_asked(&after, Some(transport), Why::Before);
        }
        report.kept(Promise::Exchange, Some(transport));
        for unknown in tape.unknown.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            broken(report, Promise::Exchange, &format!("it asks what was not recorded: {unknown}"));
        }
        for left in tape.left.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let Asked { method, url, .. } = &left.request;
            broken(report, Promise::Exchange, &format!("it never asks: {method} {url}"));
        }
        Ok(())
    }

    /// Runs one request from its card to its end. The error is the broken promise, and what happened instead.
    async fn story(
        &self,
        subject: &Subject,
        provider: &Provider,
        transport: &str,
        report: &mut Report,
    ) -> Result<(), (Promise, String)> {
        let posting = |what| move |error| (Promise::Posted, format!("{what}: {error}"));
        let open = provider.open(&self.chat, WITHIN).await.map_err(posting("open"))?;
        let card = provider.post(&open, &question(), WITHIN).await.map_err(posting("post"))?;
        report.kept(Promise::Posted, Some(transport));
        match &self.press {
            Some(wanted) => {
                let press = self.await_press(wanted, subject, provider, &card).await;
                let press = press.map_err(|why| (Promise::Pressed, why))?;
                report.kept(Promise::Pressed, Some(transport));
                let told = provider.acknowledge(&press, Some("Noted."), WITHIN).await;
                told.map_err(|error| (Promise::Acknowledged, format!("acknowledge: {error}")))?;
                report.kept(Promise::Acknowledged, Some(transport));
            }
            None => report.not_asked(&[Promise::Pressed, Promise::Acknowledged], Some(transport), Why::NoServer),
        }
        let ended = provider.revise(&card, &end(), WITHIN).await;
        ended.map_err(|error| (Promise::Ended, format!("revise: {error}")))?;
        report.kept(Promise::Ended, Some(transport));
        Ok(())
    }

    async fn await_press(
        &self,
        wanted: &Press,
        subject: &Subject,
        provider: &Provider,
        card: &MessageRef,
    ) -> Result<Chosen, String> {
        let watching = [Watch { message: card.clone(), tag: TAG.to_owned(), choices: choices(), text: false }];
        let (mut cursor, mut seen) = (String::new(), Vec::new());
        for _ in 0..LOOKS {
            let batch = match provider.receive(&cursor, &watching, Duration::ZERO, WITHIN).await {
                Ok(batch) => batch,
                Err(error) if seen.is_empty() => return Err(format!("receive: {error}")),
                Err(error) => return Err(format!("receive: it brought {}, then: {error}", seen.join(", "))),
            };
            for event in batch.events {
                match event {
                    Event::Chosen(press) if wanted.is_it(&press, card, subject) => return Ok(press),
                    other => seen.push(told(&other)),
                }
            }
            cursor = batch.cursor;
        }
        let instead = if seen.is_empty() { "nothing".to_owned() } else { seen.join(", ") };
        Err(format!("receive: {LOOKS} looks brought {instead}, and no press of {} on the card", wanted.choice))
    }
}

impl Press {
    fn is_it(&self, press: &Chosen, card: &MessageRef, subject: &Subject) -> bool {
        let on_card = press.message == *card || press.tag.as_deref() == Some(TAG);
        let is_user = || self.user.as_ref().is_none_or(|wanted| press.user.id == *wanted);
        on_card && press.choice == self.choice && (subject.manifest.users == Users::Anonymous || is_user())
    }
}

/// Describes an event that was not expected.
fn told(event: &Event) -> String {
    match event {
        Event::Chosen(press) => {
            format!("a press of {} by {} on the message {}", press.choice, press.user.id, press.message.id)
        }
        Event::Said(said) => format!("words of {}", said.user.id),
    }
}

impl HttpBackend for Tape {
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_> {
        let url = (self.placeholders)(&request.uri().to_string());
        let (method, body) = (request.method().as_str(), String::from_utf8_lossy(request.body()));
        // The host itself sends a secret in a body, where it exchanges it.
        let body = (self.placeholders)(&body);
        let sent = serde_json::from_str::<Value>(&body).unwrap_or_default();
        let is_it = |recorded: &Recorded| {
            let Asked { method: of, url: to, json } = &recorded.request;
            of == method && same_url(to, &url) && json.as_ref().is_none_or(|json| is_within(json, &sent))
        };
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let found = left.iter().position(is_it).map(|at| left.remove(at).reply);
        drop(left);
        if found.is_none() {
            let body = body.chars().take(300).collect::<String>();
            let asked = format!("{method} {url} {body}");
            self.unknown.lock().unwrap_or_else(PoisonError::into_inner).push(asked.trim_end().to_owned());
        }
        Box::pin(async move { found.ok_or_else(|| io::Error::other("it was not recorded"))?.response() })
    }
}

/// Returns whether two URLs are the same. A URL without a path is sent with the path `/`.
fn same_url(recorded: &str, sent: &str) -> bool {
    recorded == sent || sent.strip_suffix('/') == Some(recorded)
}

impl Reply {
    fn response(self) -> io::Result<Response<Bytes>> {
        let body = match (self.json, self.text) {
            (Some(json), _) => json.to_string(),
            (None, text) => text.unwrap_or_default(),
        };
        let reply = Response::builder().status(self.status);
        let reply = self.headers.iter().fold(reply, |reply, (name, value)| reply.header(name, value));
        reply.body(body.into()).map_err(io::Error::other)
    }
}

/// Returns whether all that was recorded of a body is in what was sent.
fn is_within(recorded: &Value, sent: &Value) -> bool {
    match (recorded, sent) {
        (Value::Object(recorded), Value::Object(sent)) => {
            recorded.iter().all(|(key, value)| sent.get(key).is_some_and(|sent| is_within(value, sent)))
        }
        (Value::Array(recorded), Value::Array(sent)) => {
            recorded.len() == sent.len() && recorded.iter().zip(sent).all(|(recorded, sent)| is_within(recorded, sent))
        }
        (recorded, sent) => recorded == sent,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_may_hold_more_than_was_recorded_of_it() {
        let sent = json!({ "room": "r1", "buttons": [{ "id": "approve", "label": "✅" }], "n": 1 });
        for (recorded, is) in [
            (json!({}), true),
            (json!({ "room": "r1" }), true),
            (json!({ "buttons": [{ "id": "approve" }] }), true),
            (json!({ "buttons": [] }), false),
            (json!({ "room": "r2" }), false),
            (json!({ "none": null }), false),
            (json!("r1"), false),
        ] {
            assert_eq!(is_within(&recorded, &sent), is, "{recorded}");
        }
    }

    #[tokio::test]
    async fn a_secret_in_a_body_is_recorded_as_its_placeholder() {
        let exchange = json!({
            "request": { "method": "POST", "url": "https://chat.example/login", "json": { "grant": "{secret:login}" } },
            "reply": { "status": 200 },
        });
        let tape = Tape {
            left: Mutex::new(vec![serde_json::from_value(exchange).unwrap()]),
            unknown: Mutex::default(),
            placeholders: Box::new(|text| text.replace("refresh-0", "{secret:login}")),
        };
        let login =
            || Request::post("https://chat.example/login").body(Bytes::from(r#"{"grant":"refresh-0"}"#)).unwrap();
        assert_eq!(tape.exchange(login()).await.unwrap().status(), 200);
        assert!(tape.exchange(login()).await.is_err());
        let unknown = tape.unknown.into_inner().unwrap();
        assert_eq!(unknown, [r#"POST https://chat.example/login {"grant":"{secret:login}"}"#]);
    }

    #[test]
    fn a_recording_with_an_unknown_key_is_refused() {
        let recording = json!({ "chat": { "room": "r" }, "press": { "choice": "deny" }, "exchanges": [] });
        assert!(serde_json::from_value::<Recording>(recording.clone()).is_ok());
        let mut other = recording;
        other["exchange"] = json!([]);
        assert!(serde_json::from_value::<Recording>(other).is_err());
    }
}
