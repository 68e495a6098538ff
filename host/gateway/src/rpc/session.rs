//! One connection: what comes in, and which method takes it.

use std::sync::Arc;

use dmplz_protocol::RpcError;
use dmplz_protocol::approval::{GetApproval, Respond};
use dmplz_protocol::browser::{ListBrowsers, RevokeBrowsers};
use dmplz_protocol::framing::{Call, Id};
use dmplz_protocol::grant::{ListGrants, RevokeGrant};
use dmplz_protocol::health::GetStatus;
use dmplz_protocol::hook::{Ask, GrantChanges, Happened, Heard, Taken, Withdraw};
use dmplz_protocol::list::ListApprovals;
use dmplz_protocol::message::Subscribe;
use dmplz_protocol::method::{CreatePairing, Done, Method};
use dmplz_protocol::metrics::GetMetrics;
use dmplz_protocol::notify::settings::{
    ChangeNotify, GetNotify, ListHooks, ListNotices, PreviewNotice, ShowHookChanges, TestChannel, TrustHooks,
};
use dmplz_protocol::notify::{AwaitPress, NotifyHappened, RetryNotices, SendNotice, SetPresence};
use dmplz_protocol::push::{GetPush, SubscribePush, TestPush, UnsubscribePush};
use dmplz_protocol::session::{
    ForkSession, GetSession, InterruptSession, ListSessionRules, ListSessions, RenameSession, ResumeSession,
    RetractMessage, RevokePermission, SendToSession, SetSessionMode, SetSessionModel, StartSession, StopSession,
    UndoSession, UploadToSession,
};
use dmplz_protocol::session_name::NameSessions;
use dmplz_protocol::store::PruneStore;
use dmplz_protocol::tool::{CancelTool, GetTool, InvokeTool, RunTool};
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
        self.connection.subscribe(None);
        self.connection.hang_up();
        while self.calls.join_next().await.is_some() {}
    }

    /// Ends the session of a peer that does not read. Its requests stay open, because a hook reconnects.
    pub async fn let_go(mut self) {
        self.connection.subscribe(None);
        self.calls.shutdown().await;
    }

    /// Refuses a text that is too long to be taken, which ends the connection.
    pub async fn refuse_length(&self) {
        self.connection.send(envelope::reply(&Id::Null, Err(RpcError::invalid("it is too long")))).await;
    }

    /// Ends the session because the gateway ends. Its requests stay open, because a hook reconnects to the next
    /// gateway.
    pub async fn goodbye(mut self) {
        self.connection.subscribe(None);
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

async fn dispatch(it: &Arc<Connection>, method: &str, params: Params) -> Reply {
    it.peer.role.permit(method)?;
    match method {
        ListApprovals::NAME => answer(params, |params| approvals::list(it, params)).await,
        GetApproval::NAME => answer(params, |params| approvals::get(it, params)).await,
        NameSessions::NAME => answer(params, |params| approvals::sessions(it, params)).await,
        Respond::NAME => answer(params, |params| approvals::respond(it, params)).await,
        Subscribe::NAME => answer(params, |params| events::subscribe(it, params)).await,
        ListGrants::NAME => answer(params, |params| grants::list(it, params)).await,
        RevokeGrant::NAME => answer(params, |params| grants::revoke(it, params)).await,
        GetMetrics::NAME => answer(params, |params| gateway::metrics(it, params)).await,
        GetStatus::NAME => answer(params, |params| gateway::status(it, params)).await,
        InvokeTool::NAME => answer(params, |params| tools::invoke(it, params)).await,
        GetTool::NAME => answer(params, |params| tools::get(it, params)).await,
        CancelTool::NAME => answer(params, |params| tools::cancel(it, params)).await,
        RunTool::NAME => answer(params, |params| tools::run(it, params)).await,
        StartSession::NAME => answer(params, |params| sessions::start(it, params)).await,
        ListSessions::NAME => answer(params, |params| sessions::list(it, params)).await,
        GetSession::NAME => answer(params, |params| sessions::get(it, params)).await,
        SendToSession::NAME => answer(params, |params| sessions::send(it, params)).await,
        UploadToSession::NAME => answer(params, |params| sessions::upload(it, params)).await,
        InterruptSession::NAME => answer(params, |params| sessions::interrupt(it, params)).await,
        StopSession::NAME => answer(params, |params| sessions::stop(it, params)).await,
        RetractMessage::NAME => answer(params, |params| sessions::retract(it, params)).await,
        SetSessionMode::NAME => answer(params, |params| sessions::mode(it, params)).await,
        SetSessionModel::NAME => answer(params, |params| sessions::model(it, params)).await,
        ResumeSession::NAME => answer(params, |params| sessions::resume(it, params)).await,
        RenameSession::NAME => answer(params, |params| sessions::rename(it, params)).await,
        ForkSession::NAME => answer(params, |params| sessions::fork(it, params)).await,
        UndoSession::NAME => answer(params, |params| sessions::undo(it, params)).await,
        ListSessionRules::NAME => answer(params, |params| sessions::rules(it, params)).await,
        RevokePermission::NAME => answer(params, |params| sessions::revoke(it, params)).await,
        PruneStore::NAME => answer(params, |params| gateway::prune(it, params)).await,
        CreatePairing::NAME => answer(params, |params| gateway::pair(it, params)).await,
        ListBrowsers::NAME => answer(params, |params| browsers::list(it, params)).await,
        RevokeBrowsers::NAME => answer(params, |params| browsers::revoke(it, params)).await,
        Ask::NAME => answer(params, |params| hooks::ask(it, params)).await,
        Heard::NAME => answer(params, |params| hooks::heard(it, params)).await,
        Taken::NAME => answer(params, |params| hooks::taken(it, params)).await,
        Withdraw::NAME => answer(params, |params| hooks::withdraw(it, params)).await,
        NotifyHappened::NAME => answer(params, |params| notices::happened(it, params)).await,
        SendNotice::NAME => answer(params, |params| notices::send(it, params)).await,
        RetryNotices::NAME => answer(params, |params| notices::retry(it, params)).await,
        GetNotify::NAME => answer(params, |params| settings::status(it, params)).await,
        TestChannel::NAME => answer(params, |params| notices::test(it, params)).await,
        AwaitPress::NAME => answer(params, |params| notices::press(it, params)).await,
        ListNotices::NAME => answer(params, |params| notices::log(it, params)).await,
        PreviewNotice::NAME => answer(params, |params| settings::preview(it, params)).await,
        ChangeNotify::NAME => answer(params, |params| settings::change(it, params)).await,
        ListHooks::NAME => answer(params, |params| settings::hooks(it, params)).await,
        ShowHookChanges::NAME => answer(params, |params| settings::hook_changes(it, params)).await,
        TrustHooks::NAME => answer(params, |params| settings::trust_hooks(it, params)).await,
        GetPush::NAME => answer(params, |params| push::status(it, params)).await,
        SubscribePush::NAME => answer(params, |params| push::subscribe(it, params)).await,
        UnsubscribePush::NAME => answer(params, |params| push::unsubscribe(it, params)).await,
        TestPush::NAME => answer(params, |params| push::test(it, params)).await,
        SetPresence::NAME => answer(params, |params| notices::presence(it, params)).await,
        Happened::NAME => answer(params, |params| hooks::event(it, params)).await,
        GrantChanges::NAME => answer(params, |params| grants::told(it, params)).await,
        _ => Err(RpcError::no_method()),
    }
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
        self.connection.subscribe(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::Browser;

    #[test]
    fn a_page_sees_and_sets_notices_and_reports_none() {
        let page = Role::Page(Browser::read(&format!("04{}", "11".repeat(64))).unwrap());
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
