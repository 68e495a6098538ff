//! The channels of `dmplz serve`: how each reaches its service.
//!
//! | channel | sent by |
//! |---|---|
//! | `messenger` | the desk of that messenger's account, on the messengers' thread ([`super::messengers`]) |
//! | `discord`, `webhook` | a task of the main thread, by the host's HTTP |
//! | `push`, and the one of the page that needs no setting | the same, to the services of the browsers that are subscribed |
//! | `desktop` | a task of the main thread, by the system's notifier |
//! | `terminal` | no gateway, but the hook of that terminal ([`crate::hook`]) |
//!
//! A channel that cannot be used is one line on stderr. It stops nothing else: requests come before notices.

mod desktop;
mod discord;
mod push;
mod webhook;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use dmplz_gateway::notices::{Line, Notices, Setup, Undelivered};
use dmplz_gateway::push::CHANNEL;
use dmplz_gateway::web::Browsers;
use dmplz_gateway::{Approvals, Clock, Disk, Push};
use dmplz_plugin::{Endpoint, EndpointError, EndpointReply, Network, Secret};
use dmplz_state::{Spool, StateDir};
use rustls::pki_types::CertificateDer;

use crate::account;
use crate::notify::settings::{Channel, NotifySettings, Service};
use crate::settings::{Settings, environment};
use crate::trouble;

use self::desktop::Desktop;
use self::discord::Discord;
use self::push::WebPush;
use self::webhook::Webhook;

/// How long a service may take for one notice.
const REPLY: Duration = Duration::from_secs(20);

/// The queues, and the lines that are not started yet.
pub(super) struct Channels {
    pub(super) notices: Notices,
    /// The lines of each messenger, by its name.
    pub(super) messengers: BTreeMap<String, Vec<MessengerLine>>,
    posted: Vec<Posted>,
    /// The lines of configured channels of the type `push`.
    pushed: Vec<Line>,
    /// The key and the subscriptions of web push.
    pub(super) push: Push,
    network: Arc<Network>,
}

/// A line to the chat of a messenger.
pub(super) struct MessengerLine {
    pub(super) line: Line,
    /// The chat, if it is not the one that requests are asked in.
    pub(super) chat: Option<String>,
    /// Whether it makes no sound.
    pub(super) silent: bool,
}

/// A line that needs no messenger, and what sends its notices, as they run.
type Posted = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Opens the queues. `certificates` are trusted besides Mozilla's, `served` are the messengers of this gateway, and `browsers`
/// those that may get web push.
pub(super) async fn open(
    settings: &Settings,
    certificates: Vec<CertificateDer<'static>>,
    state: &StateDir,
    disk: Disk,
    clock: Clock,
    served: &[String],
    browsers: Browsers,
) -> anyhow::Result<Channels> {
    let notify = NotifySettings::load(state.path(), &environment)?;
    let template = |(name, channel): (&String, &Channel)| {
        Some((name.clone(), channel.template.as_ref()?.template(settings.lang)?))
    };
    let setup = Setup {
        quiet: notify.quiet()?,
        templates: notify.channels.iter().filter_map(template).collect(),
        routing: notify.at_gateway(),
        channels: notify.of_gateway().cloned().chain([CHANNEL.to_owned()]).collect(),
        lang: settings.lang,
        spool: Spool::new(state),
        clock,
        jitter: Arc::new(fastrand::f64),
    };
    let notices = Notices::open(disk, setup).await?;
    // Before any hook can hand over what happened later.
    notices.empty_spool(&|line: &str| trouble::warn(line)).await;
    let network = Arc::new(account::trusting(certificates, settings)?);
    let (mut messengers, mut posted) = (BTreeMap::<String, Vec<MessengerLine>>::new(), Vec::new());
    let push = Push::open(state.path(), settings.gateway.push_services.clone(), browsers)?;
    let mut pushed = Vec::new();
    for (name, channel) in notify.channels {
        let Some(line) = notices.line(&name) else { continue };
        let missing = channel.service.missing(&name);
        if !missing.is_empty() {
            trouble::warn(&format!("the channel {name} cannot be used: {} is not set", missing.join(" and ")));
            continue;
        }
        let made = match channel.service {
            Service::Messenger { name: messenger, .. } if !served.contains(&messenger) => {
                Err(format!("{messenger} is no messenger of this gateway: set it up, or name another"))
            }
            Service::Messenger { name: messenger, chat } => {
                messengers.entry(messenger).or_default().push(MessengerLine { line, chat, silent: channel.silent });
                continue;
            }
            Service::Push => {
                pushed.push(line);
                continue;
            }
            Service::Discord { url, thread, username, avatar } => {
                Discord::new(&network, url.as_ref(), thread.as_deref(), [username, avatar], channel.silent)
                    .map(|discord| -> Posted { Box::pin(async move { line.run(&discord).await }) })
            }
            Service::Webhook { url, secret } => Webhook::new(&network, url, secret.as_ref())
                .map(|webhook| -> Posted { Box::pin(async move { line.run(&webhook).await }) }),
            Service::Desktop => Desktop::find(&environment)
                .map(|desktop| -> Posted { Box::pin(async move { line.run(&desktop).await }) }),
            Service::Terminal(_) => continue,
        };
        match made {
            Ok(made) => posted.push(made),
            Err(why) => trouble::warn(&format!("the channel {name} cannot be used: {why}")),
        }
    }
    Ok(Channels { notices, messengers, posted, pushed, push, network })
}

impl Channels {
    /// Starts what needs no messenger.
    pub(super) fn start(self, approvals: Approvals) {
        for posted in self.posted {
            tokio::spawn(posted);
        }
        let sender = WebPush { push: self.push, approvals: approvals.clone(), network: self.network };
        for line in self.pushed {
            let sender = sender.clone();
            tokio::spawn(async move { line.run(&sender).await });
        }
        if let Some(line) = self.notices.line(CHANNEL) {
            tokio::spawn(sender.run(line, self.notices.clone()));
        }
        let (notices, warn) = (self.notices.clone(), |line: &str| trouble::warn(line));
        tokio::spawn(async move { notices.watch_spool(warn).await });
        let (notices, of_held) = (self.notices.clone(), approvals.clone());
        tokio::spawn(async move { notices.watch_held(&of_held, warn).await });
        let notices = self.notices;
        tokio::spawn(async move { notices.watch_bus(&approvals, warn).await });
    }
}

/// The endpoint of a channel's URL, or why there is none.
fn endpoint(network: &Arc<Network>, url: Option<Secret>) -> Result<Endpoint, String> {
    let url = url.ok_or("its URL is not set")?;
    Endpoint::new(Arc::clone(network), url).map_err(|error| format!("its URL cannot be used: {error}"))
}

/// What a status that is no success means. `said`: what the service says of it, masked, and how long to wait.
fn refused(reply: &EndpointReply, said: Option<String>, wait: Option<Duration>) -> Undelivered {
    let said = said.map(|said| format!(": {said}")).unwrap_or_default();
    match reply.status {
        429 => Undelivered::Limited(wait.or(reply.retry_after)),
        408 | 425 | 500..=599 => Undelivered::Down(format!("it answered {}{said}", reply.status)),
        301..=308 => Undelivered::Refused(format!("it answered {}: redirects are not followed", reply.status)),
        status => Undelivered::Refused(format!("it answered {status}{said}")),
    }
}

fn undelivered(error: &EndpointError) -> Undelivered {
    match error {
        EndpointError::Url | EndpointError::Refused(_) => Undelivered::Refused(error.to_string()),
        EndpointError::Unreachable(_) | EndpointError::Slow(..) => Undelivered::Down(error.to_string()),
    }
}
