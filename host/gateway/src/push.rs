//! Web push: notices for browsers that are paired, also while no page is open there.
//!
//! ```text
//! page ─ push.subscribe ─▶ subscriptions (one a browser, stored with its pairing)
//! bus ─ asked ─▶ queue of notices ([`CHANNEL`]) ─▶ envelopes, one a browser ─▶ the binary posts them
//! bus ─ ended ─▶ envelopes that take the notice away again (not queued: a lost one does no harm)
//! ```
//!
//! A subscription belongs to the session of a paired browser: before each use the session is looked up, so it ends with
//! the session, however that ends. It is stored with the pairing (`browsers`). A page that is paired again
//! subscribes anew; the gateway's key for push services (`vapid`) stays the same, so the browser asks nobody.
//!
//! A message names the tool and the folder, masked, and is encrypted for the browser (`seal`): the service sees a
//! length, which is the same for all short messages, and a topic, which is random like the request's id.

mod seal;
mod subscription;
mod vapid;
mod watch;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, MutexGuard};

use dmplz_core::notify::{EventKind, Occurrence};
use dmplz_core::present::heading;
use dmplz_core::redact::mask;
use dmplz_core::request::ApprovalScope;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::push::SubscribePush;
use dmplz_protocol::{Request, RequestId, Source, Status};
use serde_json::{Value, json};

use self::subscription::Subscription;
use self::vapid::VapidKey;
use crate::approvals::Approvals;
use crate::browsers::{Browsers, PageKey};
use crate::mutex::Mutex;
use crate::notices::Outgoing;
use crate::secret_file::SecretError;

pub use subscription::InvalidSubscription;

/// The name of the channel that needs no setting. No channel of the settings can have a name with a dot.
pub const CHANNEL: &str = "page.push";
/// What the id of a test begins with; the key of the browser follows.
const TEST: &str = "push-test:";
/// The most bytes of a notice's text. With all else in a message it stays below what services take, 4 KiB.
const LONGEST: usize = 1_500;
/// The most requests whose ids a message names.
const NAMED: usize = 16;
/// How long a service keeps a notice for a browser that is offline, in seconds.
const KEPT_S: u64 = 12 * 60 * 60;
/// The shortest time for which a service is told to keep a notice of a request, in seconds.
const LEAST_S: u64 = 60;
/// The first characters of a session's id that are shown.
const SESSION: usize = 8;

/// The subscriptions of paired browsers. Cheap to clone.
#[derive(Clone)]
pub struct Push(Arc<Shared>);

struct Shared {
    key: VapidKey,
    /// The origins of push services that the operator names. Only these may use plain HTTP or private addresses.
    services: Vec<String>,
    /// The paired browsers that subscriptions belong to.
    browsers: Browsers,
    held: Mutex<HashMap<PageKey, Held>>,
}

struct Held {
    subscription: Subscription,
    /// The requests whose notices this browser got.
    asked: BTreeSet<RequestId>,
}

/// One encrypted message for one browser, ready to be posted.
pub struct Envelope {
    /// Where it is posted to. Whoever knows the address can send to the browser, so it is a secret.
    pub url: String,
    /// Whether the operator named the service.
    pub is_operators: bool,
    /// The headers of the request.
    pub headers: Vec<(&'static str, String)>,
    /// The body of the request, encrypted for the browser.
    pub body: Vec<u8>,
    to: PageKey,
    about: Option<RequestId>,
}

/// What a message is about, and how a service treats it.
struct Draft {
    kind: &'static str,
    about: Option<RequestId>,
    topic: Option<String>,
    ttl_s: u64,
    urgency: &'static str,
}

impl Push {
    /// Opens web push with the key of a state directory, and takes up the subscriptions that are stored with the paired
    /// browsers. `services` are the origins of push services that the operator names.
    pub fn open(state: &Path, services: Vec<String>, browsers: Browsers) -> Result<Self, SecretError> {
        let key = VapidKey::open(state)?;
        let stored = browsers.subscriptions().into_iter().filter_map(|(browser, asked)| {
            // The operator may name other services by now; such a browser subscribes anew.
            let subscription = Subscription::read(&asked, &services).ok()?;
            Some((browser, Held { subscription, asked: BTreeSet::new() }))
        });
        let held = Mutex::new(stored.collect());
        Ok(Self(Arc::new(Shared { key, services, browsers, held })))
    }

    /// Returns the public key, as base64url.
    pub(crate) fn key(&self) -> &str {
        self.0.key.public()
    }

    /// Replaces the subscription of a browser.
    pub(crate) async fn subscribe(&self, browser: PageKey, asked: &SubscribePush) -> Result<(), InvalidSubscription> {
        let subscription = Subscription::read(asked, &self.0.services)?;
        let earlier: Vec<PageKey> = {
            let mut held = self.live();
            // The same browser under an earlier key would get everything twice.
            let is_same = |held: &Held| held.subscription.endpoint == subscription.endpoint;
            let earlier = held.iter().filter(|(_, held)| is_same(held)).map(|(key, _)| *key).collect();
            held.retain(|_, held| !is_same(held));
            held.insert(browser, Held { subscription, asked: BTreeSet::new() });
            earlier
        };
        for key in earlier {
            self.0.browsers.set_subscription(key, None);
        }
        self.0.browsers.set_subscription(browser, Some(asked.clone()));
        self.save().await;
        Ok(())
    }

    /// Forgets the subscription of a browser.
    pub(crate) async fn unsubscribe(&self, browser: PageKey) {
        self.0.held.lock().remove(&browser);
        self.0.browsers.set_subscription(browser, None);
        self.save().await;
    }

    /// Stores the subscriptions. Where that fails, they are of this run, and the page subscribes again by itself.
    async fn save(&self) {
        let _ = self.0.browsers.save().await;
    }

    /// Returns whether a browser is subscribed.
    pub(crate) fn is_on(&self, browser: PageKey) -> bool {
        self.live().contains_key(&browser)
    }

    /// Returns whether anybody is subscribed.
    pub fn is_wanted(&self) -> bool {
        !self.live().is_empty()
    }

    /// Returns the occurrence of a test, which goes to one browser.
    pub(crate) fn test_of(browser: PageKey, now_ms: u64) -> Occurrence {
        Occurrence::new(EventKind::Message, format!("{TEST}{}:{}", browser.hex(), uuid::Uuid::new_v4()), now_ms)
    }

    /// Returns the messages of a notice, one for each browser. There are none about a request that has ended.
    pub async fn envelopes(&self, outgoing: &Outgoing, approvals: &Approvals) -> Vec<Envelope> {
        let occurrence = &outgoing.occurrence;
        if let Some(rest) = occurrence.id.strip_prefix(TEST) {
            let key = rest.split(':').next().unwrap_or_default();
            let draft = Draft { ttl_s: LEAST_S, ..Draft::notice(&outgoing.uid) };
            let only = |browser: PageKey| browser.hex() == key;
            return self.write(
                &draft,
                only,
                outgoing.now_ms,
                |lang| json!({ "tag": "test", "title": "dmplz", "body": lang.words().notices.test }),
            );
        }
        if occurrence.event == EventKind::RequestAsked {
            let id = occurrence.id.rsplit(':').next().and_then(|id| id.parse::<RequestId>().ok());
            let Some(id) = id else { return Vec::new() };
            let standing = approvals.get(id).await.filter(|standing| matches!(standing.status, Status::Open));
            let Some(standing) = standing else { return Vec::new() };
            return self.of_request(&standing.request, approvals, outgoing.now_ms);
        }
        let notice = outgoing.notice.fit(LONGEST, char::len_utf8, outgoing.lang);
        let content = json!({ "tag": outgoing.uid, "title": notice.title, "body": notice.body });
        self.write(&Draft::notice(&outgoing.uid), |_| true, outgoing.now_ms, |_| content.clone())
    }

    fn of_request(&self, request: &Request, approvals: &Approvals, now_ms: u64) -> Vec<Envelope> {
        let draft = Draft {
            kind: "asked",
            about: Some(request.id),
            topic: Some(topic(request.id)),
            ttl_s: (request.expires_ms.saturating_sub(now_ms) / 1_000).max(LEAST_S),
            urgency: "high",
        };
        let open = waiting(approvals);
        self.write(
            &draft,
            |_| true,
            now_ms,
            |lang| {
                let mut content = json!({ "title": title(request, lang), "body": place(request, lang) });
                merge(&mut content, &answers(request, lang));
                merge(&mut content, &open);
                content
            },
        )
    }

    /// Returns the messages that take the notice of a request away, for the browsers that got it.
    pub fn ended(&self, id: RequestId, approvals: &Approvals) -> Vec<Envelope> {
        let had: Vec<PageKey> = {
            let mut held = self.live();
            let had = held.iter_mut().filter_map(|(browser, held)| {
                // Apple ends a subscription whose messages show nothing; its notices go with the next one, or on the page.
                (held.asked.remove(&id) && !held.subscription.is_apples()).then_some(*browser)
            });
            had.collect()
        };
        if had.is_empty() {
            return Vec::new();
        }
        let topic = Some(topic(id));
        let draft = Draft { kind: "ended", about: Some(id), topic, ttl_s: KEPT_S, urgency: "normal" };
        let open = waiting(approvals);
        self.write(&draft, |browser| had.contains(&browser), approvals.now_ms(), |_| open.clone())
    }

    /// Notes that a service accepted a message. Returns the messages that take its notice away again if the request ended
    /// while it was posted.
    pub async fn accepted(&self, envelope: &Envelope, approvals: &Approvals) -> Vec<Envelope> {
        let Some(id) = envelope.about else { return Vec::new() };
        if let Some(held) = self.0.held.lock().get_mut(&envelope.to) {
            held.asked.insert(id);
        }
        match approvals.get(id).await {
            Some(standing) if !matches!(standing.status, Status::Ended { .. }) => Vec::new(),
            _ => self.ended(id, approvals),
        }
    }

    /// Forgets the subscription that a message was for, because the service says that it has ended.
    pub fn gone(&self, envelope: &Envelope) {
        let mut held = self.0.held.lock();
        if held.get(&envelope.to).is_some_and(|held| held.subscription.endpoint == envelope.url) {
            held.remove(&envelope.to);
            // It is stored when the gateway next notes that it is there.
            self.0.browsers.set_subscription(envelope.to, None);
        }
    }

    /// Encrypts a message for each browser that is to get it. A browser whose key cannot be used gets none.
    fn write(
        &self,
        draft: &Draft,
        is_for: impl Fn(PageKey) -> bool,
        now_ms: u64,
        content: impl Fn(Lang) -> Value,
    ) -> Vec<Envelope> {
        let live = self.live();
        let wanted = live.iter().filter(|(browser, _)| is_for(**browser));
        let written = wanted.filter_map(|(browser, held)| {
            let mut content = content(held.subscription.lang);
            merge(
                &mut content,
                &json!({ "kind": draft.kind, "id": draft.about, "lang": held.subscription.lang.name() }),
            );
            let body = held.subscription.seal(content.to_string().as_bytes()).ok()?;
            let authorization = self.0.key.authorization(&held.subscription.origin, now_ms).ok()?;
            let mut headers = vec![
                ("content-type", "application/octet-stream".to_owned()),
                ("content-encoding", "aes128gcm".to_owned()),
                ("ttl", draft.ttl_s.to_string()),
                ("urgency", draft.urgency.to_owned()),
                ("authorization", authorization),
            ];
            headers.extend(draft.topic.clone().map(|topic| ("topic", topic)));
            let is_operators = held.subscription.is_operators;
            let url = held.subscription.endpoint.clone();
            let about = draft.about.filter(|_| draft.kind == "asked");
            Some(Envelope { url, is_operators, headers, body, to: *browser, about })
        });
        written.collect()
    }

    /// Returns the subscriptions whose browsers are still paired.
    fn live(&self) -> MutexGuard<'_, HashMap<PageKey, Held>> {
        let mut held = self.0.held.lock();
        held.retain(|browser, _| self.0.browsers.counts(*browser));
        held
    }
}

impl Draft {
    fn notice(uid: &str) -> Self {
        Self { kind: "notice", about: None, topic: Some(uid.to_owned()), ttl_s: KEPT_S, urgency: "normal" }
    }
}

/// Returns the topic of a request: a later message of the same topic replaces one that the service still holds.
fn topic(id: RequestId) -> String {
    id.to_string().replace('-', "")
}

/// Returns what a page's badge counts, and which notices still stand.
fn waiting(approvals: &Approvals) -> Value {
    match approvals.open_count() {
        0..=NAMED => {
            let open = approvals.open_where(|_| true);
            json!({ "waiting": open.len(), "open": open })
        }
        many => json!({ "waiting": many }),
    }
}

fn merge(content: &mut Value, more: &Value) {
    if let (Value::Object(content), Value::Object(more)) = (content, more) {
        content.extend(more.clone());
    }
}

fn title(request: &Request, lang: Lang) -> String {
    let is_of_client = !matches!(request.source, Source::Tool { .. });
    cut(mask(&heading(&request.tool, is_of_client, lang)).as_str(), LONGEST / 4)
}

/// Returns the answers that a notice of a request offers, if it takes a plain yes or no. A press on one only begins it on the page.
fn answers(request: &Request, lang: Lang) -> Value {
    if request.offer.plan || !request.offer.offers(&ApprovalScope::Once) {
        return json!({});
    }
    let words = lang.words();
    let answer = |answer, title: &str| json!({ "answer": answer, "title": title });
    json!({ "answers": [answer("approve", words.approve), answer("deny", words.deny)] })
}

/// Returns the folder's name and the beginning of the session's id.
fn place(request: &Request, lang: Lang) -> String {
    let cwd = mask(&request.cwd);
    let folder = cwd.as_str().trim_end_matches('/').rsplit('/').next().map(visible_line).unwrap_or_default();
    let session = request.source.session().map(|(id, _)| {
        let id: String = id.chars().take(SESSION).collect();
        fill(lang.words().notices.session, &[&visible_line(&id)])
    });
    let parts = [Some(cut(&folder, LONGEST / 4)), session];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Cuts a text to at most `most` bytes.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let kept: String =
        text.char_indices().take_while(|(at, c)| at + c.len_utf8() + '…'.len_utf8() <= most).map(|(_, c)| c).collect();
    format!("{kept}…")
}

impl fmt::Debug for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Envelope").field("headers", &self.headers.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) use seal::browser::Receiver;
