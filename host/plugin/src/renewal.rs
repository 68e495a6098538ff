//! Secrets that are exchanged for a token before they are used, and again when the token is good no more (`renewal` in
//! `wit/provider.wit`): a refresh token of OAuth, or a password. The component sees neither.
//!
//! | when a request, or the handshake of a socket, carries such a secret | so |
//! |---|---|
//! | there is a token, which has not expired | it is filled in |
//! | there is none, or it has expired | the secret is exchanged first |
//! | the reply is 401 | it is exchanged once, and the request sent again |
//! | the server does not take the secret any more (4xx) | the component sees a 401, and the log says why |
//! | the server cannot be reached, or answers nonsense | the component sees that |
//!
//! What a server gave is kept before it is used, in a file of the host, because a secret that follows another may be the only one
//! that still counts. One process exchanges at a time; the others take what it got. If the operator writes another secret, what was
//! kept of the former one counts no more.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::messenger::{Lifetime, Manifest, Renewal};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokio::time::{Instant, sleep, timeout};
use url::form_urlencoded;
use uuid::Uuid;

use crate::bindings::http::Error;
use crate::egress::{Egress, Origin, Outgoing, is_usable, setting_of, whole};
use crate::exchange::{NoReply, exchange};
use crate::network::Client;
use crate::{Account, Clock, MemoryStorage, Secret, Storage};

/// How long one exchange may take.
const EXCHANGE: Duration = Duration::from_secs(20);
/// How long another process may take for its exchange before this one begins its own, in milliseconds.
const CLAIM_MS: u64 = 30_000;
/// How often it is looked whether that process is done.
const LOOKS: Duration = Duration::from_millis(200);
/// The largest reply to an exchange, in bytes.
const REPLY: usize = 64 << 10;
/// How long before its end a token is not used any more, in milliseconds: a tenth of its time, and at most this.
const MARGIN_MS: u64 = 60_000;

/// The secrets of an account that are exchanged.
pub(crate) struct Renewals {
    secrets: Vec<Renewable>,
    egress: Arc<Egress>,
    client: Arc<Client>,
    storage: Arc<dyn Storage>,
    clock: Arc<dyn Clock>,
    /// One exchange at a time.
    turn: tokio::sync::Mutex<()>,
}

/// A secret that is exchanged.
struct Renewable {
    name: String,
    renewal: Renewal,
    /// What the operator gave.
    given: Secret,
    /// Says which secret of the operator the kept token came from, without telling it.
    mark: String,
    url: String,
    /// The fields of the body, with settings filled in.
    fields: Vec<(String, String)>,
}

/// What is kept of one secret.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Kept {
    mark: String,
    token: Option<String>,
    /// What has followed the operator's secret.
    successor: Option<String>,
    /// When the token is good no more, in Unix milliseconds.
    until_ms: Option<u64>,
    /// The process that exchanges it, and until when the others wait for it, in Unix milliseconds.
    claim: Option<(Uuid, u64)>,
}

type AllKept = BTreeMap<String, Kept>;

impl Renewals {
    /// Returns those of a valid manifest that the operator gave.
    pub(crate) fn new(
        manifest: &Manifest,
        account: &Account,
        egress: Arc<Egress>,
        client: Arc<Client>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let setting = |name: &str| account.setting(manifest, name).unwrap_or_default();
        let filled = |text: &str| setting_of(text).map_or_else(|| text.to_owned(), |name| setting(name).to_owned());
        let secrets = manifest.secrets.iter().filter_map(|spec| {
            let (renewal, given) = (spec.renewal.clone()?, account.secrets.get(&spec.name)?.clone());
            let url = match renewal.on_setting() {
                Some((name, path)) => format!("{}{path}", setting(name).trim().trim_end_matches('/')),
                None => renewal.url.clone(),
            };
            let fields = renewal.fields.iter().map(|(name, value)| (name.clone(), filled(value))).collect();
            let mark = hex::encode(Sha256::digest(given.expose())).chars().take(16).collect();
            Some(Renewable { name: spec.name.clone(), renewal, given, mark, url, fields })
        });
        let storage = account.tokens.clone().unwrap_or_else(|| Arc::new(MemoryStorage::default()));
        let (secrets, turn) = (secrets.collect(), tokio::sync::Mutex::default());
        Self { secrets, egress, client, storage, clock, turn }
    }

    /// Returns the names of those whose placeholder is in one of these texts.
    pub(crate) fn named_in<'a>(&'a self, texts: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<&'a str> {
        let is_in = |secret: &&Renewable| {
            let placeholder = format!("{{secret:{}}}", secret.name);
            texts.clone().any(|text| memchr::memmem::find(text, placeholder.as_bytes()).is_some())
        };
        self.secrets.iter().filter(is_in).map(|secret| secret.name.as_str()).collect()
    }

    /// Returns the names of all.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.secrets.iter().map(|secret| secret.name.as_str()).collect()
    }
}

/// Makes sure that a secret has a token that is good. `stale` is one that the server did not take. An exchange goes on although nobody
/// waits for it any more: what follows the secret must not be lost with a request that took too long.
pub(crate) async fn ready(renewals: &Arc<Renewals>, name: &str, stale: Option<&Secret>) -> Result<(), NoReply> {
    if is_ready(renewals, name, stale) {
        return Ok(());
    }
    let (renewals, name, stale) = (Arc::clone(renewals), name.to_owned(), stale.cloned());
    let exchange = tokio::spawn(async move { renewed(&renewals, &name, stale.as_ref()).await });
    exchange.await.unwrap_or_else(|_| Err(Error::Other(None).into()))
}

fn is_ready(renewals: &Renewals, name: &str, stale: Option<&Secret>) -> bool {
    renewals.egress.token(name).is_some_and(|(token, until_ms)| is_good(renewals, &token, until_ms, stale))
}

fn is_good(renewals: &Renewals, token: &Secret, until_ms: Option<u64>, stale: Option<&Secret>) -> bool {
    stale != Some(token) && until_ms.is_none_or(|until_ms| renewals.clock.now() < until_ms)
}

async fn renewed(renewals: &Renewals, name: &str, stale: Option<&Secret>) -> Result<(), NoReply> {
    let Some(secret) = renewals.secrets.iter().find(|secret| secret.name == name) else { return Ok(()) };
    let _turn = renewals.turn.lock().await;
    if is_ready(renewals, name, stale) {
        return Ok(());
    }
    let (claim, begun) = (Uuid::new_v4(), Instant::now());
    let kept = loop {
        let kept = claimed(renewals, secret, claim, stale)?;
        match &kept.token {
            Some(token) if is_good(renewals, &Secret::new(token.as_str()), kept.until_ms, stale) => {
                use_token(renewals, name, token, &kept);
                return Ok(());
            }
            _ if kept.claim.is_none_or(|(by, _)| by == claim) => break kept,
            _ if begun.elapsed() > EXCHANGE => {
                return Err(Error::Unreachable("another process exchanges the secret".to_owned()).into());
            }
            _ => sleep(LOOKS).await,
        }
    };
    let got = exchanged(renewals, secret, &kept).await;
    let next = got.as_ref().ok().cloned();
    let stored = update(renewals, &secret.name, |kept| match next {
        Some(next) => *kept = next,
        // If this took too long, another process may have begun its own exchange.
        None if kept.claim.is_some_and(|(by, _)| by == claim) => kept.claim = None,
        None => {}
    });
    let got = got?;
    if let Some(token) = &got.token {
        use_token(renewals, name, token, &got);
    }
    // The token is in use here, but what follows the secret would be lost with this process.
    stored.map_err(|error| Error::Other(Some(format!("a token cannot be kept: {error}"))).into())
}

/// Fills in a token from now on.
fn use_token(renewals: &Renewals, name: &str, token: &str, kept: &Kept) {
    if let Some(successor) = &kept.successor {
        renewals.egress.hide(Secret::new(successor.as_str()));
    }
    renewals.egress.renew(name, Secret::new(token), kept.until_ms);
}

/// Returns what is kept of a secret. If its token is not good and no other process exchanges it, this one does from now on.
fn claimed(renewals: &Renewals, secret: &Renewable, claim: Uuid, stale: Option<&Secret>) -> Result<Kept, NoReply> {
    let now_ms = renewals.clock.now();
    let mut found = Kept::default();
    let changed = update(renewals, &secret.name, |kept| {
        if kept.mark != secret.mark {
            *kept = Kept { mark: secret.mark.clone(), ..Kept::default() };
        }
        let token = kept.token.as_deref().map(Secret::new);
        let good = token.is_some_and(|token| is_good(renewals, &token, kept.until_ms, stale));
        // A clock that was set back must not make everybody wait.
        let is_others = |(by, until_ms): (Uuid, u64)| by != claim && now_ms < until_ms && until_ms <= now_ms + CLAIM_MS;
        if !good && !kept.claim.is_some_and(is_others) {
            kept.claim = Some((claim, now_ms + CLAIM_MS));
        }
        found = kept.clone();
    });
    changed.map_err(|error| Error::Other(Some(format!("tokens cannot be read: {error}"))))?;
    Ok(found)
}

/// Changes what is kept of one secret.
fn update(renewals: &Renewals, name: &str, change: impl FnOnce(&mut Kept)) -> std::io::Result<()> {
    let mut change = Some(change);
    renewals.storage.update(&mut |text| {
        let mut all: AllKept = serde_json::from_str(text).unwrap_or_default();
        change.take()?(all.entry(name.to_owned()).or_default());
        serde_json::to_string(&all).ok()
    })
}

/// Exchanges a secret. Returns what is to be kept.
async fn exchanged(renewals: &Renewals, secret: &Renewable, kept: &Kept) -> Result<Kept, NoReply> {
    let current = kept.successor.as_deref().unwrap_or_else(|| secret.given.expose());
    let request = request(renewals, secret, current)?;
    let reply = timeout(EXCHANGE, exchange(&renewals.client, &renewals.egress, request, REPLY))
        .await
        .map_err(|_| Error::Timeout)??;
    match reply.status.as_u16() {
        200..300 => {}
        status @ (400 | 401 | 403) => {
            let why = format!("the server does not take the secret {} any more (status {status})", secret.name);
            return Err(NoReply::NoToken(why));
        }
        status => return Err(nonsense(&format!("it answered with status {status}")).into()),
    }
    let body: Value = serde_json::from_slice(&reply.body).map_err(|_| nonsense("its reply is no JSON"))?;
    let text =
        |pointer: &str| body.pointer(pointer).and_then(Value::as_str).filter(|text| is_usable(text)).map(str::to_owned);
    let number = |pointer: &String| body.pointer(pointer).and_then(Value::as_f64).filter(|number| *number > 0.0);
    let Renewal { token, successor, lifetime, .. } = &secret.renewal;
    let token = text(token).ok_or_else(|| nonsense("its reply has no token"))?;
    let seconds = lifetime.as_ref().and_then(|lifetime| match lifetime {
        Lifetime::Seconds(pointer) => number(pointer),
        Lifetime::Milliseconds(pointer) => number(pointer).map(|milliseconds| milliseconds / 1_000.0),
    });
    let lasts_ms = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).as_millis());
    let lasts_ms = lasts_ms.map(|lasts| u64::try_from(lasts).unwrap_or(u64::MAX));
    let until_ms = lasts_ms.map(|lasts| renewals.clock.now().saturating_add(lasts - MARGIN_MS.min(lasts / 10)));
    let successor = successor.as_deref().and_then(text).or_else(|| kept.successor.clone());
    Ok(Kept { mark: secret.mark.clone(), token: Some(token), successor, until_ms, claim: None })
}

fn request(renewals: &Renewals, secret: &Renewable, current: &str) -> Result<Outgoing, Error> {
    let refused = |why: &str| Error::Refused(format!("the secret {} cannot be exchanged: {why}", secret.name));
    let origin = Origin::of_url(&secret.url).ok_or_else(|| refused("its URL is none"))?;
    let reach = renewals.egress.reach(&origin)?;
    let value = |value: &str| match whole(value) {
        Some(name) if name == secret.name => Ok(current.to_owned()),
        Some(other) => {
            renewals.egress.belongs(other, &origin).map(|secret| secret.expose().to_owned()).map_err(Error::from)
        }
        None => Ok(value.to_owned()),
    };
    let mut fields = Vec::new();
    for (name, written) in &secret.fields {
        fields.push((name.clone(), value(written)?));
    }
    let (kind, body) = match secret.renewal.form {
        true => {
            let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            ("application/x-www-form-urlencoded", form.into_bytes())
        }
        false => {
            let object: Map<String, Value> = fields.into_iter().map(|(name, value)| (name, value.into())).collect();
            ("application/json", Value::from(object).to_string().into_bytes())
        }
    };
    let headers = [("content-type", kind.to_owned()), ("accept", "application/json".to_owned())];
    Ok(Outgoing::of_host(Method::POST, &secret.url, reach, &headers, body)?)
}

fn nonsense(what: &str) -> Error {
    Error::Unreachable(format!("a token was asked for: {what}"))
}
