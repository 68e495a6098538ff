//! Every method of the gateway and every notification that it sends, with their types.
//!
//! | methods | who may call them |
//! |---|---|
//! | `approvals.*`, `approval.respond`, `events.subscribe`, `grants.*`, `metrics.get`, `gateway.status` | every peer |
//! | `session.*` | every peer; starting, resuming and forking one over the network only in the folders of `DMPLZ_RUN_FOLDERS` |
//! | `push.*` | a paired page, about its own browser |
//! | `browsers.*` | paired pages, and processes of the same user |
//! | `presence.set` | pages, and processes of the same user |
//! | `tools.*` | programs with the token, and processes of the same user |
//! | `notify.status`, `.test`, `.press`, `.log`, `.preview`, `.change`, `.retry`, `hooks.list`, `hooks.changes` | a paired page, and processes of the same user |
//! | `hooks.trust` | a paired page: in a terminal, `dmplz hooks trust` asks |
//! | `hook.*`, the other `notify.*`, `pairing.*`, `store.*` | processes of the same user, over the Unix socket |
//!
//! Besides these notifications, a subscriber receives each event as a notification named by its [`Kind`](crate::Kind).

use dmplz_core::stats::Figures;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::approval::{GetApproval, One, Respond};
use crate::browser::{Browsers, ListBrowsers, RevokeBrowsers, RevokedBrowsers};
use crate::grant::{Grants, ListGrants, RevokeGrant, RevokedGrant};
use crate::health::{GatewayStatus, GetStatus};
use crate::hook::{Accepted, Ask, Denied, Ended, GrantChanges, Happened, Heard, Taken, Withdraw};
use crate::list::{ListApprovals, Page};
use crate::message::{Subscribe, Subscribed};
use crate::metrics::GetMetrics;
use crate::notify::settings::{
    ChangeNotify, GetNotify, HookChanges, HookList, ListHooks, ListNotices, NoticeLog, NotifyStatus, Preview,
    PreviewNotice, ShowHookChanges, TestChannel, TrustHooks,
};
use crate::notify::{
    AwaitPress, NotifyHappened, PressedBack, Retried, RetryNotices, SendNotice, SentNotice, SetPresence, TestedChannel,
};
use crate::push::{GetPush, PushStatus, SubscribePush, TestPush, UnsubscribePush};
use crate::request::Standing;
use crate::session::{
    ForkSession, GetSession, InterruptSession, ListSessionRules, ListSessions, ModeSet, OneSession, RenameSession,
    ResumeSession, RetractMessage, Retracted, RevokePermission, SendToSession, Sent, SessionRules, Sessions,
    SetSessionMode, SetSessionModel, StartSession, StopSession, UndoSession, Undone, UploadToSession, Uploaded,
};
use crate::session_name::{NameSessions, NamedSessions};
use crate::store::{PruneStore, Pruned};
use crate::tool::{CancelTool, Cancelled, GetTool, InvokeTool, Invoked, Report, RunTool, Written};

/// A method, by its params.
pub trait Method: Serialize + DeserializeOwned {
    /// The method's name on the wire.
    const NAME: &'static str;
    /// The method's result, as a client reads it.
    type Answer;
}

/// A notification of the gateway, by its params.
pub trait Notification: Serialize + DeserializeOwned {
    /// The notification's name on the wire.
    const NAME: &'static str;
}

macro_rules! methods {
    ($($name:literal: $params:ty => $answer:ty;)*) => {
        $(impl Method for $params {
            const NAME: &'static str = $name;
            type Answer = $answer;
        })*
    };
}

macro_rules! notifications {
    ($($name:literal: $params:ty;)*) => {
        $(impl Notification for $params {
            const NAME: &'static str = $name;
        })*
    };
}

methods! {
    "approvals.list": ListApprovals => Page<Standing>;
    "approvals.get": GetApproval => One<Standing>;
    "approvals.sessions": NameSessions => NamedSessions;
    "approval.respond": Respond => One<Standing>;
    "events.subscribe": Subscribe => Subscribed;
    "grants.list": ListGrants => Grants;
    "grants.revoke": RevokeGrant => RevokedGrant;
    "metrics.get": GetMetrics => Figures;
    "gateway.status": GetStatus => GatewayStatus;
    "tools.invoke": InvokeTool => Invoked;
    "tools.get": GetTool => Report;
    "tools.cancel": CancelTool => Cancelled;
    "tools.run": RunTool => Report;
    "session.start": StartSession => OneSession;
    "session.list": ListSessions => Sessions;
    "session.get": GetSession => OneSession;
    "session.send": SendToSession => Sent;
    "session.upload": UploadToSession => Uploaded;
    "session.interrupt": InterruptSession => Done;
    "session.stop": StopSession => Done;
    "session.retract": RetractMessage => Retracted;
    "session.mode": SetSessionMode => ModeSet;
    "session.model": SetSessionModel => Done;
    "session.resume": ResumeSession => OneSession;
    "session.rules": ListSessionRules => SessionRules;
    "session.revoke": RevokePermission => Done;
    "session.rename": RenameSession => Done;
    "session.fork": ForkSession => OneSession;
    "session.undo": UndoSession => Undone;
    "store.prune": PruneStore => Pruned;
    "notify.happened": NotifyHappened => Done;
    "notify.send": SendNotice => SentNotice;
    "notify.retry": RetryNotices => Retried;
    "notify.status": GetNotify => NotifyStatus;
    "notify.test": TestChannel => TestedChannel;
    "notify.press": AwaitPress => PressedBack;
    "notify.log": ListNotices => NoticeLog;
    "notify.preview": PreviewNotice => Preview;
    "notify.change": ChangeNotify => NotifyStatus;
    "hooks.list": ListHooks => HookList;
    "hooks.changes": ShowHookChanges => HookChanges;
    "hooks.trust": TrustHooks => HookList;
    "push.status": GetPush => PushStatus;
    "push.subscribe": SubscribePush => Done;
    "push.unsubscribe": UnsubscribePush => Done;
    "push.test": TestPush => SentNotice;
    "presence.set": SetPresence => Done;
    "pairing.create": CreatePairing => PairingCode;
    "browsers.list": ListBrowsers => Browsers;
    "browsers.revoke": RevokeBrowsers => RevokedBrowsers;
    "hook.ask": Ask => Ended;
    "hook.heard": Heard => Done;
    "hook.taken": Taken => Done;
    "hook.withdraw": Withdraw => Done;
    "hook.event": Happened => Done;
    "hook.grants": GrantChanges => Done;
}

notifications! {
    "hook.accepted": Accepted;
    "hook.denied": Denied;
    "run.accepted": Invoked;
    "run.output": Written;
    "gateway.stopping": Done;
}

/// An empty result: the method succeeded.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Done {}

/// Params of `pairing.create`, which makes a code that lets one browser in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreatePairing {}

/// A pairing code, which lets one browser in, once.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PairingCode {
    /// The code, which a person types into the page.
    pub code: String,
    /// When the code expires, in Unix milliseconds.
    pub expires_ms: u64,
    /// The address of the page on this machine.
    pub url: String,
    /// The address of the page where a phone reaches it, or else on this machine, with the code in its fragment. A
    /// browser sends the fragment to nobody.
    pub link: String,
}
