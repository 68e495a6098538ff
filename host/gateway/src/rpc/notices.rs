//! Methods about notices.

use std::time::Duration;

use dmplz_core::notify::Front;
use dmplz_protocol::RpcError;
use dmplz_protocol::method::Done;
use dmplz_protocol::notify::settings::{ListNotices, NoticeLog, TestChannel};
use dmplz_protocol::notify::{
    AwaitPress, NotifyHappened, PressedBack, Retried, RetryNotices, SendNotice, SentNotice, SetPresence, TestedChannel,
};

use super::Role;
use super::connection::{Connection, offered};
use crate::notices::Notices;

/// The longest wait for an attempt, in milliseconds.
const LONGEST_WAIT_MS: u64 = 60_000;
/// How long a test waits for the first attempt: less than a page waits for a reply.
const TEST: Duration = Duration::from_secs(15);
/// How long a call waits for the press that a test asks for.
const PRESS: Duration = Duration::from_secs(10);
/// The most notices in one list, and how many there are if nobody says it.
const MOST: u32 = 200;
const SOME: u32 = 50;

fn notices(connection: &Connection) -> Result<&Notices, RpcError> {
    offered(&connection.services.notices)
}

/// Queues the notices about an event.
pub(super) async fn happened(connection: &Connection, happened: NotifyHappened) -> Result<Done, RpcError> {
    notices(connection)?.happened(happened.occurrence).await.map_err(RpcError::internal)?;
    Ok(Done {})
}

/// Sends a text over one channel.
pub(super) async fn send(connection: &Connection, send: SendNotice) -> Result<SentNotice, RpcError> {
    let SendNotice { channel, text, wait_ms } = send;
    let wait = Duration::from_millis(wait_ms.min(LONGEST_WAIT_MS));
    Ok(notices(connection)?.send(&channel, &text, wait).await?)
}

/// Sends a test message over one channel.
pub(super) async fn test(connection: &Connection, test: TestChannel) -> Result<TestedChannel, RpcError> {
    let text = offered(&connection.services.settings)?.test_text();
    let notices = notices(connection)?;
    let sent = notices.test(&test.channel, text, TEST).await?;
    let press = notices.presses().of(sent.number, Duration::ZERO).await;
    Ok(TestedChannel { sent, press })
}

/// Waits for the press that a test asks for.
pub(super) async fn press(connection: &Connection, test: AwaitPress) -> Result<PressedBack, RpcError> {
    let wait = test.wait_ms.map_or(PRESS, Duration::from_millis).min(PRESS);
    Ok(PressedBack { press: notices(connection)?.presses().of(test.number, wait).await })
}

/// Returns the log.
pub(super) async fn log(connection: &Connection, list: ListNotices) -> Result<NoticeLog, RpcError> {
    let limit = list.limit.unwrap_or(SOME);
    if !(1..=MOST).contains(&limit) {
        return Err(RpcError::params(format!("limit: it is a number from 1 to {MOST}")));
    }
    let notices = notices(connection)?.log(list.channel, list.dead, limit).await.map_err(RpcError::internal)?;
    Ok(NoticeLog { notices })
}

/// Puts dead notices back into their queues.
pub(super) async fn retry(connection: &Connection, retry: RetryNotices) -> Result<Retried, RpcError> {
    let retried = notices(connection)?.retry(retry.number, retry.channel).await.map_err(RpcError::internal)?;
    Ok(Retried { notices: retried })
}

/// Notes whether the peer's surface is in front of a person.
pub(super) async fn presence(connection: &Connection, set: SetPresence) -> Result<Done, RpcError> {
    let presence = notices(connection)?.presence();
    let front = match connection.peer.role {
        Role::Page(_) => Front::Page,
        Role::Local | Role::Program => Front::Terminal,
    };
    let mut present = connection.present.lock();
    match (&*present, set.visible) {
        (Some(known), true) => known.renew(),
        (None, true) => *present = Some(presence.enter(connection.number, front)),
        (_, false) => *present = None,
    }
    Ok(Done {})
}
