//! Subscriptions: events of the bus, sent as notifications.
//!
//! A session has at most one subscription; a new one replaces it. While it includes requests, its peer counts as a
//! surface.

use std::sync::Arc;

use dmplz_protocol::framing::Call;
use dmplz_protocol::message::{Subscribe, Subscribed};
use dmplz_protocol::{Approval, Event, Kind, Message, RpcError};
use serde_json::Value;

use super::connection::Connection;
use super::envelope;

pub(super) async fn subscribe(connection: &Arc<Connection>, subscribe: Subscribe) -> Result<Subscribed, RpcError> {
    let Subscribe { after, types } = subscribe;
    let kinds = types.unwrap_or_else(|| Kind::APPROVALS.to_vec());
    if kinds.is_empty() {
        return Err(RpcError::params("types: names none"));
    }
    let approvals = &connection.services.approvals;
    // The surface is attached before the subscription begins, so that it counts for the first request it receives.
    let surface = kinds.contains(&Kind::ApprovalRequested).then(|| approvals.attach(connection.peer.by.surface()));
    let last_event_id = approvals.last_event_id();
    // An id beyond the last event belongs to another store, perhaps. The reply's `lastEventId` lets the peer notice
    // that.
    let mut events = approvals.subscribe_from(after.unwrap_or(last_event_id).min(last_event_id), &kinds);
    let it = Arc::clone(connection);
    connection.subscribe(async move {
        let _surface = surface;
        while let Some(event) = events.next().await {
            if let Some(text) = event.text(notification) {
                it.send(text).await;
            }
        }
        // The recorded events cannot be read.
        it.let_go();
    });
    Ok(Subscribed { last_event_id })
}

/// Returns the notification of an event, named by its type.
fn notification(event: &Event) -> Option<String> {
    let Ok(Value::Object(mut params)) = serde_json::to_value(event) else { return None };
    let Some(Value::String(method)) = params.remove("type") else { return None };
    if let Message::ApprovalRequested { approval }
    | Message::ApprovalDenied { approval }
    | Message::ApprovalResolved { approval } = &event.message
    {
        let read = serde_json::to_value(Approval::from((**approval).clone())).ok()?;
        params.insert("approval".to_owned(), read);
    }
    Some(envelope::text(&Call::notification(method, params)))
}
