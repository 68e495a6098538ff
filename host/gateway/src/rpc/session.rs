//! One connection: what comes in, and which method takes it.

use std::sync::Arc;

use dmplz_protocol::RpcError;
use dmplz_protocol::framing::{Call, Id};
use dmplz_protocol::method::{Done, Method};
use dmplz_protocol::notify::settings::{ChangeNotify, GetNotify, ListNotices, PreviewNotice, TestChannel, TrustHooks};
use dmplz_protocol::notify::{AwaitPress, RetryNotices};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use tokio::task::{JoinSet, yield_now};

use super::connection::{Connection, Outbox};
use super::envelope::{self, Incoming, Member, Refusal, Reply};
use super::{
    Peer, Role, Services, approvals, browsers, events, gateway, grants, hooks, notices, push, sessions, settings, tools,
};
use crate::bucket::{Bucket, Rate};

/// The methods about notices that a paired page may call: its person sees and sets the gateway's own notices.
const OF_PAGES: [&str; 7] = [
    GetNotify::NAME,
    TestChannel::NAME,
    AwaitPress::NAME,
    ListNotices::NAME,
    PreviewNotice::NAME,
    ChangeNotify::NAME,
    RetryNotices::NAME,
];

/// The params of a call, as the peer wrote them.
type Params = Option<Box<RawValue>>;

/// One connection of one peer. Dropping it drops its calls, as the gateway does when it ends: what was asked stays open.
pub struct Session {
    connection: Arc<Connection>,
    calls: JoinSet<()>,
    rate: Bucket,
}

impl Session {
    /// Opens a session; the transport sends what comes out of the outbox.
    pub fn open(services: Services, peer: Peer) -> (Self, Outbox) {
        let each_second = f64::from(peer.limits.calls_per_second);
        let rate = Bucket::new(Rate { burst: each_second * 2.0, each_second });
        let (connection, outbox) = Connection::open(services, peer);
        (Self { connection: Arc::new(connection), calls: JoinSet::new(), rate }, outbox)
    }

    /// Takes a text. The replies come out of the outbox; as long as that is full, a refusal waits, and so does the peer.
    pub async fn receive(&mut self, text: &str) {
        while self.calls.try_join_next().is_some() {}
        let limits = self.connection.peer.limits;
        match Incoming::read(text, limits.text_bytes) {
            Err(error) => self.connection.send(envelope::reply(&Id::Null, Err(error))).await,
            Ok(Incoming::One(member)) => {
                let member = self.admit(member);
                let call = match member {
                    Ok(call) => call,
                    Err(refusal) => {
                        return self.connection.send(envelope::reply(&refusal.id, Err(refusal.error))).await;
                    }
                };
                let connection = Arc::clone(&self.connection);
                self.calls.spawn(async move {
                    if let Some(reply) = run(&connection, call).await {
                        connection.send(reply).await;
                    }
                    connection.start_feed();
                });
            }
            Ok(Incoming::Batch(members)) => {
                let members: Vec<Member> = members.into_iter().map(|member| self.admit(member)).collect();
                let connection = Arc::clone(&self.connection);
                self.calls.spawn(async move {
                    let mut replies = Vec::new();
                    for member in members {
                        replies.extend(match member {
                            Ok(call) => run(&connection, call).await,
                            Err(refusal) => Some(envelope::reply(&refusal.id, Err(refusal.error))),
                        });
                    }
                    if !replies.is_empty() {
                        connection.send(envelope::batch(&replies)).await;
                    }
                    connection.start_feed();
                });
            }
        }
    }

    /// Ends the session after the peer closed its side: the requests for which only it waits are withdrawn, and its
    /// other calls are answered.
    pub async fn hung_up(mut self) {
        self.connection.unsubscribe();
        self.connection.hang_up();
        while self.calls.join_next().await.is_some() {}
    }

    /// Ends the session of a peer that does not read. Its requests stay open, because a hook reconnects.
    pub async fn let_go(mut self) {
        self.connection.unsubscribe();
        self.calls.shutdown().await;
    }

    /// Refuses a text that is too long to be taken, which ends the connection.
    pub async fn refuse_length(&self) {
        self.connection.send(envelope::reply(&Id::Null, Err(RpcError::invalid("it is too long")))).await;
    }

    /// Ends the session because the gateway ends. Its requests stay open, because a hook reconnects to the next
    /// gateway.
    pub async fn goodbye(mut self) {
        self.connection.unsubscribe();
        // Calls whose answers exist already return them.
        yield_now().await;
        self.calls.shutdown().await;
        self.connection.notify(&Done {}).await;
    }

    /// Refuses a call that is one too many.
    fn admit(&mut self, member: Member) -> Member {
        let call = member?;
        let limits = self.connection.peer.limits;
        if self.calls.len() < limits.calls && self.rate.take() {
            return Ok(call);
        }
        Err(Box::new(Refusal { id: call.id.unwrap_or(Id::Null), error: RpcError::too_many() }))
    }
}

async fn run(connection: &Arc<Connection>, call: Call) -> Option<String> {
    let Call { id, method, params, .. } = call;
    let reply = dispatch(connection, &method, params).await;
    id.map(|id| envelope::reply(&id, reply))
}

/// Passes a call to the function that takes the params of its method.
async fn dispatch(it: &Arc<Connection>, method: &str, params: Params) -> Reply {
    macro_rules! functions {
        ($($module:ident: $($function:ident),+;)+) => {
            $($(if method == name_of(&$module::$function) {
                return answer(params, |params| $module::$function(it, params)).await;
            })+)+
        };
    }
    it.peer.role.permit(method)?;
    functions! {
        approvals: list, get, sessions, respond;
        events: subscribe;
        grants: list, revoke, told;
        gateway: metrics, status, prune, pair;
        tools: invoke, get, cancel, run;
        sessions: start, list, get, send, upload, interrupt, stop, retract, mode, model, resume, rename, fork, undo,
            rules, revoke;
        browsers: list, revoke;
        hooks: ask, heard, taken, withdraw, event;
        notices: happened, send, retry, test, press, log, presence;
        settings: status, preview, change, hooks, hook_changes, trust_hooks;
        push: status, subscribe, unsubscribe, test;
    }
    Err(RpcError::no_method())
}

/// Returns the name of the method whose params a function takes.
fn name_of<'a, C: 'a, M: Method, F>(_: &impl Fn(&'a C, M) -> F) -> &'static str {
    M::NAME
}

/// Reads a method's params, one object by name (none is an empty one), and writes its result. Of a call that waits, such as a hook's for a
/// person, nothing is held but what its own method holds: thousands may wait.
async fn answer<P, A, F>(params: Params, method: impl FnOnce(P) -> F) -> Reply
where
    P: DeserializeOwned,
    A: Serialize,
    F: Future<Output = Result<A, RpcError>>,
{
    let text = params.as_deref().map_or("{}", RawValue::get);
    if !text.starts_with('{') {
        return Err(RpcError::params("they are no object"));
    }
    let read = serde_json::from_str(text).map_err(RpcError::params)?;
    drop(params);
    to_raw_value(&Box::pin(method(read)).await?).map_err(RpcError::internal)
}

impl Role {
    fn permit(self, method: &str) -> Result<(), RpcError> {
        let is_in = |spaces: &[&str]| spaces.iter().any(|space| method.starts_with(space));
        match self {
            Self::Page(_) if OF_PAGES.contains(&method) => Ok(()),
            Self::Program | Self::Page(_) if is_in(&["hook.", "notify.", "pairing.", "store."]) => {
                Err(RpcError::forbidden("it is for processes of the same user, over the Unix socket"))
            }
            Self::Program if is_in(&["browsers.", "hooks."]) => Err(RpcError::forbidden(
                "it is for paired pages, and for processes of the same user over the Unix socket",
            )),
            Self::Program if is_in(&["presence."]) => Err(RpcError::forbidden("a program is in front of nobody")),
            Self::Page(_) if is_in(&["tools."]) => {
                Err(RpcError::forbidden("a page has no command run: it is for programs with the token"))
            }
            Self::Local if method == TrustHooks::NAME => {
                Err(RpcError::forbidden("it is for a paired page; in a terminal, dmplz hooks trust asks"))
            }
            Self::Local | Self::Program if is_in(&["push."]) => {
                Err(RpcError::forbidden("it is for a paired page, about its own browser"))
            }
            Self::Local | Self::Program | Self::Page(_) => Ok(()),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.connection.unsubscribe();
    }
}

#[cfg(test)]
mod tests {
    use dmplz_protocol::hook::Happened;
    use dmplz_protocol::method::CreatePairing;
    use dmplz_protocol::notify::settings::{ListHooks, ShowHookChanges};
    use dmplz_protocol::notify::{NotifyHappened, SendNotice};
    use dmplz_protocol::tool::InvokeTool;

    use super::*;
    use crate::rpc::PageKey;

    #[test]
    fn a_page_sees_and_sets_notices_and_reports_none() {
        let page = Role::Page(PageKey::read(&format!("04{}", "11".repeat(64))).unwrap());
        for method in OF_PAGES.into_iter().chain([ListHooks::NAME, ShowHookChanges::NAME]) {
            assert!(page.permit(method).is_ok() && Role::Local.permit(method).is_ok(), "{method}");
            assert!(Role::Program.permit(method).is_err(), "{method}");
        }
        // A process that runs as the same user could be an agent; who trusts by a page, is paired.
        assert!(page.permit(TrustHooks::NAME).is_ok());
        assert!(Role::Local.permit(TrustHooks::NAME).is_err() && Role::Program.permit(TrustHooks::NAME).is_err());
        for method in [NotifyHappened::NAME, SendNotice::NAME, Happened::NAME, CreatePairing::NAME, InvokeTool::NAME] {
            assert!(page.permit(method).is_err(), "{method}");
        }
    }
}
