//! Methods about web push. Only a paired page calls them, and only about its own browser.

use std::time::Duration;

use dmplz_protocol::RpcError;
use dmplz_protocol::method::Done;
use dmplz_protocol::notify::SentNotice;
use dmplz_protocol::push::{GetPush, PushStatus, SubscribePush, TestPush, UnsubscribePush};

use super::Role;
use super::connection::{Connection, offered};
use crate::browsers::PageKey;
use crate::push::{CHANNEL, Push};

/// How long a test waits for the service.
const WAIT: Duration = Duration::from_secs(15);

/// Returns what a call is about: web push, and the browser of the connection.
fn own(connection: &Connection) -> Result<(&Push, PageKey), RpcError> {
    let Role::Page(browser) = connection.peer.role else {
        return Err(RpcError::forbidden("it is for a paired page, about its own browser"));
    };
    Ok((offered(&connection.services.push)?, browser))
}

/// Returns the gateway's key, and whether this browser is subscribed.
pub(super) async fn status(connection: &Connection, _: GetPush) -> Result<PushStatus, RpcError> {
    let (push, browser) = own(connection)?;
    Ok(PushStatus { key: push.key().to_owned(), on: push.is_on(browser) })
}

/// Replaces the subscription of this browser.
pub(super) async fn subscribe(connection: &Connection, subscribe: SubscribePush) -> Result<Done, RpcError> {
    let (push, browser) = own(connection)?;
    push.subscribe(browser, &subscribe).await.map_err(RpcError::params)?;
    Ok(Done {})
}

/// Forgets the subscription of this browser.
pub(super) async fn unsubscribe(connection: &Connection, _: UnsubscribePush) -> Result<Done, RpcError> {
    let (push, browser) = own(connection)?;
    push.unsubscribe(browser).await;
    Ok(Done {})
}

/// Sends a notice to this browser alone.
pub(super) async fn test(connection: &Connection, _: TestPush) -> Result<SentNotice, RpcError> {
    let (push, browser) = own(connection)?;
    if !push.is_on(browser) {
        return Err(RpcError::params("this browser is not subscribed"));
    }
    let notices = offered(&connection.services.notices)?;
    let occurrence = Push::test_of(browser, connection.services.approvals.now_ms());
    Ok(notices.send_occurrence(CHANNEL, &occurrence, WAIT).await?)
}
