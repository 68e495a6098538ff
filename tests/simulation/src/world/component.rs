//! Telegram's component in a process, and the network to its server. As with the [line](super::line), the server's side
//! continues whether the process runs or not.

use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context as _;
use bytes::Bytes;
use dmplz_core::messenger::{MessageRef, Tenure};
use dmplz_plugin::{
    Account, Clock, Engine, Exchange, Grants, Host, HttpBackend, LogLevel, Network, Provider, Secret, StartError,
};
use http::{Request, Response};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use super::line::{handed, reply_never};
use super::telegram::{Asked, TOKEN};
use super::{World, wall_ms};
use crate::script::{Fault, HookId};

/// Compiled code is the same for all runs and threads.
static LOADED: OnceLock<dmplz_plugin::Component> = OnceLock::new();

/// The component as one process has it.
pub struct Component {
    world: Rc<World>,
    /// The host's side of the component.
    pub provider: Provider,
}

/// A request on its way to the world, and where its reply goes.
type Sent = (Request<Bytes>, oneshot::Sender<io::Result<Response<Bytes>>>);

/// The process's end of the network. The world's own things belong to one thread, so that requests go there.
struct Wire(mpsc::UnboundedSender<Sent>);

struct WallClock;

/// Returns the component's code, which is loaded once.
///
/// # Errors
/// When wasmtime does not run here.
pub fn loaded() -> anyhow::Result<&'static dmplz_plugin::Component> {
    if let Some(component) = LOADED.get() {
        return Ok(component);
    }
    let engine = Engine::new()?;
    let component =
        dmplz_bundled::component(&engine, "telegram").context("load the component: it is not bundled")??;
    Ok(LOADED.get_or_init(|| component))
}

impl Component {
    /// Starts the component in a hook's process; with `None` in the gateway's.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(world: &Rc<World>, hook: Option<HookId>) -> Result<Self, StartError> {
        let component = LOADED.get().ok_or_else(|| StartError::MissingSetting("component".to_owned()))?;
        let (wire, mut sent) = mpsc::unbounded_channel::<Sent>();
        let there = Rc::clone(world);
        world.spawn(async move {
            while let Some((request, reply)) = sent.recv().await {
                there.spawn(serve(Rc::clone(&there), hook, request, reply));
            }
        });
        let account = Account {
            secrets: BTreeMap::from([("bot-token".to_owned(), Secret::new(TOKEN))]),
            grants: Grants::Manifest,
            tenure: if hook.is_some() { Tenure::Request } else { Tenure::Service },
            ..Account::default()
        };
        let host = Host {
            clock: Arc::new(WallClock),
            log: Arc::new(|_: &str, _: LogLevel, _: &str| {}),
            network: Arc::new(Network::default().with_backend(Arc::new(Wire(wire)))),
        };
        let provider = Provider::start(component, account, host).await?;
        Ok(Self { world: Rc::clone(world), provider })
    }

    /// Records that the process knows a message.
    pub fn knows(&self, message: &MessageRef) {
        self.world.server.borrow_mut().known(message, self.world.now());
    }
}

impl HttpBackend for Wire {
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let gone = || io::Error::from(io::ErrorKind::ConnectionReset);
            self.0.send((request, reply)).map_err(|_| gone())?;
            answer.await.map_err(|_| gone())?
        })
    }
}

impl Clock for WallClock {
    fn now(&self) -> u64 {
        wall_ms()
    }
}

/// Carries a request to the server, and its reply back.
async fn serve(
    world: Rc<World>,
    hook: Option<HookId>,
    request: Request<Bytes>,
    reply: oneshot::Sender<io::Result<Response<Bytes>>>,
) {
    let asked = Asked::read(&request);
    let fault = asked.call().and_then(|call| world.fault(call));
    if fault == Some(Fault::Unconnected) {
        let _ = reply.send(Err(io::ErrorKind::ConnectionRefused.into()));
        return;
    }
    let (latency, sent) = (Duration::from_millis(world.script.frame.latency), world.now());
    sleep(latency + fault.map(Fault::there).unwrap_or_default()).await;
    let (response, events) = match fault {
        Some(Fault::RequestLost) => return reply_never(reply).await,
        Some(Fault::Refused(refusal)) => (refusal.response(), Vec::new()),
        _ => asked.answer(&world, sent, !reply.is_closed()).await,
    };
    sleep(latency + fault.map(Fault::back).unwrap_or_default()).await;
    if fault == Some(Fault::ReplyLost) {
        return reply_never(reply).await;
    }
    if !reply.is_closed() {
        handed(&world, hook, &events);
        let _ = reply.send(Ok(response));
    }
}
